/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CONFORMANCE_LOCK_CHECKS_H
#define CONFORMANCE_LOCK_CHECKS_H

#include "harness.h"
#include "specimens/threads.h"

/*
 * Checks that hold for every lock, whether its waiters spin or sleep. A suite
 * puts its kind's descriptor behind these functions.
 */
enum { LOCK_SPACE = 128, LOCK_CREW = 4 };

struct lock_functions {
	void (*init)(void *lock);
	void (*lock)(void *lock, struct lock_hold *hold);
	bool (*trylock)(void *lock, struct lock_hold *hold); /* NULL: none */
	void (*unlock)(void *lock, struct lock_hold *hold);
	bool no_seams; /* a peer: while it spins it gives no CPU away, so no more threads than CPUs,
			* and less of everything */
};

/*
 * Inside the lock a plain counter goes up ten times and down ten times in the
 * next section, by separate loads and stores, and nobody else may be inside
 * (after ck's validation); holders sometimes yield and rarely sleep (after
 * locktorture). A hang is a lost wake-up or a queue that broke.
 */
bool lock_check_exclusion(struct trial *trial, const struct lock_functions *functions);

/* A lock that is held is refused, one that is free is taken; refusing leaves no trace. */
bool lock_check_trylock(struct trial *trial, const struct lock_functions *functions);

/*
 * Two threads hold the lock in turn without a gap; a third that looks seldom
 * must get it while each of them goes first at most a bounded number of times
 * (after nsync's starvation test).
 */
bool lock_check_starvation(struct trial *trial, const struct lock_functions *functions);

/*
 * The hunt for lost wake-ups: all do the same short section again and again,
 * held just long enough for others to go to sleep, and then nothing for a
 * moment, so that often the only one awake is the one that unlocks.
 */
bool lock_check_lost_wake(struct trial *trial, const struct lock_functions *functions);

/* Locks are independent, and are released in another order than taken. */
bool lock_check_nesting(struct trial *trial, const struct lock_functions *functions);

#endif
