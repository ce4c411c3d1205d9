/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The planned looks: boundaries known to five digits, levels that add up, cuts and extensions. */
#include <math.h>

#include "stats/looks.h"
#include "unit.h"

static const double digits = 0.6e-5; /* the table has five decimals, the last rounded */

static void check_looks(const struct looks *looks, const struct stats_look *wanted, size_t count,
			double tolerance)
{
	size_t i;

	assert_int_equal(looks->count, count);
	for (i = 0; i < count; i++) {
		assert_int_equal(looks->items[i].n, wanted[i].n);
		assert_true(fabs(looks->items[i].z - wanted[i].z) < tolerance);
		assert_true(fabs(looks->items[i].alpha - erfc(looks->items[i].z / sqrt(2.0))) <
			    1e-12);
	}
}

static void boundaries_are_those_of_the_method(void **state)
{
	static const struct stats_look of_20[] = { { .n = 10, .z = 2.32635 },
						   { .n = 14, .z = 2.41690 },
						   { .n = 20, .z = 2.30520 } };
	static const struct stats_look of_40[] = { { .n = 10, .z = 2.57583 },
						   { .n = 14, .z = 2.67933 },
						   { .n = 20, .z = 2.57896 },
						   { .n = 28, .z = 2.46769 },
						   { .n = 40, .z = 2.32396 } };
	static const struct stats_look of_80[] = {
		{ .n = 10, .z = 2.80703 }, { .n = 14, .z = 2.92001 }, { .n = 20, .z = 2.82787 },
		{ .n = 28, .z = 2.72669 }, { .n = 40, .z = 2.59556 }, { .n = 57, .z = 2.46298 },
		{ .n = 80, .z = 2.33273 },
	};
	struct looks looks;

	(void)state;
	looks = looks_plan(20, 20, 0.95, 1, true);
	check_looks(&looks, of_20, 3, digits);
	looks = looks_plan(40, 40, 0.95, 1, true);
	check_looks(&looks, of_40, 5, digits);
	looks = looks_plan(80, 80, 0.95, 1, true);
	check_looks(&looks, of_80, 7, digits);
}

static void extension_looks_follow(void **state)
{
	static const struct stats_look behind_80[] = { { .n = 160, .z = 2.6276 },
						       { .n = 320, .z = 2.8674 },
						       { .n = 640, .z = 3.0951 } };
	struct looks looks;
	size_t i;

	(void)state;
	looks = looks_plan(80, 640, 0.95, 1, true);
	assert_int_equal(looks.count, 10);
	for (i = 0; i < 3; i++) {
		assert_int_equal(looks.items[7 + i].n, behind_80[i].n);
		assert_true(fabs(looks.items[7 + i].z - behind_80[i].z) < 0.6e-4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boundaries_are_those_of_the_method),
		cmocka_unit_test(extension_looks_follow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
