/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_TOGETHER_H
#define MEASURE_TOGETHER_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "measure/spawner.h"

/*
 * worth and the process that starts the runs on one processor, while runs are
 * short: each hands over to the other and sleeps, and waking a processor for
 * that costs a run of 0.2 ms more than all else (docs/decisions/spawning.md).
 * The runs themselves go where they would go anyway: each gets the processors
 * that worth was given. Where that processor turns out to be wanted by others,
 * so that either of the two has to wait for it, it ends for good.
 */
struct together {
	struct spawner *spawner;
	cpu_set_t allowed; /* what worth was given */
	bool held, ended;
	unsigned runs; /* since the last check */
	int64_t checked_ns;
	int64_t waited_ns; /* of both, at the last check */
};

/* Nothing where it cannot be done (one processor, or more than cpu_set_t holds) or has ended. */
void together_begin(struct together *together, struct spawner *spawner);
/* After each run: now and then, whether they still get their processor at once. */
void together_check(struct together *together);
/* Both run where they like again; for good. Before anything else is started by worth. */
void together_end(struct together *together);

#endif
