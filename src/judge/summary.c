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

struct summary summary_of_side(const struct contrast *contrast, unsigned side, enum better better)
{
	struct arena *arena = arena_open();
	struct summary summary =
	    summary_make(side == 0 ? contrast->baseline : contrast->candidate,
			 contrast_fine(arena, contrast, side),
			 side == 0 ? contrast->baseline_count : contrast->candidate_count, better);

	arena_close(arena);
	return summary;
}

/* Both groups' medians and shares when the dithered values are split at cut (of logarithms). */
static void split(const double *values, const double *fine, size_t count, double cut,
		  struct summary *summary)
{
	struct arena *arena = arena_open();
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
	arena_close(arena);
}

static struct groups groups_of(const double *fine, size_t count)
{
	struct arena *arena = arena_open();
	double *logs = arena_alloc(arena, count, sizeof *logs);
	struct groups groups;
	size_t i;

	for (i = 0; i < count; i++)
		logs[i] = log(fine[i]);
	groups = groups_find(logs, count);
	arena_close(arena);
	return groups;
}

static struct groups groups_of_side(const struct contrast *contrast, unsigned side)
{
	struct arena *arena = arena_open();
	struct groups groups =
	    groups_of(contrast_fine(arena, contrast, side),
		      side == 0 ? contrast->baseline_count : contrast->candidate_count);

	arena_close(arena);
	return groups;
}

static void split_side(const struct contrast *contrast, unsigned side, double cut,
		       struct summary *summary)
{
	struct arena *arena = arena_open();

	split(side == 0 ? contrast->baseline : contrast->candidate,
	      contrast_fine(arena, contrast, side),
	      side == 0 ? contrast->baseline_count : contrast->candidate_count, cut, summary);
	arena_close(arena);
}

void summary_groups(const struct contrast *contrast, struct summary *baseline,
		    struct summary *candidate)
{
	struct groups own, other;

	if (contrast->difference || contrast_count(contrast) == 0)
		return;
	own = groups_of_side(contrast, 0);
	other = groups_of_side(contrast, 1);
	baseline->two_groups = own.flagged;
	candidate->two_groups = other.flagged;
	if (own.flagged || other.flagged) {
		split_side(contrast, 0, own.flagged ? own.cut : other.cut, baseline);
		split_side(contrast, 1, other.flagged ? other.cut : own.cut, candidate);
	}
}

void summary_own_groups(const double *values, size_t count, struct summary *summary)
{
	struct groups own;
	size_t i;

	for (i = 0; i < count; i++)
		if (!(values[i] > 0))
			return;
	own = groups_of(values, count);
	summary->two_groups = own.flagged;
	if (own.flagged)
		split(values, values, count, own.cut, summary);
}
