/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_AGENT_AGENT_H
#define WORKLOADS_AGENT_AGENT_H

#include <stdbool.h>

/*
 * worth-load as the only process of a guest, or, for tests, as one that is
 * told where its jobs and its results are:
 *
 *	worth-load agent JOBS RESULTS
 *
 * JOBS has a line for each job: its name and the words of its command, with a
 * tab between any two. RESULTS gets lines that src/boot/channel.h describes.
 */
#define AGENT_WORD "agent"
#define AGENT_JOBS "/worth/jobs"
/* Where this is, the kernel's symbols are told after the last job. */
#define AGENT_WHERE "/worth/where"

/* Whether this process is the first one of a guest that worth has booted. */
bool agent_is_init(void);
/* Prepares the guest, runs the jobs and ends the guest: does not return. */
_Noreturn void agent_init(void);
/* Runs the jobs of a file; the exit status is 0, or 2 with a sentence on stderr. */
int agent_run(int argc, char **argv);

#endif
