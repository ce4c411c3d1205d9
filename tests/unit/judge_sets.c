/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Means of tables whose runs are not there, and the geometric mean of a set of benchmarks. */
#include "judge_bench.h"

static struct bench table_of_means(size_t runs)
{
	static const struct {
		const char *name;
		double baseline, baseline_sd, candidate, candidate_sd;
	} rows[] = {
		{ "real", 150.723, 1.492, 147.628, 0.653 },
		{ "user", 1095.505, 3.555, 1084.916, 1.485 },
		{ "sys", 496.098, 4.766, 470.548, 0.837 },
	};
	struct bench bench = bench_open(2);
	uint32_t i;

	bench.recording.order_known = false;
	bench.recording.origin = "mean-table";
	bench.recording.plan.primary = "real";
	bench.recording.plan.subjects[1].baseline = 0;
	for (i = 0; i < 3; i++) {
		size_t metric = bench_metric(&bench, rows[i].name, "s", BETTER_LOWER, 0);
		struct told_mean mean = { (uint32_t)metric, 0, rows[i].baseline,
					  rows[i].baseline_sd, runs };

		recording_add_mean(bench.arena, &bench.recording, &mean);
		mean = (struct told_mean){ (uint32_t)metric, 1, rows[i].candidate,
					   rows[i].candidate_sd, runs };
		recording_add_mean(bench.arena, &bench.recording, &mean);
	}
	return bench;
}

/* R: t from the means' logarithms, var = s^2/(n m^2), Satterthwaite. */
static void means_of_two_runs_decide_nothing(void **state)
{
	static const double p[] = { 0.166, 0.109, 0.073 };
	static const double low[] = { -0.070, -0.027, -0.121 }, high[] = { 0.032, 0.008, 0.023 };
	static const double change[] = { -0.0205, -0.0097, -0.0515 };
	struct bench bench = table_of_means(2);
	struct comparison *comparisons = bench_judge(&bench);
	size_t i;

	(void)state;
	assert_int_equal(bench.findings.comparison_count, 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(comparisons[i].verdict, VERDICT_UNDECIDED);
		assert_int_equal(comparisons[i].reason, REASON_FLOOR);
		assert_int_equal(comparisons[i].more_likely, 2);
		assert_int_equal(comparisons[i].pairs, 2);
		assert_true(comparisons[i].baseline.told);
		assert_near(comparisons[i].change, change[i], 1e-4);
		assert_true(isinf(comparisons[i].change_low));
		assert_near(comparisons[i].welch_p, p[i], 1e-3);
		assert_near(comparisons[i].welch_low, low[i], 1e-3);
		assert_near(comparisons[i].welch_high, high[i], 1e-3);
	}
	assert_contains(bench_warning(&bench, WARNING_FEW_RUNS), "1 time in 3");
	assert_contains(bench_warning(&bench, WARNING_SUMMARIES), "vary normally");
	bench_close(&bench);
}

static void means_of_four_runs_are_judged(void **state)
{
	static const double p[] = { 0.0174, 0.0051, 0.0012 };
	struct bench bench = table_of_means(4);
	struct comparison *comparisons = bench_judge(&bench);
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		assert_int_equal(comparisons[i].verdict, VERDICT_BETTER);
		assert_string_equal(comparisons[i].method, "welch");
		assert_near(comparisons[i].p, p[i], 1e-4);
		assert_true(comparisons[i].change_low < comparisons[i].change &&
			    comparisons[i].change < comparisons[i].change_high);
	}
	assert_false(comparisons[0].beyond_margin);
	assert_true(comparisons[2].beyond_margin);
	/* The same against itself is no difference, and not equivalent within 1% either. */
	bench.recording.means[1] = bench.recording.means[0];
	bench.recording.means[1].subject = 1;
	assert_int_equal(bench_judge(&bench)->verdict, VERDICT_UNDECIDED);
	bench.recording.plan.margin_ratio = 0.03;
	assert_int_equal(bench_judge(&bench)->verdict, VERDICT_EQUIVALENT);
	bench_close(&bench);
}

static void a_mean_without_count_or_spread_is_not_judged(void **state)
{
	struct bench bench = table_of_means(0);
	struct comparison *comparison = bench_judge(&bench);
	size_t i;

	(void)state;
	assert_int_equal(comparison->verdict, VERDICT_UNDECIDED);
	assert_int_equal(comparison->reason, REASON_SUMMARY);
	assert_int_equal(comparison->more_likely, 0);
	assert_near(comparison->change, 147.628 / 150.723 - 1, 1e-12);
	assert_contains(bench_warning(&bench, WARNING_SUMMARIES), "number of runs");
	for (i = 0; i < bench.recording.mean_count; i++) {
		bench.recording.means[i].count = 10;
		bench.recording.means[i].deviation = i % 2 == 0 ? NAN : 1;
	}
	assert_int_equal(bench_judge(&bench)->reason, REASON_SUMMARY);
	for (i = 0; i < bench.recording.mean_count; i++)
		bench.recording.means[i].deviation = 0;
	assert_int_equal(bench_judge(&bench)->reason, REASON_SUMMARY);
	bench_close(&bench);
}

