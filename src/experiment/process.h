/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPERIMENT_PROCESS_H
#define EXPERIMENT_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"

/* Programs that prepare a measurement, git and compilers; nothing here is measured. */

struct process {
	pid_t pid;
	int fd; /* a pidfd: readable once it has ended */
};

/* Start argv (found on PATH, NULL-terminated) in directory (NULL: here), in a process group of its
 * own, stdin from /dev/null, stdout and stderr appended to log_path. environment: NAME=VALUE added
 * to or replacing one's own; NULL-terminated, may be NULL. */
bool process_start(struct process *process, const char *const *argv, const char *directory,
		   const char *const *environment, const char *log_path, struct error *err);
/* After fd became readable: reap it. *status is the exit status, or 128 plus the signal. */
void process_finish(struct process *process, int *status);
/* Kill the whole group, wait for it. */
void process_kill(struct process *process);

/* The last lines of what was appended to a log, in one and clean; where there are none, that there
 * was no room for them, or "nothing was said". */
const char *process_log_tail(struct arena *arena, const char *log_path);

/* Run to the end and read its stdout, without the newlines at its end. False if it could not be
 * started or its status is not 0; the error then has the last line of its stderr. */
bool process_read(struct arena *arena, const char *const *argv, char **output, struct error *err);

#endif
