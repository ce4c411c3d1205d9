/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of a history. One row a run, with its values as one blob of
 * doubles in the order of the session's metrics: a round of two runs then
 * costs one page of the log, and one metric of a million runs is read in one
 * pass (docs/decisions/history-layout.md has the figures). What is needed to
 * find and list sessions are columns; what only a whole recording needs is
 * JSON of model/codec.h, so that a new field of a plan is no new schema.
 *
 * PRAGMA user_version is the schema's version, PRAGMA application_id tells our
 * files from those of others.
 */
#include "store/database/schema.h"

#include <stdio.h>

/*
 * run.key is session.number << 32 | the run's place in the session: the
 * integer key is SQLite's cheapest index, and it keeps a session's runs
 * together and in order. run_view shows the two apart for whoever asks by hand.
 */
static const char version_1[] =
    "CREATE TABLE session ("
    "  number INTEGER PRIMARY KEY AUTOINCREMENT," /* never used again: it is in run keys and locks
						   */
    "  id TEXT NOT NULL UNIQUE,"
    "  title TEXT NOT NULL,"
    "  started_at_s INTEGER NOT NULL,"
    "  ending TEXT NOT NULL,"		 /* session_end_name() */
    "  rounds INTEGER,"			 /* complete ones; NULL until it ended */
    "  rounds_planned INTEGER NOT NULL," /* bounds the judged rounds among the runs */
    "  subjects INTEGER NOT NULL,"
    "  host TEXT,"
    "  verdict TEXT,"
    "  change TEXT,"
    "  owner_pid INTEGER," /* the process that measures, for sentences; the lock decides */
    "  origin TEXT,"
    "  order_known INTEGER NOT NULL,"
    "  extension_bases TEXT NOT NULL," /* JSON: rounds done at each extension */
    "  plan TEXT NOT NULL,"
    "  environment_before TEXT NOT NULL,"
    "  environment_after TEXT"
    ");"
    "CREATE TABLE metric ("
    "  session INTEGER NOT NULL,"
    "  place INTEGER NOT NULL," /* the index of its doubles in run.samples */
    "  name TEXT NOT NULL,"
    "  definition TEXT NOT NULL," /* JSON */
    "  PRIMARY KEY (session, place)"
    ") WITHOUT ROWID;"
    "CREATE INDEX metric_by_name ON metric (name, session, place);"
    "CREATE TABLE remark ("
    "  session INTEGER NOT NULL,"
    "  place INTEGER NOT NULL,"
    "  sentence TEXT NOT NULL,"
    "  PRIMARY KEY (session, place)"
    ") WITHOUT ROWID;"
    "CREATE TABLE run ("
    "  key INTEGER PRIMARY KEY,"
    "  round INTEGER NOT NULL,"
    "  position INTEGER NOT NULL,"
    "  subject INTEGER NOT NULL,"
    "  flags INTEGER NOT NULL," /* enum sample_flag */
    "  started_ns INTEGER NOT NULL,"
    "  exit_status INTEGER NOT NULL,"
    "  signal INTEGER NOT NULL,"
    "  output_hash INTEGER NOT NULL,"
    "  amounts BLOB NOT NULL," /* little-endian doubles, NAN: not measured */
    "  coverage BLOB,"	       /* little-endian floats; NULL: 1 for all */
    "  batches BLOB"	       /* 32-bit metric and double each; NULL: none */
    ");"
    "CREATE VIEW run_view AS SELECT key >> 32 AS session, key & 4294967295 AS place, round,"
    "  position, subject, flags, started_ns, exit_status, signal, output_hash, amounts FROM run;";

/*
 * What a trend needs, so that it reads no runs: of each command and metric of a
 * session the median of the good judged runs. A session without runs has none;
 * summarized tells those that were looked at. A baseline is a session, or one of
 * its commands, under a name.
 */
