/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H

#include "base/arena.h"
#include "base/error.h"
#include "measure/child.h"
#include "model/recording.h"

/*
 * Hardware and software events by name through libpfm4: the names of perf
 * (cycles, instructions, L1-icache-load-misses, page-faults, r01c2), those of
 * the processor's manual (INST_RETIRED:ANY), and modifiers (cycles:u,
 * cycles:uk). Events that the machine does not have, or that the kernel
 * refuses, are no failure: the metric is not added and a remark says why in
 * one sentence for all of them.
 */
struct counters {
	struct perf_event_attr
	    *attributes; /* disabled, inherit, enable_on_exec, times enabled/running */
	size_t *metrics; /* column of each in the recording */
	size_t count;
};

/* Whether name is an event of this machine or a generic one; ERROR_USAGE with the nearest known
 * name otherwise. Says nothing about whether the machine counts it. */
bool counters_check(const char *name, struct error *err);

/* What the kernel lets this process count of an event, tried once. */
enum counter_fate {
	COUNTER_OPEN,
	COUNTER_USER_ONLY, /* the kernel's part is kept back (perf_event_paranoid) */
	COUNTER_REFUSED,
	COUNTER_ABSENT,	 /* the machine does not count it, as in most virtual machines */
	COUNTER_UNKNOWN, /* no such name */
};
enum counter_fate counters_try(const char *name);

/* Names to events; tries each on this process once, and adds a metric for those that open. Where
 * the kernel lets only user mode be counted, the metric is "NAME:u" and a remark says so. */
void counters_open(struct arena *arena, struct recording *recording, const char *const *names,
		   size_t name_count, struct counters *counters);
/* Adds "task-clock" and "migrations" (software events, hidden), where the kernel permits them,
 * without a remark where it does not. After counters_open, once; also when runs are there already,
 * whose values are then NAN. The first event of a machine makes the kernel patch itself and wait
 * for all processors: 9 to 15 ms (Linux 6.18, two processors). */
void counters_open_usual(struct arena *arena, struct recording *recording,
			 struct counters *counters);
/* Event values of one run into its sample: scaled by enabled/running, the share in coverage. An
 * event that never ran, or did not open in the child, stays NAN. */
void counters_read(struct arena *arena, const struct counters *counters,
		   const struct child_outcome *outcome, const struct recording *recording,
		   struct sample *sample);

#endif
