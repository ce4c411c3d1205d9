/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * src/stats against R: every row of the files that tests/oracle/stats.R writes. Each
 * kind of row is counted, so that a file cut short does not pass.
 */
#include <math.h>

#include "oracle.h"
#include "stats/location.h"
#include "stats/looks.h"
#include "stats/order.h"
#include "stats/rank.h"
#include "stats/tests.h"

/* Estimates and bounds are averages of two data: the rounding of one addition apart. */
static const double location_tolerance = 5e-15;
/* Sums of products of a few hundred counts. */
static const double exact_p_tolerance = 1e-12;
static const double test_tolerance = 1e-10;
/* Simpson's rule with 400 intervals against 160 Gauss-Legendre nodes. */
static const double boundary_tolerance = 1e-8;

typedef void check_function(struct oracle *oracle);

struct check {
	const char *what;
	check_function *check;
	size_t rows; /* how many the file must have */
};

static void check_file(const char *name, const struct check *checks, size_t count)
{
	struct oracle oracle = oracle_open(name);
	size_t seen[16] = { 0 }, i;
	const char *what;

	while ((what = oracle_next(&oracle)) != NULL) {
		for (i = 0; i < count && strcmp(what, checks[i].what) != 0; i++)
			;
		if (i == count)
			fail_msg("%s.csv asks for %s, which nothing checks", name, what);
		checks[i].check(&oracle);
		if (oracle.rest != NULL)
			fail_msg("%s.csv, row %zu: unread fields", name, oracle.row);
		seen[i]++;
	}
	for (i = 0; i < count; i++)
		if (seen[i] != checks[i].rows)
			fail_msg("%s.csv has %zu rows of %s, not %zu", name, seen[i],
				 checks[i].what, checks[i].rows);
	oracle_close(&oracle);
}

static void check_interval(struct oracle *oracle, const struct interval *interval)
{
	/* Bounds near 0 are differences of larger numbers: absolute on the data's scale of 0.01. */
	oracle_check(oracle, "estimate", interval->estimate, location_tolerance, 1e-17);
	oracle_check(oracle, "low", interval->low, location_tolerance, 1e-17);
	oracle_check(oracle, "high", interval->high, location_tolerance, 1e-17);
}

static void check_paired(struct oracle *oracle)
{
	double alpha = oracle_number(oracle);
	size_t n;
	double *d = oracle_array(oracle, &n);
	struct interval interval = location_paired(d, n, alpha);

	check_interval(oracle, &interval);
	oracle_check(oracle, "p", rank_signed_p(d, n), exact_p_tolerance, 0);
	free(d);
}

static void check_two_sample(struct oracle *oracle)
{
	double alpha = oracle_number(oracle);
	size_t a_count, b_count;
	double *a = oracle_array(oracle, &a_count);
	double *b = oracle_array(oracle, &b_count);
	struct interval interval = location_two_sample(a, a_count, b, b_count, alpha);

	check_interval(oracle, &interval);
	oracle_check(oracle, "p", rank_sum_p(a, a_count, b, b_count), exact_p_tolerance, 0);
	free(a);
	free(b);
}

static void check_signed_normal(struct oracle *oracle)
{
	size_t n;
	double *d = oracle_array(oracle, &n);

	oracle_check(oracle, "p", rank_signed_p(d, n), test_tolerance, 0);
	free(d);
}

static void check_sum_normal(struct oracle *oracle)
{
	size_t a_count, b_count;
	double *a = oracle_array(oracle, &a_count);
	double *b = oracle_array(oracle, &b_count);

	oracle_check(oracle, "p", rank_sum_p(a, a_count, b, b_count), test_tolerance, 0);
	free(a);
	free(b);
}

static void location_agrees_with_r(void **state)
{
	static const struct check checks[] = {
		{ "paired", check_paired, 255 },
		{ "two", check_two_sample, 80 },
		{ "signed_normal", check_signed_normal, 2 },
		{ "sum_normal", check_sum_normal, 2 },
	};

	(void)state;
	check_file("location", checks, sizeof checks / sizeof *checks);
}

static void check_signed_quantile(struct oracle *oracle)
{
	double probability = oracle_number(oracle);
	size_t n = (size_t)oracle_number(oracle);

	oracle_check(oracle, "k", rank_signed_quantile(probability, n), 0, 0);
}

static void check_sum_quantile(struct oracle *oracle)
{
	double probability = oracle_number(oracle);
	size_t n = (size_t)oracle_number(oracle);
	size_t m = (size_t)oracle_number(oracle);

	oracle_check(oracle, "k", rank_sum_quantile(probability, n, m, 0), 0, 0);
}

static void quantiles_agree_with_r(void **state)
{
	static const struct check checks[] = {
		{ "signed", check_signed_quantile, 528 },
		{ "sum", check_sum_quantile, 900 },
	};

	(void)state;
	check_file("quantiles", checks, sizeof checks / sizeof *checks);
}

static void check_welch(struct oracle *oracle)
{
	double alpha = oracle_number(oracle);
	size_t a_count, b_count;
	double *a = oracle_array(oracle, &a_count);
	double *b = oracle_array(oracle, &b_count);
	struct welch welch = test_welch(a, a_count, b, b_count, alpha);

	oracle_check(oracle, "difference", welch.difference, test_tolerance, 1e-16);
	oracle_check(oracle, "low", welch.low, test_tolerance, 1e-14);
	oracle_check(oracle, "high", welch.high, test_tolerance, 1e-14);
	oracle_check(oracle, "t", welch.t, test_tolerance, 1e-13);
	oracle_check(oracle, "df", welch.df, test_tolerance, 0);
	oracle_check(oracle, "p", welch.p, test_tolerance, 0);
	free(a);
	free(b);
}

