/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests behind the warnings: see tests.h. Distributions come from
 * libRmath; each test is checked against R's function of that name.
 */
#include "stats/tests.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/arena.h"
#include "stats/order.h"
#include "stats/rank.h"

/* Probabilities within this ratio count as equal when "no likelier than what was seen" is summed:
 * fisher.test and binom.test of R use the same. */
static const double likelihood_tolerance = 1 + 1e-7;

struct welch test_welch_summaries(double mean_a, double variance_of_mean_a, double df_a,
				  double mean_b, double variance_of_mean_b, double df_b,
				  double alpha)
{
	double variance = variance_of_mean_a + variance_of_mean_b, reach;
	struct welch welch = { .difference = mean_b - mean_a };

	if (!(variance > 0)) {
		welch.low = welch.high = welch.t = welch.df = welch.p = NAN;
		return welch;
	}
	/* Satterthwaite, Biometrics Bulletin 2, 1946. */
	welch.df = variance * variance /
		   (variance_of_mean_a * variance_of_mean_a / df_a +
		    variance_of_mean_b * variance_of_mean_b / df_b);
	welch.t = welch.difference / sqrt(variance);
	welch.p = 2 * pt(-fabs(welch.t), welch.df, 1, 0);
	reach = qt(alpha / 2, welch.df, 0, 0) * sqrt(variance);
	welch.low = welch.difference - reach;
	welch.high = welch.difference + reach;
	return welch;
}

static double variance_of_mean(const double *x, size_t n)
{
	double deviation = order_deviation(x, n);

	return deviation * deviation / (double)n;
}

struct welch test_welch(const double *a, size_t a_count, const double *b, size_t b_count,
			double alpha)
{
	return test_welch_summaries(order_mean(a, a_count), variance_of_mean(a, a_count),
				    (double)a_count - 1, order_mean(b, b_count),
				    variance_of_mean(b, b_count), (double)b_count - 1, alpha);
}

struct interval test_mean(const double *x, size_t n, double alpha)
{
	double mean = order_mean(x, n);
	double reach = qt(alpha / 2, (double)n - 1, 0, 0) * sqrt(variance_of_mean(x, n));

	return (struct interval){ mean, mean - reach, mean + reach };
}

/* Pearson's correlation of two arrays of ranks 1..n, whose mean is known. */
static double rank_correlation(const double *x, const double *y, size_t n)
{
	double mean = ((double)n + 1) / 2, xx = 0, yy = 0, xy = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		xx += (x[i] - mean) * (x[i] - mean);
		yy += (y[i] - mean) * (y[i] - mean);
		xy += (x[i] - mean) * (y[i] - mean);
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

double test_spearman_p(const double *x, const double *y, size_t n, double *rho)
{
	struct arena *arena = arena_open();
	double *x_ranks = arena_alloc(arena, n, sizeof *x_ranks);
	double *y_ranks = arena_alloc(arena, n, sizeof *y_ranks);
	double df = (double)n - 2, r;

	rank_mid(x, n, x_ranks);
	rank_mid(y, n, y_ranks);
	r = rank_correlation(x_ranks, y_ranks, n);
	arena_close(arena);
	if (rho != NULL)
		*rho = r;
	if (n < 3 || isnan(r))
		return NAN;
	return 2 * pt(-fabs(r) / sqrt((1 - r * r) / df), df, 1, 0);
}

/* The rank version of von Neumann's ratio (Bartels, JASA 77, 1982): neighbours that are more alike
 * than chance make it small. */
double test_bartels_p(const double *x, size_t n)
{
	struct arena *arena = arena_open();
	double *ranks = arena_alloc(arena, n, sizeof *ranks);
	double count = (double)n, mean = (count + 1) / 2, steps = 0, spread = 0, variance;
	size_t i;

	rank_mid(x, n, ranks);
	for (i = 0; i < n; i++) {
		spread += (ranks[i] - mean) * (ranks[i] - mean);
		if (i + 1 < n)
			steps += (ranks[i] - ranks[i + 1]) * (ranks[i] - ranks[i + 1]);
	}
	arena_close(arena);
	if (n < 3 || !(spread > 0))
		return NAN;
	variance = 4 * (count - 2) * (5 * count * count - 2 * count - 9) /
		   (5 * count * (count + 1) * (count - 1) * (count - 1));
	return pnorm((steps / spread - 2) / sqrt(variance), 0, 1, 1, 0);
}

double test_fisher_p(size_t a, size_t b, size_t c, size_t d)
{
	/* a of the first row's a + b came from the first column: a hypergeometric count. */
	double white = (double)(a + c), black = (double)(b + d), drawn = (double)(a + b);
	double lowest = fmax(0, drawn - black), highest = fmin(drawn, white), x, p = 0;
	double seen = dhyper((double)a, white, black, drawn, 0);

	for (x = lowest; x <= highest; x++) {
		double likelihood = dhyper(x, white, black, drawn, 0);

		if (likelihood <= seen * likelihood_tolerance)
			p += likelihood;
	}
	return fmin(1, p);
}

double test_binomial_p(size_t successes, size_t trials, double probability)
{
	double seen = dbinom((double)successes, (double)trials, probability, 0), p = 0;
	size_t x;

	for (x = 0; x <= trials; x++) {
		double likelihood = dbinom((double)x, (double)trials, probability, 0);

		if (likelihood <= seen * likelihood_tolerance)
			p += likelihood;
	}
	return fmin(1, p);
}

struct ordered {
	double p;
	size_t index;
};

static int ordered_compare(const void *left, const void *right)
{
	double a = ((const struct ordered *)left)->p, b = ((const struct ordered *)right)->p;

	return (a > b) - (a < b);
}

void test_holm(const double *p, size_t n, double *adjusted)
{
	struct arena *arena = arena_open();
	struct ordered *ordered = arena_alloc(arena, n, sizeof *ordered);
	double largest = 0;
	size_t count = 0, i;

	for (i = 0; i < n; i++) {
		if (isnan(p[i]))
			adjusted[i] = NAN;
		else
			ordered[count++] = (struct ordered){ p[i], i };
	}
	qsort(ordered, count, sizeof *ordered, ordered_compare);
	for (i = 0; i < count; i++) {
		largest = fmax(largest, fmin(1, (double)(count - i) * ordered[i].p));
		adjusted[ordered[i].index] = largest;
	}
	arena_close(arena);
}

double test_normal_quantile(double probability)
{
	return qnorm(probability, 0, 1, 1, 0);
}
