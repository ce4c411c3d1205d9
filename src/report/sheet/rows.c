/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table that people read. Baseline and one candidate stand side by side,
 * a row a metric. More variants stand below each other, a row for each, so
 * that 80 columns suffice whatever their number. Commands that nothing is
 * compared with have their centre and their range instead of a change.
 */
#include <math.h>
#include <string.h>

#include "report/sheet/layout.h"
#include "report/text_table.h"

static const char rule_text[] = "besides, after allowing for their number";

/* What fits into a mail; a table wider than this is made with fewer digits. */
enum { MAIL_WIDTH = 80, MOST_COMPACT = 4, NAMES_BREAK = 2, LONGEST_NAME = 10 };

/* The ruled line, once, before the first secondary row that follows a primary one. */
void layout_rule_before(struct sheet *sheet, struct table *table,
			const struct comparison *comparison, bool *ruled)
{
	if (comparison->primary || *ruled || table->row_count == 0)
		return;
	table_rule(sheet->document, table,
		   sheet->findings->verdict == VERDICT_NONE ? "besides" : rule_text);
	*ruled = true;
}

/* Where there is no room, a unit that both sides have stands once, behind the candidate's value. */
static void leave_out_unit(const struct sheet *sheet, struct quantity *quantity,
			   const struct quantity *other)
{
	if (sheet->compact < 3 || quantity->factor != other->factor ||
	    strcmp(quantity->suffix, other->suffix) != 0)
		return;
	quantity->suffix = "";
	quantity->unit = NULL;
}

static void add_side_row(struct sheet *sheet, struct table *table,
			 const struct comparison *comparison)
{
	const struct metric *metric = &sheet->metrics[comparison->metric];
	double largest =
	    fmax(figures_magnitude(&comparison->baseline), figures_magnitude(&comparison->other));
	double deviation = figures_smaller(figures_deviation(&comparison->baseline),
					   figures_deviation(&comparison->other));
	struct quantity baseline =
	    figures_scale(sheet, metric, largest, deviation, &comparison->baseline);
	struct quantity other =
	    figures_scale(sheet, metric, largest, deviation, &comparison->other);
	struct cell *cells = table_row(sheet->document, table)->cells;

	leave_out_unit(sheet, &baseline, &other);
	cells[0] = cell_text(sheet->metrics[comparison->metric].name);
	cells[1] =
	    figures_value(sheet, metric, comparison->exact, &baseline, &comparison->baseline);
	cells[2] = figures_value(sheet, metric, comparison->exact, &other, &comparison->other);
	cells[3] = figures_change(sheet, comparison);
	cells[4] = figures_interval(sheet, comparison);
	cells[5] = sheet_verdict_cell(sheet, comparison);
}

/* "of 10 in B/s", "of 9 of 10 counts" */
struct cell layout_set_count(const struct sheet *sheet, const struct set_mean *mean)
{
	const char *unit = sheet->metrics[mean->comparison.metric].unit, *of = "";

	if (mean->of != mean->benchmarks)
		of = arena_printf(sheet->arena, " of %zu", mean->of);
	return cell_text(arena_printf(sheet->arena, "of %zu%s%s%s", mean->benchmarks, of,
				      unit[0] == '\0' ? "" : " in ", unit));
}

/* Cells 3 to 5 of a row of geometric means. */
void layout_set_cells(struct sheet *sheet, const struct set_mean *mean, struct cell *cells)
{
	cells[3] = figures_change(sheet, &mean->comparison);
	cells[4] = figures_interval(sheet, &mean->comparison);
	cells[5] = mean->comparison.verdict == VERDICT_NONE
		       ? cell_text("-")
		       : sheet_verdict_cell(sheet, &mean->comparison);
}

void layout_set_rule(struct sheet *sheet, struct table *table)
{
	if (sheet->findings->set_mean_count > 0)
		table_rule(sheet->document, table,
			   "the set as a whole: geometric means, which decide nothing");
}

static void fill_set_means(struct sheet *sheet, struct table *table)
{
	size_t i;

	layout_set_rule(sheet, table);
	for (i = 0; i < sheet->findings->set_mean_count; i++) {
		struct cell *cells = table_row(sheet->document, table)->cells;

		cells[0] = cell_text("geomean");
		cells[1] = layout_set_count(sheet, &sheet->findings->set_means[i]);
		layout_set_cells(sheet, &sheet->findings->set_means[i], cells);
	}
}

static void fill_sides(struct sheet *sheet, struct table *table)
{
	bool ruled = false;
	size_t i;

	for (i = 0; i < sheet->findings->comparison_count; i++) {
		if (!figures_is_row(sheet, &sheet->findings->comparisons[i]))
			continue;
		layout_rule_before(sheet, table, &sheet->findings->comparisons[i], &ruled);
		add_side_row(sheet, table, &sheet->findings->comparisons[i]);
	}
	fill_set_means(sheet, table);
}

/* metric, baseline, candidate, change, interval, verdict */
static struct table *make_sides(struct sheet *sheet)
{
	const struct plan *plan = &sheet->recording->plan;
	size_t candidate = plan->subjects[1].baseline != 1 ? 1 : 0;
	struct column columns[] = {
		{ .key = "metric", .title = "metric", .shrinks = true },
		{ .key = "baseline", .title = sheet->names[1 - candidate], .shrinks = true },
		{ .key = "candidate", .title = sheet->names[candidate], .shrinks = true },
		{ .key = "change", .title = "change", .align = ALIGN_RIGHT },
		{ .key = "interval", .title = figures_interval_title(sheet), .shrinks = true },
		{ .key = "verdict", .title = "verdict" },
	};

	return document_table(sheet->document, "sheet", columns, sizeof columns / sizeof *columns);
}

/* The three layouts. */
struct layout {
	struct table *(*make)(struct sheet *sheet);
	void (*fill)(struct sheet *sheet, struct table *table);
};

static struct layout choose_layout(const struct plan *plan)
{
	if (plan_candidate_count(plan) == 0)
		return (struct layout){ layout_alone_make, layout_alone_fill };
	if (plan->subject_count == 2)
		return (struct layout){ make_sides, fill_sides };
	return (struct layout){ layout_variants_make, layout_variants_fill };
}

static void refill(struct sheet *sheet, struct table *table, const struct layout *layout,
		   int compact)
{
	sheet->compact = compact;
	table->row_count = 0;
	layout->fill(sheet, table);
}

static bool fits(const struct table *table, size_t names)
{
	return text_table_width(table, names) <= MAIL_WIDTH;
}

/* As narrow as a mail, if need be without deviations; but rather than lose those, long names have
 * lines of their own, and where nothing helps there is no reason to lose anything more. */
static void fit(struct sheet *sheet, struct table *table, const struct layout *layout)
{
	bool all_fits;

	while (sheet->compact < MOST_COMPACT && !fits(table, SIZE_MAX))
		refill(sheet, table, layout, sheet->compact + 1);
	if (sheet->compact < MOST_COMPACT)
		return;
	all_fits = fits(table, SIZE_MAX);
	refill(sheet, table, layout, NAMES_BREAK);
	if (all_fits && !fits(table, LONGEST_NAME))
		refill(sheet, table, layout, MOST_COMPACT);
}

void sheet_add_rows(struct sheet *sheet)
{
	struct layout layout = choose_layout(&sheet->recording->plan);
	struct table *table = layout.make(sheet);

	table->audience = AUDIENCE_PEOPLE;
	layout.fill(sheet, table);
	fit(sheet, table, &layout);
	layout_add_besides(sheet);
}
