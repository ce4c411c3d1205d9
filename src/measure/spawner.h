/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_SPAWNER_H
#define MEASURE_SPAWNER_H

#include <stdbool.h>

#include "base/error.h"

/*
 * The tiny process that starts every child: a child's ru_maxrss begins at the
 * size of whoever spawned it, and forking a large process is slow. It is forked
 * first thing in main(), has a session of its own without a terminal, is
 * subreaper of the runs, and dies with worth.
 */
struct spawner;

struct spawner *spawner_start(struct error *err); /* NULL on failure */
void spawner_stop(struct spawner *spawner);	  /* kills what still runs; NULL is accepted */

#endif
