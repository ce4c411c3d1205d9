/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Medians of sessions: see history_series.h. */
#include "store/history_series.h"

#include <string.h>

#include "base/array.h"
#include "store/history_internal.h"

static bool find_number(struct history *history, const char *id, int64_t *session,
			struct error *err)
{
	struct arena *scratch = arena_open();
	const char *full;
	bool good = history_find(history, scratch, id, session, &full, err);

	arena_close(scratch);
	return good;
}

static bool run_for(struct history *history, const char *sql, int64_t session, struct error *err)
{
	sqlite3_stmt *statement = database_statement(&history->database, sql, err);

	if (statement == NULL)
		return false;
	sqlite3_bind_int64(statement, 1, session);
	return database_run(&history->database, statement, err);
}

static bool insert_summary(struct history *history, int64_t session,
			   const struct history_summary *summary, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO summary (metric, session, subject, label, unit, better, median, runs)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
	sqlite3_stmt *statement = database_statement(&history->database, sql, err);

	if (statement == NULL)
		return false;
	sqlite3_bind_text(statement, 1, summary->metric, -1, SQLITE_STATIC);
	sqlite3_bind_int64(statement, 2, session);
	sqlite3_bind_int64(statement, 3, (int64_t)summary->subject);
	sqlite3_bind_text(statement, 4, summary->label, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 5, summary->unit, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 6, better_name(summary->better), -1, SQLITE_STATIC);
	sqlite3_bind_double(statement, 7, summary->median);
	sqlite3_bind_int64(statement, 8, (int64_t)summary->runs);
	return database_run(&history->database, statement, err);
}

static bool write_summaries(struct history *history, int64_t session,
			    const struct history_summary *summaries, size_t count,
			    struct error *err)
{
	static const char old[] = "DELETE FROM summary WHERE session = ?1";
	static const char done[] = "UPDATE session SET summarized = 1 WHERE number = ?1";
	size_t i;

	if (!run_for(history, old, session, err))
		return false;
	for (i = 0; i < count; i++)
		if (!insert_summary(history, session, &summaries[i], err))
			return false;
	return run_for(history, done, session, err);
}

bool history_summarize(struct history *history, const char *id,
		       const struct history_summary *summaries, size_t count, struct error *err)
{
	int64_t session;

	if (!find_number(history, id, &session, err) || !database_begin(&history->database, err))
		return false;
	if (write_summaries(history, session, summaries, count, err) &&
	    database_commit(&history->database, err))
		return true;
	database_rollback(&history->database);
	return false;
}

bool history_unsummarized(struct history *history, struct arena *arena, const char ***ids,
			  size_t *count, struct error *err)
{
	static const char sql[] =
	    "SELECT number, id, ending FROM session WHERE NOT summarized ORDER BY number";
	sqlite3_stmt *statement = database_statement(&history->database, sql, err);
	size_t capacity = 0;
	bool row;

	*ids = NULL;
	*count = 0;
	if (history->database.read_only)
		return true;
	if (statement == NULL)
		return false;
	for (;;) {
		if (!database_step(&history->database, statement, &row, err))
			return false;
		if (!row)
			return true;
		if (owner_is_live(&history->owner, history->path,
				  sqlite3_column_int64(statement, 0)))
			continue;
		*array_push(arena, *ids, *count, capacity) =
		    history_column_text(arena, statement, 1);
	}
}

static bool read_point(struct arena *arena, sqlite3_stmt *statement, struct history_point *point)
{
	const char *better;

	point->id = history_column_text(arena, statement, 0);
	point->title = history_column_text(arena, statement, 1);
	point->project = history_column_text(arena, statement, 2);
	point->host = history_column_text(arena, statement, 3);
	point->started_at_s = sqlite3_column_int64(statement, 4);
	point->summary.metric = history_column_text(arena, statement, 5);
	point->summary.subject = (size_t)sqlite3_column_int64(statement, 6);
	point->summary.label = history_column_text(arena, statement, 7);
	point->summary.unit = history_column_text(arena, statement, 8);
	better = (const char *)sqlite3_column_text(statement, 9);
	point->summary.median = sqlite3_column_double(statement, 10);
	point->summary.runs = (size_t)sqlite3_column_int64(statement, 11);
	return better != NULL && better_parse(better, &point->summary.better);
}

