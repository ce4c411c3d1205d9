/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures with a name a row: intervals against the margin, bars, and a
 * histogram a series over one axis. Histograms rather than smooth densities:
 * two groups and a clock's steps stay visible as they are.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/parts.h"

/* Changes that are not bounded are drawn to the edge; they do not stretch the axis. */
static void set_change_axis(struct canvas *canvas)
{
	const struct plot_series *series = &canvas->plot->series[0];
	size_t i;

	canvas->x = axis_make(AXIS_CHANGE, "ratio", canvas->left, canvas->right);
	axis_include(&canvas->x, 0);
	axis_include(&canvas->x, canvas->plot->band_low);
	axis_include(&canvas->x, canvas->plot->band_high);
	for (i = 0; i < series->count; i++) {
		axis_include(&canvas->x, series->y[i]);
		axis_include(&canvas->x, series->low[i]);
		axis_include(&canvas->x, series->high[i]);
	}
	axis_widen(&canvas->x);
}

/* The colours of the verdicts' words. */
static const char *tone_style(const struct plot_series *series, size_t row)
{
	static const char *const styles[] = { [TONE_PLAIN] = "plain",
					      [TONE_GOOD] = "better",
					      [TONE_BAD] = "worse",
					      [TONE_CAUTION] = "open",
					      [TONE_FAINT] = "plain" };

	return series->tones == NULL ? "s0" : styles[series->tones[row]];
}

static void draw_interval(struct canvas *canvas, size_t row)
{
	const struct plot_series *series = &canvas->plot->series[0];
	const char *style = tone_style(series, row);
	double y = plot_row_middle(canvas, row, PLOT_ROW);
	char *title = arena_printf(canvas->arena, "%s: %s (%s .. %s)", series->names[row],
				   canvas_value(canvas, series->y[row], "", AXIS_CHANGE),
				   canvas_value(canvas, series->low[row], "", AXIS_CHANGE),
				   canvas_value(canvas, series->high[row], "", AXIS_CHANGE));

	plot_row_name(canvas, y, series->names[row]);
	canvas_line(canvas, arena_printf(canvas->arena, "whisker %s", style),
		    axis_place(&canvas->x, series->low[row]), y,
		    axis_place(&canvas->x, series->high[row]), y);
	canvas_styled_mark(canvas, style, 0, axis_place(&canvas->x, series->y[row]), y, title);
}

void plot_draw_intervals(struct canvas *canvas)
{
	double low = canvas->plot->band_low, high = canvas->plot->band_high, zero;
	size_t i;

	set_change_axis(canvas);
	zero = axis_place(&canvas->x, 0);
	if (!isnan(low) && !isnan(high)) {
		low = axis_place(&canvas->x, low);
		high = axis_place(&canvas->x, high);
		canvas_box(canvas, "band", low, canvas->top, high - low,
			   canvas->bottom - canvas->top, "the margin");
	}
	canvas_x_axis(canvas);
	canvas_line(canvas, "zero", zero, canvas->top, zero, canvas->bottom);
	for (i = 0; i < canvas->plot->series[0].count; i++)
		draw_interval(canvas, i);
}

static void draw_bar(struct canvas *canvas, size_t row, double zero)
{
	const struct plot_series *series = &canvas->plot->series[0];
	const char *name = series->names[row],
		   *sign = series->y[row] > 0 && canvas->x.low < 0 ? "+" : "";
	const char *remark = series->remarks != NULL ? series->remarks[row] : NULL;
	const char *value = canvas_value(canvas, series->y[row], canvas->plot->y_unit, AXIS_LINEAR);
	double y = plot_row_middle(canvas, row, PLOT_ROW);
	double end = axis_place(&canvas->x, series->y[row]);
	bool negative = series->y[row] < 0;

	plot_row_name(canvas, y, name);
	canvas_box(canvas, negative ? "bar mark s2" : "bar mark s0", fmin(zero, end), y - 8,
		   fmax(fabs(end - zero), 0.5), 16,
		   arena_printf(canvas->arena, "%s: %s%s%s%s", name, sign, value,
				remark != NULL ? ", " : "", remark != NULL ? remark : ""));
	canvas_label(canvas, "tick", negative ? end - 5 : end + 5, y + 4,
		     negative ? "end" : "start", 90,
		     arena_printf(canvas->arena, "%s%s", sign, value));
}

