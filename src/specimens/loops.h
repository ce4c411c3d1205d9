/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_LOOPS_H
#define SPECIMENS_LOOPS_H

#include <stdint.h>

#include "specimens/step.h"
#include "specimens/threads.h"

/*
 * What is measured of a lock, compiled in each variant's own file, so that its
 * inline parts are in the loop as they would be in a user's. The rest of a
 * workload sees function pointers, which are called once for many operations.
 */

/* What the threads of a contest share, under the lock. */
struct lock_contest {
	uint64_t counter;
	uint64_t hand_offs; /* acquisitions after which the holder was another than before */
	const void *holder; /* the last */
};

/* How much a thread does between, as dependent multiplications (about 3 cycles each). */
struct lock_work {
	uint32_t inside;
	uint32_t outside;
};

/* Cannot be removed, and does not touch memory. */
SPECIMEN_INLINE uint64_t lock_multiply(uint64_t value, uint32_t count)
{
	for (; count > 0; count--) {
		value *= 0x5851f42d4c957f2dU;
		__asm__ volatile("" : "+r"(value));
	}
	return value;
}

struct lock_loops {
	/* count times: lock, add 1 to the counter, unlock. */
	void (*pairs)(void *lock, struct lock_hold *hold, volatile uint64_t *counter,
		      uint64_t count);
	/* count times: lock, work, unlock, work. */
	void (*contend)(void *lock, struct lock_hold *hold, struct lock_contest *contest,
			struct lock_work work, uint64_t count);
	/*
	 * One operation of pairs as a function, from its first byte to the one behind its last.
	 * It may be copied: its only references are to code outside of it, by 32-bit distances.
	 * NULL where the compiler adds others (sanitizers, and code that is at no fixed address).
	 */
	const unsigned char *site, *site_end;
};

#if defined(__x86_64__) && !defined(__PIE__) && !defined(__PIC__) && !defined(SPECIMEN_STEPS)
/* The linker knows where a section with such a name begins and ends. */
#define LOCK_SITE(name, type)                                                                      \
	extern const unsigned char __start_site_##name[], __stop_site_##name[];                    \
	__attribute__((section("site_" #name), used, noinline)) static void name##_site(           \
	    void *lock, struct lock_hold *hold, volatile uint64_t *counter)                        \
	{                                                                                          \
		name##_lock((type *)lock, hold);                                                   \
		*counter += 1;                                                                     \
		name##_unlock((type *)lock, hold);                                                 \
	}
#define LOCK_SITE_OF(name) .site = __start_site_##name, .site_end = __stop_site_##name,
#else
#define LOCK_SITE(name, type)
#define LOCK_SITE_OF(name)
#endif

/* Defines both for a variant that has NAME_lock() and NAME_unlock() on a struct type. */
#define LOCK_LOOPS(name, type)                                                                     \
	LOCK_SITE(name, type)                                                                      \
	static void name##_pairs(void *lock, struct lock_hold *hold, volatile uint64_t *counter,   \
				 uint64_t count)                                                   \
	{                                                                                          \
		for (; count > 0; count--) {                                                       \
			name##_lock((type *)lock, hold);                                           \
			*counter += 1;                                                             \
			name##_unlock((type *)lock, hold);                                         \
		}                                                                                  \
	}                                                                                          \
                                                                                                   \
	static void name##_contend(void *lock, struct lock_hold *hold,                             \
				   struct lock_contest *contest, struct lock_work work,            \
				   uint64_t count)                                                 \
	{                                                                                          \
		uint64_t value = (uintptr_t)hold | 1;                                              \
                                                                                                   \
		for (; count > 0; count--) {                                                       \
			name##_lock((type *)lock, hold);                                           \
			contest->counter++;                                                        \
			contest->hand_offs += contest->holder != hold;                             \
			contest->holder = hold;                                                    \
			value = lock_multiply(value, work.inside);                                 \
			name##_unlock((type *)lock, hold);                                         \
			value = lock_multiply(value, work.outside);                                \
		}                                                                                  \
	}

#define LOCK_LOOPS_OF(name)                                                                        \
	{                                                                                          \
		LOCK_SITE_OF(name).pairs = name##_pairs, .contend = name##_contend                 \
	}

#endif
