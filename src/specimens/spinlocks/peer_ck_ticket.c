/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A peer, where its header is installed: ck's ticket lock. */
#include "specimens/spinlocks/spinlock.h"

#if __has_include(<ck_spinlock.h>)

#include "specimens/spinlocks/peer_ck_ticket.h"

SPINLOCK_FUNCTIONS(peer_ck_ticket, ck_spinlock_ticket_t)

const struct spinlock spinlock_peer_ck_ticket = {
	.name = "ck-ticket",
	.summary = "ck's ticket lock",
	.fair = true,
	.excludes = true,
	.opaque = true,
	SPINLOCK_FUNCTIONS_OF(peer_ck_ticket, ck_spinlock_ticket_t),
};

#else

const struct spinlock spinlock_peer_ck_ticket = {
	.name = "ck-ticket",
	.summary = "ck's ticket lock",
	.excludes = true,
	.absent = "it was built without Concurrency Kit (package libck-dev)",
};

#endif
