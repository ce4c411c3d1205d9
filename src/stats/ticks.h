/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_TICKS_H
#define STATS_TICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Coarse clocks. Dither: where two values are equal among all runs of both
 * sides and the quantum is known, q (U - 1/2) is added to every value,
 * U = (splitmix64(seed + 2i + side) >> 11) 2^-53, so that every look extends
 * the former. Guard: q / min(median a, median b) where the 10-90% span
 * (undithered) of either side is below 2q.
 */
bool ticks_any_equal(const double *a, size_t a_count, const double *b, size_t b_count);

/* In place; i is the index in x, side 0 for the baseline and 1 for the candidate. */
void ticks_dither(double *x, size_t n, double quantum, uint64_t seed, unsigned side);

/* As a ratio, for widening an interval of log ratios; 0 where no guard is needed or quantum is 0.
 * Values positive, both counts at least 1. */
double ticks_guard(const double *a, size_t a_count, const double *b, size_t b_count,
		   double quantum);

/* Greatest step that all values are multiples of, within rounding; 0 with fewer than 10 distinct
 * values (zeros left out, signs dropped) or where the step is below 1e-6 of the largest. */
double ticks_quantum_of(const double *x, size_t n);
/* The same without a copy: what is left in x is of no use. */
double ticks_quantum_in_place(double *x, size_t n);

#endif
