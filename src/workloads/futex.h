/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_FUTEX_H
#define WORKLOADS_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FUTEX_ONE = 1, FUTEX_EVERYBODY = INT_MAX };

/* Sleeps while word is value; may return early. flags: FUTEX_PRIVATE_FLAG between threads, or 0. */
static inline void futex_sleep(_Atomic uint32_t *word, uint32_t value, int flags)
{
	syscall(SYS_futex, word, FUTEX_WAIT | flags, value, NULL, NULL, 0);
}

static inline void futex_wake(_Atomic uint32_t *word, int count, int flags)
{
	syscall(SYS_futex, word, FUTEX_WAKE | flags, count, NULL, NULL, 0);
}

#endif
