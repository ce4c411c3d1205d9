/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_POSIX_SPIN_H
#define SPECIMENS_SPINLOCKS_POSIX_SPIN_H

#include <pthread.h>
#include <stdbool.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/* The spinlock of the C library. */
SPECIMEN_INLINE void posix_spin_init(pthread_spinlock_t *lock)
{
	pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE);
}

SPECIMEN_INLINE void posix_spin_lock(pthread_spinlock_t *lock, struct lock_hold *hold)
{
	(void)hold;
	pthread_spin_lock(lock);
}

SPECIMEN_INLINE bool posix_spin_trylock(pthread_spinlock_t *lock, struct lock_hold *hold)
{
	(void)hold;
	return pthread_spin_trylock(lock) == 0;
}

SPECIMEN_INLINE void posix_spin_unlock(pthread_spinlock_t *lock, struct lock_hold *hold)
{
	(void)hold;
	pthread_spin_unlock(lock);
}

#endif
