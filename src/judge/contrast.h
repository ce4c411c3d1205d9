/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_CONTRAST_H
#define JUDGE_CONTRAST_H

#include "model/recording.h"
#include "stats/location.h"

/*
 * One metric of one candidate beside the baseline, made ready for an interval
 * (method.md 3.2, 3.3). Effects are costs: positive means that the candidate
 * costs more, whatever the metric's direction; log ratios where all values are
 * positive, else differences in the metric's unit.
 */
struct contrast {
	bool paired;	 /* values of one index are of one round */
	bool difference; /* some value was not positive: no logarithms */
	bool constant;	 /* each side has a single value throughout */
	bool counted;	 /* whole numbers of events: exact, so no step hides anything */
	bool dithered;	 /* equal values were spread over the clock's step */
	bool told;	 /* means of runs that are not there, and no values: see judge/told.h */
	struct told_mean means[2]; /* of baseline and candidate where told */
	int sign;		   /* -1 where higher is better */
	size_t baseline_count;
	size_t candidate_count; /* equal to baseline_count where paired */
	const double *baseline; /* as measured, in run order */
	const double *candidate;
	uint64_t seed;	 /* of the spreading */
	const double *d; /* costs of the pairs; NULL where unpaired */
	const uint32_t *rounds;
	const bool *baseline_first;
	double quantum; /* step of the clock, 0: none known */
	double guard;	/* what the interval is widened by on both sides (3.3) */
	double margin;	/* on the scale of effects; NAN: no margin can be formed */
	double margin_ratio;
	bool margin_given;
};

/* Values of the first rounds rounds; all of them if the metric is measured outside of rounds or the
 * order of runs is unknown. */
struct contrast contrast_make(struct arena *arena, const struct recording *recording, size_t metric,
			      size_t candidate, size_t rounds);

/* The values of one side (0: the baseline) as ranks see them: spread over the clock's step where
 * that is needed, else as measured. Made anew in arena each time: of millions of values a copy for
 * each use that is freed at once takes less than one that stays. */
const double *contrast_fine(struct arena *arena, const struct contrast *contrast, unsigned side);

/* The smaller side's count of values or of runs told: what the floor is held against. */
size_t contrast_count(const struct contrast *contrast);
/* Below it nothing is decided: 6 pairs, or 4 runs a side. */
size_t contrast_floor(const struct contrast *contrast);

/* Estimate and interval of the cost at two-sided level alpha, guard included. Infinite below the
 * floor, where no claim can be made; the estimate is NAN without values. */
struct interval contrast_interval(const struct contrast *contrast, double alpha);

/* The pairs first..first+count of a contrast as one of their own, in whose memory they stay. */
struct contrast contrast_part(const struct contrast *contrast, size_t first, size_t count);

/*
 * The interval of an effect that wanders (3.8): it contains that of all pairs
 * and those of two to four consecutive parts of ten pairs or more, so whatever
 * it excludes, each part excludes too. Unbounded where there are too few pairs
 * for two parts that can be bounded at this level.
 */
struct interval contrast_interval_throughout(const struct contrast *contrast, double alpha);

/* Two-sided p that there is no effect: signed-rank of the pairs, or rank-sum of the measured
 * values. NAN without values on both sides. */
double contrast_p(const struct contrast *contrast);

/* The effect itself wanders or trends (3.8): no one number describes it. 20 pairs at least. */
bool contrast_unstable(const struct contrast *contrast);

/* An effect on the scale of costs as it is shown: raw candidate/baseline - 1, or the difference in
 * the metric's unit. */
double contrast_shown(const struct contrast *contrast, double cost);

/* The cost of the pair of that round; NAN if there is none. Paired contrasts only: their rounds
 * rise. */
double contrast_cost_in_round(const struct contrast *contrast, uint32_t round);

#endif
