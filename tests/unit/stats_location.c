/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hodges-Lehmann estimates and intervals: a worked case, symmetries, and selection by brute force.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_values.h"
#include "stats/location.h"
#include "stats/order.h"
#include "stats/pairwise.h"
#include "stats/rank.h"
#include "unit.h"

enum { PAIRS_MOST = 60 };

static bool near(double got, double wanted, double tolerance)
{
	return got == wanted || fabs(got - wanted) <= tolerance;
}

static void assert_same(struct interval got, struct interval wanted, double tolerance)
{
	assert_true(near(got.estimate, wanted.estimate, tolerance));
	assert_true(near(got.low, wanted.low, tolerance));
	assert_true(near(got.high, wanted.high, tolerance));
}

static void ten_pairs_come_out_as_published(void **state)
{
	static const double ratios[] = { 1.003, 1.001,	.998,	1.002,	1.004,
					 .999,	1.0015, 1.0005, 1.0022, 1.0031 };
	double d[10];
	struct interval interval;
	size_t i;

	(void)state;
	for (i = 0; i < 10; i++)
		d[i] = log(ratios[i]);
	interval = location_paired(d, 10, 0.05);
	assert_true(rank_signed_p(d, 10) == .064453125);
	assert_true(near(interval.estimate, .00149887612, 5e-12));
	assert_true(near(interval.low, -5.000003e-07, 5e-14));
	assert_true(near(interval.high, .002745448697, 5e-13));
}

/* Five signs that agree have p = 1/16: nothing is excluded at 5 %, but there is an estimate. */
static void too_few_pairs_have_no_bounds(void **state)
{
	static const double d[] = { 1, 2, 3, 4, 5 };
	struct interval interval;

	(void)state;
	interval = location_paired(d, 5, 0.05);
	assert_true(interval.estimate == 3);
	assert_true(isinf(interval.low) && interval.low < 0);
	assert_true(isinf(interval.high) && interval.high > 0);
	interval = location_paired(d, 5, 0.0626);
	assert_true(interval.low == 1 && interval.high == 5);
	interval = location_two_sample(d, 3, d, 3, 0.05);
	assert_true(interval.estimate == 0 && isinf(interval.low) && isinf(interval.high));
}

/* Calls check with random pairs of every kind and many sizes. */
static void for_random_pairs(void (*check)(struct random *random, const double *a, const double *b,
					   size_t n))
{
	struct random random = { .state = 7 };
	double a[PAIRS_MOST], b[PAIRS_MOST];
	int kind, turn;

	for (kind = 0; kind < VALUES_KINDS; kind++)
		for (turn = 0; turn < 40; turn++) {
			size_t n = 1 + random_below(&random, PAIRS_MOST);

			random_values(&random, (enum values_kind)kind, a, n);
			random_values(&random, (enum values_kind)kind, b, n);
			check(&random, a, b, n);
		}
}

static struct interval mirrored(struct interval interval)
{
	return (struct interval){ .estimate = -interval.estimate,
				  .low = -interval.high,
				  .high = -interval.low };
}

static void check_swap(struct random *random, const double *a, const double *b, size_t n)
{
	double forth[PAIRS_MOST], back[PAIRS_MOST];
	size_t i, m = 1 + random_below(random, n);

	for (i = 0; i < n; i++) {
		forth[i] = b[i] - a[i];
		back[i] = a[i] - b[i];
	}
	assert_same(location_paired(back, n, 0.05), mirrored(location_paired(forth, n, 0.05)), 0);
	assert_same(location_two_sample(b, n, a, m, 0.05),
		    mirrored(location_two_sample(a, m, b, n, 0.05)), 0);
	assert_true(rank_signed_p(back, n) == rank_signed_p(forth, n));
	assert_true(near(rank_sum_p(a, m, b, n), rank_sum_p(b, n, a, m), 1e-13));
}

static void swapped_sides_mirror_the_interval(void **state)
{
	(void)state;
	for_random_pairs(check_swap);
}

