/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a reader of the report must know of how the figures were read. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "formats/results/parts.h"

static void remark_files(struct gathering *gathering)
{
	size_t file, i;

	for (file = 0; file < gathering->file_count; file++) {
		const struct results *results = gathering->files[file].results;

		for (i = 0; i < results_remark_count(results); i++)
			recording_remark(gathering->arena, gathering->recording, "%s",
					 results_remark_at(results, i));
	}
}

/* Censored and failed values of one kind over all sides. */
static void remark_state(struct gathering *gathering, bool censored)
{
	size_t count = 0, metric, side;
	const char *example = NULL;

	for (metric = 0; metric < gathering->recording->metric_count; metric++)
		for (side = 0; side < gathering->side_count; side++) {
			const struct results_column *column =
			    gather_column(gathering, metric, side);
			size_t here = column == NULL ? 0
				      : censored     ? column->censored
						     : column->failed;

			if (here > 0 && example == NULL)
				example = gathering->recording->metrics[metric].name;
			count += here;
		}
	if (count == 0)
		return;
	if (censored)
		recording_remark(gathering->arena, gathering->recording,
				 "%zu values were too quick to be timed (%s%s): a bound and not a "
				 "number, so they are left out.",
				 count, example, count > 1 ? " first" : "");
	else
		recording_remark(gathering->arena, gathering->recording,
				 "%zu runs failed by their tool's own word (%s%s) and are left "
				 "out.",
				 count, example, count > 1 ? " first" : "");
}

/* "3-8, 15-20" of the lines that a side's values stand in; how many lines. */
static size_t add_lines(struct text *text, const uint8_t *seen, size_t count)
{
	size_t total = 0, k;

	size_t first = 0, i;
	bool any = false;

	for (i = 1; i <= count + 1; i++) {
		bool here = i <= count && seen[i];

		if (here && first == 0)
			first = i;
		/* A gap of two lines (a blank one, a ruler) does not end a range. */
		if (here || first == 0 || (i + 1 <= count && seen[i + 1]) ||
		    (i + 2 <= count && seen[i + 2]))
			continue;
		text_printf(text, any ? ", %zu" : "%zu", first);
		if (i - 1 > first)
			text_printf(text, "-%zu", i - 1);
		any = true;
		first = 0;
	}
	for (k = 1; k <= count; k++)
		total += seen[k];
	return total;
}

static size_t last_line(const struct gathering *gathering, size_t side)
{
	size_t last = 0, metric, i;

	for (metric = 0; metric < gathering->recording->metric_count; metric++) {
		const struct results_column *column = gather_column(gathering, metric, side);

		if (column == NULL)
			continue;
		if (column->summary_line > last)
			last = column->summary_line;
		for (i = 0; column->lines != NULL && i < column->count; i++)
			if (column->lines[i] > last)
				last = column->lines[i];
	}
	return last;
}

/* Where both sides stand in one file, the reader wants to see that the right lines were taken. */
static void remark_lines(struct gathering *gathering, size_t side)
{
	size_t last = last_line(gathering, side), total, metric, i;
	const struct gather_side *of = &gathering->sides[side];
	struct text text = { 0 };
	uint8_t *seen;

	if (last == 0 || last > 1000000)
		return;
	seen = arena_alloc(gathering->arena, last + 2, 1);
	for (metric = 0; metric < gathering->recording->metric_count; metric++) {
		const struct results_column *column = gather_column(gathering, metric, side);

		if (column == NULL)
			continue;
		seen[column->summary_line] = 1;
		for (i = 0; column->lines != NULL && i < column->count; i++)
			seen[column->lines[i]] = 1;
	}
	seen[0] = 0;
	total = add_lines(&text, seen, last);
	if (text.length > 0)
		recording_remark(gathering->arena, gathering->recording,
				 "%s was read from %s, %s %s.", of->label,
				 gathering->files[of->file].name, total == 1 ? "line" : "lines",
				 text_string(&text));
	text_release(&text);
}

static bool shares_file(const struct gathering *gathering, size_t side)
{
	size_t i;

	for (i = 0; i < gathering->side_count; i++)
		if (i != side && gathering->sides[i].file == gathering->sides[side].file)
			return true;
	return false;
}

