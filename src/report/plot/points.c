/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points over two axes: runs in their order, curves over a factor with their
 * intervals, and two metrics against each other. A series that is joined has
 * a line through its points; a curve always has one.
 */
#include <math.h>
#include <string.h>

#include "report/plot/parts.h"
#include "report/plot/thin.h"

/* A stretch of x for every unit of width, and wider ones where many series share the picture: a
 * mark takes 120 bytes, and a browser some 30 us to open. */
enum { COLUMNS = PLOT_SVG_WIDTH - 100, MOST_MARKS = 20000 };

static size_t columns_of(const struct plot *plot)
{
	size_t columns = MOST_MARKS / 4 / plot->series_count;

	if (columns > COLUMNS)
		return COLUMNS;
	return columns > 0 ? columns : 1;
}

static double x_of(const struct plot_series *series, size_t i)
{
	return series->x == NULL ? (double)i : series->x[i];
}

/* Points and what is told of their intervals. */
static void include(struct canvas *canvas, const struct plot_series *series, size_t i)
{
	axis_include(&canvas->x, x_of(series, i));
	axis_include(&canvas->y, series->y[i]);
	if (series->low != NULL) {
		axis_include(&canvas->y, series->low[i]);
		axis_include(&canvas->y, series->high[i]);
	}
	if (series->x_low != NULL) {
		axis_include(&canvas->x, series->x_low[i]);
		axis_include(&canvas->x, series->x_high[i]);
	}
}

static void set_axes(struct canvas *canvas)
{
	const struct plot *plot = canvas->plot;
	size_t i, j;

	canvas->x = axis_make(axis_scale_of(plot->x_log, plot->x_unit), plot->x_unit, canvas->left,
			      canvas->right);
	canvas->y = axis_make(axis_scale_of(plot->y_log, plot->y_unit), plot->y_unit,
			      canvas->bottom, canvas->top);
	canvas->x.whole = plot->kind == PLOT_RUNS;
	for (i = 0; i < plot->series_count; i++)
		for (j = 0; j < plot->series[i].count; j++)
			include(canvas, &plot->series[i], j);
	axis_widen(&canvas->x);
	axis_widen(&canvas->y);
}

static char *point_title(struct canvas *canvas, const struct plot_series *series, size_t i)
{
	const struct plot *plot = canvas->plot;
	const char *interval = "";

	if (series->low != NULL && !isnan(series->low[i]))
		interval = arena_printf(
		    canvas->arena, " (%s .. %s)",
		    canvas_value(canvas, series->low[i], plot->y_unit, canvas->y.scale),
		    canvas_value(canvas, series->high[i], plot->y_unit, canvas->y.scale));
	return arena_printf(
	    canvas->arena, "%s%s%s: %s %s, %s %s%s", series->label,
	    series->names != NULL ? ", " : "", series->names != NULL ? series->names[i] : "",
	    plot->x_label, canvas_value(canvas, x_of(series, i), plot->x_unit, canvas->x.scale),
	    plot->y_label, canvas_value(canvas, series->y[i], plot->y_unit, canvas->y.scale),
	    interval);
}

/* An unbounded interval ends at the edge. */
static void draw_whisker(struct canvas *canvas, size_t series, size_t i)
{
	const struct plot_series *drawn = &canvas->plot->series[series];
	const char *style = arena_printf(canvas->arena, "whisker s%zu", series % PLOT_SVG_COLOURS);
	double x = axis_place(&canvas->x, x_of(drawn, i)), y = axis_place(&canvas->y, drawn->y[i]);

	if (drawn->low != NULL && !isnan(drawn->low[i]) && !isnan(drawn->high[i]))
		canvas_line(canvas, style, x, axis_place(&canvas->y, drawn->low[i]), x,
			    axis_place(&canvas->y, drawn->high[i]));
	if (drawn->x_low != NULL && !isnan(drawn->x_low[i]) && !isnan(drawn->x_high[i]))
		canvas_line(canvas, style, axis_place(&canvas->x, drawn->x_low[i]), y,
			    axis_place(&canvas->x, drawn->x_high[i]), y);
}

/* The name of a point stands beside it, on the side where there is more room. */
static void draw_name(struct canvas *canvas, const struct plot_series *series, size_t i)
{
	enum { GAP = 7, RISE = 5, ROOM = 150 };
	double x = axis_place(&canvas->x, x_of(series, i)),
	       y = axis_place(&canvas->y, series->y[i]) - RISE;
	bool left = x > (canvas->left + canvas->right) / 2;

	canvas_label(canvas, "point", left ? x - GAP : x + GAP, y, left ? "end" : "start", ROOM,
		     series->names[i]);
}

/* More names than this would lie over each other. */
enum { MOST_NAMES = 30 };

static size_t point_count(const struct plot *plot)
{
	size_t count = 0, i;

	for (i = 0; i < plot->series_count; i++)
		count += plot->series[i].count;
	return count;
}

