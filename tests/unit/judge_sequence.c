/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which look a verdict is of: planned, decided, cut, interrupted, extended; and that a session
 * under way and the finished recording agree. */
#include "judge/sequence.h"

#include "judge_bench.h"
#include "random_values.h"

static struct bench of_rounds(size_t rounds, enum session_end end)
{
	struct bench bench = bench_open(2);

	bench.recording.rounds_done = rounds;
	bench.recording.end = end;
	return bench;
}

static void a_complete_session_has_the_last_look(void **state)
{
	struct bench bench = of_rounds(80, END_COMPLETE);
	struct sequence sequence = sequence_make(&bench.recording);

	(void)state;
	assert_int_equal(sequence.look.n, 80);
	assert_near(sequence.look.z, 2.33273, 1e-5);
	assert_near(sequence.family_alpha, sequence.look.alpha, 0);
	/* What would come next is the extension to 160. */
	assert_near(sequence.z_next, 2.6276, 1e-4);
	assert_int_equal(sequence_raise(&sequence, 81), 160);
	assert_int_equal(sequence_raise(&sequence, 300), 320);
	bench_close(&bench);
}

static void a_decided_session_has_the_look_it_stopped_at(void **state)
{
	struct bench bench = of_rounds(28, END_DECIDED);
	struct sequence sequence = sequence_make(&bench.recording);

	(void)state;
	assert_int_equal(sequence.look.n, 28);
	assert_near(sequence.look.z, 2.72669, 1e-5);
	assert_near(sequence.z_next, 2.33273, 1e-5);
	assert_int_equal(sequence_raise(&sequence, 29), 40);
	assert_int_equal(sequence_raise(&sequence, 57), 57);
	assert_int_equal(sequence_raise(&sequence, 58), 80);
	bench_close(&bench);
}

/* By hand, a crash, a failure: the last completed look, the rest is kept but not judged. */
static void an_unplanned_end_falls_back(void **state)
{
	static const enum session_end ends[] = { END_INTERRUPTED, END_RUNNING, END_FAILED };
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		struct bench bench = of_rounds(33, ends[i]);

		assert_int_equal(sequence_make(&bench.recording).look.n, 28);
		bench.recording.rounds_done = 9;
		assert_int_equal(sequence_make(&bench.recording).look.n, 0);
		bench_close(&bench);
	}
}

static void the_clock_makes_a_last_look(void **state)
{
	struct bench bench = of_rounds(33, END_BUDGET);
	struct sequence sequence = sequence_make(&bench.recording);
	struct looks planned = looks_plan(80, 0, 0.95, 1, true);
	struct looks cut = looks_truncate(&planned, 33, 0.95, 1);

	(void)state;
	assert_int_equal(sequence.look.n, 33);
	assert_near(sequence.look.alpha, cut.items[cut.count - 1].alpha, 0);
	/* Cut, then extended: it spends from 33. */
	assert_int_equal(sequence.asked, 33);
	assert_int_equal(sequence_raise(&sequence, 34), 66);
	bench.recording.rounds_done = 3;
	assert_int_equal(sequence_make(&bench.recording).look.n, 3);
	bench_close(&bench);
}

static void without_peeking_there_is_one_look(void **state)
{
	struct bench bench = of_rounds(80, END_COMPLETE);
	struct sequence sequence;

	(void)state;
	bench.recording.plan.peek = false;
	sequence = sequence_make(&bench.recording);
	assert_int_equal(sequence.look.n, 80);
	assert_near(sequence.look.alpha, 0.05, 1e-12);
	assert_int_equal(sequence_look_at(&bench.recording, 40).n, 0);
	assert_int_equal(sequence_look_at(&bench.recording, 80).n, 80);
	bench.recording.end = END_BUDGET;
	bench.recording.rounds_done = 41;
	sequence = sequence_make(&bench.recording);
	assert_int_equal(sequence.look.n, 41);
	assert_near(sequence.look.alpha, 0.05, 1e-12);
	bench_close(&bench);
}

