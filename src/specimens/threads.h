/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_THREADS_H
#define SPECIMENS_THREADS_H

#include <stdint.h>

#include "specimens/step.h"

/*
 * What a lock must know of the threads that use it. A kernel keeps this per
 * CPU; a thread may be preempted while it spins, so here it is per thread, and
 * passed along instead of hidden in a global.
 */
enum { LOCK_NESTING = 4, LOCK_THREADS = 4095 };

/* A place in a queue, alone on its lines: its owner waits on it. */
struct queue_node {
	_Alignas(SPECIMEN_APART) struct queue_node *_Atomic next;
	_Atomic uint32_t ready; /* 0: wait */
};

/* One thread of the many that use the same locks. */
struct lock_thread {
	struct queue_node nodes[LOCK_NESTING]; /* of queued locks, in use while waiting */
	struct lock_thread *all; /* the first of them; its number is its index there */
	uint32_t index;
	uint32_t depth; /* nodes in use */
};

/* What a holder keeps from lock to unlock; thread is set by its owner. */
struct lock_hold {
	struct lock_thread *thread;
	struct queue_node node; /* of MCS locks: lives until the unlock has returned */
};

/* Threads that share locks are an array, of at most LOCK_THREADS. */
static inline void lock_threads_init(struct lock_thread *all, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		all[i].all = all;
		all[i].index = i;
		all[i].depth = 0;
	}
}

#endif
