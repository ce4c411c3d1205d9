/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lock and a reference of each directory on the way, as in the kernel since
 * 2.5.62: the lock keeps the name while it is compared and the reference taken.
 */
#include "specimens/paths/walk.h"

SPECIMEN_INLINE enum walk_taken take_locked(struct path_tree *tree, struct path_entry *entry,
					    const struct path_entry *parent,
					    const struct path_name *name)
{
	bool is_it;

	(void)tree;
	if (atomic_load_explicit(&entry->hash, memory_order_relaxed) != name->hash ||
	    atomic_load_explicit(&entry->parent, memory_order_relaxed) != parent)
		return WALK_OTHER;
	entry_lock(entry);
	SPECIMEN_STEP();
	is_it = entry_is(entry, parent, name);
	/* In the tree, so its count is not dead. */
	if (is_it)
		atomic_fetch_add_explicit(&entry->count, 1, memory_order_acquire);
	entry_unlock(entry);
	return is_it ? WALK_TAKEN : WALK_OTHER;
}

SPECIMEN_INLINE bool reference_lock_find(struct path_cache *cache, struct path_thread *thread,
					 const char *path, size_t length, struct path_handle *found)
{
	return tree_found(walk((struct path_tree *)cache, thread, path, length, take_locked),
			  found);
}

SPECIMEN_INLINE void reference_lock_put(struct path_cache *cache, struct path_handle *found)
{
	tree_put((struct path_tree *)cache, found->entry);
}

PATH_LOOKUPS(reference_lock)

const struct path_kind path_reference_lock = {
	.name = "reference-lock",
	.summary = "a lock and a reference of each part of the path",
	PATH_TREE_FUNCTIONS_OF(reference_lock),
};
