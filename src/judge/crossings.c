/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of sign along factors of numbers: see crossings.h. */
#include "judge/crossings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "judge/cell_line.h"
#include "stats/crossing.h"

enum { FEWEST_LEVELS = 3, PARTS_MOST = 16 };

/* One factor of one candidate. */
struct curve {
	const struct cell_line *line;
	const char *factor;
	const char **levels;
	size_t level_count;
	double *x, *d; /* as crossing_parts has them */
	size_t rounds;
};

/* The mean cost at a level in a round; NAN if a cell of it lacks that round. */
static double cost_at(struct judging *judging, const struct curve *curve, const char *level,
		      uint32_t round)
{
	double sum = 0;
	size_t cells = 0, i;

	for (i = 0; i < curve->line->count; i++) {
		const struct subject *subject =
		    cell_line_subject(judging, curve->line->subjects[i]);

		if (strcmp(cell_line_level(subject, curve->factor), level) != 0)
			continue;
		sum += contrast_cost_in_round(&curve->line->contrasts[i], round);
		cells++;
	}
	return sum / (double)cells;
}

/* The rounds that have all levels. */
static void fill(struct judging *judging, struct curve *curve)
{
	const struct contrast *first = &curve->line->contrasts[0];
	size_t most = first->baseline_count, round, i;
	double *costs = arena_alloc(judging->scratch, most * curve->level_count, sizeof *costs);
	bool whole;

	curve->x = arena_alloc(judging->scratch, curve->level_count, sizeof *curve->x);
	for (i = 0; i < curve->level_count; i++)
		curve->x[i] = strtod(curve->levels[i], NULL);
	for (round = 0; round < most; round++) {
		for (i = 0, whole = true; i < curve->level_count; i++) {
			double cost =
			    cost_at(judging, curve, curve->levels[i], first->rounds[round]);

			costs[i * most + curve->rounds] = cost;
			whole = whole && !isnan(cost);
		}
		curve->rounds += whole;
	}
	curve->d = arena_alloc(judging->scratch, most * curve->level_count, sizeof *curve->d);
	for (i = 0; i < curve->level_count; i++)
		memcpy(curve->d + i * curve->rounds, costs + i * most,
		       curve->rounds * sizeof *costs);
}

static bool has_curve(struct judging *judging, const struct cell_line *line, const char *factor,
		      struct curve *curve)
{
	*curve = (struct curve){ .line = line, .factor = factor };
	curve->levels = arena_alloc(judging->scratch, line->count, sizeof *curve->levels);
	curve->level_count = cell_line_levels(judging, line, factor, curve->levels);
	return curve->level_count >= FEWEST_LEVELS &&
	       cell_line_rises(curve->levels, curve->level_count);
}

static struct crossing *add(struct judging *judging, const struct curve *curve, double alpha)
{
	struct findings *findings = judging->findings;
	struct crossing *crossing =
	    array_push(judging->arena, findings->crossings, findings->crossing_count,
		       findings->crossing_capacity);

	*crossing = (struct crossing){
		.kind = CROSSING_NONE,
		.subject = curve->line->subjects[0],
		.factor = text_clean(judging->arena, curve->factor, strlen(curve->factor)),
		.low = NAN,
		.high = NAN,
		.estimate = NAN,
		.rounds = curve->rounds,
		.level = alpha,
	};
	return crossing;
}

/* A part between the same sign twice is no crossing. */
static void add_parts(struct judging *judging, const struct curve *curve, double alpha)
{
	struct crossing_part parts[PARTS_MOST];
	bool any = false;
	int first;
	size_t count = crossing_parts(curve->x, curve->d, curve->level_count, curve->rounds, alpha,
				      parts, PARTS_MOST, &first),
	       i;

	for (i = 0; i < count; i++) {
		const struct crossing_part *part = &parts[i];
		struct crossing *crossing;

		if (part->before == part->after && part->before != 0)
			continue;
		crossing = add(judging, curve, alpha);
		crossing->kind =
		    part->before != 0 && part->after != 0 ? CROSSING_SHOWN : CROSSING_OPEN;
		crossing->low = part->low;
		crossing->high = part->high;
		crossing->estimate = part->estimate;
		crossing->before = part->before;
		crossing->after = part->after;
		any = true;
	}
	if (!any) {
		struct crossing *crossing = add(judging, curve, alpha);

		crossing->before = crossing->after = first;
	}
}

static size_t count_places(struct judging *judging, const struct cell_line *line)
{
	const struct subject *subject = cell_line_subject(judging, line->subjects[0]);
	struct curve curve;
	size_t places = 0, i;

	for (i = 0; i < subject->level_count; i++)
		if (has_curve(judging, line, subject->levels[i].factor, &curve))
			places += curve.level_count;
	return places;
}

static void add_line(struct judging *judging, const struct cell_line *line, size_t lines)
{
	const struct subject *subject = cell_line_subject(judging, line->subjects[0]);
	size_t places = count_places(judging, line) * lines, i;
	struct curve curve;

	for (i = 0; i < subject->level_count; i++) {
		if (!has_curve(judging, line, subject->levels[i].factor, &curve))
			continue;
		fill(judging, &curve);
		if (curve.rounds > 0)
			add_parts(judging, &curve, judging->sequence.family_alpha / (double)places);
	}
}

void crossings_make(struct judging *judging)
{
	size_t subjects_most = judging->recording->plan.subject_count;
	size_t *subjects = arena_alloc(judging->scratch, subjects_most, sizeof *subjects);
	size_t lines = 0, distance, count;
	struct cell_line line;

	if (judging->primary == METRIC_NONE || judging->sequence.look.n == 0)
		return;
	while (cell_line_gather(judging, lines + 1, subjects) > 1)
		lines++;
	for (distance = 1; distance <= lines; distance++) {
		count = cell_line_gather(judging, distance, subjects);
		if (cell_line_make(judging, subjects, count, judging->recording, &line))
			add_line(judging, &line, lines);
	}
}
