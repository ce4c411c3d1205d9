/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order statistics of all pairwise sums, without forming them.
 *
 * Every row of the matrix keeps a range of columns that may still hold the
 * wanted element, as in Johnson and Mizoguchi (SIAM J. Computing 7, 1978). They
 * narrow the ranges with a weighted median of row medians; here the pivots come
 * from a sample of the candidates that brackets the wanted rank, as in Floyd
 * and Rivest (CACM 18, 1975): a sample of s leaves about 3/sqrt(s) of the
 * candidates, so that 5e11 averages of a million values need three or four
 * passes. A pass is one walk down the staircase between the elements below the
 * pivot and the others. A pivot is a candidate itself and elements equal to it
 * are set aside with it, so that every pass makes progress under any ties.
 *
 * The random numbers come from a fixed seed: the result does not depend on
 * them, only the time does.
 */
#include "stats/pairwise.h"

#include <assert.h>
#include <math.h>

#include "base/arena.h"
#include "base/random.h"
#include "stats/order.h"

enum { SAMPLE_LEAST = 1024, SAMPLE_MOST = 65536 };

/* The candidates for one wanted element: columns first[i] <= j < end[i] of each row i. */
struct search {
	const struct pairwise *pairs;
	uint32_t *first;
	uint32_t *end;
	uint32_t *boundary; /* scratch of a pass */
	uint64_t candidates;
	uint64_t rank; /* of the wanted element among the candidates */
	double found;
};

enum side { SIDE_BELOW, SIDE_EQUAL, SIDE_ABOVE };

static double pairwise_at(const struct pairwise *pairs, size_t row, size_t column)
{
	return pairs->scale * (pairs->rows[row] + pairs->columns[column]);
}

uint64_t pairwise_count(const struct pairwise *pairs)
{
	uint64_t rows = pairs->row_count;

	return pairs->triangle ? rows * (rows + 1) / 2 : rows * pairs->column_count;
}

static void search_restart(struct search *search, uint64_t rank)
{
	const struct pairwise *pairs = search->pairs;
	size_t row;

	for (row = 0; row < pairs->row_count; row++) {
		search->first[row] = pairs->triangle ? (uint32_t)row : 0;
		search->end[row] = (uint32_t)pairs->column_count;
	}
	search->candidates = pairwise_count(pairs);
	search->rank = rank;
}

static uint32_t clamp(uint32_t value, uint32_t low, uint32_t high)
{
	return value < low ? low : value > high ? high : value;
}

/*
 * Where the candidates below the pivot (inclusive: or equal to it) end in each
 * row, into boundary[]; returns their number. The rows ascend, so the boundary
 * only moves to the left.
 */
static uint64_t search_divide(struct search *search, double pivot, bool inclusive)
{
	const struct pairwise *pairs = search->pairs;
	size_t column = pairs->column_count, row;
	uint64_t count = 0;

	for (row = 0; row < pairs->row_count; row++) {
		while (column > 0) {
			double value = pairwise_at(pairs, row, column - 1);

			if (value < pivot || (inclusive && value == pivot))
				break;
			column--;
		}
		search->boundary[row] =
		    clamp((uint32_t)column, search->first[row], search->end[row]);
		count += search->boundary[row] - search->first[row];
	}
	return count;
}

static void search_keep_left(struct search *search, uint64_t count)
{
	uint32_t *unused = search->end;

	search->end = search->boundary;
	search->boundary = unused;
	search->candidates = count;
}

static void search_keep_right(struct search *search, uint64_t count)
{
	uint32_t *unused = search->first;

	search->first = search->boundary;
	search->boundary = unused;
	search->candidates -= count;
	search->rank -= count;
}

/* Keeps the candidates on the side of the pivot where the wanted element lies, and says which. */
static enum side search_narrow(struct search *search, double pivot)
{
	uint64_t count = search_divide(search, pivot, false);

	if (search->rank < count) {
		search_keep_left(search, count);
		return SIDE_BELOW;
	}
	count = search_divide(search, pivot, true);
	if (search->rank < count) {
		search->found = pivot;
		return SIDE_EQUAL;
	}
	search_keep_right(search, count);
	return SIDE_ABOVE;
}

