/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth history prune, export and import: which sessions are kept, and where.
 * An exported history is a JSON value a line, one a session, so that it can be
 * cut, joined and compressed by the usual tools:
 *
 *	{"worth-session": 1, "title": ..., "project": ..., "recording": {...}}
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/history/words.h"
#include "commands/opened.h"
#include "commands/summaries.h"
#include "model/codec.h"
#include "store/history/series.h"

enum { DAY_S = 24 * 60 * 60, EXPORT_VERSION = 1 };

static bool read_date(const char *word, int64_t *at_s)
{
	struct tm parts = { .tm_isdst = -1 };
	const char *end = strptime(word, "%Y-%m-%d", &parts);
	time_t at;

	if (end == NULL || *end != '\0')
		return false;
	at = mktime(&parts);
	*at_s = (int64_t)at;
	return at != (time_t)-1;
}

/* "90d", "12 weeks" */
static bool read_days(const char *word, int64_t *seconds)
{
	char *end;
	unsigned long long count = strtoull(word, &end, 10);

	if (end == word || count > 100000)
		return false;
	end += *end == ' ';
	if (strcmp(end, "d") == 0 || strcmp(end, "day") == 0 || strcmp(end, "days") == 0)
		*seconds = (int64_t)count * DAY_S;
	else if (strcmp(end, "w") == 0 || strcmp(end, "week") == 0 || strcmp(end, "weeks") == 0)
		*seconds = (int64_t)count * 7 * DAY_S;
	else
		return false;
	return true;
}

bool history_moment(const char *option, const char *word, int64_t *at_s, struct error *err)
{
	int64_t ago_s, ago_ns;

	if (read_date(word, at_s))
		return true;
	if (!read_days(word, &ago_s)) {
		if (!units_parse_duration(word, &ago_ns, NULL))
			return error_set(err, ERROR_USAGE,
					 "%s: expected a date (2026-11-30) or how long ago (90d, "
					 "12 h), found '%s'",
					 option, word);
		ago_s = ago_ns / 1000000000;
	}
	*at_s = (int64_t)time(NULL) - ago_s;
	return true;
}

static bool is_baseline(const struct history_baseline *baselines, size_t count, const char *id)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(baselines[i].id, id) == 0)
			return true;
	return false;
}

/* What of the entries, newest first, goes: too old, or beyond the number to keep. */
static bool prune_entries(struct arena *arena, struct history *history,
			  const struct history_settings *settings, int64_t older_s,
			  struct error *err)
{
	struct history_filter filter = { .project = settings->project,
					 .machine = settings->machine };
	struct history_baseline *baselines;
	struct history_entry *entries;
	size_t baseline_count, count, gone = 0, i;

	if (!history_list(history, arena, &filter, &entries, &count, err) ||
	    !history_baselines(history, arena, &baselines, &baseline_count, err))
		return false;
	for (i = 0; i < count; i++) {
		bool goes = (older_s > 0 && entries[i].started_at_s < older_s) ||
			    (settings->keep > 0 && i >= settings->keep);

		if (!goes || entries[i].live ||
		    is_baseline(baselines, baseline_count, entries[i].id))
			continue;
		if (!settings->dry_run && !history_delete(history, arena, entries[i].id, NULL, err))
			return false;
		gone++;
	}
	printf("%s%zu of %zu sessions%s\n", settings->dry_run ? "would delete " : "deleted ", gone,
	       count, settings->dry_run ? "; nothing was changed" : "");
	return settings->dry_run || gone == 0 || history_shrink(history, err);
}

bool history_prune(struct arena *arena, const struct history_settings *settings, struct error *err)
{
	struct history *history;
	int64_t older_s = 0;
	bool good;

	if (settings->older == NULL && settings->keep == 0)
		return error_set(
		    err, ERROR_USAGE,
		    "worth history prune wants --older AGE (90d, 2026-01-31), --keep N, "
		    "or both; --dry-run only tells what would go");
	if (settings->older != NULL && !history_moment("--older", settings->older, &older_s, err))
		return false;
	history = opened_history(settings->store, false, err);
	good = history != NULL && prune_entries(arena, history, settings, older_s, err);
	history_close(history);
	return good;
}

static bool print_line(struct json *json, struct error *err)
{
	struct text text = { 0 };
	bool good;

	json_print(json, false, &text);
	json_release(json);
	text_add_char(&text, '\n');
	good = fwrite(text.bytes, 1, text.length, stdout) == text.length;
	text_release(&text);
	return good ||
	       error_set(err, ERROR_SYSTEM, "cannot write to standard output: %s", strerror(errno));
}

static bool export_entry(struct history *history, const struct history_entry *entry,
			 struct error *err)
{
	struct arena *arena = arena_open();
	struct recording recording;
	struct json *json;
	bool good = history_load(history, arena, entry->id, &recording, err);

