/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files and mails as lines; quoted-printable is RFC 2045, section 6.7. */
#include "formats/input/page.h"

#include <math.h>
#include <stdarg.h>
#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "formats/input/unit.h"

enum { MOST_BYTES = 64 << 20 };

static int hex_digit(char byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	if (byte >= 'A' && byte <= 'F')
		return byte - 'A' + 10;
	return -1;
}

/* "=3D" is told from a "=" in plain text by the two capital digits. */
static bool is_escape(const char *at, const char *end)
{
	return end - at >= 3 && at[0] == '=' && hex_digit(at[1]) >= 0 && hex_digit(at[2]) >= 0;
}

/* The header says so, or lines are broken by "=" and there are escapes. */
static bool is_quoted_printable(const char *bytes, size_t length)
{
	static const char header[] = "quoted-printable";
	const char *at = bytes, *end = bytes + length;
	size_t soft = 0, escapes = 0;

	if (memmem(bytes, length, header, sizeof header - 1) != NULL)
		return true;
	while ((at = memchr(at, '=', (size_t)(end - at))) != NULL) {
		const char *next = at + 1 < end && at[1] == '\r' ? at + 2 : at + 1;

		soft += next < end && *next == '\n' && at > bytes && at[-1] != '=';
		escapes += is_escape(at, end) && (at == bytes || at[-1] != '=');
		at++;
	}
	return escapes > 0 && (soft > 0 || escapes > 2);
}

/* One line of the file, decoded onto the end of text; true if it goes on in the next. */
static bool add_decoded(struct text *text, const char *line, size_t length, bool quoted_printable)
{
	const char *at = line, *end = line + length;

	if (!quoted_printable) {
		text_add_bytes(text, line, length);
		return false;
	}
	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	for (; at < end; at++) {
		if (*at == '=' && at + 1 == end)
			return true;
		if (is_escape(at, end)) {
			text_add_char(text, (char)(hex_digit(at[1]) * 16 + hex_digit(at[2])));
			at += 2;
		} else {
			text_add_char(text, *at);
		}
	}
	return false;
}

/* Quote marks of any depth: "> > " and ">> ". */
static size_t quote_length(const char *text, size_t length)
{
	size_t taken = 0, i = 0;

	while (i < length) {
		size_t at = i;

		while (at < length && text[at] == ' ' && at - i < 1)
			at++;
		if (at == length || text[at] != '>')
			break;
		i = at + 1;
		taken = i;
	}
	if (taken > 0 && taken < length && text[taken] == ' ')
		taken++;
	return taken;
}

/* No-break and narrow blanks, which French and Czech locales print between thousands. */
static size_t plain_blanks(char *text, size_t length)
{
	size_t kept = 0, i;

	for (i = 0; i < length; i++) {
		if (i + 1 < length && memcmp(text + i, "\xc2\xa0", 2) == 0) {
			text[kept++] = ' ';
			i++;
		} else if (i + 2 < length && memcmp(text + i, "\xe2\x80\xaf", 3) == 0) {
			text[kept++] = ' ';
			i += 2;
		} else if (text[i] == '\0' || text[i] == '\v' || text[i] == '\f') {
			text[kept++] = ' ';
		} else {
			text[kept++] = text[i];
		}
	}
	text[kept] = '\0';
	return kept;
}

static void add_line(struct arena *arena, struct page *page, const struct text *text, size_t number)
{
	const char *begin = text_string(text);
	size_t length = text->length, quote;
	struct page_line line = { .number = number };
	char *copy;

	if (number == 1 && length >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0) {
		begin += 3;
		length -= 3;
	}
	quote = quote_length(begin, length);
	copy = arena_strndup(arena, begin + quote, length - quote);
	/* strndup stops at a NUL; what follows one in a text file is no text. */
	line.length = plain_blanks(copy, strlen(copy));
	line.text = copy;
	*array_push(arena, page->lines, page->count, page->capacity) = line;
}

/* A page under way: a line that is broken is kept until its last part. */
struct paging {
	struct arena *arena;
	struct page *page;
	struct text text;
	size_t first_number;
	bool quoted_printable;
};

static void take_line(struct paging *paging, const char *line, size_t length, size_t number)
{
	if (paging->first_number == 0)
		paging->first_number = number;
	if (add_decoded(&paging->text, line, length, paging->quoted_printable) &&
	    paging->text.length < INPUT_LINE_BYTES)
		return;
	add_line(paging->arena, paging->page, &paging->text, paging->first_number);
	text_clear(&paging->text);
	paging->first_number = 0;
}

