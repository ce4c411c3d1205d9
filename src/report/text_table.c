/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables for a terminal or a mail. Columns are two spaces apart and as wide as
 * their widest cell. Where that is too wide, columns that may shrink give way:
 * after a cell too long for one the row goes on in the next line. Such a cell
 * stays whole, because two names may differ only in their last letter. Where
 * even that is too wide, every row becomes a small list.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "report/text_table.h"
#include "report/wrap.h"

enum { GAP = 2, NARROWEST_SHRUNK = 4 };

const char text_tone_end[] = "\033[0m";

const char *text_tone_start(enum tone tone, const struct look_settings *look)
{
	static const char *const starts[] = {
		[TONE_GOOD] = "\033[32m",
		[TONE_BAD] = "\033[31m",
		[TONE_CAUTION] = "\033[33m",
		[TONE_FAINT] = "\033[2m",
	};

	return look->colour && tone != TONE_PLAIN ? starts[tone] : NULL;
}

/* Where each shown column goes. */
struct layout {
	const struct table *table;
	struct cell *scratch;
	bool *shown;
	size_t *width;
	size_t last; /* index of the last shown column */
	size_t total;
};

static const char *cell_shown(const struct cell *cell)
{
	return cell->kind == CELL_EMPTY || cell->text == NULL ? "" : cell->text;
}

static void measure_columns(struct layout *layout)
{
	const struct table *table = layout->table;
	const struct cell *cells;
	size_t i, j, width;

	for (i = 0; i < table->row_count; i++) {
		cells = table_cells(table, i, layout->scratch);
		for (j = 0; cells != NULL && j < table->column_count; j++) {
			width = text_width(cell_shown(&cells[j]));
			if (width > layout->width[j])
				layout->width[j] = width;
		}
	}
	for (j = 0; j < table->column_count; j++) {
		layout->shown[j] = table_shows_column(table, j);
		if (!layout->shown[j])
			continue;
		width = text_width(table->columns[j].title);
		if (width > layout->width[j])
			layout->width[j] = width;
		layout->last = j;
	}
}

static size_t total_width(const struct layout *layout)
{
	size_t total = 0, j;

	for (j = 0; j < layout->table->column_count; j++)
		if (layout->shown[j])
			total += layout->width[j] + (total > 0 ? GAP : 0);
	return total;
}

static size_t least_width(const struct layout *layout, size_t j)
{
	size_t title = text_width(layout->table->columns[j].title);

	return title > NARROWEST_SHRUNK ? title : NARROWEST_SHRUNK;
}

/* Cells of a column that would not fit into so many columns of the screen. */
static size_t cells_wider(const struct layout *layout, size_t j, size_t width)
{
	const struct table *table = layout->table;
	const struct cell *cells;
	size_t count = 0, i;

	for (i = 0; i < table->row_count; i++) {
		cells = table_cells(table, i, layout->scratch);
		count += cells != NULL && text_width(cell_shown(&cells[j])) > width;
	}
	return count;
}

/* The next width below that of the column which some cell has, but no narrower than it must be. */
static size_t next_width(const struct layout *layout, size_t j, size_t excess)
{
	size_t now = layout->width[j], next = least_width(layout, j), width, i;
	const struct cell *cells;

	for (i = 0; i < layout->table->row_count; i++) {
		cells = table_cells(layout->table, i, layout->scratch);
		width = cells == NULL ? 0 : text_width(cell_shown(&cells[j]));
		if (width < now && width > next)
			next = width;
	}
	return now > excess && now - excess > next ? now - excess : next;
}

/* Narrow the column that costs the fewest further broken rows for it by a step; false if none of
 * them can give way any more. */
