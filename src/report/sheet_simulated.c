/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was counted by simulation in each cell of a design: evidence beside the times, never time.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/sheet_parts.h"

enum { FIXED = 2, METRICS_MOST = 8 };

static size_t simulated_metrics(const struct sheet *sheet, size_t *metrics)
{
	size_t count = 0, i;

	for (i = 0; i < sheet->recording->metric_count && count < METRICS_MOST; i++)
		if (sheet->recording->metrics[i].source == SOURCE_SIMULATED)
			metrics[count++] = i;
	return count;
}

/* "I1 misses" of "sim I1 misses": the table says where they come from. */
static const char *short_name(const char *name)
{
	return strncmp(name, "sim ", 4) == 0 ? name + 4 : name;
}

static void add_row(struct sheet *sheet, struct table *table, size_t subject, const size_t *metrics,
		    size_t count)
{
	struct cell *cells = table_row(sheet->document, table)->cells;
	size_t i;

	cells[0] = cell_text(sheet_cell_name(sheet, subject));
	cells[1] = cell_text(sheet_variant_name(sheet, subject));
	for (i = 0; i < count; i++) {
		const struct summary *summary = sheet_summary(sheet, metrics[i], subject);
		double value = summary == NULL ? NAN : summary->median;

		cells[FIXED + i] =
		    cell_number(isnan(value) ? "-" : units_decimal(sheet->arena, value, 0), value);
	}
}

void sheet_add_simulated(struct sheet *sheet)
{
	static const struct column fixed[FIXED] = {
		{ .key = "cell", .title = "cell", .shrinks = true },
		{ .key = "variant", .title = "variant" },
	};
	size_t metrics[METRICS_MOST], count = simulated_metrics(sheet, metrics), i;
	struct column *columns = arena_alloc(sheet->arena, FIXED + count, sizeof *columns);
	struct table *table;

	if (count == 0 || sheet->findings->effect_count == 0)
		return;
	memcpy(columns, fixed, sizeof fixed);
	for (i = 0; i < count; i++) {
		const char *name = sheet->metrics[metrics[i]].name;

		columns[FIXED + i] =
		    (struct column){ .key = name, .title = short_name(name), .align = ALIGN_RIGHT };
	}
	table = document_table(sheet->document, "simulated", columns, FIXED + count);
	table->title = "counted by simulation, start and end of each program included";
	for (i = 0; i < sheet->recording->plan.subject_count; i++)
		add_row(sheet, table, i, metrics, count);
}
