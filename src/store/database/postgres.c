/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statements and transactions on a PostgreSQL server: see database.h and postgres.h.
 * Statements of a batch go in libpq's pipeline mode, so that a run costs no way to the server and
 * back.
 */

#include "store/database/postgres_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { BATCH = 256 };

static struct postgres_statement *own(struct statement *statement)
{
	return (struct postgres_statement *)statement;
}

static PGconn *connection_of(const struct database *database)
{
	return database->postgres->connection;
}

/* ?1 is $1 here. */
static char *translated(const char *sql)
{
	char *copy = strdup(sql);
	char *at;

	if (copy == NULL)
		arena_out_of_memory();
	for (at = copy; *at != '\0'; at++)
		if (*at == '?')
			*at = '$';
	return copy;
}

static struct statement *prepare(struct database *database, const char *sql, struct error *err)
{
	struct postgres_statement *statement = calloc(1, sizeof *statement);

	(void)err;
	if (statement == NULL)
		arena_out_of_memory();
	statement->head.database = database;
	statement->sql = translated(sql);
	statement->row = -1;
	snprintf(statement->name, sizeof statement->name, "worth%zu", database->postgres->names++);
	return &statement->head;
}

static void reset(struct statement *statement)
{
	api(statement->database)->PQclear(own(statement)->result);
	own(statement)->result = NULL;
	own(statement)->row = -1;
}

static void finalize(struct statement *statement)
{
	struct postgres_statement *mine = own(statement);
	int i;

	reset(statement);
	for (i = 0; i < POSTGRES_PARAMETERS; i++)
		free(mine->parameters[i].bytes);
	free(mine->sql);
	free(mine);
}

/* The parameters as libpq takes them. */
struct arguments {
	const char *values[POSTGRES_PARAMETERS];
	int lengths[POSTGRES_PARAMETERS], formats[POSTGRES_PARAMETERS];
	Oid types[POSTGRES_PARAMETERS];
};

static struct arguments arguments_of(const struct postgres_statement *statement)
{
	struct arguments arguments;
	int i;

	for (i = 0; i < statement->parameter_count; i++) {
		const struct parameter *parameter = &statement->parameters[i];

		arguments.values[i] = parameter->is_null ? NULL : parameter->bytes;
		arguments.lengths[i] = parameter->length;
		arguments.formats[i] = parameter->is_binary;
		arguments.types[i] = parameter->type;
	}
	return arguments;
}

/* Answers of all that was sent: the first error is told. */
static bool settle(struct database *database, struct error *err)
{
	PGconn *connection = connection_of(database);
	bool good = true, at_end = false;
	PGresult *result;

	database->postgres->sent = 0;
	if (!api(database)->PQpipelineSync(connection))
		return postgres_fail(database, NULL, err);
	while (!at_end) {
		if (!postgres_await(database) || postgres_is_lost(database))
			return good ? postgres_fail(database, NULL, err) : false;
		result = api(database)->PQgetResult(connection);
		if (result == NULL)
			continue;
		at_end = api(database)->PQresultStatus(result) == PGRES_PIPELINE_SYNC;
		if (!at_end && good)
			good = postgres_take(database, result, err);
		api(database)->PQclear(result);
	}
	return good;
}

static bool send_statement(struct postgres_statement *statement, struct error *err)
{
	struct database *database = statement->head.database;
	PGconn *connection = connection_of(database);
	struct arguments arguments = arguments_of(statement);

	if (!statement->is_prepared &&
	    !api(database)->PQsendPrepare(connection, statement->name, statement->sql,
					  statement->parameter_count, arguments.types))
		return postgres_fail(database, NULL, err);
	statement->is_prepared = true;
	if (!api(database)->PQsendQueryPrepared(connection, statement->name,
						statement->parameter_count, arguments.values,
						arguments.lengths, arguments.formats, 1))
		return postgres_fail(database, NULL, err);
	return ++database->postgres->sent < BATCH || settle(database, err);
}

static bool prepare_there(struct postgres_statement *statement, const struct arguments *arguments,
			  struct error *err)
{
	struct database *database = statement->head.database;
	PGresult *result;

