/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_PEER_CK_TICKET_H
#define SPECIMENS_SPINLOCKS_PEER_CK_TICKET_H

#include <ck_spinlock.h>
#include <stdbool.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/* Of Concurrency Kit, whose locks are headers alone (package libck-dev). */
SPECIMEN_INLINE void peer_ck_ticket_init(ck_spinlock_ticket_t *lock)
{
	ck_spinlock_ticket_init(lock);
}

SPECIMEN_INLINE void peer_ck_ticket_lock(ck_spinlock_ticket_t *lock, struct lock_hold *hold)
{
	(void)hold;
	ck_spinlock_ticket_lock(lock);
}

SPECIMEN_INLINE bool peer_ck_ticket_trylock(ck_spinlock_ticket_t *lock, struct lock_hold *hold)
{
	(void)hold;
	return ck_spinlock_ticket_trylock(lock);
}

SPECIMEN_INLINE void peer_ck_ticket_unlock(ck_spinlock_ticket_t *lock, struct lock_hold *hold)
{
	(void)hold;
	ck_spinlock_ticket_unlock(lock);
}

#endif
