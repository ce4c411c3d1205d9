/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which functions of a kernel account for a difference in executed instructions. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/sheet/parts.h"

/* Functions told of each work; the data have all. */
enum { MOST_FUNCTIONS = 10 };

static const struct column columns[] = {
	{ .key = "function", .title = "function", .shrinks = true },
	{ .key = "baseline", .title = "baseline", .align = ALIGN_RIGHT },
	{ .key = "candidate", .title = "candidate", .align = ALIGN_RIGHT },
	{ .key = "change", .title = "change", .align = ALIGN_RIGHT },
	{ .key = "bytes", .title = "bytes", .align = ALIGN_RIGHT },
};

/* A recording may come from anywhere. */
static const char *clean(const struct sheet *sheet, const char *name)
{
	return text_clean(sheet->arena, name, strlen(name));
}

static const char *count_text(const struct sheet *sheet, double value, bool signed_too)
{
	return arena_printf(sheet->arena, signed_too ? "%+.1f" : "%.1f", value);
}

/* "1,024 +16", "new, 96", "gone" */
static const char *bytes_text(const struct sheet *sheet, const struct where_row *row)
{
	struct arena *arena = sheet->arena;

	if (row->function == NULL)
		return "";
	if (isnan(row->baseline_bytes) && isnan(row->other_bytes))
		return "";
	if (isnan(row->baseline_bytes))
		return arena_printf(arena, "%.0f, new", row->other_bytes);
	if (isnan(row->other_bytes))
		return arena_printf(arena, "%.0f, gone", row->baseline_bytes);
	if (row->other_bytes - row->baseline_bytes == 0)
		return arena_printf(arena, "%.0f", row->other_bytes);
	return arena_printf(arena, "%.0f (%+.0f)", row->other_bytes,
			    row->other_bytes - row->baseline_bytes);
}

static void add_row(struct sheet *sheet, struct table *table, const char *name, double baseline,
		    double other, const char *bytes)
{
	struct cell *cells = table_row(sheet->document, table)->cells;

	cells[0] = cell_text(name);
	cells[1] = cell_text(count_text(sheet, baseline, false));
	cells[2] = cell_text(count_text(sheet, other, false));
	cells[3] = cell_text(count_text(sheet, other - baseline, true));
	cells[4] = cell_text(bytes);
}

/* What belongs together: one work of one candidate, the whole first. */
static size_t group_size(const struct recording *recording, size_t first)
{
	const struct where_row *rows = recording->where;
	size_t count = 1;

	while (first + count < recording->where_count &&
	       rows[first + count].candidate == rows[first].candidate &&
	       strcmp(rows[first + count].work, rows[first].work) == 0)
		count++;
	return count;
}

static void add_group(struct sheet *sheet, const struct where_row *rows, size_t count)
{
	struct table *table = document_table(sheet->document, "where_told", columns,
					     sizeof columns / sizeof *columns);
	double baseline = 0, other = 0;
	size_t i;

	table->audience = AUDIENCE_PEOPLE;
	table->title =
	    arena_printf(sheet->arena,
			 "%s: executed instructions an operation by function, %s beside "
			 "%s",
			 clean(sheet, rows->work), sheet->names[rows->candidate], sheet->names[0]);
	for (i = 2; i < count; i++)
		if (i < 2 + MOST_FUNCTIONS && rows[i].other != rows[i].baseline) {
			add_row(sheet, table, clean(sheet, rows[i].function), rows[i].baseline,
				rows[i].other, bytes_text(sheet, &rows[i]));
		} else {
			baseline += rows[i].baseline;
			other += rows[i].other;
		}
	add_row(sheet, table, "all other functions", baseline, other, "");
	add_row(sheet, table, "programs", rows[1].baseline, rows[1].other, "");
	add_row(sheet, table, "in all", rows[0].baseline, rows[0].other, "");
}

static void add_data(struct sheet *sheet)
{
	static const struct column data[] = {
		{ .key = "work" },     { .key = "candidate" },	    { .key = "kind" },
		{ .key = "function" }, { .key = "baseline" },	    { .key = "other" },
		{ .key = "change" },   { .key = "baseline_bytes" }, { .key = "other_bytes" },
	};
	const struct recording *recording = sheet->recording;
	struct table *table =
	    document_table(sheet->document, "where", data, sizeof data / sizeof *data);
	size_t i;

	table->audience = AUDIENCE_DATA;
	for (i = 0; i < recording->where_count; i++) {
		const struct where_row *row = &recording->where[i];
		struct cell *cells = table_row(sheet->document, table)->cells;

		cells[0] = cell_word(NULL, clean(sheet, row->work));
		cells[1] = cell_word(NULL, sheet->labels[row->candidate]);
		cells[2] = cell_word(NULL, row->function != NULL ? "function"
					   : row->programs	 ? "programs"
								 : "whole");
		cells[3] =
		    cell_word(NULL, row->function == NULL ? NULL : clean(sheet, row->function));
		cells[4] = cell_number(NULL, row->baseline);
		cells[5] = cell_number(NULL, row->other);
		cells[6] = cell_number(NULL, row->other - row->baseline);
		cells[7] = cell_number(NULL, row->baseline_bytes);
		cells[8] = cell_number(NULL, row->other_bytes);
	}
}

void sheet_add_where(struct sheet *sheet)
{
	const struct recording *recording = sheet->recording;
	size_t i, count;

	if (recording->where_count == 0)
		return;
	for (i = 0; i < recording->where_count; i += count) {
		count = group_size(recording, i);
		add_group(sheet, &recording->where[i], count);
	}
	add_data(sheet);
}
