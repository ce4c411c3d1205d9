/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures that others published, judged as they stand: runs of unknown order
 * (rank-sum), with the answers that R gives for them. And inputs on which other
 * tools were seen to fail.
 */
#include "judge_bench.h"
#include "stats/tests.h"

/* One metric, both sides as they were posted; the baseline's n values, then the candidate's. */
static struct bench posted(enum better better, double quantum, const double *a, size_t a_count,
			   const double *b, size_t b_count)
{
	struct bench bench = bench_open(2);
	size_t metric;

	bench.recording.order_known = false;
	bench.recording.origin = "lmbench";
	metric = bench_metric(&bench, "latency", "us", better, quantum);
	bench.recording.metrics[metric].source = SOURCE_IMPORTED;
	bench_side(&bench, metric, 0, a, a_count);
	bench_side(&bench, metric, 1, b, b_count);
	return bench;
}

static const double pipe_outline[] = { 14.2669, 14.2625, 14.2655, 14.2670 };
static const double pipe_inline[] = { 13.9483, 13.9409, 13.9468, 13.9529 };

static void pipe_latency_is_faster(void **state)
{
	struct bench bench = posted(BETTER_LOWER, 0.0001, pipe_outline, 4, pipe_inline, 4);
	struct comparison *comparison = bench_judge(&bench);

	(void)state;
	assert_int_equal(comparison->verdict, VERDICT_BETTER);
	assert_true(comparison->beyond_margin);
	assert_false(comparison->paired);
	assert_near(comparison->change, 0.97767 - 1, 0.6e-5);
	assert_near(comparison->change_low, 0.97714 - 1, 0.6e-5);
	assert_near(comparison->change_high, 0.97829 - 1, 0.6e-5);
	assert_near(comparison->p, 2.0 / 70, 1e-12);
	assert_near(comparison->welch_low, -0.02283, 0.6e-5);
	assert_near(comparison->welch_high, -0.02179, 0.6e-5);
	assert_near(comparison->welch_p, 3.1e-8, 0.1e-8);
	assert_contains(bench_warning(&bench, WARNING_NOT_INTERLEAVED), "not interleaved");
	assert_contains(bench_warning(&bench, WARNING_ONE_BUILD), "One build of each");
	assert_null(bench_warning(&bench, WARNING_FEW_RUNS));
	bench.recording.plan.margin_ratio = 0.03;
	comparison = bench_judge(&bench);
	assert_int_equal(comparison->verdict, VERDICT_EQUIVALENT);
	assert_true(comparison->consistent);
	bench_close(&bench);
}

/* Any three of the four a side decide nothing. */
static void three_runs_a_side_decide_nothing(void **state)
{
	size_t leave_a, leave_b, i;

	(void)state;
	for (leave_a = 0; leave_a < 4; leave_a++)
		for (leave_b = 0; leave_b < 4; leave_b++) {
			double a[3], b[3];
			size_t a_count = 0, b_count = 0;
			struct bench bench;

			for (i = 0; i < 4; i++) {
				if (i != leave_a)
					a[a_count++] = pipe_outline[i];
				if (i != leave_b)
					b[b_count++] = pipe_inline[i];
			}
			bench = posted(BETTER_LOWER, 0.0001, a, 3, b, 3);
			bench_judge(&bench);
			assert_int_equal(bench.findings.verdict, VERDICT_UNDECIDED);
			assert_int_equal(bench.findings.comparisons->reason, REASON_FLOOR);
			assert_int_equal(bench.findings.comparisons->more_likely, 1);
			assert_contains(bench_warning(&bench, WARNING_FEW_RUNS),
					"3 runs a side cannot decide anything: even if all of one "
					"side beat all of the other, luck does that 1 time in 10; "
					"1 more run a side is the least.");
			bench_close(&bench);
		}
}

/* bonnie++ columns, three runs a side on two machines: ratio and Welch interval for information,
 * steps of the printed figures, exact rank p. */
struct column {
	const char *name;
	double a[3], b[3];
	double quantum;
	double ratio, welch_low, welch_high, welch_p, rank_p;
	double step; /* NAN: finer than the scatter */
};

