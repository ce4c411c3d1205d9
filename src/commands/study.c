/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth study: the bundled experiments, each about something that was claimed.
 * A study is an experiment file with claims, so all of it is what worth run
 * does; the page ends in whether the claims hold here.
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/words.h"
#include "commands/commands.h"
#include "commands/opened.h"
#include "commands/run/experiment.h"
#include "experiment/studies.h"

struct study_settings {
	struct run_settings run;
	bool quick, print;
};

#define AT(field) offsetof(struct study_settings, field)

static const struct option options[] = {
	{ .kind = OPTION_GROUP, .help = "What is run" },
	{ OPTION_FLAG, "quick", 0, NULL, "a short form that shows how it goes and seldom decides",
	  AT(quick) },
	{ OPTION_TEXTS, "set", 's', "KEY=VALUE", "as a line of [measure], after those of the study",
	  AT(run.set) },

	{ .kind = OPTION_GROUP, .help = "Instead of running" },
	{ OPTION_FLAG, "check", 0, NULL, "print what would be run", AT(run.check) },
	{ OPTION_FLAG, "print", 0, NULL,
	  "print the study's file, to be changed and given to worth run", AT(print) },

	{ .kind = OPTION_GROUP, .help = "What is told and kept" },
	{ OPTION_FLAG, "all", 'a', NULL, "show every metric that was measured", AT(run.sheet.all) },
	{ OPTION_FLAG, "redact", 0, NULL, "leave out host name and paths", AT(run.sheet.redact) },
	{ OPTION_FLAG, "quiet", 'q', NULL, "no progress line", AT(run.quiet) },
	{ OPTION_NO_FLAG, "no-save", 0, NULL, "keep nothing in the history", AT(run.save) },
	STORE_OPTION(struct study_settings, run.store),
	OUTPUT_OPTIONS(struct study_settings, run.output),
	OPTION_TABLE_END,
};

static bool list(struct arena *arena, struct error *err)
{
	struct experiment experiment;
	size_t i;

	puts("Studies (worth study NAME runs one):\n");
	for (i = 0; i < study_count(); i++) {
		if (!study_read(arena, study_name(i), &experiment, err))
			return false;
		printf("  %-20s %s\n", study_name(i), experiment.title);
	}
	return true;
}

static bool print_file(const char *name, struct arena *arena, struct error *err)
{
	struct experiment experiment;

	return study_read(arena, name, &experiment, err) &&
	       (fputs(study_text(name), stdout) >= 0 ||
		error_set(err, ERROR_SYSTEM, "cannot write to standard output"));
}

/* The short form's settings come before those of --set. */
static void shorten(struct arena *arena, const struct experiment *experiment,
		    struct run_settings *settings)
{
	struct option_texts set = { 0 };
	size_t capacity = 0, i;

	for (i = 0; i < experiment->quick.count; i++)
		*array_push(arena, set.items, set.count, capacity) = experiment->quick.items[i];
	for (i = 0; i < settings->set.count; i++)
		*array_push(arena, set.items, set.count, capacity) = settings->set.items[i];
	settings->set = set;
}

static int run_study(struct program *program, struct arena *arena, struct study_settings *settings,
		     const char *name, const char *title, struct error *err)
{
	struct experiment experiment;

	if (!study_read(arena, name, &experiment, err))
		return command_trouble(err);
	settings->run.questions.pareto = experiment.pareto;
	if (settings->quick)
		shorten(arena, &experiment, &settings->run);
	return run_experiment(program, arena, &settings->run, &experiment, title, err);
}

static int dispatch(struct program *program, struct arena *arena, struct study_settings *settings,
		    const struct operands *operands, const char *title, struct error *err)
{
	bool good;

	if (operands->count > 1 || operands->has_rest) {
		error_set(err, ERROR_USAGE, "give one study; worth study lists them");
		return command_trouble(err);
	}
	if (operands->count == 0 && (settings->print || settings->run.check || settings->quick)) {
		error_set(err, ERROR_USAGE, "%s needs the name of a study; worth study lists them",
			  settings->print	? "--print"
			  : settings->run.check ? "--check"
						: "--quick");
		return command_trouble(err);
	}
	if (operands->count == 1 && !settings->print)
		return run_study(program, arena, settings, operands->items[0], title, err);
	good = operands->count == 1 ? print_file(operands->items[0], arena, err) : list(arena, err);
	return good ? EXIT_NOT_WORSE : command_trouble(err);
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct study_settings settings = { .run = { .save = true, .jobs = 1, .many = true } };
	struct operands operands;
	struct error err = { 0 };
	int status;

	output_settings_init(&settings.run.output);
	if (command_begins(arena, &command_study, argc, argv, &settings, &operands, &status))
		status = dispatch(program, arena, &settings, &operands,
				  opened_title(arena, argv, (size_t)argc), &err);
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = { "study", "study [OPTION...] NAME", NULL };

const struct command command_study = {
	.name = "study",
	.summary = "reproduce or refute a published claim on this machine",
	.synopsis = synopsis,
	.description =
	    "Without a name: what studies there are. With one, it is run: each is an experiment as "
	    "of worth run, over workloads that worth has with it, and claims that were published "
	    "about what it measures. The page is that of an experiment and ends in the claims, "
	    "each reproduced, refuted or undecided on this machine, beside what was published.\n"
	    "\n"
	    "The interval decides, never its middle: a claim of at least 2% lower is reproduced "
	    "where the whole interval is below -2%, refuted where it is wholly above, and "
	    "undecided otherwise. The intervals of a study's claims hold together.\n"
	    "\n"
	    "Exit status: 0 all claims were reproduced, 1 one was refuted, 3 some are undecided, "
	    "2 trouble.",
	.examples = "# what there is, and one of them\n"
		    "$ worth study\n"
		    "$ worth study ptrlist-nr -o ptrlist.html\n"
		    "# a first impression\n"
		    "$ worth study --quick mutex-pipe\n"
		    "# the same with other levels\n"
		    "$ worth study --print mutex-pipe > mine.ini\n"
		    "$ worth run mine.ini\n",
	.operands = COMPLETES_STUDY,
	.options = options,
	.settings_size = sizeof(struct study_settings),
	.measures = true,
	.run = run,
};
