/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_AGENT_LOAD_H
#define WORKLOADS_AGENT_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOAD_TASKS_MAXIMUM = 4096, LOAD_NAME_BYTES = 32 };

/* What one task has used so far. */
struct load_task {
	int pid;
	uint64_t ticks; /* of CPU time */
	char name[LOAD_NAME_BYTES];
};

/* The whole machine at one moment. */
struct load {
	int64_t now_ns;	    /* CLOCK_MONOTONIC */
	int64_t idle_ns;    /* of all processors, since the boot */
	int64_t irq_ns;	    /* in interrupts, where the kernel counts them apart */
	int64_t own_cpu_ns; /* of this process and of its children that have ended */
	size_t task_count;
	struct load_task tasks[LOAD_TASKS_MAXIMUM];
};

/* False where /proc does not tell. */
bool load_read(struct load *load);

/* What the processors did from one moment to the other that was neither idle, nor an interrupt, nor
 * this process and its children. */
int64_t load_foreign_ns(const struct load *before, const struct load *after);
/* The task, other than this process, that used most of it; NULL: none was seen to. */
const char *load_busiest(const struct load *before, const struct load *after);

/* Sleeps until the machine has been idle for a while, for at most limit_ns. False: it never was;
 * name then says what kept it busy ("" if unknown). */
bool load_await_idle(int64_t limit_ns, char name[LOAD_NAME_BYTES]);

#endif
