/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_PATHS_WHOLE_H
#define SPECIMENS_PATHS_WHOLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "specimens/paths/entry.h"

/*
 * What the peers keep: a whole path and what it leads to, with references as of
 * entry.h. One look, whatever the depth; but a directory cannot be renamed
 * without finding all that is below it, so none of the peers does that.
 */
struct path_whole {
	_Atomic int32_t count;
	uint32_t length;
	uint64_t id;
	bool directory;
	struct path_retired retired;
	/* The path comes behind it. */
};

static inline char *path_whole_path(const struct path_whole *whole)
{
	return (char *)(whole + 1);
}

static inline uint64_t path_whole_hash(const char *path, size_t length)
{
	struct path_cursor all = path_cursor_of(path, length);
	uint64_t hash = 0;
	size_t at;

	for (at = 0; at < length; at += 8) {
		hash = (hash ^ path_word(&all, path + at)) * NAME_MULTIPLIER;
		hash ^= hash >> 32;
	}
	return hash;
}

static inline void path_whole_init(struct path_whole *whole, const char *path, uint64_t id,
				   bool directory)
{
	atomic_init(&whole->count, 1);
	whole->length = (uint32_t)strlen(path);
	whole->id = id;
	whole->directory = directory;
	memcpy(path_whole_path(whole), path, whole->length);
}

static inline bool path_whole_is(const struct path_whole *whole, const char *path, size_t length)
{
	return whole->length == length && memcmp(path_whole_path(whole), path, length) == 0;
}

/* false: it is dead. */
SPECIMEN_INLINE bool path_whole_take(struct path_whole *whole)
{
	if (atomic_fetch_add_explicit(&whole->count, 1, memory_order_acquire) > 0)
		return true;
	atomic_fetch_sub_explicit(&whole->count, 1, memory_order_relaxed);
	return false;
}

/* true: it was the last. */
SPECIMEN_INLINE bool path_whole_drop(struct path_whole *whole)
{
	int32_t count = atomic_load_explicit(&whole->count, memory_order_relaxed), next;

	do {
		SPECIMEN_STEP();
		next = count == 1 ? ENTRY_DEAD : count - 1;
	} while (!atomic_compare_exchange_weak_explicit(
	    &whole->count, &count, next, memory_order_acq_rel, memory_order_relaxed));
	return next == ENTRY_DEAD;
}

#endif
