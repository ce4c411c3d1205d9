/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of schema.c for PostgreSQL. The same columns with the same
 * meanings, so that the same statements serve; texts are compared byte by byte,
 * as SQLite does. A schema of their own keeps them apart from other tables.
 */
#include <stdio.h>

#include "store/database/postgres.h"

static const char version_1[] =
    "CREATE SCHEMA IF NOT EXISTS worth;"
    "CREATE TABLE worth.version (version bigint NOT NULL);"
    "INSERT INTO worth.version VALUES (0);"
    "CREATE TABLE worth.session ("
    "  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    "  id text COLLATE \"C\" NOT NULL UNIQUE,"
    "  title text NOT NULL,"
    "  started_at_s bigint NOT NULL,"
    "  ending text NOT NULL,"
    "  rounds bigint,"
    "  rounds_planned bigint NOT NULL,"
    "  subjects bigint NOT NULL,"
    "  host text COLLATE \"C\","
    "  verdict text,"
    "  change text,"
    "  owner_pid bigint,"
    "  origin text,"
    "  order_known bigint NOT NULL,"
    "  extension_bases text NOT NULL,"
    "  plan text NOT NULL,"
    "  environment_before text NOT NULL,"
    "  environment_after text,"
    "  project text COLLATE \"C\","
    "  summarized bigint NOT NULL DEFAULT 0"
    ");"
    "CREATE INDEX session_by_time ON worth.session (started_at_s, number);"
    "CREATE TABLE worth.metric ("
    "  session bigint NOT NULL,"
    "  place bigint NOT NULL,"
    "  name text COLLATE \"C\" NOT NULL,"
    "  definition text NOT NULL,"
    "  PRIMARY KEY (session, place)"
    ");"
    "CREATE INDEX metric_by_name ON worth.metric (name, session, place);"
    "CREATE TABLE worth.remark ("
    "  session bigint NOT NULL,"
    "  place bigint NOT NULL,"
    "  sentence text NOT NULL,"
    "  PRIMARY KEY (session, place)"
    ");"
    "CREATE TABLE worth.run ("
    "  key bigint PRIMARY KEY,"
    "  round bigint NOT NULL,"
    "  position bigint NOT NULL,"
    "  subject bigint NOT NULL,"
    "  flags bigint NOT NULL,"
    "  started_ns bigint NOT NULL,"
    "  exit_status bigint NOT NULL,"
    "  signal bigint NOT NULL,"
    "  output_hash bigint NOT NULL,"
    "  amounts bytea NOT NULL,"
    "  coverage bytea,"
    "  batches bytea"
    ");"
    "CREATE TABLE worth.summary ("
    "  metric text COLLATE \"C\" NOT NULL,"
    "  session bigint NOT NULL,"
    "  subject bigint NOT NULL,"
    "  label text COLLATE \"C\" NOT NULL,"
    "  unit text NOT NULL,"
    "  better text NOT NULL,"
    "  median double precision NOT NULL,"
    "  runs bigint NOT NULL,"
    "  PRIMARY KEY (metric, session, subject)"
    ");"
    "CREATE INDEX summary_by_session ON worth.summary (session);"
    "CREATE TABLE worth.baseline ("
    "  name text COLLATE \"C\" PRIMARY KEY,"
    "  session bigint NOT NULL,"
    "  label text,"
    "  saved_at_s bigint NOT NULL"
    ")";

static const char version_2[] = "ALTER TABLE worth.session ADD COLUMN attribution text";

static const char *const steps[] = { version_1, version_2 };
enum { NEWEST = sizeof steps / sizeof *steps };

/* From the catalog's tables: to_regclass() would answer from what this connection knew before it
 * waited for another program that made them. */
static bool read_version(struct database *database, int64_t *version, struct error *err)
{
	static const char sql[] = "SELECT count(*) FROM pg_catalog.pg_class AS class"
				  " JOIN pg_catalog.pg_namespace AS space"
				  " ON space.oid = class.relnamespace"
				  " WHERE space.nspname = 'worth' AND class.relname = 'version'";
	int64_t exists;

	*version = 0;
	return database_integer(database, sql, &exists, err) &&
	       (exists == 0 ||
		database_integer(database, "SELECT version FROM worth.version", version, err));
}

static bool check_version(const struct database *database, int64_t version, struct error *err)
{
	if (version <= NEWEST)
		return true;
	return error_set(err, ERROR_INPUT,
			 "the history %s was written by a newer worth (its version is %lld, this "
			 "program knows %d); update worth",
			 database->path, (long long)version, NEWEST);
}

static bool run_steps(struct database *database, int64_t version, struct error *err)
{
	char sql[64];

	for (; version < NEWEST; version++)
		if (!database_execute(database, steps[version], err))
			return error_prefix(err, "making the tables in the schema worth, which "
						 "no other program may use");
	snprintf(sql, sizeof sql, "UPDATE worth.version SET version = %d", NEWEST);
	return database_execute(database, sql, err);
}

/* Another program may have done it while this one waited for the lock. */
static bool migrate(struct database *database, struct error *err)
{
	int64_t version;

	if (database_begin(database, err) && read_version(database, &version, err) &&
	    check_version(database, version, err) &&
	    (version == NEWEST || run_steps(database, version, err)) &&
	    database_execute(database, "COMMIT", err))
		return true;
	database_rollback(database);
	return false;
}

bool postgres_bring_schema(struct database *database, struct error *err)
{
	int64_t version, writes = 0;

	if (!read_version(database, &version, err) || !check_version(database, version, err) ||
	    (version < NEWEST && !migrate(database, err)) ||
	    !database_integer(database,
			      "SELECT (has_table_privilege('worth.session', 'INSERT')"
			      " AND current_setting('transaction_read_only') = 'off')::int",
			      &writes, err))
		return false;
	database->read_only = writes == 0;
	return !database->read_only || !database->must_write ||
	       error_set(err, ERROR_SYSTEM,
			 "the history %s lets this user read and not write; ask its owner to "
			 "grant INSERT, UPDATE, DELETE on the tables of the schema worth",
			 database->path);
}
