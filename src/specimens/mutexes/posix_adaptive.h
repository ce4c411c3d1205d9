/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_MUTEXES_POSIX_ADAPTIVE_H
#define SPECIMENS_MUTEXES_POSIX_ADAPTIVE_H

#include <pthread.h>
#include <stdbool.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/* The C library's; elided to plain stores while the process has one thread (glibc since 2.34). */
SPECIMEN_INLINE void posix_adaptive_init(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_init(mutex, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

SPECIMEN_INLINE void posix_adaptive_destroy(pthread_mutex_t *mutex)
{
	pthread_mutex_destroy(mutex);
}

SPECIMEN_INLINE void posix_adaptive_lock(pthread_mutex_t *mutex, struct lock_hold *hold)
{
	(void)hold;
	pthread_mutex_lock(mutex);
}

SPECIMEN_INLINE bool posix_adaptive_trylock(pthread_mutex_t *mutex, struct lock_hold *hold)
{
	(void)hold;
	return pthread_mutex_trylock(mutex) == 0;
}

SPECIMEN_INLINE void posix_adaptive_unlock(pthread_mutex_t *mutex, struct lock_hold *hold)
{
	(void)hold;
	pthread_mutex_unlock(mutex);
}

#endif
