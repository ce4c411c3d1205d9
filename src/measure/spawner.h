/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_SPAWNER_H
#define MEASURE_SPAWNER_H

#include "base/error.h"

/*
 * The tiny process that starts every child. A child's ru_maxrss begins at the
 * size of whoever spawned it, and starting from a large process is slow, so a
 * static program of its own does it, which is part of worth's file and is
 * executed from memory: it may be started at any time, however large worth
 * is. It has a session of its own without a terminal, is the subreaper of the
 * runs, and dies with worth, taking everything that still runs with it. Hooks
 * get further such processes, started when the first hook runs.
 *
 * Call it from the program's first thread: the kernel ties a process that asks
 * to die with its parent to the thread that started it.
 */
struct spawner;

struct spawner *spawner_start(struct error *err); /* NULL on failure */
/* Kills what still runs, except what a run was allowed to keep; NULL is accepted. */
void spawner_stop(struct spawner *spawner);

#endif
