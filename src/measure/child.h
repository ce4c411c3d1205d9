/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_CHILD_H
#define MEASURE_CHILD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "base/error.h"
#include "measure/spawner.h"

/*
 * One child process, from request to outcome, through the spawner. Every child
 * has a process group of its own, no controlling terminal, no blocked or
 * ignored signals, and nothing that blocks it: what it writes to pipes is read
 * while it runs, and waiting for it never depends on the end of a pipe.
 */
enum { CHILD_EVENTS_MAXIMUM = 32, CHILD_STRAYS_MAXIMUM = 16, CHILD_TAIL_BYTES = 4096 };

/* The descriptor under which a child finds the report pipe; one digit, because dash's >&N takes no
 * more, and not one of those that scripts like to use themselves (3, 5, 6, 9). */
enum { CHILD_REPORT_FD = 8 };

/* Whose descendants a child's descendants are: hooks may leave processes behind. */
enum child_kind {
	CHILD_MEASURED,	    /* strays are found, named and killed when it ends */
	CHILD_RUN_HOOK,	    /* they live until child_end_hooks(): from prepare to conclude */
	CHILD_SESSION_HOOK, /* the same, from setup to cleanup */
};
enum { CHILD_KINDS = 3 };

/* Takes the bytes of a pipe as they come, while the child runs; take NULL: no pipe. */
struct child_sink {
	void (*take)(void *context, const char *bytes, size_t length);
	void *context;
};

/* What to run. Start from child_request(); a zeroed one would pass on descriptor 0. */
struct child_request {
	enum child_kind kind;
	const char *program; /* the file to execute; NULL: argv[0] is looked up on PATH */
	char *const *argv;   /* NULL-terminated, at least one word */
	const char *const *environment; /* further NAME=VALUE, NULL-terminated, or NULL */
	uint32_t round_number;		/* the value of WORTH_ROUND; 0: the variable is absent */
	uint32_t padding_bytes;	  /* length of the value of WORTH_PAD; 0: the variable is absent */
	const char *directory;	  /* NULL: the user's */
	int stdin_fd;		  /* -1: /dev/null */
	int stdout_fd;		  /* -1: /dev/zero opened for writing; unused with output.take */
	int stderr_fd;		  /* -1: read here, the tail kept for child_stderr_tail() */
	bool stdout_to_stderr;	  /* stdout goes where stderr goes */
	struct child_sink output; /* reads stdout */
	struct child_sink report; /* reads what the child writes to the descriptor in WORTH_FD */
	int cpu;		  /* -1: free */
	int64_t timeout_ns;	  /* 0: none */
	int64_t patience_ns;	  /* how long it may go on after an interrupt, to end by itself */
	bool keep_strays;
	/* Opened in the child on itself with the given attributes. */
	const struct perf_event_attr *events;
	size_t event_count;
};

struct child_event_value {
	bool opened;
	uint64_t value, enabled_ns, running_ns;
	int open_error; /* errno if not opened */
};

struct child_outcome {
	int64_t started_ns; /* CLOCK_MONOTONIC just before the start */
	int64_t wall_ns;    /* until its end was noticed */
	int wait_status;    /* as wait4 gave it */
	int exec_error;	    /* errno if the program could not be executed, else 0 */
	bool timed_out;
	struct rusage usage;  /* of it and the descendants that it waited for */
	int64_t run_delay_ns; /* its main thread was runnable but waited for a CPU; -1: unknown */
	struct child_event_value events[CHILD_EVENTS_MAXIMUM];
	size_t stray_count; /* descendants found alive after its end, whose parents had gone */
	char stray_names[CHILD_STRAYS_MAXIMUM][32]; /* "sleep (pid 123)"; not cleaned */
};

/* A request for argv with everything else at its default: no input, output discarded. */
struct child_request child_request(char *const *argv);

/*
 * Run one child to its end. A child that fails is an outcome, not an error, and so is a program
 * that could not be executed (exec_error). A timeout ends the whole tree: SIGTERM, 200 ms later
 * SIGKILL, then whatever else descends from it. interrupt_fd (-1: none) readable: the same,
 * once the request's patience is over, and false with ERROR_INTERRUPTED. False with ERROR_SYSTEM
 * for arguments that are too long, a CPU or directory that cannot be had, or processes that cannot
 * be killed.
 */
bool child_run(struct spawner *spawner, const struct child_request *request, int interrupt_fd,
	       struct child_outcome *outcome, struct error *err);

/* Kill what the hooks of that kind left running. */
bool child_end_hooks(struct spawner *spawner, enum child_kind kind, struct error *err);

/* What the latest child of that kind wrote last to stderr, at most CHILD_TAIL_BYTES; not cleaned.
 */
const char *child_stderr_tail(const struct spawner *spawner, enum child_kind kind, size_t *length);

#endif
