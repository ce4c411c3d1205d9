/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_ENVIRONMENT_H
#define MEASURE_ENVIRONMENT_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/environment.h"

/*
 * The machine now. Facts that cannot be read are absent, never guessed:
 *
 *	host, kernel		as uname says
 *	boot			an id that the kernel draws when it starts
 *	cpu model		"Intel(R) Xeon(R) Processor @ 2.60GHz"
 *	cpus online, cpus allowed	"0-3,8"
 *	governor		"performance", "powersave (intel_pstate)", several: "a, b"
 *	turbo			"on", "off"
 *	smt			"on, 2 threads a core", "off"
 *	power			"mains", "battery"
 *	aslr			"full", "partial", "off"
 *	virtual machine		"no", "yes", "kvm", "xen", "VMware", ...
 *	container		"no", "docker", "podman", "lxc", "kubernetes", ...
 *	cgroup			"/user.slice", and "; cpu limit 1.5", "; memory limit N B"
 *	clock source		"tsc", "kvm-clock", "hpet", "jiffies", ...
 *	tick			"250 Hz"
 *	cpu accounting		"tick" (user and sys split by samples), "exact"
 *	autogroup		"on", "off"
 *	perf			"paranoid 2"
 *	memory			"24683656 kB, swap 0 kB"
 *	huge pages		"always", "madvise", "never"
 *
 * and the variables that environment_variable_allowed permits, as "env PATH".
 */
void environment_read(struct arena *arena, struct environment *environment);

/* Of the same what may change while a session runs: governor, turbo, power, and the numbers. A
 * fifth of the time of reading everything. */
void environment_read_again(struct arena *arena, struct environment *environment);

/* The same of another root: root stands before /proc, /sys, /boot and the like, "" being this
 * machine; only for "" are the processor, the clocks and the accounting asked themselves too.
 * variables is NULL-terminated NAME=VALUE. */
void environment_read_from(struct arena *arena, const char *root, const char *const *variables,
			   struct environment *environment);

/* What may be stored of the user's environment (privacy): PATH, LANG, LC_*, LD_*, MALLOC_*, OMP_*,
 * CC, CFLAGS. variable is NAME=VALUE or NAME. */
bool environment_variable_allowed(const char *variable);

/* Whether the kernel splits CPU time into user and sys by what the timer tick happens to hit. Seen
 * by running system calls for less than a tick in child processes: where the split is sampled,
 * some of them show no system time at all. Takes up to 40 ms; *sampled is set only on true. */
bool environment_accounting_sampled(bool *sampled);

/* Resolution of CLOCK_MONOTONIC as observed (smallest non-zero step of many readings), ns. */
double environment_clock_step_ns(void);

#endif
