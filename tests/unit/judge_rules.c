/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judging beyond one metric of two commands: several candidates, cells, failures, secondary
 * metrics, exact ones, proof, trade, the self check, and one command alone. */
#include <stdlib.h>

#include "judge_bench.h"
#include "random_values.h"
#include "stats/looks.h"

enum { ROUNDS = 80 };

/* A value of each subject a round, in random order; factors are true ratios to the first. */
static void draw_rounds(struct bench *bench, size_t metric, uint64_t seed, const double *factors,
			double noise, size_t rounds)
{
	struct random random = { seed };
	size_t subjects = bench->recording.plan.subject_count, i, k;
	size_t order[8];

	for (i = 0; i < rounds; i++) {
		for (k = 0; k < subjects; k++)
			order[k] = k;
		random_shuffle(&random, order, subjects);
		for (k = 0; k < subjects; k++) {
			struct sample *sample = bench_find(bench, (uint32_t)i, (uint32_t)order[k]);

			if (sample == NULL)
				sample = bench_add(bench, (uint32_t)i, (uint32_t)order[k]);
			sample->values[metric] =
			    0.01 * factors[order[k]] * exp(noise * random_normal(&random));
		}
	}
	bench->recording.rounds_done = rounds;
}

static struct bench of_factors(const double *factors, size_t subjects, double noise)
{
	struct bench bench = bench_open(subjects);

	draw_rounds(&bench, bench_metric(&bench, "wall", "s", BETTER_LOWER, 1e-9), 21, factors,
		    noise, ROUNDS);
	return bench;
}

static void several_candidates_share_the_level_and_the_worst_counts(void **state)
{
	static const double factors[] = { 1, 0.9, 1.1, 1 };
	struct bench bench = of_factors(factors, 4, 0.005);
	struct comparison *comparisons = bench_judge(&bench);
	struct looks looks = looks_plan(80, 0, 0.95, 3, true);

	(void)state;
	assert_int_equal(bench.findings.comparison_count, 3);
	assert_int_equal(comparisons[0].verdict, VERDICT_BETTER);
	assert_int_equal(comparisons[1].verdict, VERDICT_WORSE);
	assert_int_equal(comparisons[2].verdict, VERDICT_EQUIVALENT);
	assert_int_equal(bench.findings.verdict, VERDICT_WORSE);
	assert_near(comparisons[1].level, looks.items[looks.count - 1].alpha, 1e-12);
	assert_near(comparisons[1].p_adjusted, 3 * comparisons[1].p, 1e-15);
	bench_close(&bench);
}

/* A look stops only when all candidates are decided. */
static void looks_go_on_until_all_are_decided(void **state)
{
	static const double decided[] = { 1, 0.8, 1.2 };
	static const double open[] = { 1, 0.8, 1.01 };
	struct bench one = of_factors(decided, 3, 0.005), other = of_factors(open, 3, 0.02);

	(void)state;
	one.recording.end = other.recording.end = END_RUNNING;
	assert_true(judge_look(&one.recording, 14).stop);
	assert_true(judge_look(&other.recording, 14).is_look);
	assert_false(judge_look(&other.recording, 14).stop);
	assert_true(judge_look(&other.recording, 14).half_width_ratio > 0.01);
	bench_close(&one);
	bench_close(&other);
}

/* A sweep: ./old 1, ./new 1, ./old 2, ./new 2. Each is compared within its cell. */
static void candidates_are_compared_with_their_own_baseline(void **state)
{
	static const double factors[] = { 1, 1.1, 5, 4 };
	struct bench bench = of_factors(factors, 4, 0.005);
	struct comparison *comparisons;

	(void)state;
	bench.recording.plan.subjects[2].baseline = 2;
	bench.recording.plan.subjects[3].baseline = 2;
	comparisons = bench_judge(&bench);
	assert_int_equal(bench.findings.comparison_count, 2);
	assert_int_equal(comparisons[0].candidate, 1);
	assert_near(comparisons[0].change, 0.1, 0.01);
	assert_int_equal(comparisons[1].candidate, 3);
	assert_near(comparisons[1].change, -0.2, 0.01);
	bench_close(&bench);
}

