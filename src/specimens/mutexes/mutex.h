/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_MUTEXES_MUTEX_H
#define SPECIMENS_MUTEXES_MUTEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "specimens/loops.h"
#include "specimens/threads.h"

/*
 * Mutexes: locks whose waiters sleep. Files as of the spinlocks: NAME.h is
 * compiled where the mutex is used, NAME.c ends in the descriptor.
 *
 * Synchronization: lock acquires, unlock releases, by the thread that locked;
 * not recursive; between the threads of one process (private futexes).
 */
enum { MUTEX_BYTES = 64 };

struct mutex {
	const char *name;    /* "futex-inline" */
	const char *summary; /* where its code lies, or who gets it next */
	const char *prefix;  /* "futex_inline": of its functions and its header */
	const char *type;    /* "struct futex_mutex": the mutex, in C */
	size_t bytes;	     /* at most MUTEX_BYTES */
	bool destroy_safe;   /* who takes it after an unlock may free its memory, though that unlock
			      * has not returned: nothing but the address is used after the release */
	bool fair;	     /* a waiter that was passed over is given it; else no bound */
	bool opaque;	     /* its atomics are in a library: ThreadSanitizer cannot see them */
	const char *absent;  /* why this build does not have it; NULL: it does */
	void (*init)(void *mutex);
	void (*destroy)(void *mutex);
	void (*lock)(void *mutex, struct lock_hold *hold);
	bool (*trylock)(void *mutex, struct lock_hold *hold);
	void (*unlock)(void *mutex, struct lock_hold *hold);
	struct lock_loops loops;
};

/* All, in the order of list.def; ends with NULL. */
extern const struct mutex *const mutexes[];

/* The functions of a descriptor around those of a variant. */
#define MUTEX_FUNCTIONS(name, type)                                                                \
	static void name##_do_init(void *mutex)                                                    \
	{                                                                                          \
		name##_init((type *)mutex);                                                        \
	}                                                                                          \
                                                                                                   \
	static void name##_do_destroy(void *mutex)                                                 \
	{                                                                                          \
		name##_destroy((type *)mutex);                                                     \
	}                                                                                          \
                                                                                                   \
	static void name##_do_lock(void *mutex, struct lock_hold *hold)                            \
	{                                                                                          \
		name##_lock((type *)mutex, hold);                                                  \
	}                                                                                          \
                                                                                                   \
	static bool name##_do_trylock(void *mutex, struct lock_hold *hold)                         \
	{                                                                                          \
		return name##_trylock((type *)mutex, hold);                                        \
	}                                                                                          \
                                                                                                   \
	static void name##_do_unlock(void *mutex, struct lock_hold *hold)                          \
	{                                                                                          \
		name##_unlock((type *)mutex, hold);                                                \
	}                                                                                          \
                                                                                                   \
	LOCK_LOOPS(name, type)

#define MUTEX_FUNCTIONS_OF(mutex_name, c_type)                                                     \
	.prefix = #mutex_name, .type = #c_type, .bytes = sizeof(c_type),                           \
	.init = mutex_name##_do_init, .destroy = mutex_name##_do_destroy,                          \
	.lock = mutex_name##_do_lock, .trylock = mutex_name##_do_trylock,                          \
	.unlock = mutex_name##_do_unlock, .loops = LOCK_LOOPS_OF(mutex_name)

#endif
