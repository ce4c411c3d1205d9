/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding, listing, marking and deleting sessions. */
#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "store/history/rows.h"
#include "store/outbox/outbox.h"

const char *history_column_text(struct arena *arena, struct statement *statement, int column)
{
	const char *string = column_text(statement, column).bytes;

	return string == NULL ? NULL : arena_strdup(arena, string);
}

/* As Crockford reads his alphabet: any case, O is zero, I and L are one. NULL: no id begins so. */
static char *id_canonical(struct arena *arena, const char *word)
{
	char *id = arena_strdup(arena, word);
	char *at;

	for (at = id; *at != '\0'; at++) {
		if (!isascii(*at) || !isalnum((unsigned char)*at))
			return NULL;
		*at = (char)tolower((unsigned char)*at);
		if (*at == 'o')
			*at = '0';
		if (*at == 'i' || *at == 'l')
			*at = '1';
	}
	return at == id ? NULL : id;
}

static bool find_last(struct history *history, struct arena *arena, int64_t *session,
		      const char **id, struct error *err)
{
	static const char sql[] = "SELECT number, id FROM session"
				  " ORDER BY started_at_s DESC, number DESC LIMIT 1";
	struct statement *statement = database_statement(&history->database, sql, err);
	bool row;

	if (statement == NULL || !database_step(&history->database, statement, &row, err))
		return false;
	if (!row)
		return error_set(err, ERROR_USAGE, "there is no session in the history %s yet",
				 history->path);
	*session = column_integer(statement, 0);
	*id = history_column_text(arena, statement, 1);
	statement_reset(statement);
	return true;
}

/* Ids beginning with prefix are those from it to it followed by the alphabet's last letter. */
static bool find_prefix(struct history *history, struct arena *arena, const char *prefix,
			size_t *count, int64_t *session, const char **id, struct text *several,
			struct error *err)
{
	static const char sql[] =
	    "SELECT number, id FROM session WHERE id >= ?1 AND id <= ?1 || 'zzzzzz' ORDER BY id"
	    " LIMIT 6";
	struct statement *statement = database_statement(&history->database, sql, err);
	bool row;

	if (statement == NULL)
		return false;
	statement_text(statement, 1, prefix);
	for (*count = 0;; (*count)++) {
		if (!database_step(&history->database, statement, &row, err))
			return false;
		if (!row)
			return true;
		*session = column_integer(statement, 0);
		*id = history_column_text(arena, statement, 1);
		text_printf(several, "%s%s", *count > 0 ? ", " : "", *id);
	}
}

bool history_find(struct history *history, struct arena *arena, const char *word, int64_t *session,
		  const char **id, struct error *err)
{
	const char *prefix = id_canonical(arena, word);
	struct text several = { 0 };
	size_t count = 0;
	bool good;

	if (strcmp(word, "last") == 0)
		return find_last(history, arena, session, id, err);
	good = prefix == NULL ||
	       find_prefix(history, arena, prefix, &count, session, id, &several, err);
	if (good && count == 0)
		good = error_set(err, ERROR_USAGE,
				 "there is no session '%s'; worth history lists the ids",
				 text_clean(arena, word, strlen(word)));
	else if (good && count > 1)
		good = error_set(err, ERROR_USAGE,
				 "'%s' is the beginning of several ids (%s%s); give more letters",
				 prefix, text_string(&several), count == 6 ? ", ..." : "");
	text_release(&several);
	return good;
}

static bool read_entry(struct history *history, struct arena *arena, struct statement *statement,
		       struct history_entry *entry)
{
	const char *ending = column_text(statement, 4).bytes;

	if (ending == NULL || !session_end_parse(ending, &entry->end))
		return false;
	entry->id = history_column_text(arena, statement, 1);
	entry->title = history_column_text(arena, statement, 2);
	entry->started_at_s = column_integer(statement, 3);
	entry->rounds = (size_t)column_integer(statement, 5);
	entry->subjects = (size_t)column_integer(statement, 6);
	entry->host = history_column_text(arena, statement, 7);
	entry->verdict = history_column_text(arena, statement, 8);
	entry->change = history_column_text(arena, statement, 9);
	entry->project = history_column_text(arena, statement, 10);
	entry->live = entry->end == END_RUNNING &&
		      owner_is_live(&history->owner, history->path, column_integer(statement, 0));
	return true;
}

void history_bind_filter(struct statement *statement, const struct history_filter *filter)
{
	static const struct history_filter everything = { 0 };
	const char *texts[4];
	int i;

	if (filter == NULL)
		filter = &everything;
	texts[0] = filter->project;
	texts[1] = filter->machine;
	texts[2] = filter->variant;
	texts[3] = filter->metric;
	for (i = 0; i < 4; i++)
		statement_text(statement, i + 1, texts[i]);
	statement_integer(statement, 5, filter->since_s);
	statement_integer(statement, 6,
			  filter->limit == 0 || filter->limit > INT64_MAX ? INT64_MAX
									  : (int64_t)filter->limit);
}

