/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What about a machine spoils a measurement, one small function a check. They read the facts of
 * measure/environment.h and judge them; none of them measures anything.
 */
#include "commands/doctor/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/units.h"
#include "measure/environment.h"
#include "measure/proc.h"

typedef struct doctor_check check_function(struct arena *arena,
					   const struct doctor_machine *machine);

static const char *fact(const struct doctor_machine *machine, const char *key)
{
	return environment_fact(&machine->environment, key);
}

static bool begins(const char *text, const char *beginning)
{
	return text != NULL && strncmp(text, beginning, strlen(beginning)) == 0;
}

static struct doctor_check good(const char *name, const char *found)
{
	return (struct doctor_check){ .name = name, .found = found, .tone = TONE_GOOD };
}

/* How many processors the runs may use; 0: unknown. */
static size_t processors(const struct doctor_machine *machine)
{
	const char *allowed = fact(machine, "cpus allowed");

	return proc_cpu_count(allowed != NULL ? allowed : fact(machine, "cpus online"));
}

static struct doctor_check check_processors(struct arena *arena,
					    const struct doctor_machine *machine)
{
	size_t count = processors(machine);

	if (count == 0)
		return (struct doctor_check){ 0 };
	if (count > 1)
		return good("processors", arena_printf(arena, "%zu", count));
	return (struct doctor_check){
		.name = "processors",
		.found = "1",
		.tone = TONE_BAD,
		.effect = "A run shares its only processor with worth, the kernel's own work and "
			  "everything else that is awake.",
		.advice = "Allow it another processor, or expect wide intervals; cpu time suffers "
			  "less than wall time.",
	};
}

static struct doctor_check check_governor(struct arena *arena, const struct doctor_machine *machine)
{
	const char *found = fact(machine, "governor");

	(void)arena;
	if (found == NULL || strcmp(found, "performance") == 0 ||
	    (begins(found, "performance (") && strchr(found, ',') == NULL))
		return good("frequency governor", found);
	return (struct doctor_check){
		.name = "frequency governor",
		.found = found,
		.tone = TONE_CAUTION,
		.effect =
		    "The clock follows the load, so a run that begins after a pause is slower "
		    "for its first milliseconds, and short runs vary most.",
		.advice = "As root: cpupower frequency-set -g performance",
	};
}

static struct doctor_check check_turbo(struct arena *arena, const struct doctor_machine *machine)
{
	const char *found = fact(machine, "turbo");

	(void)arena;
	if (found == NULL || strcmp(found, "off") == 0)
		return good("turbo", found);
	return (struct doctor_check){
		.name = "turbo",
		.found = found,
		.tone = TONE_CAUTION,
		.effect =
		    "The clock depends on heat and on how many processors are busy: runs drift "
		    "as the machine warms up. Random order keeps the drift out of the change, "
		    "not out of the spread.",
		.advice =
		    "As root: write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo or 0 to "
		    "/sys/devices/system/cpu/cpufreq/boost, whichever exists.",
	};
}

static struct doctor_check check_power(struct arena *arena, const struct doctor_machine *machine)
{
	const char *found = fact(machine, "power");

	(void)arena;
	if (found == NULL || strcmp(found, "mains") == 0)
		return good("power", found);
	return (struct doctor_check){
		.name = "power",
		.found = found,
		.tone = TONE_BAD,
		.effect = "On battery the firmware changes clock speeds on its own.",
		.advice = "Plug it in.",
	};
}

static struct doctor_check check_smt(struct arena *arena, const struct doctor_machine *machine)
{
	const char *found = fact(machine, "smt");

	(void)arena;
	if (found == NULL || strcmp(found, "off") == 0)
		return good("hyperthreads", found);
	return (struct doctor_check){
		.name = "hyperthreads",
		.found = found,
		.tone = TONE_CAUTION,
		.effect =
		    "Whatever runs on the other thread of a core takes up to half of it, unseen "
		    "by any accounting of CPU time.",
		.advice = "As root: echo off > /sys/devices/system/cpu/smt/control; or keep the "
			  "machine idle and pin the runs with --cpu.",
	};
}

