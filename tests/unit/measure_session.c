/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions of real children: order, hooks, ends, failures, and what is kept of each. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/schedule.h"
#include "session_bench.h"

#define MS_NS INT64_C(1000000)

static char *read_file(struct arena *arena, const char *path)
{
	char bytes[20000];
	FILE *file = fopen(path, "r");
	size_t length;

	assert_non_null(file);
	length = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	return arena_strndup(arena, bytes, length);
}

/* An empty file whose name is in the variable LOG. */
static char *make_log(struct arena *arena)
{
	char path[] = "/tmp/worth-session-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	setenv("LOG", path, 1);
	return arena_strdup(arena, path);
}

/* Every command writes its letter: the file holds the schedule. */
static void runs_come_in_the_order_of_the_schedule(void **state)
{
	struct bench bench;
	struct slot slots[3];
	char expected[3 * 14 + 1] = "";
	size_t used = 0, round, i;
	char *log;

	(void)state;
	bench_init(&bench, 3, "printf $LABEL >>$LOG", 12);
	log = make_log(bench.arena);
	bench.recording.plan.warmup_rounds = 2;
	if (!bench_run(&bench, -1))
		fail_msg("%s", bench.err.sentence);
	for (round = 0; round < 14; round++) {
		schedule_round(&bench.recording.plan, round < 2 ? round : round - 2, round < 2,
			       slots);
		for (i = 0; i < 3; i++)
			expected[used++] = (char)('a' + slots[i].subject);
	}
	assert_string_equal(read_file(bench.arena, log), expected);
	assert_int_equal(bench.recording.end, END_COMPLETE);
	assert_int_equal(bench.recording.rounds_done, 12);
	assert_int_equal(bench.recording.sample_count, 42);
	assert_int_equal(bench.warmups_saved, 2);
	assert_int_equal(bench.rounds_saved, 12);
	assert_true(bench.recording.before.taken_at_s > 0);
	assert_true(bench.recording.after.taken_at_s > 0);
	unlink(log);
	bench_release(&bench);
}

static double value(const struct bench *bench, size_t sample, const char *metric)
{
	return bench->recording.samples[sample].values[recording_metric(&bench->recording, metric)];
}

static void samples_hold_what_was_measured(void **state)
{
	struct bench bench;
	int64_t before_ns = -1;
	size_t i;

	(void)state;
	bench_init(&bench, 2,
		   "sleep 0.02; head -c 1000000 /dev/zero >/dev/null; "
		   "echo \"score 3 pt higher\" >&$WORTH_FD",
		   4);
	assert_true(bench_run(&bench, -1));
	for (i = 0; i < bench.recording.sample_count; i++) {
		const struct sample *sample = &bench.recording.samples[i];

		assert_true(sample->started_ns > before_ns);
		before_ns = sample->started_ns;
		assert_int_equal(sample->exit_status, 0);
		assert_true(value(&bench, i, "wall") > 0.02 && value(&bench, i, "wall") < 5);
		assert_true(value(&bench, i, "cpu") < value(&bench, i, "wall"));
		assert_true(value(&bench, i, "max rss") > 500 * 1024);
		assert_true(value(&bench, i, "minor faults") > 10);
		assert_true(value(&bench, i, "voluntary switches") >= 1);
		assert_true(value(&bench, i, "run delay") >= 0);
		assert_true(value(&bench, i, "score") == 3);
	}
	assert_true(bench.recording.samples[0].started_ns < 10000 * MS_NS);
	bench_release(&bench);
}

static void a_look_stops_it(void **state)
{
	struct bench bench;

	(void)state;
	bench_init(&bench, 2, ":", 50);
	bench.stop_after = 5;
	assert_true(bench_run(&bench, -1));
	assert_int_equal(bench.recording.end, END_DECIDED);
	assert_int_equal(bench.recording.rounds_done, 6); /* looks are at even rounds */
	assert_true(bench.last_progress.half_width_ratio == 0.25);
	assert_int_equal(bench.last_progress.rounds_planned, 50);
	bench_release(&bench);
}

