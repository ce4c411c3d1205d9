/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures of each cell of a design beside the primary metric's: those that the
 * study asks for, and what was simulated, which is evidence beside times and
 * never time. Medians of the runs, without a verdict.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/sheet/parts.h"

enum { FIXED = 2, METRICS_MOST = 8 };

/* Whether the name is one of the words between commas. */
static bool is_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (list != NULL && *list != '\0') {
		size_t word = strcspn(list, ",");

		if (word == length && strncmp(list, name, length) == 0)
			return true;
		list += word + (list[word] == ',');
	}
	return false;
}

static size_t choose(const struct sheet *sheet, size_t *metrics)
{
	const struct recording *recording = sheet->recording;
	const struct study *study = recording->plan.study;
	size_t count = 0, i;

	for (i = 0; i < recording->metric_count && count < METRICS_MOST; i++)
		if (recording->metrics[i].source == SOURCE_SIMULATED ||
		    (study != NULL && is_listed(study->beside, recording->metrics[i].name)))
			metrics[count++] = i;
	return count;
}

static double median_of(const struct sheet *sheet, size_t metric, size_t subject)
{
	const struct summary *summary = sheet_summary(sheet, metric, subject);

	return summary == NULL ? NAN : summary->median;
}

/* Counts of a simulation are exact, and told so. */
static const char *figure(const struct sheet *sheet, size_t metric, const struct quantity *scale,
			  double value)
{
	if (isnan(value))
		return "-";
	if (sheet->recording->metrics[metric].source == SOURCE_SIMULATED)
		return units_decimal(sheet->arena, value, 0);
	return quantity_value(sheet->arena, scale, value);
}

/* One scale for all of a metric. */
static struct quantity scale_of(const struct sheet *sheet, size_t metric)
{
	double most = 0;
	size_t i;

	for (i = 0; i < sheet->recording->plan.subject_count; i++)
		most = fmax(most, fabs(median_of(sheet, metric, i)));
	return quantity_choose(sheet->metrics[metric].unit, most, NAN, true);
}

static void add_row(struct sheet *sheet, struct table *table, size_t subject, const size_t *metrics,
		    const struct quantity *scales, size_t count)
{
	struct cell *cells = table_row(sheet->document, table)->cells;
	size_t i;

	cells[0] = cell_text(sheet_cell_name(sheet, subject));
	cells[1] = cell_text(sheet_variant_name(sheet, subject));
	for (i = 0; i < count; i++) {
		double value = median_of(sheet, metrics[i], subject);

		cells[FIXED + i] = cell_number(figure(sheet, metrics[i], &scales[i], value), value);
	}
}

void sheet_add_beside(struct sheet *sheet)
{
	static const struct column fixed[FIXED] = {
		{ .key = "cell", .title = "cell", .shrinks = true },
		{ .key = "variant", .title = "variant" },
	};
	size_t metrics[METRICS_MOST], count = choose(sheet, metrics), i;
	struct column *columns = arena_alloc(sheet->arena, FIXED + count, sizeof *columns);
	struct quantity scales[METRICS_MOST];
	struct table *table;

	if (count == 0 || sheet->findings->effect_count == 0)
		return;
	memcpy(columns, fixed, sizeof fixed);
	for (i = 0; i < count; i++) {
		const char *name = sheet->metrics[metrics[i]].name;

		scales[i] = scale_of(sheet, metrics[i]);
		columns[FIXED + i] =
		    (struct column){ .key = name, .title = name, .align = ALIGN_RIGHT };
	}
	table = document_table(sheet->document, "beside", columns, FIXED + count);
	table->title = "beside it, in each cell (medians)";
	for (i = 0; i < sheet->recording->plan.subject_count; i++)
		add_row(sheet, table, i, metrics, scales, count);
}
