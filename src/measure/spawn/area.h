/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_SPAWN_AREA_H
#define MEASURE_SPAWN_AREA_H

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>

/*
 * What worth and its spawning process say to each other. Requests and results
 * lie in memory that both have mapped; orders are numbered. worth writes the
 * request and reads the result, the spawning process the other way round, never
 * both at once: worth does not touch the area between an order and its reply.
 *
 *	worth                        spawning process
 *	request -> area
 *	bell = number            ->  start, wait, read meters
 *	drain pipes                  result, reply -> area
 *	                         <-  reply's eventfd
 *
 * After a reply the spawning process looks at the bell for a moment before it
 * sleeps: between short runs that saves waking it, which on an idle machine
 * means waking a processor. Asleep, it waits for the orders' eventfd and for a
 * message on a SOCK_SEQPACKET pair; orders that carry descriptors always come
 * by message. An eventfd takes 1 to 2.5 us less for both directions than
 * messages do (Linux 6.18). The socket's end is the end of who held it.
 */
enum {
	SPAWN_AREA_BYTES = 8 << 20, /* the kernel takes at most 6 MiB of arguments */
	SPAWN_EVENTS = 32,
	SPAWN_STRAYS = 16,
	SPAWN_NAME_BYTES = 32,
	SPAWN_REPORT_FD = 8,
	SPAWN_GRACE_MS = 200,	 /* from SIGTERM to SIGKILL */
	SPAWN_LISTEN_NS = 60000, /* how long it looks at the bell: an order's distance, and a
				    transaction's */
};

/* The real-time signal that tells it to end run number si_value; queued, so that none is lost. */
#define SPAWN_SIGNAL_INTERRUPT (SIGRTMIN + 1)

enum spawn_order {
	SPAWN_RUN,   /* with stdin, stdout, stderr as far as they are SPAWN_PASSED */
	SPAWN_PIPES, /* with the writing ends of three pipes: stdout, stderr, report */
	SPAWN_KILL,  /* everything that lives */
};

struct spawn_message {
	uint64_t number; /* a reply has the number of its order */
	uint32_t order;
	uint32_t unkillable; /* reply: processes that outlived SIGKILL */
};

/* What the spawning process is started with: numbers of descriptors, and worth's pid. */
enum spawn_argument {
	SPAWN_SOCKET = 1,
	SPAWN_AREA,
	SPAWN_ORDERS,  /* eventfd: worth writes */
	SPAWN_REPLIES, /* eventfd: worth reads */
	SPAWN_WORTH,
	SPAWN_ARGUMENTS,
};

/* Where a standard descriptor of the child comes from. */
enum spawn_source {
	SPAWN_NOTHING, /* /dev/null for stdin, /dev/zero for stdout, no report */
	SPAWN_PIPE,    /* the pipe given with SPAWN_PIPES */
	SPAWN_PASSED,  /* comes with SPAWN_RUN */
	SPAWN_STDERR,  /* stdout only: the same as stderr */
};

enum spawn_strays { SPAWN_STRAYS_KILL, SPAWN_STRAYS_KEEP, SPAWN_STRAYS_IGNORE };

/* Strings are offsets from the start of the area; 0 is none. */
struct spawn_request {
	uint64_t number;
	int64_t timeout_ns;
	uint64_t program;
	uint64_t directory;
	uint64_t argv; /* of an array of offsets that ends in 0 */
	uint64_t environment;
	int32_t cpu;
	uint8_t stdin_source, stdout_source, stderr_source, report_source;
	uint32_t strays;
	uint32_t event_count;
	struct perf_event_attr events[SPAWN_EVENTS];
};

struct spawn_event {
	int32_t open_error;
	uint64_t value, enabled_ns, running_ns;
};

/* How far a child came that could not be started. */
enum spawn_stage { STAGE_RUNNING, STAGE_CLONE, STAGE_CPU, STAGE_DIRECTORY, STAGE_EXEC };

struct spawn_result {
	int32_t pid; /* set as soon as it runs */
	int32_t stage;
	int32_t stage_error; /* errno */
	int32_t wait_status;
	int64_t started_ns, wall_ns, run_delay_ns;
	uint8_t timed_out, interrupted;
	struct rusage usage;
	struct spawn_event events[SPAWN_EVENTS];
	uint32_t stray_count;
	char stray_names[SPAWN_STRAYS][SPAWN_NAME_BYTES];
};

struct spawn_area {
	_Atomic uint64_t bell;	 /* number of the latest order */
	_Atomic uint32_t asleep; /* the bell is not heard: the orders' eventfd must follow */
	int32_t worth_cpu;	 /* where worth last ran */
	uint32_t held;		 /* this process is kept on one processor; its children are not */
	uint32_t by_message;	 /* the order that the bell rang for comes by message */
	struct spawn_message reply;
	struct spawn_request request;
	struct spawn_result result;
	char bytes[]; /* the strings, up to SPAWN_AREA_BYTES */
};

#endif
