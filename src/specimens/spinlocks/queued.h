/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_QUEUED_H
#define SPECIMENS_SPINLOCKS_QUEUED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/*
 * A queue in four bytes (the semantics of Linux qspinlock, since 4.2, which is
 * an MCS lock whose nodes are per CPU, or here per thread, so that a number
 * names one):
 *
 *	 31            18 17   16 15     9    8     7       0
 *	| thread + 1     | node  | unused | pending | locked |
 *	'------- tail ----------'
 *
 * The first to wait sets pending and spins on the word, so two threads never
 * touch a node. The others queue up; the head of the queue waits for locked and
 * pending to go, and takes the lock. A tail of 0 is none, therefore thread + 1.
 *
 * The exchange of the tail is acquire and release: it publishes the node that
 * it names. (Kernels had it relaxed behind a write barrier, which is not
 * enough under their own memory model: Paolillo et al., arXiv 2111.15240.)
 */
struct queued {
	union {
		_Atomic uint32_t word;
		struct {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
			_Atomic uint8_t locked;
			uint8_t others[3];
#else
			uint8_t others[3];
			_Atomic uint8_t locked;
#endif
		};
	};
};

enum {
	QUEUED_LOCKED = 1,
	QUEUED_LOCKED_MASK = 0xff,
	QUEUED_PENDING = 1 << 8,
	QUEUED_NODE_SHIFT = 16,
	QUEUED_THREAD_SHIFT = 18,
};

#define QUEUED_TAIL_MASK 0xffff0000U

/* Out of line: the word was this, and not 0. */
void queued_wait(struct queued *lock, struct lock_thread *thread, uint32_t word);

SPECIMEN_INLINE void queued_init(struct queued *lock)
{
	atomic_init(&lock->word, 0);
}

SPECIMEN_INLINE void queued_lock(struct queued *lock, struct lock_hold *hold)
{
	uint32_t word = 0;

	if (__builtin_expect(
		!atomic_compare_exchange_strong_explicit(
		    &lock->word, &word, QUEUED_LOCKED, memory_order_acquire, memory_order_relaxed),
		0))
		queued_wait(lock, hold->thread, word);
}

SPECIMEN_INLINE bool queued_trylock(struct queued *lock, struct lock_hold *hold)
{
	uint32_t word = atomic_load_explicit(&lock->word, memory_order_relaxed);

	(void)hold;
	if (word != 0)
		return false;
	SPECIMEN_STEP();
	return atomic_compare_exchange_strong_explicit(&lock->word, &word, QUEUED_LOCKED,
						       memory_order_acquire, memory_order_relaxed);
}

/* Only the holder clears the byte, so a store will do. */
SPECIMEN_INLINE void queued_unlock(struct queued *lock, struct lock_hold *hold)
{
	(void)hold;
	atomic_store_explicit(&lock->locked, 0, memory_order_release);
}

#endif
