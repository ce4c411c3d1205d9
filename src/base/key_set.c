/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of hashes by open addressing: see key_set.h. */
#include "base/key_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { FIRST_CAPACITY = 16 };

/* FNV-1a, with the high bits folded into those that choose the slot; never 0. */
static uint64_t hash_key(const char *key, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325;
	size_t i;

	for (i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)key[i]) * 0x100000001b3;
	hash ^= hash >> 32;
	return hash == 0 ? 1 : hash;
}

static bool insert(uint64_t *slots, size_t capacity, uint64_t hash)
{
	size_t at = hash & (capacity - 1);

	while (slots[at] != 0) {
		if (slots[at] == hash)
			return false;
		at = (at + 1) & (capacity - 1);
	}
	slots[at] = hash;
	return true;
}

static uint64_t *make_slots(size_t capacity)
{
	uint64_t *slots = calloc(capacity, sizeof *slots);

	if (slots == NULL)
		arena_out_of_memory();
	return slots;
}

static void grow(struct key_set *set)
{
	size_t capacity = set->capacity * 2, i;
	uint64_t *slots = make_slots(capacity);

	for (i = 0; i < set->capacity; i++)
		if (set->slots[i] != 0)
			insert(slots, capacity, set->slots[i]);
	free(set->slots);
	set->slots = slots;
	set->capacity = capacity;
}

void key_set_release(struct key_set *set)
{
	free(set->slots);
	*set = (struct key_set){ 0 };
}

/* A large table goes back to a small one, so that one large object does not make each of a million
 * small ones behind it expensive to clear. */
void key_set_clear(struct key_set *set)
{
	if (set->capacity != FIRST_CAPACITY) {
		key_set_release(set);
		set->slots = make_slots(FIRST_CAPACITY);
		set->capacity = FIRST_CAPACITY;
	}
	memset(set->slots, 0, FIRST_CAPACITY * sizeof *set->slots);
	set->count = 0;
}

bool key_set_add(struct key_set *set, const char *key, size_t length)
{
	if (set->count * 4 >= set->capacity * 3)
		grow(set);
	set->count++;
	return insert(set->slots, set->capacity, hash_key(key, length));
}
