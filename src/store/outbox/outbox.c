/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions on their way to a server: see outbox.h. */
#include "store/outbox/outbox.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "store/database/postgres.h"
#include "store/history/rows.h"
#include "store/outbox/send.h"

/* FNV-1a (Fowler, Noll, Vo), 64 bits: one file for each address. */
static uint64_t hash(const char *string)
{
	uint64_t value = UINT64_C(0xcbf29ce484222325);

	for (; *string != '\0'; string++)
		value = (value ^ (unsigned char)*string) * UINT64_C(0x100000001b3);
	return value;
}

static bool open_outbox(struct history *history, bool create, struct error *err)
{
	char *directory, *path;

	if (!file_data_directory(history->arena, &directory, err))
		return false;
	path = arena_printf(history->arena, "%s/outbox-%016" PRIx64 ".db", directory,
			    hash(history->path));
	if (!create && access(path, F_OK) != 0)
		return true;
	history->outbox = history_open(path, create, err);
	return history->outbox != NULL;
}

static bool connect_server(struct history *history, bool must_write, struct error *err)
{
	database_close(&history->database);
	return postgres_open(&history->database, history->path, must_write, err);
}

bool outbox_open(struct history *history, bool create, struct error *err)
{
	struct error trouble = { 0 };

	history->is_server = true;
	if (!open_outbox(history, create, err))
		return false;
	if (connect_server(history, create, &trouble)) {
		if (!outbox_send(history, &trouble))
			history_note(history, trouble.sentence);
		return true;
	}
	if (!create || trouble.kind == ERROR_USAGE) {
		*err = trouble;
		return false;
	}
	history_note(history, arena_printf(history->arena,
					   "%s; sessions are kept in %s, and sent when a worth "
					   "that has --store of this address reaches it",
					   trouble.sentence, history->outbox->path));
	return true;
}

static bool is_on_server(struct history *history, const char *id)
{
	struct session_copy there;

	return !database_is_lost(&history->database) &&
	       outbox_find_copy(history, id, &there, NULL) && there.number != 0;
}

/* Under an id that is free on the server too, as far as it can be asked. */
bool outbox_begin(struct history *history, struct arena *arena, struct recording *recording,
		  const char *title, struct error *err)
{
	enum { TRIES = 8 };
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		if (!history_begin(history->outbox, arena, recording, title, err))
			return false;
		if (!is_on_server(history, recording->id))
			return true;
		history_forget(history->outbox);
		if (!history_delete(history->outbox, arena, recording->id, NULL, err))
			return false;
	}
	return error_set(err, ERROR_SYSTEM, "the history %s has no id left for a session",
			 history->path);
}

bool outbox_end(struct history *history, const struct recording *recording, struct error *err)
{
	struct error trouble = { 0 };

	if (!history_end(history->outbox, recording, err))
		return false;
	/* A long session outlives a connection now and then. */
	if ((!database_is_lost(&history->database) && outbox_send(history, &trouble)) ||
	    (database_is_lost(&history->database) && connect_server(history, true, &trouble) &&
	     outbox_send(history, &trouble)))
		return true;
	history_note(history,
		     arena_printf(history->arena,
				  "%s; session %s is kept in %s, and sent when a worth that has "
				  "--store of this address reaches it",
				  trouble.sentence, recording->id, history->outbox->path));
	return true;
}

/* The server's copy into the outbox, as it was loaded. */
static bool fetch(struct history *history, const struct recording *recording, struct error *err)
{
	struct history_entry entry;
	struct session_copy there;
	bool known;

	if (!outbox_find_copy(history, recording->id, &there, err))
		return false;
	if (there.number == 0 || there.runs != (int64_t)recording->sample_count)
		return error_set(err, ERROR_INPUT,
				 "session %s has changed since it was read; run the command again",
				 recording->id);
	return outbox_entry(history, history->arena, recording->id, &entry, err) &&
	       (history->outbox != NULL || open_outbox(history, true, err)) &&
	       history_restore(history->outbox, recording, &entry, &known, err);
}

bool outbox_reopen(struct history *history, struct recording *recording, struct error *err)
{
	struct history *place = history;

	if (!outbox_route(&place, recording->id, err) ||
	    (place == history && !fetch(history, recording, err)))
		return false;
	return history_reopen(history->outbox, recording, err);
}

