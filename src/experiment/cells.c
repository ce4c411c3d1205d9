/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From factors to cells: the full factorial, or the combinations that a file lists. */
#include "experiment/cells.h"

#include <string.h>

#include "base/text.h"

static bool too_many(const struct experiment *experiment, size_t cells, bool many,
		     struct error *err)
{
	size_t workloads = experiment->workload_count > 0 ? experiment->workload_count : 1;
	size_t runs = cells * workloads * experiment->variant_count;

	if (runs > EXPERIMENT_CELLS_MOST)
		return !error_set(err, ERROR_USAGE,
				  "%s: more than %d runs a round (%zu variants in %zu cells): list "
				  "the cells that matter in [cells]",
				  experiment->path, EXPERIMENT_CELLS_MOST,
				  experiment->variant_count, cells * workloads);
	if (runs > EXPERIMENT_CELLS_PLAIN && !many)
		return !error_set(
		    err, ERROR_USAGE,
		    "%s: %zu runs a round (%zu variants in %zu cells): list the cells "
		    "that matter in [cells], or say --yes",
		    experiment->path, runs, experiment->variant_count, cells * workloads);
	return false;
}

static bool full_factorial(struct arena *arena, struct experiment *experiment, bool many,
			   struct error *err)
{
	size_t count = 1, i, j, rest;

	for (i = 0; i < experiment->factor_count; i++) {
		count *= experiment->factors[i].levels.count;
		if (too_many(experiment, count, many, err))
			return false;
	}
	if (too_many(experiment, count, many, err))
		return false;
	experiment->cells = arena_alloc(arena, count, sizeof *experiment->cells);
	experiment->cell_count = count;
	for (i = 0; i < count; i++) {
		experiment->cells[i].levels =
		    arena_alloc(arena, experiment->factor_count, sizeof(char *));
		for (rest = i, j = experiment->factor_count; j-- > 0;) {
			const struct text_list *levels = &experiment->factors[j].levels;

			experiment->cells[i].levels[j] = levels->items[rest % levels->count];
			rest /= levels->count;
		}
	}
	return true;
}

/* The level of the factor that is spelled so, or NULL. */
static const char *find_level(const struct factor *factor, const char *word)
{
	size_t i;

	for (i = 0; i < factor->levels.count; i++)
		if (strcmp(factor->levels.items[i], word) == 0)
			return factor->levels.items[i];
	return NULL;
}

/* One FACTOR=LEVEL. */
static bool place_level(const struct experiment *experiment, const char *word, unsigned line,
			struct experiment_cell *cell, struct error *err)
{
	const char *equals = strchr(word, '=');
	size_t i;

	for (i = 0; equals != NULL && i < experiment->factor_count; i++) {
		const struct factor *factor = &experiment->factors[i];

		if (strlen(factor->name) != (size_t)(equals - word) ||
		    strncmp(factor->name, word, strlen(factor->name)) != 0)
			continue;
		if (cell->levels[i] != NULL)
			return error_set(err, ERROR_USAGE, "%s:%u: '%s' is given twice in a cell",
					 experiment->path, line, factor->name);
		cell->levels[i] = find_level(factor, equals + 1);
		if (cell->levels[i] == NULL)
			return error_set(err, ERROR_USAGE,
					 "%s:%u: factor '%s' has no such level: %s",
					 experiment->path, line, factor->name, word);
		return true;
	}
	return error_set(err, ERROR_USAGE, "%s:%u: a cell is a list of FACTOR=LEVEL, not '%s'",
			 experiment->path, line, word);
}

static bool read_cell(struct arena *arena, const struct experiment *experiment, size_t index,
		      struct experiment_cell *cell, struct error *err)
{
	const char *row = experiment->listed.items[index];
	unsigned line = experiment->listed_lines[index];
	size_t length, i;

	cell->levels = arena_alloc(arena, experiment->factor_count, sizeof(char *));
	for (; *(row += strspn(row, " \t,")) != '\0'; row += length) {
		length = strcspn(row, " \t,");
		if (!place_level(experiment, text_clean(arena, row, length), line, cell, err))
			return false;
	}
	for (i = 0; i < experiment->factor_count; i++)
		if (cell->levels[i] == NULL)
			return error_set(err, ERROR_USAGE, "%s:%u: the cell does not say '%s'",
					 experiment->path, line, experiment->factors[i].name);
	return true;
}

bool cells_make(struct arena *arena, struct experiment *experiment, bool many, struct error *err)
{
	size_t i;

	if (experiment->listed.count == 0)
		return full_factorial(arena, experiment, many, err);
	if (too_many(experiment, experiment->listed.count, many, err))
		return false;
	experiment->cell_count = experiment->listed.count;
	experiment->cells = arena_alloc(arena, experiment->cell_count, sizeof *experiment->cells);
	for (i = 0; i < experiment->cell_count; i++)
		if (!read_cell(arena, experiment, i, &experiment->cells[i], err))
			return false;
	return true;
}
