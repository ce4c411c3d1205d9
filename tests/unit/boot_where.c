/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts by address and symbols, put together from what a guest and the plugin write. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "boot/where.h"

static const char results[] = "hello 0.1.0\n"
			      "fact kernel 6.1.0\n"
			      "begin stat\n"
			      "value stat stat 3200 ns lower\n"
			      "value stat stat 6400 ns lower\n"
			      "value stat stat 4800 ns lower\n"
			      "end stat 0 320000 320000 0 -\n"
			      "begin own\n"
			      "end own 0 32000 32000 0 -\n"
			      "symbol ffffffff81000100 helper\n"
			      "symbol ffffffff81000000 stat_call\n"
			      "symbol ffffffff81000000 __stat_call\n"
			      "symbol ffffffff81000200 helper\n"
			      "symbol ffffffff81000240 last\n"
			      "done\n";
/* The first work has batches, the second none: that one is told whole. */
static const char counts[] = "job 0\n"
			     "0 3000 1000\n"
			     "ffffffff81000010 2000 1000\n"
			     "ffffffff81000110 1500 1000\n"
			     "ffffffff81000230 1500 1000\n"
			     "ffffffff80000000 900 0\n"
			     "job 1\n"
			     "ffffffff81000240 700 0\n"
			     "ffffffff80000000 100 0\n"
			     "0 200 0\n"
			     "end\n";

struct made {
	struct arena *arena;
	struct boot_work works[2];
	struct boot_settings settings;
	struct where_profile profile;
	struct error err;
};

static bool read_as(struct made *made, const char *guest, const char *counted)
{
	*made = (struct made){ .arena = arena_open(),
			       .works = { { .name = "stat" }, { .name = "own" } } };
	made->settings = (struct boot_settings){ .works = made->works, .work_count = 2 };
	return where_read(made->arena, guest, strlen(guest), counted, strlen(counted),
			  &made->settings, &made->profile, &made->err);
}

static const struct where_function *find(const struct where_function *functions, size_t count,
					 const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(functions[i].name, name) == 0)
			return &functions[i];
	return NULL;
}

static void batches_are_counted(void **state)
{
	struct made made;
	const struct where_work *work;

	(void)state;
	assert_true(read_as(&made, results, counts));
	work = &made.profile.works[0];
	assert_int_equal(work->total, 4000);
	assert_int_equal(work->programs, 1000);
	assert_int_equal(work->unknown, 0);
	/* Two functions of one name are one row, the most executed first. */
	assert_int_equal(work->function_count, 2);
	assert_string_equal(work->functions[0].name, "helper");
	assert_int_equal(work->functions[0].executed, 2000);
	assert_int_equal(work->functions[1].executed, 1000);
	/* The reports, 32 ns an instruction. */
	assert_int_equal(work->figure_count, 3);
	assert_true(fabs(work->figures[1] - 200) < 1e-9);
	arena_close(made.arena);
}

static void without_batches_the_whole_is(void **state)
{
	struct made made;
	const struct where_work *work;

	(void)state;
	assert_true(read_as(&made, results, counts));
	work = &made.profile.works[1];
	assert_int_equal(work->total, 1000);
	assert_int_equal(work->unknown, 100);
	assert_int_equal(work->programs, 200);
	assert_string_equal(work->functions[0].name, "last");
	assert_int_equal(work->figure_count, 0);
	arena_close(made.arena);
}

static void sizes_reach_to_the_next_symbol(void **state)
{
	struct made made;

	(void)state;
	assert_true(read_as(&made, results, counts));
	assert_int_equal(made.profile.symbol_count, 3);
	assert_int_equal(made.profile.symbol_bytes, 0x240);
	assert_int_equal(find(made.profile.symbols, 3, "helper")->bytes, 0x100 + 0x40);
	assert_int_equal(find(made.profile.symbols, 3, "__stat_call")->bytes, 0x100);
	assert_int_equal(find(made.profile.symbols, 3, "last")->bytes, 0);
	arena_close(made.arena);
}

static void what_is_not_whole_is_refused(void **state)
{
	static const char no_symbols[] = "hello 0.1.0\nbegin stat\nend stat 0 1 1 0 -\ndone\n";
	static const char cut[] = "job 0\nffffffff81000010 1 1\n";
	static const char too_many[] = "job 0\n0 99999999 0\njob 1\n0 1 0\nend\n";
	struct made made;

	(void)state;
	assert_false(read_as(&made, no_symbols, counts));
	assert_non_null(strstr(made.err.sentence, "tells no symbols"));
	arena_close(made.arena);
	assert_false(read_as(&made, results, cut));
	assert_non_null(strstr(made.err.sentence, "has not counted to the end"));
	arena_close(made.arena);
	assert_false(read_as(&made, results, ""));
	arena_close(made.arena);
	assert_false(read_as(&made, results, too_many));
	assert_non_null(strstr(made.err.sentence, "99999999 instructions were counted in stat"));
	arena_close(made.arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches_are_counted),
		cmocka_unit_test(without_batches_the_whole_is),
		cmocka_unit_test(sizes_reach_to_the_next_symbol),
		cmocka_unit_test(what_is_not_whole_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
