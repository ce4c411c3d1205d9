/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order statistics of all pairwise sums, without forming them.
 *
 * In every row of the matrix a range of columns may still hold the wanted
 * element, as in Johnson and Mizoguchi (SIAM J. Computing 7, 1978). They narrow
 * the ranges with a weighted median of row medians; here the pivots come from a
 * sample of the candidates that brackets the wanted rank, as in Floyd and
 * Rivest (CACM 18, 1975): a sample of s leaves about 3/sqrt(s) of the
 * candidates, so that 5e11 averages of a million values need three or four
 * passes. A pass is one walk down the staircase between the elements below the
 * pivot and the others. A pivot is a candidate itself and elements equal to it
 * are set aside with it, so that every pass makes progress under any ties.
 *
 * The ranges are not kept: two pivots say where they begin and end, and walking
 * the rows in order finds both again, so that memory does not grow with n.
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

/* So many candidates are formed and partitioned: 32 MB, whatever the size of the matrix. */
enum { FORMED_MOST = 4 << 20, PIVOTS = 64 };
enum { SAMPLE_LEAST = 1024, SAMPLE_MOST = 1 << 20 };

/* A pivot that was tried, and how much of the matrix it divides off. */
struct pivot {
	double value;
	uint64_t below; /* elements below it */
	uint64_t upto;	/* those and its equals; 0: not counted yet */
};

/* The candidates for one wanted element: what lies between two pivots that are ruled out with all
 * that equals them. NAN is no pivot, so comparisons are written such that it excludes nothing. */
struct search {
	const struct pairwise *pairs;
	double low, high;
	uint64_t below; /* elements of the matrix up to low */
	uint64_t end;	/* elements below high */
	uint64_t rank;	/* of the wanted element in the matrix */
	double found;
	/* What was learnt on the way to one element serves the next; the oldest are forgotten. */
	struct pivot pivots[PIVOTS];
	size_t pivot_count;
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

static uint64_t search_candidates(const struct search *search)
{
	return search->end - search->below;
}

/* Elements of the whole matrix below the pivot (inclusive: or equal to it). The rows ascend, so
 * where they end only moves to the left. */
static uint64_t count_below(const struct pairwise *pairs, double pivot, bool inclusive)
{
	size_t column = pairs->column_count, row;
	uint64_t count = 0;

	for (row = 0; row < pairs->row_count; row++) {
		while (column > 0) {
			double value = pairwise_at(pairs, row, column - 1);

			if (value < pivot || (inclusive && value == pivot))
				break;
			column--;
		}
		if (!pairs->triangle)
			count += column;
		else if (column > row)
			count += column - row;
	}
	return count;
}

/* Takes account of a pivot: true if it is the wanted element, else nothing is left on one side of
 * it. Its equals are only counted where the wanted element does not lie below. */
static bool search_divide(struct search *search, struct pivot *pivot)
{
	if (pivot->below > search->rank) {
		if (pivot->below < search->end) {
			search->high = pivot->value;
			search->end = pivot->below;
		}
		return false;
	}
	if (pivot->upto == 0)
		pivot->upto = count_below(search->pairs, pivot->value, true);
	if (pivot->upto > search->rank) {
		search->found = pivot->value;
		return true;
	}
	if (pivot->upto > search->below) {
		search->low = pivot->value;
		search->below = pivot->upto;
	}
	return false;
}

/* True if the element of that rank is known already. */
static bool search_restart(struct search *search, uint64_t rank)
{
	bool found = false;
	size_t i;

	search->low = search->high = NAN;
	search->below = 0;
	search->end = pairwise_count(search->pairs);
	search->rank = rank;
	for (i = 0; i < search->pivot_count && i < PIVOTS && !found; i++)
		found = search_divide(search, &search->pivots[i]);
	return found;
}

/* Keeps the candidates on the side of the pivot where the wanted element lies, and says which. */
static enum side search_narrow(struct search *search, double value)
{
	struct pivot *pivot = &search->pivots[search->pivot_count++ % PIVOTS];

