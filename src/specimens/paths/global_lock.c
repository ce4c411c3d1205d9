/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One lock for all, as the kernel's dcache_lock before 2.5.10: no entry is
 * touched but the last, and no two threads walk at the same time.
 */
#include "specimens/paths/tree.h"

SPECIMEN_INLINE bool global_lock_find(struct path_cache *cache, struct path_thread *thread,
				      const char *path, size_t length, struct path_handle *found)
{
	struct path_tree *tree = (struct path_tree *)cache;
	struct path_cursor cursor = path_cursor_of(path, length);
	struct path_entry *current = tree->root, *parent;
	struct path_name name;

	(void)thread;
	tree_lock(tree);
	while (current != NULL && tree_next_name(tree, &cursor, &name)) {
		parent = current;
		current = tree_first(tree, parent, name.hash);
		while (current != NULL && !entry_is(current, parent, &name))
			current = entry_next(current);
	}
	if (current != NULL && !entry_take(current))
		current = NULL;
	tree_unlock(tree);
	return tree_found(current, found);
}

SPECIMEN_INLINE void global_lock_put(struct path_cache *cache, struct path_handle *found)
{
	tree_put((struct path_tree *)cache, found->entry);
}

PATH_LOOKUPS(global_lock)

const struct path_kind path_global_lock = {
	.name = "global-lock",
	.summary = "one lock around the whole walk",
	PATH_TREE_FUNCTIONS_OF(global_lock),
};
