/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_SPINLOCKS_SPINLOCK_H
#define SPECIMENS_SPINLOCKS_SPINLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "specimens/loops.h"
#include "specimens/threads.h"

/*
 * Spinlocks, in the layouts and the disciplines that were argued about. A
 * variant NAME is two files: NAME.h is what is compiled where the lock is used
 * (and what worth-load sites writes out), NAME.c has what is shared by all
 * uses, and ends in the descriptor.
 *
 * Synchronization: lock acquires and unlock releases; two critical sections of
 * different locks may be seen in either order by a third thread. All but the
 * thread's own lock_hold may be used by many threads at a time. Not recursive.
 * A thread that holds one may be preempted: then all others spin in vain.
 */
enum { SPINLOCK_BYTES = 64 };

struct spinlock {
	const char *name;    /* "tas-inline" */
	const char *summary; /* where its code lies, or how it queues */
	const char *prefix;  /* "tas_inline": of its functions and its header */
	const char *type;    /* "struct tas": the lock, in C */
	size_t bytes;	     /* of a lock; at most SPINLOCK_BYTES */
	bool fair; /* in order of arrival, so that others go first at most a few times each */
	bool
	    opaque; /* its atomics are assembler or in a library: ThreadSanitizer cannot see them */
	bool excludes;	    /* false only for the lock that is none */
	const char *absent; /* why this build does not have it; NULL: it does */
	void (*init)(void *lock);
	void (*lock)(void *lock, struct lock_hold *hold);
	bool (*trylock)(void *lock, struct lock_hold *hold); /* NULL: it has none */
	void (*unlock)(void *lock, struct lock_hold *hold);
	struct lock_loops loops;
};

/* All, in the order of list.def; ends with NULL. */
extern const struct spinlock *const spinlocks[];

/* The functions of a descriptor around the inline ones of a variant. */
#define SPINLOCK_FUNCTIONS(name, type)                                                             \
	static void name##_do_init(void *lock)                                                     \
	{                                                                                          \
		name##_init((type *)lock);                                                         \
	}                                                                                          \
                                                                                                   \
	static void name##_do_lock(void *lock, struct lock_hold *hold)                             \
	{                                                                                          \
		name##_lock((type *)lock, hold);                                                   \
	}                                                                                          \
                                                                                                   \
	static bool name##_do_trylock(void *lock, struct lock_hold *hold)                          \
	{                                                                                          \
		return name##_trylock((type *)lock, hold);                                         \
	}                                                                                          \
                                                                                                   \
	static void name##_do_unlock(void *lock, struct lock_hold *hold)                           \
	{                                                                                          \
		name##_unlock((type *)lock, hold);                                                 \
	}                                                                                          \
                                                                                                   \
	LOCK_LOOPS(name, type)

#define SPINLOCK_FUNCTIONS_OF(lock_name, c_type)                                                   \
	.prefix = #lock_name, .type = #c_type, .bytes = sizeof(c_type),                            \
	.init = lock_name##_do_init, .lock = lock_name##_do_lock,                                  \
	.trylock = lock_name##_do_trylock, .unlock = lock_name##_do_unlock,                        \
	.loops = LOCK_LOOPS_OF(lock_name)

#endif
