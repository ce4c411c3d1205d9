/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth judge FILE FILE...: results that other tools wrote, read and judged.
 * Files become results, results become one recording, and from there on it is
 * as with what worth measured itself, but that nobody knows in which order the
 * runs came (docs/method.md, unpaired figures).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "commands/commands.h"
#include "commands/gate.h"
#include "commands/judge/convert.h"
#include "commands/judge/own.h"
#include "commands/judge/settings.h"
#include "commands/output.h"
#include "commands/render.h"
#include "formats/results/gather.h"

/* After so long without a byte a user is told what is waited for. */
enum { PATIENCE_MS = 2000 };

static const char *const directions[] = { "unknown", "lower", "higher", NULL };

#define AT(field) offsetof(struct judge_settings, field)

static const struct option options[] = {
	{ .kind = OPTION_GROUP, .help = "What is read" },
	{ OPTION_TEXT, "format", 'f', "NAME", "all files are in this format (default: by content)",
	  AT(format), .completes = COMPLETES_FORMAT },
	{ OPTION_FLAG, "formats", 0, NULL, "list the formats that can be read", AT(list_formats) },
	{ OPTION_TEXT, "filter", 0, "REGEX",
	  "only benchmarks whose name fits an extended regular expression", AT(filter) },
	{ OPTION_CHOICE, "better", 0, "WAY", "for figures that do not say which way is better",
	  AT(better), .choices = directions },

	{ .kind = OPTION_GROUP, .help = "What is compared" },
	{ OPTION_TEXT, "by", 0, "LABEL",
	  "the values of a label are the sides: benchmark, metric, threads, ... (default: the "
	  "files)",
	  AT(by) },
	{ OPTION_TEXT, "baseline", 0, "SIDE",
	  "the side that others are compared with "
	  "(default: the first)",
	  AT(baseline) },
	{ OPTION_FLAG, "paired", 0, NULL, "run k of one side belongs to run k of the other",
	  AT(paired) },

	{ .kind = OPTION_GROUP, .help = "How it is judged" },
	{ OPTION_TEXTS, "margin", 'm', "[METRIC=]X%",
	  "differences below it do not matter (default 1%)", AT(margins) },
	{ OPTION_NUMBER, "confidence", 0, "C", "of the intervals (default 0.95)", AT(confidence),
	  0.5, 1 },
	{ OPTION_TEXT, "primary", 0, "METRIC",
	  "the metric that decides (default: the result, or all benchmarks of a set)",
	  AT(primary) },
	{ OPTION_CHOICE, "require", 0, "CLAIM",
	  "demand proof: exit 0 if shown, 1 if refuted, 3 if undecided", AT(require),
	  .choices = gate_requirements },
	{ OPTION_FLAG, "ignore-failure", 0, NULL, "judge the good runs though others failed",
	  AT(ignore_failure) },

	{ .kind = OPTION_GROUP, .help = "What is told" },
	{ OPTION_FLAG, "convert", 0, NULL,
	  "do not judge: write what was read as worth's own JSON, or as CSV", AT(convert) },
	{ OPTION_FLAG, "all", 'a', NULL, "show every metric that was read", AT(sheet.all) },
	QUESTION_OPTIONS(struct judge_settings, questions),
	{ OPTION_FLAG, "redact", 0, NULL, "leave out host name and paths", AT(sheet.redact) },
	OUTPUT_OPTIONS(struct judge_settings, output),
	OPTION_TABLE_END,
};

static int list_formats(const struct operands *operands, struct error *err)
{
	const struct format *const *format;
	int widest = 0;

	if (!command_takes_nothing(operands, "--formats", err))
		return command_trouble(err);
	for (format = formats(); *format != NULL; format++)
		if ((int)strlen((*format)->name) > widest)
			widest = (int)strlen((*format)->name);
	for (format = formats(); *format != NULL; format++)
		printf("%-*s  %s\n", widest, (*format)->name, (*format)->summary);
	return EXIT_NOT_WORSE;
}

static bool read_file(const char *path, const struct format *forced, struct gather_file *file,
		      struct results *results, struct error *err)
{
	struct input *input = input_open(path, err);
	bool good;

	if (input == NULL)
		return false;
	if (input_is_late(input, PATIENCE_MS))
		fprintf(stderr, "worth: waiting for %s, to which nothing was written yet\n",
			input_name(input));
	file->name = strcmp(path, "-") == 0 ? "standard input" : path;
	file->results = results;
	good = format_read(input, forced, results, &file->format, err);
	input_close(input);
	return good;
}

static bool check(const struct judge_settings *settings, const struct operands *operands,
		  struct error *err)
{
	size_t stdin_count = 0, i;

	if (operands->has_rest || operands->count == 0)
		return error_set(err, ERROR_USAGE,
				 "worth judge takes files of results: a baseline's and a "
				 "candidate's, or one file that holds both");
	for (i = 0; i < operands->count; i++)
		stdin_count += strcmp(operands->items[i], "-") == 0;
	if (stdin_count > 1)
		return error_set(err, ERROR_USAGE,
				 "- is given %zu times, but there is one "
				 "standard input",
				 stdin_count);
	return judge_questions_check(&settings->questions, err) &&
	       output_check(&settings->output, err);
}

/* A primary metric that nobody read is the user's slip, told at once. */
static bool check_primary(const struct judge_settings *settings, const struct recording *recording,
			  struct error *err)
{
	const char **names, *nearest;
	size_t i;

