/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the spinlocks: see spinlock.h. */
#include "specimens/spinlocks/spinlock.h"

#define ROW(name) extern const struct spinlock spinlock_##name;
#include "specimens/spinlocks/list.def"
#undef ROW

#define ROW(name) &spinlock_##name,
const struct spinlock *const spinlocks[] = {
#include "specimens/spinlocks/list.def"
	NULL
};
#undef ROW
