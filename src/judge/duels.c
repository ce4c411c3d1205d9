/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every variant against every other one: see duels.h. A pair of variants in one
 * cell is a comparison like any other; in several cells its effect is the mean
 * of the log ratios of one round, as in judge/effects.c. The family is as large
 * as the number of duels, so Holm's procedure (1979) shares alpha among them.
 */
#include "judge/duels.h"

#include <math.h>
#include <stdlib.h>

#include "judge/failures.h"
#include "judge/verdict.h"
#include "stats/rank.h"

enum { FEWEST_ROUNDS = 6 };

static size_t arm_subject(const struct arms *arms, size_t arm, size_t cell)
{
	return arms->subjects[arm * arms->cells + cell];
}

/* Two subjects beside each other, whatever the plan compares. */
static struct contrast contrast_between(struct judging *judging, struct recording *turned,
					size_t metric, size_t first, size_t second, bool *invalid)
{
	turned->plan.subjects[second].baseline = first;
	*invalid =
	    turned->metrics[metric].source != SOURCE_FILE && failures_invalidate(turned, second);
	return contrast_make(judging->scratch, turned, metric, second, judging->sequence.look.n);
}

/* The mean over all cells of the costs in each round that all of them have. */
static void average(struct judging *judging, const struct contrast *contrasts, size_t cells,
		    struct duel *duel)
{
	const struct contrast *shown = &contrasts[0];
	double *sums = arena_alloc(judging->scratch, shown->baseline_count, sizeof *sums);
	size_t i, j;

	for (i = 0; i < shown->baseline_count; i++) {
		double sum = 0;

		for (j = 0; j < cells; j++)
			sum += contrast_cost_in_round(&contrasts[j], shown->rounds[i]);
		if (!isnan(sum))
			sums[duel->count++] = sum / (double)cells;
	}
	duel->d = sums;
	for (j = 0; j < cells; j++)
		duel->guard += contrasts[j].guard / (double)cells;
}

static bool has_logarithms(const struct contrast *contrast)
{
	return contrast->paired && !contrast->difference && contrast->d != NULL &&
	       contrast->baseline_count > 0;
}

static void set_exact(const struct contrast *contrasts, size_t cells, struct duel *duel)
{
	double cost = 0;
	size_t i;

	for (i = 0; i < cells; i++) {
		double first = contrasts[i].baseline[0], second = contrasts[i].candidate[0];

		cost += contrasts[i].sign *
			(contrasts[i].difference ? second - first : log(second / first)) /
			(double)cells;
	}
	duel->exact = true;
	duel->usable = true;
	duel->cost = (struct interval){ cost, cost, cost };
	if (cost == 0)
		duel->answer = DUEL_SAME;
	else if (contrasts[0].margin_given && fabs(cost) < contrasts[0].margin)
		duel->answer = DUEL_EQUIVALENT;
	else
		duel->answer = cost < 0 ? DUEL_LOWER : DUEL_HIGHER;
}

static void prepare(struct judging *judging, struct recording *turned, const struct arms *arms,
		    struct duel *duel)
{
	const struct metric *metric = &judging->recording->metrics[duel->metric];
	struct contrast *contrasts = arena_alloc(judging->scratch, arms->cells, sizeof *contrasts);
	bool invalid = false, exact = true, ratios = true, logarithms = true;
	size_t i;

	for (i = 0; i < arms->cells; i++) {
		bool failed;

		contrasts[i] = contrast_between(judging, turned, duel->metric,
						arm_subject(arms, duel->first, i),
						arm_subject(arms, duel->second, i), &failed);
		invalid = invalid || failed;
		exact = exact && verdict_is_exact(&contrasts[i], metric);
		ratios = ratios && !contrasts[i].difference;
		logarithms = logarithms && has_logarithms(&contrasts[i]);
	}
	duel->contrast = contrasts[0];
	duel->margin = contrasts[0].margin;
	duel->count = contrast_count(&contrasts[0]);
	if (invalid)
		return;
	if (exact && (arms->cells == 1 || ratios)) {
		set_exact(contrasts, arms->cells, duel);
	} else if (arms->cells == 1) {
		duel->usable = duel->count >= contrast_floor(&contrasts[0]);
		if (duel->usable)
			duel->p = contrast_p(&contrasts[0]);
	} else if (logarithms) {
		duel->count = 0;
		average(judging, contrasts, arms->cells, duel);
		duel->usable = duel->count >= FEWEST_ROUNDS;
		if (duel->usable)
			duel->p = rank_signed_p(duel->d, duel->count);
	}
}

