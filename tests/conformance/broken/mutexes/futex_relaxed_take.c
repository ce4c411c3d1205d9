/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: what is done under it may be done before it is taken. */
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "specimens/mutexes/futex.h"
#include "specimens/mutexes/mutex.h"

#define futex_relaxed_take_init(mutex) futex_mutex_init(mutex)
#define futex_relaxed_take_destroy(mutex) ((void)(mutex))

static void futex_relaxed_take_lock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	uint32_t state = FUTEX_FREE;

	while (!atomic_compare_exchange_strong_explicit(
	    &mutex->state, &state, FUTEX_HELD, memory_order_relaxed, memory_order_relaxed)) {
		SPECIMEN_PAUSE();
		state = FUTEX_FREE;
	}
}

static bool futex_relaxed_take_trylock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	return futex_mutex_try(mutex);
}

static void futex_relaxed_take_unlock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	if (futex_mutex_release(mutex))
		futex_mutex_wake(mutex);
}

MUTEX_FUNCTIONS(futex_relaxed_take, struct futex_mutex)

const struct mutex mutex_futex_relaxed_take = {
	.name = "broken: futex-relaxed-take",
	.destroy_safe = true,
	MUTEX_FUNCTIONS_OF(futex_relaxed_take, struct futex_mutex),
};
