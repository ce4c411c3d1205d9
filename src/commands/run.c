/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth run FILE: an experiment file is read, its revisions are built, its
 * cells become a plan; from there on it is what worth compare does. --rev is
 * the short form for two revisions of one repository.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "commands/commands.h"
#include "commands/gate.h"
#include "commands/opened.h"
#include "commands/run/experiment.h"
#include "experiment/blocks.h"
#include "experiment/build.h"
#include "experiment/layout.h"

#define AT(field) offsetof(struct run_settings, field)

static const struct option options[] = {
	{ .kind = OPTION_GROUP, .help = "What is run" },
	{ OPTION_TEXTS, "set", 's', "KEY=VALUE", "as a line of [measure], after those of the file",
	  AT(set) },
	{ OPTION_TEXT, "rev", 0, "BASE..TOPIC",
	  "instead of a file: build both revisions of the repository here and run the command "
	  "after -- in each tree",
	  AT(revisions) },
	{ OPTION_TEXT, "build", 0, "CMD", "with --rev: the shell command that builds a tree",
	  AT(build), .completes = COMPLETES_COMMAND },
	{ OPTION_TEXT, "link", 0, "CMD",
	  "with --rev and --relink: the shell command that links what was built again", AT(link),
	  .completes = COMPLETES_COMMAND },
	{ OPTION_FLAG, "bisect", 0, NULL,
	  "with --rev: find the first revision that is worse by more than the margin", AT(bisect) },
	{ OPTION_COUNT, "rebuild", 0, "N",
	  "build each variant in N layouts and sample those: the interval then holds layout",
	  AT(rebuild), LAYOUTS_LEAST, LAYOUTS_MOST },
	{ OPTION_COUNT, "relink", 0, "N",
	  "the same by linking alone: build each variant once, link it in N layouts", AT(relink),
	  LAYOUTS_LEAST, LAYOUTS_MOST },
	{ OPTION_COUNT, "jobs", 'j', "N", "builds at once (default: one)", AT(jobs), 1, 64 },
	{ OPTION_FLAG, "yes", 0, NULL, "run more than 100 commands a round", AT(many) },

	{ .kind = OPTION_GROUP, .help = "Instead of running" },
	{ OPTION_FLAG, "example", 0, NULL, "print a commented experiment file", AT(example) },
	{ OPTION_FLAG, "check", 0, NULL,
	  "read the file and print what would be run; builds and runs nothing", AT(check) },
	{ OPTION_COUNT, "prune", 0, "DAYS", "remove kept builds unused for that many days",
	  AT(prune_days), 0, 100000 },

	{ .kind = OPTION_GROUP, .help = "What is told and kept" },
	{ OPTION_CHOICE, "require", 0, "CLAIM",
	  "demand proof: exit 0 if shown, 1 if refuted, 3 if undecided", AT(require),
	  .choices = gate_requirements },
	{ OPTION_FLAG, "all", 'a', NULL, "show every metric that was measured", AT(sheet.all) },
	QUESTION_OPTIONS(struct run_settings, questions),
	{ OPTION_FLAG, "redact", 0, NULL, "leave out host name and paths", AT(sheet.redact) },
	{ OPTION_FLAG, "quiet", 'q', NULL, "no progress line", AT(quiet) },
	{ OPTION_NO_FLAG, "no-save", 0, NULL, "keep nothing in the history", AT(save) },
	STORE_OPTION(struct run_settings, store),
	OUTPUT_OPTIONS(struct run_settings, output),
	OPTION_TABLE_END,
};

/* --rev BASE..TOPIC: two variants, whose command is run in their trees. */
static bool make_revisions(struct arena *arena, const struct run_settings *settings,
			   const struct operands *operands, struct experiment *experiment,
			   struct error *err)
{
	const char *dots = strstr(settings->revisions, "..");
	const char *topic;
	size_t i;

