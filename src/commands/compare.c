/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth [compare] BASELINE CANDIDATE...: the main job. Options become a plan,
 * the plan is measured, the recording is judged, the findings are printed, and
 * the exit status says what was found.
 */
#include <assert.h>
#include <string.h>

#include "base/file.h"
#include "base/words.h"
#include "commands/commands.h"
#include "commands/compare/plan.h"
#include "commands/dry_run.h"
#include "commands/gate.h"
#include "commands/judged.h"
#include "commands/measured.h"
#include "commands/opened.h"
#include "commands/output.h"
#include "commands/past.h"

struct compare_settings {
	struct plan_settings plan; /* first: experiment files use the same rows (run_settings.c) */
	struct output_settings output;
	int require; /* enum requirement */
	bool bisect;
	bool dry_run;
	bool save;
	struct sheet_settings sheet;
	struct judge_questions questions;
	bool quiet;
	const char *resume;
	const char *extend;
	const char *baseline;
	const char *store;
};

#define AT(field) offsetof(struct compare_settings, field)
static_assert(AT(plan) == 0, "the rows of the plan are used without the rest");

static const struct option options[] = {
	{ .kind = OPTION_GROUP, .help = "What is compared" },
	{ OPTION_TEXTS, "name", 'n', "NAME", "name of a command in the report, in their order",
	  AT(plan.names) },
	{ OPTION_TEXTS, "parameter-list", 'L', "NAME=A,B,...",
	  "run each command with {NAME} replaced by each value", AT(plan.lists) },
	{ OPTION_PAIRS, "parameter-scan", 'P', "NAME RANGE",
	  "the same for whole numbers FIRST..LAST or FIRST..LAST..STEP", AT(plan.scans) },
	{ OPTION_FLAG, "shell", 0, NULL, "run each command by /bin/sh -c", AT(plan.shell) },
	{ OPTION_TEXT, "baseline", 0, "ID",
	  "compare one command with a session of the history (ID, ID:LABEL, or a saved name)",
	  AT(baseline), .completes = COMPLETES_SESSION },
	{ OPTION_FLAG, "aa", 0, NULL,
	  "run a command against itself, or against a copy of it: what this machine can resolve",
	  AT(plan.self_check) },

	{ .kind = OPTION_GROUP, .help = "How much is measured" },
	{ OPTION_COUNT, "rounds", 'r', "N",
	  "rounds asked for (default 80, with --aa 200); fewer if decided before", AT(plan.rounds),
	  1, 1000000 },
	{ OPTION_COUNT, "warmup", 'w', "N", "warm-up rounds, not judged (default 1)",
	  AT(plan.warmup), 0, 1000 },
	{ OPTION_DURATION, "budget", 'b', "TIME",
	  "stop after that time (default 5min, 0 for no limit)", AT(plan.budget_ns) },
	{ OPTION_FLAG, "no-peek", 0, NULL, "one look after all rounds, none before",
	  AT(plan.no_peek) },
	{ OPTION_TEXT, "extend", 0, "ID", "go on with a finished session: twice its rounds",
	  AT(extend), .completes = COMPLETES_SESSION },
	{ OPTION_TEXT, "resume", 0, "ID", "finish a session that was broken off", AT(resume),
	  .completes = COMPLETES_SESSION },

	{ .kind = OPTION_GROUP, .help = "How it is judged" },
	{ OPTION_TEXTS, "margin", 'm', "[METRIC=]X%",
	  "differences below it do not matter (default 1%)", AT(plan.margins) },
	{ OPTION_NUMBER, "confidence", 0, "C", "of the intervals (default 0.95)",
	  AT(plan.confidence), 0.5, 1 },
	{ OPTION_TEXT, "primary", 0, "METRIC", "the metric that decides (default wall)",
	  AT(plan.primary), .completes = COMPLETES_METRIC },
	{ OPTION_CHOICE, "require", 0, "CLAIM",
	  "demand proof: exit 0 if shown, 1 if refuted, 3 if undecided", AT(require),
	  .choices = gate_requirements },
	{ OPTION_FLAG, "bisect", 0, NULL,
	  "exit for git bisect run: 0 good, 1 bad, 125 undecided or trouble", AT(bisect) },

	{ .kind = OPTION_GROUP, .help = "What is run around it" },
	{ OPTION_TEXT, "setup", 0, "CMD", "shell command before everything", AT(plan.setup),
	  .completes = COMPLETES_COMMAND },
	{ OPTION_TEXTS, "prepare", 0, "CMD", "before each run; once for all or once per command",
	  AT(plan.prepare), .completes = COMPLETES_COMMAND },
	{ OPTION_TEXTS, "conclude", 0, "CMD", "after each run; once for all or once per command",
	  AT(plan.conclude), .completes = COMPLETES_COMMAND },
	{ OPTION_TEXT, "cleanup", 0, "CMD", "shell command after everything", AT(plan.cleanup),
	  .completes = COMPLETES_COMMAND },
	{ OPTION_TEXT, "input", 'i', "FILE", "stdin of the runs (default /dev/null)",
	  AT(plan.input), .completes = COMPLETES_FILE },
	{ OPTION_TEXT, "output", 0, "WHERE",
	  "stdout of the runs: discard (default), null, pipe, inherit or a file", AT(plan.output),
	  .completes = COMPLETES_FILE },
	{ OPTION_FLAG, "show-output", 0, NULL, "show what the runs print, on stderr",
	  AT(plan.show_output) },
	{ OPTION_FLAG, "same-output", 0, NULL,
	  "all commands must print the same bytes; trouble if not", AT(plan.same_output) },

	{ .kind = OPTION_GROUP, .help = "How it is run" },
	{ OPTION_DURATION, "timeout", 't', "TIME",
	  "kill a run and all its children after that time", AT(plan.timeout_ns) },
	{ OPTION_TEXT, "seed", 0, "N", "of the random order (default: drawn)", AT(plan.seed) },
	{ OPTION_TEXT, "cpu", 0, "N", "pin the runs to one processor", AT(plan.cpu) },
	{ OPTION_NO_FLAG, "no-env-pad", 0, NULL,
	  "do not vary the environment's size from run to run", AT(plan.environment_padding) },
	{ OPTION_FLAG, "ignore-failure", 0, NULL,
	  "count runs that fail instead of stopping at the first", AT(plan.ignore_failure) },
	{ OPTION_FLAG, "keep-strays", 0, NULL, "leave processes alive that outlive their run",
	  AT(plan.keep_strays) },
	{ OPTION_TEXT, "counters", 'e', "LIST",
	  "hardware counters: cycles,instructions,L1-icache-load-misses,...", AT(plan.counters) },
	{ OPTION_FLAG, "simulate", 0, NULL,
	  "also count instructions and cache misses under valgrind", AT(plan.simulate) },
	{ OPTION_FLAG, "null", 0, NULL,
	  "run an empty program in each round, too: what starting one costs here", AT(plan.null) },
	{ OPTION_FLAG, "dry-run", 0, NULL, "print plan and order, run nothing", AT(dry_run) },

	{ .kind = OPTION_GROUP, .help = "What is told and kept" },
	{ OPTION_FLAG, "all", 'a', NULL, "show every metric that was measured", AT(sheet.all) },
	QUESTION_OPTIONS(struct compare_settings, questions),
	{ OPTION_FLAG, "redact", 0, NULL, "leave out host name and paths", AT(sheet.redact) },
	{ OPTION_FLAG, "quiet", 'q', NULL, "no progress line", AT(quiet) },
	{ OPTION_NO_FLAG, "no-save", 0, NULL, "keep nothing in the history", AT(save) },
	STORE_OPTION(struct compare_settings, store),
	OUTPUT_OPTIONS(struct compare_settings, output),
	OPTION_TABLE_END,
};

