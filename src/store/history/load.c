/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session back into a recording, bit by bit as it was. One read transaction:
 * a session that another process is measuring comes as of one moment. What the
 * file says is checked as far as the recording's users rely on it (indices,
 * sizes); a file that was tampered with gives a sentence, not a crash.
 */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "model/codec.h"
#include "model/codec_where.h"
#include "store/history/internal.h"
#include "store/outbox/outbox.h"

static char *column_string(struct arena *arena, struct statement *statement, int column)
{
	struct column_bytes text = column_text(statement, column);

	return text.bytes == NULL ? NULL : arena_strndup(arena, text.bytes, text.length);
}

static bool damaged(const struct history *history, const struct recording *recording,
		    const char *what, struct error *err)
{
	return error_set(err, ERROR_INPUT,
			 "session %s in the history %s is damaged: %s; worth history delete %s "
			 "removes it",
			 recording->id, history->path, what, recording->id);
}

static bool column_json(const struct history *history, const struct recording *recording,
			struct statement *statement, int column, struct json **json,
			struct error *err)
{
	struct column_bytes text = column_text(statement, column);

	if (text.bytes == NULL)
		return damaged(history, recording, "a part is missing", err);
	if (!json_parse(text.bytes, text.length, json, err))
		return error_prefix(err, "session %s in the history %s", recording->id,
				    history->path);
	return true;
}

static bool load_environment(const struct history *history, struct arena *arena,
			     const struct recording *recording, struct statement *statement,
			     int column, struct environment *environment, struct error *err)
{
	struct json *json;
	bool good;

	*environment = (struct environment){ .load_1min = NAN,
					     .memory_available_bytes = NAN,
					     .steal_s = NAN,
					     .busy_s = NAN,
					     .idle_s = NAN };
	if (column_is_null(statement, column))
		return true;
	if (!column_json(history, recording, statement, column, &json, err))
		return false;
	good = environment_from_json(arena, json, environment, err);
	json_release(json);
	return good ||
	       error_prefix(err, "session %s in the history %s", recording->id, history->path);
}

static bool load_plan(const struct history *history, struct arena *arena,
		      struct recording *recording, struct statement *statement, int column,
		      struct error *err)
{
	struct json *json;
	bool good;

	if (!column_json(history, recording, statement, column, &json, err))
		return false;
	good = plan_from_json(arena, json, &recording->plan, err);
	json_release(json);
	return good ||
	       error_prefix(err, "session %s in the history %s", recording->id, history->path);
}

static bool load_where(const struct history *history, struct arena *arena,
		       struct recording *recording, struct statement *statement, int column,
		       struct error *err)
{
	struct json *json;
	bool good;

	if (column_is_null(statement, column))
		return true;
	if (!column_json(history, recording, statement, column, &json, err))
		return false;
	good = where_from_json(arena, json, recording, err);
	json_release(json);
	return good ||
	       error_prefix(err, "session %s in the history %s", recording->id, history->path);
}

static bool load_extensions(const struct history *history, struct arena *arena,
			    struct recording *recording, struct statement *statement, int column,
			    struct error *err)
{
	struct json *json;
	bool good = true;
	int64_t base;
	size_t i;

	if (!column_json(history, recording, statement, column, &json, err))
		return false;
	recording->extension_count = json_count(json);
	recording->extension_bases =
	    arena_alloc(arena, recording->extension_count, sizeof *recording->extension_bases);
	for (i = 0; good && i < recording->extension_count; i++) {
		good = json_to_integer(json_item(json, i), &base) && base >= 0;
		recording->extension_bases[i] = good ? (size_t)base : 0;
	}
	json_release(json);
	return good || damaged(history, recording, "an extension has no number of rounds", err);
}

