/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rounds of work, on futexes: see gate.h. */
#include "workloads/gate.h"

#include "workloads/clock.h"
#include "workloads/futex.h"

void gate_init(struct gate *gate, bool threads)
{
	*gate = (struct gate){ .flags = threads ? FUTEX_PRIVATE_FLAG : 0 };
}

void gate_open(struct gate *gate, size_t count)
{
	atomic_store(&gate->away, (uint32_t)count);
	atomic_store(&gate->began_ns, INT64_MAX);
	atomic_fetch_add(&gate->round, 1);
	futex_wake(&gate->round, FUTEX_EVERYBODY, gate->flags);
}

int64_t gate_round(struct gate *gate, size_t count)
{
	uint32_t ended;

	gate_open(gate, count);
	while ((ended = atomic_load(&gate->ended)) != atomic_load(&gate->round))
		futex_sleep(&gate->ended, ended, gate->flags);
	return gate->ended_ns - atomic_load(&gate->began_ns);
}

/* The least of all, for a task may be interrupted after it has looked at the clock. */
static void begin(struct gate *gate)
{
	int64_t now_ns = clock_ns(), began_ns = atomic_load(&gate->began_ns);

	while (now_ns < began_ns &&
	       !atomic_compare_exchange_weak(&gate->began_ns, &began_ns, now_ns))
		;
}

uint32_t gate_await(struct gate *gate, uint32_t seen)
{
	uint32_t round;

	while ((round = atomic_load(&gate->round)) == seen)
		futex_sleep(&gate->round, seen, gate->flags);
	begin(gate);
	return round;
}

void gate_arrive(struct gate *gate, uint32_t round)
{
	if (atomic_fetch_sub(&gate->away, 1) > 1)
		return;
	gate->ended_ns = clock_ns();
	atomic_store(&gate->ended, round);
	futex_wake(&gate->ended, FUTEX_ONE, gate->flags);
}