static void fail_runs(struct bench *bench, uint32_t subject, size_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		struct sample *sample = bench_find(bench, i * 3, subject);

		sample->flags |= SAMPLE_FAILED;
		sample->exit_status = 3;
		sample->values[0] = 1000; /* never judged */
	}
}

static void failed_runs_make_the_verdict_invalid(void **state)
{
	static const double factors[] = { 1, 0.9 };
	static const struct {
		size_t baseline, candidate;
		bool ignore;
		enum verdict verdict;
	} cases[] = {
		{ 0, 0, false, VERDICT_BETTER },
		{ 0, 1, false, VERDICT_INVALID }, /* nobody said that failures are all right */
		{ 1, 0, false, VERDICT_INVALID },
		{ 0, 1, true, VERDICT_BETTER },
		{ 4, 4, true, VERDICT_BETTER },
		{ 0, 8, true, VERDICT_INVALID }, /* 8 of 80 against none: Fisher 0.7% */
		{ 0, 5, true, VERDICT_BETTER },	 /* Fisher 5.9% */
		{ 9, 9, true, VERDICT_INVALID }, /* more than 10% */
		{ 8, 8, true, VERDICT_BETTER },	 /* 10% is not more than 10% */
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench bench = of_factors(factors, 2, 0.01);

		bench.recording.plan.ignore_failure = cases[i].ignore;
		fail_runs(&bench, 0, cases[i].baseline);
		fail_runs(&bench, 1, cases[i].candidate);
		bench_judge(&bench);
		assert_int_equal(bench.findings.verdict, cases[i].verdict);
		assert_true(bench.findings.comparisons->other.highest < 1);
		if (cases[i].candidate > 0)
			assert_contains(bench_warning(&bench, WARNING_FAILED_RUNS),
					"exit status 3");
		else if (cases[i].baseline == 0)
			assert_null(bench_warning(&bench, WARNING_FAILED_RUNS));
		bench_close(&bench);
	}
}

static void a_failed_session_is_invalid(void **state)
{
	static const double factors[] = { 1, 0.9 };
	struct bench bench = of_factors(factors, 2, 0.01);
	struct sample *last = bench_find(&bench, 2, 1);

	(void)state;
	bench.recording.rounds_done = 2;
	bench.recording.end = END_FAILED;
	last->flags = SAMPLE_FAILED;
	last->exit_status = -1;
	last->signal = 11;
	bench_judge(&bench);
	assert_int_equal(bench.findings.verdict, VERDICT_INVALID);
	assert_contains(bench_warning(&bench, WARNING_FAILED_RUNS), "signal 11");
	bench_close(&bench);
}

/* Eight metrics that do not differ and one that does. */
static struct bench with_secondaries(uint64_t seed, double effect)
{
	static const double same[] = { 1, 1 };
	double factors[] = { 1, 1 };
	struct bench bench = bench_open(2);
	size_t i;

	bench_metric(&bench, "wall", "s", BETTER_LOWER, 1e-9);
	for (i = 0; i < 8; i++) {
		char name[8] = { 'm', (char)('0' + i), '\0' };

		bench_metric(&bench, arena_strdup(bench.arena, name), "", BETTER_LOWER, 0);
	}
	for (i = 0; i < 9; i++) {
		factors[1] = 1 + effect;
		draw_rounds(&bench, i, seed * 100 + i, i == 3 ? factors : same, 0.03, ROUNDS);
	}
	return bench;
}

static int by_p(const void *one, const void *other)
{
	double a = ((const struct comparison *)one)->p, b = ((const struct comparison *)other)->p;

	return a < b ? -1 : a > b;
}

