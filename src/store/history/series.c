/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Medians of sessions: see series.h. */
#include "store/history/series.h"

#include <string.h>
#include <time.h>

#include "base/array.h"
#include "store/history/internal.h"
#include "store/outbox/outbox.h"

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
	struct statement *statement = database_statement(&history->database, sql, err);

	if (statement == NULL)
		return false;
	statement_integer(statement, 1, session);
	return database_run(&history->database, statement, err);
}

static bool insert_summary(struct history *history, int64_t session,
			   const struct history_summary *summary, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO summary (metric, session, subject, label, unit, better, median, runs)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
	struct statement *statement = database_statement(&history->database, sql, err);

	if (statement == NULL)
		return false;
	statement_text(statement, 1, summary->metric);
	statement_integer(statement, 2, session);
	statement_integer(statement, 3, (int64_t)summary->subject);
	statement_text(statement, 4, summary->label);
	statement_text(statement, 5, summary->unit);
	statement_text(statement, 6, better_name(summary->better));
	statement_real(statement, 7, summary->median);
	statement_integer(statement, 8, (int64_t)summary->runs);
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

struct summing {
	const struct history_summary *summaries;
	size_t count;
};

static bool summarize_at(struct history *place, const char *id, void *context, struct error *err)
{
	const struct summing *summing = context;
	int64_t session;

	if (!database_begin(&place->database, err))
		return false;
	if (find_number(place, id, &session, err) &&
	    write_summaries(place, session, summing->summaries, summing->count, err) &&
	    database_commit(&place->database, err))
		return true;
	database_rollback(&place->database);
	return false;
}

bool history_summarize(struct history *history, const char *id,
		       const struct history_summary *summaries, size_t count, struct error *err)
{
	struct summing summing = { summaries, count };

	return outbox_at(history, id, summarize_at, &summing, err);
}

bool history_unsummarized(struct history *history, struct arena *arena, const char ***ids,
			  size_t *count, struct error *err)
{
	static const char sql[] =
	    "SELECT number, id, ending FROM session WHERE summarized = 0 ORDER BY number";
	struct statement *statement = database_statement(&history->database, sql, err);
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
		if (owner_is_live(&history->owner, history->path, column_integer(statement, 0)))
			continue;
		*array_push(arena, *ids, *count, capacity) =
		    history_column_text(arena, statement, 1);
	}
}

static bool read_point(struct arena *arena, struct statement *statement,
		       struct history_point *point)
{
	const char *better;

	point->id = history_column_text(arena, statement, 0);
	point->title = history_column_text(arena, statement, 1);
	point->project = history_column_text(arena, statement, 2);
	point->host = history_column_text(arena, statement, 3);
	point->started_at_s = column_integer(statement, 4);
	point->summary.metric = history_column_text(arena, statement, 5);
	point->summary.subject = (size_t)column_integer(statement, 6);
	point->summary.label = history_column_text(arena, statement, 7);
	point->summary.unit = history_column_text(arena, statement, 8);
	better = column_text(statement, 9).bytes;
	point->summary.median = column_real(statement, 10);
	point->summary.runs = (size_t)column_integer(statement, 11);
	return better != NULL && better_parse(better, &point->summary.better);
}

bool history_series(struct history *history, struct arena *arena,
		    const struct history_filter *filter, struct history_point **points,
		    size_t *count, struct error *err)
{
	static const char sql[] =
	    "SELECT id, title, project, host, started_at_s, metric, subject, label, unit, better,"
	    " median, runs FROM summary JOIN session ON session.number = summary.session"
	    " WHERE metric = ?4 AND (?3 IS NULL OR label = ?3) AND summary.session IN"
	    " (SELECT number FROM session AS taken"
	    "  WHERE (?1 IS NULL OR project = ?1) AND (?2 IS NULL OR host = ?2)"
	    "  AND started_at_s >= ?5 AND EXISTS (SELECT 1 FROM summary AS of_it"
	    "   WHERE of_it.metric = ?4 AND of_it.session = taken.number"
	    "   AND (?3 IS NULL OR of_it.label = ?3))"
	    "  ORDER BY started_at_s DESC, number DESC LIMIT ?6)"
	    " ORDER BY started_at_s, summary.session, subject";
	struct statement *statement = database_statement(&history->database, sql, err);
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
			statement_reset(statement);
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
	    "INSERT INTO baseline (name, session, label, saved_at_s) VALUES (?1, ?2, ?3, ?4)"
	    " ON CONFLICT (name) DO UPDATE SET session = excluded.session,"
	    " label = excluded.label, saved_at_s = excluded.saved_at_s";
	struct statement *statement = database_statement(&history->database, sql, err);
	int64_t session;

	if (statement == NULL || !find_number(history, id, &session, err))
		return false;
	statement_text(statement, 1, name);
	statement_integer(statement, 2, session);
	statement_text(statement, 3, label);
	statement_integer(statement, 4, (int64_t)time(NULL));
	return database_run(&history->database, statement, err);
}

bool history_baselines(struct history *history, struct arena *arena,
		       struct history_baseline **baselines, size_t *count, struct error *err)
{
	static const char sql[] =
	    "SELECT name, id, label, title, started_at_s FROM baseline"
	    " JOIN session ON session.number = baseline.session ORDER BY name";
	struct statement *statement = database_statement(&history->database, sql, err);
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
			.started_at_s = column_integer(statement, 4),
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
	struct statement *statement = database_statement(&history->database, sql, err);

	if (statement == NULL)
		return false;
	statement_text(statement, 1, name);
	if (!database_run(&history->database, statement, err))
		return false;
	return database_changes(&history->database) == 1 ||
	       error_set(err, ERROR_USAGE, "there is no baseline of the name %s", name);
}
