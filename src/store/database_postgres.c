/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thin layer over libpq: see database.h and database_postgres.h. Parameters
 * go as text except blobs, results come in binary: all columns are bigint,
 * double precision, text or bytea. Statements of a batch go in libpq's pipeline
 * mode, so that a run costs no way to the server and back.
 */
#include "store/database_postgres.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WORTH_LIBPQ

#include <libpq-fe.h>

#include "base/arena.h"
#include "base/text.h"

enum { PARAMETERS = 14, BATCH = 256 };

/* PostgreSQL's numbers for the types of parameters (its src/include/catalog/pg_type.dat). */
enum { TYPE_BYTEA = 17, TYPE_INT8 = 20, TYPE_TEXT = 25, TYPE_FLOAT8 = 701 };

struct postgres {
	PGconn *connection;
	int64_t changed; /* by the statement before */
	size_t names;	 /* of prepared statements, so far */
	bool is_batch;
	size_t sent; /* in the batch, without answer yet */
};

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
	struct parameter parameters[PARAMETERS];
	int parameter_count;
	PGresult *result;
	int row; /* of the result, -1 before the first */
};

static struct postgres_statement *own(struct statement *statement)
{
	return (struct postgres_statement *)statement;
}

static PGconn *connection_of(const struct database *database)
{
	return database->postgres->connection;
}

/* The first line of a message: later ones may show data. */
static const char *first_line(struct arena *arena, const char *message)
{
	static const char *const levels[] = { "ERROR:  ", "FATAL:  ", "error: " };
	size_t i;

	for (i = 0; i < sizeof levels / sizeof *levels; i++)
		if (strncmp(message, levels[i], strlen(levels[i])) == 0)
			message += strlen(levels[i]);
	return text_clean(arena, message, strcspn(message, "\n"));
}

static bool fail(struct database *database, const PGresult *result, struct error *err)
{
	PGconn *connection = connection_of(database);
	const char *state = result == NULL ? NULL : PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *message =
	    result == NULL ? PQerrorMessage(connection) : PQresultErrorMessage(result);
	struct arena *arena = arena_open();
	const char *line = first_line(arena, message);

	if (PQstatus(connection) == CONNECTION_BAD)
		error_set(err, ERROR_SYSTEM, "the server of the history %s has gone away (%s)",
			  database->path, *line != '\0' ? line : "no answer");
	else if (state != NULL && strcmp(state, "42501") == 0)
		error_set(err, ERROR_SYSTEM,
			  "the history %s: %s; ask its owner to grant this user USAGE on the "
			  "schema worth and SELECT, INSERT, UPDATE, DELETE on its tables",
			  database->path, line);
	else if (state != NULL && strcmp(state, "55P03") == 0)
		error_set(err, ERROR_SYSTEM,
			  "the history %s is locked by another program for more than %d s; try "
			  "again later",
			  database->path, DATABASE_WAIT_MS / 1000);
	else
		error_set(err, ERROR_SYSTEM, "the history %s: %s", database->path, line);
	arena_close(arena);
	return false;
}

/* Takes the result of a statement; false with err if it is an error. */
static bool take(struct database *database, PGresult *result, struct error *err)
{
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		return fail(database, result, err);
	database->postgres->changed = strtoll(PQcmdTuples(result), NULL, 10);
	return true;
}

static void close_connection(struct database *database)
{
	PQfinish(database->postgres->connection);
	free(database->postgres);
	database->postgres = NULL;
}

static bool execute(struct database *database, const char *sql, struct error *err)
{
	PGresult *result = PQexec(connection_of(database), sql);
	bool good = take(database, result, err);

	PQclear(result);
	return good;
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
	PQclear(own(statement)->result);
	own(statement)->result = NULL;
	own(statement)->row = -1;
}

static void finalize(struct statement *statement)
{
	struct postgres_statement *mine = own(statement);
	int i;

	reset(statement);
	for (i = 0; i < PARAMETERS; i++)
		free(mine->parameters[i].bytes);
	free(mine->sql);
	free(mine);
}

