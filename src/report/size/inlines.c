/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inlining ledger as tables of the size sheet: inlined functions, their callers, bodies that
 * exist more than once, and functions worth un-inlining. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"
#include "report/size/parts.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* A row of one function: a change of a pair, or one image alone (candidate NULL). */
struct inline_row {
	const struct code_inlined *baseline, *candidate;
	const struct code_inline_change *change; /* NULL: one image alone */
};

struct inline_rows {
	const struct size_sheet *sheet;
	struct inline_row *items;
	size_t count, capacity;
};

enum inline_column {
	INLINE_NAME,
	INLINE_RAW,
	INLINE_FILE,
	INLINE_COPIES,
	INLINE_BY_COPIES,
	INLINE_BY_SIZE,
	INLINE_MEAN,
	INLINE_MOST,
	INLINE_CHANGE,
	INLINE_BEFORE, /* the figures of a side, INLINE_SIDE of them; after those of the other */
};

enum side_column {
	SIDE_COPIES,
	SIDE_WITH_CODE,
	SIDE_INCLUSIVE,
	SIDE_COLD,
	SIDE_LEAST,
	SIDE_MOST,
	SIDE_BODIES,
	SIDE_BODY_BYTES,
	SIDE_CALLS,
	SIDE_COLUMNS,
};

#define DATA(key)                                                                                  \
	{                                                                                          \
		key, NULL, ALIGN_RIGHT, AUDIENCE_DATA, false                                       \
	}
#define SIDE(side)                                                                                 \
	DATA(side "copies"), DATA(side "copies_with_code"), DATA(side "inclusive_bytes"),          \
	    DATA(side "cold_bytes"), DATA(side "least_bytes"), DATA(side "most_bytes"),            \
	    DATA(side "bodies"), DATA(side "body_bytes"), DATA(side "call_sites")

static const struct column pair_columns[] = {
	{ "function", "inlined function", ALIGN_LEFT, AUDIENCE_ALL, true },
	{ "raw", NULL, ALIGN_LEFT, AUDIENCE_DATA, false },
	{ "file", NULL, ALIGN_LEFT, AUDIENCE_DATA, false },
	{ "copies", "copies", ALIGN_RIGHT, AUDIENCE_PEOPLE, false },
	{ "by_copies_bytes", "by copies", ALIGN_RIGHT, AUDIENCE_ALL, false },
	DATA("by_size_bytes"),
	DATA("mean_bytes"),
	DATA("largest_bytes"),
	{ "kind_of_change", NULL, ALIGN_LEFT, AUDIENCE_DATA, false },
	SIDE("baseline_"),
	SIDE("candidate_"),
};

static const struct column alone_columns[] = {
	{ "function", "inlined function", ALIGN_LEFT, AUDIENCE_ALL, true },
	{ "raw", NULL, ALIGN_LEFT, AUDIENCE_DATA, false },
	{ "file", "file", ALIGN_LEFT, AUDIENCE_ALL, true },
	{ "shown_copies", "copies", ALIGN_RIGHT, AUDIENCE_PEOPLE, false },
	DATA("by_copies_bytes"),
	DATA("by_size_bytes"),
	{ "mean_bytes", "mean", ALIGN_RIGHT, AUDIENCE_ALL, false },
	{ "largest_bytes", "most", ALIGN_RIGHT, AUDIENCE_ALL, false },
	{ "kind_of_change", NULL, ALIGN_LEFT, AUDIENCE_DATA, false },
	SIDE(""),
};

static struct cell data_number(double number)
{
	return cell_number(NULL, number);
}

static struct cell count_cell(struct arena *arena, uint64_t count)
{
	return cell_number(units_count(arena, (int64_t)count), (double)count);
}

static void fill_side(struct cell *cells, const struct code_inlined *side)
{
	static const struct code_inlined none = { 0 };

	if (side == NULL)
		side = &none;
	cells[SIDE_COPIES] = data_number((double)side->copies);
	cells[SIDE_WITH_CODE] = data_number((double)side->copies_with_code);
	cells[SIDE_INCLUSIVE] = data_number((double)side->inclusive_bytes);
	cells[SIDE_COLD] = data_number((double)side->cold_bytes);
	cells[SIDE_LEAST] =
	    data_number(side->copies_with_code == 0 ? NAN : (double)side->least_bytes);
	cells[SIDE_MOST] =
	    data_number(side->copies_with_code == 0 ? NAN : (double)side->most_bytes);
	cells[SIDE_BODIES] = data_number((double)side->bodies);
	cells[SIDE_BODY_BYTES] = data_number((double)side->body_bytes);
	cells[SIDE_CALLS] = data_number((double)side->calls);
}

