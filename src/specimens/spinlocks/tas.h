/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_TAS_H
#define SPECIMENS_SPINLOCKS_TAS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/*
 * Test and set: the one algorithm of the variants that differ in where its code
 * lies. The exchange takes the lock; who fails reads until the lock looks free,
 * which costs no traffic between the caches, and tries again. No bound for who
 * waits.
 */
struct tas {
	_Atomic uint32_t word; /* 0 free, 1 held */
};

SPECIMEN_INLINE void tas_init(struct tas *lock)
{
	atomic_init(&lock->word, 0);
}

SPECIMEN_INLINE bool tas_take(struct tas *lock)
{
	return atomic_exchange_explicit(&lock->word, 1, memory_order_acquire) == 0;
}

SPECIMEN_INLINE void tas_wait(struct tas *lock)
{
	while (atomic_load_explicit(&lock->word, memory_order_relaxed) != 0)
		SPECIMEN_PAUSE();
	SPECIMEN_STEP();
}

SPECIMEN_INLINE void tas_spin(struct tas *lock)
{
	while (!tas_take(lock))
		tas_wait(lock);
}

SPECIMEN_INLINE void tas_release(struct tas *lock)
{
	atomic_store_explicit(&lock->word, 0, memory_order_release);
}

/* Looks first: a failing exchange would take the line from its holder. */
SPECIMEN_INLINE bool tas_try(struct tas *lock)
{
	if (atomic_load_explicit(&lock->word, memory_order_relaxed) != 0)
		return false;
	SPECIMEN_STEP();
	return tas_take(lock);
}

#endif
