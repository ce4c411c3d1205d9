/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing is stored on the way; the last entry is referred to. */
#include "specimens/paths/free_walk.h"

SPECIMEN_INLINE struct path_entry *find_free(struct path_tree *tree, const char *path,
					     size_t length)
{
	struct path_entry *entry = NULL;
	struct free_walk at;

	rcu_enter();
	if (free_walk(tree, path, length, &at) && entry_take(at.entry)) {
		entry = at.entry;
		if (__builtin_expect(!entry_is_since(entry, at.sequence), 0)) {
			tree_put(tree, entry);
			entry = NULL;
		}
	}
	rcu_leave();
	return entry;
}

SPECIMEN_INLINE bool store_free_find(struct path_cache *cache, struct path_thread *thread,
				     const char *path, size_t length, struct path_handle *found)
{
	struct path_tree *tree = (struct path_tree *)cache;
	struct path_entry *entry = find_free(tree, path, length);

	if (__builtin_expect(entry == NULL, 0))
		entry = free_walk_fall_back(tree, thread, path, length);
	return tree_found(entry, found);
}

SPECIMEN_INLINE void store_free_put(struct path_cache *cache, struct path_handle *found)
{
	tree_put((struct path_tree *)cache, found->entry);
}

PATH_LOOKUPS(store_free)

const struct path_kind path_store_free = {
	.name = "store-free",
	.summary = "RCU and sequence counts, a reference of the last part alone",
	PATH_TREE_FUNCTIONS_OF(store_free),
};