/* *ended_rounds: as stored at the end, -1 for a session that has not ended. */
static bool load_session(struct history *history, struct arena *arena, int64_t session,
			 struct recording *recording, int64_t *ended_rounds, struct error *err)
{
	static const char sql[] =
	    "SELECT ending, rounds, origin, order_known, plan, environment_before,"
	    " environment_after, extension_bases, attribution FROM session WHERE number = ?1";
	struct statement *statement = database_statement(&history->database, sql, err);
	const char *ending;
	bool row, good;

	if (statement == NULL)
		return false;
	statement_integer(statement, 1, session);
	if (!database_step(&history->database, statement, &row, err))
		return false;
	if (!row)
		return damaged(history, recording, "it has no entry", err);
	ending = column_string(arena, statement, 0);
	*ended_rounds = column_is_null(statement, 1) ? -1 : column_integer(statement, 1);
	recording->origin = column_string(arena, statement, 2);
	recording->order_known = column_integer(statement, 3) != 0;
	good = ((ending != NULL && session_end_parse(ending, &recording->end)) ||
		damaged(history, recording, "how it ended is unknown", err)) &&
	       load_plan(history, arena, recording, statement, 4, err) &&
	       load_environment(history, arena, recording, statement, 5, &recording->before, err) &&
	       load_environment(history, arena, recording, statement, 6, &recording->after, err) &&
	       load_extensions(history, arena, recording, statement, 7, err) &&
	       load_where(history, arena, recording, statement, 8, err);
	statement_reset(statement);
	return good;
}

static bool load_metric(struct history *history, struct arena *arena, struct statement *statement,
			struct recording *recording, struct error *err)
{
	size_t count = recording->metric_count;
	struct metric metric;
	struct json *json;
	bool good;

	if (!column_json(history, recording, statement, 1, &json, err))
		return false;
	good = metric_from_json(arena, json, &metric, err);
	json_release(json);
	if (!good)
		return error_prefix(err, "session %s in the history %s", recording->id,
				    history->path);
	if (column_integer(statement, 0) != (int64_t)count ||
	    recording_add_metric(arena, recording, &metric) != count)
		return damaged(history, recording, "its metrics are not in order", err);
	return true;
}

static bool load_remark(struct history *history, struct arena *arena, struct statement *statement,
			struct recording *recording, struct error *err)
{
	const char *sentence = column_string(arena, statement, 1);

	if (sentence == NULL)
		return damaged(history, recording, "a remark is empty", err);
	*array_push(arena, recording->remarks, recording->remark_count,
		    recording->remark_capacity) = sentence;
	return true;
}

/* Blobs may be shorter than the metrics are many: columns that came later are not measured. */
static bool load_amounts(struct history *history, struct arena *arena, struct statement *statement,
			 struct recording *recording, struct sample *sample, struct error *err)
{
	struct column_bytes amounts = column_blob(statement, 8);
	struct column_bytes covered = column_blob(statement, 9);
	struct column_bytes batched = column_blob(statement, 10);
	size_t values = amounts.length / VALUE_BYTES;
	size_t coverage = covered.length / COVERAGE_BYTES;
	size_t batches = batched.length / BATCH_BYTES;
	size_t i;

	if (values > recording->metric_count || coverage > recording->metric_count)
		return damaged(history, recording, "a run has more values than metrics", err);
	if (values > 0)
		run_decode_values(amounts.bytes, sample->values, values);
	if (!column_is_null(statement, 9)) {
		sample->coverage =
		    arena_alloc(arena, recording->metric_capacity, sizeof *sample->coverage);
		for (i = 0; i < recording->metric_capacity; i++)
			sample->coverage[i] = 1;
		if (coverage > 0)
			run_decode_coverage(covered.bytes, sample->coverage, coverage);
	}
	if (batches > 0) {
		sample->batches = arena_alloc(arena, batches, sizeof *sample->batches);
		sample->batch_count = (uint32_t)batches;
		run_decode_batches(batched.bytes, sample->batches, batches);
	}
	for (i = 0; i < batches; i++)
		if (sample->batches[i].metric >= recording->metric_count)
			return damaged(history, recording, "a batch is of no metric", err);
	return true;
}