/* What is measured, and what it is compared with besides. */
struct work {
	struct recording recording;
	struct past_baseline past; /* under --baseline */
	bool again;		   /* a session of the history goes on */
};

/* What the user asks for by --resume, --extend or commands: a recording with its plan. */
static bool work_prepare(struct measuring *measuring, struct history *history,
			 const struct compare_settings *settings, const struct operands *operands,
			 struct work *work, struct error *err)
{
	struct recording *recording = &work->recording;

	work->again = true;
	if (settings->resume != NULL)
		return past_resume(history, measuring->arena, settings->resume, recording, err);
	if (settings->extend != NULL)
		return past_extend(history, measuring->arena, settings->extend, recording, err);
	work->again = false;
	*recording = (struct recording){ .origin = "measured", .order_known = true };
	if (!plan_make(measuring->arena, &settings->plan, operands, &recording->plan, err))
		return false;
	/* Pairs of variants share the level of one look: that is the one after all rounds. */
	if (settings->questions.pareto != NULL)
		recording->plan.peek = false;
	if (settings->baseline == NULL)
		return true;
	if (recording->plan.subject_count != 1)
		return error_set(err, ERROR_USAGE,
				 "--baseline compares one command with the history, not a sweep");
	return past_baseline(history, measuring->arena, settings->baseline, &work->past, err);
}

