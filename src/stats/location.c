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

static void check_finite(const double *x, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		assert(isfinite(x[i]));
}

static double *sorted_copy(struct arena *arena, const double *x, size_t n)
{
	double *copy = arena_copy(arena, x, n * sizeof *copy);

	check_finite(copy, n);
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
	double *sorted = sorted_copy(arena, d, n);
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

/* Ascending values become the ascending negative ones. */
static void turn_round(double *x, size_t n)
{
	size_t i;

	for (i = 0; i < n / 2; i++) {
		double first = x[i];

		x[i] = x[n - 1 - i];
		x[n - 1 - i] = first;
	}
	for (i = 0; i < n; i++)
		x[i] = -x[i];
}

struct interval location_two_sample_in_place(double *a, size_t a_count, double *b, size_t b_count,
					     double alpha)
{
	struct pairwise differences = { .rows = b,
					.row_count = b_count,
					.columns = a,
					.column_count = a_count,
					.scale = 1,
					.triangle = false };
	double sum_a, ties, k;

	assert(a_count >= 1 && b_count >= 1);
	check_finite(a, a_count);
	check_finite(b, b_count);
	order_sort(a, a_count);
	order_sort(b, b_count);
	ties = rank_merge(a, a_count, b, b_count, &sum_a);
	k = rank_sum_quantile(alpha / 2, a_count, b_count, ties);
	turn_round(a, a_count);
	return pairwise_interval(&differences, k, differences_formed_most);
}

struct interval location_two_sample(const double *a, size_t a_count, const double *b,
				    size_t b_count, double alpha)
{
	struct arena *arena = arena_open();
	struct interval interval =
	    location_two_sample_in_place(arena_copy(arena, a, a_count * sizeof *a), a_count,
					 arena_copy(arena, b, b_count * sizeof *b), b_count, alpha);

	arena_close(arena);
	return interval;
}
