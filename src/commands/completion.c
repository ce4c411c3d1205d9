/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the completion script of a shell; `ninja install` puts the same
 * scripts in place. What only the program knows - sessions, metrics, workloads,
 * formats - the scripts ask for with --list.
 */
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "commands/commands.h"
#include "commands/load_program.h"
#include "experiment/studies.h"
#include "formats/format.h"
#include "model/metric.h"
#include "commands/opened.h"

/* The newest sessions; nobody picks an older one from a list. */
enum { SESSIONS_OFFERED = 50 };

enum { LIST_NOTHING = -1, LIST_SESSIONS, LIST_METRICS, LIST_WORKLOADS, LIST_FORMATS, LIST_STUDIES };

static const char *const kinds[] = {
	"sessions", "metrics", "workloads", "formats", "studies", NULL
};
static const char *const shells[] = { "bash", "zsh", "fish", NULL };

struct completion_settings {
	int list;
};

static const struct option options[] = {
	{ .kind = OPTION_CHOICE,
	  .name = "list",
	  .value = "KIND",
	  .help = "for the scripts: print the words of a kind that there are, one a line with a "
		  "tab and what it is behind it",
	  .offset = offsetof(struct completion_settings, list),
	  .choices = kinds },
	OPTION_TABLE_END,
};

/* A name to choose, and what it is. */
static void print_word(const char *name, const char *meaning)
{
	printf("%s\t%s\n", name, meaning);
}

static bool list_sessions(struct arena *arena, struct error *err)
{
	struct history *history = opened_history(NULL, false, err);
	struct history_filter newest = { .limit = SESSIONS_OFFERED };
	struct history_entry *entries;
	size_t count, i;
	bool good = history != NULL && history_list(history, arena, &newest, &entries, &count, err);

	history_close(history);
	if (good && count > 0)
		print_word("last", "the newest session");
	for (i = 0; good && i < count; i++)
		print_word(entries[i].id,
			   text_clean(arena, entries[i].title, strlen(entries[i].title)));
	return good;
}

static void list_metrics(void)
{
	const struct metric *metric;
	size_t i;

	for (i = 0; (metric = metric_known_at(i)) != NULL; i++)
		print_word(metric->name, metric->unit);
}

static bool list_workloads(struct arena *arena, struct error *err)
{
	struct load_entry *entries;
	size_t count, i;

	if (!load_program_list(arena, &entries, &count, err))
		return false;
	for (i = 0; i < count; i++)
		print_word(entries[i].name, entries[i].summary);
	return true;
}

static void list_formats(void)
{
	const struct format *const *format;

	for (format = formats(); *format != NULL; format++)
		print_word((*format)->name, (*format)->summary);
}

static bool list_studies(struct arena *arena, struct error *err)
{
	struct experiment experiment;
	size_t i;

	for (i = 0; i < study_count(); i++) {
		if (!study_read(arena, study_name(i), &experiment, err))
			return false;
		print_word(study_name(i), experiment.title);
	}
	return true;
}

static bool list(struct arena *arena, int kind, struct error *err)
{
	switch (kind) {
	case LIST_SESSIONS:
		return list_sessions(arena, err);
	case LIST_WORKLOADS:
		return list_workloads(arena, err);
	case LIST_STUDIES:
		return list_studies(arena, err);
	case LIST_METRICS:
		list_metrics();
		break;
	case LIST_FORMATS:
		list_formats();
		break;
	}
	return true;
}

static bool print_script(const struct program *program, const struct operands *operands,
			 struct error *err)
{
	struct text text = { 0 };
	bool good;

	if (operands->count != 1 || operands->has_rest)
		return error_set(err, ERROR_USAGE,
				 "name one shell, \"worth completion bash\", \"zsh\" or \"fish\"");
	good = options_completion(operands->items[0], program->commands, &text, err);
	if (good)
		fputs(text_string(&text), stdout);
	text_release(&text);
	return good;
}

static bool answer(struct arena *arena, const struct program *program,
		   const struct completion_settings *settings, const struct operands *operands,
		   struct error *err)
{
	if (settings->list == LIST_NOTHING)
		return print_script(program, operands, err);
	if (operands->count > 0 || operands->has_rest)
		return error_set(err, ERROR_USAGE, "--list takes its kind and no shell");
	return list(arena, settings->list, err);
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct completion_settings settings = { .list = LIST_NOTHING };
	struct operands operands;
	struct error err = { 0 };
	int status;

	if (command_begins(arena, &command_completion, argc, argv, &settings, &operands, &status) &&
	    !answer(arena, program, &settings, &operands, &err))
		status = command_trouble(&err);
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = { "completion bash|zsh|fish", "completion --list KIND",
					NULL };

const struct command command_completion = {
	.name = "completion",
	.summary = "print a completion script for a shell",
	.synopsis = synopsis,
	.description =
	    "Prints a script that lets the shell complete commands, options and their "
	    "values. An installed worth has it in place already. The scripts ask worth "
	    "for the names of sessions, metrics, workloads, formats and studies (--list).",
	.examples = "# for this shell alone\n$ source <(worth completion bash)\n",
	.words = shells,
	.options = options,
	.settings_size = sizeof(struct completion_settings),
	.run = run,
};
