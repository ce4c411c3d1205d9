/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_MUTEXES_FUTEX_H
#define SPECIMENS_MUTEXES_FUTEX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/*
 * The mutex of three states on a futex (Drepper, "Futexes Are Tricky", the
 * second mutex there).
 *
 *	            lock                       a thread that must wait
 *	 FREE 0 ---------------> HELD 1 -----------------------------------> WAITED 2
 *	  ^  ^------- unlock ------'                                           |  ^
 *	  '----------- unlock: exchange 0, then wake one ---------------------'  '- who has slept
 *	                                                                            takes it so
 *
 * Who has ever slept takes the mutex as WAITED, for it cannot know whether it
 * was the last: taken as HELD, the next unlock would wake nobody. The release
 * is one exchange, and what follows uses the address alone, so the mutex may be
 * gone by then (a wake-up at memory that is something else by now is one that
 * its waiters must expect anyway).
 */
enum futex_state { FUTEX_FREE = 0, FUTEX_HELD = 1, FUTEX_WAITED = 2 };

struct futex_mutex {
	_Atomic uint32_t state;
};

/* Out of line: taking one that is not free, spinning first as often as said; waking one. */
void futex_mutex_wait(struct futex_mutex *mutex, uint32_t spins);
void futex_mutex_wake(struct futex_mutex *mutex);

SPECIMEN_INLINE void futex_mutex_init(struct futex_mutex *mutex)
{
	atomic_init(&mutex->state, FUTEX_FREE);
}

SPECIMEN_INLINE bool futex_mutex_try(struct futex_mutex *mutex)
{
	uint32_t state = FUTEX_FREE;

	return atomic_compare_exchange_strong_explicit(&mutex->state, &state, FUTEX_HELD,
						       memory_order_acquire, memory_order_relaxed);
}

/* Whether somebody may sleep. */
SPECIMEN_INLINE bool futex_mutex_release(struct futex_mutex *mutex)
{
	return atomic_exchange_explicit(&mutex->state, FUTEX_FREE, memory_order_release) ==
	       FUTEX_WAITED;
}

#endif
