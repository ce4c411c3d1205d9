/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the doctor says of machines in fixtures, and of recordings whose spread is known. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands/doctor/checks.h"
#include "commands/doctor/resolution.h"
#include "measure/environment.h"
#include "tree.h"
#include "unit.h"

struct patient {
	struct arena *arena;
	char root[64];
	struct doctor_machine machine;
	struct doctor_check *checks;
	size_t count;
};

static void patient_open(struct patient *patient, const char *name)
{
	memset(patient, 0, sizeof *patient);
	patient->arena = arena_open();
	tree_unpack(name, patient->root);
	environment_read_from(patient->arena, patient->root, NULL, &patient->machine.environment);
	patient->machine.clock_step_ns = 20;
	patient->machine.hardware = COUNTER_OPEN;
	patient->machine.software = COUNTER_OPEN;
	patient->machine.has_valgrind = true;
}

static void patient_close(struct patient *patient)
{
	tree_remove(patient->root);
	arena_close(patient->arena);
}

static void examine(struct patient *patient)
{
	patient->checks = doctor_checks(patient->arena, &patient->machine, &patient->count);
}

/* The check of that name after examining again; NULL: it says nothing. */
static const struct doctor_check *check_of(struct patient *patient, const char *name)
{
	size_t i;

	examine(patient);
	for (i = 0; i < patient->count; i++)
		if (strcmp(patient->checks[i].name, name) == 0)
			return &patient->checks[i];
	return NULL;
}

static void expect(struct patient *patient, const char *name, enum tone tone, const char *found)
{
	const struct doctor_check *check = check_of(patient, name);

	if (check == NULL)
		fail_msg("no check '%s'", name);
	assert_string_equal(check->found, found);
	if (check->tone != tone)
		fail_msg("%s: tone %d, not %d", name, (int)check->tone, (int)tone);
}

static void a_laptop_has_all_the_complaints(void **state)
{
	struct patient laptop;

	(void)state;
	patient_open(&laptop, "environment/laptop");
	expect(&laptop, "processors", TONE_GOOD, "8");
	expect(&laptop, "frequency governor", TONE_CAUTION, "powersave (intel_pstate)");
	expect(&laptop, "turbo", TONE_CAUTION, "on");
	expect(&laptop, "power", TONE_BAD, "battery");
	expect(&laptop, "hyperthreads", TONE_CAUTION, "on, 2 threads a core");
	expect(&laptop, "load", TONE_GOOD, "1.25 in the last minute");
	expect(&laptop, "stolen time", TONE_CAUTION, "0.60% of busy time");
	expect(&laptop, "virtual machine", TONE_GOOD, "no");
	expect(&laptop, "cgroup limits", TONE_BAD, "cpu limit 3");
	expect(&laptop, "address randomness", TONE_GOOD, "full");
	expect(&laptop, "clock source", TONE_GOOD, "tsc");
	expect(&laptop, "user and sys", TONE_PLAIN, "sampled at 250 Hz");
	expect(&laptop, "autogroup", TONE_PLAIN, "on");
	expect(&laptop, "hardware counters", TONE_GOOD, "available");
	expect(&laptop, "huge pages", TONE_PLAIN, "always");
	patient_close(&laptop);
}

static void a_guest_has_others(void **state)
{
	struct patient guest;

	(void)state;
	patient_open(&guest, "environment/guest");
	guest.machine.hardware = COUNTER_ABSENT;
	guest.machine.software = COUNTER_REFUSED;
	guest.machine.has_valgrind = false;
	guest.machine.clock_step_ns = 1e7;
	expect(&guest, "virtual machine", TONE_CAUTION, "VirtualBox");
	expect(&guest, "container", TONE_PLAIN, "docker");
	expect(&guest, "cgroup limits", TONE_BAD, "cpu limit 1.5; memory limit 536870912 B");
	expect(&guest, "address randomness", TONE_CAUTION, "partial");
	expect(&guest, "clock source", TONE_BAD, "jiffies");
	expect(&guest, "clock step", TONE_BAD, "10.0 ms");
	expect(&guest, "hardware counters", TONE_CAUTION, "none");
	expect(&guest, "software counters", TONE_CAUTION, "refused");
	expect(&guest, "simulation", TONE_PLAIN, "no valgrind");
	assert_null(check_of(&guest, "load"));
	assert_null(check_of(&guest, "frequency governor"));
	patient_close(&guest);
}

/* Whatever is not well says what it does; whatever is well is silent; a good machine has no bad
 * row. */
static void only_complaints_have_words(void **state)
{
	static const char *const names[] = { "environment/laptop", "environment/server",
					     "environment/guest" };
	size_t m, i;

	(void)state;
	for (m = 0; m < 3; m++) {
		struct patient patient;

		patient_open(&patient, names[m]);
		examine(&patient);
		assert_true(patient.count >= 8);
		for (i = 0; i < patient.count; i++) {
			const struct doctor_check *check = &patient.checks[i];

			if (check->tone == TONE_GOOD)
				assert_null(check->effect);
			else
				assert_non_null(check->effect);
			if (check->tone == TONE_BAD || check->tone == TONE_CAUTION)
				assert_non_null(check->advice);
		}
		patient_close(&patient);
	}
}

