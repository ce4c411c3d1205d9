/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Coarse clocks: see ticks.h.
 *
 * A clock that steps in q reports a value up to q/2 from the truth. Dithering
 * spreads equal readings over that step so that rank methods keep their level;
 * it does nothing for a clock coarser than the noise, where every run reads the
 * same: there the guard widens the interval by one step.
 */
#include "stats/ticks.h"

#include <assert.h>
#include <math.h>

#include "base/arena.h"
#include "base/random.h"
#include "stats/order.h"

enum { STEP_DISTINCT_LEAST = 10 };
/* Relative to the largest value: below the first a remainder is rounding, below the second a step
 * is too fine to matter. */
static const double rounding_ratio = 1e-9, step_ratio_least = 1e-6;

bool ticks_any_equal(const double *a, size_t a_count, const double *b, size_t b_count)
{
	size_t n = a_count + b_count, i;
	struct arena *arena = arena_open();
	double *pooled = arena_alloc(arena, n, sizeof *pooled);
	bool equal = false;

	for (i = 0; i < n; i++)
		pooled[i] = i < a_count ? a[i] : b[i - a_count];
	order_sort(pooled, n);
	for (i = 1; i < n && !equal; i++)
		equal = pooled[i] == pooled[i - 1];
	arena_close(arena);
	return equal;
}

void ticks_dither(double *x, size_t n, double quantum, uint64_t seed, unsigned side)
{
	size_t i;

	for (i = 0; i < n; i++) {
		uint64_t mixed = random_mix(seed + 2 * (uint64_t)i + side);

		x[i] += quantum * ((double)(mixed >> 11) * 0x1p-53 - 0.5);
	}
}

static double middle_range(const double *x, size_t n)
{
	return order_quantile(x, n, 0.9) - order_quantile(x, n, 0.1);
}

double ticks_guard(const double *a, size_t a_count, const double *b, size_t b_count, double quantum)
{
	if (!(quantum > 0))
		return 0;
	if (middle_range(a, a_count) >= 2 * quantum && middle_range(b, b_count) >= 2 * quantum)
		return 0;
	return quantum / fmin(order_median(a, a_count), order_median(b, b_count));
}

/* Distinct absolute values, zeros left out, ascending; returns their number. */
static size_t distinct_magnitudes(const double *x, size_t n, double *magnitudes)
{
	size_t count = 0, i;

	for (i = 0; i < n; i++)
		magnitudes[i] = fabs(x[i]);
	order_sort(magnitudes, n);
	for (i = 0; i < n; i++)
		if (magnitudes[i] > 0 && (count == 0 || magnitudes[i] != magnitudes[count - 1]))
			magnitudes[count++] = magnitudes[i];
	return count;
}

/* Euclid's algorithm where a remainder within rounding of 0 or of the divisor counts as 0. */
static double common_step(double larger, double smaller, double rounding)
{
	while (smaller > rounding) {
		double rest = fmod(larger, smaller);

		if (smaller - rest < rounding)
			rest = 0;
		larger = smaller;
		smaller = rest;
	}
	return larger;
}

double ticks_quantum_of(const double *x, size_t n)
{
	struct arena *arena = arena_open();
	double *magnitudes = arena_alloc(arena, n, sizeof *magnitudes);
	size_t count = distinct_magnitudes(x, n, magnitudes), i;
	double step = 0, largest = count > 0 ? magnitudes[count - 1] : 0;

	if (count >= STEP_DISTINCT_LEAST) {
		step = largest;
		for (i = 0; i < count && step >= step_ratio_least * largest; i++) {
			step = common_step(step, magnitudes[i], rounding_ratio * largest);
			/* The rounding of the data grows with every remainder: what divides the
			 * largest is known to its last digit again. */
			step = largest / round(largest / step);
		}
		if (step < step_ratio_least * largest)
			step = 0;
	}
	arena_close(arena);
	return step;
}
