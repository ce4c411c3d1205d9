/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rule by which a run counts as disturbed, on /proc/stat files that the test writes. */
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure/machine.h"
#include "tree.h"
#include "unit.h"

static struct child_outcome outcome_make(double wall_s, double cpu_s, double delay_s)
{
	struct child_outcome outcome = { 0 };

	outcome.wall_ns = (int64_t)(wall_s * 1e9);
	outcome.run_delay_ns = delay_s < 0 ? -1 : (int64_t)(delay_s * 1e9);
	outcome.usage.ru_utime.tv_sec = (time_t)cpu_s;
	outcome.usage.ru_utime.tv_usec = (suseconds_t)((cpu_s - floor(cpu_s)) * 1e6);
	return outcome;
}

static bool delayed(double wall_s, double cpu_s, double delay_s, double migrations,
		    unsigned processors)
{
	struct child_outcome outcome = outcome_make(wall_s, cpu_s, delay_s);

	return machine_delay_disturbs(&outcome, migrations, processors);
}

static void waiting_for_a_processor_disturbs(void **state)
{
	(void)state;
	assert_true(delayed(1.0, 0.9, 0.06, 0, 4));
	assert_false(delayed(1.0, 0.9, 0.04, 0, 4));
	assert_true(delayed(1.0, 0.9, 0.04, 1, 4));	    /* moved as well */
	assert_false(delayed(1.0, 0.9, 0.01, 9, 4));	    /* moved, hardly waited */
	assert_false(delayed(1.0, 0.9, 0.04, NAN, 4));	    /* not counted is not moved */
	assert_false(delayed(0.001, 0.001, 0.00009, 0, 4)); /* 9%, but a wake-up takes that */
	assert_true(delayed(0.001, 0.001, 0.00012, 0, 4));
	assert_false(delayed(1.0, 0.9, -1, 0, 4)); /* unknown */
}

static void its_own_threads_do_not(void **state)
{
	(void)state;
	assert_false(delayed(1.0, 3.8, 0.5, 0, 4)); /* four busy threads on four processors */
	assert_true(delayed(1.0, 1.9, 0.5, 0, 4));  /* two on four: others took the rest */
	assert_true(delayed(1.0, 0.5, 0.5, 0, 1));  /* one thread that got half a processor */
	assert_false(delayed(1.0, 1.0, 0.5, 0, 1)); /* two processes sharing one */
}

static void steal_and_company_disturb_beyond_two_steps(void **state)
{
	(void)state;
	assert_false(machine_interval_disturbs(0.1, 0.01, 0.0));
	assert_true(machine_interval_disturbs(0.1, 0.02, 0.0));
	assert_false(machine_interval_disturbs(10, 0.09, 0.0));
	assert_true(machine_interval_disturbs(10, 0.11, 0.0));
	assert_false(machine_interval_disturbs(0.1, 0, 0.03));
	assert_true(machine_interval_disturbs(0.1, 0, 0.04));
	assert_false(machine_interval_disturbs(1, 0, 0.09));
	assert_true(machine_interval_disturbs(1, 0, 0.11));
	assert_false(machine_interval_disturbs(1, NAN, NAN));
}

/* A machine under test: its /proc/stat, a plan of two subjects, and a recording. */
struct setting {
	char root[64], stat_path[96];
	struct arena *arena;
	struct subject subjects[2];
	struct plan plan;
	struct recording recording;
	struct machine machine;
};

static void stat_write(const struct setting *setting, unsigned user_all, unsigned steal_all,
		       unsigned user_1)
{
	char content[256];

	snprintf(content, sizeof content,
		 "cpu  %u 0 0 100 0 0 0 %u 0 0\ncpu0 0 0 0 50 0 0 0 0 0 0\n"
		 "cpu1 %u 0 0 50 0 0 0 0 0 0\nintr 1\n",
		 user_all, steal_all, user_1);
	tree_write(setting->root, "/stat", content);
}

static void setting_open(struct setting *setting, int cpu)
{
	memset(setting, 0, sizeof *setting);
	tree_unpack(NULL, setting->root);
	snprintf(setting->stat_path, sizeof setting->stat_path, "%s/stat", setting->root);
	setting->arena = arena_open();
	setting->plan =
	    (struct plan){ .subjects = setting->subjects, .subject_count = 2, .cpu = cpu };
	stat_write(setting, 1000, 0, 500);
	machine_open(&setting->machine, &setting->plan, setting->stat_path);
}

static void setting_close(struct setting *setting)
{
	machine_close(&setting->machine);
	tree_remove(setting->root);
	arena_close(setting->arena);
}

/* One run of cpu_s CPU time during which others' figures rise to those given. */
static uint32_t run(struct setting *setting, uint32_t round, uint32_t position, double wall_s,
		    double cpu_s, unsigned user_all, unsigned steal_all, unsigned user_1)
{
	struct slot slot = { .round = round, .position = position };
	struct child_outcome outcome = outcome_make(wall_s, cpu_s, 0);
	struct sample *sample;

	machine_before(&setting->machine, &slot);
	stat_write(setting, user_all, steal_all, user_1);
	sample = recording_add_sample(setting->arena, &setting->recording);
	sample->round = round;
	sample->position = position;
	machine_after(&setting->machine, &slot, &outcome, 0, &setting->recording, sample);
	return sample->flags;
}

static void a_long_run_is_judged_by_itself(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s, -1);
	assert_int_equal(run(&s, 0, 0, 0.2, 0.2, 1020, 0, 0), 0);		 /* all its own */
	assert_int_equal(run(&s, 0, 1, 0.2, 0.2, 1060, 0, 0), SAMPLE_DISTURBED); /* 0.2 s more */
	assert_int_equal(s.recording.samples[0].flags, 0);
	assert_int_equal(run(&s, 1, 0, 0.2, 0.2, 1080, 0, 0), 0);
	assert_int_equal(run(&s, 1, 1, 0.2, 0.2, 1100, 5, 0), SAMPLE_DISTURBED); /* stolen */
	setting_close(&s);
}