static void check_spearman(struct oracle *oracle)
{
	size_t n, m;
	double *x = oracle_array(oracle, &n);
	double *y = oracle_array(oracle, &m);
	double rho, p = test_spearman_p(x, y, n, &rho);

	oracle_check(oracle, "rho", rho, test_tolerance, 0);
	oracle_check(oracle, "p", p, test_tolerance, 0);
	free(x);
	free(y);
}

static void check_fisher(struct oracle *oracle)
{
	size_t table[4], i;

	for (i = 0; i < 4; i++)
		table[i] = (size_t)oracle_number(oracle);
	oracle_check(oracle, "p", test_fisher_p(table[0], table[1], table[2], table[3]),
		     test_tolerance, 0);
}

static void check_binomial(struct oracle *oracle)
{
	size_t successes = (size_t)oracle_number(oracle);
	size_t trials = (size_t)oracle_number(oracle);
	double probability = oracle_number(oracle);

	oracle_check(oracle, "p", test_binomial_p(successes, trials, probability), test_tolerance,
		     0);
}

static void check_holm(struct oracle *oracle)
{
	size_t n, i;
	double *p = oracle_array(oracle, &n);
	double adjusted[64];

	assert_in_range(n, 1, 64);
	test_holm(p, n, adjusted);
	for (i = 0; i < n; i++)
		oracle_check(oracle, "adjusted p", adjusted[i], 1e-15, 0);
	free(p);
}

static void check_quantile(struct oracle *oracle)
{
	double probability = oracle_number(oracle);
	size_t n;
	double *x = oracle_array(oracle, &n);

	oracle_check(oracle, "quantile", order_quantile(x, n, probability), 1e-14, 1e-17);
	free(x);
}

static void check_summary(struct oracle *oracle, const char *what,
			  double (*summary)(const double *x, size_t n))
{
	size_t n;
	double *x = oracle_array(oracle, &n);

	oracle_check(oracle, what, summary(x, n), 1e-13, 1e-17);
	free(x);
}

static void check_mad(struct oracle *oracle)
{
	check_summary(oracle, "mad", order_mad);
}

static void check_median(struct oracle *oracle)
{
	check_summary(oracle, "median", order_median);
}

static void check_mean(struct oracle *oracle)
{
	check_summary(oracle, "mean", order_mean);
}

static void check_deviation(struct oracle *oracle)
{
	check_summary(oracle, "deviation", order_deviation);
}

static void check_normal_quantile(struct oracle *oracle)
{
	double probability = oracle_number(oracle);

	oracle_check(oracle, "quantile", test_normal_quantile(probability), 1e-15, 0);
}

static void tests_agree_with_r(void **state)
{
	static const struct check checks[] = {
		{ "welch", check_welch, 40 },
		{ "spearman", check_spearman, 6 },
		{ "fisher", check_fisher, 64 },
		{ "binomial", check_binomial, 50 },
		{ "holm", check_holm, 4 },
		{ "quantile", check_quantile, 150 },
		{ "mad", check_mad, 25 },
		{ "median", check_median, 25 },
		{ "mean", check_mean, 25 },
		{ "deviation", check_deviation, 26 },
		{ "normal_quantile", check_normal_quantile, 6 },
	};

	(void)state;
	check_file("tests", checks, sizeof checks / sizeof *checks);
}

/* The pairs and boundaries of all looks against the rest of the row. */
static void check_looks(struct oracle *oracle, const struct looks *looks)
{
	size_t count, i;
	double *pairs = oracle_array(oracle, &count);

	if (looks->count != count)
		fail_msg("row %zu: %zu looks, not %zu", oracle->row, looks->count, count);
	for (i = 0; i < count; i++)
		assert_int_equal(looks->items[i].n, (size_t)pairs[i]);
	for (i = 0; i < count; i++) {
		oracle_check(oracle, "z", looks->items[i].z, 0, boundary_tolerance);
		assert_true(fabs(looks->items[i].alpha - erfc(looks->items[i].z / sqrt(2.0))) <
			    1e-14);
	}
	free(pairs);
}

static void check_plan(struct oracle *oracle)
{
	size_t asked = (size_t)oracle_number(oracle);
	size_t extended = (size_t)oracle_number(oracle);
	double confidence = oracle_number(oracle);
	double share = oracle_number(oracle);
	struct looks looks = looks_plan(asked, extended, confidence, share, true);

	check_looks(oracle, &looks);
}

static void check_cut(struct oracle *oracle)
{
	size_t asked = (size_t)oracle_number(oracle);
	size_t n = (size_t)oracle_number(oracle);
	size_t extended = (size_t)oracle_number(oracle);
	double confidence = oracle_number(oracle);
	double share = oracle_number(oracle);
	struct looks looks = looks_plan(asked, asked, confidence, share, true);

	looks = looks_truncate(&looks, n, confidence, share);
	looks = looks_extend(&looks, extended, confidence, share);
	check_looks(oracle, &looks);
}

static void looks_agree_with_r(void **state)
{
	static const struct check checks[] = {
		{ "plan", check_plan, 12 },
		{ "cut", check_cut, 5 },
	};

	(void)state;
	check_file("looks", checks, sizeof checks / sizeof *checks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(location_agrees_with_r),
		cmocka_unit_test(quantiles_agree_with_r),
		cmocka_unit_test(tests_agree_with_r),
		cmocka_unit_test(looks_agree_with_r),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