static void an_extension_goes_on_from_the_plan(void **state)
{
	struct bench bench = of_rounds(160, END_COMPLETE);
	struct sequence sequence;
	size_t base = 80;

	(void)state;
	bench.recording.plan.extended_rounds = 160;
	bench.recording.extension_bases = &base;
	bench.recording.extension_count = 1;
	sequence = sequence_make(&bench.recording);
	assert_int_equal(sequence.look.n, 160);
	assert_near(sequence.look.z, 2.6276, 1e-4);
	/* Interrupted on the way there: the verdict stays that of 80. */
	bench.recording.end = END_INTERRUPTED;
	bench.recording.rounds_done = 120;
	assert_int_equal(sequence_make(&bench.recording).look.n, 80);
	/* The clock stopped it on the way: a look there, at a stricter level than none. */
	bench.recording.end = END_BUDGET;
	sequence = sequence_make(&bench.recording);
	assert_int_equal(sequence.look.n, 120);
	assert_true(sequence.look.alpha > 0 && sequence.look.alpha < 0.02);
	bench_close(&bench);
}

/* Cut at 33 of 80 and extended to 66: alpha is spent from 33 on. */
static void a_cut_plan_extends_from_the_cut(void **state)
{
	struct bench bench = of_rounds(66, END_COMPLETE);
	struct looks planned = looks_plan(80, 0, 0.95, 1, true);
	struct looks cut = looks_truncate(&planned, 33, 0.95, 1);
	struct looks extended = looks_extend(&cut, 66, 0.95, 1);
	struct sequence sequence;
	size_t base = 33;

	(void)state;
	bench.recording.plan.extended_rounds = 66;
	bench.recording.extension_bases = &base;
	bench.recording.extension_count = 1;
	/* plan_last_round is the plan's 80 as long as that is more. */
	sequence = sequence_make(&bench.recording);
	assert_int_equal(sequence.look.n, 66);
	assert_near(sequence.look.z, extended.items[extended.count - 1].z, 1e-12);
	bench_close(&bench);
}

/* Clock cuts of clock cuts: total alpha never exceeds what the plan has. */
static void levels_never_add_up_to_more_than_the_plan(void **state)
{
	size_t first, second;

	(void)state;
	for (first = 6; first < 80; first += 7)
		for (second = first + 1; second < 300; second += 31) {
			struct bench bench = of_rounds(second, END_BUDGET);
			struct sequence sequence;
			size_t i;

			bench.recording.plan.extended_rounds = 320;
			bench.recording.extension_bases = &first;
			bench.recording.extension_count = 1;
			sequence = sequence_make(&bench.recording);
			assert_int_equal(sequence.look.n, second);
			for (i = 1; i < sequence.looks.count; i++)
				assert_true(sequence.looks.items[i].n >
					    sequence.looks.items[i - 1].n);
			for (i = 0; i < sequence.looks.count; i++)
				assert_true(sequence.looks.items[i].alpha <= 0.05);
			bench_close(&bench);
		}
}

static void candidates_share_the_level(void **state)
{
	struct bench bench = bench_open(4);
	struct sequence sequence;

	(void)state;
	bench.recording.rounds_done = 80;
	sequence = sequence_make(&bench.recording);
	assert_near(sequence_share(&bench.recording), 3, 0);
	assert_true(sequence.look.alpha < 0.05 * 0.8 / 3);
	assert_near(sequence.family_alpha, 2 * (1 - 0.5 * (1 + erf(2.33273 / sqrt(2)))), 1e-6);
	bench_close(&bench);
}

static void figures_without_order_have_one_look_at_all(void **state)
{
	struct bench bench = of_rounds(4, END_COMPLETE);
	struct sequence sequence;

	(void)state;
	bench.recording.order_known = false;
	sequence = sequence_make(&bench.recording);
	assert_near(sequence.look.alpha, 0.05, 1e-12);
	assert_int_equal(sequence.look.n, 4);
	assert_int_equal(sequence_look_at(&bench.recording, 4).n, 0);
	bench_close(&bench);
}

