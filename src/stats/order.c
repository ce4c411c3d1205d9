/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order statistics and simple summaries: see order.h.
 *
 * Selection is Hoare's (CACM 4, 1961) with random pivots from a fixed seed and
 * a three-way partition, so that neither sorted input nor heavy ties slow it
 * down. Quantiles are those of R's type 7 (Hyndman & Fan, American Statistician
 * 50, 1996), the sum is Neumaier's (ZAMM 54, 1974).
 */
#include "stats/order.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/random.h"
#include "stats/sort.h"

/* Makes the median absolute deviation of normal values their standard deviation: 1/qnorm(3/4). */
static const double mad_to_deviation = 1.4826;

double order_mean(const double *x, size_t n)
{
	double sum = 0, lost = 0; /* lost: what rounding took from the sum */
	size_t i;

	for (i = 0; i < n; i++) {
		double next = sum + x[i];

		lost += fabs(sum) >= fabs(x[i]) ? (sum - next) + x[i] : (x[i] - next) + sum;
		sum = next;
	}
	return n == 0 ? NAN : (sum + lost) / (double)n;
}

double order_deviation(const double *x, size_t n)
{
	double mean = order_mean(x, n), squares = 0, rest = 0;
	size_t i;

	if (n < 2)
		return NAN;
	for (i = 0; i < n; i++) {
		squares += (x[i] - mean) * (x[i] - mean);
		rest += x[i] - mean; /* 0 but for the rounding of the mean */
	}
	return sqrt((squares - rest * rest / (double)n) / (double)(n - 1));
}

static void swap(double *x, size_t i, size_t j)
{
	double value = x[i];

	x[i] = x[j];
	x[j] = value;
}

double order_select(double *x, size_t n, size_t k)
{
	struct random random = { .state = n };
	size_t low = 0, end = n; /* the wanted element is in x[low..end) */

	assert(k < n);
	while (end - low > 1) {
		double pivot = x[low + random_below(&random, end - low)];
		size_t less = low, i = low, more = end;

		/* x[low..less) < pivot, x[less..i) equal, x[i..more) not seen, x[more..end) > */
		while (i < more) {
			if (x[i] < pivot)
				swap(x, less++, i++);
			else if (x[i] > pivot)
				swap(x, i, --more);
			else
				i++;
		}
		if (k >= less && k < more)
			return pivot;
		if (k < less)
			end = less;
		else
			low = more;
	}
	return x[k];
}

void order_sort(double *x, size_t n)
{
	sort_values(x, n);
}

/* Type 7 in x, which may be permuted. */
static double select_quantile(double *x, size_t n, double probability)
{
	double position = (double)(n - 1) * probability;
	size_t below = (size_t)floor(position), i;
	double share = position - (double)below;
	double low, high = INFINITY;

	assert(n >= 1 && probability >= 0 && probability <= 1);
	low = order_select(x, n, below);
	if (share == 0 || below + 1 == n)
		return low;
	/* Everything right of the selected element is no smaller: the least of it comes next. */
	for (i = below + 1; i < n; i++)
		high = x[i] < high ? x[i] : high;
	return (1 - share) * low + share * high;
}

static double *copy_of(struct arena *arena, const double *x, size_t n)
{
	return arena_copy(arena, x, n * sizeof *x);
}

double order_quantile(const double *x, size_t n, double probability)
{
	struct arena *arena = arena_open();
	double quantile = select_quantile(copy_of(arena, x, n), n, probability);

	arena_close(arena);
	return quantile;
}

double order_median(const double *x, size_t n)
{
	return order_quantile(x, n, 0.5);
}

double order_mad(const double *x, size_t n)
{
	struct arena *arena = arena_open();
	double *distances = copy_of(arena, x, n);
	double median = select_quantile(distances, n, 0.5), mad;
	size_t i;

	for (i = 0; i < n; i++)
		distances[i] = fabs(distances[i] - median);
	mad = mad_to_deviation * select_quantile(distances, n, 0.5);
	arena_close(arena);
	return mad;
}
