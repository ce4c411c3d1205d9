/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the outbox to the server, a session a transaction: see outbox.h. */
#include "store/outbox/send.h"

#include <string.h>

#include "base/array.h"
#include "store/history/rows.h"

bool outbox_find_copy(struct history *history, const char *id, struct session_copy *copy,
		      struct error *err)
{
	static const char sql[] =
	    "SELECT number, started_at_s, (SELECT count(*) FROM run WHERE key BETWEEN"
	    " (number << 32) AND (number << 32) + 4294967295) FROM session WHERE id = ?1";
	struct statement *statement = database_statement(&history->database, sql, err);
	bool row;

	*copy = (struct session_copy){ 0 };
	if (statement == NULL)
		return false;
	statement_text(statement, 1, id);
	if (!database_step(&history->database, statement, &row, err))
		return false;
	if (!row)
		return true;
	copy->number = column_integer(statement, 0);
	copy->started_at_s = column_integer(statement, 1);
	copy->runs = column_integer(statement, 2);
	statement_reset(statement);
	return true;
}

bool outbox_entry(struct history *history, struct arena *arena, const char *id,
		  struct history_entry *entry, struct error *err)
{
	static const char sql[] =
	    "SELECT title, project, verdict, change FROM session WHERE id = ?1";
	struct statement *statement = database_statement(&history->database, sql, err);
	bool row;

	*entry = (struct history_entry){ .id = id };
	if (statement == NULL)
		return false;
	statement_text(statement, 1, id);
	if (!database_step(&history->database, statement, &row, err))
		return false;
	if (!row)
		return error_set(err, ERROR_INPUT, "session %s has left the history %s", id,
				 history->path);
	entry->title = history_column_text(arena, statement, 0);
	entry->project = history_column_text(arena, statement, 1);
	entry->verdict = history_column_text(arena, statement, 2);
	entry->change = history_column_text(arena, statement, 3);
	statement_reset(statement);
	return true;
}

/* Baselines follow a session that takes another's place. */
static bool move_baselines(struct history *history, int64_t from, int64_t to, struct error *err)
{
	static const char sql[] = "UPDATE baseline SET session = ?2 WHERE session = ?1";
	struct statement *statement = database_statement(&history->database, sql, err);

	if (statement == NULL)
		return false;
	statement_integer(statement, 1, from);
	statement_integer(statement, 2, to);
	return database_run(&history->database, statement, err);
}

/* Until both have been inserted the older one has no id that anyone looks for. */
static bool set_aside(struct history *history, int64_t number, struct error *err)
{
	static const char sql[] = "UPDATE session SET id = '!' || id WHERE number = ?1";
	struct statement *statement = database_statement(&history->database, sql, err);

	if (statement == NULL)
		return false;
	statement_integer(statement, 1, number);
	return database_run(&history->database, statement, err);
}

static bool insert_entry(struct history *history, struct arena *arena,
			 const struct recording *recording, const struct history_entry *entry,
			 const char **id, struct error *err)
{
	struct session_label label = { .id = entry->id,
				       .title = entry->title,
				       .project = entry->project };
	struct session_copy there;
	bool replaces;

	*id = entry->id;
	if (!outbox_find_copy(history, entry->id, &there, err))
		return false;
	if (there.number == 0)
		return rows_insert_session(history, recording, &label, &history->session, err);
	replaces = there.started_at_s == recording->before.taken_at_s &&
		   there.runs <= (int64_t)recording->sample_count;
	if (!replaces) {
		if (!rows_insert_anew(history, arena, recording, &label, &history->session, err))
			return false;
		*id = label.id;
		return true;
	}
	return set_aside(history, there.number, err) &&
	       rows_insert_session(history, recording, &label, &history->session, err) &&
	       move_baselines(history, there.number, history->session, err) &&
	       rows_delete_session(history, there.number, err);
}

