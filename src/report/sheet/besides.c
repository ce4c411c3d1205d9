/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The secondary metrics of many variants: a row a metric says how often each
 * verdict came out and between which changes. The rows themselves are in the
 * data, and in the table with --all.
 */
#include <math.h>

#include "report/sheet/layout.h"

static const struct column columns[] = {
	{ .key = "metric", .title = "metric", .shrinks = true },
	{ .key = "better", .title = "better", .align = ALIGN_RIGHT },
	{ .key = "worse", .title = "worse", .align = ALIGN_RIGHT },
	{ .key = "equivalent", .title = "equivalent", .align = ALIGN_RIGHT },
	{ .key = "undecided", .title = "undecided", .align = ALIGN_RIGHT },
	{ .key = "changes", .title = "changes between" },
};

struct tally {
	size_t better, worse, equivalent, undecided;
	double least, largest;
	bool ratios; /* all changes are ratios, and can be told together */
};

bool sheet_sums_up(const struct sheet *sheet)
{
	return !sheet->all && sheet_counts_only(sheet) && sheet->recording->plan.subject_count > 2;
}

static void count(struct tally *tally, const struct comparison *comparison)
{
	switch (comparison->verdict) {
	case VERDICT_BETTER:
		tally->better++;
		break;
	case VERDICT_WORSE:
		tally->worse++;
		break;
	case VERDICT_EQUIVALENT:
	case VERDICT_SAME:
		tally->equivalent++;
		break;
	case VERDICT_CHANGED:
	case VERDICT_UNDECIDED:
	case VERDICT_INVALID:
	case VERDICT_NONE:
		tally->undecided++;
		break;
	}
	tally->ratios = tally->ratios && !comparison->difference;
	tally->least = fmin(tally->least, comparison->change);
	tally->largest = fmax(tally->largest, comparison->change);
}

static struct tally tally_of(const struct sheet *sheet, size_t metric)
{
	const struct findings *findings = sheet->findings;
	struct tally tally = { .least = NAN, .largest = NAN, .ratios = true };
	size_t i;

	for (i = 0; i < findings->comparison_count; i++)
		if (findings->comparisons[i].metric == metric && !findings->comparisons[i].primary)
			count(&tally, &findings->comparisons[i]);
	return tally;
}

static void add_row(struct sheet *sheet, struct table *table, size_t metric)
{
	struct tally tally = tally_of(sheet, metric);
	const size_t counts[] = { tally.better, tally.worse, tally.equivalent, tally.undecided };
	struct cell *cells = table_row(sheet->document, table)->cells;
	size_t i;

	cells[0] = cell_text(sheet->metrics[metric].name);
	for (i = 0; i < sizeof counts / sizeof *counts; i++)
		cells[1 + i] =
		    cell_number(arena_printf(sheet->arena, "%zu", counts[i]), (double)counts[i]);
	cells[5] = cell_text(tally.ratios && isfinite(tally.least)
				 ? change_interval(sheet->arena, tally.least, tally.largest)
				 : "-");
}

void layout_add_besides(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	struct table *table;
	size_t i;

	if (!sheet_sums_up(sheet))
		return;
	table =
	    document_table(sheet->document, "besides", columns, sizeof columns / sizeof *columns);
	table->audience = AUDIENCE_PEOPLE;
	table->title = "Besides, after allowing for their number (--all shows each):";
	for (i = 0; i < findings->comparison_count; i++) {
		const struct comparison *comparison = &findings->comparisons[i];

		if (comparison->primary || !figures_is_row(sheet, comparison) ||
		    (i > 0 && comparison[-1].metric == comparison->metric))
			continue;
		add_row(sheet, table, comparison->metric);
	}
}