static const struct column columns[] = {
	{ "stp4 out block",
	  { 65615, 64931, 68806 },
	  { 62465, 67203, 61389 },
	  1,
	  0.95199,
	  -0.13154,
	  0.05667,
	  0.2735,
	  0.4,
	  0 },
	{ "stp4 rewrite",
	  { 10112, 13884, 18061 },
	  { 11037, 14018, 19385 },
	  1,
	  1.07331,
	  -0.44784,
	  1.02553,
	  0.8228,
	  0.7,
	  0 },
	{ "stp4 seq create", { 80, 79, 80 }, { 80, 80, 80 }, 1, NAN, NAN, NAN, NAN, 1, 0.0125 },
	{ "stp2 seq create", { 93, 93, 93 }, { 93, 93, 93 }, 1, 1, NAN, NAN, NAN, 1, 0.0108 },
	{ "stp2 rnd create", { 94, 94, 94 }, { 94, 94, 94 }, 1, 1, NAN, NAN, NAN, 1, 0.0106 },
	{ "stp2 seq delete",
	  { 80963, 80998, 81237 },
	  { 82831, 82211, 81940 },
	  1,
	  1.01498,
	  0.00315,
	  0.0281,
	  0.0303,
	  0.1,
	  0 },
};

static void no_bonnie_column_is_decided(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof columns / sizeof *columns; i++) {
		const struct column *column = &columns[i];
		struct bench bench =
		    posted(BETTER_HIGHER, column->quantum, column->a, 3, column->b, 3);
		struct comparison *comparison = bench_judge(&bench);

		assert_int_equal(comparison->verdict, VERDICT_UNDECIDED);
		assert_near(comparison->p, column->rank_p, 1e-9);
		assert_near(comparison->clock_step_ratio, column->step, 0.6e-4);
		if (!isnan(column->ratio))
			assert_near(1 + comparison->change, column->ratio, 0.6e-5);
		if (!isnan(column->welch_low)) {
			assert_near(comparison->welch_low, column->welch_low, 0.6e-5);
			assert_near(comparison->welch_high, column->welch_high, 0.6e-5);
			assert_near(comparison->welch_p, column->welch_p, 0.6e-4);
		}
		if (column->step > 0.01)
			assert_contains(bench_warning(&bench, WARNING_TICKS), "steps of 1.");
		bench_close(&bench);
	}
}

