/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_TAS_THUNK_H
#define SPECIMENS_SPINLOCKS_TAS_THUNK_H

#include "specimens/spinlocks/tas.h"

/*
 * To lock is a call that keeps all registers but the flags, so that the user's
 * code spills none around it; an ordinary call costs a site nearly as many bytes
 * as the inlined lock does. To unlock is inline. The call is not known to the
 * compiler as one: code with it must be compiled with -mno-red-zone. Assembler
 * of x86-64 alone.
 */
#define tas_thunk_init(lock) tas_init(lock)

SPECIMEN_INLINE void tas_thunk_lock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
#if defined(__x86_64__)
	__asm__ volatile("call tas_thunk_take" : : "D"(lock) : "memory", "cc");
#else
	tas_spin(lock);
#endif
}

SPECIMEN_INLINE bool tas_thunk_trylock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	return tas_try(lock);
}

SPECIMEN_INLINE void tas_thunk_unlock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	tas_release(lock);
}

#endif
