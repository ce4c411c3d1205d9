/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Summaries for the reader: mean and deviation because they are known, median,
 * extremes, runs far out on either side (5 robust deviations), and two groups.
 * Nothing here changes an interval; outliers are counted, never dropped.
 */
#include "judge/summary.h"

#include <math.h>

#include "stats/groups.h"
#include "stats/order.h"

static const double far_out = 5; /* robust deviations */

static void extremes(const double *values, size_t count, struct summary *summary)
{
	size_t i;

	summary->lowest = summary->highest = values[0];
	for (i = 1; i < count; i++) {
		summary->lowest = fmin(summary->lowest, values[i]);
		summary->highest = fmax(summary->highest, values[i]);
	}
}

/* Without any spread (MAD 0) there is no measure of what is far. */
static void far_runs(const double *fine, size_t count, enum better better, struct summary *summary)
{
	double median = order_median(fine, count);
	double reach = far_out * order_mad(fine, count);
	size_t above = 0, below = 0, i;

	if (!(reach > 0))
		return;
	for (i = 0; i < count; i++) {
		above += fine[i] > median + reach;
		below += fine[i] < median - reach;
	}
	summary->slow_runs = better == BETTER_HIGHER ? below : above;
	summary->fast_runs = better == BETTER_HIGHER ? above : below;
}

struct summary summary_make(const double *values, const double *fine, size_t count,
			    enum better better)
{
	struct summary summary = { .count = count,
				   .mean = NAN,
				   .deviation = NAN,
				   .median = NAN,
				   .lowest = NAN,
				   .highest = NAN,
				   .group_centres = { NAN, NAN },
				   .group_shares = { NAN, NAN } };

	if (count == 0)
		return summary;
	summary.mean = order_mean(values, count);
	summary.deviation = order_deviation(values, count);
	summary.median = order_median(values, count);
	extremes(values, count, &summary);
	far_runs(fine, count, better, &summary);
	return summary;
}

/* Both groups' medians and shares when the dithered values are split at cut (of logarithms). */
static void split(struct arena *arena, const double *values, const double *fine, size_t count,
		  double cut, struct summary *summary)
{
	double *parts[2];
	size_t counts[2] = { 0, 0 }, i;

	for (i = 0; i < 2; i++)
		parts[i] = arena_alloc(arena, count, sizeof *parts[i]);
	for (i = 0; i < count; i++) {
		size_t side = log(fine[i]) > cut;

		parts[side][counts[side]++] = values[i];
	}
	for (i = 0; i < 2; i++) {
		summary->group_centres[i] = counts[i] > 0 ? order_median(parts[i], counts[i]) : NAN;
		summary->group_shares[i] = (double)counts[i] / (double)count;
	}
}

static struct groups groups_of(struct arena *arena, const double *fine, size_t count)
{
	double *logs = arena_alloc(arena, count, sizeof *logs);
	size_t i;

	for (i = 0; i < count; i++)
		logs[i] = log(fine[i]);
	return groups_find(logs, count);
}

void summary_groups(const struct contrast *contrast, struct summary *baseline,
		    struct summary *candidate)
{
	struct arena *arena;
	struct groups own, other;

	if (contrast->difference || contrast_count(contrast) == 0)
		return;
	arena = arena_open();
	own = groups_of(arena, contrast->baseline_fine, contrast->baseline_count);
	other = groups_of(arena, contrast->candidate_fine, contrast->candidate_count);
	baseline->two_groups = own.flagged;
	candidate->two_groups = other.flagged;
	if (own.flagged || other.flagged) {
		split(arena, contrast->baseline, contrast->baseline_fine, contrast->baseline_count,
		      own.flagged ? own.cut : other.cut, baseline);
		split(arena, contrast->candidate, contrast->candidate_fine,
		      contrast->candidate_count, other.flagged ? other.cut : own.cut, candidate);
	}
	arena_close(arena);
}

void summary_own_groups(const double *values, size_t count, struct summary *summary)
{
	struct arena *arena;
	struct groups own;
	size_t i;

	for (i = 0; i < count; i++)
		if (!(values[i] > 0))
			return;
	arena = arena_open();
	own = groups_of(arena, values, count);
	summary->two_groups = own.flagged;
	if (own.flagged)
		split(arena, values, values, count, own.cut, summary);
	arena_close(arena);
}
