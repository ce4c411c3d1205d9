/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A peer: the C library's adaptive mutex. */
#include "specimens/mutexes/posix_adaptive.h"

#include "specimens/mutexes/mutex.h"

MUTEX_FUNCTIONS(posix_adaptive, pthread_mutex_t)

const struct mutex mutex_posix_adaptive = {
	.name = "pthread-adaptive",
	.summary = "the C library's pthread_mutex, adaptive",
	.destroy_safe = true,
	MUTEX_FUNCTIONS_OF(posix_adaptive, pthread_mutex_t),
};
