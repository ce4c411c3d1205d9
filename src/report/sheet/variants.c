/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * More than two variants: below each other, a row for each. In a grid of several
 * cells with several variants each, a ruled line names the cell.
 */
#include <math.h>

#include "report/sheet/layout.h"

/* The comparisons of one metric, which follow each other in the findings. */
struct group {
	const struct comparison *comparisons;
	size_t count;
};

static struct group group_at(const struct findings *findings, size_t first)
{
	struct group group = { &findings->comparisons[first], 1 };

	while (first + group.count < findings->comparison_count &&
	       group.comparisons[group.count].metric == group.comparisons[0].metric &&
	       group.comparisons[group.count].primary == group.comparisons[0].primary)
		group.count++;
	return group;
}

static const struct comparison *find_candidate(const struct group *group, size_t subject)
{
	size_t i;

	for (i = 0; i < group->count; i++)
		if (group->comparisons[i].candidate == subject)
			return &group->comparisons[i];
	return NULL;
}

static void group_scale(const struct sheet *sheet, const struct group *group, double *largest,
			double *deviation)
{
	const struct summary *summary;
	size_t i;

	*largest = 0.0;
	*deviation = NAN;
	for (i = 0; i < sheet->recording->plan.subject_count; i++) {
		summary = sheet_summary(sheet, group->comparisons[0].metric, i);
		if (summary == NULL)
			continue;
		*largest = fmax(*largest, figures_magnitude(summary));
		*deviation = figures_smaller(*deviation, figures_deviation(summary));
	}
}

static void add_variant_row(struct sheet *sheet, struct table *table, const struct group *group,
			    size_t subject, const char *metric_name)
{
	const struct comparison *comparison = find_candidate(group, subject);
	const struct comparison *first = &group->comparisons[0];
	const struct metric *metric = &sheet->metrics[first->metric];
	const struct summary *summary = sheet_summary(sheet, first->metric, subject);
	struct cell *cells = table_row(sheet->document, table)->cells;
	struct quantity quantity;
	double largest, deviation;
	bool exact = comparison != NULL ? comparison->exact : first->exact;

	group_scale(sheet, group, &largest, &deviation);
	quantity = figures_scale(sheet, metric, largest, deviation, summary);
	cells[0] = cell_text(metric_name);
	cells[1] = cell_text(sheet_is_grid(sheet) ? sheet_variant_name(sheet, subject)
						  : sheet->names[subject]);
	cells[2] = figures_value(sheet, metric, exact, &quantity, summary);
	if (comparison == NULL || sheet->recording->plan.subjects[subject].baseline == subject)
		return;
	cells[3] = figures_change(sheet, comparison);
	cells[4] = figures_interval(sheet, comparison);
	cells[5] = sheet_verdict_cell(sheet, comparison);
}

static void fill_variant_set_means(struct sheet *sheet, struct table *table)
{
	const struct findings *findings = sheet->findings;
	size_t i, j;

	layout_set_rule(sheet, table);
	for (i = 0; i < findings->set_mean_count; i++) {
		const struct set_mean *mean = &findings->set_means[i];
		struct cell *cells = table_row(sheet->document, table)->cells;
		bool named = false;

		for (j = 0; j < i; j++)
			named = named ||
				findings->set_means[j].comparison.metric == mean->comparison.metric;
		cells[0] = cell_text(named ? "" : "geomean");
		cells[2] = layout_set_count(sheet, mean);
		cells[1] = cell_text(sheet->names[mean->comparison.candidate]);
		layout_set_cells(sheet, mean, cells);
	}
}

/* The variants of one metric; what begins a cell of a grid stands below a rule. */
static void add_group(struct sheet *sheet, struct table *table, const struct group *group)
{
	const struct plan *plan = &sheet->recording->plan;
	const char *name = sheet->metrics[group->comparisons[0].metric].name;
	bool grid = sheet_is_grid(sheet);
	size_t i;

	for (i = 0; i < plan->subject_count; i++) {
		bool begins = i == 0 || (grid && plan->subjects[i].baseline == i);

		if (begins && grid)
			table_rule(sheet->document, table, sheet_cell_name(sheet, i));
		add_variant_row(sheet, table, group, i, begins ? name : "");
	}
}

void layout_variants_fill(struct sheet *sheet, struct table *table)
{
	const struct findings *findings = sheet->findings;
	bool ruled = false, short_of_room = sheet_sums_up(sheet);
	struct group group;
	size_t i;

	for (i = 0; i < findings->comparison_count; i += group.count) {
		group = group_at(findings, i);
		if (!figures_is_row(sheet, group.comparisons) ||
		    (short_of_room && !group.comparisons->primary))
			continue;
		layout_rule_before(sheet, table, group.comparisons, &ruled);
		add_group(sheet, table, &group);
	}
	fill_variant_set_means(sheet, table);
}

/* metric, variant, mean (sd), change, interval, verdict; the metric is named in its first row. */
struct table *layout_variants_make(struct sheet *sheet)
{
	struct column columns[] = {
		{ .key = "metric", .title = "metric", .shrinks = true },
		{ .key = "variant", .title = "variant", .shrinks = true },
		{ .key = "mean", .title = "mean (sd)", .shrinks = true },
		{ .key = "change", .title = "change", .align = ALIGN_RIGHT },
		{ .key = "interval", .title = figures_interval_title(sheet), .shrinks = true },
		{ .key = "verdict", .title = "verdict" },
	};

	return document_table(sheet->document, "sheet", columns, sizeof columns / sizeof *columns);
}
