/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_TICKET_H
#define SPECIMENS_SPINLOCKS_TICKET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/*
 * A ticket lock: in order of arrival. Two counters of 16 bits, who is next and
 * who is served; they wrap, so they are compared for equality only, and at most
 * 65535 threads may wait. Who has drawn a ticket cannot give up, so trylock
 * draws one only together with being served, by one compare-and-exchange of
 * both.
 */
struct ticket {
	union {
		_Atomic uint32_t both; /* next in the upper half, on any machine */
		struct {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
			_Atomic uint16_t served, next;
#else
			_Atomic uint16_t next, served;
#endif
		};
	};
};

enum { TICKET_NEXT = 1 << 16 };

/* Out of line: until this ticket is served. */
void ticket_wait(struct ticket *lock, uint16_t mine);

SPECIMEN_INLINE void ticket_init(struct ticket *lock)
{
	atomic_init(&lock->both, 0);
}

SPECIMEN_INLINE void ticket_lock(struct ticket *lock, struct lock_hold *hold)
{
	uint32_t both = atomic_fetch_add_explicit(&lock->both, TICKET_NEXT, memory_order_acquire);

	(void)hold;
	if (__builtin_expect((uint16_t)both != both >> 16, 0))
		ticket_wait(lock, (uint16_t)(both >> 16));
}

SPECIMEN_INLINE bool ticket_trylock(struct ticket *lock, struct lock_hold *hold)
{
	uint32_t both = atomic_load_explicit(&lock->both, memory_order_relaxed);

	(void)hold;
	if ((uint16_t)both != both >> 16)
		return false;
	SPECIMEN_STEP();
	return atomic_compare_exchange_strong_explicit(&lock->both, &both, both + TICKET_NEXT,
						       memory_order_acquire, memory_order_relaxed);
}

/* Only the holder changes what is served. */
SPECIMEN_INLINE void ticket_unlock(struct ticket *lock, struct lock_hold *hold)
{
	uint16_t served = atomic_load_explicit(&lock->served, memory_order_relaxed);

	(void)hold;
	atomic_store_explicit(&lock->served, (uint16_t)(served + 1), memory_order_release);
}

#endif
