/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Geometric means over the benchmarks of a set: see set_mean.h. */
#include "judge/set_mean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/rows.h"
#include "judge/verdict.h"

/* One pair of one benchmark. */
struct round_cost {
	uint32_t round;
	double d;
};

static bool same_kind(const struct metric *one, const struct metric *other)
{
	return one->better == other->better && strcmp(one->unit, other->unit) == 0;
}

/* A benchmark of the set that first is of. */
static bool is_member(const struct judging *judging, const struct row *first, const struct row *row)
{
	return row->comparison->candidate == first->comparison->candidate &&
	       !row_metric(judging, row)->hidden &&
	       same_kind(row_metric(judging, row), row_metric(judging, first));
}

/* A change that has a logarithm; a value fallen to 0 has none. */
static bool has_ratio(const struct row *row)
{
	const struct comparison *comparison = row->comparison;

	return !comparison->difference && comparison->verdict != VERDICT_INVALID &&
	       isfinite(comparison->change) && comparison->change > -1;
}

/* The members that count; all of them paired or not. */
struct members {
	const struct row **rows;
	size_t count, of;
	bool paired;
	size_t pairs; /* over all rows */
};

static struct members members_of(const struct judging *judging, const struct row *first)
{
	struct members members = {
		.rows = arena_alloc(judging->scratch, judging->row_count, sizeof *members.rows),
		.paired = true,
	};
	size_t i;

	for (i = 0; i < judging->row_count; i++) {
		const struct row *row = &judging->rows[i];

		if (!is_member(judging, first, row))
			continue;
		members.of++;
		if (!has_ratio(row))
			continue;
		members.rows[members.count++] = row;
		members.paired = members.paired && row->contrast.paired && row->contrast.d != NULL;
		members.pairs += row->contrast.baseline_count;
	}
	return members;
}

static int by_round(const void *one, const void *other)
{
	const struct round_cost *a = one, *b = other;

	return a->round < b->round ? -1 : a->round > b->round;
}

/* The mean cost of each round in which every member has a pair, in the order of the rounds. */
static size_t round_means(struct arena *arena, const struct members *members, double *means)
{
	struct round_cost *costs = arena_alloc(arena, members->pairs, sizeof *costs);
	size_t count = 0, found = 0, begin, i, j;

	for (i = 0; i < members->count; i++)
		for (j = 0; j < members->rows[i]->contrast.baseline_count; j++)
			costs[count++] = (struct round_cost){ members->rows[i]->contrast.rounds[j],
							      members->rows[i]->contrast.d[j] };
	qsort(costs, count, sizeof *costs, by_round);
	for (begin = 0; begin < count; begin = i) {
		double sum = 0;

		for (i = begin; i < count && costs[i].round == costs[begin].round; i++)
			sum += costs[i].d;
		if (i - begin == members->count)
			means[found++] = sum / (double)members->count;
	}
	return found;
}

/* Whole rounds are runs of the set. */
static void judge_rounds(struct judging *judging, const struct members *members,
			 const struct row *first, struct comparison *comparison)
{
	double *d = arena_alloc(judging->scratch, members->pairs, sizeof *d);
	struct contrast contrast = {
		.paired = true,
		.sign = first->contrast.sign,
		.d = d,
		.margin_ratio = judging->recording->plan.margin_ratio,
		.margin = log1p(judging->recording->plan.margin_ratio),
	};

	contrast.baseline_count = contrast.candidate_count =
	    round_means(judging->scratch, members, d);
	comparison->pairs = contrast.baseline_count;
	if (contrast.baseline_count == 0)
		return;
	comparison->paired = true;
	verdict_measured(&contrast, &judging->sequence, row_metric(judging, first)->better,
			 judging->sequence.family_alpha, comparison);
	comparison->p = comparison->p_adjusted = contrast_p(&contrast);
}

static void add(struct judging *judging, const struct row *first, const struct members *members,
		size_t *capacity)
{
	struct findings *findings = judging->findings;
	struct set_mean *mean =
	    array_push(judging->arena, findings->set_means, findings->set_mean_count, *capacity);
	double sum = 0;
	size_t i;

	for (i = 0; i < members->count; i++)
		sum += log1p(members->rows[i]->comparison->change);
	*mean = (struct set_mean){ .benchmarks = members->count, .of = members->of };
	mean->comparison = rows_blank(first->comparison->metric, first->comparison->candidate);
	mean->comparison.change = expm1(sum / (double)members->count);
	mean->comparison.change_low = mean->comparison.change_high = NAN;
	mean->comparison.margin_ratio = judging->recording->plan.margin_ratio;
	if (members->paired && judging->sequence.look.n > 0)
		judge_rounds(judging, members, first, &mean->comparison);
}

/* The first of its kind. */
static bool is_first(const struct judging *judging, size_t index)
{
	size_t i;

	for (i = 0; i < index; i++)
		if (is_member(judging, &judging->rows[index], &judging->rows[i]))
			return false;
	return !row_metric(judging, &judging->rows[index])->hidden;
}

void set_means_make(struct judging *judging)
{
	size_t capacity = 0, i;

	if (!judging->recording->plan.all_decide)
		return;
	for (i = 0; i < judging->row_count; i++) {
		struct members members;

		if (!is_first(judging, i))
			continue;
		members = members_of(judging, &judging->rows[i]);
		if (members.count > 1)
			add(judging, &judging->rows[i], &members, &capacity);
	}
}
