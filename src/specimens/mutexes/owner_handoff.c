/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mutex that knows its owner and its heir: see owner_handoff.h. */
#include "specimens/mutexes/owner_handoff.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "specimens/mutexes/mutex.h"

enum { SLEEPS_TO_INHERIT = 2 };

#define WAITERS_MOST (UINT32_MAX - OWNER_WAITER)

static uint32_t load(const struct owner_mutex *mutex)
{
	return atomic_load_explicit(&mutex->word, memory_order_acquire);
}

static bool change(struct owner_mutex *mutex, uint32_t from, uint32_t to, memory_order order)
{
	SPECIMEN_STEP();
	return atomic_compare_exchange_strong_explicit(&mutex->word, &from, to, order,
						       memory_order_relaxed);
}

/* Each of 32 bits is some threads'. */
static uint32_t bit_of(uint32_t thread)
{
	return UINT32_C(1) << (thread % 32);
}

static void sleep_on(struct owner_mutex *mutex, uint32_t word, uint32_t me)
{
	SPECIMEN_STEP();
	syscall(SYS_futex, &mutex->word, FUTEX_WAIT_BITSET_PRIVATE, word, NULL, NULL, bit_of(me));
	SPECIMEN_STEP();
}

/* Takes it, which returns true, or is counted as a waiter. */
static bool take_or_join(struct owner_mutex *mutex, uint32_t me)
{
	uint32_t word;

	for (;;) {
		word = load(mutex);
		if ((word & OWNER_MASK) == 0) {
			if (change(mutex, word, word | me, memory_order_acquire))
				return true;
		} else if (word > WAITERS_MOST) {
			sched_yield(); /* 255 wait: the next is not counted, and asks again */
		} else if (change(mutex, word, word + OWNER_WAITER, memory_order_relaxed)) {
			return false;
		}
	}
}

SPECIMEN_OUT_OF_LINE void owner_handoff_wait(struct owner_mutex *mutex, uint32_t me)
{
	uint32_t word, sleeps = 0;

	if (take_or_join(mutex, me))
		return;
	for (;;) {
		word = load(mutex);
		if ((word & OWNER_MASK) == me)
			return; /* it was handed over, and we are counted no more */
		if ((word & OWNER_MASK) == 0) {
			if (change(mutex, word, (word - OWNER_WAITER) | me, memory_order_acquire))
				return;
		} else if (sleeps >= SLEEPS_TO_INHERIT && (word & OWNER_HEIR_MASK) == 0) {
			change(mutex, word, word | me << OWNER_HEIR_SHIFT, memory_order_relaxed);
		} else {
			sleep_on(mutex, word, me);
			sleeps++;
		}
	}
}

/* To the heir if there is one; else it is free, and one is woken to look. */
SPECIMEN_OUT_OF_LINE void owner_handoff_pass(struct owner_mutex *mutex)
{
	uint32_t word, heir, next;

	do {
		word = load(mutex);
		heir = (word & OWNER_HEIR_MASK) >> OWNER_HEIR_SHIFT;
		next = word & ~(uint32_t)(OWNER_MASK | OWNER_HEIR_MASK);
		if (heir != 0)
			next = (next - OWNER_WAITER) | heir;
	} while (!change(mutex, word, next, memory_order_release));
	SPECIMEN_STEP();
	if (heir != 0)
		syscall(SYS_futex, &mutex->word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, NULL,
			bit_of(heir));
	else if (next != 0)
		syscall(SYS_futex, &mutex->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

MUTEX_FUNCTIONS(owner_handoff, struct owner_mutex)

const struct mutex mutex_owner_handoff = {
	.name = "owner-handoff",
	.summary = "owner word, hand-off to a waiter that was passed over, fast paths inline",
	.destroy_safe = true,
	.fair = true,
	MUTEX_FUNCTIONS_OF(owner_handoff, struct owner_mutex),
};
