/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: looks at the mutex once more after its release, when it may be gone. */
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "specimens/mutexes/futex.h"
#include "specimens/mutexes/mutex.h"

#define futex_touch_after_init(mutex) futex_mutex_init(mutex)
#define futex_touch_after_destroy(mutex) ((void)(mutex))

static void futex_touch_after_lock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	if (!futex_mutex_try(mutex))
		futex_mutex_wait(mutex, 0);
}

static bool futex_touch_after_trylock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	return futex_mutex_try(mutex);
}

static void futex_touch_after_unlock(struct futex_mutex *mutex, struct lock_hold *hold)
{
	(void)hold;
	bool waited = futex_mutex_release(mutex);

	SPECIMEN_STEP();
	if (waited && atomic_load(&mutex->state) == FUTEX_FREE)
		futex_mutex_wake(mutex);
	SPECIMEN_STEP();
	if (atomic_load(&mutex->state) == FUTEX_WAITED)
		futex_mutex_wake(mutex);
}

MUTEX_FUNCTIONS(futex_touch_after, struct futex_mutex)

const struct mutex mutex_futex_touch_after = {
	.name = "broken: futex-touch-after",
	.destroy_safe = true,
	MUTEX_FUNCTIONS_OF(futex_touch_after, struct futex_mutex),
};
