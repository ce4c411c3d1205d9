/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of a picture: its size, axes, legend, and the few shapes that
 * points.c and rows.c draw with. Widths of letters are guessed (a
 * sans serif of 12 units, 7.2 a column), since nobody here knows the font; a
 * label that fills its room is told to fit it.
 */
#include "report/plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "report/markup.h"
#include "report/plot/parts.h"

enum {
	TOP = 34,
	TOP_OF_ROWS = 8,
	BOTTOM = 46,
	LEFT = 76,
	RIGHT = 16,
	POINTS_HEIGHT = 300,
	WIDEST_NAME = 280
};
static const double column_width = 7.2;

static double label_width(const char *label)
{
	return (double)text_width(label) * column_width;
}

void canvas_line(struct canvas *canvas, const char *style, double x1, double y1, double x2,
		 double y2)
{
	text_printf(canvas->text,
		    "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", style,
		    x1, y1, x2, y2);
}

static void add_title(struct canvas *canvas, const char *title)
{
	if (title == NULL)
		return;
	text_add(canvas->text, "<title>");
	markup_add(canvas->text, title);
	text_add(canvas->text, "</title>");
}

void canvas_box(struct canvas *canvas, const char *style, double x, double y, double width,
		double height, const char *title)
{
	text_printf(canvas->text,
		    "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
		    style, x, y, width, height);
	add_title(canvas, title);
	text_add(canvas->text, "</rect>\n");
}

void canvas_label(struct canvas *canvas, const char *style, double x, double y, const char *anchor,
		  double room, const char *label)
{
	size_t columns = room > column_width ? (size_t)(room / column_width) : 1;
	const char *shown = text_fit_ends(canvas->arena, label, columns);

	text_printf(canvas->text, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"",
		    style, x, y, anchor);
	if (strcmp(shown, label) != 0)
		text_printf(canvas->text, " textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\"",
			    room);
	text_add_char(canvas->text, '>');
	markup_add(canvas->text, shown);
	if (strcmp(shown, label) != 0)
		add_title(canvas, label);
	text_add(canvas->text, "</text>\n");
}

/* A circle, a square, a diamond: the series can be told apart in print. */
static const char *const shapes[] = {
	"m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
	"m-2.6-2.6h5.2v5.2h-5.2z",
	"m0-3.8l3.8 3.8l-3.8 3.8l-3.8-3.8z",
};

void canvas_styled_mark(struct canvas *canvas, const char *style, size_t shape, double x, double y,
			const char *title)
{
	text_printf(canvas->text, "<path class=\"mark %s\" d=\"M%.1f %.1f%s\">", style, x, y,
		    shapes[shape % 3]);
	add_title(canvas, title);
	text_add(canvas->text, "</path>\n");
}

void canvas_mark(struct canvas *canvas, size_t series, double x, double y, const char *title)
{
	char style[24];

	snprintf(style, sizeof style, "s%zu", series % PLOT_SVG_COLOURS);
	canvas_styled_mark(canvas, style, series, x, y, title);
}

char *canvas_value(struct canvas *canvas, double value, const char *unit, enum axis_scale scale)
{
	enum { SIGNIFICANT = 5 };

	if (isinf(value))
		return arena_strdup(canvas->arena, "unbounded");
	if (scale == AXIS_CHANGE)
		return units_change(canvas->arena, value);
	return units_value(canvas->arena, value, unit, SIGNIFICANT);
}

static char *axis_title(struct canvas *canvas, const struct axis *axis, const char *label)
{
	const char *unit = axis_unit(canvas->arena, axis);

	return *unit == '\0' ? arena_strdup(canvas->arena, label)
			     : arena_printf(canvas->arena, "%s (%s)", label, unit);
}

/* Where rows have names, the values lie along the x axis. */
static const char *x_label(const struct plot *plot)
{
	bool points =
	    plot->kind == PLOT_RUNS || plot->kind == PLOT_CURVE || plot->kind == PLOT_SCATTER;

	return points ? plot->x_label : plot->y_label;
}

void canvas_x_axis(struct canvas *canvas)
{
	enum { MOST = 9, LABEL_Y = 16, TITLE_Y = 36 };
	double ticks[MOST], middle = (canvas->left + canvas->right) / 2, x;
	size_t count = axis_ticks(&canvas->x, ticks, MOST), i;

	canvas_line(canvas, "axis", canvas->left, canvas->bottom, canvas->right, canvas->bottom);
	for (i = 0; i < count; i++) {
		x = axis_place(&canvas->x, ticks[i]);
		canvas_line(canvas, "grid", x, canvas->top, x, canvas->bottom);
		canvas_label(canvas, "tick", x, canvas->bottom + LABEL_Y, "middle", 80,
			     axis_label(canvas->arena, &canvas->x, ticks[i]));
	}
	canvas_label(canvas, "title", middle, canvas->bottom + TITLE_Y, "middle",
		     canvas->right - canvas->left,
		     axis_title(canvas, &canvas->x, x_label(canvas->plot)));
}

void canvas_y_axis(struct canvas *canvas)
{
	enum { MOST = 7, GAP = 6, BASELINE = 4 };
	double ticks[MOST], y;
	size_t count = axis_ticks(&canvas->y, ticks, MOST), i;

	canvas_line(canvas, "axis", canvas->left, canvas->top, canvas->left, canvas->bottom);
	for (i = 0; i < count; i++) {
		y = axis_place(&canvas->y, ticks[i]);
		canvas_line(canvas, "grid", canvas->left, y, canvas->right, y);
		canvas_label(canvas, "tick", canvas->left - GAP, y + BASELINE, "end", LEFT - GAP,
			     axis_label(canvas->arena, &canvas->y, ticks[i]));
	}
	canvas_label(canvas, "title", 4, canvas->top - 18, "start", PLOT_SVG_WIDTH / 3.0,
		     axis_title(canvas, &canvas->y, canvas->plot->y_label));
}

