/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plots with letters. A strip shows how many runs fell into each column as
 * one of five heights, and below it the middle half and the median; an
 * interval stands on the line of its metric with the margin in brackets. Only
 * ASCII, so that a mail shows what the terminal showed.
 */
#include "report/plot/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/axis.h"
#include "report/plot/svg.h"
#include "report/wrap.h"

enum { NARROWEST = 40, WIDEST_NAME = 24, GRID_ROWS = 12, TICKS = 5 };

/* What is drawn into: columns of letters between a name and the edge. */
struct strip {
	struct arena *arena;
	struct text *text;
	const struct plot *plot;
	size_t name_width, columns;
	struct axis axis; /* positions are columns, 0 to columns - 1 */
};

static const char marks[] = "x+*o#@%&";

static size_t column_of(const struct strip *strip, double value)
{
	return (size_t)(axis_place(&strip->axis, value) + 0.5);
}

static void add_line(struct strip *strip, const char *name, const char *letters)
{
	size_t length = strlen(letters);

	while (length > 0 && letters[length - 1] == ' ')
		length--;
	wrap_pad(strip->text, text_fit_ends(strip->arena, name, strip->name_width),
		 strip->name_width + 1);
	text_add_bytes(strip->text, letters, length);
	wrap_end_line(strip->text);
}

static char *blank(struct strip *strip, char letter)
{
	char *letters = arena_alloc(strip->arena, strip->columns + 1, 1);

	memset(letters, letter, strip->columns);
	return letters;
}

static size_t widest_name(const struct plot *plot, bool by_series)
{
	size_t widest = 0, count = by_series ? plot->series_count : plot->series[0].count, i;

	for (i = 0; i < count; i++) {
		const char *name = by_series ? plot->series[i].label : plot->series[0].names[i];
		size_t width = text_width(name);

		widest = width > widest ? width : widest;
	}
	return widest < WIDEST_NAME ? widest : WIDEST_NAME;
}

static void put_label(char *letters, size_t columns, size_t at, const char *label)
{
	size_t length = strlen(label), start = at > length / 2 ? at - length / 2 : 0, i;

	if (start + length > columns)
		start = columns > length ? columns - length : 0;
	/* A label that would touch the one before is left out. */
	for (i = start > 0 ? start - 1 : 0; i < start + length && i < columns; i++)
		if (letters[i] != ' ')
			return;
	for (i = 0; i < length && start + i < columns; i++)
		letters[start + i] = label[i];
}

/* The line of the axis, and its labels below; the unit stands in the place of the name. */
static void add_axis(struct strip *strip)
{
	double ticks[TICKS];
	size_t count = axis_ticks(&strip->axis, ticks, TICKS), i;
	char *line = blank(strip, '-'), *labels = blank(strip, ' ');

	for (i = 0; i < count; i++) {
		line[column_of(strip, ticks[i])] = '+';
		put_label(labels, strip->columns, column_of(strip, ticks[i]),
			  axis_label(strip->arena, &strip->axis, ticks[i]));
	}
	add_line(strip, "", line);
	add_line(strip, axis_unit(strip->arena, &strip->axis), labels);
}

static void draw_intervals(struct strip *strip)
{
	const struct plot *plot = strip->plot;
	const struct plot_series *series = &plot->series[0];
	size_t i, j;

	axis_include(&strip->axis, 0);
	axis_include(&strip->axis, plot->band_low);
	axis_include(&strip->axis, plot->band_high);
	for (i = 0; i < series->count; i++) {
		axis_include(&strip->axis, series->y[i]);
		axis_include(&strip->axis, series->low[i]);
		axis_include(&strip->axis, series->high[i]);
	}
	axis_widen(&strip->axis);
	for (i = 0; i < series->count; i++) {
		char *letters = blank(strip, ' ');

		for (j = column_of(strip, series->low[i]); j <= column_of(strip, series->high[i]);
		     j++)
			letters[j] = '-';
		letters[column_of(strip, 0)] = letters[column_of(strip, 0)] == '-' ? '+' : '|';
		if (!isnan(plot->band_low)) {
			letters[column_of(strip, plot->band_low)] = '[';
			letters[column_of(strip, plot->band_high)] = ']';
		}
		letters[column_of(strip, series->y[i])] = 'o';
		add_line(strip, series->names[i], letters);
	}
	add_axis(strip);
}

