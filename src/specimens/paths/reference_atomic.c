/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A reference of each directory on the way, taken by one atomic step, without a lock. */
#include "specimens/paths/walk.h"

SPECIMEN_INLINE bool reference_atomic_find(struct path_cache *cache, struct path_thread *thread,
					   const char *path, size_t length,
					   struct path_handle *found)
{
	return tree_found(walk((struct path_tree *)cache, thread, path, length, walk_take_atomic),
			  found);
}

SPECIMEN_INLINE void reference_atomic_put(struct path_cache *cache, struct path_handle *found)
{
	tree_put((struct path_tree *)cache, found->entry);
}

PATH_LOOKUPS(reference_atomic)

const struct path_kind path_reference_atomic = {
	.name = "reference-atomic",
	.summary = "an atomic reference of each part of the path",
	PATH_TREE_FUNCTIONS_OF(reference_atomic),
};
