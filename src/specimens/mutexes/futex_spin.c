/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mutex of three states that looks for a while before it sleeps. */
#include "specimens/mutexes/futex_spin.h"

#include "specimens/mutexes/mutex.h"

MUTEX_FUNCTIONS(futex_spin, struct futex_mutex)

const struct mutex mutex_futex_spin = {
	.name = "futex-spin",
	.summary = "three states on a futex, spins 100 times before it sleeps, fast paths inline",
	.destroy_safe = true,
	MUTEX_FUNCTIONS_OF(futex_spin, struct futex_mutex),
};