bool history_series(struct history *history, struct arena *arena,
		    const struct history_filter *filter, struct history_point **points,
		    size_t *count, struct error *err)
{
	static const char sql[] =
	    "SELECT id, title, project, host, started_at_s, metric, subject, label, unit, better,"
	    " median, runs FROM summary JOIN session ON session.number = summary.session"
	    " WHERE metric = ?4 AND (?3 IS NULL OR label = ?3) AND session IN"
	    " (SELECT DISTINCT session FROM summary JOIN session ON session.number = "
	    "summary.session"
	    "  WHERE metric = ?4 AND (?3 IS NULL OR label = ?3)"
	    "  AND (?1 IS NULL OR project = ?1) AND (?2 IS NULL OR host = ?2)"
	    "  AND started_at_s >= ?5 ORDER BY session DESC LIMIT ?6)"
	    " ORDER BY session, subject";
	sqlite3_stmt *statement = database_statement(&history->database, sql, err);
	size_t capacity = 0;
	bool row;

	*points = NULL;
	*count = 0;
	if (statement == NULL)
		return false;
	history_bind_filter(statement, filter);
	for (;;) {
		if (!database_step(&history->database, statement, &row, err))
			return false;
		if (!row)
			return true;
		if (!read_point(arena, statement, array_push(arena, *points, *count, capacity))) {
			sqlite3_reset(statement);
			return error_set(err, ERROR_INPUT,
					 "the history %s is damaged: which way a metric is better "
					 "is unknown",
					 history->path);
		}
	}
}

bool history_save_baseline(struct history *history, const char *name, const char *id,
			   const char *label, struct error *err)
{
	static const char sql[] =
	    "INSERT OR REPLACE INTO baseline (name, session, label, saved_at_s)"
	    " VALUES (?1, ?2, ?3, unixepoch())";
	sqlite3_stmt *statement = database_statement(&history->database, sql, err);
	int64_t session;

	if (statement == NULL || !find_number(history, id, &session, err))
		return false;
	sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(statement, 2, session);
	sqlite3_bind_text(statement, 3, label, -1, SQLITE_STATIC);
	return database_run(&history->database, statement, err);
}

bool history_baselines(struct history *history, struct arena *arena,
		       struct history_baseline **baselines, size_t *count, struct error *err)
{
	static const char sql[] =
	    "SELECT name, id, label, title, started_at_s FROM baseline"
	    " JOIN session ON session.number = baseline.session ORDER BY name";
	sqlite3_stmt *statement = database_statement(&history->database, sql, err);
	size_t capacity = 0;
	bool row;

	*baselines = NULL;
	*count = 0;
	if (statement == NULL)
		return false;
	for (;;) {
		if (!database_step(&history->database, statement, &row, err))
			return false;
		if (!row)
			return true;
		*array_push(arena, *baselines, *count, capacity) = (struct history_baseline){
			.name = history_column_text(arena, statement, 0),
			.id = history_column_text(arena, statement, 1),
			.label = history_column_text(arena, statement, 2),
			.title = history_column_text(arena, statement, 3),
			.started_at_s = sqlite3_column_int64(statement, 4),
		};
	}
}

bool history_find_baseline(struct history *history, struct arena *arena, const char *name,
			   struct history_baseline *baseline, bool *found, struct error *err)
{
	struct history_baseline *all;
	size_t count, i;

	*found = false;
	if (!history_baselines(history, arena, &all, &count, err))
		return false;
	for (i = 0; i < count; i++)
		if (strcmp(all[i].name, name) == 0) {
			*baseline = all[i];
			*found = true;
		}
	return true;
}

bool history_drop_baseline(struct history *history, const char *name, struct error *err)
{
	static const char sql[] = "DELETE FROM baseline WHERE name = ?1";
	sqlite3_stmt *statement = database_statement(&history->database, sql, err);

	if (statement == NULL)
		return false;
	sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
	if (!database_run(&history->database, statement, err))
		return false;
	return sqlite3_changes(history->database.handle) == 1 ||
	       error_set(err, ERROR_USAGE, "there is no baseline of the name %s", name);
}