static void secondary_metrics_step_down(void **state)
{
	struct bench bench = with_secondaries(1, 0.03);
	struct comparison *comparisons = bench_judge(&bench), sorted[8];
	double alpha = bench.findings.look.level;
	bool failed = false;
	double level = 0;
	size_t i;

	(void)state;
	assert_int_equal(bench.findings.comparison_count, 9);
	assert_true(comparisons[0].primary);
	assert_near(comparisons[0].level, alpha, 0);
	memcpy(sorted, comparisons + 1, sizeof sorted);
	qsort(sorted, 8, sizeof *sorted, by_p);
	for (i = 0; i < 8; i++) {
		if (!failed)
			level = alpha / (double)(8 - i);
		assert_near(sorted[i].level, level, 1e-15);
		assert_false(sorted[i].primary);
		/* The interval at that level says what the p value says. */
		assert_int_equal(sorted[i].change_low > 0 || sorted[i].change_high < 0,
				 sorted[i].p <= level);
		failed = failed || sorted[i].p > level;
	}
	assert_int_equal(sorted[0].metric, 3);
	assert_int_equal(sorted[0].verdict, VERDICT_WORSE);
	assert_near(sorted[0].p_adjusted, 8 * sorted[0].p, 1e-12);
	bench_close(&bench);
}

/* All the same: any secondary difference at all is reported in at most about 5% of recordings. */
static void secondary_metrics_rarely_cry_wolf(void **state)
{
	size_t seed, alarms = 0, i;

	(void)state;
	for (seed = 1; seed <= 200; seed++) {
		struct bench bench = with_secondaries(seed, 0);
		bool alarm = false;

		bench_judge(&bench);
		for (i = 1; i < 9; i++)
			alarm = alarm || bench.findings.comparisons[i].verdict == VERDICT_BETTER ||
				bench.findings.comparisons[i].verdict == VERDICT_WORSE;
		alarms += alarm;
		bench_close(&bench);
	}
	assert_true(alarms <= 12); /* level 2%: more than 12 of 200 comes once in 10,000 */
}

/* Hidden metrics take no level from those shown. */
static void hidden_metrics_cost_the_others_nothing(void **state)
{
	struct bench shown = with_secondaries(4, 0.03), hiding = with_secondaries(4, 0.03);
	size_t i;

	(void)state;
	for (i = 4; i < 9; i++)
		hiding.recording.metrics[i].hidden = true;
	bench_judge(&shown);
	bench_judge(&hiding);
	assert_near(hiding.findings.comparisons[3].level,
		    shown.findings.comparisons[3].level * 8 / 3, 1e-12);
	assert_near(hiding.findings.comparisons[3].p_adjusted, hiding.findings.comparisons[3].p * 3,
		    1e-12);
	for (i = 4; i < 9; i++)
		assert_true(hiding.findings.comparisons[i].level <
			    hiding.findings.look.level / 3 + 1e-12);
	bench_close(&shown);
	bench_close(&hiding);
}

/* Sizes: exact at any count, no floor, and a margin only where it was given for them. */
static void sizes_are_exact(void **state)
{
	static const double factors[] = { 1, 0.97 };
	struct bench bench = of_factors(factors, 2, 0.005);
	size_t text = bench_metric(&bench, "text", "B", BETTER_LOWER, 1);
	struct comparison *size;

	(void)state;
	bench.recording.metrics[text].exact = true;
	bench.recording.metrics[text].source = SOURCE_FILE;
	bench_find(&bench, 0, 0)->values[text] = 1797108;
	bench_find(&bench, 0, 1)->values[text] = 1807824;
	size = &bench_judge(&bench)[1];
	assert_true(size->exact);
	assert_int_equal(size->verdict, VERDICT_WORSE);
	assert_near(size->change, 10716.0 / 1797108, 1e-15);
	assert_near(size->change_low, size->change, 0);
	assert_string_equal(bench.findings.trade,
			    "candidate buys 2.91% wall time for 10,716 bytes of text (0.60%). The "
			    "price: 3.51 KiB of text for each 1% of wall time (between 3.27 KiB and "
			    "3.79 KiB).");
	bench.recording.plan.margins = &(struct metric_margin){ .metric = "text", .ratio = 0.01 };
	bench.recording.plan.margin_count = 1;
	size = &bench_judge(&bench)[1];
	assert_int_equal(size->verdict, VERDICT_EQUIVALENT);
	assert_true(size->consistent);
	bench_find(&bench, 0, 1)->values[text] = 1797108;
	assert_int_equal(bench_judge(&bench)[1].verdict, VERDICT_SAME);
	assert_null(bench.findings.trade);
	bench_close(&bench);
}

