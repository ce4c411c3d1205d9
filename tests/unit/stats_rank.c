/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rank statistics: exact p against every sign pattern and every split, ties and zeros included. */
#include <math.h>
#include <string.h>

#include "random_values.h"
#include "stats/rank.h"
#include "unit.h"

static void ranks_of_ties_are_averaged(void **state)
{
	static const double x[] = { 3, 1, 3, 2, 3, 1 };
	static const double wanted[] = { 5, 1.5, 5, 3, 5, 1.5 };
	double ranks[6];
	size_t i;

	(void)state;
	assert_true(rank_mid(x, 6, ranks) == 24 + 6); /* 3^3 - 3 and 2^3 - 2 */
	for (i = 0; i < 6; i++)
		assert_true(ranks[i] == wanted[i]);
}

/* The rank sum of the positive values, from the definition: half a rank for each tie. */
static double positive_rank_sum(const double *d, size_t n, unsigned signs)
{
	double sum = 0;
	size_t i, j;

	for (i = 0; i < n; i++) {
		double rank = 0.5;

		for (j = 0; j < n; j++)
			rank += fabs(d[j]) < fabs(d[i]) ? 1 : fabs(d[j]) == fabs(d[i]) ? 0.5 : 0;
		sum += (signs >> i & 1) != 0 ? rank : 0;
	}
	return sum;
}

/* Share of the 2^n sign patterns at least as far from the expected rank sum. */
static double enumerated_signed_p(const double *values, size_t n)
{
	double d[16], expected, distance;
	unsigned signs = 0, pattern, far = 0;
	size_t count = 0, i;

	for (i = 0; i < n; i++)
		if (values[i] != 0) {
			signs |= values[i] > 0 ? 1U << count : 0;
			d[count++] = values[i];
		}
	expected = (double)count * ((double)count + 1) / 4;
	distance = fabs(positive_rank_sum(d, count, signs) - expected);
	for (pattern = 0; pattern < 1U << count; pattern++)
		far += fabs(positive_rank_sum(d, count, pattern) - expected) >= distance;
	return ldexp(far, -(int)count);
}

static void signed_p_counts_every_pattern(void **state)
{
	struct random random = { .state = 17 };
	size_t n;
	int kind;

	(void)state;
	for (kind = 0; kind < VALUES_KINDS; kind++)
		for (n = 1; n <= 14; n += n < 8 ? 1 : 3) {
			double d[16], p;

			random_values(&random, (enum values_kind)kind, d, n);
			p = enumerated_signed_p(d, n);
			if (rank_signed_p(d, n) != p) /* counts over a power of 2: no rounding */
				fail_msg("kind %d, n %zu: %.17g, not %.17g", kind, n,
					 rank_signed_p(d, n), p);
		}
}

static void signed_p_drops_zeros(void **state)
{
	static const double zeros[] = { 0, 0, 0 }, some[] = { 0, 1, 2, 0, 3, 4, 5, 6 };

	(void)state;
	assert_true(rank_signed_p(zeros, 3) == 1);
	assert_true(rank_signed_p(zeros, 0) == 1);
	assert_true(rank_signed_p(some, 8) == 0x1p-5);
}

/* Share of all splits of the pooled values at least as far from the expected rank sum. */
static double enumerated_sum_p(const double *pooled, size_t n, size_t chosen)
{
	unsigned choice, far = 0, all = 0, seen = (1U << chosen) - 1;
	double ranks[16], expected = (double)chosen * ((double)n + 1) / 2, distance = -1;

	rank_mid(pooled, n, ranks);
	for (choice = seen; choice < 1U << n; choice++) {
		double sum = 0;
		size_t i;

		if ((size_t)__builtin_popcount(choice) != chosen)
			continue;
		for (i = 0; i < n; i++)
			sum += (choice >> i & 1) != 0 ? ranks[i] : 0;
		if (choice == seen) /* the least number with so many bits comes first */
			distance = fabs(sum - expected);
		far += fabs(sum - expected) >= distance;
		all++;
	}
	return (double)far / all;
}

static void sum_p_counts_every_split(void **state)
{
	struct random random = { .state = 19 };
	size_t a, b;
	int kind;

	(void)state;
	for (kind = 0; kind < VALUES_KINDS; kind++)
		for (a = 1; a <= 7; a++)
			for (b = 1; b <= 7; b++) {
				double pooled[14], p;

				random_values(&random, (enum values_kind)kind, pooled, a + b);
				p = rank_sum_p(pooled, a, pooled + a, b);
				if (fabs(p - enumerated_sum_p(pooled, a + b, a)) > 1e-15)
					fail_msg("kind %d, %zu and %zu: %.17g", kind, a, b, p);
			}
}

static void separated_samples_have_the_least_p(void **state)
{
	static const double a[] = { 1, 2, 3, 4 }, b[] = { 5, 6, 7, 8 };

	(void)state;
	assert_true(fabs(rank_sum_p(a, 3, b, 3) - 0.1) < 1e-16);
	assert_true(fabs(rank_sum_p(a, 4, b, 4) - 2.0 / 70) < 1e-16);
	assert_true(isnan(rank_sum_p(a, 0, b, 4)));
}

/* Where the exact count ends, the normal approximation must go on without a jump. */
static void approximations_take_over_smoothly(void **state)
{
	static const double probabilities[] = { 0.1, 0.025, 0.005, 0.0005 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof probabilities / sizeof *probabilities; i++) {
		double p = probabilities[i], before, behind, step;

		before = rank_signed_quantile(p, 1000);
		behind = rank_signed_quantile(p, 1001);
		step = before - rank_signed_quantile(p, 999);
		/* In the tail the normal is a little wider: 36 of 220,225 at 0.0005. */
		assert_true(fabs(behind - before - step) < 40);
		before = rank_sum_quantile(p, 50, 50, 0);
		behind = rank_sum_quantile(p, 51, 51, 0);
		step = before - rank_sum_quantile(p, 49, 49, 0);
		assert_true(fabs(behind - before - step) <= 6);
	}
}

static void signed_p_goes_on_beyond_the_exact_range(void **state)
{
	struct random random = { .state = 23 };
	double d[1001], exact, approximate;

	(void)state;
	random_values(&random, VALUES_NORMAL, d, 1001);
	d[1000] = 0; /* dropped: 1000 are exact */
	exact = rank_signed_p(d, 1001);
	d[1000] = 1e-9; /* the least rank */
	approximate = rank_signed_p(d, 1001);
	assert_true(exact > 0.001 && exact < 0.999);
	assert_true(fabs(exact - approximate) < 0.002);
}

static void ties_lower_the_quantile_of_large_samples_less(void **state)
{
	(void)state;
	/* All tied but for two values: hardly any variance, k near its mean. */
	assert_true(rank_sum_quantile(0.025, 60, 60, 0) <
		    rank_sum_quantile(0.025, 60, 60, 118. * 118 * 118 - 118));
	assert_true(rank_sum_quantile(0.025, 60, 60, 118. * 118 * 118 - 118) <= 1800);
	assert_true(rank_sum_quantile(1e-9, 1, 60, 0) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_of_ties_are_averaged),
		cmocka_unit_test(signed_p_counts_every_pattern),
		cmocka_unit_test(signed_p_drops_zeros),
		cmocka_unit_test(sum_p_counts_every_split),
		cmocka_unit_test(separated_samples_have_the_least_p),
		cmocka_unit_test(approximations_take_over_smoothly),
		cmocka_unit_test(signed_p_goes_on_beyond_the_exact_range),
		cmocka_unit_test(ties_lower_the_quantile_of_large_samples_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
