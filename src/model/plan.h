/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_PLAN_H
#define MODEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/study.h"

/* One level of a factor, from -L name=... or an experiment file. */
struct level {
	const char *factor;
	const char *value;
	bool ordered; /* the factor's levels are in an order, whose trend is asked for */
};

/* One thing under comparison. Strings are as given by the user, not cleaned. */
struct subject {
	const char *label;   /* shown; unique in a plan */
	const char *command; /* as the user wrote it, placeholders replaced */
	char **argv; /* NULL-terminated words to exec; under --shell {shell, "-c", command} */
	size_t argc;
	const char *directory;		/* working directory, NULL: the user's */
	const char *commit;		/* that it was built from, in full; NULL: not from git */
	const char *const *environment; /* extra NAME=VALUE, NULL-terminated; may be NULL */
	const char *binary_path;	/* what exec finds for argv[0]; NULL if not resolved */
	const char *build_id; /* GNU build id in hex, or "fnv:" and a hash of the file; NULL */
	const char *prepare;  /* before each run of it (a shell command), NULL: none */
	const char *conclude; /* after each run of it */
	struct level *levels;
	size_t level_count;
	size_t baseline; /* index of the subject it is compared with; its own for a baseline
			    (one baseline at each cell of a sweep: ./old 4, ./new 4) */
	bool empty; /* an empty program, run for what a start costs: the last one of a plan, its own
		       baseline, nobody's candidate */
};

enum output_mode {
	OUTPUT_DISCARD, /* /dev/zero opened for writing: discards, but no program takes it for
			   /dev/null */
	OUTPUT_NULL,	/* /dev/null */
	OUTPUT_PIPE,	/* read and thrown away (hashed under same_output) */
	OUTPUT_INHERIT, /* worth's own stdout */
	OUTPUT_FILE,	/* output_path, truncated before each run */
};

enum slot_order {
	ORDER_RANDOM, /* a fresh uniform permutation each round: the default, and what judging
			 assumes */
	ORDER_FIXED,  /* as listed; only for recordings of other origin */
};

/* A margin of its own for one metric. */
struct metric_margin {
	const char *metric;
	double ratio; /* 0.01 is 1% */
};

/*
 * Everything decided before the first run. It is stored with the recording and
 * never changes afterwards, except that extended_rounds grows when the user
 * extends (method.md 3.6 has alpha set aside for that).
 */
struct plan {
	struct subject *subjects; /* [0] is a baseline; see subject.baseline for the rest */
	size_t subject_count;

	size_t rounds;		/* N, asked for; looks are planned over it */
	size_t extended_rounds; /* 0, or 2N, 4N, ... after --extend */
	size_t warmup_rounds;
	int64_t budget_ns; /* truncates, never plans; 0: none */
	bool peek;	   /* planned looks before N; false: one look at N at full alpha */
	enum slot_order order;
	uint64_t seed;

	const char *primary; /* metric name; NULL under all_decide */
	bool all_decide;     /* a set of benchmarks of equal standing: every metric shown is
				primary, and Holm's procedure runs over all of them */
	double margin_ratio; /* 0.01 is 1% */
	struct metric_margin *margins;
	size_t margin_count;
	double confidence; /* 0.95 */
	const char *block; /* the factor whose levels are replicates: "layout", "session"; the
			      unit of sampling is one of them, not a run. NULL: none */
	bool self_check;   /* --aa: both sides are the same command */

	int64_t timeout_ns;	  /* per run, 0: none */
	int cpu;		  /* pin to this processor, -1: free */
	bool environment_padding; /* a variable of random 0..4095 bytes per run */
	bool ignore_failure;
	bool keep_strays;
	const char *shell; /* NULL: words are exec'ed */
	const char *setup; /* hooks are shell commands; NULL: none */
	const char *cleanup;
	const char *input_path; /* NULL: /dev/null */
	enum output_mode output;
	const char *output_path;
	bool show_output;      /* stderr and stdout of the runs to worth's stderr */
	bool same_output;      /* all variants must print the same bytes */
	const char **counters; /* perf event names */
	size_t counter_count;
	bool simulate;		   /* two runs of each under cachegrind */
	const struct study *study; /* what it is to be held against; NULL: nothing */
};

/* The margin that applies to a metric: its own or the plan's. *given tells (may be NULL) whether it
 * was given for that metric by name. */
double plan_margin(const struct plan *plan, const char *metric, bool *given);

/* How many subjects are compared with another: the candidates that share the primary's alpha. */
size_t plan_candidate_count(const struct plan *plan);

/* How many subjects are there to be compared: all but the empty program. */
size_t plan_compared_count(const struct plan *plan);

/* The last round that may be run: rounds or extended_rounds. */
size_t plan_last_round(const struct plan *plan);

/* What is run, clean: "LC_ALL=C ./sort big.txt  (in /tmp)", or "(of COMMIT)" where it was built
 * from one; "" without a command. */
const char *plan_subject_text(struct arena *arena, const struct subject *subject);

const char *
output_mode_name(enum output_mode mode); /* "discard", "null", "pipe", "inherit", "file" */
bool output_mode_parse(const char *word, enum output_mode *mode);

#endif
