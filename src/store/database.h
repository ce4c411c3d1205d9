/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_DATABASE_H
#define STORE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "base/error.h"

/*
 * One SQLite connection with its statements kept prepared, and SQLite's result
 * codes as sentences. Internal to store/. Out of memory inside SQLite ends the
 * program as it does everywhere else.
 */
enum {
	DATABASE_WAIT_MS = 10 * 1000, /* for another process's transaction, which takes microseconds
				       */
	DATABASE_STATEMENTS = 40,
};

struct database {
	sqlite3 *handle;
	const char *path; /* borrowed: for sentences */
	bool must_write;  /* who opened it means to write: decides what a sentence advises */
	bool read_only;
	struct {
		const char *sql;
		sqlite3_stmt *statement;
	} statements[DATABASE_STATEMENTS];
	size_t statement_count;
};

/* Opens an existing file. A write-protected one is opened for reading if that suffices
 * (!must_write). path is borrowed until the database is closed. */
bool database_open(struct database *database, const char *path, bool must_write, struct error *err);
void database_close(struct database *database); /* zeroed is accepted */

/* The last result code of SQLite as a sentence about this file; returns false. */
bool database_fail(const struct database *database, struct error *err);

/* Statements without results, such as a schema's. */
bool database_execute(struct database *database, const char *sql, struct error *err);
/* A pragma's or query's single integer. */
bool database_integer(struct database *database, const char *sql, int64_t *value,
		      struct error *err);

/* The prepared statement of sql, reset and ready for binding; prepared at its first use and kept.
 * sql must be a constant of the program: it is known by its address. NULL with err on failure. */
sqlite3_stmt *database_statement(struct database *database, const char *sql, struct error *err);
/* Step to the next row; *row says whether there is one. The statement is reset after the last. */
bool database_step(struct database *database, sqlite3_stmt *statement, bool *row,
		   struct error *err);
/* Step a statement that returns no rows, and reset it. */
bool database_run(struct database *database, sqlite3_stmt *statement, struct error *err);

/* A transaction that writes takes its lock at once, so that waiting happens here alone. */
bool database_begin(struct database *database, struct error *err);
/* One that reads sees one state of the file throughout. */
bool database_begin_reading(struct database *database, struct error *err);
bool database_commit(struct database *database, struct error *err);
void database_rollback(struct database *database); /* without a transaction: nothing */

#endif
