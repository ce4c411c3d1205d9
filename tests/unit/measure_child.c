/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children: what they find, what they leave, how they end, and that they never hang worth. */
#include <errno.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "measure/child.h"
#include "measure/spawn_process.h"
#include "unit.h"

#define MS_NS INT64_C(1000000)

/* One shell command through a fresh spawner. */
struct run {
	struct spawner *spawner;
	struct child_request request;
	struct child_outcome outcome;
	struct error err;
	char *argv[4];
	struct text output, report;
};

static void add_text(void *context, const char *bytes, size_t length)
{
	text_add_bytes(context, bytes, length);
}

static void run_init(struct run *run, const char *script)
{
	static char shell[] = "sh", option[] = "-c";

	memset(run, 0, sizeof *run);
	run->spawner = spawner_start(&run->err);
	if (run->spawner == NULL)
		fail_msg("%s", run->err.sentence);
	run->argv[0] = shell;
	run->argv[1] = option;
	run->argv[2] = strdup(script);
	run->request = child_request(run->argv);
	run->request.output.take = add_text;
	run->request.output.context = &run->output;
	run->request.report.take = add_text;
	run->request.report.context = &run->report;
}

static bool run_again(struct run *run)
{
	text_clear(&run->output);
	text_clear(&run->report);
	return child_run(run->spawner, &run->request, -1, &run->outcome, &run->err);
}

static void run_release(struct run *run)
{
	spawner_stop(run->spawner);
	text_release(&run->output);
	text_release(&run->report);
	free(run->argv[2]);
}

static void script_is(struct run *run, const char *script)
{
	free(run->argv[2]);
	run->argv[2] = strdup(script);
}

static void an_outcome_has_status_time_and_usage(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, "sleep 0.05; echo out; echo 'ops 7 1' >&$WORTH_FD; echo err >&2; exit 3");
	assert_true(run_again(&run));
	assert_int_equal(WEXITSTATUS(run.outcome.wait_status), 3);
	assert_true(run.outcome.wall_ns >= 50 * MS_NS);
	assert_true(run.outcome.usage.ru_maxrss > 100);
	assert_int_equal(run.outcome.exec_error, 0);
	assert_string_equal(text_string(&run.output), "out\n");
	assert_string_equal(text_string(&run.report), "ops 7 1\n");
	run_release(&run);
}

/* Sleepers of this test alone: the fraction of their seconds is its pid, in the variable M. */
static size_t count_processes(const char *marker)
{
	char command[160];
	size_t count = 0;
	FILE *list;

	snprintf(command, sizeof command, "pgrep -c -f '^sleep %s[.]%s$'", marker, getenv("M"));
	list = popen(command, "r");
	assert_non_null(list);
	assert_int_equal(fscanf(list, "%zu", &count), 1);
	pclose(list);
	return count;
}

/* What has been started or killed needs a processor to show it; a busy machine gives it late. */
static void expect_processes(const char *marker, size_t count)
{
	int i;

	for (i = 0; i < 500 && count_processes(marker) != count; i++)
		usleep(20000);
	assert_int_equal(count_processes(marker), count);
}

static void surroundings_are_plain(void **state)
{
	static const char *const words[] = { "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status",
					     NULL };
	struct run run;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	run_init(&run, "cat; kill -USR1 $$");
	assert_true(run_again(&run));
	assert_string_equal(text_string(&run.output), "");
	assert_int_equal(WTERMSIG(run.outcome.wait_status), SIGUSR1);
	run.request.argv = (char *const *)words; /* a shell would clear its mask itself */
	assert_true(run_again(&run));
	assert_string_equal(text_string(&run.output),
			    "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
	run_release(&run);
}

static void a_group_of_its_own(void **state)
{
	struct run run;
	int pid, group;

	(void)state;
	run_init(&run, "ps -o pid=,pgid= -p $$");
	assert_true(run_again(&run));
	assert_int_equal(sscanf(text_string(&run.output), "%d %d", &pid, &group), 2);
	assert_int_equal(pid, group);
	run_release(&run);
}

static void the_environment_is_extended_and_padded(void **state)
{
	static const char *const added[] = { "HOME=/nowhere", "NEW=1", NULL };
	struct run run;

	(void)state;
	setenv("WORTH_PAD", "stale", 1);
	run_init(&run, "echo $HOME $NEW ${#WORTH_PAD} $(env | grep -c ^HOME=)");
	run.request.environment = added;
	run.request.padding_bytes = 1234;
	assert_true(run_again(&run));
	assert_string_equal(text_string(&run.output), "/nowhere 1 1234 1\n");
	run.request.padding_bytes = 0;
	assert_true(run_again(&run));
	assert_string_equal(text_string(&run.output), "/nowhere 1 0 1\n");
	unsetenv("WORTH_PAD");
	run_release(&run);
}

static void a_program_that_cannot_run_says_why(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, "");
	run.request.program = "/dev/null";
	assert_true(run_again(&run));
	assert_int_equal(run.outcome.exec_error, EACCES);
	run.request.program = NULL;
	run.argv[0] = strdup("no-such-program-anywhere");
	assert_false(run_again(&run));
	assert_non_null(strstr(run.err.sentence, "no-such-program-anywhere"));
	free(run.argv[0]);
	run.argv[0] = strdup("sh");
	run.request.directory = "/no/such/directory";
	run.request.program = "/bin/sh";
	assert_false(run_again(&run));
	assert_non_null(strstr(run.err.sentence, "/no/such/directory"));
	run.request.directory = NULL;
	run.request.cpu = 1023;
	assert_false(run_again(&run));
	assert_non_null(strstr(run.err.sentence, "processor 1023"));
	free(run.argv[0]);
	run_release(&run);
}