static void draw_line(struct canvas *canvas, size_t series, const size_t *kept, size_t count)
{
	const struct plot_series *drawn = &canvas->plot->series[series];
	size_t i;

	if (count < 2)
		return;
	text_printf(canvas->text, "<polyline class=\"joined s%zu\" points=\"",
		    series % PLOT_SVG_COLOURS);
	for (i = 0; i < count; i++)
		text_printf(canvas->text, "%s%.1f,%.1f", i > 0 ? " " : "",
			    axis_place(&canvas->x, x_of(drawn, kept[i])),
			    axis_place(&canvas->y, drawn->y[kept[i]]));
	text_add(canvas->text, "\"/>\n");
}

/* "old: 99.88 ms until here, 119.7 ms from a0000c on". */
static char *change_title(struct canvas *canvas, const struct plot_series *series, size_t i)
{
	const char *unit = canvas->plot->y_unit;

	return arena_printf(canvas->arena, "%s: %s before, %s from %s on", series->label,
			    canvas_value(canvas, series->levels[i - 1], unit, canvas->y.scale),
			    canvas_value(canvas, series->levels[i], unit, canvas->y.scale),
			    series->names != NULL ? series->names[i] : "here");
}

/* Where marks vary about levels these are drawn, and each step from one to the next. */
static void draw_levels(struct canvas *canvas, size_t number)
{
	const struct plot_series *series = &canvas->plot->series[number];
	const char *step = arena_printf(canvas->arena, "step mark s%zu", number % PLOT_SVG_COLOURS);
	const char *level = arena_printf(canvas->arena, "level s%zu", number % PLOT_SVG_COLOURS);
	size_t first, end;

	for (first = 0; first < series->count; first = end) {
		double y = axis_place(&canvas->y, series->levels[first]), left, right;

		for (end = first + 1;
		     end < series->count && series->levels[end] == series->levels[first]; end++)
			continue;
		left = axis_place(&canvas->x, x_of(series, first) - (first > 0 ? 0.5 : 0));
		right =
		    axis_place(&canvas->x, x_of(series, end - 1) + (end < series->count ? 0.5 : 0));
		canvas_line(canvas, level, left, y, right, y);
		if (end < series->count) {
			double after = axis_place(&canvas->y, series->levels[end]);

			canvas_box(canvas, step, right - 1.5, fmin(y, after), 3, fabs(after - y),
				   change_title(canvas, series, end));
		}
	}
}

static bool is_drawn(const struct canvas *canvas, const struct plot_series *series, size_t i)
{
	return axis_shows(&canvas->x, x_of(series, i)) && axis_shows(&canvas->y, series->y[i]);
}

/* The points that are drawn: those that have a place, thinned where they are runs. */
static size_t choose(const struct canvas *canvas, const struct plot_series *series, size_t *kept)
{
	size_t count = 0, i;

	if (canvas->plot->kind == PLOT_RUNS && series->x != NULL)
		return thin_points(series->x, series->y, series->count, columns_of(canvas->plot),
				   kept);
	for (i = 0; i < series->count; i++)
		if (is_drawn(canvas, series, i))
			kept[count++] = i;
	return count;
}

static void draw_series(struct canvas *canvas, size_t number)
{
	const struct plot_series *series = &canvas->plot->series[number];
	size_t *kept = arena_alloc(canvas->arena, series->count, sizeof *kept);
	size_t count = choose(canvas, series, kept), i;

	if (series->levels != NULL)
		draw_levels(canvas, number);
	else if (canvas->plot->kind == PLOT_CURVE || series->joined)
		draw_line(canvas, number, kept, count);
	for (i = 0; i < count; i++)
		draw_whisker(canvas, number, kept[i]);
	for (i = 0; i < count; i++)
		canvas_mark(canvas, number, axis_place(&canvas->x, x_of(series, kept[i])),
			    axis_place(&canvas->y, series->y[kept[i]]),
			    point_title(canvas, series, kept[i]));
	for (i = 0; canvas->plot->kind == PLOT_SCATTER && series->names != NULL &&
		    point_count(canvas->plot) <= MOST_NAMES && i < count;
	     i++)
		draw_name(canvas, series, kept[i]);
}

/* The margin, where the values are changes. */
static void draw_band(struct canvas *canvas)
{
	double low = canvas->plot->band_low, high = canvas->plot->band_high;

	if (isnan(low) || isnan(high))
		return;
	low = axis_place(&canvas->y, low);
	high = axis_place(&canvas->y, high);
	canvas_box(canvas, "band", canvas->left, high, canvas->right - canvas->left, low - high,
		   "the margin");
}

void plot_draw_points(struct canvas *canvas)
{
	size_t i;

	set_axes(canvas);
	draw_band(canvas);
	canvas_x_axis(canvas);
	canvas_y_axis(canvas);
	canvas_legend(canvas);
	for (i = 0; i < canvas->plot->series_count; i++)
		draw_series(canvas, i);
}
