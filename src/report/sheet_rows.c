/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table that people read. Baseline and one candidate stand side by side,
 * a row a metric. More variants stand below each other, a row for each, so
 * that 80 columns suffice whatever their number. Commands that nothing is
 * compared with have their centre and their range instead of a change.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/sheet_parts.h"
#include "report/text_table.h"

static const char rule_text[] = "besides, after allowing for their number";

/* What fits into a mail; a table wider than this is made with fewer digits. */
enum { MAIL_WIDTH = 80, MOST_COMPACT = 3 };

/* Two sides further apart than this get a scale each: 0.0012 ms beside 1,500 ms says little. */
static const double widest_common_scale = 2000.0;

bool sheet_shows_metric(const struct sheet *sheet, size_t metric)
{
	return sheet->all || !sheet->metrics[metric].hidden;
}

/* Values, or a mean that was told. */
static bool has_figures(const struct summary *summary)
{
	return summary != NULL && (summary->count > 0 || summary->told);
}

const struct summary *sheet_summary(const struct sheet *sheet, size_t metric, size_t subject)
{
	const struct findings *findings = sheet->findings;
	const struct comparison *comparison;
	size_t i;

	for (i = 0; i < findings->comparison_count; i++) {
		comparison = &findings->comparisons[i];
		if (comparison->metric != metric)
			continue;
		if (recording_baseline(sheet->recording, comparison->candidate) == subject &&
		    has_figures(&comparison->baseline))
			return &comparison->baseline;
		if (comparison->candidate == subject && has_figures(&comparison->other))
			return &comparison->other;
	}
	return NULL;
}

/* What a row's scale is chosen by: the mean, or the spread of values about 0. */
static double magnitude(const struct summary *summary)
{
	if (!has_figures(summary))
		return 0.0;
	if (summary->two_groups)
		return fmax(fabs(summary->group_centres[0]), fabs(summary->group_centres[1]));
	return isfinite(summary->deviation) ? fmax(fabs(summary->mean), summary->deviation)
					    : fabs(summary->mean);
}

/* Values that are all the same have no deviation; their computed one may be a speck of rounding. */
static double deviation_of(const struct summary *summary)
{
	if (summary != NULL && summary->told)
		return summary->deviation;
	if (summary == NULL || summary->count < 2)
		return NAN;
	return summary->lowest >= summary->highest ? 0.0 : summary->deviation;
}

static double smaller_positive(double one, double other)
{
	if (!(one > 0))
		return other;
	return other > 0 ? fmin(one, other) : one;
}

/* The scale of one value within its row: the row's, unless the row's is far too large for it. */
static struct quantity scale_for(const struct sheet *sheet, const struct metric *metric,
				 double row_magnitude, double row_deviation,
				 const struct summary *summary)
{
	double own = magnitude(summary);

	if (own > 0 && own * widest_common_scale < row_magnitude)
		return quantity_choose(metric->unit, own, deviation_of(summary),
				       sheet->compact > 0);
	return quantity_choose(metric->unit, row_magnitude, row_deviation, sheet->compact > 0);
}

static struct cell value_cell(const struct sheet *sheet, const struct metric *metric, bool exact,
			      const struct quantity *quantity, const struct summary *summary)
{
	struct arena *arena = sheet->arena;

	if (!has_figures(summary))
		return cell_text("-");
	if (exact)
		return cell_number(quantity_exact(arena, summary->median, metric->unit),
				   summary->median);
	if (summary->two_groups)
		return cell_text(arena_printf(
		    arena, "%s / %s", quantity_digits(arena, quantity, summary->group_centres[0]),
		    quantity_value(arena, quantity, summary->group_centres[1])));
	return cell_number(
	    quantity_with_deviation(arena, quantity, summary->mean, deviation_of(summary)),
	    summary->mean);
}

