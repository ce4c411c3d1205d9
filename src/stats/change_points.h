/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_CHANGE_POINTS_H
#define STATS_CHANGE_POINTS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Where a series of independent values changes its distribution: hierarchical
 * E-divisive estimation with energy distances, exponent 1 (Matteson and James,
 * JASA 109(505), 2014). Each step takes the split whose two sides differ most
 * and asks by permutation within the segments found so far whether that much
 * comes by luck; the first that may ends the search.
 */
struct change_settings {
	double level;	       /* of each step's test: 0.05 */
	unsigned permutations; /* 199 tell p values down to 0.005 */
	size_t least;	       /* values in a segment: 3, so that one stray value is none */
	uint64_t seed;
};

struct change_point {
	size_t index; /* of the first value of the new segment */
	double p;     /* of the step that found it */
};

/* Up to count / least points into points, in order of place; how many. Finite values only. Time
 * grows with the square of count, and with the number of permutations and of points. */
size_t change_points_find(const double *values, size_t count,
			  const struct change_settings *settings, struct change_point *points);

/* The largest scaled energy distance of a split of values into [0, t) and [t, k), both of at least
 * least values, and t in *split; negative if there is none. */
double change_points_split(const double *values, size_t count, size_t least, size_t *split);

#endif