/* Smaller at no cost in time is the argument for taking code out of line. */
static void smaller_without_loss_is_a_trade_too(void **state)
{
	static const double factors[] = { 1, 1 };
	struct bench bench = of_factors(factors, 2, 0.005);
	size_t text = bench_metric(&bench, "text", "B", BETTER_LOWER, 1);

	(void)state;
	bench.recording.metrics[text].exact = true;
	bench_find(&bench, 0, 0)->values[text] = 2000000;
	bench_find(&bench, 0, 1)->values[text] = 1950000;
	bench_judge(&bench);
	assert_string_equal(bench.findings.trade,
			    "candidate saves 50,000 bytes of text (2.50%), and its wall time is "
			    "not worse by more than 1%.");
	bench_close(&bench);
}

/* Two simulated runs a side: exact if they agree, else two are too few for anything. */
static void simulated_counts_are_exact_if_they_repeat(void **state)
{
	static const double factors[] = { 1, 1 };
	static const double second[] = { 1000000, 1000007 };
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct bench bench = of_factors(factors, 2, 0.005);
		size_t count = bench_metric(&bench, "sim instructions", "", BETTER_LOWER, 1);
		uint32_t subject, run;
		struct comparison *comparison;

		bench.recording.metrics[count].source = SOURCE_SIMULATED;
		for (subject = 0; subject < 2; subject++)
			for (run = 0; run < 2; run++)
				bench_add(&bench, 0x40000000 + run, subject)->values[count] =
				    subject == 0 ? 1100000
				    : run == 0	 ? 1000000
						 : second[i];
		comparison = &bench_judge(&bench)[1];
		assert_int_equal(comparison->exact, i == 0);
		assert_int_equal(comparison->verdict, i == 0 ? VERDICT_BETTER : VERDICT_UNDECIDED);
		assert_int_equal(comparison->more_likely, 0);
		assert_near(comparison->change, 1000000.0 / 1100000 - 1, 1e-5);
		assert_int_equal(bench.findings.comparisons->verdict, VERDICT_EQUIVALENT);
		bench_close(&bench);
	}
}

