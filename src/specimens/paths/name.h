/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_PATHS_NAME_H
#define SPECIMENS_PATHS_NAME_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "specimens/step.h"

/*
 * A path is read in words of eight bytes: the end of a part is found, its hash
 * made and its bytes kept for comparison in one pass. The lowest set bit of
 * ((x - 0x01..) & ~x & 0x80..) is that of the first zero byte of x (Mycroft,
 * 1987); a word with each byte exclusive-ored with '/' has it at the first one.
 */
enum { NAME_WORDS = 4, NAME_INLINE_BYTES = NAME_WORDS * 8 };

#define NAME_SLASHES UINT64_C(0x2f2f2f2f2f2f2f2f)
#define NAME_MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

/* One part of a path. */
struct path_name {
	uint64_t words[NAME_WORDS]; /* its first 32 bytes; those behind its end, in the last that
				     * it reaches into, are 0 */
	const char *bytes;
	uint32_t length;
	uint32_t hash;
};

/* What of a path is still to be read; at is its end or on a slash. */
struct path_cursor {
	const char *begin, *at, *end;
};

SPECIMEN_INLINE struct path_cursor path_cursor_of(const char *path, size_t length)
{
	return (struct path_cursor){ .begin = path, .at = path, .end = path + length };
}

SPECIMEN_INLINE uint64_t path_word_load(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
	return le64toh(word);
}

/* The next eight bytes, without a look behind the end, where slashes take their place. */
SPECIMEN_INLINE uint64_t path_word(const struct path_cursor *cursor, const char *at)
{
	size_t remaining = (size_t)(cursor->end - at), i;
	uint64_t word = 0;

	if (__builtin_expect(remaining >= 8, 1))
		return path_word_load(at);
	if (remaining == 0)
		return NAME_SLASHES;
	if (cursor->end - cursor->begin >= 8)
		word = path_word_load(cursor->end - 8) >> (8 * (8 - remaining));
	else
		for (i = 0; i < remaining; i++)
			word |= (uint64_t)(unsigned char)at[i] << (8 * i);
	return word | NAME_SLASHES << (8 * remaining);
}

/* The next part; false: there is none. Its length may be wrong: 0, or too much. */
SPECIMEN_INLINE bool path_cursor_next(struct path_cursor *cursor, struct path_name *name)
{
	uint64_t hash = 0, word, slash;
	size_t length = 0;

	if (cursor->at == cursor->end)
		return false;
	name->bytes = cursor->at + 1;
	for (;;) {
		word = path_word(cursor, name->bytes + length);
		slash = word ^ NAME_SLASHES;
		slash =
		    (slash - UINT64_C(0x0101010101010101)) & ~slash & UINT64_C(0x8080808080808080);
		if (slash != 0)
			break;
		if (length < NAME_INLINE_BYTES)
			name->words[length / 8] = word;
		hash = (hash ^ word) * NAME_MULTIPLIER;
		hash ^= hash >> 32;
		length += 8;
	}
	/* The bits below that of the slash's byte; none where it is the first. */
	word &= ((slash & -slash) >> 7) - 1;
	if (length < NAME_INLINE_BYTES)
		name->words[length / 8] = word;
	hash = (hash ^ word) * NAME_MULTIPLIER;
	length += (size_t)__builtin_ctzll(slash) / 8;
	name->hash = (uint32_t)(hash >> 32);
	name->length = (uint32_t)length;
	cursor->at = name->bytes + length;
	return true;
}

#endif
