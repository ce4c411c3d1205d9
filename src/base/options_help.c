/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The help page of a command from its descriptor: synopsis, description, the
 * options in two columns, examples. Everything is wrapped to 80 columns except
 * examples and indented lines of a description, which the writer keeps short.
 */
#include "base/options.h"

#include <string.h>

enum { PAGE_COLUMNS = 80, OPTION_HELP_COLUMN = 26 };

/* Where on the page the next word goes. */
struct page {
	struct text *text;
	size_t indent; /* of continuation lines */
	size_t column;
};

static void page_line(struct page *page)
{
	text_add_char(page->text, '\n');
	page->column = 0;
}

static void page_word(struct page *page, const char *word, size_t length)
{
	struct arena *arena = arena_open();
	const char *copy = arena_strndup(arena, word, length);
	size_t width = text_width(copy);
	size_t blanks;

	if (page->column > page->indent && page->column + 1 + width > PAGE_COLUMNS)
		page_line(page);
	blanks = page->column < page->indent ? page->indent - page->column
					     : (size_t)(page->column > page->indent);
	text_add_repeat(page->text, ' ', blanks);
	text_add(page->text, copy);
	page->column += blanks + width;
	arena_close(arena);
}

/* The words of one line of source, wrapped; ends without a line feed. */
static void page_words(struct page *page, const char *line, size_t length)
{
	const char *end = line + length;

	while (line < end) {
		size_t blanks = strspn(line, " ");
		size_t word;

		line += blanks;
		if (line >= end)
			break;
		word = strcspn(line, " \n");
		if (word > (size_t)(end - line))
			word = (size_t)(end - line);
		page_word(page, line, word);
		line += word;
	}
}

/* Every line feed of the source starts a line. */
static void page_lines(struct page *page, const char *source)
{
	for (;;) {
		size_t length = strcspn(source, "\n");

		page_words(page, source, length);
		page_line(page);
		if (source[length] == '\0' || source[length + 1] == '\0')
			return;
		source += length + 1;
	}
}

/* Paragraphs: single line feeds are blanks, indented lines stay as they are. */
static void page_paragraphs(struct page *page, const char *source)
{
	while (*source != '\0') {
		size_t length = strcspn(source, "\n");

		if (length == 0 || source[0] == ' ') {
			if (page->column > 0)
				page_line(page);
			text_add_bytes(page->text, source, length);
			page_line(page);
		} else {
			page_words(page, source, length);
		}
		source += length + (source[length] == '\n');
	}
	if (page->column > 0)
		page_line(page);
}

static void add_synopsis(const struct command *command, struct text *text)
{
	size_t i;

	for (i = 0; command->synopsis[i] != NULL; i++) {
		struct page page = { .text = text, .indent = 13, .column = 13 };

		text_add(text, i == 0 ? "Usage: worth " : "       worth ");
		page_words(&page, command->synopsis[i], strlen(command->synopsis[i]));
		page_line(&page);
	}
}

/* "  -n, --name NAME", and the help from OPTION_HELP_COLUMN on. */
static void add_option(const struct option *option, struct text *text)
{
	struct page page = { .text = text, .indent = OPTION_HELP_COLUMN };
	size_t before = text->length;
	size_t i;

	if (option->letter != 0)
		text_printf(text, "  -%c, --%s", option->letter, option->name);
	else
		text_printf(text, "      --%s", option->name);
	if (option->value != NULL)
		text_printf(text, " %s", option->value);
	page.column = text_width(text_string(text) + before);
	if (page.column + 2 > OPTION_HELP_COLUMN)
		page_line(&page);
	if (option->choices == NULL) {
		page_lines(&page, option->help);
		return;
	}
	page_words(&page, option->help, strlen(option->help));
	for (i = 0; option->choices[i] != NULL; i++) {
		struct text choice = { 0 };

		text_printf(&choice, "%s%s%s", i == 0 ? "(" : "", option->choices[i],
			    option->choices[i + 1] == NULL ? ")" : ",");
		page_word(&page, choice.bytes, choice.length);
		text_release(&choice);
	}
	page_line(&page);
}

static void add_options(const struct command *command, struct text *text)
{
	const struct option *option = command->options;

	if (options_end(option) || option->kind != OPTION_GROUP)
		text_add(text, "\nOptions:\n");
	for (; !options_end(option); option++) {
		if (option->kind == OPTION_GROUP)
			text_printf(text, "\n%s:\n", option->help);
		else
			add_option(option, text);
	}
	add_option(&options_help_row, text);
}

static void add_examples(const char *example, struct text *text)
{
	text_add(text, "\nExamples:\n");
	while (*example != '\0') {
		size_t length = strcspn(example, "\n");

		if (length > 0)
			text_add(text, "  ");
		text_add_bytes(text, example, length);
		text_add_char(text, '\n');
		example += length + (example[length] == '\n');
	}
}

void options_help(const struct command *command, struct text *text)
{
	struct page page = { .text = text };

	text_printf(text, "worth %s - %s\n\n", command->name, command->summary);
	add_synopsis(command, text);
	if (command->description != NULL) {
		text_add_char(text, '\n');
		page_paragraphs(&page, command->description);
	}
	add_options(command, text);
	if (command->examples != NULL)
		add_examples(command->examples, text);
}