/* The parameters as libpq takes them. */
struct arguments {
	const char *values[PARAMETERS];
	int lengths[PARAMETERS], formats[PARAMETERS];
	Oid types[PARAMETERS];
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
	if (!PQpipelineSync(connection))
		return fail(database, NULL, err);
	while (!at_end) {
		result = PQgetResult(connection);
		if (result == NULL) {
			if (PQstatus(connection) == CONNECTION_BAD)
				return good ? fail(database, NULL, err) : false;
			continue;
		}
		at_end = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
		if (!at_end && good)
			good = take(database, result, err);
		PQclear(result);
	}
	return good;
}

static bool send_statement(struct postgres_statement *statement, struct error *err)
{
	struct database *database = statement->head.database;
	PGconn *connection = connection_of(database);
	struct arguments arguments = arguments_of(statement);

	if (!statement->is_prepared && !PQsendPrepare(connection, statement->name, statement->sql,
						      statement->parameter_count, arguments.types))
		return fail(database, NULL, err);
	statement->is_prepared = true;
	if (!PQsendQueryPrepared(connection, statement->name, statement->parameter_count,
				 arguments.values, arguments.lengths, arguments.formats, 1))
		return fail(database, NULL, err);
	return ++database->postgres->sent < BATCH || settle(database, err);
}

static bool run(struct postgres_statement *statement, struct error *err)
{
	struct database *database = statement->head.database;
	PGconn *connection = connection_of(database);
	struct arguments arguments = arguments_of(statement);

	if (!statement->is_prepared) {
		PGresult *result = PQprepare(connection, statement->name, statement->sql,
					     statement->parameter_count, arguments.types);

		statement->is_prepared = take(database, result, err);
		PQclear(result);
		if (!statement->is_prepared)
			return false;
	}
	statement->result =
	    PQexecPrepared(connection, statement->name, statement->parameter_count,
			   arguments.values, arguments.lengths, arguments.formats, 1);
	return take(database, statement->result, err);
}

static bool step(struct statement *statement, bool *row, struct error *err)
{
	struct postgres_statement *mine = own(statement);

	*row = false;
	if (statement->database->postgres->is_batch)
		return send_statement(mine, err);
	if (mine->result == NULL && !run(mine, err))
		return false;
	*row = ++mine->row < PQntuples(mine->result);
	return true;
}

static int64_t changes(struct database *database)
{
	return database->postgres->changed;
}

static struct parameter *bind(struct statement *statement, int index, size_t size, Oid type)
{
	struct postgres_statement *mine = own(statement);
	struct parameter *parameter = &mine->parameters[index - 1];

	assert(index >= 1 && index <= PARAMETERS);
	if (mine->parameter_count < index)
		mine->parameter_count = index;
	if (parameter->capacity < size + 1) {
		free(parameter->bytes);
		parameter->capacity = 2 * (size + 1);
		parameter->bytes = malloc(parameter->capacity);
		if (parameter->bytes == NULL)
			arena_out_of_memory();
	}
	parameter->is_null = false;
	parameter->is_binary = 0;
	parameter->length = 0;
	parameter->type = type;
	return parameter;
}

static void bind_null(struct statement *statement, int index)
{
	bind(statement, index, 0, TYPE_INT8)->is_null = true;
}

static void bind_integer(struct statement *statement, int index, int64_t value)
{
	enum { DIGITS = 24 };

	snprintf(bind(statement, index, DIGITS, TYPE_INT8)->bytes, DIGITS, "%" PRId64, value);
}

static void bind_real(struct statement *statement, int index, double value)
{
	enum { DIGITS = 40 };

	snprintf(bind(statement, index, DIGITS, TYPE_FLOAT8)->bytes, DIGITS, "%.17g", value);
}

static bool is_utf8(const char *bytes, size_t length)
{
	uint32_t codepoint;
	size_t at, width;

	for (at = 0; at < length; at += width) {
		width = utf8_decode(bytes + at, length - at, &codepoint);
		if (width == 0)
			return false;
	}
	return true;
}