/* The session's look and the recording's verdict are the same thing, wherever it stops. */
static void a_running_session_agrees_with_its_recording(void **state)
{
	static const double effects[] = { 0, 0.01, 0.05 };
	size_t seed, e, stopped_early = 0;

	(void)state;
	for (e = 0; e < 3; e++)
		for (seed = 1; seed <= 15; seed++) {
			struct bench bench = bench_open(2);
			size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 1e-9);
			struct random random = { seed };
			double a[80], b[80];
			struct judge_look look = { 0 };
			struct comparison *comparison;
			size_t i;

			for (i = 0; i < 80; i++) {
				a[i] = 1 + 0.01 * random_normal(&random);
				b[i] = 1 + effects[e] + 0.01 * random_normal(&random);
			}
			bench_pairs(&bench, wall, a, b, 80);
			bench.recording.end = END_RUNNING;
			for (i = 1; i <= 80 && !look.stop; i++) {
				look = judge_look(&bench.recording, i);
				assert_int_equal(look.is_look, i == 10 || i == 14 || i == 20 ||
								   i == 28 || i == 40 || i == 57 ||
								   i == 80);
				assert_true(look.is_look || isinf(look.half_width_ratio));
			}
			bench.recording.rounds_done = i - 1;
			bench.recording.end = i <= 80 ? END_DECIDED : END_COMPLETE;
			comparison = bench_judge(&bench);
			assert_int_equal(bench.findings.look.rounds, i - 1);
			assert_int_equal(look.stop, comparison->verdict != VERDICT_UNDECIDED);
			assert_near(look.half_width_ratio, comparison->resolvable_ratio, 1e-12);
			stopped_early += bench.recording.end == END_DECIDED;
			bench_close(&bench);
		}
	assert_true(stopped_early > 15);
}

static void no_look_no_verdict(void **state)
{
	struct bench bench = bench_open(2);
	size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 1e-9);
	double a[9] = { 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8 };
	struct comparison *comparison;

	(void)state;
	bench_pairs(&bench, wall, a, a, 9);
	bench.recording.end = END_INTERRUPTED;
	comparison = bench_judge(&bench);
	assert_int_equal(bench.findings.verdict, VERDICT_NONE);
	assert_int_equal(bench.findings.look.rounds, 0);
	assert_int_equal(bench.findings.rounds_after_look, 9);
	assert_int_equal(comparison->baseline.count, 9);
	assert_contains(bench_warning(&bench, WARNING_FEW_RUNS),
			"ended after 9 rounds, before its first look at 10");
	assert_true(isnan(comparison->change));
	bench_close(&bench);
}

/* Rounds after the verdict's look change nothing of it. */
static void later_rounds_are_not_judged(void **state)
{
	struct bench bench = bench_open(2);
	size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 1e-9);
	double a[33], b[33];
	struct random random = { 3 };
	size_t i;

	(void)state;
	for (i = 0; i < 33; i++) {
		a[i] = 1 + 0.1 * random_normal(&random);
		b[i] = i < 28 ? 1 + 0.1 * random_normal(&random) : 100;
	}
	bench_pairs(&bench, wall, a, b, 33);
	bench.recording.end = END_INTERRUPTED;
	bench_judge(&bench);
	assert_int_equal(bench.findings.look.rounds, 28);
	assert_int_equal(bench.findings.rounds_after_look, 5);
	assert_int_equal(bench.findings.comparisons->pairs, 28);
	assert_true(bench.findings.comparisons->other.highest < 2);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_complete_session_has_the_last_look),
		cmocka_unit_test(a_decided_session_has_the_look_it_stopped_at),
		cmocka_unit_test(an_unplanned_end_falls_back),
		cmocka_unit_test(the_clock_makes_a_last_look),
		cmocka_unit_test(without_peeking_there_is_one_look),
		cmocka_unit_test(an_extension_goes_on_from_the_plan),
		cmocka_unit_test(a_cut_plan_extends_from_the_cut),
		cmocka_unit_test(levels_never_add_up_to_more_than_the_plan),
		cmocka_unit_test(candidates_share_the_level),
		cmocka_unit_test(figures_without_order_have_one_look_at_all),
		cmocka_unit_test(a_running_session_agrees_with_its_recording),
		cmocka_unit_test(no_look_no_verdict),
		cmocka_unit_test(later_rounds_are_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
