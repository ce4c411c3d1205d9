/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict rules (method.md 3.5). One interval serves all claims: inside the
 * margin is equivalence (two one-sided tests, Schuirmann 1987, at half the
 * level each), excluding 0 is a difference, and the rest is undecided with
 * whatever the interval does exclude. An effect that wanders has an interval
 * that speaks of every part of the session (3.8), to which the same rules apply.
 */
#include "judge/verdict.h"

#include <math.h>

#include "judge/told.h"
#include "stats/order.h"

/* Losing, for a metric that has a direction. */
static enum verdict of_direction(enum better better, bool costs_more)
{
	if (better == BETTER_NEITHER)
		return VERDICT_CHANGED;
	return costs_more ? VERDICT_WORSE : VERDICT_BETTER;
}

/* "Consistently 0.3% slower" must not come from the spreading of equal values over a step. */
static bool excludes_zero(const struct contrast *contrast, struct interval cost)
{
	double slack = 0;

	if (contrast->dithered && contrast->difference)
		slack = contrast->quantum;
	else if (contrast->dithered)
		slack = contrast->quantum /
			fmin(order_median(contrast->baseline, contrast->baseline_count),
			     order_median(contrast->candidate, contrast->candidate_count));
	return cost.low > slack || cost.high < -slack;
}

/* A difference that more runs may show; not where a step hides it, or where nothing but a shift can
 * be shown because the margin is a share of nothing. */
static enum undecided_reason what_is_missing(const struct contrast *contrast)
{
	if (contrast->guard > 0)
		return REASON_CLOCK;
	return isnan(contrast->margin) ? REASON_VALUES : REASON_INTERVAL;
}

/* Inside the margin; without one, only the same count in every run of both sides is. */
static bool is_equivalent(const struct contrast *contrast, struct interval cost)
{
	double margin = contrast->margin;

	if (isnan(margin))
		return cost.low == 0 && cost.high == 0;
	return cost.low > -margin && cost.high < margin;
}

static void decide(const struct contrast *contrast, enum better better, struct interval cost,
		   struct comparison *comparison)
{
	double margin = contrast->margin;

	comparison->verdict = VERDICT_UNDECIDED;
	if (contrast->told && !told_is_complete(contrast)) {
		comparison->reason = REASON_SUMMARY;
	} else if (contrast_count(contrast) < contrast_floor(contrast)) {
		comparison->reason = REASON_FLOOR;
	} else if (is_equivalent(contrast, cost)) {
		comparison->verdict = VERDICT_EQUIVALENT;
		comparison->consistent = excludes_zero(contrast, cost);
	} else if (cost.high < 0 || cost.low > 0) {
		comparison->verdict = of_direction(better, cost.low > 0);
		comparison->beyond_margin = cost.high < -margin || cost.low > margin;
	} else {
		comparison->reason =
		    comparison->unstable ? REASON_UNSTABLE : what_is_missing(contrast);
		comparison->not_worse = better != BETTER_NEITHER && cost.high < margin;
		comparison->not_better = better != BETTER_NEITHER && cost.low > -margin;
	}
}

static void show(const struct contrast *contrast, struct interval cost,
		 struct comparison *comparison)
{
	bool turned = contrast->sign < 0;

	comparison->change = contrast_shown(contrast, cost.estimate);
	comparison->change_low = contrast_shown(contrast, turned ? cost.high : cost.low);
	comparison->change_high = contrast_shown(contrast, turned ? cost.low : cost.high);
}

/* An amount on the scale of effects as a ratio; differences are held against the baseline's median,
 * which the margin is a share of. NAN if that is not positive. */
static double as_ratio(const struct contrast *contrast, double amount)
{
	if (!contrast->difference)
		return expm1(amount);
	return contrast->margin > 0 && contrast->margin_ratio > 0
		   ? amount * contrast->margin_ratio / contrast->margin
		   : NAN;
}

/* Half the interval: what differs by more would have shown, more often than not. */
static double resolvable(const struct contrast *contrast, struct interval cost)
{
	double half = (cost.high - cost.low) / 2;

	return isfinite(half) ? as_ratio(contrast, half) : NAN;
}

static double clock_step(const struct contrast *contrast)
{
	double step = contrast->guard;

	if (contrast->difference && step > 0)
		step = as_ratio(contrast, step);
	return isnan(step) ? 0 : step;
}

void verdict_measured(const struct contrast *contrast, const struct sequence *sequence,
		      enum better better, double alpha, struct comparison *comparison)
{
	struct interval cost;

	comparison->unstable = contrast_unstable(contrast);
	cost = comparison->unstable ? contrast_interval_throughout(contrast, alpha)
				    : contrast_interval(contrast, alpha);
	comparison->level = alpha;
	comparison->method = contrast->told	? "welch"
			     : contrast->paired ? "signed-rank"
						: "rank-sum";
	comparison->clock_step_ratio = clock_step(contrast);
	comparison->reason = REASON_NONE;
	show(contrast, cost, comparison);
	comparison->resolvable_ratio = resolvable(contrast, cost);
	decide(contrast, better, cost, comparison);
	verdict_more(contrast, sequence, cost, comparison);
}

bool verdict_is_exact(const struct contrast *contrast, const struct metric *metric)
{
	if (contrast->told || contrast_count(contrast) == 0 || !contrast->constant)
		return false;
	/* One simulated run cannot tell whether a second would agree. */
	return metric->exact ||
	       ((metric->source == SOURCE_SIMULATED || metric->source == SOURCE_EMULATED) &&
		contrast_count(contrast) >= 2);
}

void verdict_exact(const struct contrast *contrast, enum better better,
		   struct comparison *comparison)
{
	double a = contrast->baseline[0], b = contrast->candidate[0];
	double cost = contrast->sign * (contrast->difference ? b - a : log(b / a));

	comparison->exact = true;
	comparison->method = "exact";
	comparison->level = NAN;
	comparison->p = NAN;
	comparison->resolvable_ratio = NAN;
	comparison->change = contrast->difference ? b - a : b / a - 1;
	comparison->change_low = comparison->change_high = comparison->change;
	if (a == b) {
		comparison->verdict = VERDICT_SAME;
		return;
	}
	comparison->verdict = of_direction(better, cost > 0);
	if (!contrast->margin_given || isnan(contrast->margin))
		return;
	comparison->beyond_margin = fabs(cost) > contrast->margin;
	if (fabs(cost) < contrast->margin) {
		comparison->verdict = VERDICT_EQUIVALENT;
		comparison->consistent = true;
	}
}

enum verdict verdict_worst(enum verdict one, enum verdict other)
{
	static const int badness[] = {
		[VERDICT_BETTER] = 0,  [VERDICT_SAME] = 1,    [VERDICT_EQUIVALENT] = 2,
		[VERDICT_CHANGED] = 3, [VERDICT_NONE] = 4,    [VERDICT_UNDECIDED] = 5,
		[VERDICT_WORSE] = 6,   [VERDICT_INVALID] = 7,
	};

	return badness[one] >= badness[other] ? one : other;
}