/* The server takes only UTF-8: a command may hold any bytes, which become \xNN as on the screen. */
static void bind_text(struct statement *statement, int index, const char *bytes, size_t length,
		      bool kept)
{
	struct arena *arena = arena_open();
	struct parameter *parameter;

	(void)kept;
	if (bytes != NULL && !is_utf8(bytes, length)) {
		bytes = text_clean(arena, bytes, length);
		length = strlen(bytes);
	}
	parameter = bind(statement, index, length, TYPE_TEXT);
	parameter->is_null = bytes == NULL;
	if (bytes != NULL)
		memcpy(parameter->bytes, bytes, length);
	parameter->bytes[length] = '\0';
	arena_close(arena);
}

static void bind_blob(struct statement *statement, int index, const char *bytes, size_t length)
{
	struct parameter *parameter = bind(statement, index, length, TYPE_BYTEA);

	parameter->is_null = bytes == NULL;
	parameter->is_binary = 1;
	parameter->length = (int)length;
	if (bytes != NULL)
		memcpy(parameter->bytes, bytes, length);
}

static bool is_null(struct statement *statement, int column)
{
	return PQgetisnull(own(statement)->result, own(statement)->row, column);
}

/* Big-endian, of the column's width. */
static uint64_t bits_of(struct statement *statement, int column, int *width)
{
	const PGresult *result = own(statement)->result;
	const char *bytes = PQgetvalue(result, own(statement)->row, column);
	uint64_t bits = 0;
	int i;

	*width = is_null(statement, column) ? 0 : PQgetlength(result, own(statement)->row, column);
	for (i = 0; i < *width; i++)
		bits = bits << 8 | (unsigned char)bytes[i];
	return bits;
}

static int64_t integer_of(struct statement *statement, int column)
{
	int width;
	uint64_t bits = bits_of(statement, column, &width);

	return width == 4 ? (int64_t)(int32_t)bits : (int64_t)bits;
}

