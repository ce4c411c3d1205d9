/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a limited width. Breaking is greedy, at spaces only: commands and
 * file names must stay copyable, so nothing is hyphenated and runs of spaces
 * inside a line are kept.
 */
#include <string.h>

#include "report/wrap.h"

/* Columns of the first length bytes of a short piece. */
static size_t piece_width(const char *piece, size_t length)
{
	char copy[8];

	if (length >= sizeof copy)
		length = sizeof copy - 1;
	memcpy(copy, piece, length);
	copy[length] = '\0';
	return text_width(copy);
}

size_t wrap_character(const char *string, size_t *columns)
{
	size_t left = strnlen(string, 4), length, next;
	uint32_t codepoint;

	length = utf8_decode(string, left, &codepoint);
	if (length == 0)
		length = 1;
	*columns = piece_width(string, length);
	while (string[length] != '\0' && (unsigned char)string[length] >= 0x80) {
		left = strnlen(string + length, 4);
		next = utf8_decode(string + length, left, &codepoint);
		if (next == 0 || piece_width(string + length, next) > 0)
			break;
		length += next;
	}
	return length;
}

struct wrapping {
	struct text *text;
	size_t column; /* of the next character */
	size_t indent;
	size_t width;
};

void wrap_end_line(struct text *text)
{
	while (text->length > 0 && text->bytes[text->length - 1] == ' ')
		text->bytes[--text->length] = '\0';
	text_add_char(text, '\n');
}

static void new_line(struct wrapping *wrapping)
{
	wrap_end_line(wrapping->text);
	text_add_repeat(wrapping->text, ' ', wrapping->indent);
	wrapping->column = wrapping->indent;
}

/* A word that fits no line: fill lines with it. */
static void add_long_word(struct wrapping *wrapping, const char *word, size_t length)
{
	size_t done = 0, bytes, columns;

	while (done < length) {
		bytes = wrap_character(word + done, &columns);
		if (bytes > length - done)
			bytes = length - done;
		if (wrapping->column + columns > wrapping->width &&
		    wrapping->column > wrapping->indent)
			new_line(wrapping);
		text_add_bytes(wrapping->text, word + done, bytes);
		wrapping->column += columns;
		done += bytes;
	}
}

static size_t word_width(const char *word, size_t length)
{
	size_t width = 0, done = 0, columns;

	while (done < length) {
		done += wrap_character(word + done, &columns);
		width += columns;
	}
	return width;
}

static void add_word(struct wrapping *wrapping, const char *word, size_t length, size_t spaces)
{
	size_t columns = word_width(word, length);
	bool fresh = wrapping->column <= wrapping->indent && spaces == 0;

	if (!fresh && wrapping->column + spaces + columns > wrapping->width) {
		/* A word longer than a whole line may as well begin on this one. */
		if (wrapping->indent + columns <= wrapping->width ||
		    wrapping->column + spaces + 8 > wrapping->width) {
			new_line(wrapping);
			spaces = 0;
		}
	}
	text_add_repeat(wrapping->text, ' ', spaces);
	wrapping->column += spaces;
	if (wrapping->column + columns <= wrapping->width) {
		text_add_bytes(wrapping->text, word, length);
		wrapping->column += columns;
	} else {
		add_long_word(wrapping, word, length);
	}
}

void wrap_add(struct text *text, const char *string, size_t first, size_t indent, size_t width)
{
	struct wrapping wrapping = { text, first, indent, width };
	size_t spaces, length;

	while (*string != '\0') {
		spaces = strspn(string, " ");
		string += spaces;
		length = strcspn(string, " ");
		if (length > 0)
			add_word(&wrapping, string, length, spaces);
		string += length;
	}
}

void wrap_pad(struct text *text, const char *string, size_t columns)
{
	size_t width = text_width(string);

	text_add(text, string);
	if (width < columns)
		text_add_repeat(text, ' ', columns - width);
}
