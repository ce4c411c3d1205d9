/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: sleeps on whatever the state is by then, which may be free. */
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "specimens/mutexes/futex.h"
#include "specimens/mutexes/mutex.h"

#define futex_blind_sleep_init(mutex) futex_mutex_init(mutex)
#define futex_blind_sleep_destroy(mutex) ((void)(mutex))

static void sleep_on(struct futex_mutex *mutex)
{
	SPECIMEN_STEP();
	syscall(SYS_futex, &mutex->state, FUTEX_WAIT_PRIVATE, atomic_load(&mutex->state), NULL,
		NULL, 0);
}

static void futex_blind_sleep_lock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	if (futex_mutex_try(mutex))
		return;
	while (atomic_exchange(&mutex->state, FUTEX_WAITED) != FUTEX_FREE)
		sleep_on(mutex);
}

static bool futex_blind_sleep_trylock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	return futex_mutex_try(mutex);
}

static void futex_blind_sleep_unlock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	if (futex_mutex_release(mutex))
		futex_mutex_wake(mutex);
}

MUTEX_FUNCTIONS(futex_blind_sleep, struct futex_mutex)

const struct mutex mutex_futex_blind_sleep = {
	.name = "broken: futex-blind-sleep",
	.destroy_safe = true,
	MUTEX_FUNCTIONS_OF(futex_blind_sleep, struct futex_mutex),
};
