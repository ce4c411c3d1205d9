/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One candidate through the cells of a design: see cell_line.h. */
#include "judge/cell_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct subject *cell_line_subject(const struct judging *judging, size_t index)
{
	return &judging->recording->plan.subjects[index];
}

const char *cell_line_level(const struct subject *subject, const char *factor)
{
	size_t i;

	for (i = 0; i < subject->level_count; i++)
		if (strcmp(subject->levels[i].factor, factor) == 0)
			return subject->levels[i].value;
	return NULL;
}

size_t cell_line_sums(struct arena *arena, const struct cell_line *line, const double *weights,
		      double **sums)
{
	size_t count = 0, round, i;
	uint32_t last = 0;

	for (i = 0; i < line->count; i++)
		if (line->contrasts[i].baseline_count > 0)
			last =
			    line->contrasts[i].rounds[line->contrasts[i].baseline_count - 1] > last
				? line->contrasts[i].rounds[line->contrasts[i].baseline_count - 1]
				: last;
	*sums = arena_alloc(arena, (size_t)last + 1, sizeof **sums);
	for (round = 0; round <= last; round++) {
		double sum = 0;

		for (i = 0; i < line->count; i++)
			if (weights[i] != 0)
				sum += weights[i] *
				       contrast_cost_in_round(&line->contrasts[i], (uint32_t)round);
		if (!isnan(sum))
			(*sums)[count++] = sum;
	}
	return count;
}

/* Every contrast is of pairs and has logarithms, and at least one round. */
static bool is_usable(const struct contrast *contrast)
{
	return contrast->paired && !contrast->difference && contrast->d != NULL &&
	       contrast->baseline_count > 0;
}

bool cell_line_make(struct judging *judging, const size_t *subjects, size_t count,
		    const struct recording *recording, struct cell_line *line)
{
	size_t rounds = judging->sequence.look.n, i;

	*line = (struct cell_line){ .subjects = subjects, .count = count };
	line->contrasts = arena_alloc(judging->scratch, count, sizeof *line->contrasts);
	for (i = 0; i < count; i++) {
		line->contrasts[i] = contrast_make(judging->scratch, recording,
						   (size_t)judging->primary, subjects[i], rounds);
		if (!is_usable(&line->contrasts[i]))
			return false;
	}
	return count > 0;
}

size_t cell_line_levels(struct judging *judging, const struct cell_line *line, const char *factor,
			const char **levels)
{
	size_t count = 0, i, j;

	for (i = 0; i < line->count; i++) {
		const char *level =
		    cell_line_level(cell_line_subject(judging, line->subjects[i]), factor);

		for (j = 0; level != NULL && j < count; j++)
			if (strcmp(levels[j], level) == 0)
				break;
		if (level != NULL && j == count)
			levels[count++] = level;
	}
	return count;
}

bool cell_line_rises(const char *const *levels, size_t count)
{
	double last = -INFINITY;
	size_t i;

	for (i = 0; i < count; i++) {
		char *end;
		double number = strtod(levels[i], &end);

		if (end == levels[i] || *end != '\0' || !(number > last))
			return false;
		last = number;
	}
	return true;
}

size_t cell_line_gather(const struct judging *judging, size_t distance, size_t *subjects)
{
	const struct plan *plan = &judging->recording->plan;
	size_t count = 0, i;

	for (i = 0; i < plan->subject_count; i++)
		if (plan->subjects[i].level_count > 0 && i - plan->subjects[i].baseline == distance)
			subjects[count++] = i;
	return count;
}
