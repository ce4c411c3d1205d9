/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests behind the warnings: what R has no function for, symmetries, and undefined cases. */
#include "stats/tests.h"

#include <math.h>

#include "random_values.h"
#include "unit.h"

/* z from Bartels' formula, worked for 1..10 in order: differences of 1, so that RVN = 9 / 82.5. */
static void bartels_is_his_formula(void **state)
{
	double rising[10], alternating[10], mean, z;
	size_t i;

	(void)state;
	for (i = 0; i < 10; i++) {
		rising[i] = exp((double)i); /* ranks alone count */
		alternating[i] = (double)(i % 2 == 0 ? i : 20 - i);
	}
	mean = sqrt(4.0 * 8 * (500 - 20 - 9) / (5 * 10 * 11 * 81.0));
	z = (9 / 82.5 - 2) / mean;
	assert_true(fabs(test_bartels_p(rising, 10) - 0.5 * erfc(-z / sqrt(2.0))) < 1e-15);
	assert_true(test_bartels_p(rising, 10) < 0.01);
	assert_true(test_bartels_p(alternating, 10) > 0.95); /* one-sided */
}

static void bartels_keeps_its_level(void **state)
{
	struct random random = { .state = 43 };
	int alarms = 0, found = 0, turn;

	(void)state;
	for (turn = 0; turn < 4000; turn++) {
		double x[20], walk[40], last = 0;
		size_t i;

		random_values(&random, VALUES_SKEWED, x, 20);
		alarms += test_bartels_p(x, 20) < 0.01;
		for (i = 0; i < 40; i++)
			walk[i] = last = 0.9 * last + random_normal(&random);
		found += test_bartels_p(walk, 40) < 0.01;
	}
	assert_in_range(alarms, 20, 60); /* 1 % is 40, three deviations are 19 */
	assert_true(found > 3800);
}

static void spearman_is_symmetric(void **state)
{
	struct random random = { .state = 47 };
	int turn;

	(void)state;
	for (turn = 0; turn < 50; turn++) {
		double x[25], y[25], mirrored[25], rho, back, p;
		size_t i;

		random_values(&random, VALUES_TIED, x, 25);
		random_values(&random, VALUES_NORMAL, y, 25);
		for (i = 0; i < 25; i++)
			mirrored[i] = -y[i];
		p = test_spearman_p(x, y, 25, &rho);
		assert_true(p > 0 && p <= 1);
		assert_true(fabs(test_spearman_p(x, mirrored, 25, &back) - p) < 1e-14);
		assert_true(fabs(rho + back) < 1e-14);
		assert_true(fabs(test_spearman_p(y, x, 25, NULL) - p) < 1e-14);
	}
}

static void welch_from_summaries_is_welch_from_values(void **state)
{
	static const double a[] = { 5, 7, 9 }, b[] = { 2, 4, 6, 8 };
	struct welch values = test_welch(a, 3, b, 4, 0.05);
	struct welch summaries = test_welch_summaries(7, 4.0 / 3, 2, 5, 20.0 / 3 / 4, 3, 0.05);
	struct welch mirrored = test_welch(b, 4, a, 3, 0.05);

	(void)state;
	assert_true(fabs(values.p - summaries.p) < 1e-15);
	assert_true(fabs(values.low - summaries.low) < 1e-13);
	assert_true(fabs(values.df - summaries.df) < 1e-13);
	assert_true(mirrored.p == values.p && mirrored.low == -values.high);
}

/* ln of a ratio of means from means, deviations and two runs a side. */
static struct welch of_two_runs(double mean_a, double deviation_a, double mean_b,
				double deviation_b)
{
	return test_welch_summaries(log(mean_a), pow(deviation_a / mean_a, 2) / 2, 1, log(mean_b),
				    pow(deviation_b / mean_b, 2) / 2, 1, 0.05);
}

/*
 * A mail gave only these: a static checker over a kernel tree with two node sizes, means and
 * deviations of two runs. Pooled Student calls the system times different at 2 %; Welch does not.
 */
static void two_runs_a_side_prove_little(void **state)
{
	struct welch real = of_two_runs(150.723, 1.492, 147.628, 0.653);
	struct welch user = of_two_runs(1095.505, 3.555, 1084.916, 1.485);
	struct welch sys = of_two_runs(496.098, 4.766, 470.548, 0.837);

	(void)state;
	assert_true(fabs(real.p - 0.166) < 0.0005);
	assert_true(fabs(exp(real.low) - 0.930) < 0.0005 && fabs(exp(real.high) - 1.032) < 0.0005);
	assert_true(fabs(user.p - 0.109) < 0.0005);
	assert_true(fabs(exp(user.low) - 0.973) < 0.0005 && fabs(exp(user.high) - 1.008) < 0.0005);
	assert_true(fabs(sys.p - 0.073) < 0.0005);
	assert_true(fabs(exp(sys.low) - 0.879) < 0.0005 && fabs(exp(sys.high) - 1.023) < 0.0005);
}

static void what_is_undefined_is_nan(void **state)
{
	static const double same[] = { 2, 2, 2, 2 }, rising[] = { 1, 2, 3, 4 };
	double rho;

	(void)state;
	assert_true(isnan(test_welch(same, 1, rising, 4, 0.05).p));
	assert_true(isnan(test_welch(same, 4, same, 4, 0.05).p));
	assert_true(isnan(test_welch(same, 4, same, 4, 0.05).low));
	assert_true(isnan(test_spearman_p(same, rising, 4, &rho)) && isnan(rho));
	assert_true(isnan(test_spearman_p(rising, rising, 2, NULL)));
	assert_true(isnan(test_bartels_p(same, 4)));
	assert_true(isnan(test_bartels_p(rising, 2)));
	assert_true(test_fisher_p(0, 0, 0, 0) == 1);
	assert_true(test_binomial_p(0, 0, 0.5) == 1);
}

static void tables_may_be_turned(void **state)
{
	struct random random = { .state = 53 };
	int turn;

	(void)state;
	for (turn = 0; turn < 100; turn++) {
		size_t a = random_below(&random, 30), b = random_below(&random, 30);
		size_t c = random_below(&random, 30), d = random_below(&random, 30);
		double p = test_fisher_p(a, b, c, d);

		assert_true(fabs(test_fisher_p(c, d, a, b) - p) < 1e-12);
		assert_true(fabs(test_fisher_p(b, a, d, c) - p) < 1e-12);
		assert_true(fabs(test_fisher_p(a, c, b, d) - p) < 1e-12);
	}
}

static void holm_steps_down(void **state)
{
	static const double p[] = { 0.04, 0.01, NAN, 0.03, 0.005 };
	double adjusted[5];

	(void)state;
	test_holm(p, 5, adjusted);
	assert_true(fabs(adjusted[4] - 0.02) < 1e-16);
	assert_true(fabs(adjusted[1] - 0.03) < 1e-16);
	assert_true(fabs(adjusted[3] - 0.06) < 1e-16);
	assert_true(fabs(adjusted[0] - 0.06) < 1e-16); /* never below a smaller p's */
	assert_true(isnan(adjusted[2]));
	test_holm(p, 0, adjusted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bartels_is_his_formula),
		cmocka_unit_test(bartels_keeps_its_level),
		cmocka_unit_test(spearman_is_symmetric),
		cmocka_unit_test(welch_from_summaries_is_welch_from_values),
		cmocka_unit_test(two_runs_a_side_prove_little),
		cmocka_unit_test(what_is_undefined_is_nan),
		cmocka_unit_test(tables_may_be_turned),
		cmocka_unit_test(holm_steps_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
