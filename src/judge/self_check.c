/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same command on both sides: does this machine, with this setup, cry wolf? */
#include "judge/self_check.h"

#include <math.h>

enum { SEGMENT_PAIRS = 10 };
static const double segment_level = 0.05;
static const double alarm_level = 0.02;

/* P(exactly k of n) at the level of a segment. */
static double binomial_mass(size_t k, size_t n)
{
	double choices =
	    lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);

	return exp(choices + (double)k * log(segment_level) +
		   (double)(n - k) * log1p(-segment_level));
}

size_t self_check_threshold(size_t segments)
{
	double tail = 1;
	size_t k = 0;

	while (k < segments && tail >= alarm_level)
		tail -= binomial_mass(k++, segments);
	return tail < alarm_level ? k : segments + 1;
}

static size_t count_false_alarms(const struct contrast *whole, size_t segments)
{
	size_t alarms = 0, i;

	for (i = 0; i < segments; i++) {
		struct contrast segment = contrast_part(whole, i * SEGMENT_PAIRS, SEGMENT_PAIRS);
		struct interval cost = contrast_interval(&segment, segment_level);

		alarms += cost.low > 0 || cost.high < 0;
	}
	return alarms;
}

static struct self_check check(const struct contrast *contrast, double alpha)
{
	struct self_check check = { .segments = contrast->baseline_count / SEGMENT_PAIRS };
	struct interval cost = contrast_interval(contrast, alpha);
	bool turned = contrast->sign < 0;

	check.done = check.segments > 0;
	check.false_alarms = count_false_alarms(contrast, check.segments);
	check.alarm = check.false_alarms >= self_check_threshold(check.segments);
	check.change = contrast_shown(contrast, cost.estimate);
	check.change_low = contrast_shown(contrast, turned ? cost.high : cost.low);
	check.change_high = contrast_shown(contrast, turned ? cost.low : cost.high);
	return check;
}

void self_check_make(struct judging *judging)
{
	const struct recording *recording = judging->recording;
	struct self_check *result = &judging->findings->self_check;
	size_t candidate;

	if (!recording->plan.self_check || judging->primary == METRIC_NONE)
		return;
	for (candidate = 0; candidate < recording->plan.subject_count; candidate++) {
		struct contrast contrast;
		struct self_check one;

		if (!judging_is_candidate(recording, candidate))
			continue;
		contrast = contrast_make(judging->scratch, recording, (size_t)judging->primary,
					 candidate, recording->rounds_done);
		if (!contrast.paired || contrast.baseline_count < SEGMENT_PAIRS)
			continue;
		one = check(&contrast, 1 - recording->plan.confidence);
		if (!result->done || one.false_alarms > result->false_alarms)
			*result = one;
	}
}
