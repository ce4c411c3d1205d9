/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of other machines from fixtures, and that this machine's own are plausible. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/utsname.h>

#include "measure/cgroup.h"
#include "measure/environment.h"
#include "measure/proc.h"
#include "measure/virtual.h"
#include "tree.h"
#include "unit.h"

/* A fixture that is read once a test. */
struct machine_fixture {
	struct arena *arena;
	char root[64];
	struct environment environment;
};

static void fixture_open(struct machine_fixture *fixture, const char *name)
{
	fixture->arena = arena_open();
	tree_unpack(name, fixture->root);
	environment_read_from(fixture->arena, fixture->root, NULL, &fixture->environment);
}

static void fixture_close(struct machine_fixture *fixture)
{
	tree_remove(fixture->root);
	arena_close(fixture->arena);
}

static void reread(struct machine_fixture *fixture)
{
	environment_read_from(fixture->arena, fixture->root, NULL, &fixture->environment);
}

static void expect(const struct machine_fixture *fixture, const char *key, const char *value)
{
	const char *found = environment_fact(&fixture->environment, key);

	if (value == NULL) {
		assert_null(found);
		return;
	}
	if (found == NULL)
		fail_msg("the fact '%s' is absent", key);
	assert_string_equal(found, value);
}

static void a_laptop_shows_all_that_spoils_a_measurement(void **state)
{
	struct machine_fixture laptop;

	(void)state;
	fixture_open(&laptop, "environment/laptop");
	expect(&laptop, "host", "reed");
	expect(&laptop, "kernel", "6.1.0-18-amd64");
	expect(&laptop, "cpu model", "Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz");
	expect(&laptop, "cpus online", "0-7");
	expect(&laptop, "cpus allowed", "0-7");
	expect(&laptop, "governor", "powersave (intel_pstate)");
	expect(&laptop, "turbo", "on");
	expect(&laptop, "smt", "on, 2 threads a core");
	expect(&laptop, "power", "battery");
	expect(&laptop, "aslr", "full");
	expect(&laptop, "autogroup", "on");
	expect(&laptop, "perf", "paranoid 3");
	expect(&laptop, "huge pages", "always");
	expect(&laptop, "clock source", "tsc");
	expect(&laptop, "tick", "250 Hz");
	expect(&laptop, "virtual machine", "no");
	expect(&laptop, "container", "no");
	expect(&laptop, "memory", "16265484 kB, swap 999420 kB");
	fixture_close(&laptop);
}

/* The option that makes exact accounting possible is set by distributions, but does nothing until
 * processors are named in nohz_full=. */
static void accounting_is_exact_only_where_it_is_switched_on(void **state)
{
	struct machine_fixture machine;

	(void)state;
	fixture_open(&machine, "environment/laptop");
	expect(&machine, "cpu accounting", "tick");
	tree_write(machine.root, "/sys/devices/system/cpu/nohz_full", "1-3\n");
	reread(&machine);
	expect(&machine, "cpu accounting", "exact");
	tree_write(machine.root, "/boot/config-6.1.0-18-amd64",
		   "CONFIG_VIRT_CPU_ACCOUNTING_NATIVE=y\n");
	tree_write(machine.root, "/sys/devices/system/cpu/nohz_full", "\n");
	reread(&machine);
	expect(&machine, "cpu accounting", "exact");
	tree_write(machine.root, "/boot/config-6.1.0-18-amd64", "CONFIG_SMP=y\n");
	reread(&machine);
	expect(&machine, "cpu accounting", NULL);
	expect(&machine, "tick", NULL);
	fixture_close(&machine);
}

static void a_server_differs_in_each_of_them(void **state)
{
	struct machine_fixture server;

	(void)state;
	fixture_open(&server, "environment/server");
	expect(&server, "governor", "performance, schedutil (acpi-cpufreq)");
	expect(&server, "turbo", "off");
	expect(&server, "smt", "off");
	expect(&server, "power", "mains");
	expect(&server, "aslr", "off");
	expect(&server, "autogroup", "off");
	expect(&server, "perf", "paranoid -1");
	expect(&server, "clock source", "hpet");
	expect(&server, "tick", "1000 Hz");
	expect(&server, "cpu accounting", "exact");
	expect(&server, "virtual machine", "no");
	expect(&server, "cgroup", NULL);
	fixture_close(&server);
}

