/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What worth run and worth study do with an experiment: see experiment.h. */
#include "commands/run/experiment.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "commands/dry_run.h"
#include "commands/judged.h"
#include "commands/opened.h"
#include "commands/run/bisect.h"
#include "commands/run/blocks.h"
#include "commands/run/builds.h"
#include "commands/run/plan.h"

/* KEY=VALUE of --set, as if it stood at the end of [measure]. */
static bool add_settings(struct arena *arena, const struct run_settings *settings,
			 struct plan_settings *plan, struct error *err)
{
	struct experiment given = { .path = "--set" };
	size_t i;

	given.settings = arena_alloc(arena, settings->set.count, sizeof *given.settings);
	for (i = 0; i < settings->set.count; i++) {
		const char *word = settings->set.items[i], *equals = strchr(word, '=');

		if (equals == NULL)
			return error_set(err, ERROR_USAGE,
					 "--set %s: write KEY=VALUE, as rounds=20", word);
		given.settings[given.setting_count++] = (struct setting){
			.key = arena_strndup(arena, word, (size_t)(equals - word)),
			.value = equals + 1,
			.line = (unsigned)i + 1,
		};
	}
	return run_settings_read(arena, &given, plan, err);
}

/* Trees that are not there. */
static void name_trees(struct arena *arena, const struct experiment *experiment,
		       struct variant *variant)
{
	size_t i;

	variant->tree = arena_printf(arena, "(tree of %s)", variant->revision);
	for (i = 0; i < experiment->layouts; i++)
		variant->layout_trees[i] =
		    arena_printf(arena, "(tree of %s, layout %zu)", variant->revision, i + 1);
}

/* Nothing is looked up or executed: the file, and what its words become. */
static int check(struct arena *arena, const struct run_settings *settings,
		 struct experiment *experiment, const struct plan_settings *plan_settings,
		 struct error *err)
{
	struct plan plan;
	size_t i;

	for (i = 0; i < experiment->variant_count; i++)
		if (experiment->variants[i].revision != NULL)
			name_trees(arena, experiment, &experiment->variants[i]);
	if (!run_plan_make(arena, experiment, plan_settings, false, &plan, err) ||
	    !dry_run_print(arena, &plan, &settings->output, err))
		return command_trouble(err);
	return EXIT_NOT_WORSE;
}

/* A recipe that calls its compiler by a path is not reached. */
static void warn_of_layouts(struct arena *arena, const struct plan *plan)
{
	const struct subject *first = &plan->subjects[0];
	size_t i;

	if (plan->block == NULL || strcmp(plan->block, "layout") != 0 || first->build_id == NULL)
		return;
	for (i = 1; i < plan->subject_count; i++)
		if (plan->subjects[i].baseline == i &&
		    (plan->subjects[i].build_id == NULL ||
		     strcmp(plan->subjects[i].build_id, first->build_id) != 0))
			return;
	fprintf(
	    stderr,
	    "worth: all layouts of '%s' run the same file: the build has to call its compiler as "
	    "cc, gcc, clang, c++, g++ or clang++, not by a path\n",
	    text_clean(arena, first->label, strlen(first->label)));
}

/* A baseline whose candidates are all missing is not worth measuring. */
static bool has_candidate(const struct experiment *experiment, struct error *err)
{
	size_t i;

	for (i = 1; i < experiment->variant_count; i++)
		if (!experiment->variants[i].missing)
			return true;
	return experiment->variant_count == 1 ||
	       error_set(err, ERROR_COMMAND,
			 "nothing but the baseline '%s' could be had: there is nothing to compare "
			 "it with",
			 experiment->variants[0].name);
}

static int measure(struct measuring *measuring, const struct run_settings *settings,
		   struct experiment *experiment, const struct plan_settings *plan_settings,
		   struct error *err)
{
	struct run_builds builds = { .jobs = settings->jobs,
				     .interrupt_fd = measuring->interrupt.fd,
				     .quiet = settings->quiet };
	struct judged_settings judged = { .sheet = &settings->sheet,
					  .questions = &settings->questions,
					  .output = &settings->output,
					  .require = (enum requirement)settings->require };
	struct recording recording = { .origin = "measured", .order_known = true };
	size_t missing;
	int status;

	if (!run_builds_make(measuring->arena, experiment, &builds, &missing, err) ||
	    !has_candidate(experiment, err) ||
	    !run_plan_make(measuring->arena, experiment, plan_settings, true, &recording.plan,
			   err)) {
		status = interrupt_taken(&measuring->interrupt);
		command_trouble(err);
		return status != 0 ? EXIT_SIGNAL + status : EXIT_TROUBLE;
	}
	warn_of_layouts(measuring->arena, &recording.plan);
	/* Pairs of variants share the level of one look: that is the one after all rounds. */
	if (settings->questions.pareto != NULL)
		recording.plan.peek = false;
	if (experiment->blocks.kind >= BLOCKS_SESSIONS)
		status = run_blocks(measuring, experiment, &judged, &recording, err);
	else
		status = judged_finish(measuring, &judged, &recording, &recording,
				       measured_run(measuring, &recording, false, err), err);
	if (missing == 0 || status == EXIT_TROUBLE)
		return status;
	error_set(err, ERROR_COMMAND, "%zu variant%s could not be had and %s missing above",
		  missing, missing == 1 ? "" : "s", missing == 1 ? "is" : "are");
	return command_trouble(err);
}

int run_experiment(struct program *program, struct arena *arena,
		   const struct run_settings *settings, struct experiment *experiment,
		   const char *title, struct error *err)
{
	struct measuring measuring = {
		.arena = arena,
		.spawner = program->spawner,
		.title = title,
		.quiet = settings->quiet,
		.interrupt = { -1 },
	};
	struct plan_settings plan;
	int status;

	plan_settings_init(&plan);
	if (!run_settings_read(arena, experiment, &plan, err) ||
	    !add_settings(arena, settings, &plan, err) || !output_check(&settings->output, err))
		return command_trouble(err);
	if (settings->check)
		return check(arena, settings, experiment, &plan, err);
	if (!interrupt_open(&measuring.interrupt, err))
		return command_trouble(err);
	if (settings->save) {
		measuring.history = opened_history(settings->store, true, err);
		if (measuring.history == NULL)
			return command_trouble(err);
	}
	status = settings->bisect ? run_bisect(&measuring, settings, experiment, &plan, err)
				  : measure(&measuring, settings, experiment, &plan, err);
	history_close(measuring.history);
	interrupt_close(&measuring.interrupt);
	return status;
}
