/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_TAS_SPLIT_H
#define SPECIMENS_SPINLOCKS_TAS_SPLIT_H

#include "specimens/spinlocks/tas.h"

/*
 * The fast path is in the user's code, the loop that waits is shared: the shape
 * of the kernel's queued spinlocks.
 */
void tas_split_slow(struct tas *lock);

#define tas_split_init(lock) tas_init(lock)

SPECIMEN_INLINE void tas_split_lock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	if (__builtin_expect(!tas_take(lock), 0))
		tas_split_slow(lock);
}

SPECIMEN_INLINE bool tas_split_trylock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	return tas_try(lock);
}

SPECIMEN_INLINE void tas_split_unlock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	tas_release(lock);
}

#endif
