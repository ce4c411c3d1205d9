/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_SPAWN_SPAWN_H
#define MEASURE_SPAWN_SPAWN_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "measure/spawn/area.h"

enum {
	SPAWN_PIPE_COUNT = 3,
	SPAWN_PASSED_COUNT = 3,
	SPAWN_STACK_BYTES = 64 << 10,
	SPAWN_LISTED_MAXIMUM = 1024, /* own children looked at in one pass */
};

/* The spawning process. All signals are blocked in it; it takes them one by one. */
struct spawn {
	struct spawn_area *area;
	int socket;
	int orders, replies; /* eventfds */
	pid_t worth;
	uint64_t done;			/* number of the latest order that was taken */
	int null_fd;			/* /dev/null for reading */
	int zero_fd;			/* /dev/zero for writing */
	int pipes[SPAWN_PIPE_COUNT];	/* stdout, stderr, report; -1 before SPAWN_PIPES */
	int passed[SPAWN_PASSED_COUNT]; /* of the run under way: stdin, stdout, stderr; or -1 */
	cpu_set_t allowed;		/* where it may run, and its children by default */
	bool allowed_known;
	sigset_t signals;
	char *stack;	  /* of a child before exec: it shares this process's memory */
	bool kept_strays; /* a run was allowed to leave processes behind: these */
	pid_t kept[SPAWN_LISTED_MAXIMUM];
	size_t kept_count;
	/* Events like the children's, see start.c. */
	int anchors[SPAWN_EVENTS];
	struct perf_event_attr anchor_events[SPAWN_EVENTS];
	size_t anchor_count;
};

/* Monotonic, ns. */
int64_t spawn_now_ns(void);
/* Wait for a signal; 0 if timeout_ns (negative: none) passed. Dies with worth. */
int spawn_wait_signal(struct spawn *spawn, int64_t timeout_ns, siginfo_t *info);

/* The next order, with its descriptors (-1: none) in the order they were sent; false at worth's
 * end.
 */
bool orders_next(struct spawn *spawn, struct spawn_message *message, int *fds);
void orders_reply(struct spawn *spawn, const struct spawn_message *message);

/* Start the child of area->request; its pid, or -1 with area->result saying why. Its events are in
 * event_fds (-1: not opened). area->result.started_ns is set just before. */
pid_t start_child(struct spawn *spawn, int *event_fds);
void start_read_events(struct spawn *spawn, int *event_fds);

/* Wait for the child's end, or end it when its time is over or worth says so. Fills wall, status,
 * usage and run delay. False if SIGKILL did not end it. */
bool wait_child(struct spawn *spawn, pid_t pid);

/* Whether any descendant is left; those that are dead already are reaped. */
bool strays_exist(void);
/* Give those that are on their way out a moment, then list the rest in area->result. */
bool strays_find(struct spawn *spawn);
/* Kill all descendants, however they try to get away; how many outlived it (0 as a rule). */
uint32_t strays_kill(struct spawn *spawn);

#endif
