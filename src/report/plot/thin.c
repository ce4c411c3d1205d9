/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fewer marks for the same picture: see thin.h. */
#include "report/plot/thin.h"

/* The four of one stretch, each once and in order. */
static size_t keep_of(const double *y, size_t first, size_t end, size_t *kept)
{
	size_t lowest = first, highest = first, early, late, count = 0, i;

	for (i = first; i < end; i++) {
		if (y[i] < y[lowest])
			lowest = i;
		if (y[i] > y[highest])
			highest = i;
	}
	early = lowest < highest ? lowest : highest;
	late = lowest < highest ? highest : lowest;
	kept[count++] = first;
	if (early > first)
		kept[count++] = early;
	if (late > early)
		kept[count++] = late;
	if (end - 1 > late)
		kept[count++] = end - 1;
	return count;
}

size_t thin_points(const double *x, const double *y, size_t count, size_t columns, size_t *kept)
{
	double width = count > 0 ? (x[count - 1] - x[0]) / (double)columns : 0;
	size_t kept_count = 0, first = 0, column, end, i;

	if (count <= 4 * columns || !(width > 0)) {
		for (i = 0; i < count; i++)
			kept[i] = i;
		return count;
	}
	for (column = 1; first < count; column++) {
		for (end = first; end < count; end++)
			if (column < columns && x[end] >= x[0] + (double)column * width)
				break;
		if (end > first)
			kept_count += keep_of(y, first, end, kept + kept_count);
		first = end;
	}
	return kept_count;
}
