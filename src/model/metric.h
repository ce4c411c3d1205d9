/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_METRIC_H
#define MODEL_METRIC_H

#include <stdbool.h>
#include <stddef.h>

/* Which direction a user wants. */
enum better {
	BETTER_LOWER,
	BETTER_HIGHER,
	BETTER_NEITHER, /* shown, never judged better or worse: "changed" */
};

/* Where a value comes from; decides its label in reports ("simulated") and its quantum. */
enum metric_source {
	SOURCE_CLOCK,	  /* CLOCK_MONOTONIC around start and wait */
	SOURCE_RUSAGE,	  /* wait4 */
	SOURCE_COUNTER,	  /* perf_event_open */
	SOURCE_CGROUP,	  /* cgroup v2 files */
	SOURCE_SIMULATED, /* valgrind */
	SOURCE_EMULATED,  /* a guest of QEMU whose clock counts instructions: each run is varied by
			     what must not matter, on its own, so that runs are no pairs */
	SOURCE_REPORTED,  /* lines on WORTH_FD */
	SOURCE_FILE,	  /* facts of a file: its size */
	SOURCE_IMPORTED,  /* another tool's result */
	SOURCE_DERIVED,	  /* computed from others */
};

/*
 * One measured quantity; a recording's metrics are its columns. Values are in
 * the unit named: "s", "B", "" (a plain count), or whatever a workload says.
 */
struct metric {
	const char *name; /* unique in a recording: "wall", "cpu", "max rss" */
	const char *unit; /* "" for counts; never NULL */
	enum better better;
	enum metric_source source;
	double quantum; /* step of the clock or of the last printed digit, in unit; 0: none known */
	bool exact;	/* no run-to-run variation by nature (bytes of a file) */
	bool hidden;	/* kept in the recording, not a row of the sheet unless asked for */
};

/* The metrics that measure/ makes, by name; NULL if unknown. See metric.c for the table. */
const struct metric *metric_known(const char *name);
/* Whether a word means the metric of that name: the same, or with - or _ in the place of blanks,
 * which need no quotes: "max-rss". */
bool metric_is_called(const char *name, const char *word);
/* The known metric that a user's word means so; NULL: none. */
const struct metric *metric_known_called(const char *word);
/* The same one by one, from 0 on; NULL behind the last. */
const struct metric *metric_known_at(size_t index);

const char *better_name(enum better better); /* "lower", "higher", "neither" */
bool better_parse(const char *word, enum better *better);
const char *metric_source_name(enum metric_source source); /* "clock", "rusage", ... */
bool metric_source_parse(const char *word, enum metric_source *source);

#endif