bool history_list_here(struct history *history, struct arena *arena,
		       const struct history_filter *filter, struct history_entry **entries,
		       size_t *count, struct error *err)
{
	/* Rounds of a session that has not ended are counted as history_complete_rounds does. */
	static const char sql[] =
	    "SELECT number, id, title, started_at_s, ending,"
	    " coalesce(rounds, (SELECT count(*) FROM (SELECT 1 FROM run"
	    "  WHERE key BETWEEN (number << 32) AND (number << 32) + 4294967295"
	    "  AND (flags & ?7) = 0 AND round < rounds_planned"
	    "  GROUP BY round HAVING count(DISTINCT subject) = subjects) AS complete)),"
	    " subjects, host, verdict, change, project FROM session"
	    " WHERE (?1 IS NULL OR project = ?1) AND (?2 IS NULL OR host = ?2)"
	    " AND (?3 IS NULL OR EXISTS (SELECT 1 FROM summary"
	    "  WHERE summary.session = number AND label = ?3))"
	    " AND (?4 IS NULL OR EXISTS (SELECT 1 FROM metric"
	    "  WHERE metric.session = number AND name = ?4))"
	    " AND started_at_s >= ?5 ORDER BY started_at_s DESC, number DESC LIMIT ?6";
	struct statement *statement = database_statement(&history->database, sql, err);
	size_t capacity = 0;
	bool row;

	*entries = NULL;
	*count = 0;
	if (statement == NULL)
		return false;
	history_bind_filter(statement, filter);
	statement_integer(statement, 7, SAMPLE_WARMUP);
	for (;;) {
		struct history_entry *entry;

		if (!database_step(&history->database, statement, &row, err))
			return false;
		if (!row)
			return true;
		entry = array_push(arena, *entries, *count, capacity);
		if (!read_entry(history, arena, statement, entry)) {
			statement_reset(statement);
			return error_set(
			    err, ERROR_INPUT,
			    "the history %s is damaged: how a session ended is unknown",
			    history->path);
		}
	}
}

bool history_list(struct history *history, struct arena *arena, const struct history_filter *filter,
		  struct history_entry **entries, size_t *count, struct error *err)
{
	return history->is_server ? outbox_list(history, arena, filter, entries, count, err)
				  : history_list_here(history, arena, filter, entries, count, err);
}

bool history_mark_verdict(struct history *history, const char *id, const char *verdict,
			  const char *change, struct error *err)
{
	static const char sql[] = "UPDATE session SET verdict = ?2, change = ?3 WHERE id = ?1";
	struct statement *statement;

	/* The busy handler covers single statements too: no transaction needed. */
	statement = database_statement(&history->database, sql, err);
	if (statement == NULL)
		return false;
	statement_text(statement, 1, id);
	statement_text(statement, 2, verdict);
	statement_text(statement, 3, change);
	return database_run(&history->database, statement, err);
}

struct verdict {
	const char *verdict, *change;
};

static bool mark_at(struct history *place, const char *id, void *context, struct error *err)
{
	const struct verdict *verdict = context;

	if (!history_mark_verdict(place, id, verdict->verdict, verdict->change, err))
		return false;
	return database_changes(&place->database) == 1 ||
	       error_set(err, ERROR_INPUT, "session %s has left the history %s", id, place->path);
}

bool history_verdict(struct history *history, const char *id, const char *verdict,
		     const char *change, struct error *err)
{
	struct verdict found = { verdict, change };

	return outbox_at(history, id, mark_at, &found, err);
}

bool history_fail_live(struct history *history, int64_t session, const char *id, struct error *err)
{
	static const char sql[] = "SELECT owner_pid FROM session WHERE number = ?1";
	struct statement *statement = database_statement(&history->database, sql, err);
	int64_t pid = 0;
	bool row;

	if (statement == NULL)
		return false;
	statement_integer(statement, 1, session);
	if (!database_step(&history->database, statement, &row, err))
		return false;
	if (row)
		pid = column_integer(statement, 0);
	statement_reset(statement);
	return error_set(err, ERROR_USAGE,
			 "session %s is being measured by another process (%lld); wait until it "
			 "ends, or stop it first",
			 id, (long long)pid);
}

struct deletion {
	struct arena *arena;
	const char **deleted;
};

static bool delete_at(struct history *place, const char *id, void *context, struct error *err)
{
	const struct deletion *deletion = context;
	struct database *database = &place->database;
	int64_t session;
	const char *full;

	if (!database_begin(database, err))
		return false;
	if (history_find(place, deletion->arena, id, &session, &full, err) &&
	    (!owner_is_live(&place->owner, place->path, session) ||
	     history_fail_live(place, session, full, err)) &&
	    rows_delete_session(place, session, err) && database_commit(database, err)) {
		if (deletion->deleted != NULL)
			*deletion->deleted = full;
		return true;
	}
	database_rollback(database);
	return false;
}

bool history_delete(struct history *history, struct arena *arena, const char *id,
		    const char **deleted, struct error *err)
{
	struct deletion deletion = { arena, deleted };

	return outbox_at(history, id, delete_at, &deletion, err);
}

bool history_shrink(struct history *history, struct error *err)
{
	return database_shrink(&history->database, err);
}