static void short_runs_share_their_rounds_mark(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s, -1);
	run(&s, 0, 0, 0.05, 0.05, 1005, 0, 0);
	assert_int_equal(run(&s, 0, 1, 0.05, 0.05, 1010, 0, 0), 0);
	run(&s, 1, 0, 0.05, 0.05, 1025, 0, 0);
	assert_int_equal(run(&s, 1, 1, 0.05, 0.05, 1030, 0, 0), SAMPLE_DISTURBED);
	assert_int_equal(s.recording.samples[2].flags, SAMPLE_DISTURBED);
	assert_int_equal(s.recording.samples[0].flags | s.recording.samples[1].flags, 0);
	setting_close(&s);
}

/* Rounds below three steps of /proc/stat cannot show anything: it is not read again. */
static void very_short_rounds_cost_no_reading(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s, -1);
	run(&s, 0, 0, 0.001, 0, 1000, 0, 0);
	run(&s, 0, 1, 0.001, 0, 1000, 0, 0);
	assert_true(s.machine.round_ns < 30000000);
	assert_int_equal(run(&s, 1, 0, 0.001, 0, 9000, 0, 0), 0);
	assert_int_equal(run(&s, 1, 1, 0.001, 0, 9999, 0, 0), 0);
	setting_close(&s);
}

static void hooks_are_not_company(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s, -1);
	machine_close(&s.machine);
	s.subjects[1].prepare = "make clean";
	machine_open(&s.machine, &s.plan, s.stat_path);
	assert_int_equal(run(&s, 0, 0, 0.05, 0.05, 1005, 0, 0), 0);
	stat_write(&s, 1500, 0, 0); /* the hook's 5 s between the runs */
	assert_int_equal(run(&s, 0, 1, 0.05, 0.05, 1505, 0, 0), 0);
	setting_close(&s);
}

static void a_pinned_run_looks_at_its_own_processor(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s, 1);
	assert_int_equal(run(&s, 0, 0, 0.2, 0.2, 9000, 0, 520), 0); /* others keep to processor 0 */
	assert_int_equal(run(&s, 0, 1, 0.2, 0.2, 9999, 0, 560), SAMPLE_DISTURBED);
	setting_close(&s);
}

static void without_proc_only_delays_mark(void **state)
{
	struct setting s;
	struct child_outcome outcome = outcome_make(1, 0.5, 0.5);
	struct slot slot = { 0 };
	struct sample sample = { 0 };

	(void)state;
	setting_open(&s, -1);
	machine_close(&s.machine);
	machine_open(&s.machine, &s.plan, "/nonexistent");
	machine_before(&s.machine, &slot);
	machine_after(&s.machine, &slot, &outcome, 0, &s.recording, &sample);
	assert_int_equal(sample.flags, SAMPLE_DISTURBED);
	setting_close(&s);
}

/* A process that keeps the first allowed processor busy until it is killed; *cpu is its number. */
static pid_t burner_start(int *cpu)
{
	cpu_set_t allowed, one;
	pid_t pid;

	if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
		return -1;
	for (*cpu = 0; *cpu < CPU_SETSIZE - 1 && !CPU_ISSET(*cpu, &allowed); ++*cpu)
		;
	CPU_ZERO(&one);
	CPU_SET(*cpu, &one);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sched_setaffinity(0, sizeof one, &one);
		alarm(20);
		for (;;)
			;
	}
	return pid;
}

/* The real thing: a child pinned to a processor that another process wants as well. */
static void sharing_a_processor_marks_a_real_run(void **state)
{
	char *argv[] = { (char[]){ "/bin/sh" }, (char[]){ "-c" },
			 (char[]){ "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done" }, NULL };
	struct child_request request = child_request(argv);
	struct child_outcome outcome;
	struct slot slot = { 0 };
	struct sample sample = { 0 };
	struct machine machine;
	struct error err;
	struct spawner *spawner = spawner_start(&err);
	struct setting s;
	pid_t burner;
	bool ran;

	(void)state;
	assert_non_null(spawner);
	burner = burner_start(&request.cpu);
	assert_true(burner > 0);
	setting_open(&s, request.cpu);
	machine_open(&machine, &s.plan, "/proc/stat");
	machine_before(&machine, &slot);
	ran = child_run(spawner, &request, -1, &outcome, &err);
	if (ran)
		machine_after(&machine, &slot, &outcome, NAN, &s.recording, &sample);
	kill(burner, SIGKILL);
	waitpid(burner, NULL, 0);
	machine_close(&machine);
	spawner_stop(spawner);
	setting_close(&s);
	if (!ran)
		fail_msg("%s", err.sentence);
	if (outcome.run_delay_ns >= 0)
		assert_true(machine_delay_disturbs(&outcome, NAN, 1));
	assert_int_equal(sample.flags, SAMPLE_DISTURBED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waiting_for_a_processor_disturbs),
		cmocka_unit_test(its_own_threads_do_not),
		cmocka_unit_test(steal_and_company_disturb_beyond_two_steps),
		cmocka_unit_test(a_long_run_is_judged_by_itself),
		cmocka_unit_test(short_runs_share_their_rounds_mark),
		cmocka_unit_test(very_short_rounds_cost_no_reading),
		cmocka_unit_test(hooks_are_not_company),
		cmocka_unit_test(a_pinned_run_looks_at_its_own_processor),
		cmocka_unit_test(sharing_a_processor_marks_a_real_run),
		cmocka_unit_test(without_proc_only_delays_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
