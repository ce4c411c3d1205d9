/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of fields: see separated.h. */
#include "formats/input/separated.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"

static void add(struct arena *arena, struct separated *separated, const char *bytes, size_t length)
{
	*array_push(arena, separated->fields, separated->count, separated->capacity) =
	    arena_strndup(arena, bytes, length);
}

void separated_cut(struct arena *arena, const char *line, size_t length, char separator,
		   struct separated *separated)
{
	const char *end = line + length, *stop;

	*separated = (struct separated){ 0 };
	while ((stop = memchr(line, separator, (size_t)(end - line))) != NULL) {
		add(arena, separated, line, (size_t)(stop - line));
		line = stop + 1;
	}
	add(arena, separated, line, (size_t)(end - line));
}

/* A quoted field without its quotes; returns what follows the closing one. */
static const char *take_quoted(const char *at, const char *end, struct text *field)
{
	for (at++; at < end; at++) {
		if (*at == '"' && at + 1 < end && at[1] == '"')
			at++;
		else if (*at == '"')
			return at + 1;
		text_add_char(field, *at);
	}
	return end;
}

void separated_csv(struct arena *arena, const char *line, size_t length,
		   struct separated *separated)
{
	const char *at = line, *end = line + length;
	struct text field = { 0 };

	*separated = (struct separated){ 0 };
	for (;;) {
		text_clear(&field);
		if (at < end && *at == '"')
			at = take_quoted(at, end, &field);
		for (; at < end && *at != ','; at++)
			text_add_char(&field, *at);
		add(arena, separated, text_string(&field), field.length);
		if (at == end)
			break;
		at++;
	}
	text_release(&field);
}

size_t separated_find(const struct separated *separated, const char *name)
{
	size_t i;

	for (i = 0; i < separated->count; i++)
		if (strcmp(separated->fields[i], name) == 0)
			break;
	return i;
}