/* Differences have the scale of their interval, and no more than two decimals: they are wide. */
static struct quantity difference_quantity(const struct sheet *sheet,
					   const struct comparison *comparison)
{
	double low = comparison->change_low, high = comparison->change_high;
	double largest = isfinite(low) && isfinite(high) ? fmax(fabs(low), fabs(high))
							 : fabs(comparison->change);
	const char *unit = sheet->metrics[comparison->metric].unit;
	struct quantity quantity = quantity_choose(unit, largest, NAN, true);
	int most = sheet->compact > 0 ? 1 : 2;

	if (quantity.decimals > most)
		quantity.decimals = most;
	return quantity;
}

static struct cell change_of(const struct sheet *sheet, const struct comparison *comparison)
{
	struct quantity quantity;

	if (!isfinite(comparison->change) || comparison->verdict == VERDICT_INVALID)
		return cell_text("-");
	if (!comparison->difference)
		return cell_number(change_cell(sheet->arena, comparison->change, comparison->exact),
				   comparison->change);
	quantity = difference_quantity(sheet, comparison);
	return cell_number(quantity_change(sheet->arena, &quantity, comparison->change),
			   comparison->change);
}

static const char *difference_interval(const struct sheet *sheet,
				       const struct comparison *comparison)
{
	struct quantity quantity = difference_quantity(sheet, comparison);

	if (!isfinite(comparison->change_low) || !isfinite(comparison->change_high))
		return "unbounded";
	return arena_printf(sheet->arena, "%s .. %s",
			    quantity_signed_digits(sheet->arena, &quantity, comparison->change_low),
			    quantity_change(sheet->arena, &quantity, comparison->change_high));
}

/* "-2.61 .. -1.48%" as "-2.61..-1.48%". */
static const char *tight(struct arena *arena, const char *interval)
{
	const char *dots = strstr(interval, " .. ");

	if (dots == NULL)
		return interval;
	return arena_printf(arena, "%.*s..%s", (int)(dots - interval), interval, dots + 4);
}

static struct cell interval_of(const struct sheet *sheet, const struct comparison *comparison)
{
	const char *interval;

	if (comparison->exact)
		return cell_text("exact");
	if (comparison->verdict == VERDICT_NONE || comparison->verdict == VERDICT_INVALID ||
	    isnan(comparison->change_low) || isnan(comparison->change_high))
		return cell_text("-");
	interval = comparison->difference ? difference_interval(sheet, comparison)
					  : change_interval(sheet->arena, comparison->change_low,
							    comparison->change_high);
	return cell_text(sheet->compact > 1 ? tight(sheet->arena, interval) : interval);
}

static const char *interval_title(const struct sheet *sheet)
{
	return arena_printf(sheet->arena, "%s interval",
			    units_percent(sheet->arena, sheet->recording->plan.confidence));
}

static bool has_values(const struct comparison *comparison)
{
	return has_figures(&comparison->baseline) || has_figures(&comparison->other);
}

static bool is_row(const struct sheet *sheet, const struct comparison *comparison)
{
	return (comparison->primary || sheet_shows_metric(sheet, comparison->metric)) &&
	       (comparison->primary || has_values(comparison));
}

/* The ruled line, once, before the first secondary row that follows a primary one. */
static void rule_before(struct sheet *sheet, struct table *table,
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
	double largest = fmax(magnitude(&comparison->baseline), magnitude(&comparison->other));
	double deviation =
	    smaller_positive(deviation_of(&comparison->baseline), deviation_of(&comparison->other));
	struct quantity baseline =
	    scale_for(sheet, metric, largest, deviation, &comparison->baseline);
	struct quantity other = scale_for(sheet, metric, largest, deviation, &comparison->other);
	struct cell *cells = table_row(sheet->document, table)->cells;

	leave_out_unit(sheet, &baseline, &other);
	cells[0] = cell_text(sheet->metrics[comparison->metric].name);
	cells[1] = value_cell(sheet, metric, comparison->exact, &baseline, &comparison->baseline);
	cells[2] = value_cell(sheet, metric, comparison->exact, &other, &comparison->other);
	cells[3] = change_of(sheet, comparison);
	cells[4] = interval_of(sheet, comparison);
	cells[5] = sheet_verdict_cell(sheet, comparison);
}