static struct doctor_check check_load(struct arena *arena, const struct doctor_machine *machine)
{
	double load = machine->environment.load_1min;
	double share = load / (double)processors(machine);
	const char *found =
	    isnan(load) ? NULL : arena_printf(arena, "%.2f in the last minute", load);
	struct doctor_check check = {
		.name = "load",
		.found = found,
		.effect =
		    "Other programs take processors, caches and memory bandwidth from the runs.",
		.advice = "Stop what is running ('top' shows it) and wait a minute.",
	};

	if (found == NULL || !(share >= 0.25))
		return good("load", found);
	check.tone = share >= 0.75 ? TONE_BAD : TONE_CAUTION;
	return check;
}

static struct doctor_check check_steal(struct arena *arena, const struct doctor_machine *machine)
{
	const struct environment *environment = &machine->environment;
	double total_s = environment->steal_s + environment->busy_s + environment->idle_s;
	double share = environment->steal_s / (environment->steal_s + environment->busy_s);
	struct doctor_check check = {
		.name = "stolen time",
		.effect =
		    "The hypervisor gives the processors to other guests while runs are timed.",
		.advice = "Move to a machine of your own or a quieter hour; cpu time suffers less "
			  "than wall time.",
	};

	if (isnan(total_s) || total_s <= 0)
		return (struct doctor_check){ 0 };
	if (isnan(share))
		share = 0;
	check.found = arena_printf(arena, "%.2f%% of busy time", share * 100);
	if (share < 0.001)
		return good("stolen time", check.found);
	check.tone = share >= 0.01 ? TONE_BAD : TONE_CAUTION;
	return check;
}

static struct doctor_check check_virtual(struct arena *arena, const struct doctor_machine *machine)
{
	const char *found = fact(machine, "virtual machine");

	(void)arena;
	if (found == NULL || strcmp(found, "no") == 0)
		return good("virtual machine", found);
	return (struct doctor_check){
		.name = "virtual machine",
		.found = found,
		.tone = TONE_CAUTION,
		.effect =
		    "The host decides on clock speed, placement and neighbours, and none of it "
		    "shows in here.",
		.advice = "Trust the interval, not a single run; measure on hardware where a small "
			  "difference matters.",
	};
}

static struct doctor_check check_container(struct arena *arena,
					   const struct doctor_machine *machine)
{
	const char *found = fact(machine, "container");

	(void)arena;
	if (found == NULL || strcmp(found, "no") == 0)
		return good("container", found);
	return (struct doctor_check){
		.name = "container",
		.found = found,
		.tone = TONE_PLAIN,
		.effect =
		    "Other containers share this kernel, its page cache and its processors, and "
		    "do not show in the list of processes.",
	};
}

static struct doctor_check check_limits(struct arena *arena, const struct doctor_machine *machine)
{
	const char *cgroup = fact(machine, "cgroup");
	const char *limits = cgroup == NULL ? NULL : strstr(cgroup, "; ");

	(void)arena;
	if (cgroup == NULL || limits == NULL)
		return good("cgroup limits", cgroup == NULL ? NULL : "none");
	if (strstr(limits, "cpu limit") == NULL)
		return (struct doctor_check){
			.name = "cgroup limits",
			.found = limits + 2,
			.tone = TONE_PLAIN,
			.effect =
			    "Beyond the limit the kernel reclaims memory while the runs work.",
		};
	return (struct doctor_check){
		.name = "cgroup limits",
		.found = limits + 2,
		.tone = TONE_BAD,
		.effect = "A group that has used its CPU time stands still until the next period, "
			  "up to 100 ms: wall times fall into groups.",
		.advice = "Lift the CPU limit of the container or slice, or compare cpu time.",
	};
}

static struct doctor_check check_aslr(struct arena *arena, const struct doctor_machine *machine)
{
	const char *found = fact(machine, "aslr");

