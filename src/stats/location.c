/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hodges-Lehmann estimates and their intervals: see location.h.
 *
 * The estimate is the median of all pairwise averages (differences); the
 * bounds are the averages (differences) whose ranks from either end are the
 * lower quantile of the signed-rank (rank-sum) statistic: Hollander and Wolfe,
 * Nonparametric Statistical Methods, sections 3.3 and 4.3. A quantile of 0 says
 * that so few values support no finite bound at this level.
 */
#include "stats/location.h"

#include <assert.h>
#include <math.h>

#include "base/arena.h"
#include "stats/order.h"
#include "stats/pairwise.h"
#include "stats/rank.h"

/* 2,001,000 averages of 2000 values are 16 MB; 4 million differences are 32 MB. */
static const uint64_t averages_formed_most = 2001000;
static const uint64_t differences_formed_most = 4000000;

/* Ascending copy, each value times sign (1 or -1). */
static double *sorted_copy(struct arena *arena, const double *x, size_t n, double sign)
{
	double *copy = arena_alloc(arena, n, sizeof *copy);
	size_t i;

	for (i = 0; i < n; i++) {
		assert(isfinite(x[i]));
		copy[i] = sign * x[i];
	}
	order_sort(copy, n);
	return copy;
}

/* Median, k-th smallest and k-th largest element (k = 0: no bounds). */
static struct interval pairwise_interval(const struct pairwise *pairs, double k,
					 uint64_t formed_most)
{
	struct interval interval = { .low = -INFINITY, .high = INFINITY };
	uint64_t count = pairwise_count(pairs);
	uint64_t ranks[4] = { 0, (count - 1) / 2, count / 2, count - 1 };
	double values[4];

	if (k >= 1) {
		ranks[0] = (uint64_t)k - 1;
		ranks[3] = count - (uint64_t)k;
		pairwise_select(pairs, ranks, 4, formed_most, values);
		interval.low = values[0];
		interval.high = values[3];
	} else {
		pairwise_select(pairs, ranks + 1, 2, formed_most, values + 1);
	}
	interval.estimate = (values[1] + values[2]) / 2;
	return interval;
}

struct interval location_paired(const double *d, size_t n, double alpha)
{
	struct arena *arena = arena_open();
	double *sorted = sorted_copy(arena, d, n, 1);
	struct pairwise averages = { .rows = sorted,
				     .row_count = n,
				     .columns = sorted,
				     .column_count = n,
				     .scale = 0.5,
				     .triangle = true };
	struct interval interval;

	assert(n >= 1);
	interval =
	    pairwise_interval(&averages, rank_signed_quantile(alpha / 2, n), averages_formed_most);
	arena_close(arena);
	return interval;
}

/* Sum of t^3 - t over the tied groups of both samples together. */
static double pooled_ties(struct arena *arena, const double *a, size_t a_count, const double *b,
			  size_t b_count)
{
	double *pooled = arena_alloc(arena, a_count + b_count, sizeof *pooled);
	double *ranks = arena_alloc(arena, a_count + b_count, sizeof *ranks);
	size_t i;

	for (i = 0; i < a_count; i++)
		pooled[i] = a[i];
	for (i = 0; i < b_count; i++)
		pooled[a_count + i] = b[i];
	return rank_mid(pooled, a_count + b_count, ranks);
}

struct interval location_two_sample(const double *a, size_t a_count, const double *b,
				    size_t b_count, double alpha)
{
	struct arena *arena = arena_open();
	struct pairwise differences = { .rows = sorted_copy(arena, b, b_count, 1),
					.row_count = b_count,
					.columns = sorted_copy(arena, a, a_count, -1),
					.column_count = a_count,
					.scale = 1,
					.triangle = false };
	double k = rank_sum_quantile(alpha / 2, a_count, b_count,
				     pooled_ties(arena, a, a_count, b, b_count));
	struct interval interval;

	assert(a_count >= 1 && b_count >= 1);
	interval = pairwise_interval(&differences, k, differences_formed_most);
	arena_close(arena);
	return interval;
}
