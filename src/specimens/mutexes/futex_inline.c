/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mutex of three states with its fast paths inline: one compare-and-exchange each way. */
#include "specimens/mutexes/futex_inline.h"

#include "specimens/mutexes/mutex.h"

MUTEX_FUNCTIONS(futex_inline, struct futex_mutex)

const struct mutex mutex_futex_inline = {
	.name = "futex-inline",
	.summary = "three states on a futex, fast paths inline",
	.destroy_safe = true,
	MUTEX_FUNCTIONS_OF(futex_inline, struct futex_mutex),
};
