/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_PATHS_PATH_H
#define SPECIMENS_PATHS_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "specimens/step.h"

/*
 * Path caches: trees of names that many threads look up by path while others
 * create, remove and rename. The question is what a lookup must write to memory
 * that other threads read, too.
 *
 * A path is absolute ("/usr/lib/libc.so"), without empty parts; "." and ".."
 * are names as any other. Parts have 1 to PATH_NAME_MAXIMUM bytes.
 *
 * A lookup answers as if it had taken each step from a directory to its child
 * at one instant between call and return, one after the other. So a path whose
 * parts keep their names is always found, whatever is renamed around it, and a
 * directory that is moved takes along all that is in it. Changes (create, remove,
 * rename) exclude each other, and none is called by a thread inside a lookup.
 */
enum { PATH_NAME_MAXIMUM = 255 };

struct path_settings {
	uint32_t buckets;   /* of the hash table, a power of 2 */
	uint32_t hash_bits; /* of a name's hash that count, 0 to 32: few make collisions */
	uint32_t deferred;  /* what was removed is freed after a grace period in lots of so many */
};

/* A thread that uses caches. Counts are its own; it reads them when it likes. */
struct path_thread {
	_Alignas(SPECIMEN_APART) uint64_t retries; /* steps that were taken once more */
	uint64_t fallbacks; /* store-free walks that gave up and walked with references */
	uint64_t locked;    /* walks that gave up, too, and held all changes off */
};

/* What was found. The entry lives until it is put, even if it is removed meanwhile. */
struct path_handle {
	uint64_t id; /* as it was created */
	void *entry; /* the variant's; NULL: it holds no reference */
};

struct path_query {
	const char *path;
	size_t length;
	uint64_t id; /* what it must find */
};

struct path_cache;

struct path_kind {
	const char *name;    /* "store-free" */
	const char *summary; /* what a lookup writes */
	const char *absent;  /* why this build does not have it; NULL: it does */
	bool whole_paths;    /* keys are whole paths: a parent need not exist, no directory moves */
	bool opaque;	     /* its atomics are in a library: ThreadSanitizer cannot see them */

	struct path_cache *(*make)(const struct path_settings *settings); /* NULL: no memory */
	/* No thread uses it any more, and all handles are put. */
	void (*release)(struct path_cache *cache);
	/* id > 0. false: it is there, its parent is not or is no directory, or there is no memory.
	 */
	bool (*create)(struct path_cache *cache, const char *path, uint64_t id, bool directory);
	/* false: it is not there, or is a directory that is not empty. */
	bool (*remove)(struct path_cache *cache, const char *path);
	/*
	 * What is at to is replaced, at one instant for who looks up to: a file by a file, an empty
	 * directory by a directory. false: from is not there, to is something else, would lie
	 * below from, or has no parent; or there is no memory.
	 */
	bool (*rename)(struct path_cache *cache, const char *from, const char *to);
	bool (*lookup)(struct path_cache *cache, struct path_thread *thread, const char *path,
		       size_t length, struct path_handle *found);
	void (*put)(struct path_cache *cache, struct path_handle *found);
	/* The id again, from the entry of a handle; 0 if it has none. */
	uint64_t (*peek)(const struct path_handle *found);
	/* Looks up and puts count of them, around, from the one with number first; how many found
	 * something else. Compiled in the variant's own file, so that its walk is in the loop. */
	uint64_t (*lookups)(struct path_cache *cache, struct path_thread *thread,
			    const struct path_query *queries, size_t query_count, uint64_t first,
			    uint64_t count);
	/* A sentence if a rule does not hold now that all is quiet: references, memory, order. */
	const char *(*check)(struct path_cache *cache);
};

/* All, in the order of list.def; ends with NULL. */
extern const struct path_kind *const path_kinds[];

/* Each thread that uses any cache is between these two; the counts stay as they are. */
void path_thread_enter(struct path_thread *thread);
void path_thread_leave(struct path_thread *thread);

/* The loop for a variant with NAME_find() and NAME_put(), and its lookup. */
#define PATH_LOOKUPS(name)                                                                         \
	static bool name##_lookup(struct path_cache *cache, struct path_thread *thread,            \
				  const char *path, size_t length, struct path_handle *found)      \
	{                                                                                          \
		return name##_find(cache, thread, path, length, found);                            \
	}                                                                                          \
                                                                                                   \
	static uint64_t name##_lookups(struct path_cache *cache, struct path_thread *thread,       \
				       const struct path_query *queries, size_t query_count,       \
				       uint64_t first, uint64_t count)                             \
	{                                                                                          \
		const struct path_query *query = queries + first % query_count;                    \
		const struct path_query *end = queries + query_count;                              \
		uint64_t wrong = 0;                                                                \
                                                                                                   \
		for (; count > 0; count--) {                                                       \
			struct path_handle found;                                                  \
                                                                                                   \
			if (name##_find(cache, thread, query->path, query->length, &found)) {      \
				wrong += found.id != query->id;                                    \
				name##_put(cache, &found);                                         \
			} else {                                                                   \
				wrong++;                                                           \
			}                                                                          \
			query = query + 1 == end ? queries : query + 1;                            \
		}                                                                                  \
		return wrong;                                                                      \
	}

#endif
