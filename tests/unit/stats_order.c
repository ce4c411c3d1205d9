/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selection, sums that keep their digits, two groups, and coarse clocks. */
#include <math.h>
#include <string.h>

#include "random_values.h"
#include "stats/groups.h"
#include "stats/order.h"
#include "stats/ticks.h"
#include "unit.h"

static void selection_partitions(void **state)
{
	struct random random = { .state = 29 };
	int kind, turn;

	(void)state;
	for (kind = 0; kind < VALUES_KINDS; kind++)
		for (turn = 0; turn < 100; turn++) {
			double x[200], sorted[200];
			size_t n = 1 + random_below(&random, 200);
			size_t k = random_below(&random, n), i;

			random_values(&random, (enum values_kind)kind, x, n);
			memcpy(sorted, x, n * sizeof *x);
			order_sort(sorted, n);
			assert_true(order_select(x, n, k) == sorted[k] && x[k] == sorted[k]);
			for (i = 0; i < n; i++)
				assert_true(i < k ? x[i] <= x[k] : x[i] >= x[k]);
		}
}

static void summaries_keep_their_digits(void **state)
{
	static const double cancelling[] = { 1e100, 1, -1e100, 1 };
	static const double far[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };

	(void)state;
	assert_true(order_mean(cancelling, 4) == 0.5);
	assert_true(order_mean(far, 4) == 1e9 + 10);
	assert_true(fabs(order_deviation(far, 4) - sqrt(30)) < 1e-14);
	assert_true(isnan(order_mean(far, 0)));
	assert_true(isnan(order_deviation(far, 1)));
}

static void summaries_leave_their_input(void **state)
{
	double x[] = { 3, 1, 2, 5, 4, 9, 8, 7, 6, 0 }, before[10];

	(void)state;
	memcpy(before, x, sizeof x);
	order_median(x, 10);
	order_quantile(x, 10, 0.9);
	order_mad(x, 10);
	groups_find(x, 10);
	ticks_any_equal(x, 5, x + 5, 5);
	ticks_quantum_of(x, 10);
	assert_memory_equal(x, before, sizeof x);
}

/* Ten run times of a program whose runs fell into two groups. */
static const double two_groups[] = { 150.2, 150.5, 165.1, 150.1, 164.8,
				     165.3, 150.4, 150.0, 165.0, 150.3 };

static void two_groups_are_found(void **state)
{
	struct groups groups = groups_find(two_groups, 10);

	(void)state;
	assert_true(groups.flagged);
	assert_int_equal(groups.counts[0], 6);
	assert_int_equal(groups.counts[1], 4);
	assert_true(fabs(groups.centres[0] - 150.25) < 1e-9);
	assert_true(fabs(groups.centres[1] - 165.05) < 1e-9);
	assert_true(groups.cut > 150.5 && groups.cut < 164.8);
}

static void two_groups_do_not_depend_on_order_scale_or_sign(void **state)
{
	struct random random = { .state = 31 };
	double x[10], mirrored[10];
	struct groups groups;
	size_t i;

	(void)state;
	for (i = 0; i < 10; i++)
		x[i] = 4 * two_groups[i] + 1;
	shuffle_values(&random, x, 10);
	groups = groups_find(x, 10);
	assert_true(groups.flagged && groups.counts[0] == 6);
	assert_true(fabs(groups.centres[0] - (4 * 150.25 + 1)) < 1e-9);
	for (i = 0; i < 10; i++)
		mirrored[i] = -two_groups[i];
	groups = groups_find(mirrored, 10);
	assert_true(groups.flagged && groups.counts[0] == 4);
	assert_true(fabs(groups.centres[0] + 165.05) < 1e-9);
}

static void small_parts_and_few_runs_are_no_groups(void **state)
{
	double x[30];
	size_t i;

	(void)state;
	assert_false(groups_find(two_groups, 9).flagged);
	assert_true(isnan(groups_find(two_groups, 9).cut));
	for (i = 0; i < 30; i++)
		x[i] = 100 + 0.01 * (double)i;
	x[3] = x[9] = 200; /* two slow runs are stalls, not a group */
	assert_false(groups_find(x, 30).flagged);
	x[20] = 200;
	assert_true(groups_find(x, 30).flagged);
	for (i = 0; i < 30; i++)
		x[i] = 7;
	assert_false(groups_find(x, 30).flagged);
}

/* One mode of nine shapes gives at most a few per cent of flags at 30 runs; these are two. */
static void single_modes_are_rarely_flagged(void **state)
{
	struct random random = { .state = 37 };
	int normal = 0, skewed = 0, turn;

	(void)state;
	for (turn = 0; turn < 400; turn++) {
		double x[30];

		random_values(&random, VALUES_NORMAL, x, 30);
		normal += groups_find(x, 30).flagged;
		random_values(&random, VALUES_SKEWED, x, 30);
		skewed += groups_find(x, 30).flagged;
	}
	assert_true(normal <= 12 && skewed <= 20);
}

