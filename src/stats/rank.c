/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Null distributions of rank statistics: see rank.h.
 *
 * The signed-rank statistic is the sum of a random subset of the ranks; the
 * number of subsets with each sum follows by adding one rank after the other
 * (the recursion in Hollander and Wolfe, 3.1). Up to 1000 values the counts,
 * at most 2^1000, fit a double. libRmath has the same distribution but takes
 * minutes and gigabytes beyond 200 values (50 a side for the rank sum).
 */
#include "stats/rank.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "stats/sort.h"

enum { SIGNED_EXACT_MOST = 1000, SIGNED_TIED_MOST = 200, SUM_EXACT_MOST = 50 };

/* Sums further below the mean than this many standard deviations have together less than
 * exp(-9.5^2/2) = 3e-20 of the probability (Hoeffding 1963, theorem 2), so they count as none. */
static const double reach_deviations = 9.5;

/* Lets a probability that was meant to equal a step of the distribution reach it, as R does. */
static const double step_tolerance = 1e-14;

/*
 * counts[s] += counts[s - weight] for s = last, last-1, ..., first: in blocks
 * no longer than weight, whose sources and targets cannot overlap.
 */
static void counts_shift(double *restrict counts, size_t weight, size_t first, size_t last)
{
	size_t end = last + 1;

	while (end > first) {
		size_t start = end - first > weight ? end - weight : first;
		const double *from = counts + start - weight;
		double *to = counts + start;
		size_t i;

		for (i = 0; i < end - start; i++)
			to[i] += from[i];
		end = start;
	}
}

/*
 * counts[s] is the number of subsets of the weights whose sum is s, for s in
 * 0..limit; weights ascending for speed. Sums out of reach may be left out.
 */
static double *subset_counts(struct arena *arena, const size_t *weights, size_t n, size_t limit)
{
	double *counts = arena_alloc(arena, limit + 1, sizeof *counts);
	double mean = 0, variance = 0;
	size_t total = 0, i;

	counts[0] = 1;
	for (i = 0; i < n; i++) {
		size_t weight = weights[i], first, last;
		double lowest;

		total += weight;
		mean += (double)weight / 2;
		variance += (double)weight * (double)weight / 4;
		lowest = mean - reach_deviations * sqrt(variance);
		first = lowest > (double)weight ? (size_t)lowest : weight;
		last = total < limit ? total : limit;
		if (first <= last)
			counts_shift(counts, weight, first, last);
	}
	return counts;
}

static double normal_quantile(double probability, double mean, double variance)
{
	double k = floor(mean + qnorm(probability, 0, 1, 1, 0) * sqrt(variance));

	return k < 0 ? 0 : k;
}

double rank_signed_quantile(double probability, size_t n)
{
	size_t middle = n * (n + 1) / 4, weights[SIGNED_EXACT_MOST], k;
	double wanted, sum = 0, count = (double)n;
	struct arena *arena;
	double *counts;

	assert(probability > 0 && probability <= 0.5);
	if (n > SIGNED_EXACT_MOST)
		return normal_quantile(probability, count * (count + 1) / 4,
				       count * (count + 1) * (2 * count + 1) / 24);
	for (k = 0; k < n; k++)
		weights[k] = k + 1;
	arena = arena_open();
	counts = subset_counts(arena, weights, n, middle);
	wanted = ldexp(probability * (1 - step_tolerance), (int)n);
	for (k = 0; k <= middle; k++) {
		sum += counts[k];
		if (sum >= wanted)
			break;
	}
	arena_close(arena);
	return (double)k;
}

/* Variance of the rank sum of n among n + m, with ties (Lehmann, Nonparametrics, 1.4). */
static double rank_sum_variance(double n, double m, double ties)
{
	double all = n + m;

	return n * m / 12 * (all + 1 - ties / (all * (all - 1)));
}

