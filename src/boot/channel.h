/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BOOT_CHANNEL_H
#define BOOT_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

/* How a job of the agent ended. */
struct boot_job {
	const char *name;
	int status;	     /* exit status, or 128 and a signal's number */
	int64_t wall_ns;     /* on the guest's clock */
	int64_t cpu_ns;	     /* of the job */
	int64_t foreign_ns;  /* of everybody else; -1: unknown */
	const char *busiest; /* of everybody else; "-": nobody was seen */
};

/* What came from a guest. Strings are clean. */
struct boot_result {
	bool hello;	     /* the agent has started */
	bool done;	     /* and has done all its jobs */
	const char *busy;    /* the guest never became idle: what kept it; NULL: it did */
	const char *running; /* the job that was begun and has not ended; NULL: none */
	const char *kernel;  /* "6.1.0-57-cloud-amd64"; NULL: not told, as below */
	const char *clocksource;
	int64_t boot_ns;       /* from the clock's start to the agent's; -1: not told */
	double memory_bytes;   /* that the kernel does not offer to processes; NAN: not told */
	struct boot_job *jobs; /* those that have ended */
	size_t job_count, job_capacity;
	struct text reports; /* what the jobs reported, as lines of measure/self_report.h; released
				by boot_result_release */
};

/*
 * The agent's lines (src/workloads/agent/agent.c lists them) into a result. What a
 * job calls its first figure gets the job's name, its others JOB.FIGURE. Under
 * instructions, times ("ns an operation") become instructions, by
 * 2^shift ns each. Lines that are none of the agent's are left out: whatever
 * else writes to the same serial line.
 */
void channel_read(struct arena *arena, const char *bytes, size_t length, bool instructions,
		  unsigned shift, struct boot_result *result);
void boot_result_release(struct boot_result *result);

#endif
