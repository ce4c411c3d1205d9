/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_RANK_H
#define STATS_RANK_H

#include <stddef.h>

/* Smallest k with P(V <= k) >= probability under the null of the signed-rank statistic of n values
 * (R's qsignrank): exact counts by dynamic programming up to n = 1000, beyond by the normal
 * approximation rounded down. 0 < probability <= 1/2. */
double rank_signed_quantile(double probability, size_t n);
/* The same for the rank-sum statistic of n and m values (R's qwilcox): exact up to 50 a side,
 * beyond the normal approximation with tie correction: ties = sum of (t^3 - t) over tied groups of
 * both samples together. Never below 0. */
double rank_sum_quantile(double probability, size_t n, size_t m, double ties);

/* Two-sided p of the signed-rank test that d is symmetric about 0. Zeros are dropped (Wilcoxon);
 * ties get mid-ranks. The exact permutation distribution up to n = 1000 without and 200 with ties,
 * beyond that the normal with tie and continuity correction. 1 if nothing is left. */
double rank_signed_p(const double *d, size_t n);
/* Two-sided p of the rank-sum test, exact permutation of mid-ranks up to 50 a side (all splits at
 * least as far from the expected sum), beyond that the normal with tie and continuity correction.
 * NAN for an empty side. */
double rank_sum_p(const double *a, size_t a_count, const double *b, size_t b_count);

/* Ranks 1..n with ties averaged, into ranks[0..n). Returns sum of t^3 - t over tied groups. */
double rank_mid(const double *x, size_t n, double *ranks);
/* Of two ascending samples: the sum of a's ranks among all values into *sum_a, ties averaged.
 * Returns sum of t^3 - t over tied groups. Needs no memory. */
double rank_merge(const double *a, size_t a_count, const double *b, size_t b_count, double *sum_a);

#endif
