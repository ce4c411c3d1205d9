/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as GitHub-flavoured Markdown (github.github.com/gfm). A table's
 * ruled lines end it and begin another, since the format has none. Text is
 * escaped so that it shows as it is: no markup, no HTML, no broken tables.
 */
#include <string.h>

#include "base/arena.h"
#include "report/writer.h"

static bool is_word_byte(char byte)
{
	return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= 'a' && byte <= 'z') || (unsigned char)byte >= 0x80;
}

/* An underscore inside a word is no emphasis; escaping it there would only hurt the eye. */
static bool is_special(const char *string, size_t i)
{
	if (string[i] == '_')
		return i == 0 || !is_word_byte(string[i - 1]) || !is_word_byte(string[i + 1]);
	return strchr("\\`*[]#|~", string[i]) != NULL;
}

/* What would begin a list, a heading or a number at the start of a paragraph. */
static bool begins_markup(const char *string)
{
	size_t digits = strspn(string, "0123456789");

	if (strchr("+-=", string[0]) != NULL)
		return string[0] != '\0';
	return digits > 0 && (string[digits] == '.' || string[digits] == ')') &&
	       (string[digits + 1] == ' ' || string[digits + 1] == '\0');
}

static void add_escaped(struct text *text, const char *string)
{
	size_t i;

	for (i = 0; string[i] != '\0'; i++) {
		if (string[i] == '<')
			text_add(text, "&lt;");
		else if (string[i] == '>')
			text_add(text, "&gt;");
		else if (string[i] == '&')
			text_add(text, "&amp;");
		else {
			if (is_special(string, i))
				text_add_char(text, '\\');
			text_add_char(text, string[i]);
		}
	}
}

static void add_paragraph(struct text *text, const char *string)
{
	size_t digits = strspn(string, "0123456789");

	if (begins_markup(string)) {
		text_add_bytes(text, string, digits);
		text_add_char(text, '\\');
		string += digits;
		text_add_char(text, *string++);
	}
	add_escaped(text, string);
}

static size_t longest_backticks(const char *string)
{
	size_t longest = 0, run;

	while (*string != '\0') {
		run = strspn(string, "`");
		longest = run > longest ? run : longest;
		string += run > 0 ? run : strcspn(string, "`");
	}
	return longest;
}

/* A code span: its fence is longer than any run of backticks inside (GFM 6.3). */
static void add_code(struct text *text, const char *string)
{
	size_t fence = longest_backticks(string) + 1;
	bool padded = fence > 1 || string[0] == ' ';

	text_add_repeat(text, '`', fence);
	if (padded)
		text_add_char(text, ' ');
	text_add(text, string[0] == '\0' ? " " : string);
	if (padded)
		text_add_char(text, ' ');
	text_add_repeat(text, '`', fence);
}

static void add_titles(struct text *text, const struct table *table)
{
	size_t j;

	text_add_char(text, '|');
	for (j = 0; j < table->column_count; j++)
		if (table_shows_column(table, j)) {
			text_add_char(text, ' ');
			add_escaped(text, table->columns[j].title);
			text_add(text, " |");
		}
	text_add(text, "\n|");
	for (j = 0; j < table->column_count; j++)
		if (table_shows_column(table, j))
			text_add(text,
				 table->columns[j].align == ALIGN_RIGHT ? " ---: |" : " :--- |");
	text_add_char(text, '\n');
}

/* Verdicts stand out by weight, since Markdown has no colour. */
static void add_cell(struct text *text, const struct cell *cell)
{
	bool empty = cell->kind == CELL_EMPTY || cell->text == NULL || cell->text[0] == '\0';
	bool strong = cell->tone == TONE_GOOD || cell->tone == TONE_BAD;

	text_add_char(text, ' ');
	if (strong && !empty)
		text_add(text, "**");
	if (!empty)
		add_escaped(text, cell->text);
	if (strong && !empty)
		text_add(text, "**");
	text_add(text, empty ? "|" : " |");
}

static void add_rule(struct text *text, const struct table *table, const char *rule)
{
	if (table->rows[0].rule != rule)
		text_add_char(text, '\n');
	text_add_char(text, '*');
	add_escaped(text, rule);
	text_add(text, ":*\n\n");
	add_titles(text, table);
}

static void add_table(struct text *text, const struct table *table)
{
	struct arena *arena = arena_open();
	struct cell *scratch = arena_alloc(arena, table->column_count, sizeof *scratch);
	const struct cell *cells;
	size_t i, j;

	if (table->title != NULL) {
		add_paragraph(text, table->title);
		text_add(text, "\n\n");
	}
	if (table->row_count == 0 || table_cells(table, 0, scratch) != NULL)
		add_titles(text, table);
	for (i = 0; i < table->row_count; i++) {
		cells = table_cells(table, i, scratch);
		if (cells == NULL) {
			add_rule(text, table, table->rows[i].rule);
			continue;
		}
		text_add_char(text, '|');
		for (j = 0; j < table->column_count; j++)
			if (table_shows_column(table, j))
				add_cell(text, &cells[j]);
		text_add_char(text, '\n');
	}
	arena_close(arena);
}

static void add_item(struct text *text, const struct block *block)
{
	text_add(text, "- **");
	add_escaped(text, block->label);
	text_add(text, "** ");
	if (block->verbatim)
		add_code(text, block->text);
	else
		add_escaped(text, block->text);
	text_add_char(text, '\n');
}

static void add_block(struct text *text, const struct block *block)
{
	if (block->kind == BLOCK_TABLE)
		add_table(text, block->table);
	else if (block->kind == BLOCK_HEADING) {
		text_add(text, "## ");
		add_escaped(text, block->text);
		text_add_char(text, '\n');
	} else if (block_is_item(block))
		add_item(text, block);
	else {
		add_paragraph(text, block->text);
		text_add_char(text, '\n');
	}
}

static void write_markdown(const struct document *document, const struct look_settings *look,
			   struct text *text)
{
	const struct block *before = NULL, *block;
	size_t i;

	(void)look;
	for (i = 0; i < document->block_count; i++) {
		block = &document->blocks[i];
		if (!block_is_shown(block))
			continue;
		if (before != NULL &&
		    !(block_is_item(before) && block_is_item(block) && !block->apart))
			text_add_char(text, '\n');
		add_block(text, block);
		before = block;
	}
}

static const char *const markdown_endings[] = { ".md", ".markdown", NULL };

const struct writer writer_markdown = {
	.name = "markdown",
	.endings = markdown_endings,
	.write = write_markdown,
};