static void proof_is_answered(void **state)
{
	static const struct {
		struct comparison comparison;
		enum requirement_answer not_worse, equivalent, better;
	} cases[] = {
		{ { .verdict = VERDICT_BETTER },
		  REQUIREMENT_SHOWN,
		  REQUIREMENT_UNDECIDED,
		  REQUIREMENT_SHOWN },
		{ { .verdict = VERDICT_BETTER, .beyond_margin = true },
		  REQUIREMENT_SHOWN,
		  REQUIREMENT_REFUTED,
		  REQUIREMENT_SHOWN },
		{ { .verdict = VERDICT_WORSE, .beyond_margin = true },
		  REQUIREMENT_REFUTED,
		  REQUIREMENT_REFUTED,
		  REQUIREMENT_REFUTED },
		{ { .verdict = VERDICT_EQUIVALENT },
		  REQUIREMENT_SHOWN,
		  REQUIREMENT_SHOWN,
		  REQUIREMENT_REFUTED },
		{ { .verdict = VERDICT_UNDECIDED, .not_worse = true },
		  REQUIREMENT_SHOWN,
		  REQUIREMENT_UNDECIDED,
		  REQUIREMENT_UNDECIDED },
		{ { .verdict = VERDICT_UNDECIDED },
		  REQUIREMENT_UNDECIDED,
		  REQUIREMENT_UNDECIDED,
		  REQUIREMENT_UNDECIDED },
		{ { .verdict = VERDICT_SAME, .exact = true },
		  REQUIREMENT_SHOWN,
		  REQUIREMENT_SHOWN,
		  REQUIREMENT_REFUTED },
		{ { .verdict = VERDICT_INVALID },
		  REQUIREMENT_UNDECIDED,
		  REQUIREMENT_UNDECIDED,
		  REQUIREMENT_UNDECIDED },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct comparison both[] = { { .verdict = VERDICT_BETTER, .primary = true },
					     cases[i].comparison };
		struct findings findings = { .comparisons = both + 1, .comparison_count = 1 };

		both[1].primary = true;
		assert_int_equal(judge_requirement(&findings, REQUIRE_NOT_WORSE),
				 cases[i].not_worse);
		assert_int_equal(judge_requirement(&findings, REQUIRE_EQUIVALENT),
				 cases[i].equivalent);
		assert_int_equal(judge_requirement(&findings, REQUIRE_BETTER), cases[i].better);
		assert_int_equal(judge_requirement(&findings, REQUIRE_NOTHING), REQUIREMENT_SHOWN);
		/* Beside a candidate that is better, the other decides. */
		findings.comparisons = both;
		findings.comparison_count = 2;
		assert_int_equal(judge_requirement(&findings, REQUIRE_NOT_WORSE),
				 cases[i].not_worse);
	}
}

static void one_command_alone_has_no_verdict(void **state)
{
	static const double factors[] = { 1 };
	struct bench bench = of_factors(factors, 1, 0.01);
	struct comparison *comparison = bench_judge(&bench);

	(void)state;
	assert_int_equal(bench.findings.verdict, VERDICT_NONE);
	assert_int_equal(bench.findings.comparison_count, 1);
	assert_int_equal(comparison->baseline.count, 80);
	assert_true(isnan(comparison->change));
	/* 80 pairs with 1.4% between the two of a pair: 2.33 * 1.02 * 1.41% / sqrt(80). */
	assert_near(comparison->resolvable_ratio, 0.0038, 0.001);
	assert_false(judge_look(&bench.recording, 40).is_look);
	bench.recording.sample_count = 5;
	comparison = bench_judge(&bench);
	assert_true(isnan(comparison->resolvable_ratio));
	assert_contains(bench_warning(&bench, WARNING_FEW_RUNS), "6 are the least");
	bench_close(&bench);
}

static void the_self_check_is_honest(void **state)
{
	static const double factors[] = { 1, 1 }, biased[] = { 1, 1.02 };
	struct bench bench = bench_open(2), other = bench_open(2);

	(void)state;
	bench.recording.plan.self_check = other.recording.plan.self_check = true;
	draw_rounds(&bench, bench_metric(&bench, "wall", "s", BETTER_LOWER, 1e-9), 5, factors, 0.01,
		    200);
	draw_rounds(&other, bench_metric(&other, "wall", "s", BETTER_LOWER, 1e-9), 5, biased, 0.01,
		    200);
	bench.recording.plan.rounds = other.recording.plan.rounds = 200;
	bench.recording.plan.peek = other.recording.plan.peek = false;
	bench_judge(&bench);
	assert_true(bench.findings.self_check.done);
	assert_int_equal(bench.findings.self_check.segments, 20);
	assert_true(bench.findings.self_check.false_alarms < 4);
	assert_false(bench.findings.self_check.alarm);
	assert_true(bench.findings.self_check.change_low < 0 &&
		    bench.findings.self_check.change_high > 0);
	assert_contains(bench_warning(&bench, WARNING_SELF_CHECK), "as luck allows");
	assert_false(judge_look(&bench.recording, 200).stop);
	bench_judge(&other);
	assert_true(other.findings.self_check.alarm);
	assert_contains(bench_warning(&other, WARNING_SELF_CHECK), "cannot be trusted");
	bench_close(&bench);
	bench_close(&other);
}