/* A random candidate from each of count equal stretches of the candidates in row order. */
static void search_sample(const struct search *search, struct random *random, size_t count,
			  double *sample)
{
	double stretch = (double)search->candidates / (double)count;
	uint64_t before = 0; /* candidates in the rows before this one */
	size_t row = 0, i;

	for (i = 0; i < count; i++) {
		uint64_t at = (uint64_t)(((double)i + random_unit(random)) * stretch);

		if (at >= search->candidates)
			at = search->candidates - 1;
		while (at - before >= search->end[row] - search->first[row]) {
			before += search->end[row] - search->first[row];
			row++;
		}
		sample[i] =
		    pairwise_at(search->pairs, row, search->first[row] + (size_t)(at - before));
	}
	order_sort(sample, count);
}

/* One bracketing step; true once the element is found. */
static bool search_step(struct search *search, struct random *random, double *sample, size_t count)
{
	double centre = (double)search->rank / (double)search->candidates * (double)count;
	double reach = 1.5 * sqrt((double)count); /* three standard deviations at the median */
	double low = floor(centre - reach), high = ceil(centre + reach);
	enum side side;

	search_sample(search, random, count, sample);
	side = search_narrow(search, sample[low < 0 ? 0 : (size_t)low]);
	if (side == SIDE_ABOVE)
		side =
		    search_narrow(search, sample[high >= (double)count ? count - 1 : (size_t)high]);
	return side == SIDE_EQUAL;
}

/* The candidates that are left, in values[0..candidates). */
static void search_form(const struct search *search, double *values)
{
	size_t row, column, filled = 0;

	for (row = 0; row < search->pairs->row_count; row++)
		for (column = search->first[row]; column < search->end[row]; column++)
			values[filled++] = pairwise_at(search->pairs, row, column);
}

static void search_init(struct search *search, struct arena *arena, const struct pairwise *pairs)
{
	search->pairs = pairs;
	search->first = arena_alloc(arena, pairs->row_count, sizeof *search->first);
	search->end = arena_alloc(arena, pairs->row_count, sizeof *search->end);
	search->boundary = arena_alloc(arena, pairs->row_count, sizeof *search->boundary);
}

static void select_formed(struct arena *arena, struct search *search, const uint64_t *ranks,
			  size_t rank_count, double *values)
{
	size_t count = (size_t)pairwise_count(search->pairs), done = 0, i;
	double *formed = arena_alloc(arena, count, sizeof *formed);

	search_restart(search, 0);
	search_form(search, formed);
	/* What lies left of a selected element stays there, so that the next search is shorter. */
	for (i = 0; i < rank_count; i++) {
		values[i] = order_select(formed + done, count - done, (size_t)ranks[i] - done);
		done = (size_t)ranks[i];
	}
}

static void select_narrowed(struct arena *arena, struct search *search, const uint64_t *ranks,
			    size_t rank_count, double *values)
{
	const struct pairwise *pairs = search->pairs;
	size_t few = pairs->row_count + pairs->column_count;
	size_t sample_count = few / 16 < SAMPLE_LEAST  ? SAMPLE_LEAST
			      : few / 16 > SAMPLE_MOST ? SAMPLE_MOST
						       : few / 16;
	double *formed = arena_alloc(arena, few, sizeof *formed);
	double *sample = arena_alloc(arena, sample_count, sizeof *sample);
	struct random random = { .state = 1 };
	size_t i;

	for (i = 0; i < rank_count; i++) {
		bool found = false;

		search_restart(search, ranks[i]);
		while (!found && search->candidates > few)
			found = search_step(search, &random, sample, sample_count);
		if (!found) {
			search_form(search, formed);
			search->found =
			    order_select(formed, (size_t)search->candidates, (size_t)search->rank);
		}
		values[i] = search->found;
	}
}

void pairwise_select(const struct pairwise *pairs, const uint64_t *ranks, size_t rank_count,
		     uint64_t formed_most, double *values)
{
	struct arena *arena = arena_open();
	struct search search = { 0 };
	size_t i;

	assert(pairs->column_count < UINT32_MAX && pairs->row_count < UINT32_MAX);
	for (i = 0; i < rank_count; i++)
		assert(ranks[i] < pairwise_count(pairs) && (i == 0 || ranks[i - 1] <= ranks[i]));
	search_init(&search, arena, pairs);
	if (pairwise_count(pairs) <= formed_most)
		select_formed(arena, &search, ranks, rank_count, values);
	else
		select_narrowed(arena, &search, ranks, rank_count, values);
	arena_close(arena);
}