static uint64_t copies_of(const struct code_inlined *side)
{
	return side == NULL ? 0 : side->copies;
}

static uint64_t bytes_of(const struct code_inlined *side)
{
	return side == NULL ? 0 : side->exclusive_bytes;
}

static const char *pair_copies(struct arena *arena, const struct inline_row *row)
{
	uint64_t before = copies_of(row->baseline), after = copies_of(row->candidate);

	if (before == after)
		return units_count(arena, (int64_t)before);
	return arena_printf(arena, "%s -> %s", units_count(arena, (int64_t)before),
			    units_count(arena, (int64_t)after));
}

static void fill_pair(struct arena *arena, struct cell *cells, const struct inline_row *row)
{
	const struct code_inline_change *change = row->change;

	cells[INLINE_COPIES] = cell_text(pair_copies(arena, row));
	cells[INLINE_BY_COPIES] =
	    cell_number(change->delta_bytes == 0
			    ? ""
			    : arena_printf(arena, "%s%s", change->by_copies_bytes >= 0.5 ? "+" : "",
					   units_count(arena, llround(change->by_copies_bytes))),
			change->by_copies_bytes);
	cells[INLINE_BY_SIZE] = data_number(change->by_size_bytes);
	cells[INLINE_MEAN] = data_number(NAN);
	cells[INLINE_MOST] = data_number(NAN);
	cells[INLINE_CHANGE] = cell_text(code_change_kind_name(change->kind));
	fill_side(cells + INLINE_BEFORE, row->baseline);
	fill_side(cells + INLINE_BEFORE + SIDE_COLUMNS, row->candidate);
}

static void fill_alone(struct arena *arena, struct cell *cells, const struct inline_row *row)
{
	const struct code_inlined *one = row->baseline;
	double mean = one->copies_with_code == 0
			  ? NAN
			  : (double)one->exclusive_bytes / (double)one->copies_with_code;

	cells[INLINE_COPIES] =
	    cell_text(one->copies == one->copies_with_code
			  ? units_count(arena, (int64_t)one->copies)
			  : arena_printf(arena, "%s (%s)", units_count(arena, (int64_t)one->copies),
					 units_count(arena, (int64_t)one->copies_with_code)));
	cells[INLINE_BY_COPIES] = data_number(NAN);
	cells[INLINE_BY_SIZE] = data_number(NAN);
	cells[INLINE_MEAN] = cell_number(units_decimal(arena, mean, 1), mean);
	cells[INLINE_MOST] = count_cell(arena, one->most_bytes);
	cells[INLINE_CHANGE] = (struct cell){ .kind = CELL_EMPTY };
	fill_side(cells + INLINE_BEFORE, one);
}

static void fill_inline(const struct table *table, size_t index, struct cell *cells)
{
	const struct inline_rows *rows = table->context;
	const struct inline_row *row = &rows->items[index];
	const struct code_inlined *shown = row->candidate != NULL ? row->candidate : row->baseline;
	struct arena *arena = rows->sheet->arena;
	size_t sides = row->change == NULL ? 1 : 2;

	cells[INLINE_NAME] = cell_text(shown->shown);
	cells[INLINE_RAW] = cell_text(text_clean(arena, shown->name, strlen(shown->name)));
	cells[INLINE_FILE] =
	    shown->file == NULL ? (struct cell){ .kind = CELL_EMPTY } : cell_text(shown->file);
	if (row->change == NULL)
		fill_alone(arena, cells, row);
	else
		fill_pair(arena, cells, row);
	size_cells(rows->sheet, cells, INLINE_BEFORE + sides * SIDE_COLUMNS,
		   (struct size_bytes){ bytes_of(row->baseline), bytes_of(row->candidate) },
		   rows->sheet->diff->baseline->coverage.function_bytes);
}

static struct inline_rows *wanted_rows(const struct size_sheet *sheet)
{
	const struct code_diff *diff = sheet->diff;
	struct inline_rows *rows = arena_alloc(sheet->arena, 1, sizeof *rows);
	size_t i;