static void dither_is_reproducible_and_grows_at_the_end(void **state)
{
	double few[20] = { 0 }, many[50] = { 0 }, other[20] = { 0 };
	size_t i;
	double lowest = 1, highest = -1;

	(void)state;
	ticks_dither(few, 20, 0.004, 12345, 0);
	ticks_dither(many, 50, 0.004, 12345, 0);
	ticks_dither(other, 20, 0.004, 12345, 1);
	assert_memory_equal(few, many, sizeof few);
	for (i = 0; i < 20; i++)
		assert_true(few[i] != other[i]);
	for (i = 0; i < 50; i++) {
		lowest = fmin(lowest, many[i]);
		highest = fmax(highest, many[i]);
	}
	assert_true(lowest >= -0.002 && lowest < -0.0015);
	assert_true(highest < 0.002 && highest > 0.0015);
}

/* splitmix64 of state 0 gives 0xe220a8397b1dcdaf first (Vigna's reference). */
static void dither_is_that_of_the_method(void **state)
{
	double x[] = { 1, 1 };

	(void)state;
	ticks_dither(x, 2, 1, 0, 0);
	assert_true(x[0] == 0.5 + (double)(0xe220a8397b1dcdafU >> 11) * 0x1p-53);
	/* Run 1 of side 0 has the state of run 0 and seed 2. */
	x[0] = 1;
	ticks_dither(x, 1, 1, 2, 0);
	assert_true(x[0] == x[1]);
}

static void equal_values_are_seen_across_sides(void **state)
{
	static const double a[] = { 1, 2, 3 }, b[] = { 4, 5, 6 }, c[] = { 7, 8, 2 };

	(void)state;
	assert_false(ticks_any_equal(a, 3, b, 3));
	assert_true(ticks_any_equal(a, 3, c, 3));
	assert_true(ticks_any_equal(a, 3, a, 1));
	assert_false(ticks_any_equal(a, 3, b, 0));
}

static void guard_stands_where_the_clock_is_coarser_than_the_noise(void **state)
{
	static const double still[] = { 93, 93, 93 }, other[] = { 94, 94, 94, 94 };
	double wide[20];
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++)
		wide[i] = 80 + (double)i;
	assert_true(ticks_guard(still, 3, other, 4, 1) == 1.0 / 93);
	assert_true(ticks_guard(wide, 20, still, 3, 1) == 1 / order_median(wide, 20));
	assert_true(ticks_guard(wide, 20, wide, 20, 1) == 0);
	assert_true(ticks_guard(wide, 20, wide, 20, 8) > 0);
	assert_true(ticks_guard(still, 3, other, 4, 0) == 0);
}

static void step_of_a_clock_is_found(void **state)
{
	struct random random = { .state = 41 };
	double x[40];
	size_t i;

	(void)state;
	for (i = 0; i < 40; i++)
		x[i] = 0.004 * (double)(100 + random_below(&random, 60));
	assert_true(fabs(ticks_quantum_of(x, 40) - 0.004) < 1e-15);
	for (i = 0; i < 40; i++)
		x[i] = 0.01 * (double)(15000 + random_below(&random, 900));
	assert_true(fabs(ticks_quantum_of(x, 40) - 0.01) < 1e-14);
	for (i = 0; i < 40; i++)
		x[i] = 4096.0 * (double)(random_below(&random, 1000));
	assert_true(ticks_quantum_of(x, 40) == 4096);
	assert_true(ticks_quantum_of(x, 9) == 0); /* too few to tell */
	for (i = 0; i < 40; i++)
		x[i] = 1 + random_unit(&random);
	assert_true(ticks_quantum_of(x, 40) == 0);
	for (i = 0; i < 40; i++)
		x[i] = 0;
	assert_true(ticks_quantum_of(x, 40) == 0);
	assert_true(ticks_quantum_of(x, 0) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(selection_partitions),
		cmocka_unit_test(summaries_keep_their_digits),
		cmocka_unit_test(summaries_leave_their_input),
		cmocka_unit_test(two_groups_are_found),
		cmocka_unit_test(two_groups_do_not_depend_on_order_scale_or_sign),
		cmocka_unit_test(small_parts_and_few_runs_are_no_groups),
		cmocka_unit_test(single_modes_are_rarely_flagged),
		cmocka_unit_test(dither_is_reproducible_and_grows_at_the_end),
		cmocka_unit_test(dither_is_that_of_the_method),
		cmocka_unit_test(equal_values_are_seen_across_sides),
		cmocka_unit_test(guard_stands_where_the_clock_is_coarser_than_the_noise),
		cmocka_unit_test(step_of_a_clock_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
