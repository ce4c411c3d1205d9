/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test and set, all inline: the layout that the argument for out-of-line locks was against. */
#include "specimens/spinlocks/tas_inline.h"

#include "specimens/spinlocks/spinlock.h"

SPINLOCK_FUNCTIONS(tas_inline, struct tas)

const struct spinlock spinlock_tas_inline = {
	.name = "tas-inline",
	.summary = "test and set, all of it inline",
	.excludes = true,
	SPINLOCK_FUNCTIONS_OF(tas_inline, struct tas),
};
