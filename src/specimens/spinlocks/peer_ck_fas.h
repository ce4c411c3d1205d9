/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_PEER_CK_FAS_H
#define SPECIMENS_SPINLOCKS_PEER_CK_FAS_H

#include <ck_spinlock.h>
#include <stdbool.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/* Of Concurrency Kit, whose locks are headers alone (package libck-dev). */
SPECIMEN_INLINE void peer_ck_fas_init(ck_spinlock_fas_t *lock)
{
	ck_spinlock_fas_init(lock);
}

SPECIMEN_INLINE void peer_ck_fas_lock(ck_spinlock_fas_t *lock, struct lock_hold *hold)
{
	(void)hold;
	ck_spinlock_fas_lock(lock);
}

SPECIMEN_INLINE bool peer_ck_fas_trylock(ck_spinlock_fas_t *lock, struct lock_hold *hold)
{
	(void)hold;
	return ck_spinlock_fas_trylock(lock);
}

SPECIMEN_INLINE void peer_ck_fas_unlock(ck_spinlock_fas_t *lock, struct lock_hold *hold)
{
	(void)hold;
	ck_spinlock_fas_unlock(lock);
}

#endif
