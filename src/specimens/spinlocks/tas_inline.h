/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_TAS_INLINE_H
#define SPECIMENS_SPINLOCKS_TAS_INLINE_H

#include "specimens/spinlocks/tas.h"

/* Everything is in the user's code, the loop that waits too. */
#define tas_inline_init(lock) tas_init(lock)

SPECIMEN_INLINE void tas_inline_lock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	tas_spin(lock);
}

SPECIMEN_INLINE bool tas_inline_trylock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	return tas_try(lock);
}

SPECIMEN_INLINE void tas_inline_unlock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	tas_release(lock);
}

#endif
