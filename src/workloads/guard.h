/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_GUARD_H
#define WORKLOADS_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * A small process that outlives the workload by a moment. When the workload
 * ends, in whatever way, the guard kills what it started and deletes what it
 * made; so there is one way of cleaning up, and SIGKILL is no other. It has a
 * session of its own, so that a signal to the workload's group does not reach
 * it. It is a watchdog, too: after the limit it kills the workload.
 *
 * In a real-time class a loop can keep everybody else from a CPU, so there the
 * workload runs only under RLIMIT_RTTIME, and the guard has the highest priority.
 *
 *	workload --socket--> guard    paths to delete, each ends in NUL;
 *	                              end of file: the workload is gone
 *
 * Processes that were only forked die with the workload by PR_SET_PDEATHSIG
 * (tasks.h); programs that it runs are found by the variable GUARD_MARK in
 * their environment, which guard_start sets.
 */
#define GUARD_MARK "WORTH_LOAD_GUARD"

struct guard {
	int fd; /* the end for writing */
	int pid;
	size_t told; /* bytes of paths */
};

/* Returns when the guard is on its post. name is for the sentence of the watchdog. */
bool guard_start(struct guard *guard, const char *name, int64_t limit_ns, struct error *err);
/* To be deleted with all that is in it; must be told before it is made. false, too, if it has been
 * told of more than it can remember. */
bool guard_tell(struct guard *guard, const char *path, struct error *err);
/* Ends the guard and waits until all is deleted. false: something is left, and where. */
bool guard_end(struct guard *guard, struct error *err);

#endif