double rank_sum_quantile(double probability, size_t n, size_t m, double ties)
{
	double a = (double)n, b = (double)m, k;

	assert(probability > 0 && probability <= 0.5 && n > 0 && m > 0);
	if (n > SUM_EXACT_MOST || m > SUM_EXACT_MOST)
		return normal_quantile(probability, a * b / 2, rank_sum_variance(a, b, ties));
	k = qwilcox(probability, a, b, 1, 0);
	wilcox_free(); /* the library keeps its tables otherwise */
	return k;
}

double rank_mid(const double *x, size_t n, double *ranks)
{
	struct arena *arena = arena_open();
	struct sort_item *sorted = arena_alloc(arena, n, sizeof *sorted);
	size_t first, end, i;
	double ties = 0;

	for (i = 0; i < n; i++)
		sorted[i] = (struct sort_item){ x[i], i };
	sort_items(sorted, n);
	for (first = 0; first < n; first = end) {
		double tied;

		for (end = first + 1; end < n && sorted[end].value == sorted[first].value; end++)
			;
		for (i = first; i < end; i++)
			ranks[sorted[i].index] = (double)(first + 1 + end) / 2;
		tied = (double)(end - first);
		ties += tied * tied * tied - tied;
	}
	arena_close(arena);
	return ties;
}

/* Two-sided p of a statistic under the normal approximation, with continuity correction. */
static double normal_p(double statistic, double mean, double variance)
{
	double distance = fabs(statistic - mean) - 0.5;

	if (!(variance > 0) || distance <= 0)
		return 1;
	return 2 * pnorm(-distance / sqrt(variance), 0, 1, 1, 0);
}

static int weight_compare(const void *left, const void *right)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	return (a > b) - (a < b);
}

/*
 * Exact p: the share of the 2^n sign patterns whose lesser rank sum is at most
 * the one seen, twice. Scaled ranks are whole numbers: doubled where ties make halves.
 */
static double signed_exact_p(struct arena *arena, const double *ranks, size_t n, double scale,
			     double lesser)
{
	size_t *weights = arena_alloc(arena, n, sizeof *weights), limit = (size_t)(scale * lesser);
	double *counts, sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		weights[i] = (size_t)(scale * ranks[i]);
	qsort(weights, n, sizeof *weights, weight_compare);
	counts = subset_counts(arena, weights, n, limit);
	for (i = 0; i <= limit; i++)
		sum += counts[i];
	return fmin(1, ldexp(sum, 1 - (int)n));
}

static double signed_p_of_nonzero(struct arena *arena, const double *d, size_t n)
{
	double *magnitudes = arena_alloc(arena, n, sizeof *magnitudes);
	double *ranks = arena_alloc(arena, n, sizeof *ranks);
	double ties, positive = 0, all = (double)n * ((double)n + 1) / 2, count = (double)n;
	size_t i;

	for (i = 0; i < n; i++)
		magnitudes[i] = fabs(d[i]);
	ties = rank_mid(magnitudes, n, ranks);
	for (i = 0; i < n; i++)
		positive += d[i] > 0 ? ranks[i] : 0;
	if (n <= (ties > 0 ? SIGNED_TIED_MOST : SIGNED_EXACT_MOST))
		return signed_exact_p(arena, ranks, n, ties > 0 ? 2 : 1,
				      fmin(positive, all - positive));
	return normal_p(positive, all / 2, count * (count + 1) * (2 * count + 1) / 24 - ties / 48);
}

double rank_signed_p(const double *d, size_t n)
{
	struct arena *arena = arena_open();
	double *nonzero = arena_alloc(arena, n, sizeof *nonzero), p = 1;
	size_t count = 0, i;

	for (i = 0; i < n; i++)
		if (d[i] != 0)
			nonzero[count++] = d[i];
	if (count > 0)
		p = signed_p_of_nonzero(arena, nonzero, count);
	arena_close(arena);
	return p;
}

/*
 * Exact p: among all choices of `chosen` of the scaled ranks, the share whose
 * sum is at least as far from the expected one as the sum seen.
 */
