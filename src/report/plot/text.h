/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_PLOT_TEXT_H
#define REPORT_PLOT_TEXT_H

#include "base/text.h"
#include "report/document.h"

/* One plot drawn with letters, for a terminal or a mail, at most width columns (40 or more): points
 * on a grid, a strip a series, an interval or a bar a row. Its title stands above it. */
void plot_text(const struct plot *plot, unsigned width, struct text *text);

#endif