/* Under --baseline what is judged holds the session of the history too. */
static int finish(struct measuring *measuring, const struct compare_settings *settings,
		  struct work *work, bool good, const struct error *trouble)
{
	struct judged_settings judged = { .sheet = &settings->sheet,
					  .questions = &settings->questions,
					  .output = &settings->output,
					  .require = (enum requirement)settings->require,
					  .bisect = settings->bisect };
	struct recording joined = work->recording;

	if (settings->baseline != NULL && work->recording.sample_count > 0)
		past_join(measuring->arena, &work->past, &work->recording, &joined);
	return judged_finish(measuring, &judged, &work->recording, &joined, good, trouble);
}

static int measure_and_judge(struct measuring *measuring, struct history *history,
			     const struct compare_settings *settings,
			     const struct operands *operands, struct error *err)
{
	struct work work = { 0 };
	bool good;

	if (!work_prepare(measuring, history, settings, operands, &work, err))
		return command_trouble(err);
	if (settings->dry_run)
		return dry_run_print(measuring->arena, &work.recording.plan, &settings->output, err)
			   ? EXIT_NOT_WORSE
			   : command_trouble(err);
	good = measured_run(measuring, &work.recording, work.again, err);
	return finish(measuring, settings, &work, good, err);
}

static bool check_together(const struct compare_settings *settings, const struct operands *operands,
			   struct error *err)
{
	bool again = settings->resume != NULL || settings->extend != NULL;

	if (settings->resume != NULL && settings->extend != NULL)
		return error_set(err, ERROR_USAGE, "--resume and --extend exclude each other");
	if (again && (operands->count > 0 || operands->has_rest))
		return error_set(err, ERROR_USAGE,
				 "--%s takes its commands from the history: give none",
				 settings->resume != NULL ? "resume" : "extend");
	if (again && plan_settings_given(&settings->plan))
		return error_set(
		    err, ERROR_USAGE,
		    "--%s keeps the plan that was made before the first run: leave out "
		    "what changes it; --require and the report's options may be given",
		    settings->resume != NULL ? "resume" : "extend");
	if (again && !settings->save)
		return error_set(err, ERROR_USAGE,
				 "--%s goes on in the history: leave out --no-save",
				 settings->resume != NULL ? "resume" : "extend");
	if (settings->bisect && settings->require != REQUIRE_NOTHING)
		return error_set(err, ERROR_USAGE, "--bisect and --require exclude each other");
	if (settings->baseline != NULL && (operands->count != 1 || settings->plan.self_check))
		return error_set(
		    err, ERROR_USAGE,
		    "--baseline compares one command with the history: give one command");
	if (settings->baseline != NULL && settings->plan.null)
		return error_set(err, ERROR_USAGE,
				 "--baseline and --null exclude each other: the session of the "
				 "history had no empty program in its rounds");
	if (settings->bisect && operands->count == 1 && settings->baseline == NULL)
		return error_set(
		    err, ERROR_USAGE,
		    "--bisect needs something to compare with: two commands, or one and "
		    "--baseline ID");
	return true;
}

/* "worth --redact report last": worth took the name of a command for a program to be measured. */
static bool check_operands(const struct program *program, const struct operands *operands,
			   struct error *err)
{
	const char *name = operands->count > 0 ? operands->items[0] : "";
	const struct command *const *command = program->commands;
	struct arena *arena;
	char *path;
	bool found;