/* Powers of two change no digit of a product; a shift rounds. */
static void check_scale_and_shift(struct random *random, const double *a, const double *b, size_t n)
{
	double moved[PAIRS_MOST], shift = 8 * random_unit(random);
	struct interval interval = location_paired(a, n, 0.05), other;
	size_t i;

	for (i = 0; i < n; i++)
		moved[i] = 8 * a[i];
	other = location_paired(moved, n, 0.05);
	assert_true(other.estimate == 8 * interval.estimate);
	assert_true(other.low == 8 * interval.low && other.high == 8 * interval.high);
	for (i = 0; i < n; i++)
		moved[i] = a[i] + shift;
	other = location_paired(moved, n, 0.05);
	assert_same(other,
		    (struct interval){ interval.estimate + shift, interval.low + shift,
				       interval.high + shift },
		    1e-12);
	interval = location_two_sample(b, n, a, n, 0.05);
	other = location_two_sample(b, n, moved, n, 0.05);
	assert_same(other,
		    (struct interval){ interval.estimate + shift, interval.low + shift,
				       interval.high + shift },
		    1e-12);
}

static void intervals_move_and_grow_with_the_data(void **state)
{
	(void)state;
	for_random_pairs(check_scale_and_shift);
}

static void check_order_of_data(struct random *random, const double *a, const double *b, size_t n)
{
	double mixed[PAIRS_MOST];

	memcpy(mixed, a, n * sizeof *a);
	shuffle_values(random, mixed, n);
	assert_same(location_paired(mixed, n, 0.05), location_paired(a, n, 0.05), 0);
	assert_same(location_two_sample(mixed, n, b, n, 0.05),
		    location_two_sample(a, n, b, n, 0.05), 0);
	assert_true(rank_signed_p(mixed, n) == rank_signed_p(a, n));
	assert_true(near(rank_sum_p(mixed, n, b, n), rank_sum_p(a, n, b, n), 1e-13));
}

static void the_order_of_the_data_does_not_matter(void **state)
{
	(void)state;
	for_random_pairs(check_order_of_data);
}

static void assert_inside(struct interval inner, struct interval outer)
{
	assert_true(outer.low <= inner.low && inner.high <= outer.high);
	assert_true(inner.low <= inner.estimate && inner.estimate <= inner.high);
	assert_true(inner.estimate == outer.estimate);
}

static void check_levels(struct random *random, const double *a, const double *b, size_t n)
{
	static const double levels[] = { 0.5, 0.2, 0.05, 0.02, 0.005, 0.0001 };
	size_t i, m = 1 + random_below(random, n);

	for (i = 1; i < sizeof levels / sizeof *levels; i++) {
		assert_inside(location_paired(a, n, levels[i - 1]),
			      location_paired(a, n, levels[i]));
		assert_inside(location_two_sample(a, m, b, n, levels[i - 1]),
			      location_two_sample(a, m, b, n, levels[i]));
	}
}

static void a_stricter_level_never_narrows(void **state)
{
	(void)state;
	for_random_pairs(check_levels);
}

/* The interval excludes a shift exactly if the test at that level does (no ties, no zeros). */
static void interval_and_test_agree(void **state)
{
	struct random random = { .state = 11 };
	int turn, excluded = 0, kept = 0;

	(void)state;
	for (turn = 0; turn < 400; turn++) {
		size_t n = 4 + random_below(&random, 30), i;
		double d[40], a[40], p;
		struct interval interval;

		random_values(&random, VALUES_NORMAL, d, n);
		random_values(&random, VALUES_NORMAL, a, n);
		for (i = 0; i < n; i++)
			d[i] += 0.5;
		interval = location_paired(d, n, 0.05);
		p = rank_signed_p(d, n);
		assert_true((interval.low > 0 || interval.high < 0) == (p <= 0.05));
		*(p <= 0.05 ? &excluded : &kept) += 1;
		interval = location_two_sample(a, n, d, n, 0.05);
		p = rank_sum_p(a, n, d, n);
		assert_true((interval.low > 0 || interval.high < 0) == (p <= 0.05));
	}
	assert_true(excluded > 50 && kept > 50);
}

static void equal_differences_give_a_point(void **state)
{
	double d[30];
	struct interval interval;
	size_t i;

	(void)state;
	for (i = 0; i < 30; i++)
		d[i] = 0.1;
	interval = location_paired(d, 30, 0.05);
	assert_true(interval.estimate == 0.1 && interval.low == 0.1 && interval.high == 0.1);
	interval = location_two_sample(d, 30, d, 30, 0.05);
	assert_true(interval.estimate == 0 && interval.low == 0 && interval.high == 0);
}