static void remark_names(struct gathering *gathering)
{
	const struct results_column *one, *other;
	const struct measure *a, *b;

	if (!gathering->any_benchmark || gathering->settings->by != NULL)
		return;
	one = gather_column(gathering, 0, 0);
	other = gather_column(gathering, 0, 1);
	if (one == NULL || other == NULL)
		return;
	a = results_measure_at(gathering->files[gathering->sides[0].file].results, one->measure);
	b = results_measure_at(gathering->files[gathering->sides[1].file].results, other->measure);
	if (strcmp(a->benchmark, b->benchmark) != 0)
		recording_remark(gathering->arena, gathering->recording,
				 "Each side has one benchmark, so these were compared: %s with %s.",
				 a->benchmark[0] == '\0' ? "one without a name" : a->benchmark,
				 b->benchmark[0] == '\0' ? "one without a name" : b->benchmark);
}

/* A key that --by takes, and whether the results differ in it. */
struct key {
	const char *name, *first;
	bool varies;
};

static void note_key(struct key *keys, size_t *count, size_t most, const char *name,
		     const char *value)
{
	size_t i;

	for (i = 0; i < *count && strcmp(keys[i].name, name) != 0; i++)
		;
	if (i == most || value == NULL)
		return;
	if (i == *count)
		keys[(*count)++] = (struct key){ name, value, false };
	keys[i].varies = keys[i].varies || strcmp(keys[i].first, value) != 0;
}

/* One side alone: what would make others of it. */
static void remark_alone(struct gathering *gathering)
{
	enum { MOST = 16 };
	const struct gather_file *file = &gathering->files[gathering->sides[0].file];
	struct key keys[MOST];
	struct text text = { 0 };
	size_t count = 0, measure, i;

	for (measure = 0; measure < results_measure_count(file->results); measure++) {
		const struct measure *of = results_measure_at(file->results, measure);

		note_key(keys, &count, MOST, "benchmark", of->benchmark);
		/* Columns of one kind; the metrics of other formats are of different kinds. */
		if (file->format == &format_numbers)
			note_key(keys, &count, MOST, "metric", of->metric);
		for (i = 0; i < of->label_count; i++)
			note_key(keys, &count, MOST, of->labels[i].key, of->labels[i].value);
	}
	for (i = 0; i < count; i++)
		if (keys[i].varies)
			text_printf(&text, "%s--by %s", text.length > 0 ? ", " : "", keys[i].name);
	if (text.length > 0)
		recording_remark(gathering->arena, gathering->recording,
				 "These results can be compared with each other: %s.",
				 text_string(&text));
	text_release(&text);
}

/* The most values that a side has of anything. */
static size_t longest_of(const struct gathering *gathering, size_t side)
{
	size_t most = 0, i;

	for (i = 0; i < gathering->recording->metric_count; i++) {
		const struct results_column *column = gather_column(gathering, i, side);

		if (column != NULL && column->count > most)
			most = column->count;
	}
	return most;
}

static void remark_pairing(struct gathering *gathering)
{
	size_t shortest = SIZE_MAX, i;

	if (!gathering->settings->paired || gathering->side_count < 2)
		return;
	recording_remark(gathering->arena, gathering->recording,
			 "Run k of one side was paired with run k of the other because --paired "
			 "says that they belong together.");
	for (i = 0; i < gathering->side_count; i++)
		if (longest_of(gathering, i) < shortest)
			shortest = longest_of(gathering, i);
	for (i = 0; i < gathering->side_count; i++) {
		size_t alone = longest_of(gathering, i) - shortest;

		if (alone > 0)
			recording_remark(gathering->arena, gathering->recording,
					 "%s has %zu run%s more than the shortest side: without a "
					 "partner, %s not judged.",
					 gathering->sides[i].label, alone, alone == 1 ? "" : "s",
					 alone == 1 ? "it was" : "they were");
	}
}

void gather_remarks(struct gathering *gathering)
{
	size_t i;

	for (i = 0; i < gathering->side_count; i++)
		if (shares_file(gathering, i))
			remark_lines(gathering, i);
	if (gathering->side_count == 1 && gathering->settings->by == NULL)
		remark_alone(gathering);
	remark_names(gathering);
	remark_files(gathering);
	remark_state(gathering, true);
	remark_state(gathering, false);
	remark_pairing(gathering);
}
