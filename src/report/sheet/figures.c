/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands in the cells of the table that people read: values, changes and intervals. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/sheet/layout.h"

/* Two sides further apart than this get a scale each: 0.0012 ms beside 1,500 ms says little. */
static const double widest_common_scale = 2000.0;

bool sheet_shows_metric(const struct sheet *sheet, size_t metric)
{
	return sheet->all || !sheet->metrics[metric].hidden;
}

/* Values, or a mean that was told. */
bool figures_exist(const struct summary *summary)
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
		    figures_exist(&comparison->baseline))
			return &comparison->baseline;
		if (comparison->candidate == subject && figures_exist(&comparison->other))
			return &comparison->other;
	}
	return NULL;
}

/* What a row's scale is chosen by: the mean, or the spread of values about 0. */
double figures_magnitude(const struct summary *summary)
{
	if (!figures_exist(summary))
		return 0.0;
	if (summary->two_groups)
		return fmax(fabs(summary->group_centres[0]), fabs(summary->group_centres[1]));
	return isfinite(summary->deviation) ? fmax(fabs(summary->mean), summary->deviation)
					    : fabs(summary->mean);
}

/* Values that are all the same have no deviation; their computed one may be a speck of rounding. */
double figures_deviation(const struct summary *summary)
{
	if (summary != NULL && summary->told)
		return summary->deviation;
	if (summary == NULL || summary->count < 2)
		return NAN;
	return summary->lowest >= summary->highest ? 0.0 : summary->deviation;
}

double figures_smaller(double one, double other)
{
	if (!(one > 0))
		return other;
	return other > 0 ? fmin(one, other) : one;
}

/* The scale of one value within its row: the row's, unless the row's is far too large for it. */
struct quantity figures_scale(const struct sheet *sheet, const struct metric *metric,
			      double row_magnitude, double row_deviation,
			      const struct summary *summary)
{
	double own = figures_magnitude(summary);

	if (own > 0 && own * widest_common_scale < row_magnitude)
		return quantity_choose(metric->unit, own, figures_deviation(summary),
				       sheet->compact > 0);
	return quantity_choose(metric->unit, row_magnitude, row_deviation, sheet->compact > 0);
}

struct cell figures_value(const struct sheet *sheet, const struct metric *metric, bool exact,
			  const struct quantity *quantity, const struct summary *summary)
{
	struct arena *arena = sheet->arena;

	if (!figures_exist(summary))
		return cell_text("-");
	if (exact)
		return cell_number(quantity_exact(arena, summary->median, metric->unit),
				   summary->median);
	if (summary->two_groups)
		return cell_text(arena_printf(
		    arena, "%s / %s", quantity_digits(arena, quantity, summary->group_centres[0]),
		    quantity_value(arena, quantity, summary->group_centres[1])));
	return cell_number(sheet->compact > 3
			       ? quantity_value(arena, quantity, summary->mean)
			       : quantity_with_deviation(arena, quantity, summary->mean,
							 figures_deviation(summary)),
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

struct cell figures_change(const struct sheet *sheet, const struct comparison *comparison)
{
	struct quantity quantity;

	if (!isfinite(comparison->change) || comparison->verdict == VERDICT_INVALID)
		return cell_text("-");
	/* Within the step that the clock has, the middle is what was drawn to spread the values. */
	if (comparison->difference && comparison->reason == REASON_CLOCK &&
	    fabs(comparison->change) < sheet->metrics[comparison->metric].quantum)
		return cell_number("-", comparison->change);
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

struct cell figures_interval(const struct sheet *sheet, const struct comparison *comparison)
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

const char *figures_interval_title(const struct sheet *sheet)
{
	return arena_printf(sheet->arena, "%s interval",
			    units_percent(sheet->arena, sheet->recording->plan.confidence));
}

static bool has_values(const struct comparison *comparison)
{
	return figures_exist(&comparison->baseline) || figures_exist(&comparison->other);
}

bool figures_is_row(const struct sheet *sheet, const struct comparison *comparison)
{
	return (comparison->primary || sheet_shows_metric(sheet, comparison->metric)) &&
	       (comparison->primary || has_values(comparison));
}
