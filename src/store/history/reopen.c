/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Going on with a session that was loaded. */
#include <math.h>

#include "store/history/rows.h"
#include "store/outbox/outbox.h"

/* The keys of the session's runs in their order; *count may come out above capacity. */
static bool read_keys(struct history *history, int64_t *keys, size_t capacity, size_t *count,
		      struct error *err)
{
	static const char sql[] = "SELECT key FROM run WHERE key BETWEEN ?1 AND ?2 ORDER BY key";
	struct statement *statement = database_statement(&history->database, sql, err);
	bool row;

	*count = 0;
	if (statement == NULL)
		return false;
	statement_integer(statement, 1, history_key(history->session, 0));
	statement_integer(statement, 2, history_key(history->session, HISTORY_LAST_PLACE));
	for (;; (*count)++) {
		if (!database_step(&history->database, statement, &row, err))
			return false;
		if (!row)
			return true;
		if (*count < capacity)
			keys[*count] = column_integer(statement, 0);
	}
}

static bool delete_run(struct history *history, int64_t key, struct error *err)
{
	static const char sql[] = "DELETE FROM run WHERE key = ?1";
	struct statement *statement = database_statement(&history->database, sql, err);

	if (statement == NULL)
		return false;
	statement_integer(statement, 1, key);
	return database_run(&history->database, statement, err);
}

/* Delete the runs that are not kept, pairing the session's rows with the samples by their order. */
static bool drop_runs(struct history *history, struct arena *scratch,
		      const struct recording *recording, const bool *keep, struct error *err)
{
	int64_t *keys = arena_alloc(scratch, recording->sample_count, sizeof *keys);
	size_t count, i;

	if (!read_keys(history, keys, recording->sample_count, &count, err))
		return false;
	if (count != recording->sample_count)
		return error_set(err, ERROR_INPUT,
				 "session %s has changed since it was read; run the command again",
				 recording->id);
	for (i = 0; i < count; i++)
		if (!keep[i] && !delete_run(history, keys[i], err))
			return false;
	history->next_place = count > 0 ? (keys[count - 1] & HISTORY_LAST_PLACE) + 1 : 0;
	return true;
}

static void keep_samples(struct recording *recording, const bool *keep)
{
	size_t kept = 0, i;

	for (i = 0; i < recording->sample_count; i++)
		if (keep[i])
			recording->samples[kept++] = recording->samples[i];
	recording->sample_count = kept;
}

/* The recording as it is while running again; the original stays whole if the database refuses. */
static struct recording running_again(const struct recording *recording, size_t rounds_done)
{
	struct recording again = *recording;

	again.end = END_RUNNING;
	again.rounds_done = rounds_done;
	again.after = (struct environment){ .load_1min = NAN,
					    .memory_available_bytes = NAN,
					    .steal_s = NAN,
					    .busy_s = NAN,
					    .idle_s = NAN };
	return again;
}

bool history_reopen(struct history *history, struct recording *recording, struct error *err)
{
	struct database *database = &history->database;
	struct arena *scratch = arena_open();
	bool *keep = arena_alloc(scratch, recording->sample_count, sizeof *keep);
	size_t rounds_done = history_complete_rounds(recording, keep);
	struct recording again = running_again(recording, rounds_done);
	bool good = false;
	const char *id;

	if (history->is_server) {
		arena_close(scratch);
		return outbox_reopen(history, recording, err);
	}
	history_forget(history);
	if (database_begin(database, err) &&
	    history_find(history, scratch, recording->id, &history->session, &id, err) &&
	    history_own(history, id, err) && drop_runs(history, scratch, recording, keep, err) &&
	    rows_update_session(history, &again, err) && database_commit(database, err))
		good = true;
	if (good) {
		keep_samples(&again, keep);
		*recording = again;
		history->samples_saved = recording->sample_count;
		history->samples_spooled = recording->sample_count;
		history->metrics_saved = recording->metric_count;
		history->remarks_saved = recording->remark_count;
	} else {
		database_rollback(database);
		history_forget(history);
	}
	arena_close(scratch);
	return good;
}
