/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session as rows: its entry, metrics, remarks and runs, as they are written.
 * Transactions are those of the callers.
 */
#include "store/history/rows.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "base/text.h"
#include "model/codec.h"
#include "model/codec_where.h"

/*
 * Ids: six of Crockford's base 32 characters, lower case, the first a letter.
 * 22 * 32^5 of them, so that two or three letters are enough to name one among
 * a thousand; no i, l, o, u to misread, no id that looks like a number or is
 * "last". Random rather than dated: ids of one day would differ only at their
 * ends, and the list shows the date.
 */
enum { ID_LENGTH = 6, ID_DIGITS = 10, ID_TRIES = 100 };
static const char id_alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";

static char *id_make(struct arena *arena, struct random *random)
{
	char *id = arena_alloc(arena, ID_LENGTH + 1, 1);
	size_t count = sizeof id_alphabet - 1;
	int i;

	id[0] = id_alphabet[ID_DIGITS + random_below(random, count - ID_DIGITS)];
	for (i = 1; i < ID_LENGTH; i++)
		id[i] = id_alphabet[random_below(random, count)];
	return id;
}

/* A JSON tree as the next parameter; the tree is released. */
static void bind_json(struct statement *statement, int index, struct json *json)
{
	struct text text = { 0 };

	json_print(json, false, &text);
	json_release(json);
	statement_text_copy(statement, index, text_string(&text), text.length);
	text_release(&text);
}

static struct json *extensions_json(const struct recording *recording)
{
	struct json *array = json_array();
	size_t i;

	for (i = 0; i < recording->extension_count; i++)
		json_push(array, json_integer((int64_t)recording->extension_bases[i]));
	return array;
}

