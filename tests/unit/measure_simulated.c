/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summaries of cachegrind, and valgrind itself on programs whose counts are known to agree or not.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "measure/simulated.h"
#include "tree.h"
#include "unit.h"

static void a_summary_is_read_by_its_events_names(void **state)
{
	struct simulated_counts counts = { { 1, 1, 1, 1, 1 } };

	(void)state;
	assert_true(simulated_parse("desc: I1 cache: 32768 B\ncmd: ./prog summary: 9\n"
				    "events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw \n"
				    "fl=a.c\nfn=main\n1 100 1 1 1 1 1 1 1 1\n"
				    "summary: 1000 20 3 400 50 6 700 80 9\n",
				    &counts));
	assert_true(counts.values[0] == 1001);
	assert_true(counts.values[1] == 21);
	assert_true(counts.values[2] == 1 + 50 + 80);
	assert_true(counts.values[3] == 1 + 3 + 6 + 9);
	assert_true(counts.values[4] == 1 + 3);
}

static void a_file_without_summary_is_none(void **state)
{
	struct simulated_counts counts = { { 0 } };

	(void)state;
	assert_false(simulated_parse("events: Ir\nfn=main\n1 100\n", &counts));
	assert_false(simulated_parse("summary: 5\n", &counts));
	assert_false(simulated_parse("", &counts));
	assert_true(counts.values[0] == 0);
}

/* A spawner, a plan of commands, and what came of them. */
struct setting {
	struct arena *arena;
	struct spawner *spawner;
	struct recording recording;
	struct subject subjects[2];
	struct error err;
};

static void setting_open(struct setting *setting)
{
	memset(setting, 0, sizeof *setting);
	setting->arena = arena_open();
	setting->spawner = spawner_start(&setting->err);
	if (setting->spawner == NULL)
		fail_msg("%s", setting->err.sentence);
	setting->recording.plan =
	    (struct plan){ .subjects = setting->subjects, .subject_count = 2, .cpu = -1 };
}

static void setting_close(struct setting *setting)
{
	spawner_stop(setting->spawner);
	arena_close(setting->arena);
}

static void subject_set(struct setting *setting, size_t index, const char *label,
			const char *command)
{
	char **argv;
	size_t argc;

	assert_true(words_split(setting->arena, command, &argv, &argc, NULL));
	setting->subjects[index] =
	    (struct subject){ .label = label, .command = command, .argv = argv, .argc = argc };
}

static void measure(struct setting *setting)
{
	if (!simulated_measure(setting->arena, &setting->recording, setting->spawner, -1,
			       &setting->err))
		fail_msg("%s", setting->err.sentence);
}

static double value(const struct setting *setting, size_t sample, const char *name)
{
	int metric = recording_metric(&setting->recording, name);

	assert_true(metric != METRIC_NONE);
	return setting->recording.samples[sample].values[metric];
}

static bool has_valgrind(void)
{
	return system("valgrind --version >/dev/null 2>&1") == 0;
}

/* Builds program from a line of C with what there is; false: no compiler. */
static bool compile(const char *root, const char *name, const char *source)
{
	char path[128], command[512];

	snprintf(path, sizeof path, "/%s.c", name);
	tree_write(root, path, source);
	snprintf(command, sizeof command, "cc -O1 -o %s/%s %s/%s.c >/dev/null 2>&1", root, name,
		 root, name);
	return system(command) == 0;
}

static const char loop_source[] = "#include <stdlib.h>\n"
				  "int main(int c, char **v) { volatile int x = 0; (void)c;\n"
				  "for (int i = atoi(v[1]); i > 0; i--) x++; return 0; }\n";

/* Runs a number of instructions that depends on its process's number. */
static const char varying_source[] =
    "#include <unistd.h>\n"
    "int main(void) { volatile int x = 0;\n"
    "for (int i = getpid() % 100000; i > 0; i--) x++; return 0; }\n";

static void a_known_difference_is_counted_exactly(void **state)
{
	char root[64], program[96];
	struct setting s;
	double difference;

	(void)state;
	if (!has_valgrind())
		skip();
	tree_unpack(NULL, root);
	if (!compile(root, "loop", loop_source)) {
		tree_remove(root);
		skip();
	}
	snprintf(program, sizeof program, "%s/loop", root);
	setting_open(&s);
	subject_set(&s, 0, "less", arena_printf(s.arena, "%s 10000", program));
	subject_set(&s, 1, "more", arena_printf(s.arena, "%s 20000", program));
	measure(&s);
	assert_int_equal(s.recording.sample_count, 4);
	assert_int_equal(s.recording.samples[0].round, SIMULATED_ROUND);
	assert_int_equal(s.recording.samples[1].round, SIMULATED_ROUND + 1);
	assert_int_equal(s.recording.samples[2].subject, 1);
	assert_true(value(&s, 0, "sim instructions") == value(&s, 1, "sim instructions"));
	assert_true(value(&s, 2, "sim instructions") == value(&s, 3, "sim instructions"));
	difference = value(&s, 2, "sim instructions") - value(&s, 0, "sim instructions");
	/* 10000 more times round a loop of a few instructions, the same number each time */
	assert_true(difference >= 20000 && difference <= 100000);
	assert_true(value(&s, 0, "sim I1 misses") > 0 && value(&s, 0, "sim LL misses") > 0);
	setting_close(&s);
	tree_remove(root);
}

