/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_SPIN_FOOTPRINT_H
#define WORKLOADS_SPIN_FOOTPRINT_H

#include "specimens/spinlocks/spinlock.h"
#include "workloads/locking/locking.h"

/*
 * A lock among other code. A pass runs footprint bytes of straight-line code
 * that was written at random, with one lock site for each gap bytes: a copy of
 * the site as the compiler made it, where a user's function would have it. So
 * what a site's own bytes cost shows when code no longer fits the caches, and
 * what its calls cost when it does. How it is written: written_code.h.
 */
bool spin_footprint_run(struct work *work, const struct spinlock *spinlock,
			const struct locking_settings *settings, struct error *err);

#endif
