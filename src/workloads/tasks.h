/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_TASKS_H
#define WORKLOADS_TASKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * A task is a process or a thread that runs one function beside the others.
 * Processes die with the workload (PR_SET_PDEATHSIG), so they must be started
 * by its main thread, which lives longest. A task that fails ends the whole run
 * with its sentence on stderr and status 2: the others would wait for it for
 * ever. So does a process that something else kills.
 */
typedef bool (*task_function)(void *context, struct error *err);

/* In memory from tasks_share. */
struct task {
	bool thread;
	int cpu; /* or PLACEMENT_FLOATING */
	task_function function;
	void *context; /* of a process: in memory from tasks_share, if it is to report back */
	bool failed;   /* set by the task itself, with why */
	struct error err;
	pthread_t handle;
	int pid;
};

/* Zeroed memory that processes started later share; size is rounded up to pages. */
void *tasks_share(size_t size, struct error *err);
void tasks_unshare(void *memory, size_t size);

/* A process is watched from here on: the workload gets SIGCHLD. */
bool task_start(struct task *task, struct error *err);
/* Waits for its end; false if something ended it. */
bool task_join(struct task *task, struct error *err);
/* Ends a process that cannot be told to end; from here on no process is watched. */
void task_kill(struct task *task);

#endif
