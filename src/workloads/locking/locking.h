/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_LOCKING_LOCKING_H
#define WORKLOADS_LOCKING_LOCKING_H

#include "specimens/loops.h"
#include "workloads/workload.h"

/*
 * What the workloads of spinlocks and of mutexes share: one thread that takes a
 * lock while another exists, and several that want it. Figures:
 *
 *	lock         ns an operation: lock, add 1, unlock (of a team: wall time of all)
 *	lock-cycles  the same in cycles of the moment (cycles.h); x86-64 alone
 *	hand-off     share of the operations before which another thread held it
 *	fairness     the least share of a thread over the greatest
 *	wait-p50, wait-p99, wait-max   ns until a lock was taken (--waits)
 *
 * More threads than there are CPUs run for windows of 150 ms; --operations are then
 * a least number.
 */
#define LOCKING_NO_FOOTPRINT UINT64_MAX

struct locking_settings {
	struct work_settings work;
	const char *lock;
	uint64_t tasks;
	uint64_t crowd;		  /* threads for each CPU, in place of tasks; 0: none */
	bool waits;		  /* each taking is timed, too, in a window of its own; of teams */
	bool apart;		  /* the counter is on another line of cache than the lock */
	uint64_t inside, outside; /* multiplications, about 3 cycles each */
	uint64_t footprint_bytes, gap_bytes, layout; /* of spinlocks: spin_footprint.h;
							LOCKING_NO_FOOTPRINT: not that way */
	bool layouts; /* one for each round of worth, in place of layout */
};

/* One variant, of whichever kind. */
struct locking {
	const char *name;
	size_t bytes;
	bool fair;     /* in order of arrival: more threads than CPUs are very slow */
	bool excludes; /* false: the counter is not checked */
	void (*init)(void *lock);
	void (*lock)(void *lock, struct lock_hold *hold);
	void (*unlock)(void *lock, struct lock_hold *hold);
	struct lock_loops loops;
};

/* Alone or with tasks, as settings say. */
bool locking_run(struct work *work, const struct locking *locking,
		 const struct locking_settings *settings, struct error *err);

/* A second thread that sleeps: a C library with one thread alone leaves atomics out. */
struct task;
bool locking_bystander_start(struct task **task, struct error *err);
bool locking_bystander_end(struct task *task, struct error *err);

#define LOCKING_OPTIONS                                                                            \
	{ .kind = OPTION_TEXT,                                                                     \
	  .name = "lock",                                                                          \
	  .value = "NAME",                                                                         \
	  .help = "which variant; \"list\" shows them",                                            \
	  .offset = offsetof(struct locking_settings, lock) },                                     \
	    { .kind = OPTION_COUNT,                                                                \
	      .name = "tasks",                                                                     \
	      .value = "K",                                                                        \
	      .help = "threads that want it (1: one, while a second sleeps); more than there are " \
		      "CPUs share them",                                                           \
	      .offset = offsetof(struct locking_settings, tasks),                                  \
	      .minimum = 1,                                                                        \
	      .maximum = 256 },                                                                    \
	    { .kind = OPTION_COUNT,                                                                \
	      .name = "crowd",                                                                     \
	      .value = "K",                                                                        \
	      .help = "instead of --tasks: K threads for each CPU there is",                       \
	      .offset = offsetof(struct locking_settings, crowd),                                  \
	      .minimum = 2,                                                                        \
	      .maximum = 64 },                                                                     \
	    { OPTION_FLAG,                                                                         \
	      "waits",                                                                             \
	      0,                                                                                   \
	      NULL,                                                                                \
	      "with several tasks: also time each taking of the lock, in a window after the rest", \
	      offsetof(struct locking_settings, waits) },                                          \
	    { OPTION_FLAG,                                                                         \
	      "apart",                                                                             \
	      0,                                                                                   \
	      NULL,                                                                                \
	      "the counter is on another line of cache than the lock",                             \
	      offsetof(struct locking_settings, apart) },                                          \
	    { .kind = OPTION_COUNT,                                                                \
	      .name = "inside",                                                                    \
	      .value = "N",                                                                        \
	      .help = "with several tasks: multiplications under the lock, each about 3 cycles",   \
	      .offset = offsetof(struct locking_settings, inside),                                 \
	      .maximum = 1e9 },                                                                    \
	{                                                                                          \
		.kind = OPTION_COUNT, .name = "outside", .value = "N",                             \
		.help = "with several tasks: multiplications between unlock and lock",             \
		.offset = offsetof(struct locking_settings, outside), .maximum = 1e9               \
	}

#endif
