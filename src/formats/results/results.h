/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_RESULTS_RESULTS_H
#define FORMATS_RESULTS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/metric.h"

/*
 * What a reader found in one file, before anything is compared: sides x
 * measures x runs. A reader fills it through the functions below and knows
 * nothing of verdicts; formats/results/gather.h makes one recording of the results of
 * several files.
 *
 * A side is what one column of a comparison is made of. Most files are one side
 * (the nameless one, index 0 once anything is added); a mail with a table under
 * "vanilla:" and another under "patched:" has two named ones.
 *
 * A measure is one quantity of one benchmark: "BM_copy/64" and "cpu_time".
 *
 * A column is one measure of one side: its values in run order, each run with
 * a place of its own, so that --paired and derived metrics can count on it: a
 * run that was not measured holds its place with NAN. Values are in base units
 * ("s", "B", "B/s", "" for counts): see formats/input/unit.h.
 *
 * Levels: where a file groups its values (iterations within a process within
 * a boot), each value says of which process and boot it is. Only the highest
 * level that varies counts as independent; gathering takes one number, the
 * median, of each such unit.
 *
 * Aggregates that a tool printed (means, deviations, percentiles over runs)
 * never become values: a reader that has the runs ignores them, a reader that
 * has nothing else makes a summary.
 */
struct results;
struct recording; /* model/recording.h */

struct results_label {
	const char *key, *value; /* "threads", "8": what --by can split by */
};

/* Strings are copied, and are what the file says, uncleaned. */
struct measure {
	const char *scope; /* what keeps equal names apart: a package, a suite, a machine; NULL */
	const char *benchmark; /* "" or NULL where the file has only one, without a name */
	const char *metric;    /* "real", "cpu_time", "latency" */
	const char *unit;      /* base unit; NULL counts as "" */
	enum better better;
	bool exact;	/* no run-to-run variation by nature: bytes of a program */
	bool secondary; /* told besides: another metric of the benchmark is its result */
	const struct results_label *labels;
	size_t label_count;
};

enum reading_state {
	READING_GOOD,
	READING_MISSING,  /* not run, blank, "<not supported>", -1, NaN */
	READING_CENSORED, /* "+++++": too quick to be timed, so a bound and not a number */
	READING_FAILED,	  /* the tool says that this run went wrong */
};

struct reading {
	double value;	/* NAN unless good; then it must be finite */
	double quantum; /* step of the last printed digit, in the base unit; 0: none known */
	size_t line;	/* 1-based line of the file; 0: none (JSON, binary) */
	enum reading_state state;
	uint32_t boot,
	    process; /* units that the value lies in; 0 where the file has no such level */
};

/* A side, by name; the same name gives the same index. NULL is the nameless side. line is where
 * the file names it, 0 if nowhere. */
size_t results_side(struct results *results, const char *name, size_t line);

/* A measure; equal scope, benchmark, metric and unit give the same index. Names are compared in
 * full, whatever they contain. */
size_t results_measure(struct results *results, const struct measure *measure);

/* The next run of a measure on a side. A value that is not finite is kept as missing. */
void results_add(struct results *results, size_t side, size_t measure,
		 const struct reading *reading);
/* The same for plain good values without line and levels, which cost 8 bytes each. */
void results_add_value(struct results *results, size_t side, size_t measure, double value,
		       double quantum);
/* Missing values until the column holds count runs: for columns that must stay in step. */
void results_pad(struct results *results, size_t side, size_t measure, size_t count);

/* Figures of runs that are not there: mean, sample standard deviation and the number of runs
 * (0: the file does not say; NAN: no deviation). */
void results_summary(struct results *results, size_t side, size_t measure, double mean,
		     double deviation, size_t count, size_t line);

/* Run number run (0-based, counted over the side) ended with this status or signal. The values it
 * has stay where they are, and are not judged. */
void results_fail_run(struct results *results, size_t side, size_t run, int exit_status, int signal,
		      size_t line);

/* The benchmarks of this file are alternatives to each other: alone, it is compared by benchmark.
 */
void results_alternatives(struct results *results);
/* It said so, has several benchmarks and no sides of its own. */
bool results_are_alternatives(const struct results *results);

/* A sentence about the file that a reader of the report must know; once. */
void results_remark(struct results *results, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The file is a recording of worth: kept whole besides, for those who judge it as it was planned.
 * It and all it points to must lie in the arena of the results. */
struct arena *results_arena(struct results *results);
void results_keep(struct results *results, const struct recording *recording);

/* What follows is for gathering, judging and tests. */
struct results_column {
	size_t side, measure;
	double *values;
	size_t count, capacity;
	uint32_t *lines;     /* NULL: none known */
	uint32_t *boots;     /* NULL: one for all */
	uint32_t *processes; /* NULL: one for all */
	double quantum;	     /* finest printed step; 0: none known */
	size_t missing, censored, failed;
	bool summarized; /* the rest is set, and values may be empty */
	double mean, deviation;
	size_t summary_count;
	size_t summary_line;
};

struct results_side {
	const char *name; /* NULL: the file itself */
	size_t line;
};

struct results_failure {
	size_t side, run;
	int exit_status, signal;
	size_t line;
};

struct results *results_open(void);
void results_close(struct results *results); /* NULL is accepted */

/* What results_keep was given; NULL: none. */
const struct recording *results_kept(const struct results *results);

size_t results_side_count(const struct results *results);
const struct results_side *results_side_at(const struct results *results, size_t side);
size_t results_measure_count(const struct results *results);
const struct measure *results_measure_at(const struct results *results, size_t measure);
/* NULL if nothing was added to it. */
struct results_column *results_column(const struct results *results, size_t side, size_t measure);
size_t results_column_count(const struct results *results);
struct results_column *results_column_at(const struct results *results, size_t column);
size_t results_remark_count(const struct results *results);
const char *results_remark_at(const struct results *results, size_t remark);
size_t results_failure_count(const struct results *results);
const struct results_failure *results_failure_at(const struct results *results, size_t failure);

#endif