static void the_whole_is_as_its_worst_part(void **state)
{
	static const double factors[] = { 1, 0.9, 1 };
	struct bench bench = of_factors(factors, 3, 0.005);

	(void)state;
	bench_judge(&bench);
	assert_int_equal(bench.findings.verdict, VERDICT_EQUIVALENT);
	bench.recording.plan.ignore_failure = true;
	fail_runs(&bench, 2, 20);
	bench_judge(&bench);
	assert_int_equal(bench.findings.comparisons[0].verdict, VERDICT_BETTER);
	assert_int_equal(bench.findings.comparisons[1].verdict, VERDICT_INVALID);
	assert_int_equal(bench.findings.verdict, VERDICT_INVALID);
	bench_close(&bench);
}

static void a_primary_metric_that_was_not_measured_is_said(void **state)
{
	static const double factors[] = { 1, 0.9 };
	struct bench bench = of_factors(factors, 2, 0.005);

	(void)state;
	bench.recording.plan.primary = "frames";
	bench_judge(&bench);
	assert_int_equal(bench.findings.verdict, VERDICT_NONE);
	assert_contains(bench_warning(&bench, WARNING_REMARK),
			"\"frames\" was not measured, so there is no verdict; there are wall.");
	assert_true(judge_look(&bench.recording, 40).is_look);
	assert_false(judge_look(&bench.recording, 40).stop);
	/* Figures of other origin have what they have. */
	bench.recording.origin = "hyperfine";
	bench_judge(&bench);
	assert_int_equal(bench.findings.verdict, VERDICT_BETTER);
	bench_close(&bench);
}

static void runs_that_stand_out_are_told(void **state)
{
	static const double factors[] = { 1, 1 };
	struct bench bench = of_factors(factors, 2, 0.01);
	uint32_t i;

	(void)state;
	for (i = 0; i < 9; i++) {
		bench_find(&bench, i * 8, 1)->values[0] = 0.03;
		bench_find(&bench, i, 0)->flags |= SAMPLE_DISTURBED;
		bench_find(&bench, i, 1)->flags |= SAMPLE_OUTPUT_DIFFERS;
	}
	recording_remark(bench.arena, &bench.recording, "the counter cycles was refused");
	bench_judge(&bench);
	assert_int_equal(bench.findings.comparisons->other.slow_runs, 9);
	assert_contains(bench_warning(&bench, WARNING_SLOW_RUNS), "no even split");
	assert_contains(bench_warning(&bench, WARNING_SLOW_RUNS), "the mean by +2");
	assert_contains(bench_warning(&bench, WARNING_DISTURBED), "9 of 80 runs of baseline");
	assert_contains(bench_warning(&bench, WARNING_OUTPUT), "9 of 80 runs of candidate");
	assert_contains(bench_warning(&bench, WARNING_REMARK), "cycles was refused");
	bench_close(&bench);
}

static void the_second_place_in_a_round_is_noticed(void **state)
{
	static const double factors[] = { 1, 1 };
	struct bench bench = of_factors(factors, 2, 0.002);
	size_t i;

	(void)state;
	/* Whoever comes second takes 5% longer: samples are in run order. */
	for (i = 1; i < bench.recording.sample_count; i += 2)
		bench.recording.samples[i].values[0] *= 1.05;
	bench_judge(&bench);
	assert_contains(bench_warning(&bench, WARNING_POSITION), "ran later in a round cost 5.");
	assert_true(bench.findings.comparisons->change_low < 0 &&
		    bench.findings.comparisons->change_high > 0);
	bench_close(&bench);
}

/* The same program on both sides has the same layout. */
static void one_build_is_said_of_two_builds(void **state)
{
	static const double factors[] = { 1, 1 };
	struct bench bench = of_factors(factors, 2, 0.01);

	(void)state;
	bench_judge(&bench);
	assert_non_null(bench_warning(&bench, WARNING_ONE_BUILD));
	bench.recording.plan.subjects[0].build_id = bench.recording.plan.subjects[1].build_id =
	    "abcd";
	bench_judge(&bench);
	assert_null(bench_warning(&bench, WARNING_ONE_BUILD));
	bench_close(&bench);
}

