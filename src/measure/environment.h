/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_ENVIRONMENT_H
#define MEASURE_ENVIRONMENT_H

#include "base/arena.h"
#include "model/environment.h"

/*
 * The machine now: "host", "kernel", "cpu model", "cpus online", "governor",
 * "turbo", "smt", "aslr", "virtual machine", "clock source", "tick", "cpu
 * accounting", "autogroup", "perf", "memory", "container", "cgroup", and the
 * allowed variables ("env PATH", "env LC_ALL", ...: PATH, LANG, LC_*, LD_*,
 * MALLOC_*, OMP_*, CC, CFLAGS). Facts that cannot be read are absent.
 */
void environment_read(struct arena *arena, struct environment *environment);

/* Resolution of CLOCK_MONOTONIC as observed (smallest non-zero step of many readings), ns. */
double environment_clock_step_ns(void);

#endif
