/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_PATHS_TREE_H
#define SPECIMENS_PATHS_TREE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "specimens/mutexes/futex.h"
#include "specimens/paths/entry.h"
#include "specimens/paths/path.h"
#include "specimens/paths/rcu.h"

/*
 * The tree that the variants walk: entries in one hash table whose keys are a
 * directory and a name, and the changes of it, which are the same for all
 * variants. A change holds the mutex; what walks must know of it is told in
 * three ways: the sequence count of an entry, its lock, and the rename sequence,
 * which is odd while an entry is moved from one chain to another. A walk that
 * stands on such an entry goes on in the other chain and may miss what it looked
 * for: a miss is one only if the rename sequence has not changed since before it.
 *
 * Entries and long names are freed in lots, after a grace period, by changes.
 */
struct path_tree {
	struct path_entry *_Atomic *buckets;
	struct path_entry *root;
	uint32_t bucket_shift; /* of 64 bits of a product; 64 - bits of a bucket's number */
	uint32_t hash_mask;
	uint32_t deferred_most;

	_Alignas(SPECIMEN_APART) _Atomic uint32_t rename_sequence;

	_Alignas(SPECIMEN_APART) struct futex_mutex mutex;
	uint64_t entries; /* in the table */
	struct path_retired *_Atomic retired;
	_Atomic uint64_t retired_count;
	_Atomic uint64_t allocated; /* entries and long names in memory */
};

/* As of path.h. */
struct path_cache *tree_make(const struct path_settings *settings);
void tree_release(struct path_cache *cache);
bool tree_create(struct path_cache *cache, const char *path, uint64_t id, bool directory);
bool tree_remove(struct path_cache *cache, const char *path);
bool tree_rename(struct path_cache *cache, const char *from, const char *to);
uint64_t tree_peek(const struct path_handle *found);
const char *tree_check(struct path_cache *cache);

/* As check, when nothing is retired any more. */
const char *tree_check_quiet(struct path_tree *tree);
/* Under the mutex; with a reference. NULL: it is not there. */
struct path_entry *tree_walk_locked(struct path_tree *tree, const char *path, size_t length);
/* To be freed after a grace period; it is dead. */
void tree_retire(struct path_tree *tree, struct path_entry *entry);

SPECIMEN_INLINE void tree_lock(struct path_tree *tree)
{
	if (__builtin_expect(!futex_mutex_try(&tree->mutex), 0))
		futex_mutex_wait(&tree->mutex, 0);
}

SPECIMEN_INLINE void tree_unlock(struct path_tree *tree)
{
	if (__builtin_expect(futex_mutex_release(&tree->mutex), 0))
		futex_mutex_wake(&tree->mutex);
}

SPECIMEN_INLINE struct path_entry *_Atomic *
tree_bucket(const struct path_tree *tree, const struct path_entry *parent, uint32_t hash)
{
	uint64_t key = ((uint64_t)(uintptr_t)parent << 16 ^ hash) * NAME_MULTIPLIER;

	return &tree->buckets[key >> tree->bucket_shift];
}

/* The next part of a path, with as much of its hash as counts; false: there is none. */
SPECIMEN_INLINE bool tree_next_name(const struct path_tree *tree, struct path_cursor *cursor,
				    struct path_name *name)
{
	if (!path_cursor_next(cursor, name))
		return false;
	name->hash &= tree->hash_mask;
	return true;
}

SPECIMEN_INLINE struct path_entry *tree_first(const struct path_tree *tree,
					      const struct path_entry *parent, uint32_t hash)
{
	return atomic_load_explicit(tree_bucket(tree, parent, hash), memory_order_acquire);
}

SPECIMEN_INLINE struct path_entry *entry_next(const struct path_entry *entry)
{
	SPECIMEN_STEP();
	return atomic_load_explicit(&entry->next, memory_order_acquire);
}

SPECIMEN_INLINE void tree_put(struct path_tree *tree, struct path_entry *entry)
{
	if (__builtin_expect(entry_drop(entry), 0))
		tree_retire(tree, entry);
}

/* Of the variants whose handles are references. */
SPECIMEN_INLINE bool tree_found(struct path_entry *entry, struct path_handle *found)
{
	if (__builtin_expect(entry == NULL, 0))
		return false;
	found->id = entry->id;
	found->entry = entry;
	return true;
}

#define PATH_TREE_FUNCTIONS_OF(kind_name)                                                          \
	.make = tree_make, .release = tree_release, .create = tree_create, .remove = tree_remove,  \
	.rename = tree_rename, .lookup = kind_name##_lookup, .put = kind_name##_put,               \
	.peek = tree_peek, .lookups = kind_name##_lookups, .check = tree_check

#endif
