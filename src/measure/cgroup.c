/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where this process stands among the control groups (cgroups(7); the kernel's
 * admin-guide/cgroup-v2.rst). The mounts are found in /proc/self/mountinfo, never assumed: hybrid
 * systems mount version 2 at /sys/fs/cgroup/unified or elsewhere, and a container may see a mount
 * whose root is its own group.
 */
#include "measure/cgroup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/proc.h"

/* A hierarchy: where it is mounted and which part of it is seen there. */
struct hierarchy {
	const char *mount;
	const char *mount_root;
	const char *path; /* of this process, from /proc/self/cgroup */
};

/* The blank-separated word number index of a line, NULL if there are fewer. */
static char *word_at(struct arena *arena, const char *line, size_t index)
{
	size_t i;

	for (i = 0; i < index; i++) {
		line += strcspn(line, " \n");
		if (*line != ' ')
			return NULL;
		line++;
	}
	return arena_strndup(arena, line, strcspn(line, " \n"));
}

/* Fields of mountinfo (proc(5)): 3 is the root, 4 the mount point; after " - " come the type, the
 * device and the superblock's options. controller NULL asks for version 2. */
static bool mount_find(struct arena *arena, const char *mountinfo, const char *controller,
		       struct hierarchy *hierarchy)
{
	const char *type = controller == NULL ? "cgroup2" : "cgroup";

	while (mountinfo != NULL && *mountinfo != '\0') {
		size_t length = strcspn(mountinfo, "\n");
		const char *line = arena_strndup(arena, mountinfo, length);
		const char *tail = strstr(line, " - ");

		if (tail != NULL && strcmp(word_at(arena, tail + 3, 0), type) == 0) {
			const char *options = word_at(arena, tail + 3, 2);

			if (controller == NULL || proc_has_word(options, controller)) {
				hierarchy->mount_root = word_at(arena, line, 3);
				hierarchy->mount = word_at(arena, line, 4);
				return hierarchy->mount != NULL;
			}
		}
		mountinfo += length;
		mountinfo += *mountinfo == '\n';
	}
	return false;
}

/* This process's path in the hierarchy of a controller (NULL: version 2, whose line is "0::PATH").
 */
static const char *path_find(struct arena *arena, const char *groups, const char *controller)
{
	while (groups != NULL && *groups != '\0') {
		size_t length = strcspn(groups, "\n");
		char *line = arena_strndup(arena, groups, length);
		char *names = strchr(line, ':');
		char *path = names == NULL ? NULL : strchr(names + 1, ':');

		if (path != NULL) {
			*path++ = '\0';
			if (controller == NULL ? strcmp(line, "0:") == 0
					       : proc_has_word(names + 1, controller))
				return path;
		}
		groups += length;
		groups += *groups == '\n';
	}
	return NULL;
}

static bool hierarchy_find(struct arena *arena, const char *root, const char *controller,
			   struct hierarchy *hierarchy)
{
	const char *mountinfo = proc_read(arena, root, "/proc/self/mountinfo");
	const char *groups = proc_read(arena, root, "/proc/self/cgroup");

	hierarchy->path = path_find(arena, groups, controller);
	return hierarchy->path != NULL && mount_find(arena, mountinfo, controller, hierarchy);
}

/* The group's path below the mount point: without the part that the mount itself hides. */
static const char *visible_path(const struct hierarchy *hierarchy)
{
	size_t hidden = strlen(hierarchy->mount_root);

	if (strcmp(hierarchy->mount_root, "/") == 0)
		return strcmp(hierarchy->path, "/") == 0 ? "" : hierarchy->path;
	if (strncmp(hierarchy->path, hierarchy->mount_root, hidden) == 0 &&
	    (hierarchy->path[hidden] == '/' || hierarchy->path[hidden] == '\0'))
		return hierarchy->path + hidden;
	return ""; /* the group lies outside of what is mounted here: all we see is the mount */
}

static double number_of(const char *word)
{
	long long number;

	return proc_number(word, &number) ? (double)number : NAN;
}

