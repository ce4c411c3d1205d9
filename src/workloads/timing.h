/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_TIMING_H
#define WORKLOADS_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "workloads/team.h"
#include "workloads/workload.h"

/*
 * A figure "ns an operation" from its batches (batches.h), and what the harness
 * itself takes: the loop, the clock and, in a team, the shares of the work and
 * the gate where its members wait. That cost is measured after the figure, on operations that do
 * nothing, is said in a remark, and is never subtracted.
 */

/* Does count operations. */
typedef bool (*timing_act)(void *context, uint64_t count, struct error *err);

struct timing {
	const char *name;  /* of the figure */
	uint64_t multiple; /* operations come in groups of so many; 0: one by one */
	timing_act act;
	void *context;
	/* Reports what else there is about the batch just reported; NULL: nothing. */
	void (*reported)(struct work *work, void *context);
	uint64_t done; /* operations so far, for verification */
};

bool timing_run(struct work *work, struct timing *timing, struct error *err);
/* The same by a team, whose members do the operations: act is not used. */
bool timing_run_team(struct work *work, struct timing *timing, struct team *team,
		     struct error *err);

/*
 * For workloads that time batches in their own way: the remark about a loop around count
 * operations a batch.
 */
void timing_remark_loop(struct work *work, uint64_t count);
/* What a call of the clock takes, for those that time single operations, as a remark. */
void timing_remark_clock(struct work *work, const char *what);

#endif