/* "of 10 in B/s", "of 9 of 10 counts" */
static struct cell set_mean_count(const struct sheet *sheet, const struct set_mean *mean)
{
	const char *unit = sheet->metrics[mean->comparison.metric].unit, *of = "";

	if (mean->of != mean->benchmarks)
		of = arena_printf(sheet->arena, " of %zu", mean->of);
	return cell_text(arena_printf(sheet->arena, "of %zu%s%s%s", mean->benchmarks, of,
				      unit[0] == '\0' ? "" : " in ", unit));
}

/* Cells 3 to 5 of a row of geometric means. */
static void set_mean_cells(struct sheet *sheet, const struct set_mean *mean, struct cell *cells)
{
	cells[3] = change_of(sheet, &mean->comparison);
	cells[4] = interval_of(sheet, &mean->comparison);
	cells[5] = mean->comparison.verdict == VERDICT_NONE
		       ? cell_text("-")
		       : sheet_verdict_cell(sheet, &mean->comparison);
}

static void set_mean_rule(struct sheet *sheet, struct table *table)
{
	if (sheet->findings->set_mean_count > 0)
		table_rule(sheet->document, table,
			   "the set as a whole: geometric means, which decide nothing");
}

static void fill_set_means(struct sheet *sheet, struct table *table)
{
	size_t i;

	set_mean_rule(sheet, table);
	for (i = 0; i < sheet->findings->set_mean_count; i++) {
		struct cell *cells = table_row(sheet->document, table)->cells;

		cells[0] = cell_text("geomean");
		cells[1] = set_mean_count(sheet, &sheet->findings->set_means[i]);
		set_mean_cells(sheet, &sheet->findings->set_means[i], cells);
	}
}

static void fill_sides(struct sheet *sheet, struct table *table)
{
	bool ruled = false;
	size_t i;

	for (i = 0; i < sheet->findings->comparison_count; i++) {
		if (!is_row(sheet, &sheet->findings->comparisons[i]))
			continue;
		rule_before(sheet, table, &sheet->findings->comparisons[i], &ruled);
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
		{ .key = "interval", .title = interval_title(sheet), .shrinks = true },
		{ .key = "verdict", .title = "verdict" },
	};

	return document_table(sheet->document, "sheet", columns, sizeof columns / sizeof *columns);
}

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
		*largest = fmax(*largest, magnitude(summary));
		*deviation = smaller_positive(*deviation, deviation_of(summary));
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
	quantity = scale_for(sheet, metric, largest, deviation, summary);
	cells[0] = cell_text(metric_name);
	cells[1] = cell_text(sheet->names[subject]);
	cells[2] = value_cell(sheet, metric, exact, &quantity, summary);
	if (comparison == NULL || sheet->recording->plan.subjects[subject].baseline == subject)
		return;
	cells[3] = change_of(sheet, comparison);
	cells[4] = interval_of(sheet, comparison);
	cells[5] = sheet_verdict_cell(sheet, comparison);
}

static void fill_variant_set_means(struct sheet *sheet, struct table *table)
{
	const struct findings *findings = sheet->findings;
	size_t i, j;

	set_mean_rule(sheet, table);
	for (i = 0; i < findings->set_mean_count; i++) {
		const struct set_mean *mean = &findings->set_means[i];
		struct cell *cells = table_row(sheet->document, table)->cells;
		bool named = false;

		for (j = 0; j < i; j++)
			named = named ||
				findings->set_means[j].comparison.metric == mean->comparison.metric;
		cells[0] = cell_text(named ? "" : "geomean");
		cells[2] = set_mean_count(sheet, mean);
		cells[1] = cell_text(sheet->names[mean->comparison.candidate]);
		set_mean_cells(sheet, mean, cells);
	}
}

