/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The growing string, and the nearest word for "did you mean". UTF-8 is in
 * text_utf8.c. Out of memory ends the program, as in an arena.
 */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

/* Room for length more bytes and the NUL. */
static void reserve(struct text *text, size_t length)
{
	size_t wanted, grown = text->capacity < FIRST_CAPACITY ? FIRST_CAPACITY : text->capacity;
	char *bytes;

	if (__builtin_add_overflow(text->length, length, &wanted) || wanted > SIZE_MAX / 4)
		arena_out_of_memory();
	wanted += 1;
	if (wanted <= text->capacity)
		return;
	while (grown < wanted)
		grown *= 2;
	bytes = realloc(text->bytes, grown);
	if (bytes == NULL)
		arena_out_of_memory();
	text->bytes = bytes;
	text->capacity = grown;
}

void text_release(struct text *text)
{
	if (text == NULL)
		return;
	free(text->bytes);
	*text = (struct text){ 0 };
}

void text_clear(struct text *text)
{
	text->length = 0;
	if (text->bytes != NULL)
		text->bytes[0] = '\0';
}

const char *text_string(const struct text *text)
{
	return text->bytes == NULL ? "" : text->bytes;
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
	reserve(text, length);
	if (length > 0)
		memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

void text_add(struct text *text, const char *string)
{
	text_add_bytes(text, string, strlen(string));
}

void text_add_char(struct text *text, char byte)
{
	text_add_bytes(text, &byte, 1);
}

void text_add_repeat(struct text *text, char byte, size_t count)
{
	reserve(text, count);
	memset(text->bytes + text->length, byte, count);
	text->length += count;
	text->bytes[text->length] = '\0';
}

void text_printf(struct text *text, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length < 0)
		arena_out_of_memory();
	reserve(text, (size_t)length);
	va_start(arguments, format);
	vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
	va_end(arguments);
	text->length += (size_t)length;
}

static size_t smaller(size_t left, size_t right)
{
	return left < right ? left : right;
}

/*
 * Edit distance in which swapping two neighbours costs one ("optimal string
 * alignment", the restricted form of Damerau, CACM 7(3), 1964). rows has room
 * for three rows of strlen(other) + 1 cells: the one being filled and the two
 * before it.
 */
static size_t edit_distance(const char *word, const char *other, size_t *rows)
{
	size_t width = strlen(other) + 1, i, j;
	size_t *before = rows, *above = rows + width, *row = rows + 2 * width;

	for (j = 0; j < width; j++)
		above[j] = j;
	for (i = 1; word[i - 1] != '\0'; i++) {
		size_t *spare = before;

		row[0] = i;
		for (j = 1; j < width; j++) {
			size_t changed = above[j - 1] + (word[i - 1] != other[j - 1]);

			row[j] = smaller(changed, smaller(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && word[i - 1] == other[j - 2] &&
			    word[i - 2] == other[j - 1])
				row[j] = smaller(row[j], before[j - 2] + 1);
		}
		before = above;
		above = row;
		row = spare;
	}
	return above[width - 1];
}

const char *text_nearest(const char *word, const char *const *words, size_t count)
{
	enum { FARTHEST = 3 };
	size_t length = strlen(word), limit = smaller(length / 3, FARTHEST), i;
	const char *nearest = NULL;
	struct arena *arena = arena_open();
	size_t *rows = arena_alloc(arena, 3 * (length + FARTHEST + 1), sizeof *rows);

	for (i = 0; i < count; i++) {
		size_t other = strlen(words[i]), distance;

		/* Lengths that differ by more than the limit cannot be near; rows has room for the
		 * rest. */
		if (other > length + limit || other + limit < length)
			continue;
		distance = edit_distance(word, words[i], rows);
		if (distance > limit || (nearest != NULL && distance == limit))
			continue;
		nearest = words[i];
		limit = distance;
	}
	arena_close(arena);
	return nearest;
}

char *text_upper(struct arena *arena, const char *string)
{
	char *copy = arena_strdup(arena, string);
	size_t i;

	for (i = 0; copy[i] != '\0'; i++)
		if (copy[i] >= 'a' && copy[i] <= 'z')
			copy[i] = (char)(copy[i] - 'a' + 'A');
	return copy;
}