static bool narrow_one(struct layout *layout, size_t excess)
{
	size_t count = layout->table->column_count, found = count, fewest = SIZE_MAX, best = 0,
	       gain = 0;
	size_t next, cost, j;

	for (j = 0; j < count; j++) {
		if (!layout->shown[j] || !layout->table->columns[j].shrinks ||
		    layout->width[j] <= least_width(layout, j))
			continue;
		next = next_width(layout, j, excess);
		cost = cells_wider(layout, j, next) - cells_wider(layout, j, layout->width[j]);
		if (cost < fewest || (cost == fewest && layout->width[j] - next > gain)) {
			fewest = cost;
			found = j;
			best = next;
			gain = layout->width[j] - next;
		}
	}
	if (found == count)
		return false;
	layout->width[found] = best;
	return true;
}

static bool fit_step_by_step(struct layout *layout, size_t limit)
{
	while ((layout->total = total_width(layout)) > limit)
		if (!narrow_one(layout, layout->total - limit))
			return false;
	return true;
}

static size_t broken_cells(const struct layout *layout)
{
	size_t count = 0, j;

	for (j = 0; j < layout->table->column_count; j++)
		if (layout->shown[j])
			count += cells_wider(layout, j, layout->width[j]);
	return count;
}

/* Narrow the first column alone, which has the names; false if that is not enough. */
static bool fit_names(struct layout *layout, size_t limit)
{
	size_t excess = layout->total - limit;

	if (!layout->shown[0] || !layout->table->columns[0].shrinks ||
	    layout->width[0] < least_width(layout, 0) + excess)
		return false;
	layout->width[0] -= excess;
	layout->total = limit;
	return true;
}

/* Returns whether the columns fit, having narrowed those that may shrink if need be. Step by step
 * each column may look cheaper than the names and all together cost more: the better of both. */
static bool fit_columns(struct arena *arena, struct layout *layout, size_t limit)
{
	struct layout names = *layout;

	layout->total = names.total = total_width(layout);
	if (layout->total <= limit)
		return true;
	names.width =
	    arena_copy(arena, layout->width, layout->table->column_count * sizeof *layout->width);
	if (!fit_step_by_step(layout, limit))
		return false;
	if (fit_names(&names, limit) && broken_cells(&names) < broken_cells(layout))
		*layout = names;
	return true;
}

static void add_toned(struct text *text, const char *string, enum tone tone,
		      const struct look_settings *look)
{
	const char *start = string[0] != '\0' ? text_tone_start(tone, look) : NULL;

	if (start != NULL)
		text_add(text, start);
	text_add(text, string);
	if (start != NULL)
		text_add(text, text_tone_end);
}

static void add_cell(struct text *text, const struct layout *layout, size_t j, const char *string,
		     enum tone tone, const struct look_settings *look)
{
	size_t width = text_width(string), column = layout->width[j];
	size_t padding = width < column ? column - width : 0;

	if (layout->table->columns[j].align == ALIGN_RIGHT)
		text_add_repeat(text, ' ', padding);
	add_toned(text, string, tone, look);
	if (j == layout->last)
		return;
	if (layout->table->columns[j].align == ALIGN_LEFT)
		text_add_repeat(text, ' ', padding);
	text_add_repeat(text, ' ', GAP);
}

static void add_titles(struct text *text, const struct layout *layout,
		       const struct look_settings *look)
{
	size_t j;

	for (j = 0; j < layout->table->column_count; j++)
		if (layout->shown[j])
			add_cell(text, layout, j, layout->table->columns[j].title, TONE_PLAIN,
				 look);
	wrap_end_line(text);
}

static bool is_rest_empty(const struct layout *layout, const struct cell *cells, size_t after)
{
	size_t j;

	for (j = after + 1; j < layout->table->column_count; j++)
		if (layout->shown[j] && cell_shown(&cells[j])[0] != '\0')
			return false;
	return true;
}

static void add_row(struct text *text, const struct layout *layout, const struct cell *cells,
		    const struct look_settings *look)
{
	const char *shown;
	size_t at = 0, j;

	for (j = 0; j < layout->table->column_count; j++) {
		if (!layout->shown[j])
			continue;
		shown = cell_shown(&cells[j]);
		if (text_width(shown) > layout->width[j]) {
			wrap_add(text, shown, at, at, look->width);
			if (is_rest_empty(layout, cells, j))
				break;
			wrap_end_line(text);
			text_add_repeat(text, ' ', at);
			shown = "";
		}
		add_cell(text, layout, j, shown, cells[j].tone, look);
		at += layout->width[j] + GAP;
	}
	wrap_end_line(text);
}

