/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_PERF_COUNTERS_H
#define FORMATS_PERF_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "formats/results/results.h"

/*
 * What `perf stat -x` and `perf stat -j` have in common. A counter is one run's
 * value; under -r it is a mean of runs that are not there, and perf does not
 * say of how many; under -I the intervals of one run add up to its value.
 */
struct perf_counters;

/* One counter as it was printed. Strings are the caller's. */
struct perf_counter {
	const char *place; /* "CPU0", "S0-D0-C0" under -A and --per-...; NULL or "" for the whole */
	const char *event;
	const char *unit;     /* "msec", "ns", "Joules", "" */
	const char *value;    /* digits, or "<not supported>", "<not counted>" */
	const char *interval; /* time under -I; NULL without */
	bool averaged;	      /* a deviation was printed: -r */
	double running;	      /* percentage of the time that it was counted; NAN: not said */
	size_t line;
};

struct perf_counters *perf_counters_open(struct results *results);
/* False with what was expected in *expected if the value is no number. */
bool perf_counters_add(struct perf_counters *counters, const struct perf_counter *counter,
		       const char **expected);
/* Hand all to the results. */
void perf_counters_finish(struct perf_counters *counters);
void perf_counters_close(struct perf_counters *counters); /* NULL is accepted */

#endif
