/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_CELL_LINE_H
#define JUDGE_CELL_LINE_H

#include "judge/judging.h"

/*
 * One candidate in all cells of a design: its contrasts with the baselines
 * there, and the values of one round that are made of them, so that what the
 * machine did in a round cancels. All of it is in scratch.
 */
struct cell_line {
	const size_t *subjects;
	struct contrast *contrasts;
	size_t count;
};

/* The candidates at one distance (1: the first) from their baselines are one variant in all cells.
 * How many; subjects holds all of the plan. */
size_t cell_line_gather(const struct judging *judging, size_t distance, size_t *subjects);

/* Their contrasts of the primary metric in that recording; false where one has no pairs, or no
 * logarithms. */
bool cell_line_make(struct judging *judging, const size_t *subjects, size_t count,
		    const struct recording *recording, struct cell_line *line);

/* The weighted sum of the contrasts' costs in each round that all with a weight have; how many. */
size_t cell_line_sums(struct arena *arena, const struct cell_line *line, const double *weights,
		      double **sums);

const struct subject *cell_line_subject(const struct judging *judging, size_t index);
/* The level that a subject has of a factor; NULL: it has none. */
const char *cell_line_level(const struct subject *subject, const char *factor);
/* The levels of a factor in the order in which cells have them; how many. levels holds a cell
 * each. */
size_t cell_line_levels(struct judging *judging, const struct cell_line *line, const char *factor,
			const char **levels);
/* They are numbers, each above the one before. */
bool cell_line_rises(const char *const *levels, size_t count);

#endif
