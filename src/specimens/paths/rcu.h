/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_PATHS_RCU_H
#define SPECIMENS_PATHS_RCU_H

/*
 * liburcu's flavour "memb", compiled into its users: a read section is a store
 * to the thread's own memory and no barrier, for who waits for a grace period
 * makes all threads pass one (membarrier(2)).
 *
 * Under the sanitizers it is called, and so not looked at: its assembler and its
 * volatile accesses are no atomics to ThreadSanitizer. That one is told what a
 * grace period orders: all that was done in read sections before what comes
 * behind it.
 */
#if defined(__SANITIZE_THREAD__)
#define RCU_TELLS_SANITIZER 1
#define RCU_IS_CALLED 1
#elif defined(__SANITIZE_ADDRESS__)
#define RCU_IS_CALLED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RCU_TELLS_SANITIZER 1
#define RCU_IS_CALLED 1
#elif __has_feature(address_sanitizer)
#define RCU_IS_CALLED 1
#endif
#endif

#ifndef RCU_IS_CALLED
#define _LGPL_SOURCE
#endif
#include <urcu/urcu-memb.h>

#include "specimens/step.h"

#ifdef RCU_TELLS_SANITIZER
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define RCU_LEFT() __tsan_release((void *)&urcu_memb_flavor)
#define RCU_WAITED() __tsan_acquire((void *)&urcu_memb_flavor)
#else
#define RCU_LEFT() ((void)0)
#define RCU_WAITED() ((void)0)
#endif

SPECIMEN_INLINE void rcu_enter(void)
{
	urcu_memb_read_lock();
}

SPECIMEN_INLINE void rcu_leave(void)
{
	RCU_LEFT();
	urcu_memb_read_unlock();
}

/* Until all read sections that are under way have ended. Not inside one, and not under a lock. */
static inline void rcu_wait(void)
{
	urcu_memb_synchronize_rcu();
	RCU_WAITED();
}

static inline void rcu_thread_enter(void)
{
	urcu_memb_register_thread();
}

static inline void rcu_thread_leave(void)
{
	RCU_LEFT();
	urcu_memb_unregister_thread();
}

#endif
