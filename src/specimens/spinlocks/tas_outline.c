/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test and set: lock by a call, unlock inline. */
#include "specimens/spinlocks/tas_outline.h"

#include "specimens/spinlocks/spinlock.h"

SPECIMEN_OUT_OF_LINE void tas_outline_take(struct tas *lock)
{
	tas_spin(lock);
}

SPECIMEN_OUT_OF_LINE bool tas_outline_try(struct tas *lock)
{
	return tas_try(lock);
}

SPINLOCK_FUNCTIONS(tas_outline, struct tas)

const struct spinlock spinlock_tas_outline = {
	.name = "tas-outline",
	.summary = "test and set, lock out of line, unlock inline",
	.excludes = true,
	SPINLOCK_FUNCTIONS_OF(tas_outline, struct tas),
};
