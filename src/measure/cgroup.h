/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_CGROUP_H
#define MEASURE_CGROUP_H

#include <stdbool.h>

#include "base/arena.h"

/*
 * The control group this process is in: its limits, and what version 2 can
 * account. root as in proc.h. Version 1 and 2 may be mounted side by side
 * (hybrid); then the controllers sit in version 1 and the version 2 directory
 * has none.
 */
struct cgroup {
	const char *path;	 /* of the group within its hierarchy, "/user.slice" */
	const char *directory;	 /* of the version 2 group, without root; NULL: not mounted */
	const char *controllers; /* of that directory, "cpu memory pids"; "": none */
	double cpu_limit; /* processors' worth of time, tightest of all ancestors; NAN: none */
	double memory_limit_bytes; /* NAN: none */
};

/* False if this process is in no group that can be seen. */
bool cgroup_find(struct arena *arena, const char *root, struct cgroup *cgroup);

/* What a version 2 group has used; NAN where the kernel does not say. */
struct cgroup_usage {
	double cpu_s, user_s, sys_s; /* of all processes ever in it, cpu.stat */
	double throttled_s;	     /* time its processes were held back by its limit */
	double memory_peak_bytes;    /* memory.peak, Linux 5.19 */
};

struct cgroup_usage cgroup_usage_read(struct arena *arena, const char *root, const char *directory);

#endif
