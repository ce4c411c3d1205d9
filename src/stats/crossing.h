/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_CROSSING_H
#define STATS_CROSSING_H

#include <stddef.h>

/*
 * Where a difference that is measured at rising levels x[0..levels) changes its
 * sign, as confidence sets by inverting a test (Fieller 1954 has this of a
 * ratio; here the test is the signed rank's). d[level * rounds + round] is the
 * difference at a level in a round; a round (a layout, a session) is one value of
 * the sample. Between two levels a round's difference goes in a straight line,
 * over log x where both are above 0 and else over x. A place x belongs to the set where
 * the signed-rank interval, at two-sided level alpha, of the rounds' differences
 * at x contains 0. So a place where the difference is really 0 is in the set with
 * probability 1 - alpha, however many such places there are; how the
 * difference goes between two levels is assumed and not seen, but a
 * set that ends between two levels is between them under any assumption.
 *
 * The set falls into parts, and what is shown on both sides of one says what it
 * is: + and - a crossing; the same twice none; nothing (the levels end
 * there) that the difference may cross beyond.
 */
struct crossing_part {
	double low, high;  /* -INFINITY, INFINITY where the levels end within it */
	double estimate;   /* where the Hodges-Lehmann estimate changes sign in it; NAN: nowhere */
	int before, after; /* sign that is shown on either side: 1, -1; 0: the levels end */
};

/* The parts in rising order, at most most of them; how many. 2 levels and 1 round at least. Between
 * levels that show the same sign none is looked for. first: the sign that the first level shows. */
size_t crossing_parts(const double *x, const double *d, size_t levels, size_t rounds, double alpha,
		      struct crossing_part *parts, size_t most, int *first);

#endif
