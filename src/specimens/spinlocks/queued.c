/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A queue in four bytes: see queued.h; fast path inline. */
#include "specimens/spinlocks/queued.h"

#include "specimens/spinlocks/spinlock.h"

/* How long a hand-over from pending to locked is waited for, before queueing up behind it. */
enum { PENDING_LOOKS = 512 };

static uint32_t load(const struct queued *lock)
{
	return atomic_load_explicit(&lock->word, memory_order_relaxed);
}

static uint32_t tail_of(const struct lock_thread *thread, uint32_t depth)
{
	return (thread->index + 1) << QUEUED_THREAD_SHIFT | depth << QUEUED_NODE_SHIFT;
}

static struct queue_node *node_of(const struct lock_thread *thread, uint32_t tail)
{
	return &thread->all[(tail >> QUEUED_THREAD_SHIFT) - 1]
		    .nodes[(tail >> QUEUED_NODE_SHIFT) % LOCK_NESTING];
}

/* The holder will go, and nobody else may take it while pending is ours. */
static void take_as_pending(struct queued *lock)
{
	while ((atomic_load_explicit(&lock->word, memory_order_acquire) & QUEUED_LOCKED_MASK) != 0)
		SPECIMEN_PAUSE();
	SPECIMEN_STEP();
	atomic_fetch_add_explicit(&lock->word, QUEUED_LOCKED - QUEUED_PENDING,
				  memory_order_acquire);
}

/*
 * Whether the lock is ours now. Pending is set by everybody who comes by; who
 * finds it or a tail there goes on to the queue, and takes back only what it
 * has set itself.
 */
static bool try_pending(struct queued *lock, uint32_t word)
{
	int looks = PENDING_LOOKS;

	while (word == QUEUED_PENDING && looks-- > 0) {
		SPECIMEN_PAUSE();
		word = load(lock);
	}
	if ((word & ~(uint32_t)QUEUED_LOCKED_MASK) != 0)
		return false;
	SPECIMEN_STEP();
	word = atomic_fetch_or_explicit(&lock->word, QUEUED_PENDING, memory_order_acquire);
	if ((word & ~(uint32_t)QUEUED_LOCKED_MASK) == 0) {
		take_as_pending(lock);
		return true;
	}
	SPECIMEN_STEP();
	if ((word & QUEUED_PENDING) == 0)
		atomic_fetch_and_explicit(&lock->word, ~(uint32_t)QUEUED_PENDING,
					  memory_order_relaxed);
	return false;
}

/* The tail before. */
static uint32_t exchange_tail(struct queued *lock, uint32_t tail)
{
	uint32_t word = load(lock);

	while (!atomic_compare_exchange_weak_explicit(&lock->word, &word,
						      (word & ~QUEUED_TAIL_MASK) | tail,
						      memory_order_acq_rel, memory_order_relaxed))
		continue;
	return word & QUEUED_TAIL_MASK;
}

static void wait_for_turn(struct lock_thread *thread, struct queue_node *node, uint32_t before)
{
	if (before == 0)
		return;
	SPECIMEN_STEP();
	atomic_store_explicit(&node_of(thread, before)->next, node, memory_order_release);
	while (atomic_load_explicit(&node->ready, memory_order_acquire) == 0)
		SPECIMEN_PAUSE();
}

/* By the head of the queue: whether it was also the last, and the tail is gone with it. */
static bool take_as_head(struct queued *lock, uint32_t tail)
{
	uint32_t word;

	while (((word = atomic_load_explicit(&lock->word, memory_order_acquire)) &
		(QUEUED_LOCKED_MASK | QUEUED_PENDING)) != 0)
		SPECIMEN_PAUSE();
	SPECIMEN_STEP();
	/* Pending may have been set and taken back meanwhile, so the word is read anew. */
	while ((word & QUEUED_TAIL_MASK) == tail)
		if (atomic_compare_exchange_weak_explicit(
			&lock->word, &word, (word & ~QUEUED_TAIL_MASK) | QUEUED_LOCKED,
			memory_order_acquire, memory_order_relaxed))
			return true;
	atomic_fetch_or_explicit(&lock->word, QUEUED_LOCKED, memory_order_acquire);
	return false;
}

static void queue_up(struct queued *lock, struct lock_thread *thread)
{
	uint32_t tail = tail_of(thread, thread->depth);
	struct queue_node *node = &thread->nodes[thread->depth++], *next;

	atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
	atomic_store_explicit(&node->ready, 0, memory_order_relaxed);
	SPECIMEN_STEP();
	wait_for_turn(thread, node, exchange_tail(lock, tail));
	if (!take_as_head(lock, tail)) {
		while ((next = atomic_load_explicit(&node->next, memory_order_acquire)) == NULL)
			SPECIMEN_PAUSE();
		SPECIMEN_STEP();
		atomic_store_explicit(&next->ready, 1, memory_order_release);
	}
	thread->depth--;
}

/* A fifth wait inside four is not queued: it takes its chance. */
static void barge(struct queued *lock)
{
	uint32_t word = 0;

	while (!atomic_compare_exchange_weak_explicit(&lock->word, &word, QUEUED_LOCKED,
						      memory_order_acquire, memory_order_relaxed)) {
		SPECIMEN_PAUSE();
		word = 0;
	}
}

SPECIMEN_OUT_OF_LINE void queued_wait(struct queued *lock, struct lock_thread *thread,
				      uint32_t word)
{
	if (try_pending(lock, word))
		return;
	if (thread->depth < LOCK_NESTING)
		queue_up(lock, thread);
	else
		barge(lock);
}

SPINLOCK_FUNCTIONS(queued, struct queued)

const struct spinlock spinlock_queued = {
	.name = "queued",
	.summary = "a queue in four bytes: pending bit and tail",
	.fair = true,
	.excludes = true,
	SPINLOCK_FUNCTIONS_OF(queued, struct queued),
};
