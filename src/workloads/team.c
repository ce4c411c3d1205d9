/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that work in batches: see team.h. */
#include "workloads/team.h"

#include <stdatomic.h>

#include "workloads/gate.h"
#include "workloads/idle.h"
#include "workloads/placement.h"
#include "workloads/tasks.h"

enum { LINE_BYTES = 128 }; /* two lines of cache, which adjacent-line prefetch joins */

/* Alone on its lines, so that counting is no contention. */
struct member {
	_Alignas(LINE_BYTES) struct team *team;
	size_t index;
	uint64_t done;	 /* since the start */
	uint64_t before; /* the last batch */
	struct task task;
};

struct team {
	size_t bytes;
	size_t count;
	bool threads;
	team_function function;
	void *context;
	uint64_t share;
	uint64_t operations;
	struct gate gate;
	atomic_bool quit, idle;
	_Alignas(LINE_BYTES) _Atomic uint64_t taken;
	struct member members[];
};

uint64_t team_take(struct team *team, size_t index, uint64_t *first)
{
	uint64_t share = team->share;

	/* Looked at first, so that the counter cannot run away. */
	if (atomic_load_explicit(&team->taken, memory_order_relaxed) >= team->operations)
		return 0;
	*first = atomic_fetch_add_explicit(&team->taken, share, memory_order_relaxed);
	if (*first >= team->operations)
		return 0;
	if (share > team->operations - *first)
		share = team->operations - *first;
	team->members[index].done += share;
	return share;
}

uint64_t team_operations(const struct team *team)
{
	return team->operations;
}

uint64_t team_done(const struct team *team, size_t index)
{
	return team->members[index].done;
}

double team_fairness(const struct team *team)
{
	uint64_t least = UINT64_MAX, greatest = 1;
	size_t i;

	for (i = 0; i < team->count; i++) {
		uint64_t done = team->members[i].done - team->members[i].before;

		if (done < least)
			least = done;
		if (done > greatest)
			greatest = done;
	}
	return (double)least / (double)greatest;
}

/* All of the pool, in the shares and the loop of a member that works. */
static void do_nothing(struct team *team, size_t index)
{
	uint64_t first, count;

	while ((count = team_take(team, index, &first)) > 0)
		idle_operations(count);
}

static bool work_as_member(void *context, struct error *err)
{
	struct member *member = context;
	struct team *team = member->team;
	uint32_t round = 0;

	for (;;) {
		round = gate_await(&team->gate, round);
		if (atomic_load(&team->quit))
			return true;
		if (atomic_load_explicit(&team->idle, memory_order_relaxed))
			do_nothing(team, member->index);
		else if (!team->function(team, member->index, team->context, err))
			return false;
		gate_arrive(&team->gate, round);
	}
}

/* Those that were started wait for a round that never comes: they must be killed. */
static void stop_some(struct team *team, size_t started)
{
	size_t i;

	if (team->threads) /* they go with the process, which ends in trouble */
		return;
	for (i = 0; i < started; i++)
		task_kill(&team->members[i].task);
	tasks_unshare(team, team->bytes);
}

struct team *team_start(const struct team_plan *plan, struct error *err)
{
	size_t bytes = sizeof(struct team) + plan->count * sizeof(struct member), i;
	struct team *team = tasks_share(bytes, err);

	if (team == NULL)
		return NULL;
	team->bytes = bytes;
	team->count = plan->count;
	team->threads = plan->threads;
	team->function = plan->function;
	team->context = plan->context;
	team->share = plan->share;
	gate_init(&team->gate, plan->threads);
	for (i = 0; i < plan->count; i++) {
		struct member *member = &team->members[i];

		member->team = team;
		member->index = i;
		member->task = (struct task){
			.thread = plan->threads,
			.cpu = plan->cpus == NULL ? PLACEMENT_FLOATING : plan->cpus[i],
			.function = work_as_member,
			.context = member,
		};
		if (!task_start(&member->task, err)) {
			stop_some(team, i);
			return NULL;
		}
	}
	return team;
}

int64_t team_batch(struct team *team, uint64_t operations)
{
	size_t i;

	for (i = 0; i < team->count; i++)
		team->members[i].before = team->members[i].done;
	team->operations = operations;
	atomic_store(&team->taken, 0);
	return gate_round(&team->gate, team->count);
}

int64_t team_idle_batch(struct team *team, uint64_t operations)
{
	int64_t elapsed_ns;

	atomic_store(&team->idle, true);
	elapsed_ns = team_batch(team, operations);
	atomic_store(&team->idle, false);
	return elapsed_ns;
}

bool team_end(struct team *team, struct error *err)
{
	bool ok = true;
	size_t i;

	atomic_store(&team->quit, true);
	gate_open(&team->gate, team->count);
	for (i = 0; i < team->count; i++)
		ok = task_join(&team->members[i].task, ok ? err : NULL) && ok;
	tasks_unshare(team, team->bytes);
	return ok;
}
