/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: who has slept takes it as held, and its unlock wakes no other that sleeps. */
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "specimens/mutexes/futex.h"
#include "specimens/mutexes/mutex.h"

#define futex_lost_waiter_init(mutex) futex_mutex_init(mutex)
#define futex_lost_waiter_destroy(mutex) ((void)(mutex))

static void sleep_on(struct futex_mutex *mutex)
{
	uint32_t held = FUTEX_HELD;

	atomic_compare_exchange_strong(&mutex->state, &held, FUTEX_WAITED);
	SPECIMEN_STEP();
	syscall(SYS_futex, &mutex->state, FUTEX_WAIT_PRIVATE, FUTEX_WAITED, NULL, NULL, 0);
	SPECIMEN_STEP();
}

static void futex_lost_waiter_lock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	while (!futex_mutex_try(mutex))
		sleep_on(mutex);
}

static bool futex_lost_waiter_trylock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	return futex_mutex_try(mutex);
}

static void futex_lost_waiter_unlock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	if (futex_mutex_release(mutex))
		futex_mutex_wake(mutex);
}

MUTEX_FUNCTIONS(futex_lost_waiter, struct futex_mutex)

const struct mutex mutex_futex_lost_waiter = {
	.name = "broken: futex-lost-waiter",
	.destroy_safe = true,
	MUTEX_FUNCTIONS_OF(futex_lost_waiter, struct futex_mutex),
};