/* Whether a handle has the session that a word means. More than one is an error of history_find's,
 * none is not. */
static bool has(struct history *history, const char *word, bool *found, struct error *err)
{
	struct arena *scratch = arena_open();
	struct error trouble = { 0 };
	const char *id;
	int64_t session;
	bool good;

	*found = !database_is_lost(&history->database) &&
		 history_find(history, scratch, word, &session, &id, &trouble);
	good = *found || strstr(trouble.sentence, "several ids") == NULL;
	if (!good && err != NULL)
		*err = trouble;
	arena_close(scratch);
	return good;
}

/* The newer of both last ones. */
static bool route_last(struct history **history, struct error *err)
{
	const struct history_filter newest = { .limit = 1 };
	struct arena *scratch = arena_open();
	struct history_entry *here, *there;
	size_t here_count, there_count = 0;
	bool good =
	    history_list_here((*history)->outbox, scratch, &newest, &here, &here_count, err) &&
	    (database_is_lost(&(*history)->database) ||
	     history_list_here(*history, scratch, &newest, &there, &there_count, err));

	if (good && here_count > 0 &&
	    (there_count == 0 || here->started_at_s >= there->started_at_s))
		*history = (*history)->outbox;
	arena_close(scratch);
	return good;
}

bool outbox_route(struct history **history, const char *id, struct error *err)
{
	bool here, there;

	if (!(*history)->is_server)
		return true;
	if ((*history)->outbox != NULL) {
		if (strcmp(id, "last") == 0 && !route_last(history, err))
			return false;
		if (!(*history)->is_server)
			return true;
		if (strcmp(id, "last") != 0) {
			if (!has((*history)->outbox, id, &here, err) ||
			    (here && !has(*history, id, &there, err)))
				return false;
			if (here && there && strlen(id) < 6)
				return error_set(err, ERROR_USAGE,
						 "'%s' is the beginning of several ids; give more "
						 "letters",
						 id);
			if (here)
				*history = (*history)->outbox;
		}
	}
	return !(*history)->is_server || !database_is_lost(&(*history)->database) ||
	       error_set(err, ERROR_SYSTEM, "the history %s cannot be reached", (*history)->path);
}

bool outbox_at(struct history *history, const char *id,
	       bool (*act)(struct history *place, const char *id, void *context, struct error *err),
	       void *context, struct error *err)
{
	struct history *place = history;
	struct error trouble = { 0 };
	bool here;

	if (!outbox_route(&place, id, err))
		return false;
	if (place == history)
		return act(history, id, context, err);
	if (act(place, id, context, &trouble))
		return true;
	if (!has(place, id, &here, err))
		return false;
	if (!here && !database_is_lost(&history->database))
		return act(history, id, context, err);
	if (err != NULL)
		*err = trouble;
	return false;
}

static bool is_among(const struct history_entry *entries, size_t count, const char *id)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(entries[i].id, id) == 0)
			return true;
	return false;
}

/* Both lists in their order, newest first. */
static struct history_entry *merge(struct arena *arena, const struct history_entry *here,
				   size_t here_count, const struct history_entry *there,
				   size_t there_count, size_t *count)
{
	struct history_entry *all = arena_alloc(arena, here_count + there_count + 1, sizeof *all);
	size_t i = 0, j = 0;

	*count = 0;
	while (i < here_count || j < there_count)
		if (j == there_count ||
		    (i < here_count && here[i].started_at_s >= there[j].started_at_s))
			all[(*count)++] = here[i++];
		else if (is_among(here, here_count, there[j].id))
			j++;
		else
			all[(*count)++] = there[j++];
	return all;
}

bool outbox_list(struct history *history, struct arena *arena, const struct history_filter *filter,
		 struct history_entry **entries, size_t *count, struct error *err)
{
	struct history_entry *here = NULL, *there;
	size_t here_count = 0, there_count;

	/* In this order, or a session that is sent meanwhile is in neither. */
	if ((history->outbox != NULL &&
	     !history_list_here(history->outbox, arena, filter, &here, &here_count, err)) ||
	    !history_list_here(history, arena, filter, &there, &there_count, err))
		return false;
	*entries = merge(arena, here, here_count, there, there_count, count);
	if (filter != NULL && filter->limit > 0 && *count > filter->limit)
		*count = filter->limit;
	return true;
}
