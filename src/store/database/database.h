/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_DATABASE_DATABASE_H
#define STORE_DATABASE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * One connection to a database with its statements kept prepared, and its
 * failures as sentences. Internal to store/. What the history asks of a
 * database is SQL that both SQLite and PostgreSQL understand, with parameters
 * ?1, ?2, ...; what they do not share is behind struct backend, one file each:
 * sqlite.c and postgres.c. Out of memory inside a library
 * ends the program as it does everywhere else.
 */
enum {
	DATABASE_WAIT_MS = 10 * 1000, /* for another process's transaction, which takes microseconds
				       */
	DATABASE_STATEMENTS = 48,
};

struct database;

/* A prepared statement; a backend's own begins with it. */
struct statement {
	struct database *database;
};

/* A value of a column, as far as it is asked for; borrowed until the next step or reset. */
struct column_bytes {
	const char *bytes; /* NULL: NULL */
	size_t length;
};

struct backend {
	void (*close)(struct database *database);
	bool (*execute)(struct database *database, const char *sql, struct error *err);
	struct statement *(*prepare)(struct database *database, const char *sql, struct error *err);
	void (*finalize)(struct statement *statement);
	void (*reset)(struct statement *statement);
	bool (*step)(struct statement *statement, bool *row, struct error *err);
	int64_t (*changes)(struct database *database);

	void (*bind_null)(struct statement *statement, int index);
	void (*bind_integer)(struct statement *statement, int index, int64_t value);
	void (*bind_real)(struct statement *statement, int index, double value);
	/* bytes NULL binds NULL; copied unless kept says that they stay until the step. */
	void (*bind_text)(struct statement *statement, int index, const char *bytes, size_t length,
			  bool kept);
	void (*bind_blob)(struct statement *statement, int index, const char *bytes, size_t length);

	bool (*column_is_null)(struct statement *statement, int column);
	int64_t (*column_integer)(struct statement *statement, int column);
	double (*column_real)(struct statement *statement, int column);
	struct column_bytes (*column_text)(struct statement *statement, int column);
	struct column_bytes (*column_blob)(struct statement *statement, int column);

	bool (*begin)(struct database *database, bool writing, struct error *err);
	void (*rollback)(struct database *database);
	bool (*batch_begin)(struct database *database, struct error *err); /* NULL: nothing to do */
	bool (*batch_end)(struct database *database, struct error *err);
	bool (*shrink)(struct database *database, struct error *err);
	bool (*is_lost)(struct database *database); /* NULL: never */
};

struct sqlite3;
struct postgres;

struct database {
	const struct backend *backend; /* NULL: not open */
	const char *path;	       /* borrowed: for sentences */
	bool must_write; /* who opened it means to write: decides what a sentence advises */
	bool read_only;
	struct sqlite3 *handle;	   /* SQLite's */
	struct postgres *postgres; /* PostgreSQL's */
	struct {
		const char *sql;
		struct statement *statement;
	} statements[DATABASE_STATEMENTS];
	size_t statement_count;
};

void database_close(struct database *database); /* zeroed is accepted */

/* Statements without results, such as a schema's. */
bool database_execute(struct database *database, const char *sql, struct error *err);
/* A pragma's or query's single integer. */
bool database_integer(struct database *database, const char *sql, int64_t *value,
		      struct error *err);

/* The prepared statement of sql, reset and ready for binding; prepared at its first use and kept.
 * sql must be a constant of the program: it is known by its address. NULL with err on failure. */
struct statement *database_statement(struct database *database, const char *sql, struct error *err);
/* Step to the next row; *row says whether there is one. The statement is reset after the last. */
bool database_step(struct database *database, struct statement *statement, bool *row,
		   struct error *err);
/* Step a statement that returns no rows, and reset it. */
bool database_run(struct database *database, struct statement *statement, struct error *err);
/* The rows that the statement changed which ran last. */
int64_t database_changes(struct database *database);
void statement_reset(struct statement *statement);

/* Parameters are numbered from 1, columns from 0. A text must stay until the statement has run;
 * statement_text_copy takes one that does not. NULL is NULL. */
void statement_null(struct statement *statement, int index); /* an integer that is not there */
void statement_integer(struct statement *statement, int index, int64_t value);
void statement_real(struct statement *statement, int index, double value);
void statement_text(struct statement *statement, int index, const char *string);
void statement_text_copy(struct statement *statement, int index, const char *bytes, size_t length);
void statement_blob(struct statement *statement, int index, const char *bytes, size_t length);

bool column_is_null(struct statement *statement, int column);
int64_t column_integer(struct statement *statement, int column);
double column_real(struct statement *statement, int column);
struct column_bytes column_text(struct statement *statement, int column); /* ends in a NUL */
struct column_bytes column_blob(struct statement *statement, int column);

/* A transaction that writes takes its lock at once, so that waiting happens here alone. */
bool database_begin(struct database *database, struct error *err);
/* One that reads sees one state of the file throughout. */
bool database_begin_reading(struct database *database, struct error *err);
bool database_commit(struct database *database, struct error *err);
void database_rollback(struct database *database); /* without a transaction: nothing */

/* Between the two, statements that return nothing need not have run when database_run returns; what
 * failed is told by it, or by the end. Spares a way to the server and back for each. */
bool database_batch_begin(struct database *database, struct error *err);
bool database_batch_end(struct database *database, struct error *err);

/* Whether the server has gone away: then nothing more comes of this connection. */
bool database_is_lost(struct database *database);

/* Gives the file system back what deleted rows held, where that is ours to do. */
bool database_shrink(struct database *database, struct error *err);

#endif
