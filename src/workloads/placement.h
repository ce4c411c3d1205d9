/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_PLACEMENT_H
#define WORKLOADS_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/options.h"

/*
 * On which CPUs the tasks of a workload run. Tasks that float make figures with
 * two values, one for partners on one CPU and one for two; so they are pinned
 * unless that is what is asked for, and where they were is always said.
 */
enum placement { PLACEMENT_ONE, PLACEMENT_TWO, PLACEMENT_FREE };

/* For an OPTION_CHOICE: "one-cpu", "two-cpus", "free". */
extern const char *const placement_names[];

enum { PLACEMENT_FLOATING = -1, PLACEMENT_CPUS = 1024 };

/* CPUs that this process may use, in order; how many (at most PLACEMENT_CPUS). */
size_t placement_allowed(int *cpus);

/* Whether two CPUs are threads of one core: 1 or 0, -1 if /sys does not say. */
int placement_siblings(int cpu, int other);

/*
 * The CPUs for two partners, PLACEMENT_FLOATING under PLACEMENT_FREE. One CPU is the one where
 * this process is; of two the second is on another core if there is one. label says it in words.
 */
bool placement_pair(enum placement placement, int cpus[2], char *label, size_t label_size,
		    struct error *err);

/*
 * One CPU each for count tasks, different cores. Refuses if there are too few: more tasks than
 * CPUs share them, and threads of one core share its units, so neither shows how something
 * scales. siblings: threads of one core are good enough.
 */
bool placement_spread(size_t count, bool siblings, int *cpus, struct error *err);

/* Where the members of a team run, as a user says it. */
struct placement_team {
	bool smt;  /* threads of one core are good enough */
	bool free; /* not pinned: the scheduler chooses */
};

#define PLACEMENT_TEAM_OPTIONS(type, member)                                                       \
	{ OPTION_FLAG,                                                                             \
	  "smt",                                                                                   \
	  0,                                                                                       \
	  NULL,                                                                                    \
	  "threads of one core are CPUs of their own",                                             \
	  offsetof(type, member.smt) },                                                            \
	{                                                                                          \
		OPTION_FLAG, "free", 0, NULL, "not pinned; more tasks than CPUs are possible",     \
		    offsetof(type, member.free)                                                    \
	}

/*
 * CPUs for count members, NULL where they float; *label says it in words, with the numbers of the
 * CPUs. Refuses as placement_spread does.
 */
bool placement_team(struct arena *arena, const struct placement_team *wanted, size_t count,
		    const int **cpus, const char **label, struct error *err);

/* Pin this thread; PLACEMENT_FLOATING does nothing. */
bool placement_enter(int cpu, struct error *err);

#endif