	if (!api(database)->PQsendPrepare(connection_of(database), statement->name, statement->sql,
					  statement->parameter_count, arguments->types))
		return postgres_fail(database, NULL, err);
	result = postgres_collect(database);
	statement->is_prepared = postgres_take(database, result, err);
	api(database)->PQclear(result);
	return statement->is_prepared;
}

static bool run(struct postgres_statement *statement, struct error *err)
{
	struct database *database = statement->head.database;
	struct arguments arguments = arguments_of(statement);

	if (!statement->is_prepared && !prepare_there(statement, &arguments, err))
		return false;
	if (!api(database)->PQsendQueryPrepared(connection_of(database), statement->name,
						statement->parameter_count, arguments.values,
						arguments.lengths, arguments.formats, 1))
		return postgres_fail(database, NULL, err);
	statement->result = postgres_collect(database);
	return postgres_take(database, statement->result, err);
}

static bool step(struct statement *statement, bool *row, struct error *err)
{
	struct postgres_statement *mine = own(statement);

	*row = false;
	if (statement->database->postgres->is_batch)
		return send_statement(mine, err);
	if (mine->result == NULL && !run(mine, err))
		return false;
	*row = ++mine->row < api(statement->database)->PQntuples(mine->result);
	return true;
}

static int64_t changes(struct database *database)
{
	return database->postgres->changed;
}

/* Who writes has the history alone, as with SQLite; readers see the state before. */
static bool begin(struct database *database, bool writing, struct error *err)
{
	if (!writing)
		return postgres_execute(database, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
					err);
	/* The bytes of "worth" make the number of the lock. */
	return postgres_execute(database,
				"BEGIN; SELECT pg_advisory_xact_lock(x'776f727468'::bigint)", err);
}

static void rollback(struct database *database)
{
	PGconn *connection = connection_of(database);

	if (postgres_is_lost(database))
		return;
	if (database->postgres->is_batch) {
		settle(database, NULL);
		api(database)->PQexitPipelineMode(connection);
		database->postgres->is_batch = false;
	}
	if (api(database)->PQtransactionStatus(connection) != PQTRANS_IDLE &&
	    api(database)->PQtransactionStatus(connection) != PQTRANS_UNKNOWN)
		postgres_execute(database, "ROLLBACK", NULL);
}

static bool batch_begin(struct database *database, struct error *err)
{
	if (!api(database)->PQenterPipelineMode(connection_of(database)))
		return postgres_fail(database, NULL, err);
	database->postgres->is_batch = true;
	return true;
}

static bool batch_end(struct database *database, struct error *err)
{
	bool good = settle(database, err);

	database->postgres->is_batch = false;
	if (!api(database)->PQexitPipelineMode(connection_of(database)) && good)
		good = postgres_fail(database, NULL, err);
	return good;
}

/* The server's autovacuum does it. */
static bool shrink(struct database *database, struct error *err)
{
	(void)database;
	(void)err;
	return true;
}

static const struct backend postgres_backend = {
	.close = postgres_disconnect,
	.execute = postgres_execute,
	.prepare = prepare,
	.finalize = finalize,
	.reset = reset,
	.step = step,
	.changes = changes,
	.bind_null = postgres_bind_null,
	.bind_integer = postgres_bind_integer,
	.bind_real = postgres_bind_real,
	.bind_text = postgres_bind_text,
	.bind_blob = postgres_bind_blob,
	.column_is_null = postgres_is_null,
	.column_integer = postgres_integer,
	.column_real = postgres_real,
	.column_text = postgres_bytes,
	.column_blob = postgres_bytes,
	.begin = begin,
	.rollback = rollback,
	.batch_begin = batch_begin,
	.batch_end = batch_end,
	.shrink = shrink,
	.is_lost = postgres_is_lost,
};

bool postgres_open(struct database *database, const char *address, bool must_write,
		   struct error *err)
{
	memset(database, 0, sizeof *database);
	database->postgres = calloc(1, sizeof *database->postgres);
	if (database->postgres == NULL)
		arena_out_of_memory();
	database->backend = &postgres_backend;
	database->path = address;
	database->must_write = must_write;
	if (libpq_load(&database->postgres->libpq, err) &&
	    postgres_connect(database, address, err) && postgres_bring_schema(database, err))
		return true;
	database_close(database);
	return false;
}
