/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Claims of a study: the rule, and what judging makes of recordings that do and do not bear it out.
 */
#include "judge/claims.h"

#include "judge_bench.h"

enum { ROUNDS = 20 };

static void the_interval_decides(void **state)
{
	(void)state;
	/* Lower by 2% at least. */
	assert_int_equal(claim_decide(CLAIM_LOWER, 0.02, -0.05, -0.03), CLAIM_REPRODUCED);
	assert_int_equal(claim_decide(CLAIM_LOWER, 0.02, -0.05, -0.02), CLAIM_REPRODUCED);
	assert_int_equal(claim_decide(CLAIM_LOWER, 0.02, -0.05, -0.01), CLAIM_UNDECIDED);
	assert_int_equal(claim_decide(CLAIM_LOWER, 0.02, -0.019, -0.01), CLAIM_REFUTED);
	assert_int_equal(claim_decide(CLAIM_LOWER, 0.02, 0.03, 0.05), CLAIM_REFUTED);
	assert_int_equal(claim_decide(CLAIM_HIGHER, 0.02, 0.03, 0.05), CLAIM_REPRODUCED);
	assert_int_equal(claim_decide(CLAIM_HIGHER, 0.02, 0.01, 0.05), CLAIM_UNDECIDED);
	assert_int_equal(claim_decide(CLAIM_HIGHER, 0.02, -0.05, 0.019), CLAIM_REFUTED);
	assert_int_equal(claim_decide(CLAIM_SAME, 0.02, -0.01, 0.01), CLAIM_REPRODUCED);
	assert_int_equal(claim_decide(CLAIM_SAME, 0.02, -0.01, 0.03), CLAIM_UNDECIDED);
	assert_int_equal(claim_decide(CLAIM_SAME, 0.02, 0.021, 0.03), CLAIM_REFUTED);
	assert_int_equal(claim_decide(CLAIM_SAME, 0.02, -0.03, -0.021), CLAIM_REFUTED);
}

/* "Lower" alone: equal is not lower. */
static void without_a_least_change_equal_is_no_change(void **state)
{
	(void)state;
	assert_int_equal(claim_decide(CLAIM_LOWER, 0, -0.05, -0.01), CLAIM_REPRODUCED);
	assert_int_equal(claim_decide(CLAIM_LOWER, 0, -0.05, 0), CLAIM_UNDECIDED);
	assert_int_equal(claim_decide(CLAIM_LOWER, 0, 0, 0), CLAIM_REFUTED);
	assert_int_equal(claim_decide(CLAIM_HIGHER, 0, 0, 0), CLAIM_REFUTED);
	assert_int_equal(claim_decide(CLAIM_SAME, 0, 0, 0), CLAIM_REPRODUCED);
}

static void what_is_not_bounded_is_undecided(void **state)
{
	(void)state;
	assert_int_equal(claim_decide(CLAIM_LOWER, 0.02, -INFINITY, -0.5), CLAIM_UNDECIDED);
	assert_int_equal(claim_decide(CLAIM_HIGHER, 0.02, 0.5, INFINITY), CLAIM_UNDECIDED);
	assert_int_equal(claim_decide(CLAIM_SAME, 0.02, NAN, NAN), CLAIM_UNDECIDED);
}

/* Whoever calls the other side the baseline gets the same answer to the same claim. */
static void swapped_sides_answer_alike(void **state)
{
	static const double least[] = { 0, 0.02, 0.5 };
	struct random random = { 11 };
	int i;

	(void)state;
	for (i = 0; i < 3000; i++) {
		double t = least[i % 3], back = t / (1 - t);
		double low = random_unit(&random) * 1.5 - 0.75;
		double high = low + random_unit(&random) * 0.2;
		double low_back = 1 / (1 + high) - 1, high_back = 1 / (1 + low) - 1;

		assert_int_equal(claim_decide(CLAIM_LOWER, t, low, high),
				 claim_decide(CLAIM_HIGHER, back, low_back, high_back));
		assert_int_equal(claim_decide(CLAIM_SAME, t, low, high),
				 claim_decide(CLAIM_SAME, t, low_back, high_back));
	}
}

static void one_refuted_claim_refutes_the_study(void **state)
{
	struct claim_finding findings[] = { { .answer = CLAIM_REPRODUCED },
					    { .answer = CLAIM_UNDECIDED },
					    { .answer = CLAIM_REFUTED } };

	(void)state;
	assert_int_equal(claims_answer(findings, 1), CLAIM_REPRODUCED);
	assert_int_equal(claims_answer(findings, 2), CLAIM_UNDECIDED);
	assert_int_equal(claims_answer(findings, 3), CLAIM_REFUTED);
	assert_int_equal(claims_answer(findings, 0), CLAIM_UNDECIDED);
}

