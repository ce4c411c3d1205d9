/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the format-neutral report. Nothing here formats, wraps or computes. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "report/document.h"

struct document *document_make(struct arena *arena, const char *kind, const char *title)
{
	struct document *document = arena_alloc(arena, 1, sizeof *document);

	document->arena = arena;
	document->kind = kind;
	document->title = title;
	return document;
}

static struct block *add_block(struct document *document, enum block_kind kind)
{
	struct block *block = array_push(document->arena, document->blocks, document->block_count,
					 document->block_capacity);

	block->kind = kind;
	return block;
}

/* vsnprintf into the arena. */
static const char *format_text(struct arena *arena, const char *format, va_list arguments)
{
	va_list again;
	int length;
	char *bytes;

	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	assert(length >= 0);
	bytes = arena_alloc(arena, (size_t)length + 1, 1);
	vsnprintf(bytes, (size_t)length + 1, format, arguments);
	return bytes;
}

void document_heading(struct document *document, const char *text)
{
	add_block(document, BLOCK_HEADING)->text = text;
}

struct block *document_sentence(struct document *document, const char *label, const char *format,
				...)
{
	struct block *block = add_block(document, BLOCK_SENTENCE);
	va_list arguments;

	va_start(arguments, format);
	block->text = format_text(document->arena, format, arguments);
	va_end(arguments);
	block->label = label;
	return block;
}

struct block *document_note(struct document *document, const char *label, const char *format, ...)
{
	struct block *block = add_block(document, BLOCK_NOTE);
	va_list arguments;

	va_start(arguments, format);
	block->text = format_text(document->arena, format, arguments);
	va_end(arguments);
	block->label = label;
	return block;
}

struct table *document_table(struct document *document, const char *id,
			     const struct column *columns, size_t column_count)
{
	struct table *table = arena_alloc(document->arena, 1, sizeof *table);

	table->id = id;
	table->columns = arena_copy(document->arena, columns, column_count * sizeof *columns);
	table->column_count = column_count;
	add_block(document, BLOCK_TABLE)->table = table;
	return table;
}

void document_plot(struct document *document, struct plot *plot)
{
	add_block(document, BLOCK_PLOT)->plot = plot;
}

struct row *table_row(struct document *document, struct table *table)
{
	struct row *row =
	    array_push(document->arena, table->rows, table->row_count, table->row_capacity);

	row->cells = arena_alloc(document->arena, table->column_count, sizeof *row->cells);
	return row;
}

void table_rule(struct document *document, struct table *table, const char *text)
{
	struct row *row =
	    array_push(document->arena, table->rows, table->row_count, table->row_capacity);

	row->rule = text;
}

const struct cell *table_cells(const struct table *table, size_t row, struct cell *scratch)
{
	assert(row < table->row_count);
	if (table->fill == NULL)
		return table->rows[row].rule != NULL ? NULL : table->rows[row].cells;
	memset(scratch, 0, table->column_count * sizeof *scratch);
	table->fill(table, row, scratch);
	return scratch;
}

static bool has_text(const struct cell *cell)
{
	return cell->kind != CELL_EMPTY && cell->text != NULL && cell->text[0] != '\0';
}

bool table_shows_column(const struct table *table, size_t column)
{
	size_t i;

	/* Tables with a fill function are for programs: none of their cells has a text. */
	if (table->columns[column].audience == AUDIENCE_DATA || table->fill != NULL)
		return false;
	for (i = 0; i < table->row_count; i++)
		if (table->rows[i].rule == NULL && has_text(&table->rows[i].cells[column]))
			return true;
	return false;
}

const struct table *document_find_table(const struct document *document, const char *id)
{
	size_t i;

	for (i = 0; i < document->block_count; i++)
		if (document->blocks[i].kind == BLOCK_TABLE &&
		    strcmp(document->blocks[i].table->id, id) == 0)
			return document->blocks[i].table;
	return NULL;
}

struct cell cell_number(const char *text, double number)
{
	return (struct cell){ .kind = CELL_NUMBER, .text = text, .number = number };
}

struct cell cell_text(const char *text)
{
	return (struct cell){ .kind = text == NULL ? CELL_EMPTY : CELL_TEXT, .text = text };
}

struct cell cell_word(const char *text, const char *word)
{
	return (struct cell){ .kind = word == NULL ? CELL_EMPTY : CELL_TEXT,
			      .text = text,
			      .word = word };
}

struct cell cell_boolean(const char *text, bool truth)
{
	return (struct cell){ .kind = CELL_BOOLEAN, .text = text, .truth = truth };
}

bool block_is_shown(const struct block *block)
{
	if (block->kind == BLOCK_PLOT || block->audience == AUDIENCE_DATA)
		return false;
	return block->kind != BLOCK_TABLE ||
	       (block->table->audience != AUDIENCE_DATA && block->table->row_count > 0);
}

bool block_is_item(const struct block *block)
{
	return (block->kind == BLOCK_SENTENCE || block->kind == BLOCK_NOTE) && block->label != NULL;
}
