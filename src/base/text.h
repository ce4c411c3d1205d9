/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* A growing string. Zero it to start; text_release frees it. bytes always ends in NUL once
 * anything was added; use text_string() to get "" for an empty one. */
struct text {
	char *bytes;
	size_t length;
	size_t capacity;
};

void text_release(struct text *text);
void text_clear(struct text *text);
const char *text_string(const struct text *text);
void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t length);
void text_add_char(struct text *text, char byte);
void text_add_repeat(struct text *text, char byte, size_t count);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Length in bytes (1..4) of the well-formed UTF-8 character at bytes, its value in *codepoint;
 * 0 if there is none (malformed, overlong, surrogate, cut off, or length 0). */
size_t utf8_decode(const char *bytes, size_t length, uint32_t *codepoint);

/* A copy fit for a report: valid UTF-8 in which malformed bytes are \xNN, control characters
 * \n \t \xNN, and characters that reorder or hide text (bidi controls, zero width, line
 * separators) \u{NNNN}. A backslash stays as it is. */
char *text_clean(struct arena *arena, const char *bytes, size_t length);

/* A copy in capitals; letters beyond ASCII stay as they are. */
char *text_upper(struct arena *arena, const char *string);

/* Columns that a terminal gives to a clean string: wide characters 2, combining ones 0. */
size_t text_width(const char *string);

/* The part of a clean string that fits into columns; ends in an ellipsis (1 column) if cut. */
char *text_fit(struct arena *arena, const char *string, size_t columns);
/* The same with the ellipsis in the middle: names often differ at their ends. */
char *text_fit_ends(struct arena *arena, const char *string, size_t columns);

/* The word of the list that is nearest to word by edit distance (with transpositions), or NULL
 * if none is near enough to be meant (more than a third of its letters, at most 3). */
const char *text_nearest(const char *word, const char *const *words, size_t count);

#endif
