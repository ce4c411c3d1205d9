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
 * that worth was given.
 * Only while nothing else wants a processor: a sleeper that may run in one
 * place waits for whoever computes there, for up to a slice of the scheduler.
 */
struct together {
	struct spawner *spawner;
	cpu_set_t allowed; /* what worth was given */
	bool begun, held, ended;
	unsigned runs; /* since the last check */
};

/* The first call begins, further ones do nothing; nothing where it cannot be done (one processor,
 * or more than cpu_set_t holds) or has ended. */
void together_begin(struct together *together, struct spawner *spawner);
/* After each run: now and then it looks whether others run, and goes together or apart by that. */
void together_check(struct together *together);
/* Both run where they like again; for good. Before anything else is started by worth. */
void together_end(struct together *together);

#endif
