/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings about what was compared and how: too few runs, order, builds, self check, remarks. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "judge/self_check.h"
#include "judge/warnings/warnings.h"

/* One time in how many the best imaginable outcome comes about by luck: all signs alike, or one
 * side wholly beyond the other. */
static double luck_of(const struct contrast *contrast)
{
	double a = (double)(contrast->told ? contrast->means[0].count : contrast->baseline_count);
	double b = (double)(contrast->told ? contrast->means[1].count : contrast->candidate_count);

	if (contrast->paired)
		return exp2(a - 1);
	return exp(lgamma(a + b + 1) - lgamma(a + 1) - lgamma(b + 1)) / 2;
}

static void warn_few_unpaired(struct judging *judging, const struct row *row)
{
	size_t n = contrast_count(&row->contrast);
	size_t missing = contrast_floor(&row->contrast) - n;

	warning_add(judging, WARNING_FEW_RUNS, (int)row->comparison->metric,
		    "%zu %s a side cannot decide anything: even if all of one side beat all of the "
		    "other, luck does that 1 time in %.0f; %zu more %s a side is the least.",
		    n, n == 1 ? "run" : "runs", fmax(luck_of(&row->contrast), 1), missing,
		    missing == 1 ? "run" : "runs");
}

static void warn_few_paired(struct judging *judging, const struct row *row)
{
	size_t n = contrast_count(&row->contrast);
	size_t missing = contrast_floor(&row->contrast) - n;

	warning_add(judging, WARNING_FEW_RUNS, (int)row->comparison->metric,
		    "%zu %s cannot decide anything: even if one side won all of them, luck does "
		    "that 1 time in %.0f; %zu more %s the least.",
		    n, n == 1 ? "pair" : "pairs", fmax(luck_of(&row->contrast), 1), missing,
		    missing == 1 ? "is" : "are");
}

static void warn_few_alone(struct judging *judging)
{
	const struct comparison *comparison = judging->rows[0].comparison;
	struct contrast beside = { .paired = judging->recording->order_known };
	size_t least = contrast_floor(&beside);

	if (!comparison->exact && comparison->pairs < least)
		warning_add(judging, WARNING_FEW_RUNS, (int)comparison->metric,
			    "%zu %s of one command could not have shown any difference: %zu %s the "
			    "least.",
			    comparison->pairs, comparison->pairs == 1 ? "run" : "runs", least,
			    beside.paired ? "are" : "a side are");
}

/* The session ended before it could be judged at all. */
static void warn_no_look(struct judging *judging)
{
	const struct sequence *sequence = &judging->sequence;

	if (sequence->rounds_done > 0 && sequence->looks.count > 0)
		warning_add(judging, WARNING_FEW_RUNS, METRIC_NONE,
			    "The session ended after %zu %s, before its first look at %zu: there "
			    "is no verdict.",
			    sequence->rounds_done, sequence->rounds_done == 1 ? "round" : "rounds",
			    sequence->looks.items[0].n);
}

/* Said once, of the primary metric or else of the first that has too few. */
void warn_few_runs(struct judging *judging)
{
	size_t i;

	if (judging->sequence.look.n == 0 && judging->findings->verdict != VERDICT_INVALID &&
	    plan_candidate_count(&judging->recording->plan) > 0)
		warn_no_look(judging);
	for (i = 0; i < judging->row_count; i++) {
		const struct row *row = &judging->rows[i];

		if (!judging_is_candidate(judging->recording, row->comparison->candidate)) {
			warn_few_alone(judging);
			return;
		}
		if (row->comparison->reason != REASON_FLOOR ||
		    row_metric(judging, row)->source == SOURCE_SIMULATED ||
		    contrast_count(&row->contrast) == 0)
			continue;
		if (row->contrast.paired)
			warn_few_paired(judging, row);
		else
			warn_few_unpaired(judging, row);
		return;
	}
}

static bool anything_measured(const struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->row_count; i++)
		if (!judging->rows[i].comparison->exact &&
		    judging_is_candidate(judging->recording,
					 judging->rows[i].comparison->candidate))
			return true;
	return false;
}

static bool is_imported(const struct recording *recording)
{
	return recording->origin != NULL && strcmp(recording->origin, "measured") != 0;
}

void warn_not_interleaved(struct judging *judging)
{
	const struct recording *recording = judging->recording;

	if (!anything_measured(judging))
		return;
	if (!recording->order_known)
		warning_add(judging, WARNING_NOT_INTERLEAVED, METRIC_NONE,
			    "The runs were not interleaved: drift between the two batches would "
			    "look the same.");
	else if (recording->plan.order == ORDER_FIXED && is_imported(recording))
		warning_add(judging, WARNING_NOT_INTERLEAVED, METRIC_NONE,
			    "In which order the runs of a round came is not known: if it was "
			    "always the same, whatever favours a place in it would look like a "
			    "difference.");
	else if (recording->plan.order == ORDER_FIXED)
		warning_add(
		    judging, WARNING_NOT_INTERLEAVED, METRIC_NONE,
		    "The order within a round was always the same: whatever favours a place "
		    "in it would look like a difference.");
}

