/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UTF-8 as the Unicode Standard defines it (15.0, table 3-7), strings made
 * harmless for a report, and their width on a terminal. The widths come from
 * own tables (text_ranges.h) because wcwidth() obeys the locale, and a report
 * must not change with it.
 */
#include "base/text.h"

#include <string.h>

#include "base/text_ranges.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
#define ELLIPSIS "\xE2\x80\xA6"

/* What a lead byte promises: the length, the bounds of the second byte (the others are 80..BF),
 * which is where overlong forms, surrogates and values above U+10FFFF are refused. */
static const struct lead {
	unsigned char first, last, length, low, high;
} leads[] = {
	{ 0x00, 0x7F, 1, 0, 0 },       { 0xC2, 0xDF, 2, 0x80, 0xBF }, { 0xE0, 0xE0, 3, 0xA0, 0xBF },
	{ 0xE1, 0xEC, 3, 0x80, 0xBF }, { 0xED, 0xED, 3, 0x80, 0x9F }, { 0xEE, 0xEF, 3, 0x80, 0xBF },
	{ 0xF0, 0xF0, 4, 0x90, 0xBF }, { 0xF1, 0xF3, 4, 0x80, 0xBF }, { 0xF4, 0xF4, 4, 0x80, 0x8F },
};

static const struct lead *find_lead(unsigned char byte)
{
	size_t i;

	for (i = 0; i < COUNT_OF(leads); i++)
		if (byte >= leads[i].first && byte <= leads[i].last)
			return &leads[i];
	return NULL;
}

size_t utf8_decode(const char *bytes, size_t length, uint32_t *codepoint)
{
	const unsigned char *byte = (const unsigned char *)bytes;
	const struct lead *lead;
	uint32_t value;
	size_t i;

	if (length == 0)
		return 0;
	lead = find_lead(byte[0]);
	if (lead == NULL || length < lead->length)
		return 0;
	if (lead->length == 1) {
		*codepoint = byte[0];
		return 1;
	}
	if (byte[1] < lead->low || byte[1] > lead->high)
		return 0;
	value = byte[0] & (0x7FU >> lead->length);
	for (i = 1; i < lead->length; i++) {
		if ((byte[i] & 0xC0) != 0x80)
			return 0;
		value = value << 6 | (byte[i] & 0x3F);
	}
	*codepoint = value;
	return lead->length;
}

static bool in_ranges(const struct range *ranges, size_t count, uint32_t codepoint)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (codepoint > ranges[middle].high)
			low = middle + 1;
		else if (codepoint < ranges[middle].low)
			high = middle;
		else
			return true;
	}
	return false;
}

/* C1 controls, what hides or reorders text, and the code points that are no characters. */
static bool is_harmful(uint32_t codepoint)
{
	return (codepoint >= 0x80 && codepoint <= 0x9F) || (codepoint & 0xFFFE) == 0xFFFE ||
	       (codepoint >= 0xFDD0 && codepoint <= 0xFDEF) ||
	       in_ranges(hidden_ranges, COUNT_OF(hidden_ranges), codepoint);
}

/* Adds the character at bytes, or the byte there if there is none; returns the bytes used. */
static size_t add_clean(struct text *text, const char *bytes, size_t length)
{
	uint32_t codepoint;
	size_t used = utf8_decode(bytes, length, &codepoint);

	if (used == 0) {
		text_printf(text, "\\x%02X", (unsigned char)bytes[0]);
		return 1;
	}
	if (codepoint == '\n')
		text_add(text, "\\n");
	else if (codepoint == '\t')
		text_add(text, "\\t");
	else if (codepoint < 0x20 || codepoint == 0x7F)
		text_printf(text, "\\x%02X", (unsigned)codepoint);
	else if (is_harmful(codepoint))
		text_printf(text, "\\u{%04X}", (unsigned)codepoint);
	else
		text_add_bytes(text, bytes, used);
	return used;
}

char *text_clean(struct arena *arena, const char *bytes, size_t length)
{
	struct text text = { 0 };
	char *clean;
	size_t i = 0;

	while (i < length)
		i += add_clean(&text, bytes + i, length - i);
	clean = arena_strndup(arena, text_string(&text), text.length);
	text_release(&text);
	return clean;
}

static size_t codepoint_width(uint32_t codepoint)
{
	if (codepoint < 0x80)
		return 1;
	if (in_ranges(combining_ranges, COUNT_OF(combining_ranges), codepoint))
		return 0;
	return in_ranges(wide_ranges, COUNT_OF(wide_ranges), codepoint) ? 2 : 1;
}

/* Columns and bytes of the character at string, of which left bytes remain. A malformed byte
 * takes a column, as the replacement character that a terminal shows for it. */
static size_t step(const char *string, size_t left, size_t *columns)
{
	uint32_t codepoint;
	size_t used = utf8_decode(string, left, &codepoint);

	*columns = used == 0 ? 1 : codepoint_width(codepoint);
	return used == 0 ? 1 : used;
}

size_t text_width(const char *string)
{
	size_t left = strlen(string), width = 0;

	while (left > 0) {
		size_t columns, used = step(string, left, &columns);

		width += columns;
		string += used;
		left -= used;
	}
	return width;
}

/* The bytes of the longest part of string that takes at most columns; marks that combine with
 * its last character belong to it. */
static size_t fitting_bytes(const char *string, size_t columns)
{
	size_t left = strlen(string), bytes = 0;

	while (bytes < left) {
		size_t wanted, used = step(string + bytes, left - bytes, &wanted);

		if (wanted > columns)
			break;
		columns -= wanted;
		bytes += used;
	}
	return bytes;
}

char *text_fit(struct arena *arena, const char *string, size_t columns)
{
	if (text_width(string) <= columns)
		return arena_strdup(arena, string);
	if (columns == 0)
		return arena_strdup(arena, "");
	return arena_printf(arena, "%.*s" ELLIPSIS, (int)fitting_bytes(string, columns - 1),
			    string);
}

/* The longest end of a clean string that takes at most columns. */
static const char *end_after(const char *string, size_t columns)
{
	size_t width = text_width(string);

	while (width > columns) {
		size_t columns_of, used = step(string, strlen(string), &columns_of);

		width -= columns_of;
		string += used;
	}
	/* Marks that combine with what was left out go with it. */
	while (*string != '\0') {
		size_t columns_of, used = step(string, strlen(string), &columns_of);

		if (columns_of > 0)
			break;
		string += used;
	}
	return string;
}

char *text_fit_ends(struct arena *arena, const char *string, size_t columns)
{
	size_t before;

	if (text_width(string) <= columns || columns < 3)
		return text_fit(arena, string, columns);
	before = (columns - 1) / 2;
	return arena_printf(arena, "%.*s" ELLIPSIS "%s", (int)fitting_bytes(string, before), string,
			    end_after(string, columns - 1 - before));
}
