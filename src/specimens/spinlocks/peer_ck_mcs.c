/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A peer, where its header is installed: ck's MCS lock. */
#include "specimens/spinlocks/spinlock.h"

#if __has_include(<ck_spinlock.h>)

#include "specimens/spinlocks/peer_ck_mcs.h"

SPINLOCK_FUNCTIONS(peer_ck_mcs, ck_spinlock_mcs_queue_t)

const struct spinlock spinlock_peer_ck_mcs = {
	.name = "ck-mcs",
	.summary = "ck's MCS lock",
	.fair = true,
	.excludes = true,
	.opaque = true,
	SPINLOCK_FUNCTIONS_OF(peer_ck_mcs, ck_spinlock_mcs_queue_t),
};

#else

const struct spinlock spinlock_peer_ck_mcs = {
	.name = "ck-mcs",
	.summary = "ck's MCS lock",
	.excludes = true,
	.absent = "it was built without Concurrency Kit (package libck-dev)",
};

#endif