static void fill_variants(struct sheet *sheet, struct table *table)
{
	const struct findings *findings = sheet->findings;
	struct group group;
	bool ruled = false;
	size_t i, j;

	for (i = 0; i < findings->comparison_count; i += group.count) {
		group = group_at(findings, i);
		if (!is_row(sheet, group.comparisons))
			continue;
		rule_before(sheet, table, group.comparisons, &ruled);
		for (j = 0; j < sheet->recording->plan.subject_count; j++)
			add_variant_row(sheet, table, &group, j,
					j == 0 ? sheet->metrics[group.comparisons[0].metric].name
					       : "");
	}
	fill_variant_set_means(sheet, table);
}

/* metric, variant, mean (sd), change, interval, verdict; the metric is named in its first row. */
static struct table *make_variants(struct sheet *sheet)
{
	struct column columns[] = {
		{ .key = "metric", .title = "metric", .shrinks = true },
		{ .key = "variant", .title = "variant", .shrinks = true },
		{ .key = "mean", .title = "mean (sd)", .shrinks = true },
		{ .key = "change", .title = "change", .align = ALIGN_RIGHT },
		{ .key = "interval", .title = interval_title(sheet), .shrinks = true },
		{ .key = "verdict", .title = "verdict" },
	};

	return document_table(sheet->document, "sheet", columns, sizeof columns / sizeof *columns);
}

static void add_alone_row(struct sheet *sheet, struct table *table,
			  const struct comparison *comparison)
{
	const struct metric *metric = &sheet->metrics[comparison->metric];
	const struct summary *summary =
	    sheet_summary(sheet, comparison->metric, comparison->candidate);
	struct arena *arena = sheet->arena;
	struct quantity quantity = quantity_choose(metric->unit, magnitude(summary),
						   deviation_of(summary), sheet->compact > 0);
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
	cells[2] = value_cell(sheet, metric, exact, &quantity, summary);
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

static void fill_alone(struct sheet *sheet, struct table *table)
{
	const struct comparison *comparison;
	size_t i;

	for (i = 0; i < sheet->findings->comparison_count; i++) {
		comparison = &sheet->findings->comparisons[i];
		if (is_row(sheet, comparison) &&
		    sheet_summary(sheet, comparison->metric, comparison->candidate) != NULL)
			add_alone_row(sheet, table, comparison);
	}
}

/* metric, variant where there are several, mean (sd), median, lowest .. highest, could show */
static struct table *make_alone(struct sheet *sheet)
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

/* The three layouts. */
struct layout {
	struct table *(*make)(struct sheet *sheet);
	void (*fill)(struct sheet *sheet, struct table *table);
};

static struct layout choose_layout(const struct plan *plan)
{
	if (plan_candidate_count(plan) == 0)
		return (struct layout){ make_alone, fill_alone };
	if (plan->subject_count == 2)
		return (struct layout){ make_sides, fill_sides };
	return (struct layout){ make_variants, fill_variants };
}

static void refill(struct sheet *sheet, struct table *table, const struct layout *layout,
		   int compact)
{
	sheet->compact = compact;
	table->row_count = 0;
	layout->fill(sheet, table);
}

void sheet_add_rows(struct sheet *sheet)
{
	struct layout layout = choose_layout(&sheet->recording->plan);
	struct table *table = layout.make(sheet);

	table->audience = AUDIENCE_PEOPLE;
	layout.fill(sheet, table);
	while (sheet->compact < MOST_COMPACT && text_table_width(table) > MAIL_WIDTH)
		refill(sheet, table, &layout, sheet->compact + 1);
	/* Names alone are too wide, and then units are left out for nothing. */
	if (text_table_width(table) > MAIL_WIDTH)
		refill(sheet, table, &layout, MOST_COMPACT - 1);
}
