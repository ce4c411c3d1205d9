/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_WORKLOAD_H
#define WORKLOADS_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/options.h"
#include "workloads/guard.h"
#include "workloads/report.h"

/*
 * A workload is one thing that a kernel or a C library does, done many times by
 * the program worth-load. The amount of work is fixed by default, so that the
 * wall time of the whole process can be compared; with --time it runs that
 * long, and only the figures that it reports mean something.
 */

/* What every workload may be told; the first member of its settings. */
struct work_settings {
	uint64_t operations; /* 0: the workload's own number */
	int64_t time_ns;     /* 0: until the operations are done */
	int64_t batch_ns;    /* the least time of a batch */
	int64_t limit_ns;    /* the watchdog ends the run after that */
	bool every_batch;    /* print each on stdout, not only their median */
};

/* A year: sums of such times and of the clock stay far from where int64_t ends. */
#define WORK_LONGEST_NS 3.1536e16

#define WORK_OPTIONS(type, member)                                                                 \
	{ .kind = OPTION_GROUP, .help = "Length and output" },                                     \
	    { .kind = OPTION_COUNT,                                                                \
	      .name = "operations",                                                                \
	      .value = "N",                                                                        \
	      .help = "do that many in all",                                                       \
	      .offset = offsetof(type, member.operations),                                         \
	      .minimum = 1,                                                                        \
	      .maximum = 1e15 },                                                                   \
	    { .kind = OPTION_DURATION,                                                             \
	      .name = "time",                                                                      \
	      .value = "T",                                                                        \
	      .help = "run that long instead; the wall time of the process then says nothing",     \
	      .offset = offsetof(type, member.time_ns),                                            \
	      .minimum = 1e6,                                                                      \
	      .maximum = WORK_LONGEST_NS },                                                        \
	    { .kind = OPTION_DURATION,                                                             \
	      .name = "batch",                                                                     \
	      .value = "T",                                                                        \
	      .help = "operations are timed in batches of at least T (as is said above)",          \
	      .offset = offsetof(type, member.batch_ns),                                           \
	      .minimum = 1e4,                                                                      \
	      .maximum = 6e10 },                                                                   \
	    { .kind = OPTION_DURATION,                                                             \
	      .name = "limit",                                                                     \
	      .value = "T",                                                                        \
	      .help = "give up after T (10min, or ten times that of --time where this is longer)", \
	      .offset = offsetof(type, member.limit_ns),                                           \
	      .minimum = 1e6,                                                                      \
	      .maximum = WORK_LONGEST_NS },                                                        \
	{                                                                                          \
		.kind = OPTION_FLAG, .name = "every-batch",                                        \
		.help = "print the figure of each batch, not only their median",                   \
		.offset = offsetof(type, member.every_batch)                                       \
	}

/* What a workload is given for its one run. */
struct work {
	struct arena *arena;
	struct report *report;
	struct guard *guard;
	const struct work_settings *settings;
	uint64_t operations; /* in all; endless under --time */
	bool is_default;     /* nobody said how many: a workload may set what suits its kind */
	int64_t started_ns;
};

/* The descriptor stands last in its file. */
struct workload {
	const char *name;	      /* "pipe-latency" */
	const char *summary;	      /* one line for the list */
	const char *operation;	      /* what one operation is: a noun phrase */
	const char *exercises;	      /* which parts of the system: a noun phrase */
	const char *verified;	      /* how the result is checked: a sentence without full stop */
	const char *needs;	      /* preconditions: a noun phrase, NULL: none */
	const char *examples;	      /* as of struct command */
	const struct option *options; /* ends with WORK_OPTIONS and OPTION_TABLE_END */
	size_t settings_size;
	const void *defaults; /* settings_size bytes */
	uint64_t operations;  /* by default: about half a second's work of a machine of 2020;
			       * 0: run sets it, by kind */
	int64_t batch_ns;     /* the least time of a batch by default; 0: 10 ms, enough for all but
			       * batches that are dear to begin and to end */
	/* Does it and reports; false with one sentence if it cannot, or if its result is wrong. */
	bool (*run)(struct work *work, const void *settings, struct error *err);
};

#endif
