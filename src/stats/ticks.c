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

enum { STEP_DISTINCT_LEAST = 10, FEW = 2000 };
/* Relative to the largest value: below the first a remainder is rounding, below the second a step
 * is too fine to matter. */
static const double rounding_ratio = 1e-9, step_ratio_least = 1e-6;

static bool any_neighbours_equal(const double *sorted, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (sorted[i] == sorted[i - 1])
			return true;
	return false;
}

/* Of two ascending arrays. */
static bool any_common(const double *a, size_t a_count, const double *b, size_t b_count)
{
	size_t i = 0, j = 0;

	while (i < a_count && j < b_count) {
		if (a[i] == b[j])
			return true;
		if (a[i] < b[j])
			i++;
		else
			j++;
	}
	return false;
}

static bool any_equal(const double *a, size_t a_count, const double *b, size_t b_count)
{
	struct arena *arena = arena_open();
	double *a_sorted = arena_copy(arena, a, a_count * sizeof *a);
	double *b_sorted = arena_copy(arena, b, b_count * sizeof *b);
	bool equal;

	order_sort(a_sorted, a_count);
	order_sort(b_sorted, b_count);
	equal = any_neighbours_equal(a_sorted, a_count) ||
		any_neighbours_equal(b_sorted, b_count) ||
		any_common(a_sorted, a_count, b_sorted, b_count);
	arena_close(arena);
	return equal;
}

bool ticks_any_equal(const double *a, size_t a_count, const double *b, size_t b_count)
{
	/* Of millions of values on a coarse clock the first few tell. */
	if (a_count > FEW && b_count > FEW && any_equal(a, FEW, b, FEW))
		return true;
	return any_equal(a, a_count, b, b_count);
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

/* Values to their distinct absolute values, zeros left out, ascending; returns their number. */
static size_t distinct_magnitudes(double *magnitudes, size_t n)
{
	size_t count = 0, i;

	for (i = 0; i < n; i++)
		magnitudes[i] = fabs(magnitudes[i]);
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

double ticks_quantum_in_place(double *x, size_t n)
{
	size_t count = distinct_magnitudes(x, n), i;
	double step, largest = count > 0 ? x[count - 1] : 0;

	if (count < STEP_DISTINCT_LEAST)
		return 0;
	step = largest;
	for (i = 0; i < count && step >= step_ratio_least * largest; i++) {
		step = common_step(step, x[i], rounding_ratio * largest);
		/* The rounding of the data grows with every remainder: what divides the
		 * largest is known to its last digit again. */
		step = largest / round(largest / step);
	}
	return step < step_ratio_least * largest ? 0 : step;
}

double ticks_quantum_of(const double *x, size_t n)
{
	struct arena *arena = arena_open();
	double step = ticks_quantum_in_place(arena_copy(arena, x, n * sizeof *x), n);

	arena_close(arena);
	return step;
}
