/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_RUN_BUILDS_H
#define COMMANDS_RUN_BUILDS_H

#include "experiment/experiment.h"

/* How variants that come from revisions are made. */
struct run_builds {
	size_t jobs; /* at once */
	int interrupt_fd;
	bool quiet;
	bool changes_told; /* that the repository has changes in no commit: say it once */
};

/*
 * Build every variant that has a revision and set its tree. One whose revision
 * does not exist or does not build is marked missing and told on stderr; the
 * rest goes on, and *missing says how many. False where nothing could be built
 * at all, the user interrupted, or the baseline is missing.
 */
bool run_builds_make(struct arena *arena, struct experiment *experiment,
		     struct run_builds *settings, size_t *missing, struct error *err);

#endif
