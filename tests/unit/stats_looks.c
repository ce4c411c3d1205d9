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

/* Every look but a last one that is kept can decide, they ascend, and none is too near the end. */
static void check_plan(size_t asked, double confidence, double share)
{
	struct looks looks = looks_plan(asked, 4 * asked, confidence, share, true);
	double sum = 0;
	size_t i;

	assert_true(looks.peek && looks.count >= 3 && looks.count <= LOOKS_MAXIMUM);
	for (i = 0; i < looks.count; i++) {
		const struct stats_look *look = &looks.items[i];

		assert_true(i == 0 || look->n > looks.items[i - 1].n);
		if (look->n < asked) {
			assert_true((double)(asked - look->n) >= 0.15 * (double)asked);
			assert_true(ldexp(1, 1 - (int)look->n) < look->alpha);
		}
		assert_true(look->alpha > 0 && look->alpha < (1 - confidence) / share);
		sum += look->alpha;
	}
	assert_int_equal(looks.items[looks.count - 3].n, asked);
	assert_int_equal(looks.items[looks.count - 2].n, 2 * asked);
	assert_int_equal(looks.items[looks.count - 1].n, 4 * asked);
	/* The levels of correlated looks add up to more than what is spent over all of them. */
	assert_true(sum > 0.8 * (1 - confidence) / share);
}

static void plans_are_sound_for_every_size(void **state)
{
	size_t asked;

	(void)state;
	for (asked = 1; asked < 130; asked++) {
		check_plan(asked, 0.95, 1);
		check_plan(asked, 0.95, 3);
		check_plan(asked, 0.999, 1);
		check_plan(asked, 0.5, 1);
	}
	check_plan(1000, 0.95, 1);
	check_plan(100000, 0.99, 4);
}

/* Five pairs cannot decide at 95 %, so that their alpha is left for the extension. */
static void a_plan_too_short_still_ends_in_a_look(void **state)
{
	struct looks looks = looks_plan(5, 10, 0.95, 1, true);

	(void)state;
	assert_int_equal(looks.count, 2);
	assert_int_equal(looks.items[0].n, 5);
	assert_true(fabs(looks.items[0].alpha - 0.04) < 1e-12);
	assert_int_equal(looks.items[1].n, 10);
	assert_true(fabs(looks.items[1].alpha - 0.045) < 1e-12); /* as if it were the first */
}

static void without_peeking_there_is_one_look(void **state)
{
	struct looks looks = looks_plan(80, 640, 0.95, 2, false);

	(void)state;
	assert_int_equal(looks.count, 1);
	assert_false(looks.peek);
	assert_int_equal(looks.items[0].n, 80);
	assert_true(fabs(looks.items[0].alpha - 0.025) < 1e-15);
	assert_true(fabs(looks.items[0].z - 2.241402727604947) < 1e-12);
	looks = looks_truncate(&looks, 31, 0.95, 2);
	assert_int_equal(looks.count, 1);
	assert_int_equal(looks.items[0].n, 31);
	assert_true(fabs(looks.items[0].alpha - 0.025) < 1e-15);
	looks = looks_extend(&looks, 640, 0.95, 2);
	assert_int_equal(looks.count, 1);
}

/* Cutting spends what is left, at once: the later, the less was saved. */
static void a_cut_keeps_what_was_looked_at(void **state)
{
	struct looks planned = looks_plan(80, 80, 0.95, 1, true), cut;
	size_t n, i;

	(void)state;
	for (n = 1; n < 80; n++) {
		cut = looks_truncate(&planned, n, 0.95, 1);
		assert_int_equal(cut.items[cut.count - 1].n, n);
		for (i = 0; i + 1 < cut.count; i++)
			assert_memory_equal(&cut.items[i], &planned.items[i], sizeof cut.items[i]);
		assert_true(cut.count == planned.count || planned.items[cut.count - 1].n >= n);
		assert_true(cut.items[cut.count - 1].alpha > planned.items[6].alpha);
		assert_true(cut.items[cut.count - 1].alpha <= 0.04 + 1e-12);
	}
}

/* What a plan looks like when extended is what extending it gives. */
static void extending_continues_a_plan(void **state)
{
	struct looks whole = looks_plan(80, 320, 0.95, 1, true);
	struct looks first = looks_plan(80, 80, 0.95, 1, true);
	size_t i;

	(void)state;
	first = looks_extend(&first, 320, 0.95, 1);
	assert_int_equal(first.count, whole.count);
	for (i = 0; i < whole.count; i++) {
		assert_int_equal(first.items[i].n, whole.items[i].n);
		assert_true(fabs(first.items[i].z - whole.items[i].z) < 1e-9);
	}
}

/* A cut extension spends by the same rule as a whole one. */
static void an_extension_may_be_cut(void **state)
{
	struct looks first = looks_plan(80, 80, 0.95, 1, true);
	struct looks whole = looks_extend(&first, 160, 0.95, 1);
	struct looks cut = looks_extend_at(&first, 80, 160, 0.95, 1);

	(void)state;
	assert_int_equal(cut.count, whole.count);
	assert_true(cut.items[7].z == whole.items[7].z);
	cut = looks_extend_at(&first, 80, 100, 0.95, 1);
	assert_int_equal(cut.items[7].n, 100);
	assert_true(cut.items[7].alpha <
		    whole.items[7].alpha); /* the less was run, the less is spent */
}

/* A look that the clock forces one pair after a planned one leaves a step far narrower than the
 * grid of the others; the chances must still add up. */
static void looks_close_together_are_resolved(void **state)
{
	struct looks planned = looks_plan(200000, 200000, 0.95, 1, true), cut, later;
	size_t before = planned.items[planned.count - 2].n;

	(void)state;
	cut = looks_truncate(&planned, before + 1, 0.95, 1);
	later = looks_truncate(&planned, before + 64, 0.95, 1);
	assert_int_equal(cut.count, planned.count);
	/* All that is left is spent on those just inside the last boundary. */
	assert_true(cut.items[cut.count - 1].z < cut.items[cut.count - 2].z - 0.1);
	assert_true(cut.items[cut.count - 1].z > 2.0537); /* 0.04 at a single look */
	assert_true(fabs(cut.items[cut.count - 1].z - later.items[later.count - 1].z) < 2e-4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boundaries_are_those_of_the_method),
		cmocka_unit_test(extension_looks_follow),
		cmocka_unit_test(plans_are_sound_for_every_size),
		cmocka_unit_test(a_plan_too_short_still_ends_in_a_look),
		cmocka_unit_test(without_peeking_there_is_one_look),
		cmocka_unit_test(a_cut_keeps_what_was_looked_at),
		cmocka_unit_test(extending_continues_a_plan),
		cmocka_unit_test(an_extension_may_be_cut),
		cmocka_unit_test(looks_close_together_are_resolved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
