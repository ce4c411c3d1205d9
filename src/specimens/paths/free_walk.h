/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_PATHS_FREE_WALK_H
#define SPECIMENS_PATHS_FREE_WALK_H

#include "specimens/paths/walk.h"

/*
 * The walk that stores nothing, as the kernel's since 2.6.38 (rcu-walk): all of
 * it is one read section, and of each entry the sequence is kept instead of a
 * reference.
 *
 *	child's sequence -> child's parent and name -> its parent's sequence again
 *
 * That the directory has not changed after its child's sequence was read makes
 * a chain of moments in which each link held. Whatever is not as before, a miss
 * among it, ends the walk without an answer; the walk with references has one.
 */
struct free_walk {
	struct path_entry *entry; /* the last; not yet known to be the one */
	uint32_t sequence;	  /* of it, when it was */
};

/* Inside a read section. false: no answer. */
SPECIMEN_INLINE bool free_walk_step(const struct path_tree *tree, struct free_walk *at,
				    const struct path_name *name)
{
	struct path_entry *parent = at->entry, *child;
	uint32_t sequence;

	for (child = tree_first(tree, parent, name->hash); child != NULL;
	     child = entry_next(child)) {
		/* Without waiting for an even one: then no later look finds it unchanged. */
		sequence = entry_sequence(child) & ~UINT32_C(1);
		SPECIMEN_STEP();
		if (entry_is(child, parent, name))
			break;
	}
	if (__builtin_expect(child == NULL, 0) || !entry_is_since(parent, at->sequence))
		return false;
	*at = (struct free_walk){ .entry = child, .sequence = sequence };
	return true;
}

/* Inside a read section. false: no answer; true: the entry is right if its sequence still is. */
SPECIMEN_INLINE bool free_walk(const struct path_tree *tree, const char *path, size_t length,
			       struct free_walk *at)
{
	struct path_cursor cursor = path_cursor_of(path, length);
	struct path_name name;

	*at = (struct free_walk){ .entry = tree->root, .sequence = 0 };
	while (tree_next_name(tree, &cursor, &name))
		if (__builtin_expect(!free_walk_step(tree, at, &name), 0))
			return false;
	return true;
}

/* With a reference, or NULL. */
static SPECIMEN_OUT_OF_LINE struct path_entry *free_walk_fall_back(struct path_tree *tree,
								   struct path_thread *thread,
								   const char *path, size_t length)
{
	thread->fallbacks++;
	return walk(tree, thread, path, length, walk_take_atomic);
}

#endif
