/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges, ticks and labels of the axes of pictures: see axis.h. */
#include "report/plot/axis.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* Free room at each end, as a share of the range. */
static const double room_share = 0.05;

enum axis_scale axis_scale_of(bool log, const char *unit)
{
	if (strcmp(unit, "ratio") == 0)
		return AXIS_CHANGE;
	return log ? AXIS_LOG : AXIS_LINEAR;
}

struct axis axis_make(enum axis_scale scale, const char *unit, double from, double to)
{
	return (struct axis){ .scale = scale,
			      .low = INFINITY,
			      .high = -INFINITY,
			      .from = from,
			      .to = to,
			      .unit = unit };
}

static bool has_place(const struct axis *axis, double value)
{
	if (!isfinite(value))
		return false;
	return axis->scale == AXIS_LINEAR || value > (axis->scale == AXIS_LOG ? 0 : -1);
}

/* Linear in the picture. */
static double forth(const struct axis *axis, double value)
{
	if (axis->scale == AXIS_LINEAR)
		return value;
	return axis->scale == AXIS_LOG ? log(value) : log1p(value);
}

static double back(const struct axis *axis, double place)
{
	if (axis->scale == AXIS_LINEAR)
		return place;
	return axis->scale == AXIS_LOG ? exp(place) : expm1(place);
}

void axis_include(struct axis *axis, double value)
{
	if (!has_place(axis, value))
		return;
	axis->low = fmin(axis->low, value);
	axis->high = fmax(axis->high, value);
}

/* The part of a value that a range around it has where all values are equal. */
static double range_around(const struct axis *axis, double value)
{
	if (axis->scale == AXIS_LINEAR)
		return value == 0 ? 1 : fabs(value) / 10;
	return axis->scale == AXIS_LOG ? log(2) : log1p(0.01);
}

void axis_widen(struct axis *axis)
{
	double low, high, room;

	if (axis->low > axis->high)
		axis->low = axis->high = axis->scale == AXIS_LOG ? 1 : 0;
	low = forth(axis, axis->low);
	high = forth(axis, axis->high);
	room = high > low ? (high - low) * room_share : range_around(axis, axis->low);
	/* What cannot be below 0 shows no room there. */
	if (axis->scale == AXIS_LINEAR && low >= 0 && low < room)
		axis->low = 0;
	else
		axis->low = back(axis, low - room);
	axis->high = back(axis, high + room);
}

bool axis_shows(const struct axis *axis, double value)
{
	return has_place(axis, value) && value >= axis->low && value <= axis->high;
}

double axis_place(const struct axis *axis, double value)
{
	double low = forth(axis, axis->low), high = forth(axis, axis->high);

	if (!(value > axis->low))
		return axis->from;
	if (value >= axis->high)
		return axis->to;
	return axis->from + (forth(axis, value) - low) / (high - low) * (axis->to - axis->from);
}

/* The smallest of 1, 2, 5 times a power of ten that is not below rough. */
static double nice_step(double rough)
{
	double decade = pow(10, floor(log10(rough)));

	if (rough <= decade * (1 + 1e-9))
		return decade;
	if (rough <= 2 * decade * (1 + 1e-9))
		return 2 * decade;
	return rough <= 5 * decade * (1 + 1e-9) ? 5 * decade : 10 * decade;
}

/* Changes whose labels are factors, and logarithms over more than a factor of ten. */
static bool spans_decades(const struct axis *axis)
{
	if (axis->scale == AXIS_LOG)
		return axis->high / axis->low > 10;
	return axis->scale == AXIS_CHANGE && (1 + axis->high) / (1 + axis->low) > 4;
}

/* Decades are labelled in the unit itself: one prefix does not serve both ends. */
static struct unit_scale scale_of(const struct axis *axis)
{
	if (axis->scale == AXIS_LOG && spans_decades(axis))
		return (struct unit_scale){ .suffix = axis->unit, .factor = 1 };
	return units_scale(axis->unit, fmax(fabs(axis->low), fabs(axis->high)));
}

