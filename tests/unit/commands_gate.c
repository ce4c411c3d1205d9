/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exit status of findings, for scripts and for git bisect run. */
#include "commands/commands.h"
#include "commands/gate.h"
#include "unit.h"

static int status(enum verdict verdict, bool not_worse, enum requirement requirement, bool bisect)
{
	struct comparison comparison = {
		.primary = true, .candidate = 1, .verdict = verdict, .not_worse = not_worse
	};
	struct findings findings = { .comparisons = &comparison,
				     .comparison_count = 1,
				     .verdict = verdict };

	return gate_status(&findings, requirement, bisect);
}

static void undecided_is_no_failure_but_no_proof(void **state)
{
	(void)state;
	assert_int_equal(status(VERDICT_UNDECIDED, false, REQUIRE_NOTHING, false), EXIT_NOT_WORSE);
	assert_int_equal(status(VERDICT_UNDECIDED, false, REQUIRE_BETTER, false), EXIT_UNDECIDED);
	assert_int_equal(status(VERDICT_WORSE, false, REQUIRE_NOTHING, false), EXIT_WORSE);
	assert_int_equal(status(VERDICT_INVALID, false, REQUIRE_NOTHING, false), EXIT_TROUBLE);
}

static void bisect_takes_not_worse_for_good(void **state)
{
	(void)state;
	assert_int_equal(status(VERDICT_UNDECIDED, true, REQUIRE_NOTHING, true), EXIT_NOT_WORSE);
	assert_int_equal(status(VERDICT_UNDECIDED, false, REQUIRE_NOTHING, true), EXIT_UNTESTABLE);
	assert_int_equal(status(VERDICT_EQUIVALENT, false, REQUIRE_NOTHING, true), EXIT_NOT_WORSE);
	assert_int_equal(status(VERDICT_WORSE, false, REQUIRE_NOTHING, true), EXIT_WORSE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(undecided_is_no_failure_but_no_proof),
		cmocka_unit_test(bisect_takes_not_worse_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
