/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_PLOT_SVG_H
#define REPORT_PLOT_SVG_H

#include <stdbool.h>

#include "base/text.h"
#include "report/document.h"

/*
 * One plot as an <svg> element of 720 by plot_svg_height units. Colours are
 * left to the style sheet of the page (report/page/plot.css): every mark has
 * the class "mark" and one of "s0".."s7" by its series, lines and bars
 * likewise, and a <title> with its values, which a browser shows when the
 * pointer rests on it. More runs than can be told apart are thinned: report/plot/thin.h.
 */
enum { PLOT_SVG_WIDTH = 720, PLOT_SVG_COLOURS = 8 };

double plot_svg_height(const struct plot *plot);
/* y_offset: where its upper edge is within the element around it; 0 on a page. */
void plot_svg(const struct plot *plot, double y_offset, struct text *text);
/* Whether there is anything to draw. */
bool plot_has_marks(const struct plot *plot);

#endif