static void turbo_has_two_files_of_opposite_sense(void **state)
{
	struct machine_fixture machine;

	(void)state;
	fixture_open(&machine, "environment/laptop");
	tree_write(machine.root, "/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
	reread(&machine);
	expect(&machine, "turbo", "off");
	fixture_close(&machine);
	fixture_open(&machine, "environment/server");
	tree_write(machine.root, "/sys/devices/system/cpu/cpufreq/boost", "1\n");
	reread(&machine);
	expect(&machine, "turbo", "on");
	fixture_close(&machine);
}

static void a_guest_is_known_by_its_marks(void **state)
{
	struct machine_fixture guest;

	(void)state;
	fixture_open(&guest, "environment/guest");
	expect(&guest, "virtual machine", "VirtualBox");
	expect(&guest, "container", "docker");
	expect(&guest, "aslr", "partial");
	expect(&guest, "clock source", "jiffies");
	expect(&guest, "tick", "100 Hz");
	expect(&guest, "cpu accounting", "tick");
	expect(&guest, "cgroup", "/docker/0123abcd; cpu limit 1.5; memory limit 536870912 B");
	tree_write(guest.root, "/sys/class/dmi/id/sys_vendor", "Nobody\n");
	tree_write(guest.root, "/sys/class/dmi/id/product_name", "Nothing\n");
	reread(&guest);
	expect(&guest, "virtual machine", "yes");
	tree_write(guest.root, "/sys/hypervisor/type", "xen\n");
	reread(&guest);
	expect(&guest, "virtual machine", "xen");
	fixture_close(&guest);
}

/* Processors without x86's flag: a maker's name of guests is a yes, of whole machines no answer. */
static void without_the_flag_no_mark_is_no_answer(void **state)
{
	struct arena *arena = arena_open();
	char root[64];

	(void)state;
	tree_unpack(NULL, root);
	tree_write(root, "/proc/cpuinfo", "processor : 0\nFeatures : fp asimd\n");
	assert_null(virtual_machine(arena, root));
	tree_write(root, "/sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
	tree_write(root, "/sys/class/dmi/id/product_name", "c6g.metal\n");
	assert_null(virtual_machine(arena, root));
	tree_write(root, "/sys/class/dmi/id/product_name", "c6g.large\n");
	assert_string_equal(virtual_machine(arena, root), "kvm");
	tree_remove(root);
	arena_close(arena);
}

static void container_marks_are_each_enough(void **state)
{
	static const struct {
		const char *path, *content, *name;
	} marks[] = {
		{ "/proc/self/cgroup", "0::/kubepods/burstable/pod1\n", "kubernetes" },
		{ "/proc/self/cgroup", "0::/machine.slice/libpod-1.scope\n", "podman" },
		{ "/run/.containerenv", "", "podman" },
		{ "/run/systemd/container", "lxc\n", "lxc" },
		{ "/proc/self/cgroup", "0::/\n", "no" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof marks / sizeof *marks; i++) {
		struct arena *arena = arena_open();
		char root[64];

		tree_unpack(NULL, root);
		tree_write(root, marks[i].path, marks[i].content);
		assert_string_equal(virtual_container(arena, root), marks[i].name);
		tree_remove(root);
		arena_close(arena);
	}
}

/* The variable of process 1 stands between others, each ending in a NUL. */
static void container_is_found_in_the_environment_of_process_1(void **state)
{
	struct arena *arena = arena_open();
	char root[64];
	FILE *file;

	(void)state;
	tree_unpack(NULL, root);
	file = tree_create(root, "/proc/1/environ");
	fwrite("A=1\0container=podman\0B=2", 1, 24, file);
	fclose(file);
	assert_string_equal(virtual_container(arena, root), "podman");
	tree_remove(root);
	arena_close(arena);
}

static void limits_of_ancestors_bind(void **state)
{
	struct machine_fixture laptop;
	struct cgroup cgroup;
	struct cgroup_usage usage;

	(void)state;
	fixture_open(&laptop, "environment/laptop");
	expect(&laptop, "cgroup", "/user.slice/user-1000.slice/session-2.scope; cpu limit 3");
	assert_true(cgroup_find(laptop.arena, laptop.root, &cgroup));
	assert_string_equal(cgroup.controllers, "cpu memory pids");
	usage = cgroup_usage_read(laptop.arena, laptop.root, cgroup.directory);
	assert_true(usage.cpu_s == 1.5 && usage.user_s == 1.0 && usage.sys_s == 0.5);
	assert_true(usage.throttled_s == 0.25 && usage.memory_peak_bytes == 1048576);
	usage = cgroup_usage_read(laptop.arena, laptop.root, "/sys/fs/cgroup/user.slice");
	assert_true(isnan(usage.cpu_s) && isnan(usage.memory_peak_bytes));
	fixture_close(&laptop);
}

static void a_hybrid_mount_has_no_controllers(void **state)
{
	struct machine_fixture guest;
	struct cgroup cgroup;

	(void)state;
	fixture_open(&guest, "environment/guest");
	assert_true(cgroup_find(guest.arena, guest.root, &cgroup));
	assert_string_equal(cgroup.directory, "/sys/fs/cgroup/unified");
	assert_string_equal(cgroup.controllers, "");
	fixture_close(&guest);
}

static void numbers_are_read_or_missing(void **state)
{
	struct machine_fixture machine;
	double ticks = (double)sysconf(_SC_CLK_TCK);

	(void)state;
	fixture_open(&machine, "environment/laptop");
	assert_true(machine.environment.load_1min == 1.25);
	assert_true(machine.environment.memory_available_bytes == 8000000.0 * 1024);
	assert_true(machine.environment.busy_s == (1000 + 20 + 300 + 6 + 7) / ticks);
	assert_true(machine.environment.idle_s == (40000 + 50) / ticks);
	assert_true(machine.environment.steal_s == 8 / ticks);
	assert_true(machine.environment.taken_at_s > 1600000000);
	fixture_close(&machine);
	fixture_open(&machine, NULL);
	assert_true(isnan(machine.environment.load_1min) && isnan(machine.environment.steal_s));
	assert_true(isnan(machine.environment.memory_available_bytes));
	assert_true(isnan(machine.environment.busy_s) && isnan(machine.environment.idle_s));
	fixture_close(&machine);
}

/* On an empty root nothing is known, but that no container left a mark. */
static void absent_files_give_absent_facts(void **state)
{
	struct machine_fixture machine;

	(void)state;
	fixture_open(&machine, NULL);
	assert_int_equal(machine.environment.fact_count, 1);
	expect(&machine, "container", "no");
	fixture_close(&machine);
}

static void nonsense_in_files_gives_absent_facts(void **state)
{
	struct machine_fixture machine;

	(void)state;
	fixture_open(&machine, NULL);
	tree_write(machine.root, "/proc/sys/kernel/randomize_va_space", "7\n");
	tree_write(machine.root, "/sys/devices/system/cpu/cpufreq/boost", "on\n");
	tree_write(machine.root, "/proc/sys/kernel/sched_autogroup_enabled", "");
	tree_write(machine.root, "/proc/stat", "cpu  1 2 3\n");
	tree_write(machine.root, "/proc/meminfo", "MemAvailable: lots\n");
	reread(&machine);
	assert_int_equal(machine.environment.fact_count, 1);
	assert_true(isnan(machine.environment.busy_s));
	assert_true(isnan(machine.environment.memory_available_bytes));
	fixture_close(&machine);
}

static void only_listed_variables_are_kept(void **state)
{
	static const char *const variables[] = { "PATH=/bin",
						 "LANG=C",
						 "LC_ALL=de_DE.UTF-8",
						 "LD_PRELOAD=a",
						 "MALLOC_ARENA_=",
						 "OMP_NUM_THREADS=4",
						 "CC=gcc",
						 "CFLAGS=-O2",
						 "CFLAGS_SECRET=1",
						 "PATHS=1",
						 "TOKEN=secret",
						 "LC_=1",
						 "LANGUAGE=x",
						 "HOME=/root",
						 "LC_NOVALUE",
						 NULL };
	static const char *const kept[] = { "env PATH",		  "env LANG", "env LC_ALL",
					    "env LD_PRELOAD",	  "env CC",   "env CFLAGS",
					    "env OMP_NUM_THREADS" };
	struct arena *arena = arena_open();
	struct environment environment;
	char root[64];
	size_t i, count = 0;

	(void)state;
	tree_unpack(NULL, root);
	environment_read_from(arena, root, variables, &environment);
	for (i = 0; i < environment.fact_count; i++)
		count += strncmp(environment.facts[i].key, "env ", 4) == 0;
	assert_int_equal(count, sizeof kept / sizeof *kept);
	for (i = 0; i < sizeof kept / sizeof *kept; i++)
		assert_non_null(environment_fact(&environment, kept[i]));
	tree_remove(root);
	arena_close(arena);
}

/* What a stranger put into a variable must not reach a report raw. */
static void values_are_cleaned(void **state)
{
	static const char *const variables[] = { "LD_X=a\033[31m\xff", NULL };
	struct arena *arena = arena_open();
	struct environment environment;
	char root[64];

	(void)state;
	tree_unpack(NULL, root);
	environment_read_from(arena, root, variables, &environment);
	assert_string_equal(environment_fact(&environment, "env LD_X"), "a\\x1B[31m\\xFF");
	tree_remove(root);
	arena_close(arena);
}

static void this_machine_is_read(void **state)
{
	struct arena *arena = arena_open();
	struct environment environment;
	struct utsname names;

	(void)state;
	environment_read(arena, &environment);
	assert_int_equal(uname(&names), 0);
	assert_string_equal(environment_fact(&environment, "kernel"), names.release);
	assert_non_null(environment_fact(&environment, "tick"));
	assert_true(environment.busy_s > 0 && environment.idle_s >= 0);
	assert_true(environment.memory_available_bytes > 1e6);
	arena_close(arena);
}

/* setarch -R switches it off for one process and its children, whatever the system says. */
static void aslr_can_be_off_for_this_process(void **state)
{
	struct arena *arena = arena_open();
	struct environment environment;
	int before = personality(0xffffffff);

	(void)state;
	if (personality((unsigned long)before | ADDR_NO_RANDOMIZE) < 0)
		skip();
	environment_read(arena, &environment);
	personality((unsigned long)before);
	assert_string_equal(environment_fact(&environment, "aslr"), "off");
	arena_close(arena);
}

static void the_clock_steps_by_less_than_a_tick(void **state)
{
	double step_ns = environment_clock_step_ns();

	(void)state;
	assert_true(step_ns >= 1 && step_ns <= 2e7);
}

/* What is observed must agree with how this kernel was built, where that can be read. */
static void observed_accounting_agrees_with_the_configuration(void **state)
{
	bool sampled;
	int exact;

	(void)state;
	if (system("zcat -f /proc/config.gz /boot/config-$(uname -r) 2>/dev/null | "
		   "grep -q '^CONFIG_TICK_CPU_ACCOUNTING=y'") != 0)
		skip();
	assert_true(environment_accounting_sampled(&sampled));
	exact = !sampled;
	assert_int_equal(exact, 0);
}

static void lists_of_processors_are_counted(void **state)
{
	(void)state;
	assert_int_equal(proc_cpu_count("0"), 1);
	assert_int_equal(proc_cpu_count("0-3,8,10-11"), 7);
	assert_int_equal(proc_cpu_count(""), 0);
	assert_int_equal(proc_cpu_count("(null)"), 0);
	assert_int_equal(proc_cpu_count("3-1"), 0);
	assert_int_equal(proc_cpu_count(NULL), 0);
}

static void fields_are_whole_keys_at_line_starts(void **state)
{
	struct arena *arena = arena_open();
	const char *text =
	    "CONFIG_HZ_250=y\nCONFIG_HZ=250\nflags\t\t: fpu vme\nxflags : no\nlast 7";

	(void)state;
	assert_string_equal(proc_field(arena, text, "CONFIG_HZ"), "250");
	assert_string_equal(proc_field(arena, text, "flags"), "fpu vme");
	assert_string_equal(proc_field(arena, text, "last"), "7");
	assert_null(proc_field(arena, text, "CONFIG"));
	assert_null(proc_field(arena, NULL, "flags"));
	assert_true(proc_has_word("fpu vme", "vme"));
	assert_false(proc_has_word("fpu vme", "vm"));
	arena_close(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_laptop_shows_all_that_spoils_a_measurement),
		cmocka_unit_test(accounting_is_exact_only_where_it_is_switched_on),
		cmocka_unit_test(a_server_differs_in_each_of_them),
		cmocka_unit_test(turbo_has_two_files_of_opposite_sense),
		cmocka_unit_test(a_guest_is_known_by_its_marks),
		cmocka_unit_test(without_the_flag_no_mark_is_no_answer),
		cmocka_unit_test(container_marks_are_each_enough),
		cmocka_unit_test(container_is_found_in_the_environment_of_process_1),
		cmocka_unit_test(limits_of_ancestors_bind),
		cmocka_unit_test(a_hybrid_mount_has_no_controllers),
		cmocka_unit_test(numbers_are_read_or_missing),
		cmocka_unit_test(absent_files_give_absent_facts),
		cmocka_unit_test(nonsense_in_files_gives_absent_facts),
		cmocka_unit_test(only_listed_variables_are_kept),
		cmocka_unit_test(values_are_cleaned),
		cmocka_unit_test(this_machine_is_read),
		cmocka_unit_test(aslr_can_be_off_for_this_process),
		cmocka_unit_test(the_clock_steps_by_less_than_a_tick),
		cmocka_unit_test(observed_accounting_agrees_with_the_configuration),
		cmocka_unit_test(lists_of_processors_are_counted),
		cmocka_unit_test(fields_are_whole_keys_at_line_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
