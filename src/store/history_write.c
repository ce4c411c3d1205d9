/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session on its way into the database: begun with what was decided before
 * the first run, one transaction a round, ended with what is known only then.
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "model/codec.h"
#include "store/history_internal.h"

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
static void bind_json(sqlite3_stmt *statement, int index, struct json *json)
{
	struct text text = { 0 };

	json_print(json, false, &text);
	json_release(json);
	sqlite3_bind_text64(statement, index, text_string(&text), text.length, SQLITE_TRANSIENT,
			    SQLITE_UTF8);
	text_release(&text);
}

static void bind_text(sqlite3_stmt *statement, int index, const char *string)
{
	sqlite3_bind_text(statement, index, string, -1, SQLITE_STATIC); /* NULL binds NULL */
}

static struct json *extensions_json(const struct recording *recording)
{
	struct json *array = json_array();
	size_t i;

	for (i = 0; i < recording->extension_count; i++)
		json_push(array, json_integer((int64_t)recording->extension_bases[i]));
	return array;
}

static bool insert_session(struct history *history, const struct recording *recording,
			   const char *title, const char *id, bool *taken, struct error *err)
{
	static const char sql[] =
	    "INSERT INTO session (id, title, started_at_s, ending, rounds_planned, subjects, host,"
	    " owner_pid, origin, order_known, extension_bases, plan, environment_before, project)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
	struct database *database = &history->database;
	sqlite3_stmt *statement = database_statement(database, sql, err);
	int64_t started_at_s = recording->before.taken_at_s;

	if (statement == NULL)
		return false;
	bind_text(statement, 1, id);
	bind_text(statement, 2, title != NULL ? title : "");
	sqlite3_bind_int64(statement, 3, started_at_s != 0 ? started_at_s : (int64_t)time(NULL));
	bind_text(statement, 4, session_end_name(END_RUNNING));
	sqlite3_bind_int64(statement, 5, (int64_t)plan_last_round(&recording->plan));
	sqlite3_bind_int64(statement, 6, (int64_t)recording->plan.subject_count);
	bind_text(statement, 7, environment_fact(&recording->before, "host"));
	sqlite3_bind_int64(statement, 8, getpid());
	bind_text(statement, 9, recording->origin);
	sqlite3_bind_int(statement, 10, recording->order_known);
	bind_json(statement, 11, extensions_json(recording));
	bind_json(statement, 12, plan_to_json(&recording->plan));
	bind_json(statement, 13, environment_to_json(&recording->before));
	bind_text(statement, 14, history->project);
	if (database_run(database, statement, err))
		return true;
	*taken = sqlite3_extended_errcode(database->handle) == SQLITE_CONSTRAINT_UNIQUE;
	return false;
}

/* A new session under an id that no other has. */
static bool insert_with_new_id(struct history *history, struct arena *arena,
			       struct recording *recording, const char *title, struct error *err)
{
	struct random random = { .state = random_seed() };
	struct error trial;
	int tries;

	for (tries = 0; tries < ID_TRIES; tries++) {
		char *id = id_make(arena, &random);
		bool taken = false;

		/* A collision is no error of the caller's: its sentence goes nowhere. */
		if (insert_session(history, recording, title, id, &taken, &trial)) {
			recording->id = id;
			history->session = sqlite3_last_insert_rowid(history->database.handle);
			return true;
		}
		if (!taken)
			break;
	}
	return error_set(err, trial.kind, "%s", trial.sentence);
}

static bool save_metrics(struct history *history, const struct recording *recording, size_t first,
			 struct error *err)
{
	static const char sql[] = "INSERT OR REPLACE INTO metric (session, place, name, definition)"
				  " VALUES (?1, ?2, ?3, ?4)";
	size_t i;

	for (i = first; i < recording->metric_count; i++) {
		sqlite3_stmt *statement = database_statement(&history->database, sql, err);

		if (statement == NULL)
			return false;
		sqlite3_bind_int64(statement, 1, history->session);
		sqlite3_bind_int64(statement, 2, (int64_t)i);
		bind_text(statement, 3, recording->metrics[i].name);
		bind_json(statement, 4, metric_to_json(&recording->metrics[i]));
		if (!database_run(&history->database, statement, err))
			return false;
	}
	return true;
}

