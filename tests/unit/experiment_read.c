/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Experiment files: what is read, and the sentence for what is wrong, with its line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "experiment/experiment.h"
#include "unit.h"

static bool read_text(struct arena *arena, const char *text, struct experiment *experiment,
		      struct error *err)
{
	char path[] = "/tmp/worth-experiment-XXXXXX";
	int fd = mkstemp(path);
	bool good;

	assert_true(fd >= 0);
	close(fd);
	assert_true(file_write(path, text, strlen(text), NULL));
	*err = (struct error){ 0 };
	good = experiment_read(arena, path, false, experiment, err);
	/* The name of the file in messages, as the tests expect it. */
	if (strncmp(err->sentence, path, strlen(path)) == 0)
		memmove(err->sentence, err->sentence + strlen(path),
			strlen(err->sentence + strlen(path)) + 1);
	unlink(path);
	return good;
}

static void a_whole_file_is_read(void **state)
{
	struct arena *arena = arena_open();
	struct experiment experiment;
	struct error err;

	(void)state;
	assert_true(read_text(arena,
			      "\xEF\xBB\xBF# comment\n[experiment]\ntitle = a; b\n[measure]\n"
			      "rounds = 5\nmargin = 2%\nmargin = max-rss=5%\n[variant base]\n"
			      "program = ./old\nbuild = make\n  CFLAGS=-O2; true\nrevision = v1\n"
			      "environment = A=1\nenvironment = B=2\n[variant new]\n"
			      "program = ./new\n[factor size]\nlevels = 1 2,4\nordered = yes\n"
			      "[factor mode]\nlevels = x y\n[workload]\n"
			      "command = {program} {size} {mode}\r\n",
			      &experiment, &err));
	assert_string_equal(experiment.title, "a; b");
	assert_int_equal(experiment.setting_count, 3);
	assert_string_equal(experiment.settings[2].value, "max-rss=5%");
	assert_int_equal(experiment.settings[2].line, 7);
	assert_int_equal(experiment.variant_count, 2);
	assert_string_equal(experiment.variants[0].build, "make CFLAGS=-O2; true");
	assert_int_equal(experiment.variants[0].environment.count, 2);
	assert_int_equal(experiment.factors[0].levels.count, 3);
	assert_true(experiment.factors[0].ordered);
	assert_false(experiment.factors[1].ordered);
	assert_string_equal(experiment.workloads[0].name, "");
	assert_string_equal(experiment.workloads[0].command, "{program} {size} {mode}");
	assert_int_equal(experiment.cell_count, 6);
	assert_string_equal(experiment.cells[1].levels[0], "1");
	assert_string_equal(experiment.cells[1].levels[1], "y");
	assert_string_equal(experiment.cells[5].levels[0], "4");
	arena_close(arena);
}

static void listed_cells_replace_the_factorial(void **state)
{
	struct arena *arena = arena_open();
	struct experiment experiment;
	struct error err;

	(void)state;
	assert_true(
	    read_text(arena,
		      "[variant a]\ncommand = x {p} {q}\n[factor p]\nlevels = 1 2\n"
		      "[factor q]\nlevels = 3 4\n[cells]\ncell = q=4 p=1\ncell = p=2, q=3\n",
		      &experiment, &err));
	assert_int_equal(experiment.cell_count, 2);
	assert_string_equal(experiment.cells[0].levels[0], "1");
	assert_string_equal(experiment.cells[0].levels[1], "4");
	arena_close(arena);
}

static void the_example_is_good(void **state)
{
	struct arena *arena = arena_open();
	struct experiment experiment;
	struct error err;

	(void)state;
	assert_true(read_text(arena, experiment_example, &experiment, &err));
	assert_int_equal(experiment.variant_count, 2);
	assert_int_equal(experiment.workload_count, 2);
	assert_int_equal(experiment.cell_count, 3);
	arena_close(arena);
}

