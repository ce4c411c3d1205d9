/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the mutexes of three states share: see futex.h. */
#include "specimens/mutexes/futex.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Until it is free, or for so long. */
static void look(struct futex_mutex *mutex, uint32_t spins)
{
	for (; spins > 0; spins--) {
		if (atomic_load_explicit(&mutex->state, memory_order_relaxed) == FUTEX_FREE)
			return;
		SPECIMEN_PAUSE();
	}
}

/*
 * Whatever ends the sleep (a wake-up, a signal, a state that was another by
 * then), the answer is to look again.
 */
SPECIMEN_OUT_OF_LINE void futex_mutex_wait(struct futex_mutex *mutex, uint32_t spins)
{
	if (spins > 0) {
		look(mutex, spins);
		if (futex_mutex_try(mutex))
			return;
	}
	SPECIMEN_STEP();
	while (atomic_exchange_explicit(&mutex->state, FUTEX_WAITED, memory_order_acquire) !=
	       FUTEX_FREE) {
		SPECIMEN_STEP();
		syscall(SYS_futex, &mutex->state, FUTEX_WAIT_PRIVATE, FUTEX_WAITED, NULL, NULL, 0);
		SPECIMEN_STEP();
	}
}

SPECIMEN_OUT_OF_LINE void futex_mutex_wake(struct futex_mutex *mutex)
{
	SPECIMEN_STEP();
	syscall(SYS_futex, &mutex->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
