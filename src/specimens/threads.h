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

/* A place in a queue: its owner waits on it. */
struct queue_node {
	struct queue_node *_Atomic next;
	_Atomic uint32_t ready; /* 0: wait */
};

/* One thread of the many that use the same locks, alone on its lines. */
struct lock_thread {
	_Alignas(SPECIMEN_APART) struct queue_node nodes[LOCK_NESTING]; /* of queued locks */
	uint32_t depth; /* nodes in use: more than one where a signal handler waits, too */
	uint32_t index;
	struct lock_thread *all; /* the array that it is in, at its index */
};

/* What a holder keeps from lock to unlock; thread is set by its owner. */
struct lock_hold {
	struct lock_thread *thread;
	/* Of MCS locks: lives until the unlock has returned. */
	union {
		struct queue_node node;
		_Alignas(8) unsigned char peer[16];
	};
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