/* "150000 100000" is 1.5 processors, "max 100000" no limit. */
static double cpu_limit_v2(struct arena *arena, const char *root, const char *directory)
{
	char *line = proc_line(arena, root, arena_printf(arena, "%s/cpu.max", directory));

	return line == NULL
		   ? NAN
		   : number_of(word_at(arena, line, 0)) / number_of(word_at(arena, line, 1));
}

static double cpu_limit_v1(struct arena *arena, const char *root, const char *directory)
{
	double quota_us = number_of(
	    proc_line(arena, root, arena_printf(arena, "%s/cpu.cfs_quota_us", directory)));
	double period_us = number_of(
	    proc_line(arena, root, arena_printf(arena, "%s/cpu.cfs_period_us", directory)));

	return quota_us > 0 ? quota_us / period_us : NAN;
}

static double memory_limit_v2(struct arena *arena, const char *root, const char *directory)
{
	return number_of(proc_line(arena, root, arena_printf(arena, "%s/memory.max", directory)));
}

/* Version 1 says "no limit" by a number near 2^63, rounded down to pages. */
static double memory_limit_v1(struct arena *arena, const char *root, const char *directory)
{
	double bytes = number_of(
	    proc_line(arena, root, arena_printf(arena, "%s/memory.limit_in_bytes", directory)));

	return bytes < 0x1p62 ? bytes : NAN;
}

/* The least limit from the group up to the mount point; ancestors bind too. */
static double tightest(struct arena *arena, const char *root, const struct hierarchy *hierarchy,
		       double (*limit)(struct arena *, const char *, const char *))
{
	char *path = arena_strdup(arena, visible_path(hierarchy));
	double least = NAN;

	for (;;) {
		least = fmin(
		    least, limit(arena, root, arena_printf(arena, "%s%s", hierarchy->mount, path)));
		if (*path == '\0')
			return least;
		*strrchr(path, '/') = '\0';
	}
}

bool cgroup_find(struct arena *arena, const char *root, struct cgroup *cgroup)
{
	struct hierarchy unified, cpu, memory;
	bool has_unified = hierarchy_find(arena, root, NULL, &unified);
	bool has_cpu = hierarchy_find(arena, root, "cpu", &cpu);
	bool has_memory = hierarchy_find(arena, root, "memory", &memory);

	*cgroup = (struct cgroup){ .controllers = "", .cpu_limit = NAN, .memory_limit_bytes = NAN };
	if (has_unified) {
		cgroup->path = unified.path;
		cgroup->directory =
		    arena_printf(arena, "%s%s", unified.mount, visible_path(&unified));
		cgroup->controllers = proc_line(
		    arena, root, arena_printf(arena, "%s/cgroup.controllers", cgroup->directory));
		if (cgroup->controllers == NULL)
			cgroup->controllers = "";
		cgroup->cpu_limit = tightest(arena, root, &unified, cpu_limit_v2);
		cgroup->memory_limit_bytes = tightest(arena, root, &unified, memory_limit_v2);
	}
	if (has_cpu) {
		cgroup->path = cpu.path;
		cgroup->cpu_limit =
		    fmin(cgroup->cpu_limit, tightest(arena, root, &cpu, cpu_limit_v1));
	}
	if (has_memory) {
		cgroup->path = memory.path;
		cgroup->memory_limit_bytes = fmin(cgroup->memory_limit_bytes,
						  tightest(arena, root, &memory, memory_limit_v1));
	}
	return has_unified || has_cpu || has_memory;
}

struct cgroup_usage cgroup_usage_read(struct arena *arena, const char *root, const char *directory)
{
	const char *stat = proc_read(arena, root, arena_printf(arena, "%s/cpu.stat", directory));

	return (struct cgroup_usage){
		.cpu_s = number_of(proc_field(arena, stat, "usage_usec")) / 1e6,
		.user_s = number_of(proc_field(arena, stat, "user_usec")) / 1e6,
		.sys_s = number_of(proc_field(arena, stat, "system_usec")) / 1e6,
		.throttled_s = number_of(proc_field(arena, stat, "throttled_usec")) / 1e6,
		.memory_peak_bytes = number_of(
		    proc_line(arena, root, arena_printf(arena, "%s/memory.peak", directory))),
	};
}