static void the_budget_truncates_and_is_warned_of(void **state)
{
	struct bench bench;

	(void)state;
	bench_init(&bench, 2, "sleep 0.05", 100);
	bench.recording.plan.warmup_rounds = 1;
	bench.recording.plan.budget_ns = 500 * MS_NS;
	assert_true(bench_run(&bench, -1));
	assert_int_equal(bench.recording.end, END_BUDGET);
	assert_in_range(bench.recording.rounds_done, 1, 4);
	assert_non_null(strstr(bench.warning, "fewer than 6 rounds"));
	assert_true(bench.last_progress.left_ns >= 0 && bench.last_progress.left_ns < 500 * MS_NS);
	bench_release(&bench);
}

static void one_round_is_run_in_any_case(void **state)
{
	struct bench bench;

	(void)state;
	bench_init(&bench, 2, ":", 100);
	bench.recording.plan.warmup_rounds = 1;
	bench.recording.plan.budget_ns = 1;
	assert_true(bench_run(&bench, -1));
	assert_int_equal(bench.recording.end, END_BUDGET);
	assert_int_equal(bench.recording.rounds_done, 1);
	bench_release(&bench);
}

static void a_failure_ends_it_and_says_where(void **state)
{
	struct bench bench;
	char *log;

	(void)state;
	bench_init(
	    &bench, 2,
	    "printf x >>$LOG; [ $(wc -c <$LOG) -lt 7 ] || { echo so 'bad\033[31m' >&2; exit 3; }",
	    10);
	log = make_log(bench.arena);
	assert_false(bench_run(&bench, -1));
	assert_int_equal(bench.err.kind, ERROR_COMMAND);
	assert_non_null(strstr(bench.err.sentence, "exit status 3"));
	assert_non_null(strstr(bench.err.sentence, "in round 4"));
	assert_non_null(strstr(bench.err.sentence, "so bad\\x1B[31m"));
	assert_int_equal(bench.recording.end, END_FAILED);
	assert_int_equal(bench.recording.rounds_done, 3);
	assert_int_equal(bench.recording.sample_count, 7);
	assert_int_equal(bench.recording.samples[6].exit_status, 3);
	assert_int_equal(bench.recording.samples[6].flags & SAMPLE_FAILED, SAMPLE_FAILED);
	assert_int_equal(bench.rounds_saved, 3);
	assert_int_equal(bench.partial_saved, 1);
	unlink(log);
	bench_release(&bench);
}

static void failures_may_be_ignored(void **state)
{
	struct bench bench;
	size_t i, failed = 0;

	(void)state;
	bench_init(&bench, 2, "[ $LABEL = a ] || kill -SEGV $$", 5);
	bench.recording.plan.ignore_failure = true;
	assert_true(bench_run(&bench, -1));
	assert_int_equal(bench.recording.end, END_COMPLETE);
	for (i = 0; i < bench.recording.sample_count; i++) {
		const struct sample *sample = &bench.recording.samples[i];

		assert_int_equal(!!(sample->flags & SAMPLE_FAILED), sample->subject);
		assert_int_equal(sample->signal, sample->subject == 1 ? 11 : 0);
		failed += sample->subject;
	}
	assert_int_equal(failed, 5);
	bench_release(&bench);
}

static void a_timeout_is_a_failure(void **state)
{
	struct bench bench;

	(void)state;
	bench_init(&bench, 1, "sleep 30 & wait", 5);
	bench.recording.plan.timeout_ns = 100 * MS_NS;
	assert_false(bench_run(&bench, -1));
	assert_non_null(strstr(bench.err.sentence, "did not end within 100 ms"));
	assert_int_equal(bench.recording.samples[0].flags & SAMPLE_TIMED_OUT, SAMPLE_TIMED_OUT);
	bench_release(&bench);
}