	rows->sheet = sheet;
	for (i = 0; sheet->pair && i < diff->inline_count; i++) {
		const struct code_inline_change *change = &diff->inlines[i];

		if (size_wants(sheet, change->shown, change->kind != CODE_SAME))
			*array_push(sheet->arena, rows->items, rows->count, rows->capacity) =
			    (struct inline_row){ change->baseline, change->candidate, change };
	}
	for (i = 0; !sheet->pair && i < diff->baseline->inline_count; i++) {
		const struct code_inlined *one = &diff->baseline->inlines[i];

		if (one->copies > 0 && size_wants(sheet, one->shown, true))
			*array_push(sheet->arena, rows->items, rows->count, rows->capacity) =
			    (struct inline_row){ one, NULL, NULL };
	}
	return rows;
}

/* What the figures of a row do not say: copies that became a body, or the reverse. */
static void note_rows(const struct size_sheet *sheet, const struct inline_rows *rows, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct code_inline_change *change = rows->items[i].change;

		if (change != NULL && change->sentence != NULL &&
		    (change->became_body || change->became_copies || change->body_delta_bytes != 0))
			document_note(sheet->document, "inlined", "%s: %s", change->shown,
				      change->sentence)
			    ->audience = AUDIENCE_PEOPLE;
	}
}

/* "183 copies", "183 -> 2 copies". */
static const char *bar_remark(struct arena *arena, const struct inline_row *row)
{
	const char *copies = row->change == NULL
				 ? units_count(arena, (int64_t)copies_of(row->baseline))
				 : pair_copies(arena, row);

	return arena_printf(arena, "%s %s", copies, strcmp(copies, "1") == 0 ? "copy" : "copies");
}

static void add_picture(const struct size_sheet *sheet, const struct inline_rows *rows)
{
	struct size_bar *bars = arena_alloc(sheet->arena, rows->count, sizeof *bars);
	size_t i;

	for (i = 0; i < rows->count; i++) {
		const struct inline_row *row = &rows->items[i];

		bars[i].name = row->change != NULL ? row->change->shown : row->baseline->shown;
		bars[i].remark = bar_remark(sheet->arena, row);
		bars[i].bytes = row->change != NULL ? (double)row->change->delta_bytes
						    : (double)bytes_of(row->baseline);
	}
	size_add_bars(sheet, "inlined",
		      sheet->pair ? "Bytes of inlined copies, by function: what the change does"
				  : "Bytes of inlined copies, by function",
		      bars, rows->count);
}

/* Who pays for the functions that a filter leaves. */
static void add_callers(const struct size_sheet *sheet, const struct inline_rows *rows)
{
	static const struct column columns[] = {
		{ "function", "inlined function", ALIGN_LEFT, AUDIENCE_ALL, true },
		{ "caller", "into", ALIGN_LEFT, AUDIENCE_ALL, true },
		{ "side", NULL, ALIGN_LEFT, AUDIENCE_DATA, false },
		{ "copies", "copies", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "bytes", "bytes", ALIGN_RIGHT, AUDIENCE_ALL, false },
	};
	static const size_t few_functions = 5, few_callers = 10;
	struct table *table;
	size_t i, j;

	if (sheet->settings->filter == NULL || rows->count == 0 || rows->count > few_functions)
		return;
	table = document_table(sheet->document, "callers", columns, COUNT_OF(columns));
	for (i = 0; i < rows->count; i++) {
		const struct inline_row *row = &rows->items[i];
		bool candidate = row->candidate != NULL && row->candidate->copies > 0;
		const struct code_inlined *one = candidate ? row->candidate : row->baseline;

		for (j = 0; one != NULL && j < one->caller_count && j < few_callers; j++) {
			struct cell *cells = table_row(sheet->document, table)->cells;

			cells[0] = cell_text(one->shown);
			cells[1] = cell_text(one->callers[j].name);
			cells[2] = cell_text(candidate ? "candidate" : "baseline");
			cells[3] = count_cell(sheet->arena, one->callers[j].copies);
			cells[4] = count_cell(sheet->arena, one->callers[j].bytes);
		}
	}
}