	if (dots == NULL || dots == settings->revisions)
		return error_set(err, ERROR_USAGE,
				 "--rev %s: write BASE..TOPIC, or BASE.. for what is checked out",
				 settings->revisions);
	if (operands->rest_count == 0)
		return error_set(err, ERROR_USAGE,
				 "--rev needs the command to be run, after --: worth run --rev "
				 "v1..v2 --build make -- ./bench");
	topic = dots[2] == '\0' ? "HEAD" : dots + 2;
	*experiment = (struct experiment){
		.path = "--rev",
		.variants = arena_alloc(arena, 2, sizeof *experiment->variants),
		.variant_count = 2,
		.cells = arena_alloc(arena, 1, sizeof *experiment->cells),
		.cell_count = 1,
	};
	for (i = 0; i < 2; i++)
		experiment->variants[i] = (struct variant){
			.name = i == 1 ? topic
				       : arena_strndup(arena, settings->revisions,
						       (size_t)(dots - settings->revisions)),
			.repository = arena_strdup(arena, "."),
			.build = settings->build,
			.link = settings->link,
			.directory = "{tree}",
			.command = words_join(arena, operands->rest, operands->rest_count),
		};
	experiment->variants[0].revision = experiment->variants[0].name;
	experiment->variants[1].revision = experiment->variants[1].name;
	return true;
}

static bool make_experiment(struct arena *arena, const struct run_settings *settings,
			    const struct operands *operands, struct experiment *experiment,
			    struct error *err)
{
	if (settings->revisions != NULL)
		return make_revisions(arena, settings, operands, experiment, err);
	if (operands->count != 1 || operands->has_rest)
		return error_set(err, ERROR_USAGE,
				 "give one experiment file (worth run --example prints one), or "
				 "--rev BASE..TOPIC and a command after --");
	return experiment_read(arena, operands->items[0], settings->many, experiment, err);
}

static bool check_together(const struct run_settings *settings, struct error *err)
{
	if (settings->bisect && settings->revisions == NULL)
		return error_set(err, ERROR_USAGE,
				 "--bisect needs --rev GOOD..BAD: the revisions to search");
	if (settings->rebuild > 0 && settings->relink > 0)
		return error_set(err, ERROR_USAGE, "--rebuild and --relink exclude each other");
	if (settings->bisect && (settings->rebuild > 0 || settings->relink > 0))
		return error_set(err, ERROR_USAGE, "--bisect and --%s exclude each other",
				 settings->rebuild > 0 ? "rebuild" : "relink");
	if (settings->link != NULL && (settings->revisions == NULL || settings->relink == 0))
		return error_set(err, ERROR_USAGE,
				 "--link belongs to --rev and --relink; in a file link is a key of "
				 "[variant]");
	if (settings->build != NULL && settings->revisions == NULL)
		return error_set(err, ERROR_USAGE,
				 "--build belongs to --rev; in a file it is a key of [variant]");
	if (settings->bisect && settings->require != REQUIRE_NOTHING)
		return error_set(err, ERROR_USAGE, "--bisect and --require exclude each other");
	return true;
}

/* By --rebuild or --relink, or as [blocks] says. */
static bool add_layouts(struct arena *arena, const struct run_settings *settings,
			struct experiment *experiment, struct error *err)
{
	const struct experiment_blocks *blocks = &experiment->blocks;
	size_t given = settings->rebuild > 0 ? settings->rebuild : settings->relink;
	bool layouts = blocks->kind == BLOCKS_REBUILDS || blocks->kind == BLOCKS_RELINKS;

	if (given > 0 && blocks->kind != BLOCKS_NONE && !layouts)
		return error_set(err, ERROR_USAGE,
				 "%s:%u: --%s and [blocks] with %s: only the outermost level that "
				 "is repeated counts, so choose one",
				 experiment->path, blocks->line,
				 settings->rebuild > 0 ? "rebuild" : "relink",
				 blocks_key(blocks->kind));
	if (given > 0)
		return layout_add(arena, experiment, given, settings->relink > 0, err);
	return !layouts ||
	       layout_add(arena, experiment, blocks->count, blocks->kind == BLOCKS_RELINKS, err);
}

