/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A peer: pthread_spin_lock of the C library. */
#include "specimens/spinlocks/posix_spin.h"

#include "specimens/spinlocks/spinlock.h"

SPINLOCK_FUNCTIONS(posix_spin, pthread_spinlock_t)

const struct spinlock spinlock_posix_spin = {
	.name = "pthread-spin",
	.summary = "the C library's pthread_spin",
	.excludes = true,
	SPINLOCK_FUNCTIONS_OF(posix_spin, pthread_spinlock_t),
};