static void hooks_stand_around_everything(void **state)
{
	struct bench bench;
	char *log;

	(void)state;
	bench_init(&bench, 1, "printf r >>$LOG", 2);
	log = make_log(bench.arena);
	bench.recording.plan.setup = "printf S >>$LOG";
	bench.recording.plan.cleanup = "printf C >>$LOG";
	bench.recording.plan.warmup_rounds = 1;
	bench.subjects[0].prepare = "printf \"p$LABEL\" >>$LOG";
	bench.subjects[0].conclude = "printf c >>$LOG";
	assert_true(bench_run(&bench, -1));
	assert_string_equal(read_file(bench.arena, log), "SparcparcparcC");
	unlink(log);
	bench_release(&bench);
}

/* What a hook started lives until its counterpart has run. */
static void what_hooks_start_lives_until_they_are_undone(void **state)
{
	struct bench bench;
	char *log;

	(void)state;
	bench_init(&bench, 1, "kill -0 $(cat $LOG.s) && kill -0 $(cat $LOG.p) && printf r >>$LOG",
		   3);
	log = make_log(bench.arena);
	bench.recording.plan.setup = "sleep 60 & echo $! >$LOG.s";
	bench.recording.plan.cleanup = "kill -0 $(cat $LOG.s) && printf C >>$LOG";
	bench.subjects[0].prepare =
	    "[ ! -e $LOG.p ] || ! kill -0 $(cat $LOG.p) || exit 1; sleep 60 & echo $! >$LOG.p";
	bench.subjects[0].conclude = "kill -0 $(cat $LOG.p)";
	if (!bench_run(&bench, -1))
		fail_msg("%s", bench.err.sentence);
	assert_string_equal(read_file(bench.arena, log), "rrrC");
	assert_int_equal(system("kill -0 $(cat $LOG.s) 2>/dev/null"), 256);
	assert_int_equal(system("kill -0 $(cat $LOG.p) 2>/dev/null"), 256);
	assert_int_equal(system("rm $LOG $LOG.s $LOG.p"), 0);
	bench_release(&bench);
}

static void a_failing_hook_is_named(void **state)
{
	static const char *const names[] = { "setup", "prepare", "conclude", "cleanup" };
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		const char *failing = "echo out; echo no good >&2; exit 5";
		struct bench bench;

		bench_init(&bench, 2, ":", 3);
		if (i == 0)
			bench.recording.plan.setup = failing;
		if (i == 1)
			bench.subjects[1].prepare = failing;
		if (i == 2)
			bench.subjects[1].conclude = failing;
		if (i == 3)
			bench.recording.plan.cleanup = failing;
		assert_false(bench_run(&bench, -1));
		assert_non_null(strstr(bench.err.sentence, names[i]));
		assert_non_null(strstr(bench.err.sentence, "exit status 5"));
		assert_non_null(strstr(bench.err.sentence, "no good"));
		assert_int_equal(bench.recording.rounds_done, i == 3 ? 3 : 0);
		assert_int_equal(bench.recording.end, i == 3 ? END_COMPLETE : END_FAILED);
		bench_release(&bench);
	}
}

static void bad_plans_cost_nothing(void **state)
{
	struct bench bench;
	struct plan *plan = &bench.recording.plan;

	(void)state;
	bench_init(&bench, 2, ":", 3);
	plan->setup = "exit 9"; /* not reached */
	bench.subjects[1].argv[0] = arena_strdup(bench.arena, "/no/such/program");
	assert_false(bench_run(&bench, -1));
	assert_non_null(strstr(bench.err.sentence, "/no/such/program"));
	bench.subjects[1].argv[0] = bench.subjects[0].argv[0];
	plan->input_path = "/no/such/input";
	assert_false(bench_run(&bench, -1));
	assert_non_null(strstr(bench.err.sentence, "/no/such/input"));
	plan->input_path = "/tmp";
	assert_false(bench_run(&bench, -1));
	assert_non_null(strstr(bench.err.sentence, "is a directory"));
	plan->input_path = NULL;
	plan->output = OUTPUT_FILE;
	plan->output_path = "/no/such/directory/file";
	assert_false(bench_run(&bench, -1));
	assert_non_null(strstr(bench.err.sentence, "/no/such/directory"));
	plan->output = OUTPUT_INHERIT;
	plan->same_output = true;
	assert_false(bench_run(&bench, -1));
	assert_non_null(strstr(bench.err.sentence, "--same-output"));
	assert_int_equal(bench.recording.sample_count, 0);
	bench_release(&bench);
}