	*pivot =
	    (struct pivot){ .value = value, .below = count_below(search->pairs, value, false) };
	if (search_divide(search, pivot))
		return SIDE_EQUAL;
	return search->rank < pivot->below ? SIDE_BELOW : SIDE_ABOVE;
}

/* The candidates of one row after the other: columns first <= j < end of row. */
struct walk {
	const struct search *search;
	size_t row, first, end;
	size_t after_low, before_high; /* the same without regard to the triangle */
};

static void walk_settle(struct walk *walk)
{
	const struct search *search = walk->search;
	const struct pairwise *pairs = search->pairs;
	size_t row = walk->row;

	while (walk->after_low > 0 &&
	       !(pairwise_at(pairs, row, walk->after_low - 1) <= search->low))
		walk->after_low--;
	while (walk->before_high > 0 &&
	       pairwise_at(pairs, row, walk->before_high - 1) >= search->high)
		walk->before_high--;
	walk->first = pairs->triangle && row > walk->after_low ? row : walk->after_low;
	walk->end = walk->before_high > walk->first ? walk->before_high : walk->first;
}

static struct walk walk_begin(const struct search *search)
{
	size_t columns = search->pairs->column_count;
	struct walk walk = { .search = search, .after_low = columns, .before_high = columns };

	walk_settle(&walk);
	return walk;
}

static void walk_next(struct walk *walk)
{
	walk->row++;
	walk_settle(walk);
}

/* A random candidate from each of count equal stretches of the candidates in row order. */
static void search_sample(const struct search *search, struct random *random, size_t count,
			  double *sample)
{
	uint64_t candidates = search_candidates(search);
	double stretch = (double)candidates / (double)count;
	struct walk walk = walk_begin(search);
	uint64_t before = 0; /* candidates in the rows before this one */
	size_t i;

	for (i = 0; i < count; i++) {
		uint64_t at = (uint64_t)(((double)i + random_unit(random)) * stretch);

		if (at >= candidates)
			at = candidates - 1;
		while (at - before >= walk.end - walk.first) {
			before += walk.end - walk.first;
			walk_next(&walk);
		}
		sample[i] =
		    pairwise_at(search->pairs, walk.row, walk.first + (size_t)(at - before));
	}
	order_sort(sample, count);
}

/* One bracketing step; true once the element is found. */
static bool search_step(struct search *search, struct random *random, double *sample, size_t count)
{
	double share = (double)(search->rank - search->below) / (double)search_candidates(search);
	double centre = share * (double)count;
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
	uint64_t candidates = search_candidates(search), filled = 0;
	struct walk walk;
	size_t column;

	if (candidates == 0)
		return;
	for (walk = walk_begin(search);; walk_next(&walk)) {
		for (column = walk.first; column < walk.end; column++)
			values[filled++] = pairwise_at(search->pairs, walk.row, column);
		if (filled >= candidates)
			break;
	}
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
		values[i] =
		    order_select(formed + done, count - done, (size_t)ranks[i] - done) + 0.0;
		done = (size_t)ranks[i];
	}
}

static void select_narrowed(struct arena *arena, struct search *search, const uint64_t *ranks,
			    size_t rank_count, double *values)
{
	const struct pairwise *pairs = search->pairs;
	size_t lines = pairs->row_count + pairs->column_count;
	size_t few = lines < FORMED_MOST ? lines : FORMED_MOST;
	size_t sample_count = lines / 16 < SAMPLE_LEAST	 ? SAMPLE_LEAST
			      : lines / 16 > SAMPLE_MOST ? SAMPLE_MOST
							 : lines / 16;
	double *formed = arena_alloc(arena, few, sizeof *formed);
	double *sample = arena_alloc(arena, sample_count, sizeof *sample);
	struct random random = { .state = 1 };
	size_t i;

	for (i = 0; i < rank_count; i++) {
		bool found = search_restart(search, ranks[i]);

		while (!found && search_candidates(search) > few)
			found = search_step(search, &random, sample, sample_count);
		if (!found) {
			search_form(search, formed);
			search->found = order_select(formed, (size_t)search_candidates(search),
						     (size_t)(search->rank - search->below));
		}
		values[i] = search->found + 0.0; /* -0 becomes 0 */
	}
}

void pairwise_select(const struct pairwise *pairs, const uint64_t *ranks, size_t rank_count,
		     uint64_t formed_most, double *values)
{
	struct arena *arena = arena_open();
	struct search search = { .pairs = pairs };
	size_t i;

	assert(pairs->column_count < UINT32_MAX && pairs->row_count < UINT32_MAX);
	for (i = 0; i < rank_count; i++)
		assert(ranks[i] < pairwise_count(pairs) && (i == 0 || ranks[i - 1] <= ranks[i]));
	if (pairwise_count(pairs) <= formed_most)
		select_formed(arena, &search, ranks, rank_count, values);
	else
		select_narrowed(arena, &search, ranks, rank_count, values);
	arena_close(arena);
}