	while (*command != NULL && strcmp((*command)->name, name) != 0)
		command++;
	if (*command == NULL)
		return true;
	arena = arena_open();
	found = file_find_program(arena, name, NULL, &path, NULL);
	arena_close(arena);
	return found || error_set(err, ERROR_USAGE,
				  "%s is a command of worth, and its options come behind it: "
				  "worth %s OPTION...",
				  name, name);
}

static int run_settings(struct program *program, struct arena *arena,
			const struct compare_settings *settings, const struct operands *operands,
			int argc, char **argv, struct error *err)
{
	struct measuring measuring = {
		.arena = arena,
		.spawner = program->spawner,
		.title = opened_title(arena, argv + 1, (size_t)argc - 1),
		.quiet = settings->quiet,
		.interrupt = { -1 },
	};
	bool needs_history = settings->resume || settings->extend || settings->baseline;
	struct history *history = NULL;
	int status;

	if (!check_operands(program, operands, err) || !check_together(settings, operands, err) ||
	    !judge_questions_check(&settings->questions, err) ||
	    !output_check(&settings->output, err) || !interrupt_open(&measuring.interrupt, err))
		return command_trouble(err);
	if ((settings->save && !settings->dry_run) || needs_history) {
		history = opened_history(settings->store, !needs_history, err);
		if (history == NULL)
			return command_trouble(err);
	}
	measuring.history = settings->save ? history : NULL;
	status = measure_and_judge(&measuring, history, settings, operands, err);
	history_close(history);
	interrupt_close(&measuring.interrupt);
	return status;
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct compare_settings settings = { .save = true };
	struct operands operands;
	struct error err = { 0 };
	int status;

	plan_settings_init(&settings.plan);
	output_settings_init(&settings.output);
	if (command_begins(arena, &command_compare, argc, argv, &settings, &operands, &status))
		status = run_settings(program, arena, &settings, &operands, argc, argv, &err);
	arena_close(arena);
	if (settings.bisect && status == EXIT_TROUBLE)
		status = EXIT_UNTESTABLE;
	return status;
}

static const char *const synopsis[] = {
	"[compare] [OPTION...] BASELINE CANDIDATE... [-- ARGUMENT...]",
	"[compare] [OPTION...] COMMAND",
	"compare --resume ID | --extend ID",
	NULL,
};

const struct command command_compare = {
	.name = "compare",
	.summary = "run commands in random order and judge what differs",
	.synopsis = synopsis,
	.description =
	    "Runs two or more commands interleaved in fresh random order and says of each "
	    "metric whether the candidate is faster, slower, equivalent within the margin, or "
	    "undecided, and then how many more rounds would decide it. The first command is the "
	    "baseline. One command alone is measured and shown, not judged.\n"
	    "\n"
	    "Each command is one argument, split into words as a shell would, and run without a "
	    "shell unless --shell is given. Arguments after -- are added to every command.\n"
	    "\n"
	    "Exit status: 0 the primary metric is not worse (better, equivalent or undecided), 1 "
	    "it is worse, 2 trouble, 129, 130 or 143 ended by a signal. With --require: 0 shown, "
	    "1 refuted, 3 undecided. With --bisect: 0 good, 1 bad, 125 undecided or trouble.",
	.examples = "# two builds, the same input\n"
		    "$ worth './sort.old big.txt' './sort.new big.txt'\n"
		    "# the same, shorter, with names\n"
		    "$ worth -n old -n new ./sort.old ./sort.new -- big.txt\n"
		    "# a gate for CI: fails unless 'not slower by more than 2%' is shown\n"
		    "$ worth --margin 2% --require not-worse ./base ./topic\n"
		    "# old and new at each of three sizes\n"
		    "$ worth -L size=1k,64k,1M './old --bs {size}' './new --bs {size}'\n"
		    "# a sheet for a mail and the data beside it\n"
		    "$ worth -o sheet.txt -o runs.csv ./base ./topic\n"
		    "# which commit made it slower\n"
		    "$ git bisect run sh -c 'make -s || exit 125; worth --bisect ./good ./prog'\n"
		    "# finish what was broken off\n"
		    "$ worth compare --resume last\n",
	.operands = COMPLETES_COMMAND,
	.options = options,
	.settings_size = sizeof(struct compare_settings),
	.measures = true,
	.run = run,
};
