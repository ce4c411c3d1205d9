/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_PATHS_WALK_H
#define SPECIMENS_PATHS_WALK_H

#include "specimens/paths/tree.h"

/*
 * The walk with references, as of the kernel from 2.5.62 to 2.6.37: of each
 * directory on the way it holds one, so that between two steps it could sleep
 * and nothing would vanish below it. Within a step the chain is kept by a read
 * section. How an entry is taken is the variants' own.
 */
enum walk_taken {
	WALK_OTHER, /* it is another entry */
	WALK_TAKEN, /* it is the one, with a reference */
	WALK_AGAIN, /* it was changed meanwhile */
};

/* Inside a read section. */
typedef enum walk_taken (*walk_take)(struct path_tree *tree, struct path_entry *entry,
				     const struct path_entry *parent, const struct path_name *name);

/* Steps taken once more before a walk holds changes off: a writer may be preempted. */
enum { WALK_ATTEMPTS = 32 };

/* One pass over a chain. */
SPECIMEN_INLINE enum walk_taken walk_chain(struct path_tree *tree, const struct path_entry *parent,
					   const struct path_name *name, walk_take take,
					   struct path_entry **child)
{
	enum walk_taken taken = WALK_OTHER;
	struct path_entry *entry;

	rcu_enter();
	for (entry = tree_first(tree, parent, name->hash); entry != NULL;
	     entry = entry_next(entry)) {
		taken = take(tree, entry, parent, name);
		if (taken != WALK_OTHER)
			break;
	}
	rcu_leave();
	*child = entry;
	return taken;
}

/* WALK_AGAIN: it gave up. */
SPECIMEN_INLINE enum walk_taken walk_step(struct path_tree *tree, struct path_thread *thread,
					  const struct path_entry *parent,
					  const struct path_name *name, walk_take take,
					  struct path_entry **child)
{
	enum walk_taken taken;
	uint32_t sequence, attempt;

	for (attempt = 0; attempt < WALK_ATTEMPTS; attempt++) {
		sequence = atomic_load_explicit(&tree->rename_sequence, memory_order_acquire);
		SPECIMEN_STEP();
		taken = walk_chain(tree, parent, name, take, child);
		if (taken == WALK_TAKEN)
			return taken;
		if (taken == WALK_OTHER && sequence % 2 == 0 &&
		    atomic_load_explicit(&tree->rename_sequence, memory_order_relaxed) == sequence)
			return taken;
		thread->retries++;
		SPECIMEN_PAUSE();
	}
	return WALK_AGAIN;
}

static SPECIMEN_OUT_OF_LINE struct path_entry *
walk_locked(struct path_tree *tree, struct path_thread *thread, const char *path, size_t length)
{
	struct path_entry *entry;

	thread->locked++;
	tree_lock(tree);
	entry = tree_walk_locked(tree, path, length);
	tree_unlock(tree);
	return entry;
}

/* With a reference; NULL: it is not there. */
SPECIMEN_INLINE struct path_entry *walk(struct path_tree *tree, struct path_thread *thread,
					const char *path, size_t length, walk_take take)
{
	struct path_cursor cursor = path_cursor_of(path, length);
	struct path_entry *current = tree->root, *child;
	struct path_name name;
	enum walk_taken taken;

	atomic_fetch_add_explicit(&current->count, 1, memory_order_acquire);
	while (tree_next_name(tree, &cursor, &name)) {
		taken = walk_step(tree, thread, current, &name, take, &child);
		tree_put(tree, current);
		if (__builtin_expect(taken != WALK_TAKEN, 0))
			return taken == WALK_OTHER ? NULL : walk_locked(tree, thread, path, length);
		current = child;
	}
	return current;
}

/* Without a lock: read, take a reference, look whether it is still what was read. */
SPECIMEN_INLINE enum walk_taken walk_take_atomic(struct path_tree *tree, struct path_entry *entry,
						 const struct path_entry *parent,
						 const struct path_name *name)
{
	uint32_t sequence = entry_sequence(entry);

	if (!entry_is(entry, parent, name))
		return WALK_OTHER;
	if (!entry_take(entry))
		return WALK_AGAIN;
	if (sequence % 2 == 0 && entry_is_since(entry, sequence))
		return WALK_TAKEN;
	tree_put(tree, entry);
	return WALK_AGAIN;
}

#endif
