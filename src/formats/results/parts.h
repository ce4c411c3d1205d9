/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_RESULTS_PARTS_H
#define FORMATS_RESULTS_PARTS_H

#include "formats/results/gather.h"

/* One side of the comparison: a side of a file, or a level of the label that --by names. */
struct gather_side {
	size_t file, side;
	const char *level; /* NULL without --by */
	const char *label;
};

/* One metric to be, with the measure that it is on each side. */
struct gather_row {
	const struct measure *measure; /* of the first side that has it */
	const char *benchmark;	       /* without the level's words; "" where it needs no name */
	const char *metric;	       /* the measure's, but "value" where metrics are the sides */
	const struct results_column **columns; /* by side; NULL: not there */
	uint64_t hash;
};

/* Gathering under way. */
struct gathering {
	struct arena *arena;
	const struct gather_file *files;
	size_t file_count;
	const struct gather_settings *settings;
	struct recording *recording;
	struct gather_side *sides;
	size_t side_count, side_capacity;
	struct gather_row *rows; /* those kept are the recording's metrics, in the same order */
	size_t row_count, row_capacity;
	bool any_benchmark; /* the only benchmark of each side, whatever its name */
};

/* The value of a measure's label; "benchmark", "scope" and "metric" are labels too. NULL: it has
 * none. */
const char *gather_label_of(const struct measure *measure, const char *key);

/* Match the measures of all sides, and add a metric for each one that is kept. */
bool gather_metrics(struct gathering *gathering, struct error *err);
/* The values of a metric on a side; NULL if it has none. */
const struct results_column *gather_column(const struct gathering *gathering, size_t metric,
					   size_t side);
/* What the readers remarked, what was missing, and where it was read. */
void gather_remarks(struct gathering *gathering);

#endif
