/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many more runs would decide (method.md 3.9): the interval shrinks with
 * the square root of the runs, so rescale it until it clears 0 or the margin
 * from where the estimate stands ("probably"), or from the worst place a true
 * effect can be, half-way between them ("almost surely").
 */
#include <math.h>

#include "judge/verdict.h"

/* Beyond this a number of runs is no advice. */
static const double pairs_maximum = 1e9;

/* The total n' as further pairs, raised to where there is a look. */
static size_t further(const struct sequence *sequence, size_t n, double total)
{
	double extra = ceil(total - (double)n);
	size_t raised;

	if (!isfinite(total) || total > pairs_maximum)
		return 0;
	if (extra < 1)
		extra = 1;
	raised = sequence_raise(sequence, n + (size_t)extra);
	return raised - n;
}

/* What the next looks' level does to the interval. */
static double level_factor(const struct sequence *sequence)
{
	if (!sequence->peek || isnan(sequence->z_next) || !(sequence->look.z > 0))
		return 1;
	return pow(sequence->z_next / sequence->look.z, 2);
}

void verdict_more(const struct contrast *contrast, const struct sequence *sequence,
		  struct interval cost, struct comparison *comparison)
{
	size_t n = contrast_count(contrast);
	double half = (cost.high - cost.low) / 2;
	double distance = fabs(cost.estimate), margin = contrast->margin;
	double factor = level_factor(sequence) * (double)n;

	comparison->more_likely = comparison->more_surely = 0;
	if (comparison->reason == REASON_FLOOR)
		comparison->more_likely = contrast_floor(contrast) - n;
	if (comparison->reason != REASON_INTERVAL || !isfinite(half))
		return;
	comparison->more_likely =
	    further(sequence, n, factor * pow(half / fmax(distance, margin - distance), 2));
	comparison->more_surely = further(sequence, n, factor * pow(half / (margin / 2), 2));
}
