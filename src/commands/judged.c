/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a measured recording to a report and an exit status: see judged.h. */
#include "commands/judged.h"

#include <stdio.h>

#include "base/units.h"
#include "commands/commands.h"
#include "commands/render.h"
#include "judge/judge.h"

/* What the reader of the history's list sees at once. */
static void remember_verdict(struct measuring *measuring, const struct recording *measured,
			     const struct recording *judged, const struct findings *findings)
{
	const struct comparison *primary = findings->comparisons;
	const struct metric *metric;

	if (measuring->history == NULL || measuring->save_error.kind != ERROR_NONE ||
	    findings->comparison_count == 0)
		return;
	metric = &judged->metrics[primary->metric];
	if (!history_verdict(
		measuring->history, measured->id, sheet_verdict_word(findings->verdict, metric),
		primary->difference ? NULL : units_change(measuring->arena, primary->change),
		&measuring->save_error))
		fprintf(stderr, "worth: %s\n", measuring->save_error.sentence);
}

void judged_remember(struct measuring *measuring, const struct recording *recording)
{
	struct findings findings = { 0 };

	judge_recording(measuring->arena, recording, &findings);
	remember_verdict(measuring, recording, recording, &findings);
}

/* Under --same-output commands that print different bytes did not do the same work, whatever their
 * times say. */
static bool same_output(const struct recording *recording, struct error *err)
{
	size_t differing = 0, i;

	for (i = 0; i < recording->sample_count; i++)
		differing += (recording->samples[i].flags & SAMPLE_OUTPUT_DIFFERS) != 0;
	if (differing == 0)
		return true;
	return error_set(err, ERROR_COMMAND,
			 "--same-output: %zu %s printed other bytes than the baseline", differing,
			 differing == 1 ? "run" : "runs");
}

static bool conclude(struct measuring *measuring, const struct judged_settings *settings,
		     const struct recording *measured, const struct recording *judged,
		     struct findings *findings, struct error *err)
{
	bool answered;

	judge_recording(measuring->arena, judged, findings);
	/* A session keeps its own verdict where several are judged together. */
	if (judged->plan.block == NULL || measured == judged)
		remember_verdict(measuring, measured, judged, findings);
	answered = settings->questions == NULL ||
		   judge_answer(measuring->arena, judged, settings->questions, findings, err);
	return render_findings(measuring->arena, judged, findings, settings->sheet,
			       settings->output, answered ? err : NULL) &&
	       answered;
}

int judged_finish(struct measuring *measuring, const struct judged_settings *settings,
		  const struct recording *measured, const struct recording *judged, bool good,
		  const struct error *trouble)
{
	struct findings findings = { 0 };
	struct error err = { 0 };
	bool told = true;
	int signal_taken;

	/* The user's words were off: what was measured until that was noticed is no answer. */
	if (!good && trouble->kind == ERROR_USAGE)
		return command_trouble(trouble);
	if (measured->sample_count > 0 && (good || measured->rounds_done > 0))
		told = conclude(measuring, settings, measured, judged, &findings, &err);
	told = told && same_output(measured, &err);
	if (!told)
		command_trouble(&err);
	if (!good)
		command_trouble(trouble);
	signal_taken = interrupt_taken(&measuring->interrupt);
	if (signal_taken != 0)
		return EXIT_SIGNAL + signal_taken;
	return told && good ? gate_status(&findings, settings->require, settings->bisect)
			    : EXIT_TROUBLE;
}
