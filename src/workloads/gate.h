/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_GATE_H
#define WORKLOADS_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where tasks wait for a round of work, in memory that they share. A round is
 * timed by the tasks, from the first that goes through to the last arrival; so
 * waking that first one and the keeper is not in it, which on a virtual machine
 * takes some 10 us each. Who has arrived waits for the next round at once: with
 * barriers of POSIX at both ends every task would sleep and be woken twice.
 *
 *	keeper    -- open  sleeps ---------------------- woken by the last --
 *	task 0    ------- woken | works --- arrive  sleeps ------------------
 *	task 1    --------------|-- woken  works -- arrive | sleeps ---------
 *	                        |<------- the time ------->|
 */
struct gate {
	_Atomic uint32_t round;	  /* the one that is open or was last */
	_Atomic uint32_t away;	  /* tasks that have not arrived in it */
	_Atomic uint32_t ended;	  /* the last round in which all arrived */
	_Atomic int64_t began_ns; /* when the first task went through; INT64_MAX: none has */
	int64_t ended_ns;	  /* when the last one arrived */
	int flags;		  /* of the futexes */
};

void gate_init(struct gate *gate, bool threads);

/* For the keeper: lets count tasks through; does not wait. */
void gate_open(struct gate *gate, size_t count);
/* The same, and waits until all have arrived; ns from the first task to the last arrival. */
int64_t gate_round(struct gate *gate, size_t count);

/* For tasks: waits for a round after seen (0 at first); the one that is open. */
uint32_t gate_await(struct gate *gate, uint32_t seen);
void gate_arrive(struct gate *gate, uint32_t round);

#endif
