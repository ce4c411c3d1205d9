/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers over blocks against R's t.test, and what is left undecided. */
#include <math.h>

#include "commands/joined.h"
#include "judge_bench.h"

enum { ROUNDS = 12, MOST = 8 };

/* Blocks of a pair each, whose log ratio is the same in every round. */
static struct bench blocks(const double *log_ratios, size_t count, enum better better)
{
	static const char *const names[MOST] = { "1", "2", "3", "4", "5", "6", "7", "8" };
	struct bench bench = bench_open(2 * count);
	size_t wall = bench_metric(&bench, "wall", "s", better, 0), round, i;
	struct plan *plan = &bench.recording.plan;

	plan->rounds = bench.recording.rounds_done = ROUNDS;
	plan->peek = false;
	plan->block = "layout";
	for (i = 0; i < 2 * count; i++) {
		plan->subjects[i].levels =
		    arena_alloc(bench.arena, 1, sizeof *plan->subjects[i].levels);
		plan->subjects[i].levels[0] = (struct level){ "layout", names[i / 2] };
		plan->subjects[i].level_count = 1;
		plan->subjects[i].baseline = i / 2 * 2;
	}
	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < 2 * count; i++)
			bench_add(&bench, (uint32_t)round, (uint32_t)i)->values[wall] =
			    i % 2 == 0 ? 2 : 2 * exp(log_ratios[i / 2]);
	judge_recording(bench.arena, &bench.recording, &bench.findings);
	return bench;
}

/* t.test(c(-0.12, -0.15, -0.09, -0.14, -0.11)), R 4.2.2. */
static void the_interval_is_r_s(void **state)
{
	static const double ratios[] = { -0.12, -0.15, -0.09, -0.14, -0.11 };
	struct bench bench = blocks(ratios, 5, BETTER_LOWER);
	const struct comparison *found = &bench.findings.blocked[0].comparison;

	(void)state;
	assert_int_equal(bench.findings.blocked_count, 1);
	assert_int_equal(found->pairs, 5);
	assert_near(log1p(found->change), -0.122, 1e-11);
	assert_near(log1p(found->change_low), -0.151644321651, 1e-11);
	assert_near(log1p(found->change_high), -0.0923556783493, 1e-11);
	assert_int_equal(found->verdict, VERDICT_BETTER);
	assert_int_equal(bench.findings.verdict, VERDICT_BETTER);
	assert_null(bench_warning(&bench, WARNING_ONE_BUILD));
	bench_close(&bench);
}

/* Each layout by itself is sure, and they contradict each other. */
static void layouts_that_disagree_decide_nothing(void **state)
{
	static const double ratios[] = { -0.12, 0.10, -0.03, 0.07, -0.05 };
	struct bench bench = blocks(ratios, 5, BETTER_LOWER);

	(void)state;
	assert_int_equal(bench.findings.verdict, VERDICT_UNDECIDED);
	assert_int_equal(bench.findings.comparisons[0].verdict, VERDICT_BETTER);
	bench_close(&bench);
}

static void two_blocks_are_too_few(void **state)
{
	static const double ratios[] = { -0.12, -0.12 };
	struct bench bench = blocks(ratios, 2, BETTER_LOWER);

	(void)state;
	assert_int_equal(bench.findings.verdict, VERDICT_UNDECIDED);
	assert_true(isinf(bench.findings.blocked[0].comparison.change_low));
	bench_close(&bench);
}

static void the_same_is_equivalent_and_sides_mirror(void **state)
{
	static const double none[] = { 0, 0, 0, 0 };
	static const double there[] = { -0.12, -0.15, -0.09 }, back[] = { 0.12, 0.15, 0.09 };
	struct bench same = blocks(none, 4, BETTER_LOWER);
	struct bench one = blocks(there, 3, BETTER_LOWER), other = blocks(back, 3, BETTER_LOWER);
	struct bench higher = blocks(back, 3, BETTER_HIGHER);
	const struct comparison *a = &one.findings.blocked[0].comparison;
	const struct comparison *b = &other.findings.blocked[0].comparison;

	(void)state;
	assert_int_equal(same.findings.verdict, VERDICT_EQUIVALENT);
	assert_near(log1p(a->change_low), -log1p(b->change_high), 1e-12);
	assert_int_equal(a->verdict, VERDICT_BETTER);
	assert_int_equal(b->verdict, VERDICT_WORSE);
	assert_int_equal(higher.findings.verdict, VERDICT_BETTER);
	assert_near(higher.findings.blocked[0].comparison.change_low, b->change_low, 1e-12);
	bench_close(&same);
	bench_close(&one);
	bench_close(&other);
	bench_close(&higher);
}

static struct bench session(const char *id, double log_ratio)
{
	struct bench bench = blocks(&log_ratio, 1, BETTER_LOWER);

	bench.recording.id = id;
	bench.recording.plan.block = NULL;
	bench.recording.plan.subjects[0].level_count = 0;
	bench.recording.plan.subjects[1].level_count = 0;
	return bench;
}

static void sessions_are_joined_as_blocks(void **state)
{
	struct bench made[] = { session("k1", -0.12), session("k2", -0.15), session("k3", -0.09) };
	struct recording sessions[3], joined;
	struct findings findings;
	struct error err = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++)
		sessions[i] = made[i].recording;
	assert_true(joined_make(made[0].arena, sessions, 3, "session", &joined, &err));
	assert_int_equal(joined.plan.subject_count, 6);
	assert_string_equal(joined.plan.subjects[3].label, "candidate session=k2");
	judge_recording(made[0].arena, &joined, &findings);
	assert_int_equal(findings.blocked_count, 1);
	assert_near(log1p(findings.blocked[0].comparison.change), -0.12, 1e-12);
	sessions[2].id = "k1";
	assert_false(joined_make(made[0].arena, sessions, 3, "session", &joined, &err));
	assert_contains(err.sentence, "given twice");
	sessions[2].id = "k3";
	sessions[2].plan.primary = "cpu";
	assert_false(joined_make(made[0].arena, sessions, 3, "session", &joined, &err));
	assert_contains(err.sentence, "did not compare the same");
	for (i = 0; i < 3; i++)
		bench_close(&made[i]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_interval_is_r_s),
		cmocka_unit_test(layouts_that_disagree_decide_nothing),
		cmocka_unit_test(two_blocks_are_too_few),
		cmocka_unit_test(the_same_is_equivalent_and_sides_mirror),
		cmocka_unit_test(sessions_are_joined_as_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