bool rows_insert_session(struct history *history, const struct recording *recording,
			 const struct session_label *label, int64_t *number, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO session (id, title, started_at_s, ending, rounds_planned, subjects, host,"
	    " owner_pid, origin, order_known, extension_bases, plan, environment_before, project)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
	    " ON CONFLICT (id) DO NOTHING RETURNING number";
	struct database *database = &history->database;
	struct statement *statement = database_statement(database, sql, err);
	int64_t started_at_s = recording->before.taken_at_s;
	bool row;

	if (statement == NULL)
		return false;
	statement_text(statement, 1, label->id);
	statement_text(statement, 2, label->title != NULL ? label->title : "");
	statement_integer(statement, 3, started_at_s != 0 ? started_at_s : (int64_t)time(NULL));
	statement_text(statement, 4, session_end_name(END_RUNNING));
	statement_integer(statement, 5, (int64_t)plan_last_round(&recording->plan));
	statement_integer(statement, 6, (int64_t)recording->plan.subject_count);
	statement_text(statement, 7, environment_fact(&recording->before, "host"));
	statement_integer(statement, 8, getpid());
	statement_text(statement, 9, recording->origin);
	statement_integer(statement, 10, recording->order_known);
	bind_json(statement, 11, extensions_json(recording));
	bind_json(statement, 12, plan_to_json(&recording->plan));
	bind_json(statement, 13, environment_to_json(&recording->before));
	statement_text(statement, 14, label->project);
	if (!database_step(database, statement, &row, err))
		return false;
	*number = row ? column_integer(statement, 0) : 0;
	statement_reset(statement);
	return true;
}

bool rows_insert_anew(struct history *history, struct arena *arena,
		      const struct recording *recording, struct session_label *label,
		      int64_t *number, struct error *err)
{
	struct random random = { .state = random_seed() };
	int tries;

	for (tries = 0; tries < ID_TRIES; tries++) {
		label->id = id_make(arena, &random);
		if (!rows_insert_session(history, recording, label, number, err))
			return false;
		if (*number != 0)
			return true;
	}
	return error_set(err, ERROR_SYSTEM, "the history %s has no id left for a session",
			 history->path);
}

bool rows_save_metrics(struct history *history, const struct recording *recording, size_t first,
		       struct error *err)
{
	static const char sql[] = "INSERT INTO metric (session, place, name, definition)"
				  " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (session, place) DO"
				  " UPDATE SET name = excluded.name,"
				  " definition = excluded.definition";
	size_t i;

	for (i = first; i < recording->metric_count; i++) {
		struct statement *statement = database_statement(&history->database, sql, err);

		if (statement == NULL)
			return false;
		statement_integer(statement, 1, history->session);
		statement_integer(statement, 2, (int64_t)i);
		statement_text(statement, 3, recording->metrics[i].name);
		bind_json(statement, 4, metric_to_json(&recording->metrics[i]));
		if (!database_run(&history->database, statement, err))
			return false;
	}
	return true;
}

bool rows_save_remarks(struct history *history, const struct recording *recording,
		       struct error *err)
{
	static const char sql[] = "INSERT INTO remark (session, place, sentence)"
				  " VALUES (?1, ?2, ?3) ON CONFLICT (session, place) DO"
				  " UPDATE SET sentence = excluded.sentence";
	size_t i;

	for (i = history->remarks_saved; i < recording->remark_count; i++) {
		struct statement *statement = database_statement(&history->database, sql, err);

		if (statement == NULL)
			return false;
		statement_integer(statement, 1, history->session);
		statement_integer(statement, 2, (int64_t)i);
		statement_text(statement, 3, recording->remarks[i]);
		if (!database_run(&history->database, statement, err))
			return false;
	}
	return true;
}

/* Room for one run's three blobs, one after the other. */
static char *blob_reserve(struct history *history, size_t size)
{
	if (history->blob_size < size) {
		free(history->blob);
		history->blob = malloc(size);
		if (history->blob == NULL)
			arena_out_of_memory();
		history->blob_size = size;
	}
	return history->blob;
}

struct run_row rows_run(struct history *history, const struct recording *recording, size_t index,
			int64_t place)
{
	const struct sample *sample = &recording->samples[index];
	size_t count = recording->metric_count;
	struct run_row row = {
		.numbers = { history_key(history->session, place), sample->round, sample->position,
			     sample->subject, sample->flags, sample->started_ns,
			     sample->exit_status, sample->signal, (int64_t)sample->output_hash },
		.sizes = { count * VALUE_BYTES,
			   sample->coverage != NULL ? count * COVERAGE_BYTES : 0,
			   (size_t)sample->batch_count * BATCH_BYTES },
	};
	char *values = blob_reserve(history, row.sizes[0] + row.sizes[1] + row.sizes[2] + 1);

	run_encode_values(values, sample->values, count);
	row.blobs[0] = values;
	if (sample->coverage != NULL) {
		row.blobs[1] = values + row.sizes[0];
		run_encode_coverage(values + row.sizes[0], sample->coverage, count);
	}
	if (sample->batch_count > 0) {
		row.blobs[2] = values + row.sizes[0] + row.sizes[1];
		run_encode_batches(values + row.sizes[0] + row.sizes[1], sample->batches,
				   sample->batch_count);
	}
	return row;
}

bool rows_insert_run(struct history *history, const struct run_row *row, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO run (key, round, position, subject, flags, started_ns,"
	    " exit_status, signal, output_hash, amounts, coverage, batches)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
	    " ON CONFLICT (key) DO NOTHING";
	struct statement *statement = database_statement(&history->database, sql, err);
	int i;

	if (statement == NULL)
		return false;
	for (i = 0; i < RUN_NUMBERS; i++)
		statement_integer(statement, i + 1, row->numbers[i]);
	for (i = 0; i < RUN_BLOBS; i++)
		statement_blob(statement, RUN_NUMBERS + 1 + i, row->blobs[i], row->sizes[i]);
	return database_run(&history->database, statement, err);
}

static bool save_runs(struct history *history, const struct recording *recording, struct error *err)
{
	size_t i;

	for (i = history->samples_saved; i < recording->sample_count; i++) {
		struct run_row row =
		    rows_run(history, recording, i,
			     history->next_place + (int64_t)(i - history->samples_saved));

		if (!rows_insert_run(history, &row, err))
			return false;
	}
	return true;
}

bool rows_save_new(struct history *history, const struct recording *recording, struct error *err)
{
	return database_batch_begin(&history->database, err) &&
	       rows_save_metrics(history, recording, history->metrics_saved, err) &&
	       rows_save_remarks(history, recording, err) && save_runs(history, recording, err) &&
	       database_batch_end(&history->database, err);
}

/* ?3 tells whether it runs. */
bool rows_update_session(struct history *history, const struct recording *recording,
			 struct error *err)
{
	static const char sql[] =
	    "UPDATE session SET ending = ?2, rounds = ?3, rounds_planned = ?4, owner_pid = ?5,"
	    " extension_bases = ?6, plan = ?7, environment_before = ?8, environment_after = ?9,"
	    " attribution = ?10, summarized = 0,"
	    " verdict = CASE WHEN ?3 IS NULL THEN NULL ELSE verdict END,"
	    " change = CASE WHEN ?3 IS NULL THEN NULL ELSE change END"
	    " WHERE number = ?1";
	struct statement *statement = database_statement(&history->database, sql, err);
	bool running = recording->end == END_RUNNING;

	if (statement == NULL)
		return false;
	statement_integer(statement, 1, history->session);
	statement_text(statement, 2, session_end_name(recording->end));
	if (running)
		statement_null(statement, 3);
	else
		statement_integer(statement, 3, (int64_t)recording->rounds_done);
	statement_integer(statement, 4, (int64_t)plan_last_round(&recording->plan));
	if (running)
		statement_integer(statement, 5, getpid());
	else
		statement_null(statement, 5);
	bind_json(statement, 6, extensions_json(recording));
	bind_json(statement, 7, plan_to_json(&recording->plan));
	bind_json(statement, 8, environment_to_json(&recording->before));
	if (running)
		statement_text(statement, 9, NULL);
	else
		bind_json(statement, 9, environment_to_json(&recording->after));
	if (recording->where_count > 0)
		bind_json(statement, 10, where_to_json(recording));
	else
		statement_null(statement, 10);
	if (!database_run(&history->database, statement, err))
		return false;
	if (database_changes(&history->database) == 1)
		return true;
	return error_set(err, ERROR_SYSTEM,
			 "session %s was deleted from the history %s while it was measured",
			 recording->id, history->path);
}

static bool delete_rows(struct history *history, const char *sql, int64_t low, int64_t high,
			struct error *err)
{
	struct statement *statement = database_statement(&history->database, sql, err);

	if (statement == NULL)
		return false;
	statement_integer(statement, 1, low);
	statement_integer(statement, 2, high);
	return database_run(&history->database, statement, err);
}

bool rows_delete_session(struct history *history, int64_t session, struct error *err)
{
	static const char runs[] = "DELETE FROM run WHERE key BETWEEN ?1 AND ?2";
	static const char remarks[] = "DELETE FROM remark WHERE session BETWEEN ?1 AND ?2";
	static const char metrics[] = "DELETE FROM metric WHERE session BETWEEN ?1 AND ?2";
	static const char summaries[] = "DELETE FROM summary WHERE session BETWEEN ?1 AND ?2";
	static const char baselines[] = "DELETE FROM baseline WHERE session BETWEEN ?1 AND ?2";
	static const char entry[] = "DELETE FROM session WHERE number BETWEEN ?1 AND ?2";

	return delete_rows(history, runs, history_key(session, 0),
			   history_key(session, HISTORY_LAST_PLACE), err) &&
	       delete_rows(history, remarks, session, session, err) &&
	       delete_rows(history, metrics, session, session, err) &&
	       delete_rows(history, summaries, session, session, err) &&
	       delete_rows(history, baselines, session, session, err) &&
	       delete_rows(history, entry, session, session, err);
}
