/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_DATABASE_SCHEMA_H
#define STORE_DATABASE_SCHEMA_H

#include "store/database/database.h"

/*
 * The tables, and how older files become newer ones. Internal to store/.
 * A schema is a list of steps: step i turns version i into version i + 1, and
 * version 0 is an empty file. Steps are never edited once released, only added.
 */
enum { SCHEMA_APPLICATION_ID = 0x776f7274 }; /* "wort", SQLite's mark for whose file it is */

struct schema {
	const char *const *steps; /* SQL */
	size_t count;		  /* the newest version */
};

/* The schema of this program. */
struct schema schema_current(void);

/*
 * Check that the file is a history and bring it to the schema's version, all
 * missing steps in one transaction: after a failure the file is as before. A
 * foreign file, a newer version, and an older or empty one that cannot be
 * written are errors.
 */
bool schema_bring(struct database *database, const struct schema *schema, struct error *err);

#endif