static void input_and_output_are_as_planned(void **state)
{
	struct bench bench;
	struct plan *plan = &bench.recording.plan;
	char *log;

	(void)state;
	bench_init(&bench, 2, "read line; echo got $line; wc -c", 2);
	log = make_log(bench.arena);
	assert_int_equal(system("printf 'first\\nrest\\n' >$LOG.in"), 0);
	plan->input_path = arena_printf(bench.arena, "%s.in", log);
	plan->output = OUTPUT_FILE;
	plan->output_path = log;
	plan->same_output = true;
	assert_true(bench_run(&bench, -1));
	assert_string_equal(read_file(bench.arena, log), "got first\n5\n");
	assert_true(bench.recording.samples[0].output_hash != 0);
	assert_true(bench.recording.samples[3].output_hash ==
		    bench.recording.samples[0].output_hash);
	assert_int_equal(system("rm $LOG $LOG.in"), 0);
	bench_release(&bench);

	bench_init(&bench, 2, "echo $LABEL; readlink /proc/self/fd/0 >&2; exit 1", 1);
	bench.recording.plan.same_output = true;
	assert_false(bench_run(&bench, -1));
	assert_non_null(strstr(bench.err.sentence, "/dev/null"));
	bench_release(&bench);

	bench_init(&bench, 2, "echo $LABEL", 3);
	bench.recording.plan.same_output = true;
	assert_true(bench_run(&bench, -1));
	assert_true(bench.recording.samples[0].flags & SAMPLE_OUTPUT_DIFFERS ||
		    bench.recording.samples[1].flags & SAMPLE_OUTPUT_DIFFERS);
	bench_release(&bench);
}

static void strays_are_told_and_gone(void **state)
{
	struct bench bench;
	size_t i, flagged = 0;

	(void)state;
	bench_init(&bench, 2, "[ $LABEL = a ] || { setsid sleep 60 & sleep 0.05; }", 3);
	assert_true(bench_run(&bench, -1));
	for (i = 0; i < bench.recording.sample_count; i++)
		flagged += !!(bench.recording.samples[i].flags & SAMPLE_STRAYS);
	assert_int_equal(flagged, 3);
	assert_non_null(strstr(bench.recording.remarks[bench.recording.remark_count - 1],
			       "leaves processes behind when it ends (sleep)"));
	bench_release(&bench);
}

static void an_error_of_saving_ends_it(void **state)
{
	struct bench bench;

	(void)state;
	bench_init(&bench, 2, ":", 10);
	bench.fail_save_after = 4;
	assert_false(bench_run(&bench, -1));
	assert_string_equal(bench.err.sentence, "the disk is full");
	assert_int_equal(bench.recording.rounds_done, 4);
	assert_int_equal(bench.recording.sample_count, 8);
	bench_release(&bench);
}

/* The first part is stopped by its budget or a failure, the second goes on to the end: together
 * they are one schedule. */