/* A side of runs beside a mean of others is summarized itself. */
static void runs_beside_a_mean_are_summarized(void **state)
{
	static const double runs[] = { 150, 151, 150.5, 150.2, 150.8 };
	struct bench bench = table_of_means(5);
	struct comparison *comparison;

	(void)state;
	bench.recording.metric_count = 1;
	bench.recording.mean_count = 2;
	bench.recording.means[0].subject = 1;
	bench.recording.means[1].subject = 7;
	bench_side(&bench, 0, 0, runs, 5);
	comparison = bench_judge(&bench);
	assert_string_equal(comparison->method, "welch");
	assert_int_equal(comparison->pairs, 5);
	assert_near(comparison->change, 150.723 / 150.5 - 1, 1e-12);
	bench_close(&bench);
}

static const double one[] = {
	1.003, 1.001, .998, 1.002, 1.004, .999, 1.0015, 1.0005, 1.0022, 1.0031
};
static const double other[] = { 1.013, 1.021,  1.018,  1.012,  1.024,
				1.009, 1.0115, 1.0205, 1.0122, 1.0131 };

/* Two benchmarks of seconds, one of bytes, ten rounds. */
static struct bench set_of_three(bool paired)
{
	static const double ones[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	struct bench bench = bench_open(2);

	bench.recording.plan.all_decide = true;
	bench.recording.plan.primary = NULL;
	bench.recording.origin = "go";
	bench.recording.order_known = paired;
	bench_pairs(&bench, bench_metric(&bench, "sort", "s", BETTER_LOWER, 0), ones, one, 10);
	bench_pairs(&bench, bench_metric(&bench, "merge", "s", BETTER_LOWER, 0), ones, other, 10);
	bench_pairs(&bench, bench_metric(&bench, "space", "B", BETTER_LOWER, 0), ones, one, 10);
	bench_all_at_once(&bench);
	return bench;
}

/* R: wilcox.test((log(one) + log(other))/2, conf.int = TRUE, exact = TRUE) */
static void paired_rounds_judge_the_geometric_mean(void **state)
{
	struct bench bench = set_of_three(true);
	const struct set_mean *mean;

	(void)state;
	bench_judge(&bench);
	assert_int_equal(bench.findings.set_mean_count, 1);
	mean = bench.findings.set_means;
	assert_int_equal(mean->benchmarks, 2);
	assert_int_equal(mean->of, 2);
	assert_int_equal(mean->comparison.pairs, 10);
	assert_near(mean->comparison.change, expm1(0.00798701436061), 1e-9);
	assert_near(mean->comparison.change_low, expm1(0.00671495681934), 1e-9);
	assert_near(mean->comparison.change_high, expm1(0.01050807780705), 1e-9);
	assert_near(mean->comparison.p, 0.001953125, 1e-12);
	assert_int_equal(mean->comparison.verdict, VERDICT_WORSE);
	bench_close(&bench);
}

static void unpaired_runs_give_the_mean_no_verdict(void **state)
{
	struct bench bench = set_of_three(false);
	const struct set_mean *mean;

	(void)state;
	bench_judge(&bench);
	assert_int_equal(bench.findings.set_mean_count, 1);
	mean = bench.findings.set_means;
	assert_int_equal(mean->benchmarks, 2);
	assert_int_equal(mean->comparison.pairs, 0);
	assert_int_equal(mean->comparison.verdict, VERDICT_NONE);
	assert_true(isnan(mean->comparison.change_low));
	assert_near(mean->comparison.change,
		    sqrt((1 + bench.findings.comparisons[0].change) *
			 (1 + bench.findings.comparisons[1].change)) -
			1,
		    1e-12);
	bench_close(&bench);
}

/* A value of 0 has no ratio: it is counted, and left out. A round that lacks one benchmark is none
 * of the set. */
static void what_has_no_ratio_is_left_out_and_counted(void **state)
{
	struct bench bench = set_of_three(true);
	static double zeros[10];
	const struct set_mean *mean;

	(void)state;
	bench_pairs(&bench, bench_metric(&bench, "idle", "s", BETTER_LOWER, 0), zeros, one, 10);
	bench_find(&bench, 4, 0)->values[0] = NAN;
	bench_judge(&bench);
	mean = bench.findings.set_means;
	assert_int_equal(mean->benchmarks, 2);
	assert_int_equal(mean->of, 3);
	assert_int_equal(mean->comparison.pairs, 9);
	bench_close(&bench);
}

/* One metric that decides is no set. */
static void a_single_primary_metric_has_no_mean(void **state)
{
	struct bench bench = set_of_three(true);

	(void)state;
	bench.recording.plan.all_decide = false;
	bench.recording.plan.primary = "sort";
	bench_judge(&bench);
	assert_int_equal(bench.findings.set_mean_count, 0);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_of_two_runs_decide_nothing),
		cmocka_unit_test(means_of_four_runs_are_judged),
		cmocka_unit_test(a_mean_without_count_or_spread_is_not_judged),
		cmocka_unit_test(runs_beside_a_mean_are_summarized),
		cmocka_unit_test(paired_rounds_judge_the_geometric_mean),
		cmocka_unit_test(unpaired_runs_give_the_mean_no_verdict),
		cmocka_unit_test(what_has_no_ratio_is_left_out_and_counted),
		cmocka_unit_test(a_single_primary_metric_has_no_mean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
