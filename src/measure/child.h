/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_CHILD_H
#define MEASURE_CHILD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "base/arena.h"
#include "base/error.h"
#include "measure/spawner.h"

/*
 * One child process, from request to outcome, through the spawner. Requests
 * carry everything by value; descriptors travel over the spawner's socket.
 */
enum { CHILD_EVENTS_MAXIMUM = 32, CHILD_STRAYS_MAXIMUM = 16, CHILD_TAIL_BYTES = 4096 };

struct child_request {
	char *const *argv;		/* NULL-terminated; argv[0] is looked up on PATH */
	const char *const *environment; /* extra NAME=VALUE, NULL-terminated, or NULL */
	uint32_t padding_bytes;	 /* length of the value of WORTH_PAD; 0: the variable is absent */
	const char *directory;	 /* NULL: the user's */
	int stdin_fd, stdout_fd; /* -1: /dev/null; stdout -1: /dev/zero for writing */
	int report_fd;		 /* given to the child as WORTH_FD, -1: none */
	int cpu;		 /* -1: free */
	int64_t timeout_ns;	 /* 0: none */
	bool keep_strays;
	bool is_hook; /* lives in the hooks' own subreaper: its descendants may stay */
	const struct perf_event_attr *events; /* opened in the child, enabled on exec, inherited */
	size_t event_count;
};

struct child_event_value {
	bool opened;
	uint64_t value, enabled_ns, running_ns;
	int open_error; /* errno if not opened */
};

struct child_outcome {
	int64_t started_ns; /* CLOCK_MONOTONIC just before the start */
	int64_t wall_ns;    /* until wait4 returned */
	int wait_status;    /* as wait4 gave it */
	int exec_error;	    /* errno if the program could not be executed, else 0 */
	bool timed_out;
	struct rusage usage;
	int64_t run_delay_ns; /* schedstat: runnable but waiting, -1 unknown */
	struct child_event_value events[CHILD_EVENTS_MAXIMUM];
	size_t stray_count;			    /* descendants that outlived it */
	char stray_names[CHILD_STRAYS_MAXIMUM][32]; /* "sleep (pid 123)" */
};

/*
 * Run one child to its end. While it runs, stdout_drain_fd and stderr are read so that it never
 * blocks: the last CHILD_TAIL_BYTES of stderr are kept for child_stderr_tail, the bytes of stdout
 * go to hash (NULL: not wanted). interrupt_fd readable: the tree is killed, false with
 * ERROR_INTERRUPTED. A child that fails is an outcome, not an error.
 */
bool child_run(struct spawner *spawner, const struct child_request *request, int interrupt_fd,
	       struct child_outcome *outcome, struct error *err);

/* What the latest child wrote last to stderr; not cleaned. */
const char *child_stderr_tail(const struct spawner *spawner, size_t *length);

#endif