static void every_mistake_has_its_sentence(void **state)
{
	static const char *const given[][2] = {
		{ "", ":1: there is no [variant NAME]" },
		{ "x = 1\n", ":1: 'x' stands before the first section" },
		{ "[varient a]\n", ":1: there is no section [varient a]; did you mean 'variant'?" },
		{ "[variant a]\nprogrem = x\n", ":2: 'progrem' is no key of [variant a]; did you "
						"mean 'program'?" },
		{ "[variant a]\ncommand = x\n[variant a]\n",
		  ":3: variant 'a' is there already, in line 1" },
		{ "[variant ../a]\n", ":1: '../a' cannot name a variant" },
		{ "[variant a;rm]\n", ":1: 'a;rm' cannot name a variant" },
		{ "[variant]\n", ":1: '' cannot name a variant" },
		{ "[variant a]\n", ":1: variant 'a' has no command" },
		{ "[variant a]\ncommand = x\ncommand = y\n", ":3: command is given twice" },
		{ "[variant a]\ncommand = x\n  program = y\n",
		  ":3: a line that begins with a blank goes on with 'command'" },
		{ "[variant a]\ncommand =\n", ":2: command is empty" },
		{ "[variant a]\ncommand = x\nbuild = make\n",
		  ":1: variant 'a' has a build but no" },
		{ "[variant a]\ncommand = x\n[factor f]\n", ":3: factor 'f' has no levels" },
		{ "[variant a]\ncommand = x\n[factor f]\nlevels = 1\n",
		  ":3: factor 'f' has one level" },
		{ "[variant a]\ncommand = x\n[factor f]\nlevels = 1 2 1\n",
		  ":3: factor 'f' has the level '1' twice" },
		{ "[variant a]\ncommand = x\n[factor tree]\n", ":3: a factor cannot be called" },
		{ "[variant a]\ncommand = x\n[factor f]\nlevels = 1 2\nordered = maybe\n",
		  ":5: ordered is yes or no, not 'maybe'" },
		{ "[variant a]\nprogram = x\n[workload w]\n", ":3: workload 'w' has no command" },
		{ "[variant a]\ncommand = x\n[workload w]\ncommand = y\n",
		  ":1: variant 'a' has a command, but the workloads" },
		{ "[variant a]\ncommand = x\n[factor f]\nlevels = 1 2\n[cells]\ncell = f=3\n",
		  ":6: factor 'f' has no such level: f=3" },
		{ "[variant a]\ncommand = x\n[factor f]\nlevels = 1 2\n[cells]\ncell = g=1\n",
		  ":6: a cell is a list of FACTOR=LEVEL, not 'g=1'" },
		{ "[variant a]\ncommand = x\n[factor f]\nlevels = 1 2\n[cells]\ncell = ,\n",
		  ":6: the cell does not say 'f'" },
		{ "[variant a]\ncommand = x\n[cells]\ncells = 1\n", ":4: [cells] has lines" },
		{ "[variant a]\ncommand x\n", ":2: this is neither" },
	};
	struct arena *arena = arena_open();
	struct experiment experiment;
	struct error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof given / sizeof *given; i++) {
		assert_false(read_text(arena, given[i][0], &experiment, &err));
		if (strncmp(err.sentence, given[i][1], strlen(given[i][1])) != 0)
			fail_msg("expected '%s', got '%s'", given[i][1], err.sentence);
	}
	arena_close(arena);
}

/* 5 factors of 4 levels: over what is run without being asked for, and over what is run at all. */
static void cells_that_explode_are_refused(void **state)
{
	const char *text = "[variant a]\ncommand = x\n";
	struct arena *arena = arena_open();
	struct experiment experiment;
	struct error err;
	int i;

	(void)state;
	for (i = 0; i < 4; i++)
		text = arena_printf(arena, "%s[factor f%d]\nlevels = 1 2 3 4\n", text, i);
	assert_false(read_text(arena, text, &experiment, &err));
	assert_non_null(strstr(err.sentence, "256 runs a round"));
	assert_non_null(strstr(err.sentence, "--yes"));
	for (i = 4; i < 40; i++)
		text = arena_printf(arena, "%s[factor f%d]\nlevels = 1 2 3 4\n", text, i);
	assert_false(read_text(arena, text, &experiment, &err));
	assert_non_null(strstr(err.sentence, "[cells]"));
	arena_close(arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_file_is_read),
		cmocka_unit_test(listed_cells_replace_the_factorial),
		cmocka_unit_test(the_example_is_good),
		cmocka_unit_test(every_mistake_has_its_sentence),
		cmocka_unit_test(cells_that_explode_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
