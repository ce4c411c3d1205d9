/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Main effects and interactions over the cells of a design: see effects.h. */
#include "judge/effects.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "judge/cell_line.h"

enum { FEWEST_ROUNDS = 6, FEWEST_LEVELS = 3 };

/* Equal levels, but for one factor. */
static bool same_but(const struct subject *one, const struct subject *other, const char *factor)
{
	size_t i;

	for (i = 0; i < one->level_count; i++) {
		const char *there = cell_line_level(other, one->levels[i].factor);

		if (strcmp(one->levels[i].factor, factor) != 0 &&
		    (there == NULL || strcmp(there, one->levels[i].value) != 0))
			return false;
	}
	return true;
}

static struct effect *add_effect(struct judging *judging, enum effect_kind kind, size_t subject)
{
	struct findings *findings = judging->findings;
	struct effect *effect = array_push(judging->arena, findings->effects,
					   findings->effect_count, findings->effect_capacity);

	*effect = (struct effect){ .kind = kind,
				   .subject = subject,
				   .change = NAN,
				   .change_low = -INFINITY,
				   .change_high = INFINITY };
	return effect;
}

/* The sums' location, as a change. */
static void locate(struct judging *judging, const struct cell_line *line, const double *weights,
		   double alpha, struct effect *effect)
{
	const struct contrast *shown = &line->contrasts[0];
	bool turned = shown->sign < 0;
	struct interval cost;
	double *sums;

	effect->rounds = cell_line_sums(judging->scratch, line, weights, &sums);
	if (effect->rounds == 0)
		return;
	cost = location_paired(sums, effect->rounds, alpha);
	effect->change = contrast_shown(shown, cost.estimate);
	if (effect->rounds < FEWEST_ROUNDS)
		return;
	effect->change_low = contrast_shown(shown, turned ? cost.high : cost.low);
	effect->change_high = contrast_shown(shown, turned ? cost.low : cost.high);
}

/* All subjects, each against the first. */
static void add_cells(struct judging *judging)
{
	struct recording turned = *judging->recording;
	size_t count = turned.plan.subject_count, i;
	double one = 1;

	turned.plan.subjects = arena_copy(judging->scratch, judging->recording->plan.subjects,
					  count * sizeof *turned.plan.subjects);
	for (i = 0; i < count; i++)
		turned.plan.subjects[i].baseline = 0;
	for (i = 1; i < count; i++) {
		struct effect *effect;
		struct cell_line line;

		if (!cell_line_make(judging, &i, 1, &turned, &line))
			continue;
		effect = add_effect(judging, EFFECT_CELL, i);
		effect->cells = 1;
		locate(judging, &line, &one, judging->sequence.look.alpha, effect);
	}
}

static void add_pooled(struct judging *judging, const struct cell_line *line, const char *factor,
		       const char *level)
{
	double *weights = arena_alloc(judging->scratch, line->count, sizeof *weights);
	struct effect *effect =
	    add_effect(judging, factor == NULL ? EFFECT_POOLED : EFFECT_LEVEL, line->subjects[0]);
	size_t i;

	for (i = 0; i < line->count; i++) {
		const char *own =
		    factor == NULL
			? NULL
			: cell_line_level(cell_line_subject(judging, line->subjects[i]), factor);

		weights[i] = factor == NULL || (own != NULL && strcmp(own, level) == 0);
		effect->cells += weights[i] != 0;
	}
	for (i = 0; i < line->count; i++)
		weights[i] /= (double)effect->cells;
	effect->factor = factor;
	effect->level = level;
	locate(judging, line, weights, judging->sequence.look.alpha, effect);
}

/* Cells with the level against those with the first level that are the same otherwise. */
static void add_interaction(struct judging *judging, const struct cell_line *line,
			    const char *factor, const char *first, const char *level, double alpha)
{
	double *weights = arena_alloc(judging->scratch, line->count, sizeof *weights);
	struct effect *effect = add_effect(judging, EFFECT_INTERACTION, line->subjects[0]);
	size_t i, j;

	for (i = 0; i < line->count; i++)
		for (j = 0; j < line->count; j++) {
			const struct subject *from = cell_line_subject(judging, line->subjects[i]);
			const struct subject *to = cell_line_subject(judging, line->subjects[j]);

			if (strcmp(cell_line_level(from, factor), first) != 0 ||
			    strcmp(cell_line_level(to, factor), level) != 0 ||
			    !same_but(from, to, factor))
				continue;
			weights[i] -= 1;
			weights[j] += 1;
			effect->cells++;
		}
	for (i = 0; i < line->count && effect->cells > 0; i++)
		weights[i] /= (double)effect->cells;
	effect->factor = factor;
	effect->level = level;
	if (effect->cells > 0)
		locate(judging, line, weights, alpha, effect);
	effect->real = effect->change_low > 0 || effect->change_high < 0;
}

static bool said_to_be_ordered(const struct subject *subject, const char *factor)
{
	size_t i;

	for (i = 0; i < subject->level_count; i++)
		if (strcmp(subject->levels[i].factor, factor) == 0)
			return subject->levels[i].ordered;
	return false;
}

