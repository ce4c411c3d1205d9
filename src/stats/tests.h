/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_TESTS_H
#define STATS_TESTS_H

#include <stddef.h>

#include "stats/location.h"

/* Tests behind the warnings; p values two-sided unless said otherwise, NAN where undefined (too
 * few values, or no spread at all). */
struct welch {
	double difference, low, high; /* mean(b) - mean(a) */
	double t, df, p;
};
/* Two values a side at least. */
struct welch test_welch(const double *a, size_t a_count, const double *b, size_t b_count,
			double alpha);
/* From summaries: difference of means with var = s^2/n each. */
struct welch test_welch_summaries(double mean_a, double variance_of_mean_a, double df_a,
				  double mean_b, double variance_of_mean_b, double df_b,
				  double alpha);

/* The mean of x and Student's interval of it; 2 values at least, all equal give a point. */
struct interval test_mean(const double *x, size_t n, double alpha);

/* t approximation; 3 values at least. rho may be NULL. */
double test_spearman_p(const double *x, const double *y, size_t n, double *rho);
double test_bartels_p(const double *x, size_t n); /* one-sided, positive dependence; mid-ranks */
double test_fisher_p(size_t a, size_t b, size_t c, size_t d); /* table {a b; c d} */
double test_binomial_p(size_t successes, size_t trials, double probability);
/* Holm's step-down adjusted p values, in place order of p. A NAN stays and counts for nothing. */
void test_holm(const double *p, size_t n, double *adjusted);
double test_normal_quantile(double probability);

#endif
