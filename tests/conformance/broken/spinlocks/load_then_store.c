/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: tests, and then sets; two threads that test before either sets are both inside. */
#include "specimens/spinlocks/tas.h"

#include "specimens/spinlocks/spinlock.h"

#define load_then_store_init(lock) tas_init(lock)

static bool load_then_store_trylock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	if (atomic_load_explicit(&lock->word, memory_order_acquire) != 0)
		return false;
	SPECIMEN_STEP();
	atomic_store_explicit(&lock->word, 1, memory_order_relaxed);
	return true;
}

static void load_then_store_lock(struct tas *lock, struct lock_hold *hold)
{
	while (!load_then_store_trylock(lock, hold))
		SPECIMEN_PAUSE();
}

static void load_then_store_unlock(struct tas *lock, struct lock_hold *hold)
{
	(void)hold;
	tas_release(lock);
}

SPINLOCK_FUNCTIONS(load_then_store, struct tas)

const struct spinlock spinlock_load_then_store = {
	.name = "broken: load-then-store",
	.excludes = true,
	SPINLOCK_FUNCTIONS_OF(load_then_store, struct tas),
};