	(void)arena;
	if (found == NULL || strcmp(found, "full") == 0)
		return good("address randomness", found);
	return (struct doctor_check){
		.name = "address randomness",
		.found = found,
		.tone = TONE_CAUTION,
		.effect = "Every run has the same memory layout: its luck looks like a difference "
			  "between the commands, and no interval contains it.",
		.advice = "As root: sysctl kernel.randomize_va_space=2; do not start worth under "
			  "setarch -R or a debugger.",
	};
}

static struct doctor_check check_clock_source(struct arena *arena,
					      const struct doctor_machine *machine)
{
	static const char *const slow[] = { "hpet", "acpi_pm", "jiffies", "refined-jiffies",
					    "xen" };
	const char *found = fact(machine, "clock source");
	size_t i;

	(void)arena;
	for (i = 0; found != NULL && i < sizeof slow / sizeof *slow; i++)
		if (strcmp(found, slow[i]) == 0)
			return (struct doctor_check){
				.name = "clock source",
				.found = found,
				.tone = strstr(found, "jiffies") != NULL ? TONE_BAD : TONE_CAUTION,
				.effect =
				    "Reading the time is a slow system call, which programs that "
				    "look at the clock often pay for.",
				.advice = "'dmesg | grep -i tsc' tells why the kernel gave up the "
					  "processor's own counter.",
			};
	return good("clock source", found);
}

static struct doctor_check check_clock_step(struct arena *arena,
					    const struct doctor_machine *machine)
{
	double step_s = machine->clock_step_ns * 1e-9;
	struct doctor_check check = {
		.name = "clock step",
		.found = isnan(step_s) ? NULL : units_value(arena, step_s, "s", 3),
		.tone = TONE_BAD,
		.advice = "Compare runs that last at least a thousand steps.",
	};

	if (isnan(step_s) || step_s < 10e-6)
		return good("clock step", check.found);
	check.effect = arena_printf(arena,
				    "Two runs that differ by less than %s look equal; no number of "
				    "runs changes that.",
				    check.found);
	return check;
}

static struct doctor_check check_accounting(struct arena *arena,
					    const struct doctor_machine *machine)
{
	const char *accounting = fact(machine, "cpu accounting");
	const char *tick = fact(machine, "tick");

	if (accounting == NULL)
		return (struct doctor_check){ 0 };
	if (strcmp(accounting, "exact") == 0)
		return good("user and sys", "exact");
	return (struct doctor_check){
		.name = "user and sys",
		.found = tick == NULL ? "sampled" : arena_printf(arena, "sampled at %s", tick),
		.tone = TONE_PLAIN,
		.effect = "CPU time is exact, its split into user and sys is a guess from timer "
			  "ticks: a short run can show 0 ms of either.",
		.advice = "Judge cpu, which is their sum.",
	};
}

static struct doctor_check check_autogroup(struct arena *arena,
					   const struct doctor_machine *machine)
{
	const char *found = fact(machine, "autogroup");

	(void)arena;
	if (found == NULL || strcmp(found, "off") == 0)
		return good("autogroup", found);
	return (struct doctor_check){
		.name = "autogroup",
		.found = found,
		.tone = TONE_PLAIN,
		.effect = "'nice' counts only among the programs of one terminal: a nice 19 job in "
			  "another one takes its full share from the runs.",
		.advice = "Stop background jobs instead of renicing them.",
	};
}

static struct doctor_check check_hardware(struct arena *arena, const struct doctor_machine *machine)
{
	const char *perf = fact(machine, "perf");
	struct doctor_check check = { .name = "hardware counters", .tone = TONE_CAUTION };

	if (perf == NULL)
		perf = "perf_event_paranoid unknown";
	switch (machine->hardware) {
	case COUNTER_OPEN:
		return good(check.name, "available");
	case COUNTER_USER_ONLY:
		check.found = arena_printf(arena, "user mode only (%s)", perf);
		check.effect = "The kernel's share of cycles and instructions is not counted.";
		check.advice = "As root: sysctl kernel.perf_event_paranoid=1";
		break;
	case COUNTER_REFUSED:
		check.found = arena_printf(arena, "refused (%s)", perf);
		check.effect = "--counters measures nothing.";
		check.advice =
		    "As root: sysctl kernel.perf_event_paranoid=1; in a container, allow "
		    "the system call perf_event_open.";
		break;
	case COUNTER_ABSENT:
	case COUNTER_UNKNOWN:
		check.found = "none";
		check.effect = "Instructions and cache misses cannot be counted here.";
		check.advice = "--simulate counts them under valgrind.";
		break;
	}
	return check;
}

