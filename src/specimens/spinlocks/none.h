/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_NONE_H
#define SPECIMENS_SPINLOCKS_NONE_H

#include <stdbool.h>
#include <stdint.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/* No lock at all: what the studies subtract, and what the conformance suite must catch. */
struct none {
	uint32_t unused;
};

#define none_init(lock) ((void)((lock)->unused = 0))

SPECIMEN_INLINE void none_lock(struct none *lock, struct lock_hold *hold)
{
	(void)hold;
	(void)lock;
}

SPECIMEN_INLINE bool none_trylock(struct none *lock, struct lock_hold *hold)
{
	(void)hold;
	(void)lock;
	return true;
}

SPECIMEN_INLINE void none_unlock(struct none *lock, struct lock_hold *hold)
{
	(void)hold;
	(void)lock;
}

#endif
