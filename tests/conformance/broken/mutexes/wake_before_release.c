/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: wakes a waiter and then releases; the waiter finds it held, and sleeps for good. */
#include "specimens/mutexes/futex.h"

#include "specimens/mutexes/mutex.h"

#define wake_before_release_init(mutex) futex_mutex_init(mutex)
#define wake_before_release_destroy(mutex) ((void)(mutex))

static void wake_before_release_lock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	if (!futex_mutex_try(mutex))
		futex_mutex_wait(mutex, 0);
}

static bool wake_before_release_trylock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	return futex_mutex_try(mutex);
}

static void wake_before_release_unlock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	if (atomic_load_explicit(&mutex->state, memory_order_relaxed) == FUTEX_WAITED)
		futex_mutex_wake(mutex);
	SPECIMEN_STEP();
	atomic_store_explicit(&mutex->state, FUTEX_FREE, memory_order_release);
}

MUTEX_FUNCTIONS(wake_before_release, struct futex_mutex)

const struct mutex mutex_wake_before_release = {
	.name = "broken: wake-before-release",
	MUTEX_FUNCTIONS_OF(wake_before_release, struct futex_mutex),
};