/* Figures of two runs given as mean and deviation: the two runs are mean -+ deviation/sqrt 2. */
static void two_runs_decide_nothing(void **state)
{
	static const struct {
		double a_mean, a_deviation, b_mean, b_deviation, welch_p, low, high;
	} rows[] = {
		{ 150.723, 1.492, 147.628, 0.653, 0.166, -0.070, 0.032 },
		{ 1095.505, 3.555, 1084.916, 1.485, 0.109, -0.027, 0.008 },
		{ 496.098, 4.766, 470.548, 0.837, 0.073, -0.121, 0.023 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		double a[2] = { rows[i].a_mean - rows[i].a_deviation / sqrt(2),
				rows[i].a_mean + rows[i].a_deviation / sqrt(2) };
		double b[2] = { rows[i].b_mean - rows[i].b_deviation / sqrt(2),
				rows[i].b_mean + rows[i].b_deviation / sqrt(2) };
		struct bench bench = posted(BETTER_LOWER, 0.001, a, 2, b, 2);
		struct comparison *comparison = bench_judge(&bench);

		assert_int_equal(comparison->verdict, VERDICT_UNDECIDED);
		assert_near(comparison->baseline.mean, rows[i].a_mean, 1e-9);
		assert_near(comparison->baseline.deviation, rows[i].a_deviation, 1e-9);
		assert_near(comparison->welch_p, rows[i].welch_p, 2e-3);
		assert_near(comparison->welch_low, rows[i].low, 1e-3);
		assert_near(comparison->welch_high, rows[i].high, 1e-3);
		assert_contains(bench_warning(&bench, WARNING_FEW_RUNS), "1 time in 3");
		bench_close(&bench);
	}
}

static void two_groups_of_run_times_are_flagged(void **state)
{
	static const double runs[] = { 150.2, 150.5, 165.1, 150.1, 164.8,
				       165.3, 150.4, 150.0, 165.0, 150.3 };
	struct bench bench = posted(BETTER_LOWER, 0.1, runs, 10, runs, 10);
	struct comparison *comparison = bench_judge(&bench);

	(void)state;
	assert_true(comparison->baseline.two_groups);
	assert_near(comparison->baseline.group_shares[0], 0.6, 1e-12);
	assert_near(comparison->baseline.group_centres[0], 150.25, 0.11);
	assert_near(comparison->baseline.group_centres[1], 165.05, 0.11);
	assert_contains(bench_warning(&bench, WARNING_TWO_GROUPS), "falls into two groups");
	assert_contains(bench_warning(&bench, WARNING_TWO_GROUPS),
			"6 runs near 150.2 us and 4 near 165.1 us");
	bench_close(&bench);
}

/* One total a cell, as a loop of 100 is: nothing is decided, and the accounts do not add up. */
static void one_total_a_side_has_no_interval(void **state)
{
	static const double user[] = { 5.79, 4.86 }, sys[] = { 17.69, 0.68 },
			    wall[] = { 9.41, 6.82 };
	struct bench bench = bench_open(2);
	size_t metrics[3], i;

	(void)state;
	bench.recording.order_known = false;
	bench.recording.origin = "time";
	metrics[0] = bench_metric(&bench, "wall", "s", BETTER_LOWER, 0.01);
	metrics[1] = bench_metric(&bench, "user", "s", BETTER_LOWER, 0.01);
	metrics[2] = bench_metric(&bench, "sys", "s", BETTER_LOWER, 0.01);
	for (i = 0; i < 2; i++) {
		bench_side(&bench, metrics[0], (uint32_t)i, &wall[i], 1);
		bench_side(&bench, metrics[1], (uint32_t)i, &user[i], 1);
		bench_side(&bench, metrics[2], (uint32_t)i, &sys[i], 1);
	}
	judge_derive(bench.arena, &bench.recording);
	bench_judge(&bench);
	assert_int_equal(bench.findings.comparison_count, 4);
	for (i = 0; i < 4; i++) {
		assert_int_equal(bench.findings.comparisons[i].verdict, VERDICT_UNDECIDED);
		assert_true(isinf(bench.findings.comparisons[i].change_low));
	}
	for (i = 0; i < bench.findings.warning_count; i++)
		if (bench.findings.warnings[i].kind == WARNING_ACCOUNTING &&
		    strstr(bench.findings.warnings[i].sentence,
			   "CPU time fell by 76.4% from baseline to candidate while wall time fell "
			   "by 27.5%") != NULL)
			break;
	assert_true(i < bench.findings.warning_count);
	bench_close(&bench);
}

/* A tool called 115 against 78.8 "no change", because one side did not vary. */
static void one_side_without_variation_is_still_a_change(void **state)
{
	static const double a[] = { 115, 114, 115, 115, 115 };
	static const double b[] = { 78.8, 78.8, 78.8, 78.8, 78.8 };
	struct bench bench = posted(BETTER_LOWER, 0.1, a, 5, b, 5);
	struct comparison *comparison = bench_judge(&bench);

	(void)state;
	assert_int_equal(comparison->verdict, VERDICT_BETTER);
	assert_near(comparison->p, 0.0079365079, 1e-9);
	assert_near(comparison->change, 78.8 / 115 - 1, 0.002);
	bench_close(&bench);
}

static void unequal_counts_are_fine(void **state)
{
	static const double a[] = { 1.0, 1.1, .9, 1.0, 1.05 }, b[] = { 1.0, 1.1, .9, 1.0 };
	struct bench bench = posted(BETTER_LOWER, 0.01, a, 5, b, 4);
	struct comparison *comparison = bench_judge(&bench);

	(void)state;
	assert_int_equal(comparison->verdict, VERDICT_UNDECIDED);
	assert_int_equal(comparison->pairs, 4);
	assert_true(comparison->change_low < 0 && comparison->change_high > 0);
	bench_close(&bench);
}

/* The manual page of ministat has these; t on the raw values is 1.489 with 7.43 degrees. */
static void iguanas_and_chameleons_do_not_differ(void **state)
{
	static const double iguana[] = { 50, 200, 150, 400, 750, 400, 150 };
	static const double chameleon[] = { 150, 400, 720, 500, 930 };
	struct welch welch = test_welch(iguana, 7, chameleon, 5, 0.05);
	struct bench bench = posted(BETTER_HIGHER, 10, iguana, 7, chameleon, 5);
	struct comparison *comparison = bench_judge(&bench);

	(void)state;
	assert_near(welch.t, 1.489, 0.0005);
	assert_near(welch.df, 7.43, 0.005);
	assert_int_equal(comparison->verdict, VERDICT_UNDECIDED);
	assert_int_equal(comparison->reason, REASON_INTERVAL);
	assert_near(comparison->welch_p, 0.1481954, 1e-7);
	bench_close(&bench);
}

/* Ten seven times, then 100 or 1: no division by a robust deviation of 0, and far runs of both
 * tails are counted where the clock's step gives a deviation. */
static void far_runs_are_counted_on_both_tails(void **state)
{
	static const double slow[] = { 10, 10, 10, 10, 10, 10, 10, 100 };
	static const double fast[] = { 10, 10, 10, 10, 10, 10, 10, 1 };
	static const double quanta[] = { 0, 1 };
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct bench one = posted(BETTER_LOWER, quanta[i], slow, 8, slow, 8);
		struct bench other = posted(BETTER_LOWER, quanta[i], fast, 8, fast, 8);
		struct comparison *high = bench_judge(&one), *low = bench_judge(&other);

		assert_int_equal(high->baseline.slow_runs, i);
		assert_int_equal(high->baseline.fast_runs, 0);
		assert_int_equal(low->other.fast_runs, i);
		assert_int_equal(low->other.slow_runs, 0);
		assert_true(isfinite(high->change) && isfinite(low->change));
		if (i == 1)
			assert_contains(bench_warning(&one, WARNING_SLOW_RUNS),
					"factor of up to 10");
		bench_close(&one);
		bench_close(&other);
	}
}

