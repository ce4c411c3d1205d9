/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts about a machine that a reader of its figures needs. Every fact is a small function of a
 * root directory, so that fixtures of other machines test it; a file that is absent leaves its fact
 * out. The sources are the kernel's own documents: admin-guide/pm/{cpufreq,intel_pstate}.rst,
 * admin-guide/sysctl/kernel.rst, proc(5).
 */
#include "measure/environment.h"

#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "measure/cgroup.h"
#include "measure/proc.h"
#include "measure/virtual.h"

struct reading {
	struct arena *arena;
	const char *root;
	struct environment *environment;
	size_t capacity;
};

/* Whether the processor and the kernel may be asked directly. */
static bool here(const struct reading *reading)
{
	return *reading->root == '\0';
}

static void add(struct reading *reading, const char *key, const char *value)
{
	struct environment *environment = reading->environment;

	if (value == NULL || *value == '\0')
		return;
	*array_push(reading->arena, environment->facts, environment->fact_count,
		    reading->capacity) =
	    (struct fact){ .key = key, .value = text_clean(reading->arena, value, strlen(value)) };
}

static char *line(struct reading *reading, const char *path)
{
	return proc_line(reading->arena, reading->root, path);
}

/* A file that holds a small number turned into words; NULL when absent or of another value. */
static const char *line_among(struct reading *reading, const char *path, const char *const *words,
			      long long count)
{
	long long number;

	if (!proc_number(line(reading, path), &number) || number < 0 || number >= count)
		return NULL;
	return words[number];
}

static void read_system(struct reading *reading)
{
	add(reading, "host", line(reading, "/proc/sys/kernel/hostname"));
	add(reading, "kernel", line(reading, "/proc/sys/kernel/osrelease"));
	add(reading, "boot", line(reading, "/proc/sys/kernel/random/boot_id"));
}

static void read_cpu(struct reading *reading)
{
	/* x86; some Arm boards; s390 and POWER; other Arm */
	static const char *const keys[] = { "model name", "Hardware", "cpu", "CPU part" };
	struct arena *arena = reading->arena;
	const char *cpuinfo = proc_read(arena, reading->root, "/proc/cpuinfo");
	const char *status = proc_read(arena, reading->root, "/proc/self/status");
	const char *model = NULL;
	size_t i;

	for (i = 0; model == NULL && i < sizeof keys / sizeof *keys; i++)
		model = proc_field(arena, cpuinfo, keys[i]);
	add(reading, "cpu model", model);
	add(reading, "cpus online", line(reading, "/sys/devices/system/cpu/online"));
	add(reading, "cpus allowed", proc_field(arena, status, "Cpus_allowed_list"));
}

/* The governors of all frequency domains, each named once, and the driver where it changes what
 * the governor means. */
static void read_governor(struct reading *reading)
{
	char *pattern = arena_printf(reading->arena,
				     "%s/sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
				     reading->root);
	const char *driver =
	    line(reading, "/sys/devices/system/cpu/cpufreq/policy0/scaling_driver");
	char *names = arena_strdup(reading->arena, "");
	glob_t found;
	size_t i;

	if (glob(pattern, 0, NULL, &found) != 0)
		return;
	for (i = 0; i < found.gl_pathc; i++) {
		const char *name = proc_line(reading->arena, "", found.gl_pathv[i]);

		if (name != NULL && !proc_has_word(names, name))
			names = arena_printf(reading->arena, "%s%s%s", names,
					     *names == '\0' ? "" : ", ", name);
	}
	globfree(&found);
	if (driver != NULL && *names != '\0')
		names = arena_printf(reading->arena, "%s (%s)", names, driver);
	add(reading, "governor", names);
}

static void read_turbo(struct reading *reading)
{
	static const char *const no_turbo[] = { "on", "off" };
	static const char *const boost[] = { "off", "on" };
	const char *turbo =
	    line_among(reading, "/sys/devices/system/cpu/intel_pstate/no_turbo", no_turbo, 2);

	if (turbo == NULL)
		turbo = line_among(reading, "/sys/devices/system/cpu/cpufreq/boost", boost, 2);
	add(reading, "turbo", turbo);
}

static void read_smt(struct reading *reading)
{
	long long active;
	bool known = proc_number(line(reading, "/sys/devices/system/cpu/smt/active"), &active);
	size_t threads = proc_cpu_count(
	    line(reading, "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list"));

	if (!known && threads == 0)
		return;
	if (known ? active == 0 : threads < 2)
		add(reading, "smt", "off");
	else if (threads < 2)
		add(reading, "smt", "on");
	else
		add(reading, "smt",
		    arena_printf(reading->arena, "on, %zu threads a core", threads));
}

