/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_LOCATION_H
#define STATS_LOCATION_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Hodges-Lehmann estimates with distribution-free intervals (Hodges & Lehmann
 * 1963; Hollander & Wolfe, Nonparametric Statistical Methods, 3.3 and 4.3).
 * All functions of stats/ are pure: arrays of double in, numbers out, inputs
 * unchanged unless the name says in_place, memory freed before they return; NAN
 * in an input is a bug of the caller (asserted).
 */
struct interval {
	double estimate;
	double low; /* -INFINITY if no finite bound exists at this level */
	double high;
};

/* Median of the Walsh averages of d[0..n), and its signed-rank interval at two-sided level alpha;
 * n >= 1. Averages are formed up to n = 2000, beyond that order statistics are selected from the
 * implicit sorted matrix (O(n log n) a step, memory O(n)). */
struct interval location_paired(const double *d, size_t n, double alpha);

/* The same for the shift b - a of two samples: median of all differences, rank-sum interval. The
 * differences are formed up to 4 million, beyond that selected from the implicit matrix. */
struct interval location_two_sample(const double *a, size_t a_count, const double *b,
				    size_t b_count, double alpha);
/* The same for millions of values: no copies are made, and what is left in a and b is of no use. */
struct interval location_two_sample_in_place(double *a, size_t a_count, double *b, size_t b_count,
					     double alpha);

#endif
