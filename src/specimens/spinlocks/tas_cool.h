/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_TAS_COOL_H
#define SPECIMENS_SPINLOCKS_TAS_COOL_H

#include "specimens/spinlocks/tas.h"

/*
 * All is a call, so that the text of contended and of uncontended locks is the
 * same few lines: the "cool" layout of 2004.
 */
void tas_cool_take(struct tas *lock);
bool tas_cool_try(struct tas *lock);
void tas_cool_drop(struct tas *lock);

#define tas_cool_init(lock) tas_init(lock)

SPECIMEN_INLINE void tas_cool_lock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	tas_cool_take(lock);
}

SPECIMEN_INLINE bool tas_cool_trylock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	return tas_cool_try(lock);
}

SPECIMEN_INLINE void tas_cool_unlock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	tas_cool_drop(lock);
}

#endif
