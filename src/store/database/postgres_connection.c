/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection to a PostgreSQL server: made, asked and waited for, its failures as sentences. It is
 * in libpq's nonblocking mode, so that every wait is one of ours and ends.
 */

#include "store/database/postgres_internal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

static PGconn *connection_of(const struct database *database)
{
	return database->postgres->connection;
}

bool postgres_is_lost(struct database *database)
{
	return database->postgres->hangs ||
	       api(database)->PQstatus(connection_of(database)) != CONNECTION_OK;
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

bool postgres_fail(struct database *database, const PGresult *result, struct error *err)
{
	PGconn *connection = connection_of(database);
	const char *state =
	    result == NULL ? NULL : api(database)->PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *message = result == NULL ? api(database)->PQerrorMessage(connection)
					     : api(database)->PQresultErrorMessage(result);
	struct arena *arena = arena_open();
	const char *line = first_line(arena, message);

	if (database->postgres->hangs)
		error_set(err, ERROR_SYSTEM, "the server of the history %s does not answer",
			  database->path);
	else if (api(database)->PQstatus(connection) == CONNECTION_BAD)
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
bool postgres_take(struct database *database, PGresult *result, struct error *err)
{
	ExecStatusType status = api(database)->PQresultStatus(result);

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		return postgres_fail(database, result, err);
	database->postgres->changed = strtoll(api(database)->PQcmdTuples(result), NULL, 10);
	return true;
}

void postgres_disconnect(struct database *database)
{
	if (database->postgres->connection != NULL)
		api(database)->PQfinish(database->postgres->connection);
	free(database->postgres);
	database->postgres = NULL;
}

bool postgres_await(struct database *database)
{
	struct postgres *postgres = database->postgres;
	struct pollfd socket = { .fd = api(database)->PQsocket(postgres->connection) };
	int unsent, answered;

	for (;;) {
		unsent = api(database)->PQflush(postgres->connection);
		if (unsent == 0 && !api(database)->PQisBusy(postgres->connection))
			return true;
		if (unsent < 0 || socket.fd < 0)
			return false;
		socket.events = (short)(unsent > 0 ? POLLIN | POLLOUT : POLLIN);
		answered = poll(&socket, 1, postgres->patience_ms);
		if (answered < 0 && errno == EINTR)
			continue;
		postgres->hangs = answered == 0;
		if (answered <= 0 || ((socket.revents & ~POLLOUT) != 0 &&
				      !api(database)->PQconsumeInput(postgres->connection)))
			return false;
	}
}

PGresult *postgres_collect(struct database *database)
{
	PGconn *connection = connection_of(database);
	PGresult *kept = NULL, *next;

	while (postgres_await(database) &&
	       (next = api(database)->PQgetResult(connection)) != NULL) {
		if (kept != NULL && api(database)->PQresultStatus(kept) == PGRES_FATAL_ERROR) {
			api(database)->PQclear(next);
			continue;
		}
		api(database)->PQclear(kept);
		kept = next;
	}
	if (!postgres_is_lost(database))
		return kept;
	api(database)->PQclear(kept);
	return NULL;
}

bool postgres_execute(struct database *database, const char *sql, struct error *err)
{
	PGresult *result;
	bool good;

	if (!api(database)->PQsendQuery(connection_of(database), sql))
		return postgres_fail(database, NULL, err);
	result = postgres_collect(database);
	good = postgres_take(database, result, err);
	api(database)->PQclear(result);
	return good;
}

/* libpq's own tcp_user_timeout, which an address may set, is the patience for other sockets too. */
static int patience_ms(const struct libpq *libpq, PGconn *connection)
{
	PQconninfoOption *options = libpq->PQconninfo(connection), *option;
	int wait_ms = 0;

	for (option = options; option != NULL && option->keyword != NULL; option++)
		if (strcmp(option->keyword, "tcp_user_timeout") == 0 && option->val != NULL)
			wait_ms = atoi(option->val);
	libpq->PQconninfoFree(options);
	return wait_ms > 0 ? wait_ms : POSTGRES_ANSWER_MS;
}

static void ignore_notice(void *context, const char *message)
{
	(void)context;
	(void)message;
}

static bool settings(struct database *database, struct error *err)
{
	char sql[160];
	const char *encoding =
	    api(database)->PQparameterStatus(connection_of(database), "server_encoding");

	if (encoding == NULL || strcmp(encoding, "UTF8") != 0)
		return error_set(err, ERROR_INPUT,
				 "the history %s is in a database of the encoding %s; make one "
				 "with: createdb --encoding UTF8 --template template0 NAME",
				 database->path, encoding != NULL ? encoding : "(unknown)");
	/* The planner guesses that every entry of the list counts its rounds, and would compile
	 * that for longer than the list takes. */
	snprintf(sql, sizeof sql,
		 "SET search_path TO worth; SET lock_timeout TO %d; SET jit TO off",
		 DATABASE_WAIT_MS);
	return postgres_execute(database, sql, err);
}

bool postgres_connect(struct database *database, const char *address, struct error *err)
{
	char seconds[16], milliseconds[16];
	/* What stands before dbname gives way to what the address says. */
	const char *keys[] = { "connect_timeout", "tcp_user_timeout", "fallback_application_name",
			       "dbname",	  "client_encoding",  NULL };
	const char *values[] = { seconds, milliseconds, "worth", address, "UTF8", NULL };
	PGconn *connection;
	struct arena *arena;

	snprintf(seconds, sizeof seconds, "%d", POSTGRES_CONNECT_S);
	snprintf(milliseconds, sizeof milliseconds, "%d", POSTGRES_ANSWER_MS);
	connection = api(database)->PQconnectdbParams(keys, values, 1);
	if (connection == NULL)
		arena_out_of_memory();
	database->postgres->connection = connection;
	database->postgres->patience_ms = patience_ms(api(database), connection);
	api(database)->PQsetnonblocking(connection, 1);
	api(database)->PQsetNoticeProcessor(connection, ignore_notice, NULL);
	if (api(database)->PQstatus(connection) == CONNECTION_OK)
		return settings(database, err);
	arena = arena_open();
	error_set(err, ERROR_SYSTEM, "cannot reach the history %s: %s", address,
		  first_line(arena, api(database)->PQerrorMessage(connection)));
	arena_close(arena);
	return false;
}

/* Of a URI everything else is written %NN; it is printed as it is. */
static bool is_printable(const char *address)
{
	for (; *address != '\0'; address++)
		if (*address <= ' ' || *address > '~')
			return false;
	return true;
}

bool postgres_check_address(const char *address, struct error *err)
{
	PQconninfoOption *options, *option;
	bool has_password = false;
	struct libpq libpq;

	if (!libpq_load(&libpq, err))
		return false;
	options = is_printable(address) ? libpq.PQconninfoParse(address, NULL) : NULL;
	if (options == NULL)
		return error_set(err, ERROR_USAGE,
				 "the address of the history is not one that PostgreSQL knows: "
				 "postgresql://USER@HOST:PORT/DATABASE, or "
				 "postgresql://?service=NAME");
	for (option = options; option->keyword != NULL; option++)
		has_password = has_password || (option->val != NULL && *option->val != '\0' &&
						strstr(option->keyword, "password") != NULL);
	libpq.PQconninfoFree(options);
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
