/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two groups of runs by the gap rule: see groups.h.
 *
 * Kernel estimates and mixtures see two modes in a quarter and more of skewed
 * single-mode series; a gap that is wide against the spread within the parts
 * rarely appears by chance. Broad groups that overlap are not found.
 */
#include "stats/groups.h"

#include <math.h>

#include "base/arena.h"
#include "stats/order.h"

enum { LEAST_RUNS = 10, LEAST_PART = 3 };
static const double gap_per_range = 1.5;

/* The size of the lower part for which the squares within both parts are least. */
static size_t best_split(const double *sorted, size_t n, size_t least)
{
	double mean = order_mean(sorted, n), sum = 0, best = -INFINITY;
	size_t lower, split = least;

	for (lower = 1; lower <= n - least; lower++) {
		double between;

		sum += sorted[lower - 1] - mean;
		if (lower < least)
			continue;
		/* Least within is most between: n s^2 / (n1 n2), s the lower part's centred sum. */
		between = sum * sum / ((double)lower * (double)(n - lower));
		if (between > best) {
			best = between;
			split = lower;
		}
	}
	return split;
}

static double middle_range(const double *x, size_t n)
{
	return order_quantile(x, n, 0.9) - order_quantile(x, n, 0.1);
}

static struct groups groups_of_sorted(const double *sorted, size_t n)
{
	size_t least = (n + 9) / 10 > LEAST_PART ? (n + 9) / 10 : LEAST_PART;
	size_t lower = best_split(sorted, n, least);
	const double *upper = sorted + lower;
	double gap = upper[0] - upper[-1];
	double range = fmax(middle_range(sorted, lower), middle_range(upper, n - lower));
	struct groups groups = {
		.flagged = gap > 0 && gap >= gap_per_range * range,
		.cut = upper[-1] + gap / 2,
		.centres = { order_median(sorted, lower), order_median(upper, n - lower) },
		.counts = { lower, n - lower },
	};

	return groups;
}

struct groups groups_find(const double *x, size_t n)
{
	struct groups groups = { .cut = NAN, .centres = { NAN, NAN } };
	struct arena *arena;
	double *sorted;

	if (n < LEAST_RUNS)
		return groups;
	arena = arena_open();
	sorted = arena_copy(arena, x, n * sizeof *x);
	order_sort(sorted, n);
	groups = groups_of_sorted(sorted, n);
	arena_close(arena);
	return groups;
}