/* Numbers that rise are in an order, and what the user says is: from three levels on. */
static bool has_trend(struct judging *judging, const struct cell_line *line, const char *factor,
		      const char *const *levels, size_t count)
{
	return count >= FEWEST_LEVELS &&
	       (said_to_be_ordered(cell_line_subject(judging, line->subjects[0]), factor) ||
		cell_line_rises(levels, count));
}

static size_t place_of(const char *const *levels, size_t count, const char *level)
{
	size_t i;

	for (i = 0; i < count && strcmp(levels[i], level) != 0; i++)
		continue;
	return i;
}

/* Whether each cell has its like at every other level: else other factors would make a trend. */
static bool is_balanced(struct judging *judging, const struct cell_line *line, const char *factor,
			size_t levels)
{
	size_t i, j, alike;

	for (i = 0; i < line->count; i++) {
		for (j = alike = 0; j < line->count; j++)
			alike += same_but(cell_line_subject(judging, line->subjects[i]),
					  cell_line_subject(judging, line->subjects[j]), factor);
		if (alike != levels)
			return false;
	}
	return true;
}

/* The least-squares slope over the numbers of the levels, round by round: x - mean(x) over its
 * squares, which is 12/(k(k^2-1)) at each of the cells that have equal other levels. */
static void add_trend(struct judging *judging, const struct cell_line *line, const char *factor,
		      const char *const *levels, size_t count, double alpha)
{
	double *weights = arena_alloc(judging->scratch, line->count, sizeof *weights);
	double middle = ((double)count - 1) / 2, squares = 0;
	struct effect *effect;
	size_t i;

	if (!is_balanced(judging, line, factor, count))
		return;
	for (i = 0; i < line->count; i++) {
		const char *own =
		    cell_line_level(cell_line_subject(judging, line->subjects[i]), factor);

		weights[i] = (double)place_of(levels, count, own) - middle;
		squares += weights[i] * weights[i];
	}
	for (i = 0; i < line->count; i++)
		weights[i] /= squares;
	effect = add_effect(judging, EFFECT_TREND, line->subjects[0]);
	effect->factor = factor;
	effect->level = levels[count - 1];
	effect->cells = line->count;
	locate(judging, line, weights, alpha, effect);
	effect->real = effect->change_low > 0 || effect->change_high < 0;
}

/* How many interactions and trends share alpha: all of all candidates. */
static double interactions(struct judging *judging, const struct cell_line *line, size_t lines)
{
	const struct subject *subject = cell_line_subject(judging, line->subjects[0]);
	const char **levels = arena_alloc(judging->scratch, line->count, sizeof *levels);
	size_t count = 0, own, i;

	for (i = 0; i < subject->level_count; i++) {
		const char *factor = subject->levels[i].factor;

		own = cell_line_levels(judging, line, factor, levels);
		count += own - 1 + has_trend(judging, line, factor, levels, own);
	}
	return (double)(count > 0 ? count * lines : 1);
}

static void add_line(struct judging *judging, const struct cell_line *line, size_t lines)
{
	const struct subject *subject = cell_line_subject(judging, line->subjects[0]);
	const char **levels = arena_alloc(judging->scratch, line->count, sizeof *levels);
	double alpha = judging->sequence.family_alpha / interactions(judging, line, lines);
	size_t count, i, j;

	add_pooled(judging, line, NULL, NULL);
	for (i = 0; i < subject->level_count; i++) {
		const char *factor = subject->levels[i].factor;

		count = cell_line_levels(judging, line, factor, levels);
		for (j = 0; count > 1 && j < count; j++)
			add_pooled(judging, line, factor, levels[j]);
		for (j = 1; j < count; j++)
			add_interaction(judging, line, factor, levels[0], levels[j], alpha);
		if (has_trend(judging, line, factor, levels, count))
			add_trend(judging, line, factor, levels, count, alpha);
	}
}

/* Cells have baselines of their own; one command that is swept alone has not. */
static bool has_cells(const struct plan *plan)
{
	size_t baselines = 0, i;

	for (i = 0; i < plan->subject_count; i++)
		baselines += plan->subjects[i].baseline == i;
	return baselines > 1 && plan->subject_count > baselines;
}

static void clean_names(struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->findings->effect_count; i++) {
		struct effect *effect = &judging->findings->effects[i];

		if (effect->factor == NULL)
			continue;
		effect->factor = text_clean(judging->arena, effect->factor, strlen(effect->factor));
		effect->level = text_clean(judging->arena, effect->level, strlen(effect->level));
	}
}

void effects_make(struct judging *judging)
{
	const struct plan *plan = &judging->recording->plan;
	size_t *subjects = arena_alloc(judging->scratch, plan->subject_count, sizeof *subjects);
	size_t lines = 0, distance, count;
	struct cell_line line;

	if (!has_cells(plan) || judging->primary == METRIC_NONE || judging->sequence.look.n == 0)
		return;
	add_cells(judging);
	while (cell_line_gather(judging, lines + 1, subjects) > 1)
		lines++;
	for (distance = 1; distance <= lines; distance++) {
		count = cell_line_gather(judging, distance, subjects);
		if (cell_line_make(judging, subjects, count, judging->recording, &line))
			add_line(judging, &line, lines);
	}
	clean_names(judging);
}
