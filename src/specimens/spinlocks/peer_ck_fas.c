/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A peer, where its header is installed: ck's fetch-and-store. */
#include "specimens/spinlocks/spinlock.h"

#if __has_include(<ck_spinlock.h>)

#include "specimens/spinlocks/peer_ck_fas.h"

SPINLOCK_FUNCTIONS(peer_ck_fas, ck_spinlock_fas_t)

const struct spinlock spinlock_peer_ck_fas = {
	.name = "ck-fas",
	.summary = "ck's fetch-and-store",

	.excludes = true,
	.opaque = true,
	SPINLOCK_FUNCTIONS_OF(peer_ck_fas, ck_spinlock_fas_t),
};

#else

const struct spinlock spinlock_peer_ck_fas = {
	.name = "ck-fas",
	.summary = "ck's fetch-and-store",
	.excludes = true,
	.absent = "it was built without Concurrency Kit (package libck-dev)",
};

#endif