static double real_of(struct statement *statement, int column)
{
	int width;
	uint64_t bits = bits_of(statement, column, &width);
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static struct column_bytes bytes_of(struct statement *statement, int column)
{
	const PGresult *result = own(statement)->result;
	int row = own(statement)->row;

	if (PQgetisnull(result, row, column))
		return (struct column_bytes){ NULL, 0 };
	return (struct column_bytes){ PQgetvalue(result, row, column),
				      (size_t)PQgetlength(result, row, column) };
}

/* Who writes has the history alone, as with SQLite; readers see the state before. */
static bool begin(struct database *database, bool writing, struct error *err)
{
	if (!writing)
		return execute(database, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", err);
	/* The bytes of "worth" make the number of the lock. */
	return execute(database, "BEGIN; SELECT pg_advisory_xact_lock(x'776f727468'::bigint)", err);
}

static void rollback(struct database *database)
{
	PGconn *connection = connection_of(database);

	if (database->postgres->is_batch) {
		settle(database, NULL);
		PQexitPipelineMode(connection);
		database->postgres->is_batch = false;
	}
	if (PQtransactionStatus(connection) != PQTRANS_IDLE &&
	    PQtransactionStatus(connection) != PQTRANS_UNKNOWN)
		PQclear(PQexec(connection, "ROLLBACK"));
}

static bool batch_begin(struct database *database, struct error *err)
{
	if (!PQenterPipelineMode(connection_of(database)))
		return fail(database, NULL, err);
	database->postgres->is_batch = true;
	return true;
}

static bool batch_end(struct database *database, struct error *err)
{
	bool good = settle(database, err);

	database->postgres->is_batch = false;
	if (!PQexitPipelineMode(connection_of(database)) && good)
		good = fail(database, NULL, err);
	return good;
}

/* The server's autovacuum does it. */
static bool shrink(struct database *database, struct error *err)
{
	(void)database;
	(void)err;
	return true;
}

static bool is_lost(struct database *database)
{
	return PQstatus(connection_of(database)) != CONNECTION_OK;
}

static const struct backend postgres_backend = {
	.close = close_connection,
	.execute = execute,
	.prepare = prepare,
	.finalize = finalize,
	.reset = reset,
	.step = step,
	.changes = changes,
	.bind_null = bind_null,
	.bind_integer = bind_integer,
	.bind_real = bind_real,
	.bind_text = bind_text,
	.bind_blob = bind_blob,
	.column_is_null = is_null,
	.column_integer = integer_of,
	.column_real = real_of,
	.column_text = bytes_of,
	.column_blob = bytes_of,
	.begin = begin,
	.rollback = rollback,
	.batch_begin = batch_begin,
	.batch_end = batch_end,
	.shrink = shrink,
	.is_lost = is_lost,
};

static void ignore_notice(void *context, const char *message)
{
	(void)context;
	(void)message;
}

static bool settings(struct database *database, struct error *err)
{
	char sql[160];
	const char *encoding = PQparameterStatus(connection_of(database), "server_encoding");

	if (encoding == NULL || strcmp(encoding, "UTF8") != 0)
		return error_set(err, ERROR_INPUT,
				 "the history %s is in a database of the encoding %s; make one "
				 "with: createdb --encoding UTF8 --template template0 NAME",
				 database->path, encoding != NULL ? encoding : "(unknown)");
	snprintf(sql, sizeof sql,
		 "SET search_path TO worth; SET lock_timeout TO %d; SET extra_float_digits TO 1",
		 DATABASE_WAIT_MS);
	return execute(database, sql, err);
}

bool postgres_open(struct database *database, const char *address, bool must_write,
		   struct error *err)
{
	char seconds[16];
	/* What stands before dbname gives way to what the address says. */
	const char *keys[] = { "connect_timeout", "tcp_user_timeout", "fallback_application_name",
			       "dbname",	  "client_encoding",  NULL };
	const char *values[] = { seconds, "10000", "worth", address, "UTF8", NULL };

	snprintf(seconds, sizeof seconds, "%d", POSTGRES_CONNECT_S);
	memset(database, 0, sizeof *database);
	database->postgres = calloc(1, sizeof *database->postgres);
	if (database->postgres == NULL)
		arena_out_of_memory();
	database->backend = &postgres_backend;
	database->path = address;
	database->must_write = must_write;
	database->postgres->connection = PQconnectdbParams(keys, values, 1);
	if (database->postgres->connection == NULL)
		arena_out_of_memory();
	PQsetNoticeProcessor(connection_of(database), ignore_notice, NULL);
	if (PQstatus(connection_of(database)) == CONNECTION_OK && settings(database, err) &&
	    postgres_bring_schema(database, err))
		return true;
	if (PQstatus(connection_of(database)) != CONNECTION_OK) {
		struct arena *arena = arena_open();

		error_set(err, ERROR_SYSTEM, "cannot reach the history %s: %s", address,
			  first_line(arena, PQerrorMessage(connection_of(database))));
		arena_close(arena);
	}
	database_close(database);
	return false;
}

bool postgres_check_address(const char *address, struct error *err)
{
	PQconninfoOption *options = PQconninfoParse(address, NULL), *option;
	bool has_password = false;

	if (options == NULL)
		return error_set(err, ERROR_USAGE,
				 "the address of the history is not one that PostgreSQL knows: "
				 "postgresql://USER@HOST:PORT/DATABASE, or "
				 "postgresql://?service=NAME");
	for (option = options; option->keyword != NULL; option++)
		has_password = has_password || (option->val != NULL && *option->val != '\0' &&
						strstr(option->keyword, "password") != NULL);
	PQconninfoFree(options);
	if (has_password)
		return error_set(err, ERROR_USAGE,
				 "the address of the history has a password in it, which the "
				 "process list shows to everyone; put it into ~/.pgpass "
				 "(HOST:PORT:DATABASE:USER:PASSWORD, mode 0600) or a service file");
	if (getenv("PGPASSWORD") != NULL)
		return error_set(err, ERROR_USAGE,
				 "PGPASSWORD would go to every command that is measured; unset "
				 "it, and put the password into ~/.pgpass or a service file");
	return true;
}

#endif