static void add_duplicates(const struct size_sheet *sheet, bool shown)
{
	static const struct column columns[] = {
		{ "function", "function with several bodies", ALIGN_LEFT, AUDIENCE_ALL, true },
		{ "file", "file", ALIGN_LEFT, AUDIENCE_ALL, true },
		{ "kind", "", ALIGN_LEFT, AUDIENCE_ALL, false },
		{ "bodies", "bodies", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "bytes", "bytes", ALIGN_RIGHT, AUDIENCE_ALL, false },
	};
	const struct code_image *image =
	    sheet->pair ? sheet->diff->candidate : sheet->diff->baseline;
	struct table *table;
	size_t i, wanted = 0;

	if (image->duplicate_count == 0)
		return;
	table = document_table(sheet->document, "duplicates", columns, COUNT_OF(columns));
	table->audience = shown ? AUDIENCE_ALL : AUDIENCE_DATA;
	for (i = 0; i < image->duplicate_count; i++) {
		const struct code_duplicate *one = &image->duplicates[i];
		struct cell *cells;

		if (sheet->settings->filter != NULL &&
		    regexec(sheet->settings->filter, one->shown, 0, NULL, 0) != 0)
			continue;
		if (shown && wanted++ >= sheet->settings->top && sheet->settings->top > 0)
			continue;
		cells = table_row(sheet->document, table)->cells;
		cells[0] = cell_text(one->shown);
		cells[1] =
		    one->file == NULL ? (struct cell){ .kind = CELL_EMPTY } : cell_text(one->file);
		cells[2] = cell_text(one->folded ? "folded" : one->dead ? "dead" : "duplicate");
		cells[3] = count_cell(sheet->arena, one->bodies);
		cells[4] = count_cell(sheet->arena, one->body_bytes);
	}
	if (shown && sheet->settings->top > 0)
		size_left_out(sheet, "functions with several bodies", sheet->settings->top, wanted);
}

/* What the ledger knows of the whole; the remainder is never hidden. */
static void add_coverage(const struct size_sheet *sheet, const char *label,
			 const struct code_image *image)
{
	const struct code_coverage *coverage = &image->coverage;
	struct arena *arena = sheet->arena;
	struct block *block;

	if (coverage->read) {
		document_note(
		    sheet->document, "inlining",
		    "%s%s copies take %s of %s bytes of functions (%.1f%%); debug "
		    "information describes %s of them.%s",
		    label, units_count(arena, (int64_t)coverage->instances),
		    units_count(arena, (int64_t)coverage->exclusive_bytes),
		    units_count(arena, (int64_t)coverage->function_bytes),
		    coverage->function_bytes == 0 ? 0.0
						  : 100.0 * (double)coverage->exclusive_bytes /
							(double)coverage->function_bytes,
		    units_count(arena, (int64_t)coverage->described_bytes),
		    coverage->clipped_bytes == 0
			? ""
			: arena_printf(arena,
				       " %s bytes lie outside of what they belong to, "
				       "and count nowhere.",
				       units_count(arena, (int64_t)coverage->clipped_bytes)));
	}
	if (coverage->partial == NULL)
		return;
	block = document_note(sheet->document, "partial", "%s%s.", label, coverage->partial);
	block->tone = TONE_BAD;
}

void size_add_inlines(const struct size_sheet *sheet, bool shown)
{
	const struct column *columns = sheet->pair ? pair_columns : alone_columns;
	size_t count = sheet->pair ? COUNT_OF(pair_columns) : COUNT_OF(alone_columns);
	struct inline_rows *rows = wanted_rows(sheet);
	size_t top = sheet->settings->top, i;
	struct table *table = size_table(sheet, "inlines", NULL, columns, count, false);

	table->fill = fill_inline;
	table->context = rows;
	table->row_count = rows->count;
	if (top == 0 || top > rows->count)
		top = rows->count;
	if (shown && top > 0) {
		table = size_people_table(sheet, "shown_inlines", columns, count);
		for (i = 0; i < top; i++)
			fill_inline(&(struct table){ .context = rows }, i,
				    table_row(sheet->document, table)->cells);
		size_left_out(sheet, "inlined functions", top, rows->count);
		add_picture(sheet, rows);
		note_rows(sheet, rows, top);
	}
	add_callers(sheet, rows);
	add_duplicates(sheet, shown && !sheet->pair);
	add_coverage(sheet, sheet->pair ? "baseline: " : "", sheet->diff->baseline);
	if (sheet->pair)
		add_coverage(sheet, "candidate: ", sheet->diff->candidate);
}
