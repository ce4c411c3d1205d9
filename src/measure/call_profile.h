/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_CALL_PROFILE_H
#define MEASURE_CALL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Which system calls a command makes, and which paths it names in them: by
 * ptrace (PTRACE_GET_SYSCALL_INFO, Linux 5.3), with all its threads and
 * descendants. Tracing makes every call many times slower, so nothing is timed.
 */
struct call_count {
	const char *name;
	uint64_t count;
	uint64_t failed;
};

struct call_path {
	const char *path; /* as the command wrote it, cleaned for a report */
	uint64_t count;	  /* in calls that open, look at or run it */
};

struct call_profile {
	struct call_count *calls; /* most frequent first */
	size_t call_count;
	struct call_path *paths; /* most frequent first */
	size_t path_count;
	uint64_t total;
	uint64_t foreign;   /* calls of another architecture (32-bit programs), in total only */
	uint64_t processes; /* with threads */
	int exit_status;    /* of the command, -1 if a signal ended it */
	int signal;	    /* that ended it, or 0 */
};

/* Runs argv to its end, without input; what it prints is discarded. false if it cannot be run or
 * traced. Everything is made in arena. */
bool call_profile_run(struct arena *arena, char *const *argv, struct call_profile *profile,
		      struct error *err);

#endif
