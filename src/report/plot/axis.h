/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_PLOT_AXIS_H
#define REPORT_PLOT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/units.h"

/*
 * One axis of a picture: the range that it shows, and where a value lies on
 * it. Ticks are at 1, 2 or 5 times a power of ten (Heckbert, "Nice numbers for
 * graph labels", Graphics Gems, 1990); on a logarithmic axis that spans more
 * than a decade, at 1, 2, 5 of each decade or at whole decades.
 */
enum axis_scale {
	AXIS_LINEAR,
	AXIS_LOG,    /* values above 0 */
	AXIS_CHANGE, /* a change c above -1, placed at log(1 + c), so that x2 and x0.5 mirror */
};

struct axis {
	enum axis_scale scale;
	double low, high; /* values at the two ends; low > high while nothing was added */
	double from, to;  /* positions of the two ends, in whatever the picture is drawn in */
	const char *unit;
	double step; /* between linear ticks, as shown; axis_ticks sets it */
	bool whole;  /* counts things: no ticks between whole numbers */
};

/* Of values in that unit: "ratio" is a change. */
enum axis_scale axis_scale_of(bool log, const char *unit);
/* An axis that shows nothing yet. */
struct axis axis_make(enum axis_scale scale, const char *unit, double from, double to);
/* Make sure that value is shown; one that the scale does not have (NAN, 0 on AXIS_LOG) is passed
 * over. */
void axis_include(struct axis *axis, double value);
/* After the last value: some room at both ends, and a range where there was none. */
void axis_widen(struct axis *axis);
/* Whether the value lies within the range. */
bool axis_shows(const struct axis *axis, double value);
/* Where the value lies; one beyond an end is placed at that end. The value is not NAN. */
double axis_place(const struct axis *axis, double value);
/* At most most ticks (2 or more), in rising order; the caller's array holds most of them. */
size_t axis_ticks(struct axis *axis, double *ticks, size_t most);
/* What stands at a tick of axis_ticks: "150", "+2%", "x2"; with just the digits that tell the
 * ticks apart. */
char *axis_label(struct arena *arena, const struct axis *axis, double tick);
/* The unit as the axis counts in it: "ms" where the unit is s and values are small; "" for
 * changes and plain counts. */
const char *axis_unit(struct arena *arena, const struct axis *axis);

#endif
