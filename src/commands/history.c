/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth history: what was measured before. Without a word it lists; `show` is
 * worth report under another name, `delete` removes sessions for good; the
 * other words have files of their own (history/words.h).
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "commands/commands.h"
#include "commands/history/words.h"
#include "commands/opened.h"
#include "commands/render.h"
#include "commands/summaries.h"
#include "store/history/series.h"

enum { SESSIONS_LISTED = 20 };
/* A long command line takes a line of its own beside id and date, and no more. */
enum { TITLE_COLUMNS = 54 };

#define AT(field) .offset = offsetof(struct history_settings, field)

static const char *const deeds[] = { "none", "save", "list", "drop", NULL };

static const struct option options[] = {
	{ .kind = OPTION_GROUP, .help = "Which sessions" },
	{ OPTION_COUNT, "limit", 0, "N",
	  "the newest N sessions (20 in the list, 365 in a trend); 0: all", AT(limit), .minimum = 0,
	  .maximum = 1e9 },
	{ OPTION_TEXT, "project", 0, "NAME",
	  "of a project: WORTH_PROJECT, or the name of the folder that it was measured in",
	  AT(project) },
	{ OPTION_TEXT, "machine", 0, "HOST", "of one machine", AT(machine) },
	{ OPTION_TEXT, "variant", 0, "LABEL", "with a command of that name", AT(variant) },
	{ OPTION_TEXT, "metric", 0, "METRIC", "that measured it", AT(metric) },
	{ OPTION_TEXT, "since", 0, "WHEN", "from a date on (2026-11-30), or an age (90d)",
	  AT(since) },
	STORE_OPTION(struct history_settings, store),

	{ .kind = OPTION_GROUP, .help = "What is done" },
	{ OPTION_CHOICE, "baseline", 0, "DEED",
	  "sessions under a name, for worth compare --baseline NAME", AT(baseline),
	  .choices = deeds },
	{ OPTION_TEXT, "older", 0, "WHEN", "prune: sessions from before it", AT(older) },
	{ OPTION_COUNT, "keep", 0, "N", "prune: all but the newest N", AT(keep), .minimum = 1,
	  .maximum = 1e9 },
	{ OPTION_FLAG, "dry-run", 0, NULL, "prune: only tell what would go", AT(dry_run) },
	{ OPTION_PERCENT, "margin", 'm', "X%", "trend: changes below it are left out (default 1%)",
	  AT(margin_ratio) },
	{ OPTION_FLAG, "all", 0, NULL, "show: metrics that the sheet leaves out, too",
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
	AT_PROJECT,
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
	[AT_PROJECT] = { .key = "project", .title = "project", .audience = AUDIENCE_DATA },
};

struct cell history_when(struct arena *arena, int64_t at_s)
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

struct cell history_text(struct arena *arena, const char *string)
{
	if (string == NULL)
		return (struct cell){ .kind = CELL_EMPTY };
	return cell_text(text_clean(arena, string, strlen(string)));
}

static struct cell title_cell(struct arena *arena, const char *title)
{
	struct cell cell = history_text(arena, title);

	return title == NULL ? cell
			     : cell_word(text_fit(arena, cell.text, TITLE_COLUMNS), cell.text);
}

/* The verdict; where there is none, people want to know why. */
static struct cell outcome_cell(struct arena *arena, const struct history_entry *entry)
{
	struct cell cell = history_text(arena, entry->verdict);

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
	cells[AT_WHEN] = history_when(arena, entry->started_at_s);
	cells[AT_TITLE] = title_cell(arena, redact ? NULL : entry->title);
	cells[AT_ROUNDS] =
	    cell_number(units_count(arena, (int64_t)entry->rounds), (double)entry->rounds);
	cells[AT_OUTCOME] = outcome_cell(arena, entry);
	cells[AT_VERDICT] = history_text(arena, entry->verdict);
	cells[AT_CHANGE] = history_text(arena, entry->change);
	cells[AT_ENDING] = cell_text(ending_name(entry));
	cells[AT_HOST] = history_text(arena, redact ? NULL : entry->host);
	cells[AT_PROJECT] = history_text(arena, redact ? NULL : entry->project);
}

static bool is_filtered(const struct history_settings *settings)
{
	return settings->project != NULL || settings->machine != NULL ||
	       settings->variant != NULL || settings->metric != NULL || settings->since != NULL;
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
	if (count == 0 && is_filtered(settings))
		document_sentence(document, NULL,
				  "No session is like that: without these options worth history "
				  "lists all.");
	else if (count == 0)
		document_sentence(document, NULL, "Nothing has been measured yet.");
	else if (more)
		document_sentence(document, NULL, "There are older ones: --limit 0 lists all.");
	return document;
}

static bool list(struct arena *arena, const struct history_settings *settings, struct error *err)
{
	struct history_filter filter = {
		.project = settings->project,
		.machine = settings->machine,
		.variant = settings->variant,
		.metric = settings->metric,
		.limit = settings->limit > 0 ? (size_t)settings->limit + 1 : 0,
	};
	struct history *history;
	struct history_entry *entries;
	size_t count;
	bool good;

	if (settings->since != NULL &&
	    !history_moment("--since", settings->since, &filter.since_s, err))
		return false;
	history = opened_history(settings->store, false, err);
	good = history != NULL && (settings->variant == NULL || summaries_complete(history, err)) &&
	       history_list(history, arena, &filter, &entries, &count, err);
	history_close(history);
	return good &&
	       output_write(&settings->output, list_make(arena, settings, entries, count), err);
}

static bool delete (struct arena *arena, const struct history_settings *settings,
		    const struct operands *operands, struct error *err)
{
	struct history *history = opened_history(settings->store, false, err);
	bool good = history != NULL;
	struct history_baseline *baselines;
	const char *deleted;
	size_t count, i, j;

	for (i = 1; good && i < operands->count; i++) {
		good = history_baselines(history, arena, &baselines, &count, err) &&
		       history_delete(history, arena, operands->items[i], &deleted, err);
		if (!good)
			break;
		printf("deleted %s", deleted);
		for (j = 0; j < count; j++)
			if (strcmp(baselines[j].id, deleted) == 0)
				printf(", and with it the baseline %s", baselines[j].name);
		putchar('\n');
	}
	history_close(history);
	return good;
}

static bool do_show(struct arena *arena, const struct history_settings *settings,
		    const struct operands *operands, struct error *err)
{
	static const struct judge_questions no_questions = { 0 };

	return render_sessions(arena, settings->store, &operands->items[1], 1, &no_questions,
			       &settings->sheet, &settings->output, err);
}

static bool do_delete(struct arena *arena, const struct history_settings *settings,
		      const struct operands *operands, struct error *err)
{
	return delete (arena, settings, operands, err);
}

static bool do_trend(struct arena *arena, const struct history_settings *settings,
		     const struct operands *operands, struct error *err)
{
	return history_trend(arena, settings, operands->items[1], err);
}

static bool do_prune(struct arena *arena, const struct history_settings *settings,
		     const struct operands *operands, struct error *err)
{
	(void)operands;
	return history_prune(arena, settings, err);
}

static bool do_export(struct arena *arena, const struct history_settings *settings,
		      const struct operands *operands, struct error *err)
{
	return history_export(arena, settings, operands, err);
}

static bool do_import(struct arena *arena, const struct history_settings *settings,
		      const struct operands *operands, struct error *err)
{
	return history_import(arena, settings, operands, err);
}

static const char *const words[] = { "show", "delete", "trend", "prune", "export", "import", NULL };

static const struct deed {
	bool (*act)(struct arena *arena, const struct history_settings *settings,
		    const struct operands *operands, struct error *err);
	size_t least, most; /* operands behind the word */
	const char *takes;
} acts[] = {
	{ do_show, 1, 1,
	  "one session: an id (worth history lists them), the beginning of one, or last" },
	{ do_delete, 1, SIZE_MAX,
	  "one or more sessions: an id (worth history lists them), the beginning of one, or last" },
	{ do_trend, 1, 1, "one metric, as in worth history trend wall" },
	{ do_prune, 0, 0, "no words, only --older and --keep" },
	{ do_export, 0, SIZE_MAX, "any number of sessions" },
	{ do_import, 1, SIZE_MAX,
	  "files that worth history export wrote, or - for standard input" },
};

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
	const char *word = operands->count > 0 ? operands->items[0] : NULL;
	size_t count = operands->count - 1, i;

	if (operands->has_rest)
		return error_set(err, ERROR_USAGE, "worth history takes nothing after --");
	if (!output_check(&settings->output, err))
		return false;
	if (settings->baseline != BASELINE_NONE)
		return history_baseline_do(arena, settings, operands, err);
	if (word == NULL)
		return list(arena, settings, err);
	for (i = 0; words[i] != NULL && strcmp(word, words[i]) != 0; i++)
		continue;
	if (words[i] == NULL)
		return unknown_word(text_clean(arena, word, strlen(word)), err);
	if (count < acts[i].least || count > acts[i].most)
		return error_set(err, ERROR_USAGE, "worth history %s takes %s", word,
				 acts[i].takes);
	return acts[i].act(arena, settings, operands, err);
}