static bool save_remarks(struct history *history, const struct recording *recording,
			 struct error *err)
{
	static const char sql[] = "INSERT OR REPLACE INTO remark (session, place, sentence)"
				  " VALUES (?1, ?2, ?3)";
	size_t i;

	for (i = history->remarks_saved; i < recording->remark_count; i++) {
		sqlite3_stmt *statement = database_statement(&history->database, sql, err);

		if (statement == NULL)
			return false;
		sqlite3_bind_int64(statement, 1, history->session);
		sqlite3_bind_int64(statement, 2, (int64_t)i);
		bind_text(statement, 3, recording->remarks[i]);
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

/* The row of one run; its blobs stay in the history's until the next is made. */
static struct run_row row_of(struct history *history, const struct recording *recording,
			     size_t index, int64_t place)
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

/* One that is there already stays as it is: what a spool holds may have been saved before. */
static bool insert_row(struct history *history, const struct run_row *row, struct error *err)
{
	static const char sql[] =
	    "INSERT OR IGNORE INTO run (key, round, position, subject, flags, started_ns,"
	    " exit_status, signal, output_hash, amounts, coverage, batches)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
	sqlite3_stmt *statement = database_statement(&history->database, sql, err);
	int i;

	if (statement == NULL)
		return false;
	for (i = 0; i < RUN_NUMBERS; i++)
		sqlite3_bind_int64(statement, i + 1, row->numbers[i]);
	for (i = 0; i < RUN_BLOBS; i++)
		if (row->blobs[i] == NULL)
			sqlite3_bind_null(statement, RUN_NUMBERS + 1 + i);
		else
			sqlite3_bind_blob64(statement, RUN_NUMBERS + 1 + i, row->blobs[i],
					    row->sizes[i], SQLITE_STATIC);
	return database_run(&history->database, statement, err);
}

/* Everything of the recording that is not in the database yet, inside a transaction. */
static bool save_new(struct history *history, const struct recording *recording, struct error *err)
{
	size_t i;

	if (!save_metrics(history, recording, history->metrics_saved, err) ||
	    !save_remarks(history, recording, err))
		return false;
	for (i = history->samples_saved; i < recording->sample_count; i++) {
		struct run_row row =
		    row_of(history, recording, i,
			   history->next_place + (int64_t)(i - history->samples_saved));

		if (!insert_row(history, &row, err))
			return false;
	}
	return true;
}

/* After a commit: all of the recording is saved. */
static void mark_saved(struct history *history, const struct recording *recording)
{
	history->next_place += (int64_t)(recording->sample_count - history->samples_saved);
	history->samples_saved = recording->sample_count;
	history->metrics_saved = recording->metric_count;
	history->remarks_saved = recording->remark_count;
	history->samples_spooled = recording->sample_count;
	spool_empty(&history->spool);
}

/* The lock is taken before the commit, so that nobody sees the session unowned. */
static bool own(struct history *history, const char *id, struct error *err)
{
	switch (owner_take(&history->owner, history->path, history->session)) {
	case OWNER_TAKEN:
		return true;
	case OWNER_OTHER:
		return history_fail_live(history, history->session, id, err);
	case OWNER_UNAVAILABLE:
		break;
	}
	return error_set(err, ERROR_SYSTEM, "cannot lock session %s in %s-owners: %s", id,
			 history->path, strerror(errno));
}

static void forget_session(struct history *history)
{
	if (history->session != 0)
		owner_drop(&history->owner, history->session);
	history->session = 0;
	history->saved_ns = 0;
	spool_end(&history->spool);
}

static void begin_anew(struct history *history)
{
	forget_session(history);
	history->next_place = 0;
	history->samples_saved = history->metrics_saved = history->remarks_saved = 0;
	history->samples_spooled = 0;
}

bool history_begin(struct history *history, struct arena *arena, struct recording *recording,
		   const char *title, struct error *err)
{
	struct database *database = &history->database;

	begin_anew(history);
	if (!database_begin(database, err))
		return false;
	if (insert_with_new_id(history, arena, recording, title, err) &&
	    own(history, recording->id, err) && save_metrics(history, recording, 0, err) &&
	    save_remarks(history, recording, err) && database_commit(database, err)) {
		history->metrics_saved = recording->metric_count;
		history->remarks_saved = recording->remark_count;
		return true;
	}
	database_rollback(database);
	forget_session(history);
	recording->id = NULL;
	return false;
}

bool history_add(struct history *history, const struct recording *recording, size_t first,
		 struct error *err)
{
	struct database *database = &history->database;

	assert(history->session != 0 && first >= history->samples_saved);
	(void)first;
	if (!database_begin(database, err))
		return false;
	if (save_new(history, recording, err) && database_commit(database, err)) {
		mark_saved(history, recording);
		return true;
	}
	database_rollback(database);
	return false;
}

static int64_t now_ns(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * INT64_C(1000000000) + at.tv_nsec;
}

/* The runs that are neither in the database nor in the spool. */
static bool spool_new(struct history *history, const struct recording *recording)
{
	size_t i;

	if (history->spool.fd < 0 &&
	    !spool_begin(&history->spool, history->arena, history->path, history->session))
		return false;
	for (i = history->samples_spooled; i < recording->sample_count; i++) {
		struct run_row row =
		    row_of(history, recording, i,
			   history->next_place + (int64_t)(i - history->samples_saved));

		spool_add(&history->spool, &row);
	}
	if (!spool_write(&history->spool))
		return false;
	history->samples_spooled = recording->sample_count;
	return true;
}

bool history_keep(struct history *history, const struct recording *recording, size_t first,
		  struct error *err)
{
	bool only_runs = history->metrics_saved == recording->metric_count &&
			 history->remarks_saved == recording->remark_count;
	int64_t at_ns = now_ns();

	if (history->saved_ns != 0 && at_ns - history->saved_ns < HISTORY_INTERVAL_NS &&
	    only_runs && spool_new(history, recording))
		return true;
	history->saved_ns = at_ns;
	return history_add(history, recording, first, err);
}

/* What is in a spool whose session nobody measures any more. */
struct recovery {
	struct history *history;
	struct arena *arena;
};

static bool session_exists(struct history *history, int64_t session)
{
	static const char sql[] = "SELECT 1 FROM session WHERE number = ?1";
	sqlite3_stmt *statement = database_statement(&history->database, sql, NULL);
	bool row = false;

	if (statement == NULL)
		return false;
	sqlite3_bind_int64(statement, 1, session);
	if (!database_step(&history->database, statement, &row, NULL))
		return false;
	sqlite3_reset(statement);
	return row;
}

static bool insert_spool(struct history *history, int64_t session, const char *bytes, size_t length)
{
	struct spool_reader reader = { .bytes = bytes, .length = length };
	struct run_row row;

	while (spool_next(&reader, &row)) {
		/* A session that was deleted takes what was left of it along. */
		if (row.numbers[0] >> KEY_PLACE_BITS != session ||
		    !session_exists(history, session))
			return true;
		if (!insert_row(history, &row, NULL))
			return false;
	}
	return true;
}

static void recover(void *context, int64_t session, const char *path)
{
	enum { LARGEST_SPOOL = 1 << 28 };
	struct recovery *recovery = context;
	struct history *history = recovery->history;
	size_t length;
	char *bytes;

	if (owner_is_live(&history->owner, history->path, session) ||
	    !file_read(recovery->arena, path, LARGEST_SPOOL, &bytes, &length, NULL) ||
	    !database_begin(&history->database, NULL))
		return;
	if (insert_spool(history, session, bytes, length) &&
	    database_commit(&history->database, NULL))
		unlink(path);
	else
		database_rollback(&history->database);
}

void history_recover(struct history *history)
{
	struct recovery recovery = { history, arena_open() };

	spool_each(recovery.arena, history->path, &recovery, recover);
	arena_close(recovery.arena);
}

/* While it runs the session has no rounds to count on, and no verdict; ?3 tells. */
static bool update_session(struct history *history, const struct recording *recording,
			   struct error *err)
{
	static const char sql[] =
	    "UPDATE session SET ending = ?2, rounds = ?3, rounds_planned = ?4, owner_pid = ?5,"
	    " extension_bases = ?6, plan = ?7, environment_before = ?8, environment_after = ?9,"
	    " summarized = 0,"
	    " verdict = iif(?3 IS NULL, NULL, verdict), change = iif(?3 IS NULL, NULL, change)"
	    " WHERE number = ?1";
	sqlite3_stmt *statement = database_statement(&history->database, sql, err);
	bool running = recording->end == END_RUNNING;

	if (statement == NULL)
		return false;
	sqlite3_bind_int64(statement, 1, history->session);
	bind_text(statement, 2, session_end_name(recording->end));
	if (running)
		sqlite3_bind_null(statement, 3);
	else
		sqlite3_bind_int64(statement, 3, (int64_t)recording->rounds_done);
	sqlite3_bind_int64(statement, 4, (int64_t)plan_last_round(&recording->plan));
	if (running)
		sqlite3_bind_int64(statement, 5, getpid());
	else
		sqlite3_bind_null(statement, 5);
	bind_json(statement, 6, extensions_json(recording));
	bind_json(statement, 7, plan_to_json(&recording->plan));
	bind_json(statement, 8, environment_to_json(&recording->before));
	if (running)
		sqlite3_bind_null(statement, 9);
	else
		bind_json(statement, 9, environment_to_json(&recording->after));
	if (!database_run(&history->database, statement, err))
		return false;
	if (sqlite3_changes(history->database.handle) == 1)
		return true;
	return error_set(err, ERROR_SYSTEM,
			 "session %s was deleted from the history %s while it was measured",
			 recording->id, history->path);
}

bool history_end(struct history *history, const struct recording *recording, struct error *err)
{
	struct database *database = &history->database;

	assert(history->session != 0);
	if (!database_begin(database, err))
		return false;
	if (save_new(history, recording, err) && save_metrics(history, recording, 0, err) &&
	    update_session(history, recording, err) && database_commit(database, err)) {
		mark_saved(history, recording);
		forget_session(history);
		return true;
	}
	database_rollback(database);
	return false;
}

/* Under the id that it has elsewhere. Taken: *known, and nothing is done. */
static bool insert_with_its_id(struct history *history, const struct recording *recording,
			       const struct history_entry *entry, bool *known, struct error *err)
{
	const char *own = history->project;
	bool good;

	history->project = entry->project;
	*known = false;
	good = insert_session(history, recording, entry->title, entry->id, known, err);
	history->project = own;
	history->session = sqlite3_last_insert_rowid(history->database.handle);
	return good;
}

bool history_restore(struct history *history, const struct recording *recording,
		     const struct history_entry *entry, bool *known, struct error *err)
{
	struct database *database = &history->database;
	bool good;

	begin_anew(history);
	*known = false;
	if (!database_begin(database, err))
		return false;
	good = insert_with_its_id(history, recording, entry, known, err) &&
	       save_new(history, recording, err) && update_session(history, recording, err) &&
	       (recording->end == END_RUNNING ||
		history_verdict(history, entry->id, entry->verdict, entry->change, err)) &&
	       database_commit(database, err);
	if (!good)
		database_rollback(database);
	forget_session(history);
	return good || *known;
}

/* The keys of the session's runs in their order; *count may come out above capacity. */
static bool read_keys(struct history *history, int64_t *keys, size_t capacity, size_t *count,
		      struct error *err)
{
	static const char sql[] = "SELECT key FROM run WHERE key BETWEEN ?1 AND ?2 ORDER BY key";
	sqlite3_stmt *statement = database_statement(&history->database, sql, err);
	bool row;

	*count = 0;
	if (statement == NULL)
		return false;
	sqlite3_bind_int64(statement, 1, history_key(history->session, 0));
	sqlite3_bind_int64(statement, 2, history_key(history->session, HISTORY_LAST_PLACE));
	for (;; (*count)++) {
		if (!database_step(&history->database, statement, &row, err))
			return false;
		if (!row)
			return true;
		if (*count < capacity)
			keys[*count] = sqlite3_column_int64(statement, 0);
	}
}

static bool delete_run(struct history *history, int64_t key, struct error *err)
{
	static const char sql[] = "DELETE FROM run WHERE key = ?1";
	sqlite3_stmt *statement = database_statement(&history->database, sql, err);

	if (statement == NULL)
		return false;
	sqlite3_bind_int64(statement, 1, key);
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

	forget_session(history);
	if (database_begin(database, err) &&
	    history_find(history, scratch, recording->id, &history->session, &id, err) &&
	    own(history, id, err) && drop_runs(history, scratch, recording, keep, err) &&
	    update_session(history, &again, err) && database_commit(database, err))
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
		forget_session(history);
	}
	arena_close(scratch);
	return good;
}