static void arguments_may_be_long_but_not_endless(void **state)
{
	static char *words[100000];
	static char word[100];
	struct run run;
	size_t i;

	(void)state;
	memset(word, 'w', sizeof word - 1);
	for (i = 1; i < 15000; i++)
		words[i] = word;
	run_init(&run, "");
	words[0] = strdup("/bin/echo");
	run.request.argv = (char *const *)words;
	assert_true(run_again(&run));
	assert_int_equal(run.outcome.wait_status, 0);
	assert_int_equal(run.output.length, (size_t)14999 * 100);
	for (; i < 99999; i++)
		words[i] = word;
	assert_false(run_again(&run));
	assert_non_null(strstr(run.err.sentence, "longer than"));
	free(words[0]);
	run_release(&run);
}

static void much_output_never_blocks(void **state)
{
	struct run run;
	const char *tail;
	size_t length;

	(void)state;
	run_init(&run, "head -c 300000 /dev/zero | tr '\\0' e >&2; echo END >&2;"
		       "head -c 20000000 /dev/zero");
	assert_true(run_again(&run));
	assert_int_equal(run.outcome.wait_status, 0);
	assert_int_equal(run.output.length, 20000000);
	tail = child_stderr_tail(run.spawner, CHILD_MEASURED, &length);
	assert_int_equal(length, CHILD_TAIL_BYTES);
	assert_memory_equal(tail + length - 5, "eEND\n", 5);
	script_is(&run, ":");
	assert_true(run_again(&run));
	child_stderr_tail(run.spawner, CHILD_MEASURED, &length);
	assert_int_equal(length, 0);
	run_release(&run);
}

static void waiting_needs_no_end_of_a_pipe(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, "sleep 7711.$M & sleep 0.1; exit 0");
	assert_true(run_again(&run));
	assert_true(run.outcome.wall_ns < 5000 * MS_NS);
	assert_int_equal(run.outcome.stray_count, 1);
	assert_memory_equal(run.outcome.stray_names[0], "sleep (pid ", 11);
	assert_int_equal(count_processes("7711"), 0);
	script_is(&run, "setsid sleep 7712.$M & sleep 0.1; (setsid sleep 7712.$M &) ; sleep 0.1");
	assert_true(run_again(&run));
	assert_int_equal(run.outcome.stray_count, 2);
	assert_int_equal(count_processes("7712"), 0);
	run_release(&run);
}

static void strays_may_be_kept(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, "sleep 7713.$M & exit 0");
	run.request.keep_strays = true;
	assert_true(run_again(&run));
	assert_int_equal(run.outcome.stray_count, 1);
	expect_processes("7713", 1);
	script_is(&run, "exit 0");
	assert_true(run_again(&run));
	assert_int_equal(run.outcome.stray_count, 0);
	expect_processes("7713", 1);
	run.request.keep_strays = false;
	assert_true(run_again(&run));
	assert_int_equal(run.outcome.stray_count, 1);
	assert_int_equal(count_processes("7713"), 0);
	run_release(&run);
}

static void hooks_keep_theirs_until_told(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, "sleep 7721.$M & exit 0");
	run.request.kind = CHILD_RUN_HOOK;
	assert_true(run_again(&run));
	script_is(&run, "sleep 7722.$M & exit 0");
	run.request.kind = CHILD_SESSION_HOOK;
	assert_true(run_again(&run));
	script_is(&run, "exit 0");
	run.request.kind = CHILD_MEASURED;
	assert_true(run_again(&run));
	assert_int_equal(run.outcome.stray_count, 0);
	expect_processes("7721", 1);
	assert_true(child_end_hooks(run.spawner, CHILD_RUN_HOOK, &run.err));
	assert_int_equal(count_processes("7721"), 0);
	expect_processes("7722", 1);
	run_release(&run);
	assert_int_equal(count_processes("7722"), 0);
}

