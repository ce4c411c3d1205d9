/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_DATABASE_POSTGRES_H
#define STORE_DATABASE_POSTGRES_H

#include "store/database/database.h"

/* Whether a word names a server, as libpq's addresses do: postgresql://... or postgres://... */
bool postgres_is_address(const char *word);

/*
 * An address that libpq can read and that has no password in it, and no
 * PGPASSWORD in the environment: the process list, the shell's history and each
 * measured command would have it too. ~/.pgpass and a service file serve. The
 * sentences do not repeat the address. Also an error in a program built without
 * libpq.
 */
bool postgres_check_address(const char *address, struct error *err);

/* Connects within POSTGRES_CONNECT_S to a checked address, which is borrowed until the database is
 * closed. A server that does not answer a statement for POSTGRES_ANSWER_MS has gone away (what the
 * address says of connect_timeout and tcp_user_timeout comes first). Internal to store/. */
bool postgres_open(struct database *database, const char *address, bool must_write,
		   struct error *err);
enum { POSTGRES_CONNECT_S = 5, POSTGRES_ANSWER_MS = 30 * 1000 };

/*
 * The tables are in the schema "worth" of the database, which is made if it may
 * be. A newer version than this program's is an error, an older one is brought
 * to it in one transaction. Where this user may only read, database->read_only.
 */
bool postgres_bring_schema(struct database *database, struct error *err);

#endif