static struct doctor_check check_software(struct arena *arena, const struct doctor_machine *machine)
{
	(void)arena;
	if (machine->software == COUNTER_OPEN || machine->software == COUNTER_USER_ONLY)
		return good("software counters", "available");
	return (struct doctor_check){
		.name = "software counters",
		.found = machine->software == COUNTER_REFUSED ? "refused" : "none",
		.tone = TONE_CAUTION,
		.effect =
		    "The accounted CPU time cannot be checked against the kernel's task clock, "
		    "and migrations are not counted.",
		.advice = "As root: sysctl kernel.perf_event_paranoid=2; in a container, allow the "
			  "system call perf_event_open.",
	};
}

static struct doctor_check check_valgrind(struct arena *arena, const struct doctor_machine *machine)
{
	(void)arena;
	if (machine->has_valgrind)
		return good("simulation", "valgrind");
	return (struct doctor_check){
		.name = "simulation",
		.found = "no valgrind",
		.tone = TONE_PLAIN,
		.effect = "--simulate cannot count instructions and cache misses.",
		.advice = "Install valgrind.",
	};
}

static struct doctor_check check_memory(struct arena *arena, const struct doctor_machine *machine)
{
	const char *fact_memory = fact(machine, "memory");
	double available = machine->environment.memory_available_bytes;
	double total = fact_memory == NULL ? NAN : strtod(fact_memory, NULL) * 1024;
	struct doctor_check check = {
		.name = "free memory",
		.effect =
		    "The kernel drops cached files and writes to swap while the runs work; they "
		    "wait for the disk.",
		.advice = "Close what holds memory.",
	};

	if (isnan(available) || !(total > 0))
		return (struct doctor_check){ 0 };
	check.found = arena_printf(arena, "%s of %s", units_value(arena, available, "B", 3),
				   units_value(arena, total, "B", 3));
	if (available >= 0.15 * total)
		return good(check.name, check.found);
	check.tone = available < 0.05 * total ? TONE_BAD : TONE_CAUTION;
	return check;
}

static struct doctor_check check_huge_pages(struct arena *arena,
					    const struct doctor_machine *machine)
{
	const char *found = fact(machine, "huge pages");

	(void)arena;
	if (found == NULL || strcmp(found, "always") != 0)
		return good("huge pages", found);
	return (struct doctor_check){
		.name = "huge pages",
		.found = found,
		.tone = TONE_PLAIN,
		.effect =
		    "Whether a large allocation gets huge pages depends on free memory at that "
		    "moment: such programs can show two groups of times.",
	};
}

static check_function *const all_checks[] = {
	check_processors, check_governor,     check_turbo,	check_power,	  check_smt,
	check_load,	  check_steal,	      check_virtual,	check_container,  check_limits,
	check_aslr,	  check_clock_source, check_clock_step, check_accounting, check_autogroup,
	check_hardware,	  check_software,     check_valgrind,	check_memory,	  check_huge_pages,
};

struct doctor_check *doctor_checks(struct arena *arena, const struct doctor_machine *machine,
				   size_t *count)
{
	struct doctor_check *checks = NULL;
	size_t capacity = 0, i;

	*count = 0;
	for (i = 0; i < sizeof all_checks / sizeof *all_checks; i++) {
		struct doctor_check check = all_checks[i](arena, machine);

		if (check.found != NULL)
			*array_push(arena, checks, *count, capacity) = check;
	}
	return checks;
}

void doctor_machine_read(struct arena *arena, struct doctor_machine *machine)
{
	char *path;

	environment_read(arena, &machine->environment);
	machine->clock_step_ns = environment_clock_step_ns();
	machine->hardware = counters_try("instructions");
	machine->software = counters_try("task-clock");
	machine->has_valgrind = file_find_program(arena, "valgrind", NULL, &path, NULL);
}