static void a_timeout_ends_the_whole_tree(void **state)
{
	struct run run;
	int tries;

	(void)state;
	run_init(&run, "sleep 7731.$M & setsid sleep 7731.$M & wait");
	run.request.timeout_ns = 300 * MS_NS;
	assert_true(run_again(&run));
	assert_true(run.outcome.timed_out);
	assert_true(run.outcome.wall_ns >= 300 * MS_NS && run.outcome.wall_ns < 3000 * MS_NS);
	assert_int_equal(count_processes("7731"), 0);
	script_is(&run, "trap '' TERM; while :; do sleep 7732.$M; done");
	assert_true(run_again(&run));
	assert_true(run.outcome.timed_out);
	assert_int_equal(WTERMSIG(run.outcome.wait_status), SIGKILL);
	assert_int_equal(count_processes("7732"), 0);
	run.request.timeout_ns = 1000 * MS_NS;
	script_is(&run, "(trap 'echo asked; exit' TERM; sleep 5 & wait) & wait");
	/* The whole group is; who gets no processor for 200 ms has no time to say so. */
	for (tries = 0; tries < 20; tries++) {
		assert_true(run_again(&run));
		if (strcmp(text_string(&run.output), "asked\n") == 0)
			break;
	}
	assert_string_equal(text_string(&run.output), "asked\n");
	/* Who stops itself is ended at once, with a child of its own. */
	run.request.timeout_ns = 0;
	script_is(&run, "sleep 7733.$M & kill -STOP $$");
	assert_true(run_again(&run));
	assert_false(run.outcome.timed_out);
	assert_int_equal(WTERMSIG(run.outcome.wait_status), SIGSTOP);
	assert_int_equal(count_processes("7733"), 0);
	script_is(&run, "exit 0");
	assert_true(run_again(&run));
	assert_false(run.outcome.timed_out);
	run_release(&run);
}

static void an_interrupt_ends_the_run(void **state)
{
	union sigval late;
	struct run run;
	int pair[2];

	(void)state;
	assert_int_equal(pipe(pair), 0);
	run_init(&run, "sleep 7741.$M & sleep 7741.$M");
	assert_int_equal(write(pair[1], "x", 1), 1);
	assert_false(child_run(run.spawner, &run.request, pair[0], &run.outcome, &run.err));
	assert_int_equal(run.err.kind, ERROR_INTERRUPTED);
	assert_int_equal(count_processes("7741"), 0);
	/* One that comes too late is not for the next run. */
	late.sival_int = (int)run.spawner->processes[CHILD_MEASURED].number;
	sigqueue(run.spawner->processes[CHILD_MEASURED].pid, SPAWN_SIGNAL_INTERRUPT, late);
	script_is(&run, "sleep 0.1; exit 7");
	assert_true(run_again(&run));
	assert_int_equal(WEXITSTATUS(run.outcome.wait_status), 7);
	close(pair[0]);
	close(pair[1]);
	run_release(&run);
}

/* Each process starts two more in sessions of their own, down to a depth: 511 in all, which live
 * on. */
static const char bomb[] = "b='if [ $1 -gt 0 ]; then setsid sh -c \"$0\" \"$0\" $(($1-1)) &"
			   "setsid sh -c \"$0\" \"$0\" $(($1-1)) & fi; exec sleep 7751.$M'; sh -c "
			   "\"$b\" \"$b\" 8 & sleep 0.4";

static void a_fork_bomb_is_ended(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, bomb);
	assert_true(run_again(&run));
	assert_true(run.outcome.stray_count > 0);
	expect_processes("7751", 0);
	run_release(&run);
}

/* Everything a child could do to its descriptors leaves the next child untouched. */
static void descriptors_are_no_common_good(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, "exec 0<&- 1>&- 2>&-; sleep 0.01");
	assert_true(run_again(&run));
	assert_int_equal(run.outcome.wait_status, 0);
	script_is(&run, "python3 -c 'import os; [os.set_blocking(f, False) for f in (1, 2, 8)]'");
	assert_true(run_again(&run));
	assert_int_equal(run.outcome.wait_status, 0);
	script_is(&run, "python3 -c 'import os; print([os.get_blocking(f) for f in (1, 2, 8)])'");
	assert_true(run_again(&run));
	assert_string_equal(text_string(&run.output), "[True, True, True]\n");
	run_release(&run);
}