static const char version_2[] =
    "ALTER TABLE session ADD COLUMN project TEXT;"
    "ALTER TABLE session ADD COLUMN summarized INTEGER NOT NULL DEFAULT 0;"
    "CREATE TABLE summary ("
    "  metric TEXT NOT NULL,"
    "  session INTEGER NOT NULL,"
    "  subject INTEGER NOT NULL,"
    "  label TEXT NOT NULL,"
    "  unit TEXT NOT NULL,"
    "  better TEXT NOT NULL," /* better_name() */
    "  median REAL NOT NULL,"
    "  runs INTEGER NOT NULL,"
    "  PRIMARY KEY (metric, session, subject)"
    ") WITHOUT ROWID;"
    "CREATE INDEX summary_by_session ON summary (session);"
    "CREATE TABLE baseline ("
    "  name TEXT PRIMARY KEY,"
    "  session INTEGER NOT NULL,"
    "  label TEXT," /* NULL: the session's only command, or not chosen */
    "  saved_at_s INTEGER NOT NULL"
    ") WITHOUT ROWID;";

/* Where instructions are executed, of kernels: rows of model/where.h as JSON, NULL: not asked for.
 */
static const char version_3[] = "ALTER TABLE session ADD COLUMN attribution TEXT;";

static const char *const steps[] = { version_1, version_2, version_3 };

struct schema schema_current(void)
{
	return (struct schema){ .steps = steps, .count = sizeof steps / sizeof *steps };
}

/* What a file says about itself. */
struct marks {
	int64_t application;
	int64_t version;
	int64_t tables;
};

static bool read_marks(struct database *database, struct marks *marks, struct error *err)
{
	return database_integer(database, "SELECT count(*) FROM sqlite_schema", &marks->tables,
				err) &&
	       database_integer(database, "PRAGMA application_id", &marks->application, err) &&
	       database_integer(database, "PRAGMA user_version", &marks->version, err);
}

static bool check_marks(const struct database *database, const struct schema *schema,
			const struct marks *marks, struct error *err)
{
	bool empty = marks->tables == 0 && marks->version == 0 && marks->application == 0;

	if (!empty && (marks->application != SCHEMA_APPLICATION_ID || marks->version < 1))
		return error_set(err, ERROR_INPUT,
				 "%s is an SQLite database of another program, not a history; move "
				 "it away, or set XDG_DATA_HOME to keep the history elsewhere",
				 database->path);
	if (marks->version > (int64_t)schema->count)
		return error_set(err, ERROR_INPUT,
				 "the history %s was written by a newer worth (its version is "
				 "%lld, this program knows %zu); update worth, or set "
				 "XDG_DATA_HOME to begin another history",
				 database->path, (long long)marks->version, schema->count);
	if (marks->version < (int64_t)schema->count && database->read_only)
		return error_set(err, ERROR_INPUT,
				 "the history %s %s, and it is write-protected; copy it to a "
				 "place where it can be written, and set XDG_DATA_HOME",
				 database->path,
				 empty ? "is empty" : "must first be updated from an older worth");
	return true;
}

static bool run_steps(struct database *database, const struct schema *schema, int64_t version,
		      struct error *err)
{
	char pragma[64];

	for (; version < (int64_t)schema->count; version++)
		if (!database_execute(database, schema->steps[version], err))
			return error_prefix(err, "updating it to version %lld",
					    (long long)version + 1);
	snprintf(pragma, sizeof pragma, "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 SCHEMA_APPLICATION_ID, (int)schema->count);
	return database_execute(database, pragma, err);
}

/* Another process may have done it while this one waited for the lock, so the marks are read again
 * inside. */
static bool migrate(struct database *database, const struct schema *schema, struct error *err)
{
	struct marks marks;

	if (!database_begin(database, err))
		return false;
	if (read_marks(database, &marks, err) && check_marks(database, schema, &marks, err) &&
	    run_steps(database, schema, marks.version, err) && database_commit(database, err))
		return true;
	database_rollback(database);
	return false;
}

bool schema_bring(struct database *database, const struct schema *schema, struct error *err)
{
	struct marks marks;

	if (!read_marks(database, &marks, err) || !check_marks(database, schema, &marks, err))
		return false;
	return marks.version == (int64_t)schema->count || migrate(database, schema, err);
}
