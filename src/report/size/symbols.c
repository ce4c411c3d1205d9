/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols, and their sums by source file and by member, as tables of the size sheet. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "report/size/parts.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* The rows that are wanted, for a table that is filled when it is written: a kernel alone has two
 * hundred thousand. */
struct symbol_rows {
	const struct size_sheet *sheet;
	const struct code_symbol_change **items;
	size_t count, capacity;
};

enum symbol_column {
	SYMBOL_NAME,
	SYMBOL_RAW,
	SYMBOL_UNIT,
	SYMBOL_KIND,
	SYMBOL_SECTION,
	SYMBOL_CHANGE,
	SYMBOL_NOTE,
	SYMBOL_BYTES
};

static const struct column symbol_columns[] = {
	{ "symbol", "symbol", ALIGN_LEFT, AUDIENCE_ALL, true },
	{ "raw", "", ALIGN_LEFT, AUDIENCE_DATA, false },
	{ "unit", "unit", ALIGN_LEFT, AUDIENCE_ALL, true },
	{ "kind", "", ALIGN_LEFT, AUDIENCE_DATA, false },
	{ "section", "", ALIGN_LEFT, AUDIENCE_DATA, false },
	{ "kind_of_change", "", ALIGN_LEFT, AUDIENCE_ALL, false },
	{ "note", "", ALIGN_LEFT, AUDIENCE_DATA, false },
};

static struct cell word_or_nothing(const char *word)
{
	return word == NULL ? (struct cell){ .kind = CELL_EMPTY } : cell_text(word);
}

static void fill_symbol(const struct table *table, size_t index, struct cell *cells)
{
	const struct symbol_rows *rows = table->context;
	const struct code_symbol_change *symbol = rows->items[index];
	struct arena *arena = rows->sheet->arena;
	const char *kind = rows->sheet->pair ? code_change_kind_name(symbol->kind)
					     : code_symbol_kind_name(symbol->symbol_kind);

	cells[SYMBOL_NAME] = cell_text(symbol->name);
	cells[SYMBOL_RAW] = cell_text(text_clean(arena, symbol->raw, strlen(symbol->raw)));
	cells[SYMBOL_UNIT] = word_or_nothing(symbol->unit);
	cells[SYMBOL_KIND] = cell_text(code_symbol_kind_name(symbol->symbol_kind));
	cells[SYMBOL_SECTION] = word_or_nothing(symbol->section);
	cells[SYMBOL_CHANGE] = cell_text(kind);
	cells[SYMBOL_NOTE] = word_or_nothing(symbol->note);
	size_cells(rows->sheet, cells, SYMBOL_BYTES,
		   (struct size_bytes){ symbol->baseline_bytes, symbol->candidate_bytes },
		   rows->sheet->diff->baseline->map.memory_total);
}

static struct symbol_rows *wanted_symbols(const struct size_sheet *sheet)
{
	const struct code_diff *diff = sheet->diff;
	struct symbol_rows *rows = arena_alloc(sheet->arena, 1, sizeof *rows);
	size_t i;

	rows->sheet = sheet;
	for (i = 0; i < diff->symbol_count; i++)
		if (size_wants(sheet, diff->symbols[i].name, diff->symbols[i].kind != CODE_SAME))
			*array_push(sheet->arena, rows->items, rows->count, rows->capacity) =
			    &diff->symbols[i];
	return rows;
}

/* What stands behind a row's name and does not fit into the table. */
static void note_rows(const struct size_sheet *sheet, const struct symbol_rows *rows, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (rows->items[i]->kind == CODE_MOVED)
			document_note(sheet->document, "moved", "%s: from %s to %s",
				      rows->items[i]->name, rows->items[i]->baseline_section,
				      rows->items[i]->section)
			    ->audience = AUDIENCE_PEOPLE;
		else if (rows->items[i]->note != NULL)
			document_note(sheet->document, "parts", "%s: %s", rows->items[i]->name,
				      rows->items[i]->note)
			    ->audience = AUDIENCE_PEOPLE;
}

static void add_picture(const struct size_sheet *sheet, const struct symbol_rows *rows)
{
	struct size_bar *bars = arena_alloc(sheet->arena, rows->count, sizeof *bars);
	size_t i;

	for (i = 0; i < rows->count; i++) {
		const struct code_symbol_change *symbol = rows->items[i];

		bars[i].name = symbol->name;
		bars[i].remark = sheet->pair ? code_change_kind_name(symbol->kind) : symbol->unit;
		bars[i].bytes =
		    sheet->pair ? (double)symbol->candidate_bytes - (double)symbol->baseline_bytes
				: (double)symbol->baseline_bytes;
	}
	size_add_bars(sheet, "sizes",
		      sheet->pair ? "Bytes of functions and objects: what the change does"
				  : "Bytes of functions and objects",
		      bars, rows->count);
}