/* "-- besides ---------", as wide as the table. */
static void add_rule(struct text *text, const char *rule, size_t total)
{
	size_t used = 3 + text_width(rule) + 1;

	if (used > total)
		text_printf(text, "-- %s", rule);
	else {
		text_printf(text, "-- %s ", rule);
		text_add_repeat(text, '-', total - used);
	}
	wrap_end_line(text);
}

static void add_columns(struct text *text, const struct layout *layout,
			const struct look_settings *look)
{
	const struct table *table = layout->table;
	const struct cell *cells;
	size_t i;

	add_titles(text, layout, look);
	for (i = 0; i < table->row_count; i++) {
		cells = table_cells(table, i, layout->scratch);
		if (cells != NULL)
			add_row(text, layout, cells, look);
		else
			add_rule(text, table->rows[i].rule, layout->total);
	}
}

static size_t widest_title(const struct layout *layout)
{
	size_t widest = 0, width, j;

	for (j = 1; j < layout->table->column_count; j++) {
		width = layout->shown[j] ? text_width(layout->table->columns[j].title) : 0;
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* For narrow terminals: the first cell, and below it the others with their titles. */
static void add_list_row(struct text *text, const struct layout *layout, const struct cell *cells,
			 unsigned width)
{
	size_t titles = widest_title(layout), indent = 0, at, j;

	for (j = 0; j < layout->table->column_count; j++) {
		if (!layout->shown[j] || cell_shown(&cells[j])[0] == '\0')
			continue;
		at = indent;
		text_add_repeat(text, ' ', indent);
		if (indent > 0 && indent + titles + GAP <= width / 2) {
			wrap_pad(text, layout->table->columns[j].title, titles + GAP);
			at += titles + GAP;
		} else if (indent > 0) {
			/* No room beside the title: the value stands below it. */
			at = 2 * indent;
			wrap_add(text, layout->table->columns[j].title, indent, indent, width);
			wrap_end_line(text);
			text_add_repeat(text, ' ', at);
		}
		wrap_add(text, cell_shown(&cells[j]), at, at, width);
		wrap_end_line(text);
		indent = 2;
	}
}

static void add_list(struct text *text, const struct layout *layout, unsigned width)
{
	const struct table *table = layout->table;
	const struct cell *cells;
	size_t i;

	for (i = 0; i < table->row_count; i++) {
		cells = table_cells(table, i, layout->scratch);
		if (cells != NULL)
			add_list_row(text, layout, cells, width);
		else {
			text_add(text, "-- ");
			wrap_add(text, table->rows[i].rule, 3, 3, width);
			wrap_end_line(text);
		}
	}
}

static struct layout layout_make(struct arena *arena, const struct table *table)
{
	struct layout layout = {
		.table = table,
		.scratch = arena_alloc(arena, table->column_count, sizeof(struct cell)),
		.shown = arena_alloc(arena, table->column_count, sizeof(bool)),
		.width = arena_alloc(arena, table->column_count, sizeof(size_t)),
	};

	measure_columns(&layout);
	return layout;
}

size_t text_table_width(const struct table *table, size_t names)
{
	struct arena *arena = arena_open();
	struct layout layout = layout_make(arena, table);
	size_t width;

	if (layout.width[0] > names)
		layout.width[0] = names;
	width = total_width(&layout);
	arena_close(arena);
	return width;
}

void text_table_add(struct text *text, const struct table *table, const struct look_settings *look)
{
	struct arena *arena = arena_open();
	struct layout layout = layout_make(arena, table);

	if (table->title != NULL) {
		wrap_add(text, table->title, 0, 0, look->width);
		wrap_end_line(text);
	}
	if (fit_columns(arena, &layout, look->width))
		add_columns(text, &layout, look);
	else
		add_list(text, &layout, look->width);
	arena_close(arena);
}
