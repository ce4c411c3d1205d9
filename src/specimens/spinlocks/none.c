/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No lock: the baseline of sizes and times. */
#include "specimens/spinlocks/none.h"

#include "specimens/spinlocks/spinlock.h"

SPINLOCK_FUNCTIONS(none, struct none)

const struct spinlock spinlock_none = {
	.name = "none",
	.summary = "no lock at all: the baseline",
	SPINLOCK_FUNCTIONS_OF(none, struct none),
};
