/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_SCHEDULE_H
#define MEASURE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/plan.h"

/* One run to come. */
struct slot {
	uint32_t round; /* warm-up rounds count apart */
	uint32_t position;
	uint32_t subject;
	bool warmup;
	uint32_t padding_bytes; /* of the environment; 0 without environment_padding */
	uint64_t seed;		/* of this run, for whoever needs more */
};

/* Order is a value: all slots of a plan, warm-up first, each round a fresh uniform permutation (or
 * the listed order). A pure function of the plan; round i is the same whatever the number of
 * rounds, so that extending and resuming continue the same schedule. */
struct slot *schedule_make(struct arena *arena, const struct plan *plan, size_t *count);
/* The slots of one round, into slots[0..subject_count). */
void schedule_round(const struct plan *plan, size_t round, bool warmup, struct slot *slots);

#endif