	if (settings->primary == NULL ||
	    recording_metric_called(recording, settings->primary) != METRIC_NONE)
		return true;
	names = calloc(recording->metric_count, sizeof *names);
	for (i = 0; names != NULL && i < recording->metric_count; i++)
		names[i] = recording->metrics[i].name;
	nearest =
	    names == NULL ? NULL : text_nearest(settings->primary, names, recording->metric_count);
	error_set(err, ERROR_USAGE, "--primary: there is no metric '%s'; %s '%s'",
		  settings->primary, nearest == NULL ? "there is, for one," : "did you mean",
		  nearest == NULL ? recording->metrics[0].name : nearest);
	free(names);
	return false;
}

static bool gather_files(struct arena *arena, const struct judge_settings *settings,
			 const struct gather_file *files, size_t count, struct recording *recording,
			 struct error *err)
{
	struct gather_settings gathering = {
		.filter = settings->filter,
		.by = settings->by,
		.baseline = settings->baseline,
		.paired = settings->paired,
		.everything = settings->convert,
		.better_given = settings->better > 0,
		.better = settings->better == 2 ? BETTER_HIGHER : BETTER_LOWER,
	};

	if (!judge_terms(arena, settings, files, count, &recording->plan, err) ||
	    !gather(arena, files, count, &gathering, recording, err) ||
	    !check_primary(settings, recording, err))
		return false;
	judge_own_remarks(arena, settings, files, count, recording);
	return true;
}

static int judge_files(struct arena *arena, const struct judge_settings *settings,
		       const struct gather_file *files, size_t count, struct error *err)
{
	struct recording recording = { 0 };
	struct findings findings = { 0 };

	if (!judge_own(arena, settings, files, count, &recording, err)) {
		if (err->kind != ERROR_NONE ||
		    !gather_files(arena, settings, files, count, &recording, err))
			return command_trouble(err);
		if (settings->convert)
			return judge_convert(arena, &recording, &settings->output, err)
				   ? EXIT_NOT_WORSE
				   : command_trouble(err);
		judge_derive(arena, &recording);
	}
	judge_recording(arena, &recording, &findings);
	if (!judge_answer(arena, &recording, &settings->questions, &findings, err))
		return command_trouble(err);
	if (!render_findings(arena, &recording, &findings, &settings->sheet, &settings->output,
			     err))
		return command_trouble(err);
	return gate_status(&findings, (enum requirement)settings->require, false);
}

static int read_and_judge(struct arena *arena, const struct judge_settings *settings,
			  const struct operands *operands, struct error *err)
{
	struct gather_file *files = arena_alloc(arena, operands->count, sizeof *files);
	struct results **results = arena_alloc(arena, operands->count, sizeof *results);
	const struct format *forced = NULL;
	int status = EXIT_TROUBLE;
	bool good = check(settings, operands, err);
	size_t i;

	if (good && settings->format != NULL) {
		forced = format_by_name(settings->format, err);
		good = forced != NULL;
	}
	for (i = 0; good && i < operands->count; i++) {
		results[i] = results_open();
		good = read_file(operands->items[i], forced, &files[i], results[i], err);
	}
	if (good)
		status = judge_files(arena, settings, files, operands->count, err);
	else
		command_trouble(err);
	for (i = 0; i < operands->count; i++)
		results_close(results[i]);
	return status;
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct judge_settings settings = { .confidence = NAN };
	struct operands operands;
	struct error err = { 0 };
	int status;

	(void)program;
	output_settings_init(&settings.output);
	if (command_begins(arena, &command_judge, argc, argv, &settings, &operands, &status))
		status = settings.list_formats ? list_formats(&operands, &err)
					       : read_and_judge(arena, &settings, &operands, &err);
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = {
	"judge [OPTION...] BASELINE CANDIDATE...",
	"judge [OPTION...] FILE",
	"judge --convert [OPTION...] FILE...",
	"judge --formats",
	NULL,
};

const struct command command_judge = {
	.name = "judge",
	.summary = "judge results that other tools wrote",
	.synopsis = synopsis,
	.description =
	    "Reads files of results - benchmark suites, time, perf stat, tables in mails, plain "
	    "numbers - and says what they show. The format is found by content. The first file is "
	    "the baseline, others are compared with it; - is standard input. One file may hold "
	    "both sides, under lines that name them; then the lines that each side was read from "
	    "are told.\n"
	    "\n"
	    "Runs of other tools are not interleaved, so their order is taken as unknown: at least "
	    "4 runs a side are needed, and the report says that drift between the batches would "
	    "look the same. --paired is for runs that belong together, round by round.\n"
	    "\n"
	    "Of a set of benchmarks each one has its verdict, after allowing for their number, and "
	    "the set has a geometric mean for each unit, which decides nothing: it has a verdict "
	    "only under --paired. Means without runs are judged if the number of runs is told.\n"
	    "\n"
	    "A session that worth wrote as JSON is judged as it was planned, with its pairs, "
	    "looks, "
	    "margin and confidence, unless something else is asked of it.\n"
	    "\n"
	    "The exit status is that of worth compare: 1 if the primary metric, or any "
	    "benchmark of a set, is worse.",
	.examples = "# Two files of any tool that worth can read\n"
		    "$ worth judge old.txt new.txt\n"
		    "# A mail that holds both tables, from a pipe\n"
		    "$ worth judge - --baseline mainline < mail\n"
		    "# One file of hyperfine: its commands with each other\n"
		    "$ worth judge hyperfine.json\n"
		    "# A gate: proof that no benchmark is worse by more than 2%\n"
		    "$ worth judge base.json new.json --require not-worse -m 2%\n"
		    "# Any format as worth's own\n"
		    "$ worth judge --convert results.json -o runs.csv\n",
	.operands = COMPLETES_FILE,
	.options = options,
	.settings_size = sizeof(struct judge_settings),
	.run = run,
};