static bool load_run(struct history *history, struct arena *arena, struct statement *statement,
		     struct recording *recording, struct error *err)
{
	struct sample *sample = recording_add_sample(arena, recording);

	sample->round = (uint32_t)column_integer(statement, 0);
	sample->position = (uint32_t)column_integer(statement, 1);
	sample->subject = (uint32_t)column_integer(statement, 2);
	sample->flags = (uint32_t)column_integer(statement, 3);
	sample->started_ns = column_integer(statement, 4);
	sample->exit_status = (int32_t)column_integer(statement, 5);
	sample->signal = (int32_t)column_integer(statement, 6);
	sample->output_hash = (uint64_t)column_integer(statement, 7);
	if (sample->subject >= recording->plan.subject_count)
		return damaged(history, recording, "a run is of no command of its plan", err);
	return load_amounts(history, arena, statement, recording, sample, err);
}

/* Runs a query over one session (?1 to ?2) and loads each of its rows. */
static bool
load_rows(struct history *history, struct arena *arena, const char *sql, int64_t low, int64_t high,
	  bool (*load)(struct history *history, struct arena *arena, struct statement *statement,
		       struct recording *recording, struct error *err),
	  struct recording *recording, struct error *err)
{
	struct statement *statement = database_statement(&history->database, sql, err);
	bool row;

	if (statement == NULL)
		return false;
	statement_integer(statement, 1, low);
	statement_integer(statement, 2, high);
	for (;;) {
		if (!database_step(&history->database, statement, &row, err))
			return false;
		if (!row)
			return true;
		if (!load(history, arena, statement, recording, err)) {
			statement_reset(statement);
			return false;
		}
	}
}

static bool load_parts(struct history *history, struct arena *arena, int64_t session,
		       struct recording *recording, int64_t *ended_rounds, struct error *err)
{
	static const char metrics[] =
	    "SELECT place, definition FROM metric WHERE session BETWEEN ?1 AND ?2 ORDER BY place";
	static const char remarks[] =
	    "SELECT place, sentence FROM remark WHERE session BETWEEN ?1 AND ?2 ORDER BY place";
	static const char runs[] =
	    "SELECT round, position, subject, flags, started_ns, exit_status, signal, output_hash,"
	    " amounts, coverage, batches FROM run WHERE key BETWEEN ?1 AND ?2 ORDER BY key";

	return load_session(history, arena, session, recording, ended_rounds, err) &&
	       load_rows(history, arena, metrics, session, session, load_metric, recording, err) &&
	       load_rows(history, arena, remarks, session, session, load_remark, recording, err) &&
	       load_rows(history, arena, runs, history_key(session, 0),
			 history_key(session, HISTORY_LAST_PLACE), load_run, recording, err);
}

bool history_load_here(struct history *history, struct arena *arena, const char *id,
		       struct recording *recording, struct error *err)
{
	struct database *database = &history->database;
	int64_t session, ended_rounds = -1;
	bool good;

	good = database_begin_reading(database, err) &&
	       history_find(history, arena, id, &session, &recording->id, err) &&
	       load_parts(history, arena, session, recording, &ended_rounds, err) &&
	       database_commit(database, err);
	database_rollback(database);
	if (!good)
		return false;
	recording->rounds_done =
	    ended_rounds >= 0 ? (size_t)ended_rounds : history_complete_rounds(recording, NULL);
	return true;
}

struct loading {
	struct arena *arena;
	struct recording *recording;
};

static bool load_at(struct history *place, const char *id, void *context, struct error *err)
{
	const struct loading *loading = context;

	memset(loading->recording, 0, sizeof *loading->recording);
	return history_load_here(place, loading->arena, id, loading->recording, err);
}

bool history_load(struct history *history, struct arena *arena, const char *id,
		  struct recording *recording, struct error *err)
{
	struct loading loading = { arena, recording };

	return outbox_at(history, id, load_at, &loading, err);
}
