/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One table of the document as comma-separated values: fields are quoted as
 * RFC 4180 says, and records end in a newline alone, since awk, cut and sort
 * would take a carriage return for part of the last field. Spreadsheets run
 * cells that begin with = + - @ as formulas (the OWASP "CSV injection"), so
 * such text gets an apostrophe; numbers do not need it.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "report/writer.h"

static size_t digit_run(const char *string)
{
	return strspn(string, "0123456789");
}

/* [+-]digits[.digits][e[+-]digits], whatever the locale. */
static bool looks_like_number(const char *string)
{
	size_t whole, fraction = 0;

	string += strspn(string, "+-") == 1;
	whole = digit_run(string);
	string += whole;
	if (*string == '.') {
		fraction = digit_run(++string);
		string += fraction;
	}
	if (whole + fraction == 0)
		return false;
	if (*string == 'e' || *string == 'E') {
		string++;
		string += strspn(string, "+-") == 1;
		if (digit_run(string) == 0)
			return false;
		string += digit_run(string);
	}
	return *string == '\0';
}

static void add_field(struct text *text, const char *string)
{
	bool formula =
	    string[0] != '\0' && strchr("=+-@", string[0]) != NULL && !looks_like_number(string);
	size_t edge = strlen(string);
	bool quoted = strpbrk(string, ",\"\r\n") != NULL ||
		      (edge > 0 && (string[0] == ' ' || string[edge - 1] == ' '));

	if (quoted)
		text_add_char(text, '"');
	if (formula)
		text_add_char(text, '\'');
	for (; *string != '\0'; string++) {
		if (*string == '"')
			text_add_char(text, '"');
		text_add_char(text, *string);
	}
	if (quoted)
		text_add_char(text, '"');
}

static void add_number(struct text *text, double number)
{
	struct json *json;

	if (!isfinite(number))
		return;
	json = json_number(number);
	json_print(json, false, text);
	json_release(json);
}

static void add_cell(struct text *text, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_NUMBER:
		add_number(text, cell->number);
		break;
	case CELL_TEXT:
		add_field(text, cell->word != NULL ? cell->word : cell->text);
		break;
	case CELL_BOOLEAN:
		text_add(text, cell->truth ? "true" : "false");
		break;
	case CELL_EMPTY:
		break;
	}
}

static void add_header(struct text *text, const struct table *table)
{
	bool first = true;
	size_t j;

	for (j = 0; j < table->column_count; j++) {
		if (table->columns[j].audience == AUDIENCE_PEOPLE)
			continue;
		if (!first)
			text_add_char(text, ',');
		add_field(text, table->columns[j].key);
		first = false;
	}
	text_add_char(text, '\n');
}

static void add_record(struct text *text, const struct table *table, const struct cell *cells)
{
	bool first = true;
	size_t j;

	for (j = 0; j < table->column_count; j++) {
		if (table->columns[j].audience == AUDIENCE_PEOPLE)
			continue;
		if (!first)
			text_add_char(text, ',');
		add_cell(text, &cells[j]);
		first = false;
	}
	text_add_char(text, '\n');
}

static void write_csv(const struct document *document, const struct look_settings *look,
		      struct text *text)
{
	const struct table *table =
	    document->csv_table == NULL ? NULL : document_find_table(document, document->csv_table);
	struct arena *arena;
	struct cell *scratch;
	const struct cell *cells;
	size_t i;

	(void)look;
	if (table == NULL)
		return;
	arena = arena_open();
	scratch = arena_alloc(arena, table->column_count, sizeof *scratch);
	add_header(text, table);
	for (i = 0; i < table->row_count; i++) {
		cells = table_cells(table, i, scratch);
		if (cells != NULL)
			add_record(text, table, cells);
	}
	arena_close(arena);
}

static const char *const csv_endings[] = { ".csv", NULL };

const struct writer writer_csv = {
	.name = "csv",
	.endings = csv_endings,
	.write = write_csv,
};