/* All elements of a matrix, sorted. */
static double *matrix_sorted(const struct pairwise *pairs)
{
	double *all = calloc(pairwise_count(pairs), sizeof *all);
	size_t row, column, filled = 0;

	assert_non_null(all);
	for (row = 0; row < pairs->row_count; row++)
		for (column = pairs->triangle ? row : 0; column < pairs->column_count; column++)
			all[filled++] = pairs->scale * (pairs->rows[row] + pairs->columns[column]);
	assert_int_equal(filled, pairwise_count(pairs));
	order_sort(all, filled);
	return all;
}

static void check_selection(struct random *random, const struct pairwise *pairs)
{
	enum { RANKS = 6 };
	uint64_t count = pairwise_count(pairs), ranks[RANKS] = { 0 };
	double *all = matrix_sorted(pairs), formed[RANKS], narrowed[RANKS];
	size_t i;

	ranks[5] = count - 1;
	ranks[2] = random_below(random, count);
	ranks[1] = random_below(random, ranks[2] + 1);
	ranks[3] = ranks[2] + random_below(random, count - ranks[2]);
	ranks[4] = ranks[3];
	pairwise_select(pairs, ranks, RANKS, UINT64_MAX, formed);
	pairwise_select(pairs, ranks, RANKS, 0, narrowed);
	for (i = 0; i < RANKS; i++) {
		assert_true(formed[i] == all[ranks[i]]);
		assert_true(narrowed[i] == all[ranks[i]]);
	}
	free(all);
}

static void selection_finds_what_sorting_finds(void **state)
{
	static const size_t sizes[] = { 1, 2, 3, 7, 50, 333, 1000, 3000 };
	struct random random = { .state = 3 };
	double *x = calloc(3000, sizeof *x), *y = calloc(3000, sizeof *y);
	size_t i;
	int kind;

	(void)state;
	for (kind = 0; kind < VALUES_KINDS; kind++)
		for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			size_t n = sizes[i], m = 1 + random_below(&random, 700);
			struct pairwise averages = { x, n, x, n, 0.5, true };
			struct pairwise sums = { x, n, y, m, 1, false };

			random_values(&random, (enum values_kind)kind, x, n);
			random_values(&random, (enum values_kind)kind, y, m);
			order_sort(x, n);
			order_sort(y, m);
			check_selection(&random, &averages);
			check_selection(&random, &sums);
		}
	free(x);
	free(y);
}

/* Beyond 2000 pairs nothing is formed; the answer must not show where that begins. */
static void large_intervals_are_those_of_all_averages(void **state)
{
	enum { N = 2400 };
	struct random random = { .state = 5 };
	double *d = calloc(N, sizeof *d), *all;
	struct pairwise averages = { d, N, d, N, 0.5, true };
	uint64_t count = pairwise_count(&averages);
	int kind;

	(void)state;
	for (kind = 0; kind < VALUES_KINDS; kind++) {
		uint64_t k = (uint64_t)rank_signed_quantile(0.025, N);
		struct interval interval;

		random_values(&random, (enum values_kind)kind, d, N);
		interval = location_paired(d, N, 0.05);
		order_sort(d, N);
		all = matrix_sorted(&averages);
		assert_true(interval.low == all[k - 1] && interval.high == all[count - k]);
		assert_true(interval.estimate == (all[count / 2 - 1] + all[count / 2]) / 2);
		free(all);
	}
	free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_pairs_come_out_as_published),
		cmocka_unit_test(too_few_pairs_have_no_bounds),
		cmocka_unit_test(swapped_sides_mirror_the_interval),
		cmocka_unit_test(intervals_move_and_grow_with_the_data),
		cmocka_unit_test(the_order_of_the_data_does_not_matter),
		cmocka_unit_test(a_stricter_level_never_narrows),
		cmocka_unit_test(interval_and_test_agree),
		cmocka_unit_test(equal_differences_give_a_point),
		cmocka_unit_test(selection_finds_what_sorting_finds),
		cmocka_unit_test(large_intervals_are_those_of_all_averages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
