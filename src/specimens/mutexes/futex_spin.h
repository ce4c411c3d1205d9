/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_MUTEXES_FUTEX_SPIN_H
#define SPECIMENS_MUTEXES_FUTEX_SPIN_H

#include "specimens/mutexes/futex.h"

/*
 * Spins a fixed number of times before it sleeps. Whether the holder runs is
 * what one would like to know, and user space does not; such constants go stale
 * (glibc 2.36 and WebKit had to tune theirs again).
 */
enum { FUTEX_SPIN_LOOKS = 100 };

#define futex_spin_init(mutex) futex_mutex_init(mutex)
#define futex_spin_destroy(mutex) ((void)(mutex))

SPECIMEN_INLINE void futex_spin_lock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	if (__builtin_expect(!futex_mutex_try(mutex), 0))
		futex_mutex_wait(mutex, FUTEX_SPIN_LOOKS);
}

SPECIMEN_INLINE bool futex_spin_trylock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	return futex_mutex_try(mutex);
}

SPECIMEN_INLINE void futex_spin_unlock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	if (__builtin_expect(futex_mutex_release(mutex), 0))
		futex_mutex_wake(mutex);
}

#endif