static void draw_bars(struct strip *strip)
{
	const struct plot_series *series = &strip->plot->series[0];
	size_t zero, end, i, j;

	strip->axis.unit = strip->plot->y_unit;
	axis_include(&strip->axis, 0);
	for (i = 0; i < series->count; i++)
		axis_include(&strip->axis, series->y[i]);
	axis_widen(&strip->axis);
	zero = column_of(strip, 0);
	for (i = 0; i < series->count; i++) {
		char *letters = blank(strip, ' ');

		end = column_of(strip, series->y[i]);
		for (j = zero < end ? zero : end; j <= (zero < end ? end : zero); j++)
			letters[j] = '#';
		letters[zero] = '|';
		add_line(strip, series->names[i], letters);
	}
	add_axis(strip);
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The middle half and the median, as a box plot lies down: |--M----|. */
static void add_quartiles(struct strip *strip, const struct plot_series *series)
{
	double *sorted = arena_copy(strip->arena, series->y, series->count * sizeof *series->y);
	size_t first, third, i;
	char *letters = blank(strip, ' ');

	qsort(sorted, series->count, sizeof *sorted, by_value);
	first = column_of(strip, sorted[series->count / 4]);
	third = column_of(strip, sorted[series->count - 1 - series->count / 4]);
	for (i = first; i <= third; i++)
		letters[i] = '_';
	letters[first] = letters[third] = '|';
	letters[column_of(strip, sorted[series->count / 2])] = 'M';
	add_line(strip, "", letters);
}

static void add_strip(struct strip *strip, size_t number)
{
	static const char heights[] = ".:oO@";
	const struct plot_series *series = &strip->plot->series[number];
	size_t *counts = arena_alloc(strip->arena, strip->columns, sizeof *counts), largest = 0, i;
	char *letters = blank(strip, ' ');

	for (i = 0; i < series->count; i++) {
		size_t column = column_of(strip, series->y[i]);

		if (++counts[column] > largest)
			largest = counts[column];
	}
	for (i = 0; i < strip->columns; i++)
		if (counts[i] > 0)
			letters[i] = heights[counts[i] * 5 / (largest + 1)];
	add_line(strip, series->label, letters);
	if (series->count > 0)
		add_quartiles(strip, series);
}

static void draw_distribution(struct strip *strip)
{
	const struct plot *plot = strip->plot;
	size_t i, j;

	for (i = 0; i < plot->series_count; i++)
		for (j = 0; j < plot->series[i].count; j++)
			axis_include(&strip->axis, plot->series[i].y[j]);
	axis_widen(&strip->axis);
	for (i = 0; i < plot->series_count; i++)
		add_strip(strip, i);
	add_axis(strip);
}

/* Letters of all series on one grid, the first row on top. A letter of another series in the same
 * place becomes '?': both are there. */
static void fill_grid(struct strip *strip, const struct axis *up, char *const *rows)
{
	const struct plot *plot = strip->plot;
	size_t i, j;

	for (i = 0; i < plot->series_count; i++)
		for (j = 0; j < plot->series[i].count; j++) {
			double x = plot->series[i].x == NULL ? (double)j : plot->series[i].x[j];
			char mark = marks[i % (sizeof marks - 1)], *letter;

			if (!axis_shows(&strip->axis, x) || !axis_shows(up, plot->series[i].y[j]))
				continue;
			letter = &rows[(size_t)(axis_place(up, plot->series[i].y[j]) + 0.5)]
				      [column_of(strip, x)];
			*letter = *letter == ' ' || *letter == mark ? mark : '?';
		}
}

/* Levels, where nothing else is. */
static void fill_levels(struct strip *strip, const struct axis *up, char *const *rows)
{
	const struct plot *plot = strip->plot;
	size_t i, j;

	for (i = 0; i < plot->series_count; i++)
		for (j = 0; plot->series[i].levels != NULL && j < plot->series[i].count; j++) {
			double x = plot->series[i].x == NULL ? (double)j : plot->series[i].x[j];
			double y = plot->series[i].levels[j];
			char *letter;

			if (!axis_shows(&strip->axis, x) || !axis_shows(up, y))
				continue;
			letter = &rows[(size_t)(axis_place(up, y) + 0.5)][column_of(strip, x)];
			*letter = *letter == ' ' ? '-' : *letter;
		}
}

/* The name behind its mark, or before it, where there is room for all of it. */
static void put_name(struct strip *strip, char *row, size_t at, const char *name)
{
	size_t length = strlen(name), start = at + 2, i;

	if (start + length > strip->columns)
		start = at > length + 1 ? at - length - 1 : strip->columns;
	if (start + length > strip->columns || text_width(name) != length)
		return;
	for (i = start - 1; i < start + length; i++)
		if (row[i] != ' ')
			return;
	memcpy(row + start, name, length);
}

static void name_points(struct strip *strip, const struct axis *up, char *const *rows)
{
	const struct plot *plot = strip->plot;
	size_t i, j;

	for (i = 0; i < plot->series_count; i++)
		for (j = 0; plot->series[i].names != NULL && j < plot->series[i].count; j++) {
			const struct plot_series *series = &plot->series[i];

			if (axis_shows(&strip->axis, series->x[j]) && axis_shows(up, series->y[j]))
				put_name(strip, rows[(size_t)(axis_place(up, series->y[j]) + 0.5)],
					 column_of(strip, series->x[j]), series->names[j]);
		}
}

static void add_legend(struct strip *strip)
{
	size_t i;

	for (i = 0; strip->plot->series_count > 1 && i < strip->plot->series_count; i++) {
		text_printf(strip->text, "%s%c %s", i > 0 ? "   " : "",
			    marks[i % (sizeof marks - 1)], strip->plot->series[i].label);
		if (i + 1 == strip->plot->series_count)
			wrap_end_line(strip->text);
	}
}

static void include_points(struct strip *strip, struct axis *up)
{
	size_t i, j;

	for (i = 0; i < strip->plot->series_count; i++) {
		const struct plot_series *series = &strip->plot->series[i];

		for (j = 0; j < series->count; j++) {
			axis_include(&strip->axis, series->x == NULL ? (double)j : series->x[j]);
			axis_include(up, series->y[j]);
		}
	}
	axis_widen(&strip->axis);
	axis_widen(up);
}

static void draw_grid(struct strip *strip)
{
	const struct plot *plot = strip->plot;
	struct axis up =
	    axis_make(axis_scale_of(plot->y_log, plot->y_unit), plot->y_unit, GRID_ROWS - 1, 0);
	const char *names[GRID_ROWS] = { 0 }, *unit;
	char *rows[GRID_ROWS];
	double ticks[TICKS];
	size_t count, i;

	strip->axis = axis_make(axis_scale_of(plot->x_log, plot->x_unit), plot->x_unit, 0,
				(double)strip->columns - 1);
	strip->axis.whole = plot->kind == PLOT_RUNS;
	include_points(strip, &up);
	for (i = 0; i < GRID_ROWS; i++)
		rows[i] = blank(strip, ' ');
	fill_grid(strip, &up, rows);
	fill_levels(strip, &up, rows);
	if (plot->kind == PLOT_SCATTER)
		name_points(strip, &up, rows);
	count = axis_ticks(&up, ticks, TICKS);
	for (i = 0; i < count; i++)
		names[(size_t)(axis_place(&up, ticks[i]) + 0.5)] =
		    axis_label(strip->arena, &up, ticks[i]);
	unit = axis_unit(strip->arena, &up);
	text_printf(strip->text, "%s%s%s", plot->y_label, *unit == '\0' ? "" : ", ", unit);
	wrap_end_line(strip->text);
	for (i = 0; i < GRID_ROWS; i++)
		add_line(strip, names[i] != NULL ? names[i] : "", rows[i]);
	add_axis(strip);
	add_legend(strip);
}

struct kind {
	void (*draw)(struct strip *strip);
	size_t name_width; /* 0: the widest name */
	bool by_series;
};

static const struct kind kinds[] = {
	[PLOT_RUNS] = { draw_grid, 9, false },
	[PLOT_DISTRIBUTION] = { draw_distribution, 0, true },
	[PLOT_INTERVALS] = { draw_intervals, 0, false },
	[PLOT_CURVE] = { draw_grid, 9, false },
	[PLOT_SCATTER] = { draw_grid, 9, false },
	[PLOT_BARS] = { draw_bars, 0, false },
};

void plot_text(const struct plot *plot, unsigned width, struct text *text)
{
	const struct kind *kind = &kinds[plot->kind];
	struct strip strip = { .arena = arena_open(), .text = text, .plot = plot };

	if (width < NARROWEST)
		width = NARROWEST;
	strip.name_width =
	    kind->name_width > 0 ? kind->name_width : widest_name(plot, kind->by_series);
	strip.columns = width - strip.name_width - 1;
	strip.axis = axis_make(
	    plot->kind == PLOT_INTERVALS ? AXIS_CHANGE : axis_scale_of(false, plot->y_unit),
	    plot->kind == PLOT_INTERVALS ? "ratio" : plot->y_unit, 0, (double)strip.columns - 1);
	wrap_add(text, plot->title, 0, 0, width);
	wrap_end_line(text);
	kind->draw(&strip);
	arena_close(strip.arena);
}
