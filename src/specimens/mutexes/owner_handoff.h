/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_MUTEXES_OWNER_HANDOFF_H
#define SPECIMENS_MUTEXES_OWNER_HANDOFF_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/*
 * A mutex whose word has the owner, one waiter who will be given it, and how
 * many wait; numbers are thread + 1, and 0 is nobody:
 *
 *	 31      24 23        12 11         0
 *	| waiting  |    heir    |   owner    |
 *
 * The semantics are those of the kernel's mutex since 4.10 (owner word, hand-off
 * to a waiter that was passed over); its list of waiters is left to the futex.
 * Who comes by takes a free mutex at once, whoever waits. A waiter that has
 * found it taken again after two sleeps makes itself the heir; the next unlock
 * gives the mutex to the heir, owner to owner, so nobody can pass it. That
 * bounds how often a waiter is passed over, and costs a switch only then.
 *
 * Waiters are counted exactly, so an unlock knows whether to wake one, and who
 * is woken may come too late without a wake-up being lost: it is still counted.
 * The heir is woken by its own bit of the futex's 32, others that share it look
 * and sleep again. Each change is one compare-and-exchange of the whole word,
 * and the release is the last use of it but for its address.
 */
struct owner_mutex {
	_Atomic uint32_t word;
};

enum {
	OWNER_MASK = 0xfff,
	OWNER_HEIR_SHIFT = 12,
	OWNER_HEIR_MASK = 0xfff << OWNER_HEIR_SHIFT,
	OWNER_WAITER = 1 << 24,
};

/* Out of line: it is held or has waiters; it has waiters. */
void owner_handoff_wait(struct owner_mutex *mutex, uint32_t me);
void owner_handoff_pass(struct owner_mutex *mutex);

#define owner_handoff_destroy(mutex) ((void)(mutex))

SPECIMEN_INLINE void owner_handoff_init(struct owner_mutex *mutex)
{
	atomic_init(&mutex->word, 0);
}

SPECIMEN_INLINE void owner_handoff_lock(struct owner_mutex *mutex, struct lock_hold *hold)
{
	uint32_t free = 0, me = hold->thread->index + 1;

	if (__builtin_expect(!atomic_compare_exchange_strong_explicit(&mutex->word, &free, me,
								      memory_order_acquire,
								      memory_order_relaxed),
			     0))
		owner_handoff_wait(mutex, me);
}

SPECIMEN_INLINE bool owner_handoff_trylock(struct owner_mutex *mutex, struct lock_hold *hold)
{
	uint32_t word = atomic_load_explicit(&mutex->word, memory_order_relaxed);

	if ((word & OWNER_MASK) != 0)
		return false;
	SPECIMEN_STEP();
	return atomic_compare_exchange_strong_explicit(&mutex->word, &word,
						       word | (hold->thread->index + 1),
						       memory_order_acquire, memory_order_relaxed);
}

SPECIMEN_INLINE void owner_handoff_unlock(struct owner_mutex *mutex, struct lock_hold *hold)
{
	uint32_t mine = hold->thread->index + 1;

	if (__builtin_expect(!atomic_compare_exchange_strong_explicit(&mutex->word, &mine, 0,
								      memory_order_release,
								      memory_order_relaxed),
			     0))
		owner_handoff_pass(mutex);
}

#endif
