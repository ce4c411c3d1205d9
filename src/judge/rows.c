/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the findings: which metric of which candidate, with its summaries and its verdict. */
#include "judge/rows.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "judge/failures.h"
#include "judge/summary.h"
#include "judge/told.h"
#include "judge/verdict.h"
#include "model/series.h"
#include "stats/order.h"
#include "stats/tests.h"

static int first_shown(const struct recording *recording)
{
	size_t i;

	for (i = 0; i < recording->metric_count; i++)
		if (!recording->metrics[i].hidden)
			return (int)i;
	return METRIC_NONE;
}

int rows_primary_metric(const struct recording *recording)
{
	bool measured = recording->origin == NULL || strcmp(recording->origin, "measured") == 0;
	const char *named = recording->plan.primary;
	int metric = named != NULL ? recording_metric_called(recording, named) : METRIC_NONE;

	if (recording->plan.all_decide || metric != METRIC_NONE || (named != NULL && measured))
		return metric;
	metric = recording_metric(recording, "wall");
	return metric != METRIC_NONE ? metric : first_shown(recording);
}

/* Without a completed look nothing is compared; what was run is still shown. */
static size_t rounds_shown(const struct judging *judging)
{
	const struct sequence *sequence = &judging->sequence;

	return sequence->look.n > 0 ? sequence->look.n : sequence->rounds_done;
}

/* "Typical or total?": the means beside the typical change. */
static double mean_change(const struct contrast *contrast, const struct comparison *comparison)
{
	if (contrast->difference || contrast_count(contrast) == 0)
		return NAN;
	return comparison->other.mean / comparison->baseline.mean - 1;
}

static void summarize(struct row *row, enum better better)
{
	struct comparison *comparison = row->comparison;
	const struct contrast *contrast = &row->contrast;

	if (contrast->told) {
		comparison->baseline = told_summary(&contrast->means[0]);
		comparison->other = told_summary(&contrast->means[1]);
		comparison->mean_change = mean_change(contrast, comparison);
		return;
	}
	comparison->baseline = summary_of_side(contrast, 0, better);
	comparison->other = summary_of_side(contrast, 1, better);
	summary_groups(contrast, &comparison->baseline, &comparison->other);
	comparison->mean_change = mean_change(contrast, comparison);
}

struct comparison rows_blank(size_t metric, size_t candidate)
{
	return (struct comparison){ .metric = metric,
				    .candidate = candidate,
				    .change = NAN,
				    .change_low = -INFINITY,
				    .change_high = INFINITY,
				    .mean_change = NAN,
				    .level = NAN,
				    .p = NAN,
				    .p_adjusted = NAN,
				    .welch_low = NAN,
				    .welch_high = NAN,
				    .welch_p = NAN,
				    .resolvable_ratio = NAN,
				    .verdict = VERDICT_NONE };
}

/* A row, unless the metric was measured on neither side. */
static void add_row(struct judging *judging, size_t metric, size_t candidate)
{
	const struct recording *recording = judging->recording;
	struct row *row = &judging->rows[judging->row_count];
	struct comparison *comparison = row->comparison;

	row->contrast =
	    contrast_make(judging->scratch, recording, metric, candidate, rounds_shown(judging));
	if (row->contrast.baseline_count + row->contrast.candidate_count == 0 &&
	    !row->contrast.told && (int)metric != judging->primary)
		return;
	*comparison = rows_blank(metric, candidate);
	comparison->primary = (int)metric == judging->primary;
	comparison->paired = row->contrast.paired;
	comparison->difference = row->contrast.difference;
	comparison->pairs = contrast_count(&row->contrast);
	comparison->margin_ratio = row->contrast.margin_ratio;
	comparison->margin_given = row->contrast.margin_given;
	summarize(row, recording->metrics[metric].better);
	judging->row_count++;
}

/*
 * One command alone: what could n pairs of runs like these have shown? Ratios
 * of neighbouring runs vary as the ratio within a pair would, with drift
 * cancelled alike, so the half-width of n such pairs is z 1.02 s / sqrt(n)
 * (method.md 3.9), and never less than a step of the clock.
 */
static double resolvable_alone(struct arena *arena, const struct judging *judging,
			       const double *values, size_t count, double quantum)
{
	double *steps = arena_alloc(arena, count, sizeof *steps);
	double z = judging->sequence.look.z, half;
	size_t i;

	if (count < 6)
		return NAN;
	for (i = 0; i < count; i++)
		if (!(values[i] > 0))
			return NAN;
	for (i = 0; i + 1 < count; i++)
		steps[i] = log(values[i + 1] / values[i]);
	if (!(z > 0))
		z = -test_normal_quantile((1 - judging->recording->plan.confidence) / 2);
	half = z * 1.02 * order_mad(steps, count - 1) / sqrt((double)count);
	return fmax(expm1(half), quantum / order_median(values, count));
}

