/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth history: what was measured before. Without a word it lists; `show` is
 * worth report under another name, `delete` removes sessions for good.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "commands/commands.h"
#include "commands/opened.h"
#include "commands/output.h"
#include "commands/render.h"

enum { SESSIONS_LISTED = 20 };
/* A long command line takes a line of its own beside id and date, and no more. */
enum { TITLE_COLUMNS = 54 };

struct history_settings {
	uint64_t limit;
	struct sheet_settings sheet;
	struct output_settings output;
};

#define AT(field) .offset = offsetof(struct history_settings, field)

static const struct option options[] = {
	{ OPTION_COUNT, "limit", 0, "N", "list the newest N sessions (20); 0 lists all", AT(limit),
	  .minimum = 0, .maximum = 1e9 },
	{ OPTION_FLAG, "all", 0, NULL, "with show: metrics that the sheet leaves out, too",
	  AT(sheet.all) },
	{ OPTION_FLAG, "redact", 0, NULL, "leave out host name and paths", AT(sheet.redact) },
	OUTPUT_OPTIONS(struct history_settings, output),
	OPTION_TABLE_END,
};

enum {
	AT_ID,
	AT_WHEN,
	AT_TITLE,
	AT_ROUNDS,
	AT_OUTCOME,
	AT_VERDICT,
	AT_CHANGE,
	AT_ENDING,
	AT_HOST,
	COLUMNS
};

static const struct column columns[COLUMNS] = {
	[AT_ID] = { .key = "id", .title = "id" },
	[AT_WHEN] = { .key = "started_at", .title = "when" },
	[AT_TITLE] = { .key = "title", .title = "what", .shrinks = true },
	[AT_ROUNDS] = { .key = "rounds", .title = "rounds", .align = ALIGN_RIGHT },
	[AT_OUTCOME] = { .key = "outcome", .title = "verdict", .audience = AUDIENCE_PEOPLE },
	[AT_VERDICT] = { .key = "verdict", .title = "verdict", .audience = AUDIENCE_DATA },
	[AT_CHANGE] = { .key = "change", .title = "change", .align = ALIGN_RIGHT },
	[AT_ENDING] = { .key = "ending", .title = "ending", .audience = AUDIENCE_DATA },
	[AT_HOST] = { .key = "host", .title = "host", .audience = AUDIENCE_DATA },
};

/* Local time for people, UTC by ISO 8601 for programs. */
static struct cell when_cell(struct arena *arena, int64_t at_s)
{
	time_t at = (time_t)at_s;
	char shown[32], data[32];
	struct tm parts;

