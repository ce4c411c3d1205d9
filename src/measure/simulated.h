/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_SIMULATED_H
#define MEASURE_SIMULATED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "measure/child.h"
#include "model/recording.h"

/*
 * Exact counts where there are no counters: each subject twice under
 * `valgrind --tool=cachegrind --cache-sim=yes`, after the timed rounds. Adds the metrics
 * "sim instructions", "sim I1 misses", "sim D1 misses", "sim LL misses", "sim code lines" and two
 * samples a subject
 * that carry only these (round: SIMULATED_ROUND and SIMULATED_ROUND + 1). They are exact only if
 * both runs of a side agree; judge/ decides that. A recording
 * that has such samples already (a session that goes on) is left as it is. valgrind absent or
 * failing on the program: a remark, no sample of that subject (no metric if of none), true. The
 * runs have the plan's input, prepare and conclude hooks, and a hundred times its timeout; their
 * output is discarded. WORTH_SIMULATED=1 tells programs that measure themselves that time means
 * nothing, and WORTH_ROUND is 1.
 *
 * "sim code lines" are the lines of code that were touched, by the misses of instructions in the
 * last level of cache: the first touch of each line is one, and there are no others as long as code
 * and data fit it.
 */
enum { SIMULATED_ROUND = 0x40000000 };

bool simulated_measure(struct arena *arena, struct recording *recording, struct spawner *spawner,
		       int interrupt_fd, struct error *err);

/* What one process counted, in the order of the metrics above. */
enum { SIMULATED_METRICS = 5 };
struct simulated_counts {
	uint64_t values[SIMULATED_METRICS];
};

/* The summary of one cachegrind output file added to counts; false if it has none. */
bool simulated_parse(const char *text, struct simulated_counts *counts);

#endif