static const struct history_settings *with_limit(struct history_settings *settings)
{
	settings->limit_given = settings->limit != UINT64_MAX;
	if (!settings->limit_given)
		settings->limit = SESSIONS_LISTED;
	return settings;
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct history_settings settings = { .limit = UINT64_MAX, .margin_ratio = 0.01 };
	struct operands operands;
	struct error err = { 0 };
	int status;

	(void)program;
	output_settings_init(&settings.output);
	if (command_begins(arena, &command_history, argc, argv, &settings, &operands, &status) &&
	    !do_word(arena, with_limit(&settings), &operands, &err))
		status = command_trouble(&err);
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = {
	"history [OPTION...]",
	"history show [OPTION...] ID",
	"history delete ID...",
	"history trend [OPTION...] METRIC",
	"history --baseline save NAME [ID[:LABEL]]",
	"history --baseline list | --baseline drop NAME",
	"history prune [--older WHEN] [--keep N] [--dry-run]",
	"history export [ID...] > FILE",
	"history import FILE...",
	NULL,
};

const struct command command_history = {
	.name = "history",
	.summary = "what was measured before: lists, trends, baselines",
	.synopsis = synopsis,
	.description =
	    "Lists the sessions that worth has measured, newest first. Every comparison is kept, "
	    "round by round as it runs, unless --no-save is given; one that was interrupted or "
	    "killed is there with its complete rounds and can be finished by worth compare "
	    "--resume ID.\n"
	    "\n"
	    "An ID may be shortened as long as no other id begins so; last is the newest session. "
	    "show writes a session's report again, as worth report does. delete removes sessions "
	    "for good, prune those that are old; sessions that are baselines stay.\n"
	    "\n"
	    "trend follows the medians of one metric from session to session, for each command, "
	    "and "
	    "tells where they changed (E-divisive means, 3 sessions on each side at least). It "
	    "looks "
	    "at this project on this machine; --project all and --machine all look everywhere. "
	    "--baseline gives a session a name, and worth compare --baseline NAME COMMAND compares "
	    "with it later: not interleaved, and told so.\n"
	    "\n"
	    "export writes sessions as lines of JSON, import takes them into another history, each "
	    "once.\n"
	    "\n"
	    "The history is one SQLite file, history.db in $XDG_DATA_HOME/worth (or "
	    "~/.local/share/worth), readable by its owner alone.",
	.examples = "# What was measured lately\n"
		    "$ worth history --limit 5\n"
		    "# One of them again\n"
		    "$ worth history show k4\n"
		    "# Where the wall time of this project changed, with a plot\n"
		    "$ worth history trend wall --plot -\n"
		    "# A release as the baseline of later ones\n"
		    "$ worth history --baseline save v1.0 last\n"
		    "# All of it to another machine\n"
		    "$ worth history export | ssh build worth history import -\n"
		    "# The list for a program\n"
		    "$ worth history --limit 0 --json -\n",
	.words = words,
	.operands = COMPLETES_SESSION,
	.options = options,
	.settings_size = sizeof(struct history_settings),
	.run = run,
};
