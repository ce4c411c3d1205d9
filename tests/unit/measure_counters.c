/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names to events, what becomes of those that do not open, and values to samples. */
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/counters.h"
#include "measure/proc.h"
#include "unit.h"

static void names_of_perf_are_known(void **state)
{
	static const char *const names[] = {
		"cycles",
		"instructions",
		"cache-misses",
		"branch-misses",
		"branches",
		"page-faults",
		"context-switches",
		"cs",
		"cpu-migrations",
		"task-clock",
		"cpu-clock",
		"minor-faults",
		"faults",
		"L1-dcache-loads",
		"cycles:u",
		"LLC-load-misses",
		"dTLB-load-misses",
		"cycles:uk",
		"instructions:k",
		"r01c2",
		"L1-icache-load-misses",
	};
	struct error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (!counters_check(names[i], &err))
			fail_msg("%s", err.sentence);
}

static void an_unknown_name_gets_the_nearest_one(void **state)
{
	struct error err;

	(void)state;
	assert_false(counters_check("cyclse", &err));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.sentence, "did you mean 'cycles'"));
	assert_false(counters_check("zzzzzzzzzzzzzz", &err));
	assert_null(strstr(err.sentence, "did you mean"));
	assert_non_null(strstr(err.sentence, "perf list"));
	assert_false(counters_check("", &err));
	assert_false(counters_check("cycles:q", &err));
	assert_non_null(strstr(err.sentence, "modifier"));
}

/* Software events exist on every kernel that permits them at all. */
static void software_events_open_and_the_rest_is_explained(void **state)
{
	static const char *const names[] = { "page-faults", "no-such-event", "page-faults",
					     "another-unknown", "task-clock" };
	struct arena *arena = arena_open();
	struct recording recording = { 0 };
	struct counters counters;
	size_t i, unknown = 0;

	(void)state;
	counters_open(arena, &recording, names, 5, &counters);
	counters_open_usual(arena, &recording, &counters);
	for (i = 0; i < recording.remark_count; i++)
		unknown +=
		    strstr(recording.remarks[i], "no-such-event and another-unknown") != NULL;
	assert_int_equal(unknown, 1);
	if (counters.count == 0) {
		arena_close(arena);
		skip();
	}
	assert_int_equal(recording.metric_count, counters.count);
	for (i = 0; i < counters.count; i++) {
		assert_int_equal(counters.metrics[i], i);
		assert_true(counters.attributes[i].inherit && counters.attributes[i].disabled);
		assert_true(counters.attributes[i].enable_on_exec);
	}
	i = (size_t)recording_metric(&recording, "task-clock");
	assert_string_equal(recording.metrics[i].unit, "s");
	assert_false(recording.metrics[i].hidden); /* asked for by name */
	i = (size_t)recording_metric(&recording, "migrations");
	assert_true(recording.metrics[i].hidden);
	arena_close(arena);
}

static void without_names_there_is_no_remark(void **state)
{
	struct arena *arena = arena_open();
	struct recording recording = { 0 };
	struct counters counters;

	(void)state;
	counters_open(arena, &recording, NULL, 0, &counters);
	counters_open_usual(arena, &recording, &counters);
	assert_int_equal(recording.remark_count, 0);
	assert_true(counters.count <= 2);
	arena_close(arena);
}

static void too_many_counters_are_said_to_be(void **state)
{
	const char *names[CHILD_EVENTS_MAXIMUM + 5];
	struct arena *arena = arena_open();
	struct recording recording = { 0 };
	struct counters counters;
	size_t i;

	(void)state;
	for (i = 0; i < CHILD_EVENTS_MAXIMUM + 5; i++)
		names[i] = arena_printf(arena, "r%02zx", i + 1);
	counters_open(arena, &recording, names, CHILD_EVENTS_MAXIMUM + 5, &counters);
	counters_open_usual(arena, &recording, &counters);
	assert_true(counters.count <= CHILD_EVENTS_MAXIMUM);
	assert_non_null(strstr(recording.remarks[recording.remark_count - 1], "Only the first 30"));
	arena_close(arena);
}

/* In a child without privileges: 0 if everything is as it must be, else the number of the check. */
static int unprivileged_checks(void)
{
	static const char *const names[] = { "page-faults", "context-switches", "cpu-clock" };
	struct arena *arena = arena_open();
	struct recording recording = { 0 };
	struct counters counters;

	counters_open(arena, &recording, names, 3, &counters);
	counters_open_usual(arena, &recording, &counters);
	if (recording_metric(&recording, "page-faults:u") == METRIC_NONE ||
	    recording_metric(&recording, "page-faults") != METRIC_NONE)
		return 1;
	if (recording_metric(&recording, "context-switches") != METRIC_NONE ||
	    recording_metric(&recording, "migrations") != METRIC_NONE)
		return 2;
	if (recording_metric(&recording, "cpu-clock") == METRIC_NONE ||
	    recording_metric(&recording, "task-clock") == METRIC_NONE)
		return 3;
	if (recording.remark_count != 2)
		return 4;
	if (strncmp(recording.remarks[0], "Counted in user mode only: page-faults;", 39) != 0)
		return 5;
	if (strncmp(recording.remarks[1], "Not measured: context-switches; the kernel refuses",
		    50) != 0)
		return 6;
	if (strstr(recording.remarks[1], "perf_event_paranoid 2") == NULL)
		return 7;
	return 0;
}

