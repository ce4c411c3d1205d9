/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H

#include "base/arena.h"
#include "base/error.h"
#include "measure/child.h"
#include "model/recording.h"

/*
 * Hardware and software events by name through libpfm4. Names that the machine
 * does not have, or that the kernel refuses, are no failure: the metric is not
 * added and a remark says why in one sentence.
 */
struct counters {
	struct perf_event_attr
	    *attributes; /* disabled, inherit, enable_on_exec, times enabled/running */
	size_t *metrics; /* column of each in the recording */
	size_t count;
};

/* Names to events; tries each on this process once, and adds a metric for those that open. Always
 * contains "task-clock" and "migrations" (software events) where the kernel permits them. */
void counters_open(struct arena *arena, struct recording *recording, const char *const *names,
		   size_t name_count, struct counters *counters);
/* Event values of one run into its sample: scaled by enabled/running, the share in coverage. */
void counters_read(struct arena *arena, const struct counters *counters,
		   const struct child_outcome *outcome, const struct recording *recording,
		   struct sample *sample);

#endif
