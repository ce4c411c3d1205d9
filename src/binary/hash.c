/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open addressing with linear probes, at most half full: see hash.h. */
#include "binary/hash.h"

#include <stdlib.h>
#include <string.h>

static void *zeroed(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (memory == NULL)
		arena_out_of_memory();
	return memory;
}

void table_release(struct table *table)
{
	free(table->keys);
	free(table->values);
	*table = (struct table){ 0 };
}

/* Fibonacci hashing with a mix of the high bits: addresses differ mostly in the middle. */
static size_t slot_of(uint64_t key, size_t capacity)
{
	key ^= key >> 32;
	return (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & (capacity - 1);
}

static size_t probe(const struct table *table, uint64_t key)
{
	size_t slot = slot_of(key, table->capacity);

	while (table->keys[slot] != 0 && table->keys[slot] != key)
		slot = (slot + 1) & (table->capacity - 1);
	return slot;
}

static void table_grow(struct table *table)
{
	struct table grown = { .count = table->count,
			       .capacity = table->capacity == 0 ? 256 : table->capacity * 2 };
	size_t i;

	grown.keys = zeroed(grown.capacity, sizeof *grown.keys);
	grown.values = zeroed(grown.capacity, sizeof *grown.values);
	for (i = 0; i < table->capacity; i++)
		if (table->keys[i] != 0) {
			size_t slot = probe(&grown, table->keys[i]);

			grown.keys[slot] = table->keys[i];
			grown.values[slot] = table->values[i];
		}
	table_release(table);
	*table = grown;
}

uint32_t *table_at(struct table *table, uint64_t key, bool *added)
{
	size_t slot;

	if (table->count * 2 >= table->capacity)
		table_grow(table);
	slot = probe(table, key);
	*added = table->keys[slot] == 0;
	if (*added) {
		table->keys[slot] = key;
		table->count++;
	}
	return &table->values[slot];
}

/* Eight bytes at a time: a multiplication by an odd number close to 2^64 divided by the golden
 * ratio mixes upward, the shift brings it down again. Names of C++ are long, and a library has
 * sixty thousand. */
static uint64_t string_hash(const char *string, size_t length)
{
	uint64_t hash = length, word;

	for (; length >= sizeof word; length -= sizeof word, string += sizeof word) {
		memcpy(&word, string, sizeof word);
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	word = 0;
	memcpy(&word, string, length);
	hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 32;
}

/* The slot of a string, or the free one where it belongs. */
static uint32_t *string_slot(const struct strings *strings, const char *string, uint64_t hash)
{
	size_t slot = slot_of(hash, strings->slot_count);

	while (strings->slots[slot] != 0 &&
	       (strings->hashes[strings->slots[slot] - 1] != hash ||
		strcmp(strings->items[strings->slots[slot] - 1], string) != 0))
		slot = (slot + 1) & (strings->slot_count - 1);
	return &strings->slots[slot];
}

/* Strings are not looked at: all of them differ. */
static void strings_grow(struct strings *strings)
{
	size_t i, slot;

	strings->capacity = strings->capacity == 0 ? 512 : strings->capacity * 4;
	strings->items = reallocarray(strings->items, strings->capacity, sizeof *strings->items);
	strings->hashes = reallocarray(strings->hashes, strings->capacity, sizeof *strings->hashes);
	if (strings->items == NULL || strings->hashes == NULL)
		arena_out_of_memory();
	free(strings->slots);
	strings->slot_count = strings->capacity * 2;
	strings->slots = zeroed(strings->slot_count, sizeof *strings->slots);
	for (i = 0; i < strings->count; i++) {
		slot = slot_of(strings->hashes[i], strings->slot_count);
		while (strings->slots[slot] != 0)
			slot = (slot + 1) & (strings->slot_count - 1);
		strings->slots[slot] = (uint32_t)i + 1;
	}
}

void strings_init(struct strings *strings)
{
	*strings = (struct strings){ 0 };
	strings_grow(strings);
	strings->items[0] = "";
	strings->hashes[0] = string_hash("", 0);
	strings->count = 1;
	*string_slot(strings, "", strings->hashes[0]) = 1;
}

void strings_release(struct strings *strings)
{
	free(strings->items);
	free(strings->hashes);
	free(strings->slots);
	*strings = (struct strings){ 0 };
}

uint32_t strings_intern(struct strings *strings, struct arena *arena, const char *string)
{
	size_t length = strlen(string);
	uint64_t hash = string_hash(string, length);
	uint32_t *slot = string_slot(strings, string, hash);

	if (*slot != 0)
		return *slot - 1;
	if (strings->count == strings->capacity) {
		strings_grow(strings);
		slot = string_slot(strings, string, hash);
	}
	strings->items[strings->count] = arena_strndup(arena, string, length);
	strings->hashes[strings->count++] = hash;
	*slot = (uint32_t)strings->count;
	return *slot - 1;
}