static struct interval interval_at(const struct duel *duel, double alpha)
{
	struct interval cost;

	if (duel->d == NULL)
		return contrast_unstable(&duel->contrast)
			   ? contrast_interval_throughout(&duel->contrast, alpha)
			   : contrast_interval(&duel->contrast, alpha);
	cost = location_paired(duel->d, duel->count, alpha);
	cost.low -= duel->guard;
	cost.high += duel->guard;
	return cost;
}

static void judge_duel(struct duel *duel, double alpha)
{
	duel->cost = interval_at(duel, alpha);
	if (duel->cost.low > -duel->margin && duel->cost.high < duel->margin)
		duel->answer = DUEL_EQUIVALENT;
	else if (duel->cost.high < 0)
		duel->answer = DUEL_LOWER;
	else if (duel->cost.low > 0)
		duel->answer = DUEL_HIGHER;
}

static int by_p(const void *one, const void *other)
{
	const struct duel *const *a = one, *const *b = other;

	if ((*a)->p != (*b)->p)
		return (*a)->p < (*b)->p ? -1 : 1;
	return *a < *b ? -1 : *a > *b;
}

/* The first that fails keeps all others at its level. */
static void step_down(struct judging *judging, struct duels *duels, double alpha)
{
	struct duel **family = arena_alloc(judging->scratch, duels->count, sizeof *family);
	size_t count = 0, step = 0, i;

	for (i = 0; i < duels->count; i++)
		if (duels->items[i].usable && !duels->items[i].exact)
			family[count++] = &duels->items[i];
	qsort(family, count, sizeof *family, by_p);
	for (i = 0; i < count; i++) {
		double level = alpha / (double)(count - step);

		judge_duel(family[i], level);
		if (step == i && family[i]->p <= level)
			step++;
	}
}

static size_t place_of(size_t arms, size_t first, size_t second)
{
	return first * arms - first * (first + 1) / 2 + second - first - 1;
}

struct duels duels_make(struct judging *judging, const struct arms *arms, const size_t *metrics,
			size_t metric_count, double alpha)
{
	struct recording turned = *judging->recording;
	struct duels duels = { .arms = arms, .metric_count = metric_count };
	size_t each = arms->count * (arms->count - 1) / 2, i, j, k;

	turned.plan.subjects = arena_copy(judging->scratch, judging->recording->plan.subjects,
					  turned.plan.subject_count * sizeof *turned.plan.subjects);
	duels.count = each * metric_count;
	duels.items = arena_alloc(judging->scratch, duels.count, sizeof *duels.items);
	for (k = 0; k < metric_count; k++)
		for (i = 0; i < arms->count; i++)
			for (j = i + 1; j < arms->count; j++) {
				struct duel *duel =
				    &duels.items[k * each + place_of(arms->count, i, j)];

				*duel = (struct duel){ .metric = metrics[k],
						       .first = i,
						       .second = j,
						       .p = NAN,
						       .cost = { NAN, -INFINITY, INFINITY } };
				prepare(judging, &turned, arms, duel);
			}
	step_down(judging, &duels, alpha);
	return duels;
}

const struct duel *duels_of(const struct duels *duels, size_t place, size_t one, size_t other)
{
	size_t arms = duels->arms->count, each = arms * (arms - 1) / 2;

	return &duels->items[place * each + (one < other ? place_of(arms, one, other)
							 : place_of(arms, other, one))];
}

enum duel_answer duels_answer(const struct duels *duels, size_t place, size_t arm, size_t beside)
{
	const struct duel *duel = duels_of(duels, place, arm, beside);

	if (arm == duel->second || (duel->answer != DUEL_LOWER && duel->answer != DUEL_HIGHER))
		return duel->answer;
	return duel->answer == DUEL_LOWER ? DUEL_HIGHER : DUEL_LOWER;
}
