/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures of the size sheet: sorted bars of what functions take, or of what a change does to them.
 * They show rows of a table that stands beside them, the largest first. */
#include "report/size/parts.h"

#include <math.h>
#include <stdlib.h>

/* More bars than this are no picture; the table has them. */
enum { MOST_BARS = 30, FEWEST_BARS = 2 };

struct bar {
	size_t row; /* of the table */
	double bytes;
};

static int compare_bars(const void *left, const void *right)
{
	const struct bar *a = left, *b = right;
	double first = a->bytes < 0 ? -a->bytes : a->bytes;
	double second = b->bytes < 0 ? -b->bytes : b->bytes;

	if (first != second)
		return first < second ? 1 : -1;
	return (a->row > b->row) - (a->row < b->row);
}

/* The rows that have bytes, the largest first, as many as are drawn. */
static size_t sorted_bars(const struct size_sheet *sheet, const struct size_bar *rows, size_t count,
			  struct bar *bars)
{
	size_t limit = sheet->settings->top, kept = 0, i;

	for (i = 0; i < count; i++)
		if (rows[i].bytes != 0)
			bars[kept++] = (struct bar){ i, rows[i].bytes };
	if (kept > 0)
		qsort(bars, kept, sizeof *bars, compare_bars);
	if (limit == 0 || limit > MOST_BARS)
		limit = MOST_BARS;
	return kept < limit ? kept : limit;
}

void size_add_bars(const struct size_sheet *sheet, const char *id, const char *title,
		   const struct size_bar *rows, size_t count)
{
	struct arena *arena = sheet->arena;
	struct bar *bars = arena_alloc(arena, count, sizeof *bars);
	size_t drawn = sorted_bars(sheet, rows, count, bars), i;
	double *bytes = arena_alloc(arena, drawn, sizeof *bytes);
	const char **names = arena_alloc(arena, drawn, sizeof *names);
	const char **remarks = arena_alloc(arena, drawn, sizeof *remarks);
	struct plot_series *series = arena_alloc(arena, 1, sizeof *series);
	struct plot *plot = arena_alloc(arena, 1, sizeof *plot);

	if (drawn < FEWEST_BARS)
		return;
	for (i = 0; i < drawn; i++) {
		bytes[i] = bars[i].bytes;
		names[i] = rows[bars[i].row].name;
		remarks[i] = rows[bars[i].row].remark;
	}
	*series = (struct plot_series){
		.label = "bytes", .y = bytes, .names = names, .remarks = remarks, .count = drawn
	};
	*plot = (struct plot){ .id = id,
			       .title = title,
			       .kind = PLOT_BARS,
			       .x_label = "",
			       .y_label = sheet->pair ? "change in bytes" : "bytes",
			       .x_unit = "",
			       .y_unit = "",
			       .band_low = NAN,
			       .band_high = NAN,
			       .series = series,
			       .series_count = 1 };
	document_plot(sheet->document, plot);
}
