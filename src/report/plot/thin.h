/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_PLOT_THIN_H
#define REPORT_PLOT_THIN_H

#include <stddef.h>

/*
 * Which of many points in order a picture needs: of each of columns equal
 * stretches of x the first, the lowest, the highest and the last, so that the
 * picture has the same outline and no odd run is lost (M4: Jugel and others,
 * "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 2014).
 * x rises, values are finite. kept has room for count indices; what is kept is
 * in order. Up to 4 * columns points all are kept. Returns how many.
 */
size_t thin_points(const double *x, const double *y, size_t count, size_t columns, size_t *kept);

#endif