	if (localtime_r(&at, &parts) == NULL ||
	    strftime(shown, sizeof shown, "%Y-%m-%d %H:%M", &parts) == 0)
		return (struct cell){ .kind = CELL_EMPTY };
	if (gmtime_r(&at, &parts) == NULL ||
	    strftime(data, sizeof data, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		return (struct cell){ .kind = CELL_EMPTY };
	return cell_word(arena_strdup(arena, shown), arena_strdup(arena, data));
}

static const char *ending_name(const struct history_entry *entry)
{
	if (entry->end == END_RUNNING && !entry->live)
		return "broken off";
	return session_end_name(entry->end);
}

static struct cell clean_cell(struct arena *arena, const char *string)
{
	if (string == NULL)
		return (struct cell){ .kind = CELL_EMPTY };
	return cell_text(text_clean(arena, string, strlen(string)));
}

static struct cell title_cell(struct arena *arena, const char *title)
{
	struct cell cell = clean_cell(arena, title);

	return title == NULL ? cell
			     : cell_word(text_fit(arena, cell.text, TITLE_COLUMNS), cell.text);
}

/* The verdict; where there is none, people want to know why. */
static struct cell outcome_cell(struct arena *arena, const struct history_entry *entry)
{
	struct cell cell = clean_cell(arena, entry->verdict);

	if (entry->verdict == NULL && entry->end != END_COMPLETE && entry->end != END_BUDGET &&
	    entry->end != END_DECIDED) {
		cell = cell_text(ending_name(entry));
		cell.tone = TONE_FAINT;
	}
	return cell;
}

static void add_entry(struct document *document, struct table *table,
		      const struct history_entry *entry, bool redact)
{
	struct arena *arena = document->arena;
	struct cell *cells = table_row(document, table)->cells;

	cells[AT_ID] = cell_text(entry->id);
	cells[AT_WHEN] = when_cell(arena, entry->started_at_s);
	cells[AT_TITLE] = title_cell(arena, redact ? NULL : entry->title);
	cells[AT_ROUNDS] =
	    cell_number(units_count(arena, (int64_t)entry->rounds), (double)entry->rounds);
	cells[AT_OUTCOME] = outcome_cell(arena, entry);
	cells[AT_VERDICT] = clean_cell(arena, entry->verdict);
	cells[AT_CHANGE] = clean_cell(arena, entry->change);
	cells[AT_ENDING] = cell_text(ending_name(entry));
	cells[AT_HOST] = clean_cell(arena, redact ? NULL : entry->host);
}

/* One entry more than the limit was asked for, to know whether there are more. */
static struct document *list_make(struct arena *arena, const struct history_settings *settings,
				  const struct history_entry *entries, size_t count)
{
	struct document *document = document_make(arena, "history", "History");
	struct table *table = document_table(document, "sessions", columns, COLUMNS);
	bool more = settings->limit > 0 && count > settings->limit;
	size_t shown = more ? (size_t)settings->limit : count, i;

	document->csv_table = "sessions";
	for (i = 0; i < shown; i++)
		add_entry(document, table, &entries[i], settings->sheet.redact);
	if (count == 0)
		document_sentence(document, NULL, "Nothing has been measured yet.");
	else if (more)
		document_sentence(document, NULL, "There are older ones: --limit 0 lists all.");
	return document;
}

static bool list(struct arena *arena, const struct history_settings *settings, struct error *err)
{
	struct history *history = opened_history(false, err);
	size_t limit = settings->limit > 0 ? (size_t)settings->limit + 1 : 0;
	struct history_entry *entries;
	size_t count;
	bool good = history != NULL && history_list(history, arena, limit, &entries, &count, err);

	history_close(history);
	return good &&
	       output_write(&settings->output, list_make(arena, settings, entries, count), err);
}

static bool delete (struct arena *arena, const struct operands *operands, struct error *err)
{
	struct history *history = opened_history(false, err);
	bool good = history != NULL;
	const char *deleted;
	size_t i;

	for (i = 1; good && i < operands->count; i++) {
		good = history_delete(history, arena, operands->items[i], &deleted, err);
		if (good)
			printf("deleted %s\n", deleted);
	}
	history_close(history);
	return good;
}

static const char *const words[] = { "show", "delete", NULL };

static bool unknown_word(const char *word, struct error *err)
{
	const char *nearest = text_nearest(word, words, sizeof words / sizeof *words - 1);

	if (nearest != NULL)
		return error_set(err, ERROR_USAGE, "worth history has no '%s'; did you mean %s?",
				 word, nearest);
	return error_set(err, ERROR_USAGE,
			 "worth history has no '%s'; to see a session: worth history show %s", word,
			 word);
}

static bool do_word(struct arena *arena, const struct history_settings *settings,
		    const struct operands *operands, struct error *err)
{
	static const struct judge_questions no_questions = { 0 };
	const char *word = operands->count > 0 ? operands->items[0] : NULL;

	if (operands->has_rest)
		return error_set(err, ERROR_USAGE, "worth history takes nothing after --");
	if (!output_check(&settings->output, err))
		return false;
	if (word == NULL)
		return list(arena, settings, err);
	if (strcmp(word, "show") != 0 && strcmp(word, "delete") != 0)
		return unknown_word(text_clean(arena, word, strlen(word)), err);
	if (operands->count == 1 || (*word == 's' && operands->count > 2))
		return error_set(err, ERROR_USAGE,
				 "worth history %s takes %s: an id (worth history lists them), the "
				 "beginning of one, or last",
				 word, *word == 's' ? "one session" : "one or more sessions");
	if (*word == 'd')
		return delete (arena, operands, err);
	return render_session(arena, operands->items[1], &no_questions, &settings->sheet,
			      &settings->output, err);
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct history_settings settings = { .limit = SESSIONS_LISTED };
	struct operands operands;
	struct error err = { 0 };
	bool help;
	int status = EXIT_NOT_WORSE;

	(void)program;
	output_settings_init(&settings.output);
	if (!options_parse(arena, &command_history, argc, argv, &settings, &operands, &help, &err))
		status = command_trouble(&err);
	else if (help)
		status = command_help(&command_history);
	else if (!do_word(arena, &settings, &operands, &err))
		status = command_trouble(&err);
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = {
	"history [OPTION...]",
	"history show [OPTION...] ID",
	"history delete ID...",
	NULL,
};

const struct command command_history = {
	.name = "history",
	.summary = "list, show and delete what was measured before",
	.synopsis = synopsis,
	.description =
	    "Lists the sessions that worth has measured, newest first. Every comparison is kept, "
	    "round by round as it runs, unless --no-save is given; one that was interrupted or "
	    "killed is there with its complete rounds and can be finished by worth compare "
	    "--resume ID.\n"
	    "\n"
	    "An ID may be shortened as long as no other id begins so; last is the newest session. "
	    "show writes a session's report again, as worth report does. delete removes sessions "
	    "for good.\n"
	    "\n"
	    "The history is one SQLite file, history.db in $XDG_DATA_HOME/worth (or "
	    "~/.local/share/worth), readable by its owner alone.",
	.examples = "# What was measured lately\n"
		    "$ worth history --limit 5\n"
		    "# One of them again\n"
		    "$ worth history show k4\n"
		    "# The list for a program\n"
		    "$ worth history --limit 0 --json -\n",
	.words = words,
	.operands = COMPLETES_SESSION,
	.options = options,
	.settings_size = sizeof(struct history_settings),
	.run = run,
};
