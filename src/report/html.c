/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as one HTML file that needs nothing else: style, script and
 * pictures are in it, and its content security policy forbids any request.
 * The sheet comes first, then the pictures. Readable without script and in
 * print; the script (report/page/page.js) sorts tables and shows values.
 */
#include <math.h>

#include "report/markup.h"
#include "report/page.h"
#include "report/plot/svg.h"
#include "report/writer.h"

/* A cell longer than this may be broken into lines. */
enum { LONG_CELL = 40 };

static const char *tone_class(enum tone tone)
{
	static const char *const classes[] = {
		[TONE_PLAIN] = NULL,	    [TONE_GOOD] = "good",   [TONE_BAD] = "bad",
		[TONE_CAUTION] = "caution", [TONE_FAINT] = "faint",
	};

	return classes[tone];
}

/* <tag class="...">; classes may be NULL. */
static void open_tag(struct text *text, const char *tag, const char *first, const char *second)
{
	text_printf(text, "<%s", tag);
	if (first != NULL || second != NULL)
		text_printf(text, " class=\"%s%s%s\"", first != NULL ? first : "",
			    first != NULL && second != NULL ? " " : "",
			    second != NULL ? second : "");
	text_add_char(text, '>');
}

static void add_words(struct text *text, const struct block *block)
{
	if (block->verbatim)
		text_add(text, "<code>");
	markup_add(text, block->text);
	if (block->verbatim)
		text_add(text, "</code>");
}

static void add_titles(struct text *text, const struct table *table)
{
	size_t j;

	text_add(text, "<thead><tr>");
	for (j = 0; j < table->column_count; j++)
		if (table_shows_column(table, j)) {
			open_tag(text, "th",
				 table->columns[j].align == ALIGN_RIGHT ? "right" : NULL, NULL);
			markup_add(text, table->columns[j].title);
			text_add(text, "</th>");
		}
	text_add(text, "</tr></thead>\n");
}

static size_t shown_columns(const struct table *table)
{
	size_t count = 0, j;

	for (j = 0; j < table->column_count; j++)
		count += table_shows_column(table, j);
	return count;
}

static void add_cell(struct text *text, const struct column *column, const struct cell *cell)
{
	const char *shown = cell->kind == CELL_EMPTY || cell->text == NULL ? "" : cell->text;
	bool is_long = column->align == ALIGN_LEFT && text_width(shown) > LONG_CELL;
	const char *layout = column->align == ALIGN_RIGHT ? "right" : is_long ? "long" : NULL;

	text_add(text, "<td");
	if (layout != NULL || tone_class(cell->tone) != NULL)
		text_printf(text, " class=\"%s%s%s\"", layout != NULL ? layout : "",
			    layout != NULL && tone_class(cell->tone) != NULL ? " " : "",
			    tone_class(cell->tone) != NULL ? tone_class(cell->tone) : "");
	if (cell->kind == CELL_NUMBER && isfinite(cell->number))
		text_printf(text, " data-value=\"%.17g\"", cell->number);
	text_add_char(text, '>');
	markup_add(text, shown);
	text_add(text, "</td>");
}

/* A ruled line begins a body of its own, within which rows are sorted. */
static void add_rule(struct text *text, const struct table *table, const char *rule)
{
	text_printf(text, "</tbody>\n<tbody><tr class=\"rule\"><th colspan=\"%zu\">",
		    shown_columns(table));
	markup_add(text, rule);
	text_add(text, "</th></tr>\n");
}

static void add_rows(struct text *text, const struct table *table)
{
	struct arena *arena = arena_open();
	struct cell *scratch = arena_alloc(arena, table->column_count, sizeof *scratch);
	const struct cell *cells;
	size_t i, j;

	for (i = 0; i < table->row_count; i++) {
		cells = table_cells(table, i, scratch);
		if (cells == NULL) {
			add_rule(text, table, table->rows[i].rule);
			continue;
		}
		text_add(text, "<tr>");
		for (j = 0; j < table->column_count; j++)
			if (table_shows_column(table, j))
				add_cell(text, &table->columns[j], &cells[j]);
		text_add(text, "</tr>\n");
	}
	arena_close(arena);
}

static void add_table(struct text *text, const struct table *table)
{
	text_add(text, "<div class=\"scroll\"><table>\n");
	if (table->title != NULL) {
		text_add(text, "<caption>");
		markup_add(text, table->title);
		text_add(text, "</caption>\n");
	}
	add_titles(text, table);
	text_add(text, "<tbody>\n");
	add_rows(text, table);
	text_add(text, "</tbody>\n</table></div>\n");
}

static void add_item(struct text *text, const struct block *block)
{
	text_add(text, "<dt>");
	markup_add(text, block->label);
	text_add(text, "</dt>");
	open_tag(text, "dd", tone_class(block->tone), NULL);
	add_words(text, block);
	text_add(text, "</dd>\n");
}

static void add_block(struct text *text, const struct block *block, bool leads)
{
	if (block->kind == BLOCK_TABLE) {
		add_table(text, block->table);
	} else if (block->kind == BLOCK_HEADING) {
		text_add(text, "<h2>");
		markup_add(text, block->text);
		text_add(text, "</h2>\n");
	} else {
		open_tag(text, "p", leads ? "lead" : NULL, tone_class(block->tone));
		add_words(text, block);
		text_add(text, "</p>\n");
	}
}

/* Labelled sentences that follow each other stand in one list. */
static void add_sheet(struct text *text, const struct document *document)
{
	const struct block *before = NULL, *block;
	bool listing = false;
	size_t i;

	for (i = 0; i < document->block_count; i++) {
		block = &document->blocks[i];
		if (!block_is_shown(block))
			continue;
		if (listing && (!block_is_item(block) || block->apart)) {
			text_add(text, "</dl>\n");
			listing = false;
		}
		if (block_is_item(block) && !listing)
			text_add(text, "<dl>\n");
		listing = block_is_item(block);
		if (listing)
			add_item(text, block);
		else
			add_block(text, block, before == NULL);
		before = block;
	}
	if (listing)
		text_add(text, "</dl>\n");
}

static void add_plots(struct text *text, const struct document *document)
{
	size_t i;

	for (i = 0; i < document->block_count; i++) {
		const struct block *block = &document->blocks[i];

		if (block->kind != BLOCK_PLOT || !plot_has_marks(block->plot))
			continue;
		text_add(text, "<figure id=\"");
		markup_add(text, block->plot->id);
		text_add(text, "\"><figcaption>");
		markup_add(text, block->plot->title);
		text_add(text, "</figcaption>\n");
		plot_svg(block->plot, 0, text);
		text_add(text, "</figure>\n");
	}
}

static void write_html(const struct document *document, const struct look_settings *look,
		       struct text *text)
{
	(void)look;
	text_add(text, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		       "<meta name=\"generator\" content=\"worth " WORTH_VERSION "\">\n"
		       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		       "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>");
	markup_add(text, document->title);
	text_printf(text, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<main>\n<h1>",
		    page_style, plot_style);
	markup_add(text, document->title);
	text_add(text, "</h1>\n");
	add_sheet(text, document);
	add_plots(text, document);
	text_printf(text, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", page_script);
}

static const char *const html_endings[] = { ".html", ".htm", NULL };

const struct writer writer_html = {
	.name = "html",
	.endings = html_endings,
	.write = write_html,
};