static void add_alone(struct judging *judging, size_t metric, size_t subject)
{
	const struct metric *column = &judging->recording->metrics[metric];
	struct row *row = &judging->rows[judging->row_count];
	struct series series =
	    series_make(judging->scratch, judging->recording, metric, subject, SIZE_MAX);
	struct comparison *comparison = row->comparison;
	const struct told_mean *told = recording_mean(judging->recording, metric, subject);

	if (series.count == 0 && told == NULL)
		return;
	*comparison = rows_blank(metric, subject);
	if (series.count == 0) {
		comparison->primary = (int)metric == judging->primary;
		comparison->baseline = told_summary(told);
		comparison->other = summary_make(NULL, NULL, 0, column->better);
		judging->row_count++;
		return;
	}
	comparison->primary = (int)metric == judging->primary;
	comparison->pairs = series.count;
	comparison->baseline =
	    summary_make(series.values, series.values, series.count, column->better);
	comparison->other = summary_make(NULL, NULL, 0, column->better);
	summary_own_groups(series.values, series.count, &comparison->baseline);
	if (column->exact)
		comparison->exact = true;
	else
		comparison->resolvable_ratio = resolvable_alone(
		    judging->scratch, judging, series.values, series.count, column->quantum);
	judging->row_count++;
}

static void add_metric(struct judging *judging, size_t metric)
{
	const struct plan *plan = &judging->recording->plan;
	bool alone = plan_candidate_count(plan) == 0;
	size_t subject;

	for (subject = 0; subject < plan->subject_count; subject++) {
		if (alone)
			add_alone(judging, metric, subject);
		else if (judging_is_candidate(judging->recording, subject))
			add_row(judging, metric, subject);
	}
}

void rows_make(struct judging *judging)
{
	const struct recording *recording = judging->recording;
	size_t capacity = recording->metric_count * recording->plan.subject_count;
	struct comparison *comparisons;
	size_t i;

	comparisons = arena_alloc(judging->arena, capacity, sizeof *comparisons);
	judging->rows = arena_alloc(judging->scratch, capacity, sizeof *judging->rows);
	for (i = 0; i < capacity; i++)
		judging->rows[i].comparison = &comparisons[i];
	if (judging->primary != METRIC_NONE)
		add_metric(judging, (size_t)judging->primary);
	for (i = 0; i < recording->metric_count; i++)
		if ((int)i != judging->primary)
			add_metric(judging, i);
	judging->findings->comparisons = comparisons;
	judging->findings->comparison_count = judging->row_count;
}

/* The measured values on the scale of effects; the dithered ones are for ranks. */
static double *raw_costs(struct arena *arena, const struct contrast *contrast, const double *values,
			 size_t count)
{
	double *costs = arena_alloc(arena, count, sizeof *costs);
	size_t i;

	for (i = 0; i < count; i++)
		costs[i] = contrast->sign * (contrast->difference ? values[i] : log(values[i]));
	return costs;
}

/* For readers who know it, beside figures of unknown order. It decides nothing. */
static void add_welch(const struct row *row, double alpha)
{
	const struct contrast *contrast = &row->contrast;
	struct comparison *comparison = row->comparison;
	size_t a = contrast->baseline_count, b = contrast->candidate_count;
	struct arena *arena;
	struct welch welch;

	if (contrast->paired || contrast->constant || contrast_count(contrast) < 2)
		return;
	arena = arena_open();
	if (contrast->told)
		welch = told_welch(contrast, alpha);
	else
		welch = test_welch(raw_costs(arena, contrast, contrast->baseline, a), a,
				   raw_costs(arena, contrast, contrast->candidate, b), b, alpha);
	arena_close(arena);
	comparison->welch_low =
	    contrast_shown(contrast, contrast->sign < 0 ? welch.high : welch.low);
	comparison->welch_high =
	    contrast_shown(contrast, contrast->sign < 0 ? welch.low : welch.high);
	comparison->welch_p = welch.p;
}

static void measure(struct judging *judging, struct row *row, double alpha)
{
	const struct metric *metric = row_metric(judging, row);
	struct comparison *comparison = row->comparison;

	if (isnan(comparison->p))
		comparison->p = comparison->p_adjusted = contrast_p(&row->contrast);
	verdict_measured(&row->contrast, &judging->sequence, metric->better, alpha, comparison);
	add_welch(row, alpha);
	/* Simulated runs are always two; more of them are not on offer. */
	if (metric->source == SOURCE_SIMULATED)
		comparison->more_likely = comparison->more_surely = 0;
}

/* Nothing is claimed of a side whose runs fail. */
static void invalidate(struct comparison *comparison)
{
	comparison->verdict = VERDICT_INVALID;
	comparison->reason = REASON_NONE;
	comparison->unstable = false;
	comparison->beyond_margin = comparison->consistent = false;
	comparison->not_worse = comparison->not_better = false;
	comparison->more_likely = comparison->more_surely = 0;
}

void rows_judge(struct judging *judging, struct row *row, double alpha)
{
	const struct metric *metric = row_metric(judging, row);
	struct comparison *comparison = row->comparison;

	if (verdict_is_exact(&row->contrast, metric))
		verdict_exact(&row->contrast, metric->better, comparison);
	else if (judging->sequence.look.n > 0)
		measure(judging, row, alpha);
	/* The size of a file does not depend on whether its program works. */
	if (metric->source != SOURCE_FILE &&
	    failures_invalidate(judging->recording, comparison->candidate))
		invalidate(comparison);
}

struct judging rows_judging(struct arena *arena, const struct recording *recording,
			    struct findings *findings)
{
	return (struct judging){ .arena = arena,
				 .scratch = arena_open(),
				 .recording = recording,
				 .findings = findings,
				 .sequence = sequence_make(recording),
				 .primary = rows_primary_metric(recording) };
}
