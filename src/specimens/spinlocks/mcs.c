/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue of Mellor-Crummey and Scott; fast path inline. */
#include "specimens/spinlocks/mcs.h"

#include "specimens/spinlocks/spinlock.h"

SPECIMEN_OUT_OF_LINE void mcs_wait(struct queue_node *before, struct queue_node *node)
{
	SPECIMEN_STEP();
	atomic_store_explicit(&before->next, node, memory_order_release);
	while (atomic_load_explicit(&node->ready, memory_order_acquire) == 0)
		SPECIMEN_PAUSE();
}

SPECIMEN_OUT_OF_LINE void mcs_hand_over(struct queue_node *node)
{
	struct queue_node *next;

	while ((next = atomic_load_explicit(&node->next, memory_order_acquire)) == NULL)
		SPECIMEN_PAUSE();
	SPECIMEN_STEP();
	atomic_store_explicit(&next->ready, 1, memory_order_release);
}

SPINLOCK_FUNCTIONS(mcs, struct mcs)

const struct spinlock spinlock_mcs = {
	.name = "mcs",
	.summary = "a queue of nodes, each waits on its own",
	.fair = true,
	.excludes = true,
	SPINLOCK_FUNCTIONS_OF(mcs, struct mcs),
};
