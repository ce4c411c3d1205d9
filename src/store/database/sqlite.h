/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_DATABASE_SQLITE_H
#define STORE_DATABASE_SQLITE_H

#include "store/database/database.h"

/* Opens an existing SQLite file. A write-protected one is opened for reading if that suffices
 * (!must_write). path is borrowed until the database is closed. Internal to store/. */
bool database_open(struct database *database, const char *path, bool must_write, struct error *err);

/* Switching to WAL needs the file alone for a moment, and SQLite does not wait for that by itself.
 * A file system without shared memory stays with the rollback journal: slower, as safe. */
bool database_set_journal(struct database *database, struct error *err);

#endif