static void a_program_that_varies_does_not_agree(void **state)
{
	char root[64], program[96];
	struct setting s;

	(void)state;
	if (!has_valgrind())
		skip();
	tree_unpack(NULL, root);
	if (!compile(root, "varying", varying_source)) {
		tree_remove(root);
		skip();
	}
	snprintf(program, sizeof program, "%s/varying", root);
	setting_open(&s);
	s.recording.plan.subject_count = 1;
	subject_set(&s, 0, "varying", program);
	measure(&s);
	assert_int_equal(s.recording.sample_count, 2);
	assert_true(value(&s, 0, "sim instructions") != value(&s, 1, "sim instructions"));
	setting_close(&s);
	tree_remove(root);
}

/* A shell's children count: without them the two sides would be equal. */
static void children_are_counted(void **state)
{
	struct setting s;

	(void)state;
	if (!has_valgrind())
		skip();
	setting_open(&s);
	subject_set(&s, 0, "one", "sh -c '/bin/true; :'");
	subject_set(&s, 1, "two", "sh -c '/bin/true; /bin/true; :'");
	measure(&s);
	assert_int_equal(s.recording.sample_count, 4);
	assert_true(value(&s, 2, "sim instructions") > value(&s, 0, "sim instructions") + 50000);
	setting_close(&s);
}

static void a_failing_program_is_a_remark_and_the_other_side_stays(void **state)
{
	struct setting s;

	(void)state;
	if (!has_valgrind())
		skip();
	setting_open(&s);
	subject_set(&s, 0, "fails", "sh -c 'echo reason >&2; exit 3'");
	subject_set(&s, 1, "works", "/bin/true");
	measure(&s);
	assert_int_equal(s.recording.sample_count, 2);
	assert_int_equal(s.recording.samples[0].subject, 1);
	assert_int_equal(s.recording.remark_count, 1);
	assert_non_null(strstr(s.recording.remarks[0], "exit status 3"));
	assert_non_null(strstr(s.recording.remarks[0], "reason"));
	setting_close(&s);
}

static void a_failing_program_counts_where_failures_are_ignored(void **state)
{
	struct setting s;

	(void)state;
	if (!has_valgrind())
		skip();
	setting_open(&s);
	s.recording.plan.subject_count = 1;
	s.recording.plan.ignore_failure = true;
	subject_set(&s, 0, "fails", "/bin/false");
	measure(&s);
	assert_int_equal(s.recording.sample_count, 2);
	setting_close(&s);
}

/* Hooks surround each simulated run as they surround a timed one. */
static void hooks_surround_each_run(void **state)
{
	char root[64], path[80], line[16] = "";
	struct setting s;
	FILE *file;

	(void)state;
	if (!has_valgrind())
		skip();
	tree_unpack(NULL, root);
	setting_open(&s);
	s.recording.plan.subject_count = 1;
	subject_set(&s, 0, "needs its file", arena_printf(s.arena, "/bin/cat %s/made", root));
	s.subjects[0].prepare = arena_printf(s.arena, "echo x >%s/made", root);
	s.subjects[0].conclude =
	    arena_printf(s.arena, "rm %s/made; printf + >>%s/concluded", root, root);
	measure(&s);
	assert_int_equal(s.recording.sample_count, 2);
	snprintf(path, sizeof path, "%s/concluded", root);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof line, file));
	fclose(file);
	assert_string_equal(line, "++");
	setting_close(&s);
	tree_remove(root);
}

static void without_valgrind_there_is_a_remark_and_no_metric(void **state)
{
	const char *path = getenv("PATH");
	char *kept = path == NULL ? NULL : strdup(path);
	struct setting s;

	(void)state;
	setenv("PATH", "/nonexistent", 1);
	setting_open(&s);
	subject_set(&s, 0, "a", "/bin/true");
	subject_set(&s, 1, "b", "/bin/true");
	measure(&s);
	setting_close(&s);
	setenv("PATH", kept == NULL ? "/usr/bin:/bin" : kept, 1);
	free(kept);
	assert_int_equal(s.recording.metric_count, 0);
	assert_int_equal(s.recording.sample_count, 0);
	assert_int_equal(s.recording.remark_count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_summary_is_read_by_its_events_names),
		cmocka_unit_test(a_file_without_summary_is_none),
		cmocka_unit_test(a_known_difference_is_counted_exactly),
		cmocka_unit_test(a_program_that_varies_does_not_agree),
		cmocka_unit_test(children_are_counted),
		cmocka_unit_test(a_failing_program_is_a_remark_and_the_other_side_stays),
		cmocka_unit_test(a_failing_program_counts_where_failures_are_ignored),
		cmocka_unit_test(hooks_surround_each_run),
		cmocka_unit_test(without_valgrind_there_is_a_remark_and_no_metric),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