/* Nothing in a sentence may act on a terminal, or be taken for another tongue of statistics. */
static void sentences_are_clean_and_plain(void **state)
{
	static const char *const banned[] = { " p ", "p-value", "significan", "noise", "\033" };
	static const double factors[] = { 1, 1.004 };
	struct bench bench = of_factors(factors, 2, 0.02);
	size_t i, k;

	(void)state;
	bench.recording.plan.subjects[1].label = "evil\033[2J\xff name";
	bench.recording.plan.ignore_failure = true;
	fail_runs(&bench, 1, 9);
	bench_judge(&bench);
	assert_true(bench.findings.warning_count >= 2);
	for (i = 0; i < bench.findings.warning_count; i++) {
		const char *sentence = bench.findings.warnings[i].sentence;

		for (k = 0; k < sizeof banned / sizeof *banned; k++)
			assert_null(strstr(sentence, banned[k]));
		assert_int_equal(sentence[strlen(sentence) - 1], '.');
	}
	assert_contains(bench_warning(&bench, WARNING_FAILED_RUNS), "evil\\x1B[2J\\xFF name");
	bench_close(&bench);
}

static void cpu_is_derived_from_its_parts(void **state)
{
	static const double factors[] = { 1, 1 };
	struct bench bench = of_factors(factors, 2, 0.01);
	size_t user = bench_metric(&bench, "user", "s", BETTER_LOWER, 0.004);
	size_t sys = bench_metric(&bench, "sys", "s", BETTER_LOWER, 0.01);
	int cpu;

	(void)state;
	bench_find(&bench, 0, 0)->values[user] = 1.5;
	bench_find(&bench, 0, 0)->values[sys] = 0.25;
	bench_find(&bench, 1, 0)->values[user] = 1.5;
	judge_derive(bench.arena, &bench.recording);
	judge_derive(bench.arena, &bench.recording);
	assert_int_equal(bench.recording.metric_count, 4);
	cpu = recording_metric(&bench.recording, "cpu");
	assert_near(bench_find(&bench, 0, 0)->values[cpu], 1.75, 0);
	assert_true(isnan(bench_find(&bench, 1, 0)->values[cpu]));
	assert_near(bench.recording.metrics[cpu].quantum, 0.01, 0);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_candidates_share_the_level_and_the_worst_counts),
		cmocka_unit_test(looks_go_on_until_all_are_decided),
		cmocka_unit_test(candidates_are_compared_with_their_own_baseline),
		cmocka_unit_test(failed_runs_make_the_verdict_invalid),
		cmocka_unit_test(a_failed_session_is_invalid),
		cmocka_unit_test(secondary_metrics_step_down),
		cmocka_unit_test(secondary_metrics_rarely_cry_wolf),
		cmocka_unit_test(hidden_metrics_cost_the_others_nothing),
		cmocka_unit_test(sizes_are_exact),
		cmocka_unit_test(smaller_without_loss_is_a_trade_too),
		cmocka_unit_test(simulated_counts_are_exact_if_they_repeat),
		cmocka_unit_test(proof_is_answered),
		cmocka_unit_test(one_command_alone_has_no_verdict),
		cmocka_unit_test(the_self_check_is_honest),
		cmocka_unit_test(the_whole_is_as_its_worst_part),
		cmocka_unit_test(a_primary_metric_that_was_not_measured_is_said),
		cmocka_unit_test(runs_that_stand_out_are_told),
		cmocka_unit_test(the_second_place_in_a_round_is_noticed),
		cmocka_unit_test(one_build_is_said_of_two_builds),
		cmocka_unit_test(sentences_are_clean_and_plain),
		cmocka_unit_test(cpu_is_derived_from_its_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
