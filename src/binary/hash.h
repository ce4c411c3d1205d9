/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_HASH_H
#define BINARY_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* A hash table from nonzero 64-bit keys to numbers. Zero it to start. */
struct table {
	uint64_t *keys;
	uint32_t *values;
	size_t count, capacity;
};

void table_release(struct table *table);
/* Where the value of key is; a new key gets value 0 and *added true. Valid until the next call. */
uint32_t *table_at(struct table *table, uint64_t key, bool *added);

/* Strings made unique: equal ones get the same number, and live in the arena. */
struct strings {
	const char **items; /* by number; number 0 is "" */
	uint64_t *hashes;   /* by number */
	size_t count, capacity;
	uint32_t *slots; /* number + 1; 0: free */
	size_t slot_count;
};

void strings_init(struct strings *strings);
void strings_release(struct strings *strings);
uint32_t strings_intern(struct strings *strings, struct arena *arena, const char *string);

#endif