/* What happens in the kernel would count 0 in user mode: it is refused instead. */
static void without_privileges_only_user_mode_is_counted(void **state)
{
	struct arena *arena = arena_open();
	const char *paranoid = proc_line(arena, "", "/proc/sys/kernel/perf_event_paranoid");
	bool fits = getuid() == 0 && paranoid != NULL && strcmp(paranoid, "2") == 0;
	int status = -1;
	pid_t pid;

	(void)state;
	arena_close(arena);
	if (!fits)
		skip();
	pid = fork();
	if (pid == 0)
		_exit(setuid(65534) != 0 ? 99 : unprivileged_checks());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static struct perf_event_attr attributes[4] = {
	{ .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK },
	{ .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES },
	{ .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS },
	{ .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CACHE_MISSES },
};

static void values_are_scaled_with_their_share(void **state)
{
	struct arena *arena = arena_open();
	struct recording recording = { 0 };
	size_t metrics[4];
	struct counters counters = { .attributes = attributes, .metrics = metrics, .count = 4 };
	struct child_outcome outcome = { 0 };
	struct sample *sample;
	size_t i;

	(void)state;
	recording_add_metric(arena, &recording, &(struct metric){ .name = "wall", .unit = "s" });
	for (i = 0; i < 4; i++)
		metrics[i] = recording_add_metric(
		    arena, &recording,
		    &(struct metric){ .name = arena_printf(arena, "m%zu", i), .unit = "" });
	sample = recording_add_sample(arena, &recording);
	outcome.events[0] = (struct child_event_value){ true, 2500000, 100, 100, 0 };
	outcome.events[1] = (struct child_event_value){ true, 1000, 100, 25, 0 };
	outcome.events[2] = (struct child_event_value){ true, 0, 100, 0, 0 };
	outcome.events[3] = (struct child_event_value){ false, 0, 0, 0, 2 };
	counters_read(arena, &counters, &outcome, &recording, sample);
	assert_true(sample->values[metrics[0]] == 0.0025);
	assert_true(sample->values[metrics[1]] == 4000);
	assert_true(isnan(sample->values[metrics[2]]));
	assert_true(isnan(sample->values[metrics[3]]));
	assert_non_null(sample->coverage);
	assert_true(sample->coverage[metrics[0]] == 1 && sample->coverage[metrics[1]] == 0.25f);
	assert_true(sample->coverage[0] == 1);
	arena_close(arena);
}

/* A counter that saw none of its event counted 0; that is a measurement. */
static void zero_is_a_value_when_it_was_counted(void **state)
{
	struct arena *arena = arena_open();
	struct recording recording = { 0 };
	size_t metrics[1];
	struct counters counters = { .attributes = attributes, .metrics = metrics, .count = 1 };
	struct child_outcome outcome = { 0 };
	struct sample *sample;

	(void)state;
	metrics[0] =
	    recording_add_metric(arena, &recording, &(struct metric){ .name = "m", .unit = "" });
	sample = recording_add_sample(arena, &recording);
	outcome.events[0] = (struct child_event_value){ true, 0, 100, 100, 0 };
	counters_read(arena, &counters, &outcome, &recording, sample);
	assert_true(sample->values[0] == 0);
	assert_null(sample->coverage);
	arena_close(arena);
}

/*
 * End to end: events opened in the child, inherited by its own child, and the CPU time that the
 * kernel accounted in two ways. The event counts what a hypervisor stole as well, which rusage
 * leaves out; what one process at a time cannot exceed is the time that passed.
 */
static void a_child_is_counted_with_its_descendants(void **state)
{
	static const char *const names[] = { "page-faults", "task-clock" };
	char *argv[] = { (char[]){ "/bin/sh" }, (char[]){ "-c" },
			 (char[]){ "(i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done); :" },
			 NULL };
	struct arena *arena = arena_open();
	struct recording recording = { 0 };
	struct spawner *spawner;
	struct counters counters;
	struct child_request request = child_request(argv);
	struct child_outcome outcome;
	struct sample *sample;
	struct error err;
	double task_s, rusage_s, wall_s;

	(void)state;
	counters_open(arena, &recording, names, 2, &counters);
	counters_open_usual(arena, &recording, &counters);
	if (recording_metric(&recording, "task-clock") == METRIC_NONE) {
		arena_close(arena);
		skip();
	}
	spawner = spawner_start(&err);
	assert_non_null(spawner);
	request.events = counters.attributes;
	request.event_count = counters.count;
	if (!child_run(spawner, &request, -1, &outcome, &err))
		fail_msg("%s", err.sentence);
	assert_int_equal(outcome.wait_status, 0);
	sample = recording_add_sample(arena, &recording);
	counters_read(arena, &counters, &outcome, &recording, sample);
	task_s = sample->values[recording_metric(&recording, "task-clock")];
	rusage_s =
	    (double)(outcome.usage.ru_utime.tv_usec + outcome.usage.ru_stime.tv_usec) * 1e-6 +
	    (double)(outcome.usage.ru_utime.tv_sec + outcome.usage.ru_stime.tv_sec);
	wall_s = (double)outcome.wall_ns * 1e-9;
	if (!(rusage_s > 0.01 && task_s > 0.9 * rusage_s && task_s < 1.1 * wall_s))
		fail_msg("task-clock %g s, rusage %g s, wall %g s", task_s, rusage_s, wall_s);
	assert_true(sample->values[recording_metric(&recording, "page-faults")] > 20);
	spawner_stop(spawner);
	arena_close(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_perf_are_known),
		cmocka_unit_test(an_unknown_name_gets_the_nearest_one),
		cmocka_unit_test(software_events_open_and_the_rest_is_explained),
		cmocka_unit_test(without_names_there_is_no_remark),
		cmocka_unit_test(too_many_counters_are_said_to_be),
		cmocka_unit_test(without_privileges_only_user_mode_is_counted),
		cmocka_unit_test(values_are_scaled_with_their_share),
		cmocka_unit_test(a_child_is_counted_with_its_descendants),
		cmocka_unit_test(zero_is_a_value_when_it_was_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