static void peak_memory_is_the_childs(void **state)
{
	struct run run;
	size_t held_bytes = (size_t)400 << 20;
	long small_kib, large_kib;
	char *held;

	(void)state;
	run_init(&run, "");
	run.argv[0] = strdup("/bin/true");
	run.argv[1] = NULL;
	assert_true(run_again(&run));
	small_kib = run.outcome.usage.ru_maxrss;
	spawner_stop(run.spawner);
	held = malloc(held_bytes);
	assert_non_null(held);
	memset(held, 1, held_bytes);
	run.spawner = spawner_start(&run.err); /* as late as can be */
	assert_non_null(run.spawner);
	assert_true(run_again(&run));
	large_kib = run.outcome.usage.ru_maxrss;
	assert_true(held[held_bytes / 2] == 1);
	free(held);
	print_message("# true: %ld KiB, beside 400 MiB: %ld KiB\n", small_kib, large_kib);
	assert_true(small_kib < 3000);
	assert_true(labs(large_kib - small_kib) < 300);
	free(run.argv[0]);
	run_release(&run);
}

static void a_killed_helper_is_an_error(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, "kill -9 $PPID; sleep 7761.$M");
	assert_false(run_again(&run));
	assert_int_equal(run.err.kind, ERROR_SYSTEM);
	expect_processes("7761", 0);
	run_release(&run);
}

/* A process with a terminal runs a child, and the user presses Ctrl-C: the child has no terminal to
 * open, to be stopped by, or to be interrupted from. */
static void the_terminal_is_out_of_reach(void **state)
{
	int master, status;
	pid_t pid = forkpty(&master, NULL, NULL, NULL);

	(void)state;
	assert_true(pid >= 0);
	if (pid == 0) {
		struct run run;

		signal(SIGINT, SIG_IGN);
		run_init(&run, "if (: </dev/tty) 2>/dev/null; then exit 7; fi;"
			       "read line; sleep 0.4; exit 5");
		_exit(run_again(&run) ? WEXITSTATUS(run.outcome.wait_status) : 1);
	}
	usleep(200000);
	assert_int_equal(write(master, "\003", 1), 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 5);
	close(master);
}

/* Orphans of a hook's process are reaped although nobody asks for anything. */
static void the_dead_are_buried(void **state)
{
	char command[160];
	struct run run;
	int i;

	(void)state;
	run_init(&run, "(while :; do (sleep 0.01 &) ; sleep 0.02; done) & exec sleep 0.1");
	run.request.kind = CHILD_SESSION_HOOK;
	assert_true(run_again(&run));
	usleep(500000);
	snprintf(
	    command, sizeof command,
	    "test $(ps -e -o stat=,ppid= | grep -c \"^Z.* $(pgrep -P %d -n worth-spawn)$\") -lt 5",
	    (int)getpid());
	for (i = 0; i < 500 && system(command) != 0; i++)
		usleep(20000);
	assert_int_equal(system(command), 0);
	run_release(&run);
}

/* A process of its own runs a child and is killed; the child must go with it. */
static void nothing_survives_the_death_of_worth(void **state)
{
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		struct run run;

		run_init(&run, "trap '' TERM HUP INT; setsid sleep 7771.$M & sleep 7771.$M");
		run_again(&run);
		_exit(0);
	}
	expect_processes("7771", 2);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	expect_processes("7771", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_outcome_has_status_time_and_usage),
		cmocka_unit_test(surroundings_are_plain),
		cmocka_unit_test(a_group_of_its_own),
		cmocka_unit_test(the_environment_is_extended_and_padded),
		cmocka_unit_test(a_program_that_cannot_run_says_why),
		cmocka_unit_test(arguments_may_be_long_but_not_endless),
		cmocka_unit_test(much_output_never_blocks),
		cmocka_unit_test(waiting_needs_no_end_of_a_pipe),
		cmocka_unit_test(strays_may_be_kept),
		cmocka_unit_test(hooks_keep_theirs_until_told),
		cmocka_unit_test(a_timeout_ends_the_whole_tree),
		cmocka_unit_test(an_interrupt_ends_the_run),
		cmocka_unit_test(a_fork_bomb_is_ended),
		cmocka_unit_test(descriptors_are_no_common_good),
		cmocka_unit_test(peak_memory_is_the_childs),
		cmocka_unit_test(a_killed_helper_is_an_error),
		cmocka_unit_test(the_terminal_is_out_of_reach),
		cmocka_unit_test(the_dead_are_buried),
		cmocka_unit_test(nothing_survives_the_death_of_worth),
	};

	char marker[16];

	snprintf(marker, sizeof marker, "%d", (int)getpid());
	setenv("M", marker, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
