/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_TEAM_H
#define WORKLOADS_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Tasks that do a batch together, again and again. All wait at a gate (gate.h) and
 * the batch ends when the last of them is done, so its time is the time of a
 * fixed amount of work. The work is a pool from which each takes small shares:
 * who is slow takes less, nobody works on alone while others have ended, and
 * how unequal the shares were is the fairness.
 *
 *	main      -- opens ----------------------------
 *	member 0  --- takes... ------ arrives ---------
 *	member 1  ----- takes... --------- arrives: end
 *
 * A member that fails ends the whole run with its sentence on stderr, for the
 * others would wait for ever.
 */
struct team; /* in shared memory */

/* The share of members that take nothing from the pool, because each has a part of its own. */
#define TEAM_WHOLE ((uint64_t)INT64_MAX)

/* One member's part of a batch; called once a batch. */
typedef bool (*team_function)(struct team *team, size_t index, void *context, struct error *err);

struct team_plan {
	size_t count;
	bool threads;
	const int *cpus; /* one each, NULL: all float */
	team_function function;
	void *context;	/* processes have copies of all that tasks_share did not make */
	uint64_t share; /* operations that a member takes at once */
};

/* All are started when it returns, and wait. NULL on trouble. */
struct team *team_start(const struct team_plan *plan, struct error *err);
/* Does operations; how long it took, in ns. */
int64_t team_batch(struct team *team, uint64_t operations);
/* The same with operations that do nothing: what the shares and the gate take. */
int64_t team_idle_batch(struct team *team, uint64_t operations);
/* Ends the members; false if one died. */
bool team_end(struct team *team, struct error *err);

/* For members: the next share of the pool; its first operation in *first; 0 when it is empty. */
uint64_t team_take(struct team *team, size_t index, uint64_t *first);
/* Operations of this batch in all. */
uint64_t team_operations(const struct team *team);

/* Operations that member index has taken since the start. */
uint64_t team_done(const struct team *team, size_t index);
/* The least share of the members in the last batch over the greatest: 1 is fair. */
double team_fairness(const struct team *team);

#endif