/* "touch x && make": 11 ms or 750 ms. One mean of these says nothing. */
static void something_rebuilt_in_half_of_the_runs(void **state)
{
	double a[20], b[20];
	struct bench bench = bench_open(2);
	struct comparison *comparison;
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++) {
		a[i] = (i * 7 % 20 < 11 ? 0.011 : 0.750) * (1 + 0.001 * (double)(i % 3));
		b[i] = (i * 11 % 20 < 11 ? 0.011 : 0.750) * (1 + 0.001 * (double)(i % 4));
	}
	bench_pairs(&bench, bench_metric(&bench, "wall", "s", BETTER_LOWER, 1e-9), a, b, 20);
	bench.recording.plan.rounds = 20;
	comparison = bench_judge(&bench);
	assert_true(comparison->baseline.two_groups && comparison->other.two_groups);
	assert_near(comparison->baseline.group_centres[0], 0.011, 0.0001);
	assert_near(comparison->baseline.group_centres[1], 0.750, 0.003);
	assert_near(comparison->baseline.group_shares[0], 0.55, 1e-12);
	assert_int_equal(comparison->verdict, VERDICT_UNDECIDED);
	assert_contains(bench_warning(&bench, WARNING_TWO_GROUPS),
			"11 runs near 11.00 ms and 9 near 751.5 ms");
	assert_contains(bench_warning(&bench, WARNING_TWO_GROUPS), "750");
	assert_contains(bench_warning(&bench, WARNING_TWO_GROUPS), "more runs will not");
	bench_close(&bench);
}

/* More CPU than wall time, and far less: both need a sentence, neither is an error. */
static void cpu_and_wall_time_are_explained(void **state)
{
	double wall[2][6], cpu[2][6];
	struct bench bench = bench_open(2);
	size_t i, parallel = 0, waiting = 0;

	(void)state;
	for (i = 0; i < 6; i++) {
		wall[0][i] = 0.1 + 0.001 * (double)i;
		cpu[0][i] = 0.25 + 0.001 * (double)i;
		wall[1][i] = 0.021 + 0.0001 * (double)i;
		cpu[1][i] = 0.004;
	}
	bench_pairs(&bench, bench_metric(&bench, "wall", "s", BETTER_LOWER, 1e-9), wall[0], wall[1],
		    6);
	bench_pairs(&bench, bench_metric(&bench, "cpu", "s", BETTER_LOWER, 1e-6), cpu[0], cpu[1],
		    6);
	bench_all_at_once(&bench);
	bench_judge(&bench);
	for (i = 0; i < bench.findings.warning_count; i++) {
		const char *sentence = bench.findings.warnings[i].sentence;

		parallel += strstr(sentence, "baseline used 252 ms of CPU time in 103 ms") != NULL;
		waiting +=
		    strstr(sentence, "candidate used 4.00 ms of CPU time in 21.2 ms") != NULL ||
		    strstr(sentence, "candidate used 4 ms of CPU time in 21.2 ms") != NULL;
	}
	assert_int_equal(parallel, 1);
	assert_int_equal(waiting, 1);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pipe_latency_is_faster),
		cmocka_unit_test(three_runs_a_side_decide_nothing),
		cmocka_unit_test(no_bonnie_column_is_decided),
		cmocka_unit_test(two_runs_decide_nothing),
		cmocka_unit_test(two_groups_of_run_times_are_flagged),
		cmocka_unit_test(one_total_a_side_has_no_interval),
		cmocka_unit_test(one_side_without_variation_is_still_a_change),
		cmocka_unit_test(unequal_counts_are_fine),
		cmocka_unit_test(iguanas_and_chameleons_do_not_differ),
		cmocka_unit_test(far_runs_are_counted_on_both_tails),
		cmocka_unit_test(something_rebuilt_in_half_of_the_runs),
		cmocka_unit_test(cpu_and_wall_time_are_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