/* A mains adapter that says 0 with a battery around is a laptop off its cable. */
static void read_power(struct reading *reading)
{
	char *pattern = arena_printf(reading->arena, "%s/sys/class/power_supply/*", reading->root);
	bool mains = false, battery = false, online = false;
	glob_t found;
	size_t i;

	if (glob(pattern, 0, NULL, &found) != 0)
		return;
	for (i = 0; i < found.gl_pathc; i++) {
		const char *type = proc_line(reading->arena, found.gl_pathv[i], "/type");
		const char *state = proc_line(reading->arena, found.gl_pathv[i], "/online");

		battery = battery || (type != NULL && strcmp(type, "Battery") == 0);
		if (type != NULL && strcmp(type, "Mains") == 0 && state != NULL) {
			mains = true;
			online = online || strcmp(state, "1") == 0;
		}
	}
	globfree(&found);
	if (mains && (online || battery))
		add(reading, "power", online ? "mains" : "battery");
}

static void read_kernel_settings(struct reading *reading)
{
	static const char *const aslr[] = { "off", "partial", "full" };
	static const char *const off_on[] = { "off", "on" };
	const char *paranoid = line(reading, "/proc/sys/kernel/perf_event_paranoid");
	const char *pages = line(reading, "/sys/kernel/mm/transparent_hugepage/enabled");
	const char *chosen = pages == NULL ? NULL : strchr(pages, '[');

	if (here(reading) && (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0)
		add(reading, "aslr", "off"); /* for this process: setarch -R, some debuggers */
	else
		add(reading, "aslr",
		    line_among(reading, "/proc/sys/kernel/randomize_va_space", aslr, 3));
	add(reading, "autogroup",
	    line_among(reading, "/proc/sys/kernel/sched_autogroup_enabled", off_on, 2));
	if (paranoid != NULL)
		add(reading, "perf", arena_printf(reading->arena, "paranoid %s", paranoid));
	if (chosen != NULL)
		add(reading, "huge pages",
		    arena_strndup(reading->arena, chosen + 1, strcspn(chosen + 1, "]")));
}

/* The frequency of the timer tick. The coarse clock steps with it, whatever the configuration. */
static void read_tick(struct reading *reading, const char *config)
{
	const char *configured = proc_field(reading->arena, config, "CONFIG_HZ");
	struct timespec step;

	if (here(reading) && clock_getres(CLOCK_MONOTONIC_COARSE, &step) == 0 && step.tv_sec == 0 &&
	    step.tv_nsec > 0)
		configured = arena_printf(reading->arena, "%.0f", 1e9 / (double)step.tv_nsec);
	if (configured != NULL)
		add(reading, "tick", arena_printf(reading->arena, "%s Hz", configured));
}

/* CONFIG_VIRT_CPU_ACCOUNTING_GEN alone does not make the accounting exact: it works only on the
 * processors of nohz_full= (kernel/time/tick-sched.c, Linux 3.10 to 6.18). What is observed
 * therefore counts before what is configured. */
static void read_accounting(struct reading *reading, const char *config)
{
	const char *full = line(reading, "/sys/devices/system/cpu/nohz_full");
	bool has_full = full != NULL && proc_cpu_count(full) > 0;
	bool sampled;

	if (here(reading) && environment_accounting_sampled(&sampled))
		add(reading, "cpu accounting", sampled ? "tick" : "exact");
	else if (proc_field(reading->arena, config, "CONFIG_VIRT_CPU_ACCOUNTING_NATIVE") != NULL)
		add(reading, "cpu accounting", "exact");
	else if (proc_field(reading->arena, config, "CONFIG_VIRT_CPU_ACCOUNTING_GEN") != NULL)
		add(reading, "cpu accounting", has_full ? "exact" : "tick");
	else if (proc_field(reading->arena, config, "CONFIG_TICK_CPU_ACCOUNTING") != NULL)
		add(reading, "cpu accounting", "tick");
}

static void read_clocks(struct reading *reading)
{
	const char *release = line(reading, "/proc/sys/kernel/osrelease");
	const char *config =
	    release == NULL ? NULL
			    : proc_read(reading->arena, reading->root,
					arena_printf(reading->arena, "/boot/config-%s", release));

	add(reading, "clock source",
	    line(reading, "/sys/devices/system/clocksource/clocksource0/current_clocksource"));
	read_tick(reading, config);
	read_accounting(reading, config);
}

static void read_virtual(struct reading *reading)
{
	add(reading, "virtual machine", virtual_machine(reading->arena, reading->root));
	add(reading, "container", virtual_container(reading->arena, reading->root));
}

static void read_cgroup(struct reading *reading)
{
	struct arena *arena = reading->arena;
	struct cgroup cgroup;
	const char *cpu = "", *memory = "";

	if (!cgroup_find(arena, reading->root, &cgroup))
		return;
	if (!isnan(cgroup.cpu_limit))
		cpu = arena_printf(arena, "; cpu limit %g", cgroup.cpu_limit);
	if (!isnan(cgroup.memory_limit_bytes))
		memory = arena_printf(arena, "; memory limit %.0f B", cgroup.memory_limit_bytes);
	add(reading, "cgroup", arena_printf(arena, "%s%s%s", cgroup.path, cpu, memory));
}

/* "23 kB" as bytes. */
static double kilobytes(struct arena *arena, const char *meminfo, const char *key)
{
	const char *value = proc_field(arena, meminfo, key);
	char *end;
	double number = value == NULL ? NAN : strtod(value, &end);

	return value == NULL || end == value ? NAN : number * 1024;
}

static void read_memory(struct reading *reading, bool again)
{
	struct arena *arena = reading->arena;
	const char *meminfo = proc_read(arena, reading->root, "/proc/meminfo");
	const char *total = proc_field(arena, meminfo, "MemTotal");
	const char *swap = proc_field(arena, meminfo, "SwapTotal");

	reading->environment->memory_available_bytes = kilobytes(arena, meminfo, "MemAvailable");
	if (again)
		return;
	if (total != NULL && swap != NULL)
		add(reading, "memory", arena_printf(arena, "%s, swap %s", total, swap));
	else
		add(reading, "memory", total);
}

/* The first line of /proc/stat: user nice system idle iowait irq softirq steal; guest time is
 * already in user. In steps of USER_HZ, which is 100 on every architecture but Alpha. */
static void read_load(struct reading *reading)
{
	struct environment *environment = reading->environment;
	const char *load = line(reading, "/proc/loadavg");
	const char *stat = line(reading, "/proc/stat");
	double ticks_per_s = (double)sysconf(_SC_CLK_TCK);
	unsigned long long t[8];

	if (load == NULL || sscanf(load, "%lf", &environment->load_1min) != 1)
		environment->load_1min = NAN;
	if (stat == NULL || sscanf(stat, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0],
				   &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 8)
		return;
	environment->busy_s = (double)(t[0] + t[1] + t[2] + t[5] + t[6]) / ticks_per_s;
	environment->idle_s = (double)(t[3] + t[4]) / ticks_per_s;
	environment->steal_s = (double)t[7] / ticks_per_s;
}

bool environment_variable_allowed(const char *variable)
{
	static const char *const names[] = { "PATH", "LANG", "CC", "CFLAGS" };
	static const char *const beginnings[] = { "LC_", "LD_", "MALLOC_", "OMP_" };
	size_t length = strcspn(variable, "=");
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == length && strncmp(variable, names[i], length) == 0)
			return true;
	for (i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (length > strlen(beginnings[i]) &&
		    strncmp(variable, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

static void read_variables(struct reading *reading, const char *const *variables)
{
	for (; variables != NULL && *variables != NULL; variables++) {
		size_t length = strcspn(*variables, "=");

		if ((*variables)[length] == '=' && environment_variable_allowed(*variables))
			add(reading,
			    arena_printf(reading->arena, "env %s",
					 text_clean(reading->arena, *variables, length)),
			    *variables + length + 1);
	}
}

static struct reading begin(struct arena *arena, const char *root, struct environment *environment)
{
	*environment = environment_none();
	environment->taken_at_s = (int64_t)time(NULL);
	return (struct reading){ .arena = arena, .root = root, .environment = environment };
}

void environment_read_from(struct arena *arena, const char *root, const char *const *variables,
			   struct environment *environment)
{
	struct reading reading = begin(arena, root, environment);

	read_system(&reading);
	read_cpu(&reading);
	read_governor(&reading);
	read_turbo(&reading);
	read_smt(&reading);
	read_power(&reading);
	read_kernel_settings(&reading);
	read_clocks(&reading);
	read_virtual(&reading);
	read_cgroup(&reading);
	read_memory(&reading, false);
	read_load(&reading);
	read_variables(&reading, variables);
}

void environment_read(struct arena *arena, struct environment *environment)
{
	environment_read_from(arena, "", (const char *const *)environ, environment);
}

void environment_read_again(struct arena *arena, struct environment *environment)
{
	struct reading reading = begin(arena, "", environment);

	read_governor(&reading);
	read_turbo(&reading);
	read_power(&reading);
	read_memory(&reading, true);
	read_load(&reading);
}