/* Where the legend's entries stand: in rows above the axis' title, from the left. */
struct legend_place {
	double x;
	size_t row;
};

enum { LEGEND_ROW = 20, LEGEND_KEY = 14, LEGEND_GAP = 18, LEGEND_WIDEST = 300 };

static double legend_width(const char *label)
{
	return fmin(label_width(label), LEGEND_WIDEST);
}

/* Of the entry behind one, which has label. */
static struct legend_place legend_next(struct legend_place place, const char *label,
				       const char *next)
{
	place.x += LEGEND_KEY + legend_width(label) + LEGEND_GAP;
	if (place.x + LEGEND_KEY + legend_width(next) > PLOT_SVG_WIDTH - RIGHT)
		place = (struct legend_place){ 0, place.row + 1 };
	return place;
}

static double legend_height(const struct plot *plot)
{
	struct legend_place place = { 0, 0 };
	size_t i;

	if (plot->series_count < 2)
		return 0;
	for (i = 1; i < plot->series_count; i++)
		place = legend_next(place, plot->series[i - 1].label, plot->series[i].label);
	return (double)(place.row + 1) * LEGEND_ROW;
}

void canvas_legend(struct canvas *canvas)
{
	const struct plot *plot = canvas->plot;
	struct legend_place place = { 0, 0 };
	size_t i;

	for (i = 0; plot->series_count > 1 && i < plot->series_count; i++) {
		const char *label = plot->series[i].label;
		double y = 16 + (double)place.row * LEGEND_ROW;

		text_printf(canvas->text, "<path class=\"key s%zu\" d=\"M%.1f %.1f%s\"/>\n",
			    i % PLOT_SVG_COLOURS, place.x + 8, y - 4, shapes[i % 3]);
		canvas_label(canvas, "legend", place.x + LEGEND_KEY + 2, y, "start",
			     legend_width(label) + column_width / 2, label);
		if (i + 1 < plot->series_count)
			place = legend_next(place, label, plot->series[i + 1].label);
	}
}

double plot_row_middle(const struct canvas *canvas, size_t row, double height)
{
	return canvas->top + ((double)row + 0.5) * height;
}

void plot_row_name(struct canvas *canvas, double middle, const char *name)
{
	canvas_label(canvas, "name", canvas->left - 8, middle + 4, "end", canvas->left - 12, name);
}

struct kind {
	void (*draw)(struct canvas *canvas);
	bool named_rows; /* one name a row, at the left; else a y axis */
	double row;	 /* height of a row */
};

static const struct kind kinds[] = {
	[PLOT_RUNS] = { plot_draw_points, false, 0 },
	[PLOT_DISTRIBUTION] = { plot_draw_distribution, true, PLOT_TALL_ROW },
	[PLOT_INTERVALS] = { plot_draw_intervals, true, PLOT_ROW },
	[PLOT_CURVE] = { plot_draw_points, false, 0 },
	[PLOT_SCATTER] = { plot_draw_points, false, 0 },
	[PLOT_BARS] = { plot_draw_bars, true, PLOT_ROW },
};

static size_t row_count(const struct plot *plot)
{
	if (plot->kind == PLOT_DISTRIBUTION)
		return plot->series_count;
	return plot->series_count > 0 ? plot->series[0].count : 0;
}

static const char *row_name(const struct plot *plot, size_t row)
{
	if (plot->kind == PLOT_DISTRIBUTION)
		return plot->series[row].label;
	return plot->series[0].names == NULL ? "" : plot->series[0].names[row];
}

bool plot_has_marks(const struct plot *plot)
{
	size_t i;

	for (i = 0; i < plot->series_count; i++)
		if (plot->series[i].count > 0)
			return true;
	return false;
}

double plot_svg_height(const struct plot *plot)
{
	const struct kind *kind = &kinds[plot->kind];

	if (!kind->named_rows)
		return legend_height(plot) + POINTS_HEIGHT + TOP + BOTTOM;
	return (double)row_count(plot) * kind->row + TOP_OF_ROWS + BOTTOM;
}

static double names_width(const struct plot *plot)
{
	double widest = 0;
	size_t i;

	for (i = 0; i < row_count(plot); i++)
		widest = fmax(widest, label_width(row_name(plot, i)));
	return fmin(widest, WIDEST_NAME) + 20;
}

void plot_svg(const struct plot *plot, double y_offset, struct text *text)
{
	const struct kind *kind = &kinds[plot->kind];
	double height = plot_svg_height(plot);
	struct canvas canvas = { .arena = arena_open(), .text = text, .plot = plot };

	canvas.left = kind->named_rows ? names_width(plot) : LEFT;
	canvas.right = PLOT_SVG_WIDTH - RIGHT;
	canvas.top = kind->named_rows ? TOP_OF_ROWS : TOP + legend_height(plot);
	canvas.bottom = height - BOTTOM;
	text_printf(text,
		    "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
		    "y=\"%.0f\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
		    "aria-label=\"",
		    y_offset, PLOT_SVG_WIDTH, height, PLOT_SVG_WIDTH, height);
	markup_add(text, plot->title);
	text_add(text, "\">\n");
	kind->draw(&canvas);
	text_add(text, "</svg>\n");
	arena_close(canvas.arena);
}