/* Four subjects in two cells: 1, 0.9, 2 and 1.2 s, and a metric where higher is better. */
static struct bench design(struct claim *claims, size_t count)
{
	static const double typical[] = { 1, 0.9, 2, 1.2 };
	struct bench bench = bench_open(4);
	size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 0);
	size_t rate = bench_metric(&bench, "rate", "1/s", BETTER_HIGHER, 0), i, j;
	struct study *study = arena_alloc(bench.arena, 1, sizeof *study);
	struct random random = { 3 };

	bench.recording.plan.subjects[3].baseline = 2;
	bench.recording.plan.subjects[2].baseline = 2;
	for (i = 0; i < ROUNDS; i++)
		for (j = 0; j < 4; j++) {
			struct sample *sample = bench_add(&bench, (uint32_t)i, (uint32_t)j);

			sample->position = (uint32_t)j;
			sample->values[wall] =
			    typical[j] * exp(0.02 * (random_unit(&random) - 0.5));
			sample->values[rate] = 1 / sample->values[wall];
		}
	bench.recording.rounds_done = ROUNDS;
	bench_all_at_once(&bench);
	study->claims = claims;
	study->claim_count = count;
	bench.recording.plan.study = study;
	judge_recording(bench.arena, &bench.recording, &bench.findings);
	return bench;
}

static void claims_are_judged_on_any_two_subjects(void **state)
{
	struct claim claims[] = {
		{ .candidate = 1, .baseline = 0, .direction = CLAIM_LOWER, .least_ratio = 0.05 },
		{ .candidate = 1, .baseline = 0, .direction = CLAIM_LOWER, .least_ratio = 0.15 },
		{ .candidate = 1, .baseline = 0, .direction = CLAIM_LOWER, .least_ratio = 0.1 },
		/* The baseline of a cell, and one of another cell. */
		{ .candidate = 0, .baseline = 1, .direction = CLAIM_HIGHER, .least_ratio = 0.1 },
		{ .candidate = 2, .baseline = 1, .direction = CLAIM_HIGHER, .least_ratio = 1 },
		{ .candidate = 1,
		  .baseline = 0,
		  .metric = "rate",
		  .direction = CLAIM_HIGHER,
		  .least_ratio = 0.1 },
		{ .candidate = 1, .baseline = 0, .metric = "weight", .direction = CLAIM_LOWER },
	};
	static const enum claim_answer answers[] = { CLAIM_REPRODUCED, CLAIM_REFUTED,
						     CLAIM_UNDECIDED,  CLAIM_REPRODUCED,
						     CLAIM_REPRODUCED, CLAIM_REPRODUCED,
						     CLAIM_UNDECIDED };
	struct bench bench = design(claims, 7);
	size_t i;

	(void)state;
	assert_int_equal(bench.findings.claim_count, 7);
	for (i = 0; i < 7; i++)
		assert_int_equal(bench.findings.claims[i].answer, answers[i]);
	assert_near(bench.findings.claims[0].change, -0.1, 0.005);
	assert_near(bench.findings.claims[5].change, 1 / 0.9 - 1, 0.005);
	assert_near(bench.findings.claims[0].level, 0.05 / 7, 1e-12);
	assert_int_equal(bench.findings.claims[0].rounds, ROUNDS);
	assert_true(isnan(bench.findings.claims[6].change));
	bench_close(&bench);
}

/* Below the rounds that an interval needs nothing is said, however far apart the sides are. */
static void few_rounds_decide_nothing(void **state)
{
	struct claim claim = { .candidate = 3, .baseline = 2, .direction = CLAIM_LOWER };
	struct bench bench = design(&claim, 1);

	(void)state;
	bench.recording.plan.rounds = bench.recording.rounds_done = 4;
	judge_recording(bench.arena, &bench.recording, &bench.findings);
	assert_int_equal(bench.findings.claims[0].answer, CLAIM_UNDECIDED);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_interval_decides),
		cmocka_unit_test(without_a_least_change_equal_is_no_change),
		cmocka_unit_test(what_is_not_bounded_is_undecided),
		cmocka_unit_test(swapped_sides_answer_alike),
		cmocka_unit_test(one_refuted_claim_refutes_the_study),
		cmocka_unit_test(claims_are_judged_on_any_two_subjects),
		cmocka_unit_test(few_rounds_decide_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
