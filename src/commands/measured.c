/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one place where the rooms meet for a measurement: measure/ runs, judge/
 * answers at the looks, store/ keeps every round, the progress line shows where
 * it stands.
 */
#include "commands/measured.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "commands/opened.h"
#include "commands/progress.h"
#include "commands/project.h"
#include "commands/summaries.h"
#include "commands/sized.h"
#include "judge/judge.h"
#include "measure/environment.h"
#include "measure/runner.h"
#include "measure/session.h"
#include "measure/counters.h"
#include "measure/simulated.h"

struct watch {
	struct measuring *measuring;
	struct progress progress;
};

/* A primary metric that no run gave is noticed after the first round, not after the last. */
static bool primary_exists(struct arena *arena, const struct recording *recording,
			   struct error *err)
{
	const char *primary = recording->plan.primary;
	const struct metric *known = primary == NULL ? NULL : metric_known_called(primary);
	struct text names = { 0 };
	bool counter;
	size_t i;

	if (recording->plan.all_decide ||
	    recording_metric_called(recording, primary) != METRIC_NONE)
		return true;
	/* Simulated runs come after the timed ones. */
	if (recording->plan.simulate && known != NULL && known->source == SOURCE_SIMULATED)
		return true;
	for (i = 0; i < recording->metric_count; i++)
		text_printf(&names, "%s%s", i > 0 ? ", " : "", recording->metrics[i].name);
	counter = recording->plan.counter_count == 0 && counters_check(primary, NULL);
	error_set(err, ERROR_USAGE, "--primary %s: no run gave such a metric; there are: %s. %s",
		  text_clean(arena, primary, strlen(primary)), text_string(&names),
		  counter ? arena_printf(arena, "--counters %s counts it", primary)
			  : "A workload reports its own by lines 'name value unit' on the "
			    "descriptor in WORTH_FD");
	text_release(&names);
	return false;
}

/* A reported metric that decides must come from every command: noticed after the first round too.
 */
static bool primary_on_all_sides(struct arena *arena, const struct recording *recording,
				 struct error *err)
{
	const char *primary = recording->plan.primary;
	int metric = primary == NULL ? METRIC_NONE : recording_metric_called(recording, primary);
	size_t i;

	if (metric == METRIC_NONE || recording->metrics[metric].source != SOURCE_REPORTED)
		return true;
	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];
		const char *label = recording->plan.subjects[sample->subject].label;

		if (!(sample->flags & SAMPLE_FAILED) && isnan(sample->values[metric]) &&
		    !recording->plan.subjects[sample->subject].empty)
			return error_set(
			    err, ERROR_USAGE,
			    "--primary %s: '%s' does not report it; every command must",
			    text_clean(arena, primary, strlen(primary)),
			    text_clean(arena, label, strlen(label)));
	}
	return true;
}

static bool save_round(void *context, const struct recording *recording, size_t first,
		       struct error *err)
{
	struct watch *watch = context;
	struct measuring *measuring = watch->measuring;
	struct error *kept = &measuring->save_error;

	if (!primary_exists(measuring->arena, recording, err) ||
	    (first == 0 && !primary_on_all_sides(measuring->arena, recording, err)))
		return false;
	if (measuring->history == NULL || kept->kind != ERROR_NONE)
		return true;
	if (!history_keep(measuring->history, recording, first, kept)) {
		progress_clear(&watch->progress);
		fprintf(stderr,
			"worth: %s; measuring goes on, later rounds of session %s are not saved\n",
			kept->sentence, recording->id);
	}
	return true;
}

static struct session_advice look(void *context, const struct recording *recording,
				  size_t rounds_done)
{
	struct judge_look judged = judge_look(recording, rounds_done);

	(void)context;
	return (struct session_advice){
		.is_look = judged.is_look,
		.stop = judged.stop,
		.half_width_ratio = judged.half_width_ratio,
	};
}

static void show(void *context, const struct session_progress *at)
{
	struct watch *watch = context;

	progress_show(&watch->progress, at);
}

static void warn(void *context, const char *sentence)
{
	struct watch *watch = context;

	progress_clear(&watch->progress);
	fprintf(stderr, "worth: %s\n", sentence);
}

static bool after_rounds(void *context, struct recording *recording, struct error *err)
{
	struct watch *watch = context;

	progress_clear(&watch->progress);
	return watch->measuring->after_rounds(watch->measuring, recording, err);
}

static bool simulate(void *context, struct recording *recording, struct error *err)
{
	struct watch *watch = context;
	struct measuring *measuring = watch->measuring;

	progress_clear(&watch->progress);
	return simulated_measure(measuring->arena, recording, measuring->spawner,
				 measuring->interrupt.fd, err);
}

static bool save_begin(struct measuring *measuring, struct recording *recording, bool again,
		       struct error *err)
{
	if (measuring->history == NULL)
		return true;
	history_set_project(measuring->history, project_name(measuring->arena));
	return again ? history_reopen(measuring->history, recording, err)
		     : history_begin(measuring->history, measuring->arena, recording,
				     measuring->title, err);
}

static void save_end(struct measuring *measuring, const struct recording *recording)
{
	struct error *kept = &measuring->save_error;

	if (measuring->history == NULL || kept->kind != ERROR_NONE)
		return;
	if (!history_end(measuring->history, recording, kept) ||
	    !summaries_save(measuring->history, recording, kept))
		fprintf(stderr, "worth: %s; the end of this session is not saved\n",
			kept->sentence);
	opened_say(measuring->history);
}

bool measured_run(struct measuring *measuring, struct recording *recording, bool again,
		  struct error *err)
{
	struct watch watch = { .measuring = measuring };
	struct session_events events = {
		.context = &watch,
		.round_done = save_round,
		.look = recording->plan.subject_count > 1 ? look : NULL,
		.progress = show,
		.warn = warn,
		.before_cleanup = measuring->after_rounds != NULL ? after_rounds
				  : recording->plan.simulate	  ? simulate
								  : NULL,
	};
	struct runner children, runner;
	bool good;

	if (!again)
		environment_read(measuring->arena, &recording->before);
	if (!save_begin(measuring, recording, again, err))
		return false;
	progress_init(&watch.progress, measuring->quiet);
	children = measuring->runner != NULL
		       ? *measuring->runner
		       : runner_exec(measuring->spawner, measuring->interrupt.fd);
	runner = runner_sized(measuring->arena, &children);
	good = session_run(measuring->arena, recording, &runner, &events, measuring->interrupt.fd,
			   err);
	progress_clear(&watch.progress);
	save_end(measuring, recording);
	/* Wrong words cost nothing, not even a line in the history. */
	if (!good && !again && measuring->history != NULL && err->kind == ERROR_USAGE)
		history_delete(measuring->history, measuring->arena, recording->id, NULL, NULL);
	/* The report must not send its reader to a session that is not there, or not whole. */
	if (measuring->save_error.kind != ERROR_NONE)
		recording->id = NULL;
	return good;
}
