/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nothing is stored at all: an answer without a reference, which is what a stat
 * needs that copies what it wants inside the read section. The bound for what a
 * walk can gain, and for two threads that look up the same file.
 */
#include "specimens/paths/free_walk.h"

SPECIMEN_INLINE bool store_free_bare_find(struct path_cache *cache, struct path_thread *thread,
					  const char *path, size_t length,
					  struct path_handle *found)
{
	struct path_tree *tree = (struct path_tree *)cache;
	struct path_entry *entry;
	struct free_walk at;

	found->id = 0;
	found->entry = NULL;
	rcu_enter();
	if (free_walk(tree, path, length, &at) && entry_is_since(at.entry, at.sequence))
		found->id = at.entry->id;
	rcu_leave();
	if (__builtin_expect(found->id != 0, 1))
		return true;
	entry = free_walk_fall_back(tree, thread, path, length);
	if (entry == NULL)
		return false;
	found->id = entry->id;
	tree_put(tree, entry);
	return true;
}

SPECIMEN_INLINE void store_free_bare_put(struct path_cache *cache, struct path_handle *found)
{
	(void)cache;
	(void)found;
}

PATH_LOOKUPS(store_free_bare)

const struct path_kind path_store_free_bare = {
	.name = "store-free-bare",
	.summary = "RCU and sequence counts, no reference: a bound",
	PATH_TREE_FUNCTIONS_OF(store_free_bare),
};
