/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test and set, inline where it is free, one slow path for all. */
#include "specimens/spinlocks/tas_split.h"

#include "specimens/spinlocks/spinlock.h"

SPECIMEN_OUT_OF_LINE void tas_split_slow(struct tas *lock)
{
	tas_wait(lock);
	tas_spin(lock);
}

SPINLOCK_FUNCTIONS(tas_split, struct tas)

const struct spinlock spinlock_tas_split = {
	.name = "tas-split",
	.summary = "test and set, fast path inline, slow path shared",
	.excludes = true,
	SPINLOCK_FUNCTIONS_OF(tas_split, struct tas),
};