	if (good) {
		json = json_object();
		json_set(json, "worth-session", json_integer(EXPORT_VERSION));
		json_set(json, "title", json_string(entry->title));
		json_set(json, "project", json_string(entry->project));
		json_set(json, "verdict", json_string(entry->verdict));
		json_set(json, "change", json_string(entry->change));
		json_set(json, "recording", recording_to_json(&recording));
		good = print_line(json, err);
	}
	arena_close(arena);
	return good;
}

/* The entry of a word of the user's, which may be the beginning of an id. */
static bool export_word(struct arena *arena, struct history *history, const char *word,
			const struct history_entry *entries, size_t count, struct error *err)
{
	struct recording recording;
	size_t i;

	if (!history_load(history, arena, word, &recording, err))
		return false;
	for (i = 0; i < count; i++)
		if (strcmp(entries[i].id, recording.id) == 0)
			return export_entry(history, &entries[i], err);
	return error_set(err, ERROR_SYSTEM, "session %s was deleted meanwhile", recording.id);
}

bool history_export(struct arena *arena, const struct history_settings *settings,
		    const struct operands *operands, struct error *err)
{
	struct history *history = opened_history(settings->store, false, err);
	struct history_entry *entries;
	size_t count, i;
	bool good = history != NULL && history_list(history, arena, NULL, &entries, &count, err);

	if (good && operands->count == 1)
		for (i = count; good && i > 0; i--)
			good = export_entry(history, &entries[i - 1], err);
	for (i = 1; good && i < operands->count; i++)
		good = export_word(arena, history, operands->items[i], entries, count, err);
	history_close(history);
	if (good && fflush(stdout) != 0)
		return error_set(err, ERROR_SYSTEM, "cannot write to standard output: %s",
				 strerror(errno));
	return good;
}

struct import {
	struct history *history;
	const char *path;
	size_t line, added, known;
};

static bool expected(const struct import *import, struct error *err)
{
	return error_set(err, ERROR_INPUT,
			 "%s, line %zu: expected a session of worth history export", import->path,
			 import->line);
}

static bool import_session(struct import *import, const struct json *json, struct error *err)
{
	const struct json *inner = json_get(json, "recording");
	struct history_entry entry = { .title = json_get_string(json, "title", ""),
				       .project = json_get_string(json, "project", NULL),
				       .verdict = json_get_string(json, "verdict", NULL),
				       .change = json_get_string(json, "change", NULL) };
	double version = json_get_number(json, "worth-session", 0);
	struct arena *arena = arena_open();
	struct recording recording;
	bool good, known = false;

	if (version > EXPORT_VERSION)
		good = error_set(err, ERROR_INPUT,
				 "%s, line %zu: was exported by a newer worth; update this one",
				 import->path, import->line);
	else if (version < 1 || inner == NULL)
		good = expected(import, err);
	else if (!recording_from_json(arena, inner, &recording, err))
		good = error_prefix(err, "%s, line %zu", import->path, import->line);
	else if (recording.id == NULL)
		good = expected(import, err);
	else {
		entry.id = recording.id;
		good = history_restore(import->history, &recording, &entry, &known, err);
		import->known += known;
		import->added += good && !known;
	}
	arena_close(arena);
	return good;
}

static bool import_line(struct import *import, const char *bytes, size_t length, struct error *err)
{
	struct json *json = NULL;
	bool good;

	if (length == 0)
		return true;
	if (!json_parse(bytes, length, &json, err)) {
		json_release(json);
		return expected(import, err);
	}
	good = import_session(import, json, err);
	json_release(json);
	return good;
}

static bool import_file(struct import *import, FILE *stream, struct error *err)
{
	size_t capacity = 0;
	char *line = NULL;
	ssize_t length;
	bool good = true;

	for (import->line = 1; good && (length = getline(&line, &capacity, stream)) >= 0;
	     import->line++) {
		if (length > 0 && line[length - 1] == '\n')
			length--;
		good = import_line(import, line, (size_t)length, err);
	}
	free(line);
	if (good && ferror(stream))
		return error_set(err, ERROR_SYSTEM, "cannot read %s: %s", import->path,
				 strerror(errno));
	return good;
}

static bool import_path(struct import *import, const char *path, struct error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	FILE *stream = is_stdin ? stdin : fopen(path, "re");
	bool good;

	import->path = is_stdin ? "standard input" : path;
	if (stream == NULL)
		return error_set(err, ERROR_USAGE, "cannot read %s: %s", path, strerror(errno));
	good = import_file(import, stream, err);
	if (!is_stdin)
		fclose(stream);
	return good;
}

bool history_import(struct arena *arena, const struct history_settings *settings,
		    const struct operands *operands, struct error *err)
{
	struct import import = { .history = opened_history(settings->store, true, err) };
	bool good = import.history != NULL;
	size_t i;

	(void)arena;
	for (i = 1; good && i < operands->count; i++)
		good = import_path(&import, operands->items[i], err);
	if (import.history != NULL) {
		good = summaries_complete(import.history, good ? err : NULL) && good;
		if (good || import.added + import.known > 0)
			printf("added %zu sessions, %zu were here already\n", import.added,
			       import.known);
	}
	history_close(import.history);
	return good;
}
