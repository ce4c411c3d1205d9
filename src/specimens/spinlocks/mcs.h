/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_MCS_H
#define SPECIMENS_SPINLOCKS_MCS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/*
 * The queue of Mellor-Crummey and Scott (TOCS 1991): each waits on a node of its
 * own, so a hand-over moves one line between two caches however many wait. The
 * node is in the holder's lock_hold and must live until the unlock has returned.
 *
 *	tail ---------------------------------.
 *	                                       v
 *	holder's node --next--> node --next--> node (next 0)
 *
 * Between the exchange of the tail and the link, a predecessor that unlocks
 * finds no next and yet is not the tail: it waits for the link.
 */
struct mcs {
	struct queue_node *_Atomic tail; /* NULL: free */
};

/* Out of line: behind a predecessor; to a successor that is there or about to be. */
void mcs_wait(struct queue_node *before, struct queue_node *node);
void mcs_hand_over(struct queue_node *node);

SPECIMEN_INLINE void mcs_init(struct mcs *lock)
{
	atomic_init(&lock->tail, NULL);
}

SPECIMEN_INLINE void mcs_lock(struct mcs *lock, struct lock_hold *hold)
{
	struct queue_node *node = &hold->node, *before;

	atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
	atomic_store_explicit(&node->ready, 0, memory_order_relaxed);
	before = atomic_exchange_explicit(&lock->tail, node, memory_order_acq_rel);
	if (__builtin_expect(before != NULL, 0))
		mcs_wait(before, node);
}

SPECIMEN_INLINE bool mcs_trylock(struct mcs *lock, struct lock_hold *hold)
{
	struct queue_node *node = &hold->node, *none = NULL;

	atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
	SPECIMEN_STEP();
	return atomic_compare_exchange_strong_explicit(&lock->tail, &none, node,
						       memory_order_acq_rel, memory_order_relaxed);
}

SPECIMEN_INLINE void mcs_unlock(struct mcs *lock, struct lock_hold *hold)
{
	struct queue_node *node = &hold->node, *tail = node;

	if (atomic_load_explicit(&node->next, memory_order_relaxed) == NULL) {
		SPECIMEN_STEP();
		if (atomic_compare_exchange_strong_explicit(
			&lock->tail, &tail, NULL, memory_order_release, memory_order_relaxed))
			return;
	}
	mcs_hand_over(node);
}

#endif
