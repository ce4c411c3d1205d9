/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPERIMENT_EXPERIMENT_H
#define EXPERIMENT_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * An experiment as its file tells it: variants, how to get each, factors with
 * levels, workloads, and the settings of the measurement. Nothing in it has
 * been checked against the world: no revision looked up, no program found.
 * Strings are as written, continuation lines joined by a space. Lines are
 * those of the file, for messages.
 *
 *	[measure]		keys are the long options of worth compare
 *	rounds = 60
 *	margin = 2%
 *	margin = max-rss=5%
 *
 *	[variant base]		the first is the baseline
 *	revision = v1.0
 *	build = make -j2 CFLAGS={cflags}
 *	program = sort		within the work tree, or a path
 *
 *	[factor threads]
 *	levels = 1 2 4
 *
 *	[workload small]
 *	command = {program} --threads {threads} small.txt
 *
 *	[blocks]		of what the whole is repeated, so that the interval holds it
 *	sessions = 5		or rebuilds, relinks, reboots, hosts
 *	pause = 10min		between sessions
 *
 *	[claim pays]		what is said to come of it: the report ends in whether
 *	says = the topic takes less time with four threads
 *	metric = wall
 *	candidate = topic threads=4
 *	baseline = base threads=4
 *	direction = lower	or higher, or same
 *	least = 2%
 *	published = -3.1%	beside which figure
 *	source = where it stands
 */
struct text_list {
	const char **items;
	size_t count, capacity;
};

struct variant {
	const char *name;
	unsigned line;
	const char *command;	      /* what is run where there are no workloads */
	const char *program;	      /* {program}; NULL: none */
	const char *repository;	      /* NULL: that of the file's directory */
	const char *revision;	      /* NULL: not from git */
	const char *build;	      /* a shell command in the work tree; NULL: nothing to build */
	const char *link;	      /* another, which links what was built again; NULL: none */
	const char *directory;	      /* the runs' working directory; NULL: the user's */
	struct text_list environment; /* NAME=VALUE, of the build and of the runs */
	const char *tree;	      /* {tree}: where it was built; set by who builds */
	const char **layout_trees;    /* the same of each layout; NULL: there is one */
	const char *commit;	      /* of the revision, in full; set by who builds */
	bool missing;		      /* could not be had; set by who builds */
};

struct factor {
	const char *name;
	unsigned line;
	struct text_list levels; /* two or more */
	bool ordered;		 /* the levels are in an order, whose trend is asked for */
};

struct workload {
	const char *name; /* "" for the one of a plain [workload] */
	unsigned line;
	const char *command;
	const char *prepare, *conclude; /* NULL: none */
};

/* A claim to be held against the result; its words as they stand in the file. */
struct experiment_claim {
	const char *name;
	unsigned line;
	const char *says;
	const char *metric;		  /* NULL: the primary one */
	const char *candidate, *baseline; /* "VARIANT FACTOR=LEVEL ..." */
	const char *direction;		  /* lower, higher, same */
	const char *least;		  /* "2%" */
	const char *published, *source;	  /* NULL: none */
};

/* One key of [measure]. */
struct setting {
	const char *key, *value;
	unsigned line;
};

/* What the measurement is repeated over. */
enum blocks_kind {
	BLOCKS_NONE,
	BLOCKS_REBUILDS,
	BLOCKS_RELINKS,
	BLOCKS_SESSIONS,
	BLOCKS_REBOOTS,
	BLOCKS_HOSTS,
};

struct experiment_blocks {
	unsigned line;
	const char *words[BLOCKS_HOSTS + 1]; /* as written, by kind; NULL: not there */
	const char *pause_word;
	enum blocks_kind kind;
	size_t count;
	int64_t pause_ns; /* between sessions */
};

/* Levels that are run together; one for each factor, in the order of the factors. */
struct experiment_cell {
	const char **levels;
};

struct experiment {
	const char *path, *title; /* title NULL: none */
	const char *study;	  /* its name, of the bundled ones; NULL: none */
	const char *summary;	  /* of a study: what was argued about; NULL: none */
	const char *beside;	  /* "METRIC,...": told of each cell, of a study; NULL: none */
	const char *pareto;	  /* "METRIC,METRIC": whose front is told; NULL: none */
	struct text_list quick;	  /* KEY=VALUE of [measure], for a short form */
	struct experiment_claim *claims;
	size_t claim_count, claim_capacity;
	struct variant *variants; /* at least one */
	size_t variant_count, variant_capacity;
	struct factor *factors;
	size_t factor_count, factor_capacity;
	struct workload *workloads;
	size_t workload_count, workload_capacity;
	struct setting *settings;
	size_t setting_count, setting_capacity;
	struct text_list listed; /* rows of [cells]; none: the full factorial */
	unsigned *listed_lines;
	size_t listed_line_capacity;
	struct experiment_cell *cells; /* at least one (of no factors) */
	size_t layouts;		       /* levels of the last factor, "layout"; 0: it is not there */
	size_t cell_count;
	bool relinked; /* layouts differ by the link alone */
	struct experiment_blocks blocks;
};

/* How many cells times variants times workloads a file may have without and with consent. */
enum { EXPERIMENT_CELLS_PLAIN = 100, EXPERIMENT_CELLS_MOST = 2000 };

/*
 * The experiment in the file at path, everything in arena. Errors are one
 * sentence that begins with "FILE:LINE: ": an unknown section or key (with the
 * nearest known one), a key twice, a variant, factor or workload twice, fewer
 * than two levels, a cell that names an unknown level, a variant without
 * anything to run, too many cells. many: more than EXPERIMENT_CELLS_PLAIN runs
 * a round are meant.
 */
bool experiment_read(struct arena *arena, const char *path, bool many,
		     struct experiment *experiment, struct error *err);

/* The same of bytes in memory; path is for messages. */
bool experiment_parse(struct arena *arena, const char *path, const char *bytes, size_t length,
		      bool many, struct experiment *experiment, struct error *err);

/* A commented example, ready to be edited. */
extern const char experiment_example[];

#endif