/* Whether a candidate is another program than its baseline, as far as is known. */
static bool other_build(const struct judging *judging, size_t candidate)
{
	const struct plan *plan = &judging->recording->plan;
	const char *one =
	    plan->subjects[recording_baseline(judging->recording, candidate)].build_id;
	const char *other = plan->subjects[candidate].build_id;

	return one == NULL || other == NULL || strcmp(one, other) != 0;
}

void warn_one_build(struct judging *judging)
{
	const struct plan *plan = &judging->recording->plan;
	size_t candidate;

	if (plan->self_check || !anything_measured(judging) ||
	    (plan->block != NULL && strcmp(plan->block, "layout") == 0))
		return;
	for (candidate = 0; candidate < plan->subject_count; candidate++) {
		if (!judging_is_candidate(judging->recording, candidate) ||
		    !other_build(judging, candidate))
			continue;
		warning_add(
		    judging, WARNING_ONE_BUILD, METRIC_NONE,
		    "One build of each was compared: code layout alone can move small loops "
		    "by several per cent, and this interval does not contain that.");
		return;
	}
}

/* The half width of the pooled interval, as a ratio. */
static double resolution(const struct self_check *check)
{
	return expm1((log1p(check->change_high) - log1p(check->change_low)) / 2);
}

void warn_self_check(struct judging *judging)
{
	const struct self_check *check = &judging->findings->self_check;

	if (!check->done)
		return;
	if (check->alarm)
		warning_add(
		    judging, WARNING_SELF_CHECK, judging->primary,
		    "The same command against itself differed in %zu of %zu segments, where "
		    "luck gives fewer than %zu: differences measured on this machine in "
		    "this way cannot be trusted.",
		    check->false_alarms, check->segments, self_check_threshold(check->segments));
	else if (isfinite(check->change_low) && isfinite(check->change_high))
		warning_add(
		    judging, WARNING_SELF_CHECK, judging->primary,
		    "The same command against itself differed in %zu of %zu segments, as "
		    "luck allows. This many runs resolve %s here; the setup itself adds %s, "
		    "and smaller effects are not the candidate's.",
		    check->false_alarms, check->segments,
		    judging_digits(judging, resolution(check)),
		    units_change(judging->scratch, check->change));
}

/* Means without their runs: what the verdicts then rest on, and why some have none. */
void warn_summaries(struct judging *judging)
{
	size_t judged = 0, uncounted = 0, i;

	for (i = 0; i < judging->row_count; i++) {
		const struct row *row = &judging->rows[i];

		if (!row->contrast.told)
			continue;
		judged += row->comparison->reason != REASON_SUMMARY;
		uncounted += contrast_count(&row->contrast) == 0;
	}
	if (judged > 0)
		warning_add(judging, WARNING_SUMMARIES, METRIC_NONE,
			    "Only means and deviations were given, not the runs: intervals are "
			    "Welch's, which assume that runs are independent and vary normally.");
	if (uncounted > 0)
		warning_add(judging, WARNING_SUMMARIES, METRIC_NONE,
			    "Means without the number of runs behind them were not judged: the "
			    "same mean and deviation show much or nothing, depending on it.");
}

/* What the user asked to decide by was never measured. */
static void warn_no_primary(struct judging *judging)
{
	const struct recording *recording = judging->recording;
	struct text names = { 0 };
	size_t i;

	for (i = 0; i < recording->metric_count; i++)
		text_printf(&names, "%s%s", i > 0 ? ", " : "", recording->metrics[i].name);
	warning_add(judging, WARNING_REMARK, METRIC_NONE,
		    "The primary metric \"%s\" was not measured, so there is no verdict; there are "
		    "%s.",
		    recording->plan.primary,
		    names.length > 0 ? text_string(&names) : "no others either");
	text_release(&names);
}

/* A margin whose metric is misspelt would be missed by nobody. */
static void warn_idle_margins(struct judging *judging)
{
	const struct recording *recording = judging->recording;
	size_t i;

	for (i = 0; i < recording->plan.margin_count; i++) {
		const char *name = recording->plan.margins[i].metric;

		if (recording_metric_called(recording, name) == METRIC_NONE)
			warning_add(judging, WARNING_REMARK, METRIC_NONE,
				    "The margin given for \"%s\" serves nothing: no run gave such "
				    "a metric.",
				    name);
	}
}

void warn_remarks(struct judging *judging)
{
	const struct recording *recording = judging->recording;
	size_t i;

	if (judging->primary == METRIC_NONE && recording->plan.primary != NULL)
		warn_no_primary(judging);
	warn_idle_margins(judging);
	for (i = 0; i < recording->remark_count; i++)
		warning_add(judging, WARNING_REMARK, METRIC_NONE, "%s", recording->remarks[i]);
}