static int run_file(struct program *program, struct arena *arena,
		    const struct run_settings *settings, const struct operands *operands, int argc,
		    char **argv, struct error *err)
{
	struct experiment experiment;

	if (!check_together(settings, err) || !judge_questions_check(&settings->questions, err) ||
	    !make_experiment(arena, settings, operands, &experiment, err))
		return command_trouble(err);
	if (!add_layouts(arena, settings, &experiment, err))
		return command_trouble(err);
	return run_experiment(program, arena, settings, &experiment,
			      opened_title(arena, argv, (size_t)argc), err);
}

static int prune(struct arena *arena, unsigned days, struct error *err)
{
	size_t removed;

	if (!builds_prune(arena, days, &removed, err))
		return command_trouble(err);
	printf("%zu build%s removed\n", removed, removed == 1 ? "" : "s");
	return EXIT_NOT_WORSE;
}

/* What is done instead of running takes no file. */
static bool check_alone(const struct run_settings *settings, const struct operands *operands,
			struct error *err)
{
	if (settings->example)
		return command_takes_nothing(operands, "--example", err);
	return settings->prune_days == UINT64_MAX ||
	       command_takes_nothing(operands, "--prune", err);
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct run_settings settings = { .save = true, .jobs = 1, .prune_days = UINT64_MAX };
	struct operands operands;
	struct error err = { 0 };
	int status;

	output_settings_init(&settings.output);
	if (!command_begins(arena, &command_run, argc, argv, &settings, &operands, &status))
		goto out;
	if (!check_alone(&settings, &operands, &err))
		status = command_trouble(&err);
	else if (settings.example)
		status = fputs(experiment_example, stdout) < 0 ? EXIT_TROUBLE : EXIT_NOT_WORSE;
	else if (settings.prune_days != UINT64_MAX)
		status = prune(arena, (unsigned)settings.prune_days, &err);
	else
		status = run_file(program, arena, &settings, &operands, argc, argv, &err);
out:
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = {
	"run [OPTION...] FILE",
	"run --rev RANGE [--build CMD] [--bisect] [OPTION...] -- COMMAND [ARGUMENT...]",
	"run --example | --prune DAYS",
	NULL,
};

const struct command command_run = {
	.name = "run",
	.summary = "run an experiment file: variants, revisions, factors, workloads",
	.synopsis = synopsis,
	.description =
	    "Runs what an experiment file describes: variants (commands, programs, or revisions "
	    "of a git repository and how to build them), factors with levels, workloads, and how "
	    "to measure and judge. Every variant runs in every cell, all interleaved in fresh "
	    "random order, and in each cell it is compared with the first variant. worth run "
	    "--example prints a commented file to start from.\n"
	    "\n"
	    "Revisions are built in trees of worth's own below $XDG_CACHE_HOME/worth/builds, "
	    "never in your checkout, without running hooks, and kept there until tree, build "
	    "command, compiler or environment change. A revision that does not build is left "
	    "out, which is told, and makes the exit status 2; the rest goes on.\n"
	    "\n"
	    "[blocks] in the file repeats the whole over sessions, rebuilds, relinks, reboots or "
	    "hosts, and "
	    "the answer is over these. Of reboots and hosts each call measures one and takes the "
	    "others from the history.\n"
	    "\n"
	    "--bisect halves the first-parent line from BASE to TOPIC, each step decided by the "
	    "same verdicts as a comparison with BASE; a revision whose verdict is undecided, or "
	    "that does not build, is passed over as git bisect skip would. The confidence is "
	    "that of the whole search: each step is decided at a stricter one.\n"
	    "\n"
	    "Exit status: as of worth compare; with --bisect 0 the first worse revision was "
	    "found or there is none, 3 it is one of several, 2 trouble.",
	.examples = "# a file to start from, then what it would do, then the doing\n"
		    "$ worth run --example > hash.ini\n"
		    "$ worth run --check hash.ini\n"
		    "$ worth run hash.ini -o hash.html\n"
		    "# two revisions of the repository here\n"
		    "$ worth run --rev v1.0..HEAD --build 'make -s' -- ./bench --short\n"
		    "# which commit made it slower\n"
		    "$ worth run --rev v1.0..HEAD --bisect --build 'make -s' -- "
		    "./bench\n",
	.options = options,
	.settings_size = sizeof(struct run_settings),
	.measures = true,
	.run = run,
};