static bool insert(struct history *history, struct arena *arena, const struct recording *recording,
		   const struct history_entry *entry, struct error *err)
{
	const char *id;

	if (!insert_entry(history, arena, recording, entry, &id, err) ||
	    !rows_save_new(history, recording, err) ||
	    !rows_update_session(history, recording, err) ||
	    !history_mark_verdict(history, id, entry->verdict, entry->change, err) ||
	    !database_commit(&history->database, err))
		return false;
	if (id != entry->id)
		history_note(history,
			     arena_printf(history->arena,
					  "session %s has the id %s in the history %s, where the "
					  "other was taken",
					  entry->id, id, history->path));
	return true;
}

static bool send_recording(struct history *history, struct arena *arena,
			   const struct recording *recording, const struct history_entry *entry,
			   struct error *err)
{
	bool good;

	history_begin_anew(history);
	good = database_begin(&history->database, err) &&
	       insert(history, arena, recording, entry, err);
	if (!good)
		database_rollback(&history->database);
	history->session = 0;
	return good;
}

static bool same(const char *one, const char *other)
{
	return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

/* *left: it was as it was sent, and is gone. Whoever measured it may have written its verdict
 * meanwhile, which takes no lock. */
static bool leave_outbox(struct history *outbox, struct arena *arena, int64_t number,
			 const struct history_entry *sent, bool *left, struct error *err)
{
	struct history_entry entry;
	bool good = database_begin(&outbox->database, err) &&
		    outbox_entry(outbox, arena, sent->id, &entry, err);

	*left = good && same(entry.verdict, sent->verdict) && same(entry.change, sent->change);
	if (*left)
		*left = good = rows_delete_session(outbox, number, err) &&
			       database_commit(&outbox->database, err);
	database_rollback(&outbox->database);
	return good;
}

/* Under its lock: to the server as often as it takes until it is there as it is here. */
static bool send_owned(struct history *history, struct arena *arena, int64_t number, const char *id,
		       struct error *err)
{
	struct history *outbox = history->outbox;
	struct history_entry entry;
	bool left = false;

	while (!left) {
		struct recording recording = { 0 };

		/* Another program has sent it since it was listed. */
		if (!outbox_entry(outbox, arena, id, &entry, NULL))
			return true;
		if (!history_load_here(outbox, arena, id, &recording, err) ||
		    !send_recording(history, arena, &recording, &entry, err) ||
		    !leave_outbox(outbox, arena, number, &entry, &left, err))
			return false;
	}
	return true;
}

static bool send_session(struct history *history, struct arena *arena, int64_t number,
			 const char *id, struct error *err)
{
	struct history *outbox = history->outbox;
	bool good;

	if (owner_take(&outbox->owner, outbox->path, number) != OWNER_TAKEN)
		return true;
	good = send_owned(history, arena, number, id, err);
	owner_drop(&outbox->owner, number);
	return good;
}

struct waiting {
	int64_t number;
	const char *id;
};

static bool list_waiting(struct history *outbox, struct arena *arena, struct waiting **waiting,
			 size_t *count, struct error *err)
{
	static const char sql[] = "SELECT number, id FROM session ORDER BY number";
	struct statement *statement = database_statement(&outbox->database, sql, err);
	size_t capacity = 0;
	bool row;

	*waiting = NULL;
	*count = 0;
	if (statement == NULL)
		return false;
	for (;;) {
		if (!database_step(&outbox->database, statement, &row, err))
			return false;
		if (!row)
			return true;
		*array_push(arena, *waiting, *count, capacity) =
		    (struct waiting){ column_integer(statement, 0),
				      history_column_text(arena, statement, 1) };
	}
}

bool outbox_send(struct history *history, struct error *err)
{
	struct arena *arena = arena_open();
	struct waiting *waiting;
	size_t count = 0, i;
	bool good = true;

	if (history->outbox != NULL && !history->outbox->database.read_only &&
	    !history->database.read_only)
		good = list_waiting(history->outbox, arena, &waiting, &count, err);
	for (i = 0; good && i < count; i++) {
		struct arena *session = arena_open();

		good = owner_is_live(&history->outbox->owner, history->outbox->path,
				     waiting[i].number) ||
		       send_session(history, session, waiting[i].number, waiting[i].id, err);
		arena_close(session);
	}
	arena_close(arena);
	return good;
}