void size_add_symbols(const struct size_sheet *sheet, bool shown)
{
	struct symbol_rows *rows = wanted_symbols(sheet);
	size_t top = sheet->settings->top, i;
	struct table *table =
	    size_table(sheet, "symbols", NULL, symbol_columns, COUNT_OF(symbol_columns), false);

	table->fill = fill_symbol;
	table->context = rows;
	table->row_count = rows->count;
	if (!shown)
		return;
	if (top == 0 || top > rows->count)
		top = rows->count;
	table = size_people_table(sheet, "shown_symbols", symbol_columns, COUNT_OF(symbol_columns));
	for (i = 0; i < top; i++)
		fill_symbol(&(struct table){ .context = rows }, i,
			    table_row(sheet->document, table)->cells);
	size_left_out(sheet, "functions and objects", top, rows->count);
	add_picture(sheet, rows);
	note_rows(sheet, rows, top);
}

/* Sums of symbols under a name. */
struct sums {
	struct arena *arena;
	struct sum {
		const char *name;
		struct size_bytes bytes;
	} * items;
	size_t count, capacity;
};

static int compare_names(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static uint64_t magnitude(const struct sum *sum)
{
	return sum->bytes.candidate > sum->bytes.baseline
		   ? sum->bytes.candidate - sum->bytes.baseline
		   : sum->bytes.baseline - sum->bytes.candidate;
}

static int compare_deltas(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;
	uint64_t first = magnitude(a), second = magnitude(b);

	if (first != second)
		return first < second ? 1 : -1;
	if (a->bytes.baseline != b->bytes.baseline)
		return a->bytes.baseline < b->bytes.baseline ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void add_sum(struct sums *sums, const char *name, uint64_t bytes, bool candidate)
{
	struct sum *sum = array_push(sums->arena, sums->items, sums->count, sums->capacity);

	sum->name = name;
	if (candidate)
		sum->bytes.candidate = bytes;
	else
		sum->bytes.baseline = bytes;
}

/* Sums of one name become one, the largest change first. */
static void merge(struct sums *sums)
{
	size_t kept = 0, i;

	if (sums->count == 0)
		return;
	qsort(sums->items, sums->count, sizeof *sums->items, compare_names);
	for (i = 0; i < sums->count; i++) {
		if (kept == 0 || strcmp(sums->items[kept - 1].name, sums->items[i].name) != 0) {
			sums->items[kept++] = sums->items[i];
			continue;
		}
		sums->items[kept - 1].bytes.baseline += sums->items[i].bytes.baseline;
		sums->items[kept - 1].bytes.candidate += sums->items[i].bytes.candidate;
	}
	sums->count = kept;
	qsort(sums->items, sums->count, sizeof *sums->items, compare_deltas);
}

static void fill_sums(const struct size_sheet *sheet, struct table *table, const struct sums *sums,
		      const char *what, size_t limit)
{
	size_t i, wanted = 0;

	for (i = 0; i < sums->count; i++) {
		const struct sum *sum = &sums->items[i];
		struct row *row;

		if (!size_wants(sheet, sum->name, sum->bytes.baseline != sum->bytes.candidate))
			continue;
		if (wanted++ >= limit && limit > 0)
			continue;
		row = table_row(sheet->document, table);
		row->cells[0] = cell_text(sum->name);
		size_cells(sheet, row->cells, 1, sum->bytes,
			   sheet->diff->baseline->map.memory_total);
	}
	if (limit > 0)
		size_left_out(sheet, what, limit, wanted);
}

static void add_sums(const struct size_sheet *sheet, const char *id, const char *key,
		     const struct sums *sums, bool shown)
{
	const struct column column = { key, key, ALIGN_LEFT, AUDIENCE_ALL, true };

	fill_sums(sheet, size_table(sheet, id, NULL, &column, 1, false), sums, id, 0);
	if (shown)
		fill_sums(sheet,
			  size_people_table(sheet, arena_printf(sheet->arena, "shown_%s", id),
					    &column, 1),
			  sums, id, sheet->settings->top);
}

static void sum_units(const struct size_sheet *sheet, struct sums *sums,
		      const struct code_image *image, bool candidate)
{
	size_t i;

	for (i = 0; i < image->symbol_count; i++) {
		const char *unit = image->symbols[i].unit != NULL ? image->symbols[i].unit
								  : image->symbols[i].source;

		add_sum(sums,
			unit == NULL ? "(global symbols)"
				     : text_clean(sheet->arena, unit, strlen(unit)),
			image->symbols[i].bytes, candidate);
	}
}

void size_add_units(const struct size_sheet *sheet, bool shown)
{
	struct sums sums = { .arena = sheet->arena };

	sum_units(sheet, &sums, sheet->diff->baseline, false);
	if (sheet->pair)
		sum_units(sheet, &sums, sheet->diff->candidate, true);
	merge(&sums);
	add_sums(sheet, "units", "unit", &sums, shown);
}

static void sum_files(const struct size_sheet *sheet, struct sums *sums,
		      const struct code_image *image, bool candidate)
{
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		const char *name = image->members[image->sections[i].member].name;

		add_sum(sums,
			name == NULL ? "(the file)" : text_clean(sheet->arena, name, strlen(name)),
			image->sections[i].address_bytes, candidate);
	}
}

void size_add_files(const struct size_sheet *sheet, bool shown)
{
	struct sums sums = { .arena = sheet->arena };

	sum_files(sheet, &sums, sheet->diff->baseline, false);
	if (sheet->pair)
		sum_files(sheet, &sums, sheet->diff->candidate, true);
	merge(&sums);
	add_sums(sheet, "files", "file", &sums, shown);
}
