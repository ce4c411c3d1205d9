/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_MUTEXES_FUTEX_INLINE_H
#define SPECIMENS_MUTEXES_FUTEX_INLINE_H

#include "specimens/mutexes/futex.h"

/* The fast paths are in the user's code; waiting and waking are shared. */
#define futex_inline_init(mutex) futex_mutex_init(mutex)
#define futex_inline_destroy(mutex) ((void)(mutex))

SPECIMEN_INLINE void futex_inline_lock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	if (__builtin_expect(!futex_mutex_try(mutex), 0))
		futex_mutex_wait(mutex, 0);
}

SPECIMEN_INLINE bool futex_inline_trylock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	return futex_mutex_try(mutex);
}

SPECIMEN_INLINE void futex_inline_unlock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	if (__builtin_expect(futex_mutex_release(mutex), 0))
		futex_mutex_wake(mutex);
}

#endif
