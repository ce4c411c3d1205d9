/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Change points against the definition, summed pair by pair, against published
 * series (Apache Otava's and DataStax Hunter's tests: 5 and 8 of the first,
 * 10 of the second), and against their own promise: rarely one where there is
 * none, the same however the values are scaled or turned round.
 */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "stats/change_points.h"
#include "unit.h"

enum { MOST = 400 };

static const struct change_settings usual = {
	.level = 0.05, .permutations = 199, .least = 3, .seed = 1
};

static const double steps[] = { 0.3,  2.4,   1.5,   -0.9,  -0.5,  99.7,	 98.3,
				99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0 };
static const double halved[] = { 1.02, 0.95, 0.99, 1.00, 1.12, 1.00, 1.01, 0.98, 1.01, 0.96,
				 0.50, 0.51, 0.48, 0.48, 0.55, 0.50, 0.49, 0.51, 0.50, 0.49 };

/* By the definition of the energy distance. */
static double naive(const double *x, size_t t, size_t k)
{
	double n = (double)t, m = (double)(k - t), between = 0, left = 0, right = 0;
	size_t i, j;

	for (i = 0; i < k; i++)
		for (j = i + 1; j < k; j++) {
			double *sum = j < t ? &left : i >= t ? &right : &between;

			*sum += fabs(x[i] - x[j]);
		}
	return n * m / (n + m) *
	       (2 / (n * m) * between - left / (n * (n - 1) / 2) - right / (m * (m - 1) / 2));
}

static void normal_values(struct random *random, double *x, size_t count, double mean)
{
	size_t i;

	for (i = 0; i < count; i++)
		x[i] = mean + sqrt(-2 * log(1 - random_unit(random))) *
				  cos(2 * 3.14159265358979 * random_unit(random));
}

static void the_best_split_is_that_of_the_definition(void **state)
{
	struct random random = { .state = 7 };
	int turn;

	(void)state;
	for (turn = 0; turn < 200; turn++) {
		size_t count = 6 + (size_t)random_below(&random, 20), least = 2 + turn % 3, split,
		       t, k;
		size_t expected = 0;
		double x[MOST], best = -1, found;

		normal_values(&random, x, count, 0);
		for (t = least; t + least <= count; t++)
			for (k = t + least; k <= count; k++)
				if (naive(x, t, k) > best) {
					best = naive(x, t, k);
					expected = t;
				}
		split = 0;
		found = change_points_split(x, count, least, &split);
		if (best <= 0)
			continue;
		assert_true(fabs(found - best) < 1e-9);
		assert_int_equal(split, expected);
	}
}

static void published_series_change_where_they_were_said_to(void **state)
{
	struct change_point points[MOST];

	(void)state;
	assert_int_equal(change_points_find(steps, 14, &usual, points), 2);
	assert_int_equal(points[0].index, 5);
	assert_int_equal(points[1].index, 8);
	assert_int_equal(change_points_find(halved, 20, &usual, points), 1);
	assert_int_equal(points[0].index, 10);
	assert_true(points[0].p <= 0.05);
}

/* Scale, sign and origin do not matter; turned round, the places are mirrored. */
static void a_series_may_be_scaled_and_turned_round(void **state)
{
	struct change_point points[MOST], others[MOST];
	double x[20], y[20];
	size_t count = change_points_find(halved, 20, &usual, points), i;

	(void)state;
	for (i = 0; i < 20; i++) {
		x[i] = 3 - 1e6 * halved[i];
		y[i] = halved[19 - i];
	}
	assert_int_equal(change_points_find(x, 20, &usual, others), count);
	for (i = 0; i < count; i++)
		assert_int_equal(others[i].index, points[i].index);
	assert_int_equal(change_points_find(y, 20, &usual, others), count);
	for (i = 0; i < count; i++)
		assert_int_equal(others[count - 1 - i].index, 20 - points[i].index);
}

static void without_a_change_there_is_rarely_one(void **state)
{
	struct random random = { .state = 11 };
	struct change_settings settings = usual;
	struct change_point points[MOST];
	size_t found = 0, shifted = 0;
	double x[MOST];
	int turn;

	(void)state;
	settings.permutations = 99;
	for (turn = 0; turn < 200; turn++) {
		settings.seed = (uint64_t)turn;
		normal_values(&random, x, 30, 10);
		found += change_points_find(x, 30, &settings, points) > 0;
		normal_values(&random, x + 15, 15, 13);
		shifted += change_points_find(x, 30, &settings, points) > 0;
	}
	/* 5% of 200 are 10; more than 20 come by luck once in 1000. */
	assert_true(found <= 20);
	assert_int_equal(shifted, 200);
}

static void short_and_flat_series_have_none(void **state)
{
	static const double flat[] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 };
	struct change_point points[MOST];
	size_t count;

	(void)state;
	for (count = 0; count < 10; count++)
		assert_int_equal(change_points_find(flat, count, &usual, points), 0);
	for (count = 0; count < 6; count++)
		assert_int_equal(change_points_find(steps, count, &usual, points), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_split_is_that_of_the_definition),
		cmocka_unit_test(published_series_change_where_they_were_said_to),
		cmocka_unit_test(a_series_may_be_scaled_and_turned_round),
		cmocka_unit_test(without_a_change_there_is_rarely_one),
		cmocka_unit_test(short_and_flat_series_have_none),
	};

	return cmocka_run_group_tests_name("stats_change_points", tests, NULL, NULL);
}