void plot_draw_bars(struct canvas *canvas)
{
	const struct plot_series *series = &canvas->plot->series[0];
	const struct plot *plot = canvas->plot;
	/* The value stands behind its bar. */
	enum { VALUE_ROOM = 76 };
	bool rises = false, falls = false;
	double zero;
	size_t i;

	for (i = 0; i < series->count; i++) {
		rises = rises || series->y[i] > 0;
		falls = falls || series->y[i] < 0;
	}
	canvas->x = axis_make(AXIS_LINEAR, plot->y_unit, canvas->left + (falls ? VALUE_ROOM : 0),
			      canvas->right - (rises ? VALUE_ROOM : 0));
	axis_include(&canvas->x, 0);
	for (i = 0; i < series->count; i++)
		axis_include(&canvas->x, series->y[i]);
	canvas_x_axis(canvas);
	zero = axis_place(&canvas->x, 0);
	canvas_line(canvas, "zero", zero, canvas->top, zero, canvas->bottom);
	for (i = 0; i < series->count; i++)
		draw_bar(canvas, i, zero);
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

struct sorted {
	double *values;
	size_t count;
};

static struct sorted sort_series(struct arena *arena, const struct plot_series *series)
{
	struct sorted sorted = { arena_alloc(arena, series->count, sizeof(double)), 0 };
	size_t i;

	for (i = 0; i < series->count; i++)
		if (isfinite(series->y[i]))
			sorted.values[sorted.count++] = series->y[i];
	qsort(sorted.values, sorted.count, sizeof(double), by_value);
	return sorted;
}

static double quantile(const struct sorted *sorted, double share)
{
	return sorted->values[(size_t)(share * (double)(sorted->count - 1) + 0.5)];
}

/* Far runs (beyond ten times the middle half from it) are counted at the edge, not shown at their
 * place: a single one would squeeze all others into one bar. */
static void include_series(struct axis *axis, const struct sorted *sorted)
{
	double first, third, reach;
	size_t i;

	if (sorted->count == 0)
		return;
	first = quantile(sorted, 0.25);
	third = quantile(sorted, 0.75);
	reach = 10 * fmax(third - first, fabs(third) * 1e-3);
	for (i = 0; i < sorted->count; i++)
		if (sorted->values[i] >= first - reach && sorted->values[i] <= third + reach)
			axis_include(axis, sorted->values[i]);
}

enum { BINS = 60 };

struct histogram {
	size_t counts[BINS];
	size_t below, above, largest;
};

static double bin_edge(const struct axis *axis, size_t bin)
{
	return axis->low + (axis->high - axis->low) * (double)bin / BINS;
}

static struct histogram count_bins(const struct axis *axis, const struct sorted *sorted)
{
	struct histogram histogram = { 0 };
	double width = (axis->high - axis->low) / BINS;
	size_t bin, i;

	for (i = 0; i < sorted->count; i++) {
		if (sorted->values[i] < axis->low) {
			histogram.below++;
			continue;
		}
		if (sorted->values[i] > axis->high) {
			histogram.above++;
			continue;
		}
		bin = (size_t)((sorted->values[i] - axis->low) / width);
		bin = bin < BINS ? bin : BINS - 1;
		if (++histogram.counts[bin] > histogram.largest)
			histogram.largest = histogram.counts[bin];
	}
	return histogram;
}

static void draw_beyond(struct canvas *canvas, const struct histogram *histogram, double base)
{
	double y = base - PLOT_TALL_ROW + 22;

	if (histogram->below > 0)
		canvas_label(canvas, "beyond", canvas->left + 4, y, "start", 200,
			     arena_printf(canvas->arena, "%zu further left", histogram->below));
	if (histogram->above > 0)
		canvas_label(canvas, "beyond", canvas->right - 4, y, "end", 200,
			     arena_printf(canvas->arena, "%zu further right", histogram->above));
}

static void draw_bins(struct canvas *canvas, size_t number, const struct sorted *sorted,
		      double base)
{
	struct histogram histogram = count_bins(&canvas->x, sorted);
	const char *style = arena_printf(canvas->arena, "bin mark s%zu", number % PLOT_SVG_COLOURS);
	const char *unit = canvas->plot->y_unit;
	double tallest = PLOT_TALL_ROW - 18, left, right, height;
	size_t i;

	for (i = 0; i < BINS; i++) {
		if (histogram.counts[i] == 0)
			continue;
		left = axis_place(&canvas->x, bin_edge(&canvas->x, i));
		right = axis_place(&canvas->x, bin_edge(&canvas->x, i + 1));
		height = tallest * (double)histogram.counts[i] / (double)histogram.largest;
		canvas_box(
		    canvas, style, left + 0.5, base - height, right - left - 1, height,
		    arena_printf(
			canvas->arena, "%s: %zu of %zu runs, %s .. %s",
			canvas->plot->series[number].label, histogram.counts[i], sorted->count,
			canvas_value(canvas, bin_edge(&canvas->x, i), unit, canvas->x.scale),
			canvas_value(canvas, bin_edge(&canvas->x, i + 1), unit, canvas->x.scale)));
	}
	draw_beyond(canvas, &histogram, base);
}

static void draw_median(struct canvas *canvas, const struct sorted *sorted, double base)
{
	double median = quantile(sorted, 0.5), x = axis_place(&canvas->x, median);

	canvas_line(canvas, "median", x, base - PLOT_TALL_ROW + 12, x, base);
}

void plot_draw_distribution(struct canvas *canvas)
{
	const struct plot *plot = canvas->plot;
	struct sorted *sorted = arena_alloc(canvas->arena, plot->series_count, sizeof *sorted);
	size_t i;

	canvas->x = axis_make(axis_scale_of(false, plot->y_unit), plot->y_unit, canvas->left,
			      canvas->right);
	for (i = 0; i < plot->series_count; i++) {
		sorted[i] = sort_series(canvas->arena, &plot->series[i]);
		include_series(&canvas->x, &sorted[i]);
	}
	axis_widen(&canvas->x);
	canvas_x_axis(canvas);
	for (i = 0; i < plot->series_count; i++) {
		double base = canvas->top + (double)(i + 1) * PLOT_TALL_ROW;

		plot_row_name(canvas, base - PLOT_TALL_ROW / 2.0, plot->series[i].label);
		canvas_line(canvas, "axis", canvas->left, base, canvas->right, base);
		if (sorted[i].count == 0)
			continue;
		draw_bins(canvas, i, &sorted[i], base);
		draw_median(canvas, &sorted[i], base);
	}
}