static void a_resumed_session_continues_the_schedule(void **state)
{
	struct bench bench;
	struct slot slots[3];
	char *log;
	size_t round, i;

	(void)state;
	bench_init(&bench, 3, "printf x >>$LOG; [ $(wc -c <$LOG) -ne 14 ]", 9);
	log = make_log(bench.arena);
	bench.recording.plan.warmup_rounds = 1;
	assert_false(bench_run(&bench, -1));
	assert_int_equal(bench.recording.rounds_done, 3);
	assert_int_equal(bench.recording.sample_count, 14);
	assert_true(bench_run(&bench, -1));
	assert_int_equal(bench.recording.end, END_COMPLETE);
	assert_int_equal(bench.recording.rounds_done, 9);
	assert_int_equal(bench.recording.sample_count, 3 * (1 + 1 + 9));
	for (round = 0; round < 9; round++) {
		schedule_round(&bench.recording.plan, round, false, slots);
		for (i = 0; i < 3; i++) {
			/* The second warm-up lies between rounds 3 and 4. */
			size_t at = 3 * (round + 1 + (round >= 3)) + i;

			assert_int_equal(bench.recording.samples[at].subject, slots[i].subject);
			assert_int_equal(bench.recording.samples[at].round, round);
		}
	}
	for (i = 1; i < bench.recording.sample_count; i++)
		assert_true(bench.recording.samples[i].started_ns >
			    bench.recording.samples[i - 1].started_ns);
	/* Extended, with nothing to do at first, then with two more rounds. */
	assert_true(bench_run(&bench, -1));
	assert_int_equal(bench.recording.rounds_done, 9);
	bench.recording.plan.extended_rounds = 11;
	assert_true(bench_run(&bench, -1));
	assert_int_equal(bench.recording.rounds_done, 11);
	assert_int_equal(bench.recording.end, END_COMPLETE);
	unlink(log);
	bench_release(&bench);
}

/* The interrupt comes while a run lasts, at many moments: what is kept are whole rounds. */
static void an_interrupt_leaves_whole_rounds(void **state)
{
	int moment;

	(void)state;
	for (moment = 0; moment < 12; moment++) {
		struct bench bench;
		pid_t pid;
		int pair[2];
		size_t i;
		char *log;

		bench_init(&bench, 2, "sleep 0.01 & setsid sleep 0.012; wait", 1000);
		log = make_log(bench.arena);
		bench.recording.plan.cleanup = "printf C >>$LOG";
		bench.recording.plan.warmup_rounds = 1;
		bench.subjects[1].prepare = "sleep 0.003";
		assert_int_equal(pipe(pair), 0);
		pid = fork();
		if (pid == 0) {
			usleep((useconds_t)(moment * 17301));
			_exit(write(pair[1], "x", 1) != 1);
		}
		assert_true(bench_run(&bench, pair[0]));
		assert_int_equal(bench.recording.end, END_INTERRUPTED);
		assert_string_equal(read_file(bench.arena, log), "C");
		assert_int_equal(bench.recording.sample_count % 2, 0);
		assert_int_equal(bench.recording.sample_count / 2,
				 bench.warmups_saved + bench.rounds_saved);
		assert_int_equal(bench.rounds_saved, bench.recording.rounds_done);
		for (i = 0; i < bench.recording.sample_count; i++)
			assert_int_equal(bench.recording.samples[i].flags & SAMPLE_FAILED, 0);
		close(pair[0]);
		close(pair[1]);
		unlink(log);
		bench_release(&bench);
	}
}

/* Killed at any moment, worth leaves nobody behind. */
static void a_killed_session_leaves_no_process(void **state)
{
	char marker[16], command[100];
	int moment, i;

	(void)state;
	snprintf(marker, sizeof marker, "%d", (int)getpid());
	setenv("M", marker, 1);
	snprintf(command, sizeof command, "pgrep -f '^sleep 88[.]%s$' >/dev/null", marker);
	for (moment = 0; moment < 10; moment++) {
		pid_t pid = fork();

		if (pid == 0) {
			struct bench bench;

			bench_init(&bench, 2,
				   "trap '' TERM; sleep 88.$M & setsid sleep 88.$M & sleep 0.01",
				   999);
			bench.recording.plan.setup = "sleep 88.$M &";
			bench.subjects[1].prepare = "setsid sleep 88.$M &";
			bench_run(&bench, -1);
			_exit(0);
		}
		usleep((useconds_t)(20000 + moment * 13337));
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		for (i = 0; i < 250 && system(command) == 0; i++)
			usleep(20000);
		assert_int_equal(system(command), 256);
	}
}

