/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that nothing is compared with: their centre and their range instead of a change. */
#include <math.h>

#include "report/sheet/layout.h"

static void add_alone_row(struct sheet *sheet, struct table *table,
			  const struct comparison *comparison)
{
	const struct metric *metric = &sheet->metrics[comparison->metric];
	const struct summary *summary =
	    sheet_summary(sheet, comparison->metric, comparison->candidate);
	struct arena *arena = sheet->arena;
	struct quantity quantity = quantity_choose(metric->unit, figures_magnitude(summary),
						   figures_deviation(summary), sheet->compact > 0);
	bool exact = comparison->exact || metric->exact;
	struct cell *cells = table_row(sheet->document, table)->cells;
	const char *groups = "";

	if (summary->two_groups && !sheet_warns(sheet, WARNING_TWO_GROUPS, (int)comparison->metric))
		groups = sheet_footnote(
		    sheet,
		    arena_printf(arena,
				 "two groups of runs: %.0f%% near the first centre, %.0f%% "
				 "near the second; no mean describes them",
				 summary->group_shares[0] * 100, summary->group_shares[1] * 100));
	cells[0] = cell_text(arena_printf(arena, "%s%s", metric->name, groups));
	if (sheet->recording->plan.subject_count > 1)
		cells[1] = cell_text(sheet->names[comparison->candidate]);
	cells[2] = figures_value(sheet, metric, exact, &quantity, summary);
	if (exact) {
		cells[5] = cell_text("exact");
		return;
	}
	if (summary->told)
		return;
	cells[3] = cell_number(quantity_value(arena, &quantity, summary->median), summary->median);
	cells[4] = cell_text(arena_printf(arena, "%s .. %s",
					  quantity_digits(arena, &quantity, summary->lowest),
					  quantity_value(arena, &quantity, summary->highest)));
	if (isfinite(comparison->resolvable_ratio))
		cells[5] = cell_number(change_share(arena, comparison->resolvable_ratio),
				       comparison->resolvable_ratio);
}

void layout_alone_fill(struct sheet *sheet, struct table *table)
{
	const struct comparison *comparison;
	size_t i;

	for (i = 0; i < sheet->findings->comparison_count; i++) {
		comparison = &sheet->findings->comparisons[i];
		if (figures_is_row(sheet, comparison) &&
		    sheet_summary(sheet, comparison->metric, comparison->candidate) != NULL)
			add_alone_row(sheet, table, comparison);
	}
}

/* metric, variant where there are several, mean (sd), median, lowest .. highest, could show */
struct table *layout_alone_make(struct sheet *sheet)
{
	static const struct column columns[] = {
		{ .key = "metric", .title = "metric", .shrinks = true },
		{ .key = "variant", .title = "variant", .shrinks = true },
		{ .key = "mean", .title = "mean (sd)", .shrinks = true },
		{ .key = "median", .title = "median" },
		{ .key = "range", .title = "lowest .. highest" },
		{ .key = "resolvable", .title = "could show", .align = ALIGN_RIGHT },
	};

	return document_table(sheet->document, "sheet", columns, sizeof columns / sizeof *columns);
}
