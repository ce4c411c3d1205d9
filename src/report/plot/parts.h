/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_PLOT_PARTS_H
#define REPORT_PLOT_PARTS_H

#include "report/plot/axis.h"
#include "report/plot/svg.h"

/* What the files plot_*.c share while one plot is drawn. */
struct canvas {
	struct arena *arena;
	struct text *text;
	const struct plot *plot;
	struct axis x, y;
	double left, right, top, bottom; /* of the area in which marks are */
};

/* Primitives; labels are escaped and cut to fit. */
void canvas_line(struct canvas *canvas, const char *style, double x1, double y1, double x2,
		 double y2);
void canvas_box(struct canvas *canvas, const char *style, double x, double y, double width,
		double height, const char *title);
/* anchor: "start", "middle" or "end"; at most room units wide. */
void canvas_label(struct canvas *canvas, const char *style, double x, double y, const char *anchor,
		  double room, const char *label);
/* A mark of the series, its shape and colour by the series' number. */
void canvas_mark(struct canvas *canvas, size_t series, double x, double y, const char *title);
/* The same in another colour. */
void canvas_styled_mark(struct canvas *canvas, const char *style, size_t shape, double x, double y,
			const char *title);
/* "wall, candidate" and a value with its unit, as hovering shows it. */
char *canvas_value(struct canvas *canvas, double value, const char *unit, enum axis_scale scale);

/* Ticks, grid lines and titles of the axes. */
void canvas_x_axis(struct canvas *canvas);
void canvas_y_axis(struct canvas *canvas);
/* Series by colour, above the marks; nothing for one series. */
void canvas_legend(struct canvas *canvas);

/* The kinds. Each sets the axes and draws within the area. */
void plot_draw_points(struct canvas *canvas);	    /* runs, curves, scatter */
void plot_draw_distribution(struct canvas *canvas); /* a histogram a series */
void plot_draw_intervals(struct canvas *canvas);
void plot_draw_bars(struct canvas *canvas);

/* A row of the kinds that have one name a row. */
enum { PLOT_ROW = 26, PLOT_TALL_ROW = 74 };
double plot_row_middle(const struct canvas *canvas, size_t row, double height);
void plot_row_name(struct canvas *canvas, double middle, const char *name);

#endif