static void a_server_in_order_is_called_good(void **state)
{
	struct patient server;

	(void)state;
	patient_open(&server, "environment/server");
	expect(&server, "turbo", TONE_GOOD, "off");
	expect(&server, "hyperthreads", TONE_GOOD, "off");
	expect(&server, "power", TONE_GOOD, "mains");
	expect(&server, "user and sys", TONE_GOOD, "exact");
	/* one of its processors is under another governor */
	expect(&server, "frequency governor", TONE_CAUTION,
	       "performance, schedutil (acpi-cpufreq)");
	tree_write(server.root, "/sys/devices/system/cpu/cpufreq/policy1/scaling_governor",
		   "performance\n");
	environment_read_from(server.arena, server.root, NULL, &server.machine.environment);
	expect(&server, "frequency governor", TONE_GOOD, "performance (acpi-cpufreq)");
	patient_close(&server);
}

static void load_counts_by_processor(void **state)
{
	struct patient laptop;

	(void)state;
	patient_open(&laptop, "environment/laptop");
	laptop.machine.environment.load_1min = 1.9;
	expect(&laptop, "load", TONE_GOOD, "1.90 in the last minute");
	laptop.machine.environment.load_1min = 2;
	expect(&laptop, "load", TONE_CAUTION, "2.00 in the last minute");
	laptop.machine.environment.load_1min = 6;
	expect(&laptop, "load", TONE_BAD, "6.00 in the last minute");
	patient_close(&laptop);
}

static void counters_name_the_setting_that_forbids_them(void **state)
{
	struct patient laptop;

	(void)state;
	patient_open(&laptop, "environment/laptop");
	laptop.machine.hardware = COUNTER_REFUSED;
	expect(&laptop, "hardware counters", TONE_CAUTION, "refused (paranoid 3)");
	laptop.machine.hardware = COUNTER_USER_ONLY;
	expect(&laptop, "hardware counters", TONE_CAUTION, "user mode only (paranoid 3)");
	patient_close(&laptop);
}

/* docs/method.md 3.9: s = 1% needs 23 rounds for 1%, 3% needs 204, 6% needs 33 for 5%. The
 * formula there takes x for ln(1+x). */
static void planning_agrees_with_the_method(void **state)
{
	(void)state;
	assert_true(fabs(doctor_resolvable(0.01, 23) - 0.01) < 0.0002);
	assert_true(fabs(doctor_resolvable(0.03, 204) - 0.01) < 0.0001);
	assert_true(fabs(doctor_resolvable(0.06, 33) - 0.05) < 0.002);
	assert_true(isnan(doctor_resolvable(0.01, 5.9)));
	assert_true(isnan(doctor_resolvable(NAN, 80)));
	assert_true(doctor_resolvable(0, 80) == 0);
}

static struct sample *add(struct arena *arena, struct recording *recording, uint32_t round,
			  uint32_t position, uint32_t subject, double wall)
{
	struct sample *sample = recording_add_sample(arena, recording);

	sample->round = round;
	sample->position = position;
	sample->subject = subject;
	sample->started_ns = (int64_t)round * 25000000 + (int64_t)position * 11000000;
	sample->exit_status = 0;
	sample->values[0] = wall;
	return sample;
}

static void a_recording_gives_spread_and_length(void **state)
{
	struct arena *arena = arena_open();
	struct subject subjects[2] = { { .label = "first" }, { .label = "second" } };
	struct recording recording = { .plan = { .subjects = subjects, .subject_count = 2 } };
	struct doctor_resolution found;
	uint32_t round;

	(void)state;
	recording_add_metric(arena, &recording, &(struct metric){ .name = "wall", .unit = "s" });
	add(arena, &recording, 0, 0, 0, 5)->flags = SAMPLE_WARMUP | SAMPLE_DISTURBED;
	for (round = 0; round < 9; round++) {
		add(arena, &recording, round, 0, 0, 0.010);
		add(arena, &recording, round, 1, 1, 0.010 * exp(((int)round - 4) * 0.001));
	}
	recording.samples[3].flags |= SAMPLE_DISTURBED;
	found = doctor_resolution(&recording);
	assert_int_equal(found.pairs, 9);
	assert_true(fabs(found.spread_wall - 1.4826 * 0.002) < 1e-9);
	assert_true(isnan(found.spread_cpu));
	assert_true(fabs(found.round_s - 0.025) < 1e-12);
	assert_true(found.run_s == 0.010);
	assert_int_equal(found.disturbed, 1);
	assert_int_equal(found.runs, 18);
	arena_close(arena);
}

static void too_few_pairs_have_no_spread(void **state)
{
	struct arena *arena = arena_open();
	struct subject subjects[2] = { { .label = "first" }, { .label = "second" } };
	struct recording recording = { .plan = { .subjects = subjects, .subject_count = 2 } };
	struct doctor_resolution found;

	(void)state;
	found = doctor_resolution(&recording);
	assert_true(isnan(found.spread_wall) && isnan(found.round_s) && isnan(found.run_s));
	recording_add_metric(arena, &recording, &(struct metric){ .name = "wall", .unit = "s" });
	add(arena, &recording, 0, 0, 0, 0.01);
	add(arena, &recording, 0, 1, 1, 0.01);
	found = doctor_resolution(&recording);
	assert_true(isnan(found.spread_wall) && isnan(found.round_s));
	arena_close(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_laptop_has_all_the_complaints),
		cmocka_unit_test(a_guest_has_others),
		cmocka_unit_test(only_complaints_have_words),
		cmocka_unit_test(a_server_in_order_is_called_good),
		cmocka_unit_test(load_counts_by_processor),
		cmocka_unit_test(counters_name_the_setting_that_forbids_them),
		cmocka_unit_test(planning_agrees_with_the_method),
		cmocka_unit_test(a_recording_gives_spread_and_length),
		cmocka_unit_test(too_few_pairs_have_no_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
