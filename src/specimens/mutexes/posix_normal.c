/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A peer: the C library's normal mutex. */
#include "specimens/mutexes/posix_normal.h"

#include "specimens/mutexes/mutex.h"

MUTEX_FUNCTIONS(posix_normal, pthread_mutex_t)

const struct mutex mutex_posix_normal = {
	.name = "pthread",
	.summary = "the C library's pthread_mutex, normal",
	.destroy_safe = true,
	MUTEX_FUNCTIONS_OF(posix_normal, pthread_mutex_t),
};
