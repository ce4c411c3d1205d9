/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_DATABASE_POSTGRES_INTERNAL_H
#define STORE_DATABASE_POSTGRES_INTERNAL_H

#include "store/database/libpq.h"
#include "store/database/postgres.h"

/* What the files behind postgres.h share: a connection, and a statement with its
 * parameters and result. Not included where there is no libpq. */
enum { POSTGRES_PARAMETERS = 14 };

struct postgres {
	struct libpq libpq;
	PGconn *connection;
	int64_t changed; /* by the statement before */
	size_t names;	 /* of prepared statements, so far */
	bool is_batch;
	int patience_ms; /* for an answer */
	bool hangs;	 /* there was none */
	size_t sent;	 /* in the batch, without answer yet */
};

/* libpq's functions. */
static inline const struct libpq *api(const struct database *database)
{
	return &database->postgres->libpq;
}

struct parameter {
	char *bytes; /* reused */
	size_t capacity;
	int length, is_binary;
	Oid type;
	bool is_null;
};

struct postgres_statement {
	struct statement head;
	char *sql;
	char name[24];
	bool is_prepared;
	struct parameter parameters[POSTGRES_PARAMETERS];
	int parameter_count;
	PGresult *result;
	int row; /* of the result, -1 before the first */
};

/* postgres_connection.c: answers, and failures as sentences. */

/* The server has gone away, or does not answer. */
bool postgres_is_lost(struct database *database);
/* Sets err to what a result (NULL: the connection) says; false. */
bool postgres_fail(struct database *database, const PGresult *result, struct error *err);
/* Takes the result of a statement, which stays the caller's; false with err if it is an error. */
bool postgres_take(struct database *database, PGresult *result, struct error *err);
/*
 * Until PQgetResult would not block. libpq waits for ever by itself, and a server whose machine
 * sleeps, or that was stopped, would keep a finished measurement from its report.
 */
bool postgres_await(struct database *database);
/* What was sent gives one result, or several of which the last or the first error counts. NULL: the
 * server has gone away. */
PGresult *postgres_collect(struct database *database);
bool postgres_execute(struct database *database, const char *sql, struct error *err);
/* Connected, and with the settings that the statements rely on. */
bool postgres_connect(struct database *database, const char *address, struct error *err);
void postgres_disconnect(struct database *database);

/* postgres_values.c: as struct backend has them. */
void postgres_bind_null(struct statement *statement, int index);
void postgres_bind_integer(struct statement *statement, int index, int64_t value);
void postgres_bind_real(struct statement *statement, int index, double value);
void postgres_bind_text(struct statement *statement, int index, const char *bytes, size_t length,
			bool kept);
void postgres_bind_blob(struct statement *statement, int index, const char *bytes, size_t length);
bool postgres_is_null(struct statement *statement, int column);
int64_t postgres_integer(struct statement *statement, int column);
double postgres_real(struct statement *statement, int column);
struct column_bytes postgres_bytes(struct statement *statement, int column);

#endif
