/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_TAS_OUTLINE_H
#define SPECIMENS_SPINLOCKS_TAS_OUTLINE_H

#include "specimens/spinlocks/tas.h"

/* To lock is a call, to unlock is inline: the layout of x86 kernels today. */
void tas_outline_take(struct tas *lock);
bool tas_outline_try(struct tas *lock);

#define tas_outline_init(lock) tas_init(lock)

SPECIMEN_INLINE void tas_outline_lock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	tas_outline_take(lock);
}

SPECIMEN_INLINE bool tas_outline_trylock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	return tas_outline_try(lock);
}

SPECIMEN_INLINE void tas_outline_unlock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	tas_release(lock);
}

#endif
