/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sweeps multiply out in order, replace what they should, and refuse what cannot be meant. */
#include <string.h>

#include "commands/sweep.h"
#include "unit.h"

struct fixture {
	struct arena *arena;
	struct sweeps sweeps;
	struct error err;
};

static bool parse(struct fixture *fixture, const char *list, const char *name, const char *range)
{
	const char **words = arena_alloc(fixture->arena, 3, sizeof *words);
	struct option_texts lists = { words, list != NULL, 1 };
	struct option_texts scans = { words + 1, name != NULL ? 2 : 0, 2 };

	words[0] = list;
	words[1] = name;
	words[2] = range;
	fixture->err = (struct error){ 0 };
	return sweeps_parse(fixture->arena, &lists, &scans, &fixture->sweeps, &fixture->err);
}

static int open_fixture(void **state)
{
	static struct fixture fixture;

	fixture.arena = arena_open();
	*state = &fixture;
	return 0;
}

static int close_fixture(void **state)
{
	arena_close(((struct fixture *)*state)->arena);
	return 0;
}

static void the_first_factor_varies_slowest(void **state)
{
	struct fixture *fixture = *state;
	static const char *const expected[] = { "a1", "a2", "a3", "b1", "b2", "b3" };
	size_t cells, i;
	char *replaced;

	assert_true(parse(fixture, "x=a,b", "n", "1..3"));
	assert_true(sweeps_cells(&fixture->sweeps, 6, &cells, &fixture->err));
	assert_int_equal(cells, 6);
	for (i = 0; i < cells; i++) {
		struct level *levels = sweeps_levels(fixture->arena, &fixture->sweeps, i);

		assert_true(sweeps_replace(fixture->arena, &fixture->sweeps, levels, "{x}{n}",
					   false, &replaced, &fixture->err));
		assert_string_equal(replaced, expected[i]);
	}
	assert_true(sweeps_all_used(&fixture->sweeps, &fixture->err));
	assert_false(sweeps_cells(&fixture->sweeps, 5, &cells, &fixture->err));
	assert_non_null(strstr(fixture->err.sentence, "more than 5"));
}

static void a_value_is_never_read_again(void **state)
{
	struct fixture *fixture = *state;
	struct level *levels;
	char *replaced;

	assert_true(parse(fixture, "x={x} $(y)'", NULL, NULL));
	levels = sweeps_levels(fixture->arena, &fixture->sweeps, 0);
	assert_true(sweeps_replace(fixture->arena, &fixture->sweeps, levels, "-{x}-", false,
				   &replaced, &fixture->err));
	assert_string_equal(replaced, "-{x} $(y)'-");
	assert_true(sweeps_replace(fixture->arena, &fixture->sweeps, levels, "echo {x}", true,
				   &replaced, &fixture->err));
	assert_string_not_equal(replaced, "echo {x} $(y)'");
	assert_non_null(strchr(replaced, '\''));
}

static void braces_stay_braces(void **state)
{
	struct fixture *fixture = *state;
	struct level *levels;
	char *replaced;

	assert_true(parse(fixture, NULL, NULL, NULL));
	assert_true(sweeps_replace(fixture->arena, &fixture->sweeps, NULL, "awk '{print}' {x} {{",
				   false, &replaced, &fixture->err));
	assert_string_equal(replaced, "awk '{print}' {x} {{");
	assert_true(parse(fixture, "x=1", NULL, NULL));
	levels = sweeps_levels(fixture->arena, &fixture->sweeps, 0);
	assert_true(sweeps_replace(fixture->arena, &fixture->sweeps, levels, "{{x}} { {} {x} {1}",
				   false, &replaced, &fixture->err));
	assert_string_equal(replaced, "{x} { {} 1 {1}");
	assert_false(sweeps_replace(fixture->arena, &fixture->sweeps, levels, "{y}", false,
				    &replaced, &fixture->err));
	assert_non_null(strstr(fixture->err.sentence, "{y}"));
}

static void what_cannot_be_meant_is_refused(void **state)
{
	static const struct {
		const char *list, *name, *range;
	} bad[] = {
		{ "x", NULL, NULL },
		{ "=a", NULL, NULL },
		{ "1x=a", NULL, NULL },
		{ "x=", NULL, NULL },
		{ "x=a,,b", NULL, NULL },
		{ "x=a,", NULL, NULL },
		{ "x=a", "x", "1..2" },
		{ NULL, "n", "1" },
		{ NULL, "n", "2..1" },
		{ NULL, "n", "1..2..0" },
		{ NULL, "n", "1..2..-1" },
		{ NULL, "n", "1..2..3..4" },
		{ NULL, "n", "a..b" },
		{ NULL, "n", "1..2x" },
		{ NULL, "n", " 1..2" },
		{ NULL, "n", "1..1001" },
		{ NULL, "n", "1...3" },
		{ NULL, "", "1..2" },
		{ NULL, "n", "-9223372036854775808..9223372036854775807" },
		{ NULL, "n", "1..99999999999999999999" },
	};
	struct fixture *fixture = *state;
	size_t i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_false(parse(fixture, bad[i].list, bad[i].name, bad[i].range));
		assert_int_equal(fixture->err.kind, ERROR_USAGE);
		assert_true(fixture->err.sentence[0] != '\0');
	}
	assert_true(parse(fixture, NULL, "n", "-2..2..2"));
	assert_int_equal(fixture->sweeps.items[0].count, 3);
	assert_false(sweeps_all_used(&fixture->sweeps, &fixture->err));
}

static void a_forgotten_parameter_is_noticed(void **state)
{
	static const char *const forgotten[] = { "./qs {n}", "./qs -j{n}", "a '{x}' {y}",
						 "\\'{n}" };
	static const char *const meant[] = { "awk '{print}' f",	  "a \"{n}\"",
					     "find . -exec a {}", "git diff @{upstream}",
					     "echo ${HOME}",	  "a {1}",
					     "a \\{n}",		  "a '\\' '{n}'" };
	struct fixture *fixture = *state;
	size_t i;

	for (i = 0; i < sizeof forgotten / sizeof *forgotten; i++)
		assert_true(sweeps_forgotten(forgotten[i], &fixture->err));
	for (i = 0; i < sizeof meant / sizeof *meant; i++)
		assert_false(sweeps_forgotten(meant[i], &fixture->err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_factor_varies_slowest),
		cmocka_unit_test(a_value_is_never_read_again),
		cmocka_unit_test(braces_stay_braces),
		cmocka_unit_test(what_cannot_be_meant_is_refused),
		cmocka_unit_test(a_forgotten_parameter_is_noticed),
	};

	return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
