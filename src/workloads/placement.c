/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choosing CPUs: see placement.h. */
#include "workloads/placement.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workloads/limits.h"

enum { LISTED_CPUS = 8 };

const char *const placement_names[] = { "one-cpu", "two-cpus", "free", NULL };

size_t placement_allowed(int *cpus)
{
	cpu_set_t allowed;
	size_t count = 0;
	int cpu;

	CPU_ZERO(&allowed);
	if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
		cpus[0] = sched_getcpu();
		return 1;
	}
	for (cpu = 0; cpu < CPU_SETSIZE && cpu < PLACEMENT_CPUS; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			cpus[count++] = cpu;
	return count;
}

/* Whether cpu is in a list as the kernel writes it: "0-3,8". */
static bool list_has(const char *list, int cpu)
{
	while (*list >= '0' && *list <= '9') {
		char *end;
		long first = strtol(list, &end, 10), last = first;

		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		if (cpu >= first && cpu <= last)
			return true;
		list = *end == ',' ? end + 1 : end;
	}
	return false;
}

int placement_siblings(int cpu, int other)
{
	char path[96], list[512];
	ssize_t length;
	int fd;

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
		 cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	length = read(fd, list, sizeof list - 1);
	close(fd);
	if (length <= 0)
		return -1;
	list[length] = '\0';
	return list_has(list, other);
}

/* Another allowed CPU than this one, on another core if possible; -1 if there is none. */
static int other_cpu(int cpu)
{
	int cpus[PLACEMENT_CPUS], found = -1;
	size_t count = placement_allowed(cpus), i;

	for (i = 0; i < count; i++) {
		if (cpus[i] == cpu)
			continue;
		if (placement_siblings(cpu, cpus[i]) != 1)
			return cpus[i];
		if (found < 0)
			found = cpus[i];
	}
	return found;
}

bool placement_pair(enum placement placement, int cpus[2], char *label, size_t label_size,
		    struct error *err)
{
	static const char *const relations[] = { "whose relation is unknown", "of two cores",
						 "that are threads of one core" };

	cpus[0] = cpus[1] = PLACEMENT_FLOATING;
	if (placement == PLACEMENT_FREE) {
		snprintf(label, label_size, "free: the scheduler chooses");
		return true;
	}
	cpus[0] = cpus[1] = sched_getcpu();
	if (cpus[0] < 0)
		return error_set(err, ERROR_SYSTEM,
				 "the kernel does not say on which CPU this is: %s; use "
				 "--placement free",
				 limits_reason());
	if (placement == PLACEMENT_ONE) {
		snprintf(label, label_size, "one CPU (%d)", cpus[0]);
		return true;
	}
	cpus[1] = other_cpu(cpus[0]);
	if (cpus[1] < 0)
		return error_set(err, ERROR_SYSTEM,
				 "two CPUs are needed, and this process may use CPU %d only (see "
				 "taskset -p $$); use --placement one-cpu",
				 cpus[0]);
	snprintf(label, label_size, "two CPUs (%d and %d) %s", cpus[0], cpus[1],
		 relations[placement_siblings(cpus[0], cpus[1]) + 1]);
	return true;
}

/* Whether a CPU is a thread of a core that is taken. */
static bool core_is_taken(int cpu, const int *taken, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (placement_siblings(cpu, taken[i]) == 1)
			return true;
	return false;
}

static bool is_taken(int cpu, const int *taken, size_t count)
{
	size_t i;

	for (i = 0; i < count && taken[i] != cpu; i++)
		continue;
	return i < count;
}

bool placement_spread(size_t count, bool siblings, int *cpus, struct error *err)
{
	int allowed[PLACEMENT_CPUS];
	size_t allowed_count = placement_allowed(allowed), found = 0, cores, i;

	for (i = 0; i < allowed_count && found < count; i++)
		if (!core_is_taken(allowed[i], cpus, found))
			cpus[found++] = allowed[i];
	cores = found;
	for (i = 0; siblings && i < allowed_count && found < count; i++)
		if (!is_taken(allowed[i], cpus, found))
			cpus[found++] = allowed[i];
	if (found == count)
		return true;
	if (allowed_count >= count)
		return error_set(err, ERROR_SYSTEM,
				 "%zu tasks would share the units of %zu cores, which is not how "
				 "something scales; ask for %zu, or accept it with --smt",
				 count, cores, cores);
	return error_set(err, ERROR_SYSTEM,
			 "%zu tasks need %zu CPUs, and this process may use %zu (see taskset -p "
			 "$$); ask for fewer",
			 count, count, allowed_count);
}

/* Whether /sys tells of each CPU which threads its core has. */
static bool cores_are_known(const int *cpus, size_t count)
{
	size_t i;

	for (i = 0; i < count && placement_siblings(cpus[i], cpus[i]) >= 0; i++)
		continue;
	return i == count;
}

/* "each on its own CPU (0, 1, 2, ...)" */
static const char *team_label(struct arena *arena, const int *cpus, size_t count)
{
	const char *list = "";
	size_t i;

	for (i = 0; i < count && i < LISTED_CPUS; i++)
		list = arena_printf(arena, "%s%s%d", list, i == 0 ? "" : ", ", cpus[i]);
	return arena_printf(
	    arena, "each on its own CPU (%s%s)%s", list, count > LISTED_CPUS ? ", ..." : "",
	    cores_are_known(cpus, count) ? ""
					 : "; whether these are threads of one core is unknown");
}

bool placement_team(struct arena *arena, const struct placement_team *wanted, size_t count,
		    const int **cpus, const char **label, struct error *err)
{
	int *chosen;

	*cpus = NULL;
	*label = "free: the scheduler chooses";
	if (wanted->free)
		return true;
	chosen = arena_alloc(arena, count, sizeof *chosen);
	if (!placement_spread(count, wanted->smt, chosen, err))
		return false;
	*cpus = chosen;
	*label = team_label(arena, chosen, count);
	return true;
}

bool placement_enter(int cpu, struct error *err)
{
	cpu_set_t set;

	if (cpu == PLACEMENT_FLOATING)
		return true;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set) < 0)
		return error_set(err, ERROR_SYSTEM, "cannot stay on CPU %d: %s", cpu,
				 limits_reason());
	return true;
}
