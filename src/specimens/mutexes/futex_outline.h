/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_MUTEXES_FUTEX_OUTLINE_H
#define SPECIMENS_MUTEXES_FUTEX_OUTLINE_H

#include "specimens/mutexes/futex.h"

/* All by calls: what kernels settled on. */
void futex_outline_take(struct futex_mutex *mutex);
void futex_outline_drop(struct futex_mutex *mutex);

#define futex_outline_init(mutex) futex_mutex_init(mutex)
#define futex_outline_destroy(mutex) ((void)(mutex))

SPECIMEN_INLINE void futex_outline_lock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	futex_outline_take(mutex);
}

SPECIMEN_INLINE bool futex_outline_trylock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	return futex_mutex_try(mutex);
}

SPECIMEN_INLINE void futex_outline_unlock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	futex_outline_drop(mutex);
}

#endif
