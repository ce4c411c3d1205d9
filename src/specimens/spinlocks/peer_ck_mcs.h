/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_PEER_CK_MCS_H
#define SPECIMENS_SPINLOCKS_PEER_CK_MCS_H

#include <ck_spinlock.h>
#include <stdbool.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/* Of Concurrency Kit, whose locks are headers alone (package libck-dev). */
typedef struct ck_spinlock_mcs *ck_spinlock_mcs_queue_t;

SPECIMEN_INLINE void peer_ck_mcs_init(ck_spinlock_mcs_queue_t *lock)
{
	ck_spinlock_mcs_init(lock);
}

SPECIMEN_INLINE void peer_ck_mcs_lock(ck_spinlock_mcs_queue_t *lock, struct lock_hold *hold)
{
	ck_spinlock_mcs_lock(lock, (void *)hold->peer);
}

SPECIMEN_INLINE bool peer_ck_mcs_trylock(ck_spinlock_mcs_queue_t *lock, struct lock_hold *hold)
{
	return ck_spinlock_mcs_trylock(lock, (void *)hold->peer);
}

SPECIMEN_INLINE void peer_ck_mcs_unlock(ck_spinlock_mcs_queue_t *lock, struct lock_hold *hold)
{
	ck_spinlock_mcs_unlock(lock, (void *)hold->peer);
}

#endif