static double sum_exact_p(struct arena *arena, const double *ranks, size_t n, size_t chosen,
			  double scale, double seen)
{
	double expected = scale * (double)chosen * (double)(n + 1) / 2;
	double distance = fabs(scale * seen - expected), far = 0, all = 0;
	size_t sums = (size_t)scale * n * (n + 1) / 2 + 1, reached = 0, size, sum, i;
	/* counts[size * sums + s]: choices of size ranks with the sum s */
	double *counts = arena_alloc(arena, (chosen + 1) * sums, sizeof *counts);

	counts[0] = 1;
	for (i = 0; i < n; i++) {
		size_t weight = (size_t)(scale * ranks[i]);

		reached += weight;
		for (size = i + 1 < chosen ? i + 1 : chosen; size > 0; size--) {
			double *to = counts + size * sums;
			const double *from = to - sums;

			for (sum = weight; sum <= reached; sum++)
				to[sum] += from[sum - weight];
		}
	}
	for (sum = 0; sum < sums; sum++) {
		double count = counts[chosen * sums + sum];

		all += count;
		if (fabs((double)sum - expected) >= distance)
			far += count;
	}
	return far / all;
}

/* Where the values equal to this one end that begin at first. */
static size_t end_of_ties(const double *x, size_t count, size_t first, double value)
{
	size_t end = first;

	while (end < count && x[end] == value)
		end++;
	return end;
}

double rank_merge(const double *a, size_t a_count, const double *b, size_t b_count, double *sum_a)
{
	size_t i = 0, j = 0;
	double ties = 0;

	*sum_a = 0;
	while (i < a_count || j < b_count) {
		double value = j == b_count || (i < a_count && a[i] < b[j]) ? a[i] : b[j];
		size_t a_end = end_of_ties(a, a_count, i, value);
		size_t b_end = end_of_ties(b, b_count, j, value);
		double tied = (double)(a_end - i + b_end - j);

		*sum_a += (double)(a_end - i) * ((double)(i + j + 1 + a_end + b_end) / 2);
		ties += tied * tied * tied - tied;
		i = a_end;
		j = b_end;
	}
	return ties;
}

/* Few values: the ranks themselves are needed. */
static double sum_p_of_few(struct arena *arena, const double *a, size_t a_count, const double *b,
			   size_t b_count)
{
	size_t n = a_count + b_count, i;
	double *pooled = arena_alloc(arena, n, sizeof *pooled);
	double *ranks = arena_alloc(arena, n, sizeof *ranks);
	double ties, sum_a = 0, sum_b = 0, scale;

	for (i = 0; i < n; i++)
		pooled[i] = i < a_count ? a[i] : b[i - a_count];
	ties = rank_mid(pooled, n, ranks);
	for (i = 0; i < n; i++)
		*(i < a_count ? &sum_a : &sum_b) += ranks[i];
	scale = ties > 0 ? 2 : 1;
	return a_count < b_count ? sum_exact_p(arena, ranks, n, a_count, scale, sum_a)
				 : sum_exact_p(arena, ranks, n, b_count, scale, sum_b);
}

static double sum_p_of_many(struct arena *arena, const double *a, size_t a_count, const double *b,
			    size_t b_count)
{
	double *a_sorted = arena_copy(arena, a, a_count * sizeof *a);
	double *b_sorted = arena_copy(arena, b, b_count * sizeof *b);
	double n = (double)a_count + (double)b_count, sum_a, ties;

	sort_values(a_sorted, a_count);
	sort_values(b_sorted, b_count);
	ties = rank_merge(a_sorted, a_count, b_sorted, b_count, &sum_a);
	return normal_p(sum_a, (double)a_count * (n + 1) / 2,
			rank_sum_variance((double)a_count, (double)b_count, ties));
}

double rank_sum_p(const double *a, size_t a_count, const double *b, size_t b_count)
{
	struct arena *arena;
	double p;

	if (a_count == 0 || b_count == 0)
		return NAN;
	arena = arena_open();
	p = a_count > SUM_EXACT_MOST || b_count > SUM_EXACT_MOST
		? sum_p_of_many(arena, a, a_count, b, b_count)
		: sum_p_of_few(arena, a, a_count, b, b_count);
	arena_close(arena);
	return p;
}
