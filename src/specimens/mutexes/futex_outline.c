/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mutex of three states, lock and unlock by calls. */
#include "specimens/mutexes/futex_outline.h"

#include "specimens/mutexes/mutex.h"

SPECIMEN_OUT_OF_LINE void futex_outline_take(struct futex_mutex *mutex)
{
	if (__builtin_expect(!futex_mutex_try(mutex), 0))
		futex_mutex_wait(mutex, 0);
}

SPECIMEN_OUT_OF_LINE void futex_outline_drop(struct futex_mutex *mutex)
{
	if (__builtin_expect(futex_mutex_release(mutex), 0))
		futex_mutex_wake(mutex);
}

MUTEX_FUNCTIONS(futex_outline, struct futex_mutex)

const struct mutex mutex_futex_outline = {
	.name = "futex-outline",
	.summary = "three states on a futex, all out of line",
	.destroy_safe = true,
	MUTEX_FUNCTIONS_OF(futex_outline, struct futex_mutex),
};