/* Shown per value: 1000 where seconds are shown as ms, 100 where changes are shown in percent. */
static double shown_factor(const struct axis *axis)
{
	return axis->scale == AXIS_CHANGE ? 100 : scale_of(axis).factor;
}

static double linear_step(double low, double high, size_t most)
{
	double step = nice_step((high - low) / (double)most);

	/* Ticks at both ends make one more than steps. */
	while (floor(high / step) - ceil(low / step) + 1 > (double)most)
		step = nice_step(step * 1.5);
	return step;
}

static size_t linear_ticks(struct axis *axis, double *ticks, size_t most)
{
	double factor = shown_factor(axis);
	double low = axis->low * factor, high = axis->high * factor, first;
	size_t count = 0;

	axis->step = linear_step(low, high, most);
	if (axis->whole)
		axis->step = fmax(axis->step, 1);
	first = ceil(low / axis->step);
	while (count < most && (first + (double)count) * axis->step <= high) {
		ticks[count] = (first + (double)count) * axis->step / factor;
		count++;
	}
	return count;
}

/* Factors at the given digits of each decade; a tick's value is made from its factor. */
static size_t decade_ticks(const struct axis *axis, const int *digits, size_t digit_count,
			   double *ticks, size_t most)
{
	double shift = axis->scale == AXIS_CHANGE ? 1 : 0;
	int decade = (int)floor(log10(axis->low + shift));
	size_t count = 0, i;

	for (; decade <= (int)ceil(log10(axis->high + shift)); decade++)
		for (i = 0; i < digit_count; i++) {
			double tick = digits[i] * pow(10, decade) - shift;

			if (tick < axis->low || tick > axis->high)
				continue;
			if (count == most)
				return most + 1;
			ticks[count++] = tick;
		}
	return count;
}

/* Whole decades, and fewer of them where there are too many. */
static size_t sparse_decades(const struct axis *axis, double *ticks, size_t most)
{
	double shift = axis->scale == AXIS_CHANGE ? 1 : 0;
	double first = ceil(log10(axis->low + shift)), last = floor(log10(axis->high + shift));
	double stride = ceil((last - first + 1) / (double)most), decade;
	size_t count = 0;

	for (decade = first; decade <= last && count < most; decade += stride)
		ticks[count++] = pow(10, decade) - shift;
	return count;
}

size_t axis_ticks(struct axis *axis, double *ticks, size_t most)
{
	static const int digits[] = { 1, 2, 5 };
	size_t count;

	if (!spans_decades(axis))
		return linear_ticks(axis, ticks, most);
	count = decade_ticks(axis, digits, 3, ticks, most);
	return count <= most ? count : sparse_decades(axis, ticks, most);
}

/* The digits of a multiple of the step end where the step's do. */
static char *linear_label(struct arena *arena, const struct axis *axis, double tick)
{
	double shown = tick * shown_factor(axis), decimals = ceil(-log10(axis->step) - 1e-9);
	enum { MOST_DECIMALS = 9 };

	if (fabs(shown) < axis->step / 2)
		return arena_strdup(arena, "0");
	if (fabs(shown) >= 1e7 || decimals > MOST_DECIMALS)
		return arena_printf(arena, "%.4g", shown);
	return units_decimal(arena, shown, decimals > 0 ? (int)decimals : 0);
}

char *axis_label(struct arena *arena, const struct axis *axis, double tick)
{
	if (axis->scale == AXIS_CHANGE && spans_decades(axis))
		return arena_printf(arena, "x%.4g", 1 + tick);
	if (axis->scale == AXIS_CHANGE)
		return arena_printf(arena, "%s%s%%", tick > 0 ? "+" : "",
				    linear_label(arena, axis, tick));
	if (spans_decades(axis))
		return arena_printf(arena, "%.4g", tick * shown_factor(axis));
	return linear_label(arena, axis, tick);
}

const char *axis_unit(struct arena *arena, const struct axis *axis)
{
	struct unit_scale scale = scale_of(axis);

	if (axis->scale == AXIS_CHANGE)
		return "";
	if (scale.prefix)
		return arena_printf(arena, "%s %s", scale.suffix, axis->unit);
	return scale.suffix;
}
