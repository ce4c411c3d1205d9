/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_TOLD_H
#define JUDGE_TOLD_H

#include "judge/contrast.h"
#include "stats/tests.h"

/*
 * Means that a table tells of runs that are not there: judged by Welch's t test
 * on the logarithms of the means (method.md 3.12), which assumes that the runs
 * vary normally. The number of runs must be told; the floor is that of other
 * unpaired figures.
 */

/* Make the contrast one of means if either side has no runs but a mean of them; a side that has
 * runs is summarized. Whether it is one. */
bool told_take(struct arena *arena, const struct recording *recording, size_t metric,
	       size_t candidate, struct contrast *contrast);

/* Both counts are told, and some spread. */
bool told_is_complete(const struct contrast *contrast);

/* On the scale of costs; the bounds are NAN below 2 runs a side or if it is not complete. */
struct welch told_welch(const struct contrast *contrast, double alpha);

/* The mean as a summary for showing. */
struct summary told_summary(const struct told_mean *mean);

#endif
