/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Secondary metrics (method.md 3.10): Holm 1979, turned into intervals by
 * giving each row the level at which its step of the procedure was made. It
 * starts from the level of the stopping look, not from that of the whole
 * experiment, because that look was chosen on a correlated metric.
 */
#include <math.h>
#include <stdlib.h>

#include "judge/rows.h"
#include "judge/verdict.h"
#include "stats/tests.h"

/* Rows below the floor cannot be decided at any level, so they take no share of it. */
static bool in_family(const struct judging *judging, const struct row *row, bool hidden_too)
{
	const struct metric *metric = row_metric(judging, row);

	return !row->comparison->primary && !verdict_is_exact(&row->contrast, metric) &&
	       contrast_count(&row->contrast) >= contrast_floor(&row->contrast) &&
	       (hidden_too || !metric->hidden);
}

static int by_p(const void *one, const void *other)
{
	const struct row *const *a = one, *const *b = other;
	double p = (*a)->comparison->p, q = (*b)->comparison->p;

	if (p != q)
		return p < q ? -1 : 1;
	return *a < *b ? -1 : *a > *b;
}

static size_t collect(struct judging *judging, bool hidden_too, struct row **family)
{
	size_t count = 0, i;

	for (i = 0; i < judging->row_count; i++)
		if (in_family(judging, &judging->rows[i], hidden_too))
			family[count++] = &judging->rows[i];
	qsort(family, count, sizeof *family, by_p);
	return count;
}

static void adjust(struct judging *judging, struct row **family, size_t count, bool hidden)
{
	double *p = arena_alloc(judging->scratch, count, sizeof *p);
	double *adjusted = arena_alloc(judging->scratch, count, sizeof *adjusted);
	size_t i;

	for (i = 0; i < count; i++)
		p[i] = family[i]->comparison->p;
	test_holm(p, count, adjusted);
	for (i = 0; i < count; i++)
		if (row_metric(judging, family[i])->hidden == hidden)
			family[i]->comparison->p_adjusted = adjusted[i];
}

/* Step down through a family; only rows that are hidden or not, as asked, are judged here. */
static void step_down(struct judging *judging, bool hidden)
{
	struct row **family = arena_alloc(judging->scratch, judging->row_count, sizeof *family);
	size_t count = collect(judging, hidden, family), step = 0, i;
	double level;

	adjust(judging, family, count, hidden);
	for (i = 0; i < count; i++) {
		level = judging->sequence.family_alpha / (double)(count - step);
		if (row_metric(judging, family[i])->hidden == hidden)
			rows_judge(judging, family[i], level);
		/* The first that fails keeps all others at its level. */
		if (step == i && family[i]->comparison->p <= level)
			step++;
	}
}

void rows_promote(struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->row_count; i++)
		judging->rows[i].comparison->primary =
		    !row_metric(judging, &judging->rows[i])->hidden;
}

void rows_judge_secondary(struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->row_count; i++) {
		struct row *row = &judging->rows[i];

		if (row->comparison->primary)
			continue;
		if (judging->sequence.look.n == 0 || !in_family(judging, row, true))
			rows_judge(judging, row, judging->sequence.family_alpha);
		else
			row->comparison->p = contrast_p(&row->contrast);
	}
	if (judging->sequence.look.n == 0)
		return;
	step_down(judging, false);
	step_down(judging, true);
}