/* Hundreds of megabytes on both streams: read, hashed, and not kept. */
static void gigabytes_are_no_trouble(void **state)
{
	struct bench bench;

	(void)state;
	bench_init(&bench, 2, "head -c 300000000 /dev/zero; head -c 100000000 /dev/zero >&2", 1);
	bench.recording.plan.output = OUTPUT_PIPE;
	bench.recording.plan.same_output = true;
	assert_true(bench_run(&bench, -1));
	assert_true(bench.recording.samples[0].output_hash ==
		    bench.recording.samples[1].output_hash);
	bench_release(&bench);
	bench_init(&bench, 1, "head -c 3000000000 /dev/zero", 1);
	assert_true(bench_run(&bench, -1));
	bench_release(&bench);
}

static void a_replay_gives_the_same_recording(void **state)
{
	struct bench bench;
	struct recording copy = { 0 };
	struct runner runner;
	size_t i, j;

	(void)state;
	bench_init(&bench, 2, "echo \"t 1 s\nt 3 s\" >&$WORTH_FD", 6);
	bench.recording.plan.warmup_rounds = 1;
	bench.stop_after = 4;
	assert_true(bench_run(&bench, -1));
	copy.plan = bench.recording.plan;
	runner = runner_replay(&bench.recording);
	assert_true(session_run(bench.arena, &copy, &runner, &bench.events, -1, &bench.err));
	assert_int_equal(copy.end, END_DECIDED);
	assert_int_equal(copy.sample_count, bench.recording.sample_count);
	assert_int_equal(copy.metric_count, bench.recording.metric_count);
	for (i = 0; i < copy.sample_count; i++) {
		const struct sample *was = &bench.recording.samples[i];
		const struct sample *is = &copy.samples[i];

		assert_int_equal(is->subject, was->subject);
		assert_int_equal(is->started_ns, was->started_ns);
		assert_int_equal(is->batch_count, 2);
		for (j = 0; j < copy.metric_count; j++)
			assert_true(is->values[j] == was->values[j] ||
				    (isnan(is->values[j]) && isnan(was->values[j])));
	}
	/* More rounds than there are. */
	copy = (struct recording){ .plan = bench.recording.plan };
	bench.stop_after = 0;
	runner = runner_replay(&bench.recording);
	assert_false(session_run(bench.arena, &copy, &runner, &bench.events, -1, &bench.err));
	assert_non_null(strstr(bench.err.sentence, "has no run of subject"));
	bench.recording.end = END_INTERRUPTED;
	copy = (struct recording){ .plan = bench.recording.plan };
	runner = runner_replay(&bench.recording);
	assert_true(session_run(bench.arena, &copy, &runner, &bench.events, -1, &bench.err));
	assert_int_equal(copy.end, END_INTERRUPTED);
	assert_int_equal(copy.rounds_done, 4);
	bench_release(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_come_in_the_order_of_the_schedule),
		cmocka_unit_test(samples_hold_what_was_measured),
		cmocka_unit_test(a_look_stops_it),
		cmocka_unit_test(the_budget_truncates_and_is_warned_of),
		cmocka_unit_test(one_round_is_run_in_any_case),
		cmocka_unit_test(a_failure_ends_it_and_says_where),
		cmocka_unit_test(failures_may_be_ignored),
		cmocka_unit_test(a_timeout_is_a_failure),
		cmocka_unit_test(hooks_stand_around_everything),
		cmocka_unit_test(what_hooks_start_lives_until_they_are_undone),
		cmocka_unit_test(a_failing_hook_is_named),
		cmocka_unit_test(bad_plans_cost_nothing),
		cmocka_unit_test(input_and_output_are_as_planned),
		cmocka_unit_test(strays_are_told_and_gone),
		cmocka_unit_test(an_error_of_saving_ends_it),
		cmocka_unit_test(a_resumed_session_continues_the_schedule),
		cmocka_unit_test(an_interrupt_leaves_whole_rounds),
		cmocka_unit_test(a_killed_session_leaves_no_process),
		cmocka_unit_test(gigabytes_are_no_trouble),
		cmocka_unit_test(a_replay_gives_the_same_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