static void finish(struct paging *paging)
{
	if (paging->first_number != 0)
		add_line(paging->arena, paging->page, &paging->text, paging->first_number);
	text_release(&paging->text);
}

void page_from_bytes(struct arena *arena, const char *bytes, size_t length, struct page *page)
{
	struct paging paging = { .arena = arena,
				 .page = page,
				 .quoted_printable = is_quoted_printable(bytes, length) };
	const char *at = bytes, *end = bytes + length;
	size_t number = 1;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t taken = stop == NULL ? (size_t)(end - at) : (size_t)(stop - at);

		take_line(&paging, at, taken > 0 && at[taken - 1] == '\r' ? taken - 1 : taken,
			  number++);
		at += taken + (stop != NULL);
	}
	finish(&paging);
}

bool page_read(struct arena *arena, struct input *input, struct page *page, struct error *err)
{
	struct paging paging = { .arena = arena, .page = page };
	struct error own = { 0 };
	const char *head;
	size_t head_length, total = 0;
	struct line line;
	bool whole;

	if (!input_peek(input, &head, &head_length, &whole, err))
		return false;
	paging.quoted_printable = is_quoted_printable(head, head_length);
	while (input_line(input, &line, &own)) {
		total += line.length + 1;
		if (total > MOST_BYTES) {
			input_error(input, line.number, &own,
				    "the file is longer than 64 MiB; expected tables that people "
				    "read");
			break;
		}
		take_line(&paging, line.text, line.length, line.number);
	}
	finish(&paging);
	if (own.kind == ERROR_NONE)
		return true;
	*err = own;
	return false;
}

bool page_parse(struct input *input, struct results *results, struct error *err,
		bool (*read_page)(struct parse *parse))
{
	struct parse parse = {
		.arena = arena_open(), .input = input, .results = results, .err = err
	};
	bool good;

	sides_init(&parse.sides, parse.arena, results);
	good = page_read(parse.arena, input, &parse.page, err) && read_page(&parse);
	arena_close(parse.arena);
	return good;
}

void parse_add(struct parse *parse, size_t side, struct measure measure, struct number number,
	       const char *unit_word, size_t line)
{
	const struct unit *unit = unit_find(unit_word, strlen(unit_word));
	struct reading reading = { .line = line };

	if (unit != NULL)
		number = unit_base(unit, number);
	if (measure.unit == NULL)
		measure.unit = unit == NULL ? unit_word : unit->base;
	reading.value = number.value;
	reading.quantum = number.quantum;
	results_add(parse->results, side, results_measure(parse->results, &measure), &reading);
}

void parse_add_missing(struct parse *parse, size_t side, struct measure measure,
		       enum reading_state state, size_t line)
{
	struct reading reading = { .value = NAN, .state = state, .line = line };

	results_add(parse->results, side, results_measure(parse->results, &measure), &reading);
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while (text[length] != '\0' && !is_blank(text[length]))
		length++;
	return length;
}

const char *scan(const char *text, const char *pattern, ...)
{
	va_list arguments;
	size_t taken = 0;

	va_start(arguments, pattern);
	for (; *pattern != '\0' && text != NULL; pattern++) {
		if (*pattern == ' ') {
			while (is_blank(*text))
				text++;
		} else if (pattern[0] == '%' && pattern[1] == 'f') {
			taken = number_scan(text, strlen(text), va_arg(arguments, struct number *));
			text = taken > 0 ? text + taken : NULL;
			pattern++;
		} else if (pattern[0] == '%' && pattern[1] == 's') {
			taken = word_length(text);
			*va_arg(arguments, struct span *) = (struct span){ text, taken };
			text = taken > 0 ? text + taken : NULL;
			pattern++;
		} else {
			pattern += pattern[0] == '%';
			text = *text == *pattern ? text + 1 : NULL;
		}
	}
	va_end(arguments);
	return text;
}

struct span span_trimmed(struct span span)
{
	while (span.length > 0 && isspace((unsigned char)*span.text)) {
		span.text++;
		span.length--;
	}
	while (span.length > 0 && isspace((unsigned char)span.text[span.length - 1]))
		span.length--;
	return span;
}

bool span_is(struct span span, const char *word)
{
	return strlen(word) == span.length && memcmp(span.text, word, span.length) == 0;
}

size_t span_split(const char *text, struct span *words, size_t most)
{
	size_t count = 0;

	while (count < most) {
		while (is_blank(*text))
			text++;
		if (*text == '\0')
			break;
		words[count] = (struct span){ text, word_length(text) };
		text += words[count++].length;
	}
	return count;
}
