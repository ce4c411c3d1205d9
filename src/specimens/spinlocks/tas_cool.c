/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test and set, lock and unlock by calls. */
#include "specimens/spinlocks/tas_cool.h"

#include "specimens/spinlocks/spinlock.h"

SPECIMEN_OUT_OF_LINE void tas_cool_take(struct tas *lock)
{
	tas_spin(lock);
}

SPECIMEN_OUT_OF_LINE bool tas_cool_try(struct tas *lock)
{
	return tas_try(lock);
}

SPECIMEN_OUT_OF_LINE void tas_cool_drop(struct tas *lock)
{
	tas_release(lock);
}

SPINLOCK_FUNCTIONS(tas_cool, struct tas)

const struct spinlock spinlock_tas_cool = {
	.name = "tas-cool",
	.summary = "test and set, lock and unlock out of line",
	.excludes = true,
	SPINLOCK_FUNCTIONS_OF(tas_cool, struct tas),
};
