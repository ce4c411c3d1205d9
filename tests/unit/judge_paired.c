/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs of one metric: known figures, symmetries that any comparer must have, and odd values. */
#include "judge/contrast.h"
#include "judge_bench.h"
#include "random_values.h"

enum { MANY = 40 };

/* n pairs around 10 ms whose true log ratio is effect, each with noise of its own. */
static void draw_pairs(uint64_t seed, double effect, double noise, double *a, double *b, size_t n)
{
	struct random random = { seed };
	size_t i;

	for (i = 0; i < n; i++) {
		a[i] = 0.01 * exp(noise * random_normal(&random));
		b[i] = 0.01 * exp(effect + noise * random_normal(&random));
	}
}

static void the_known_figures_come_out(void **state)
{
	static const double ratios[] = { 1.003, 1.001,	.998,	1.002,	1.004,
					 .999,	1.0015, 1.0005, 1.0022, 1.0031 };
	struct bench bench = bench_open(2);
	size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 0);
	double ones[10];
	struct comparison *wanted;
	size_t i;

	(void)state;
	for (i = 0; i < 10; i++)
		ones[i] = 1;
	bench_pairs(&bench, wall, ones, ratios, 10);
	bench_all_at_once(&bench);
	wanted = bench_judge(&bench);
	assert_near(wanted->p, 0.064453125, 0);
	assert_near(log1p(wanted->change), 0.00149887612, 1e-11);
	assert_near(log1p(wanted->change_low), -5.000003e-07, 1e-13);
	assert_near(log1p(wanted->change_high), 0.002745448697, 1e-12);
	assert_int_equal(wanted->verdict, VERDICT_EQUIVALENT);
	assert_false(wanted->consistent);
	assert_true(wanted->paired && wanted->primary);
	assert_near(wanted->level, 0.05, 1e-12);
	bench_close(&bench);
}

static void against_itself_is_no_difference(void **state)
{
	static const double quanta[] = { 0, 1e-9, 1e-4, 0.004 };
	double a[MANY], b[MANY];
	size_t i;

	(void)state;
	draw_pairs(1, 0, 0.05, a, b, MANY);
	for (i = 0; i < 4; i++) {
		struct bench bench = bench_open(2);
		size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, quanta[i]);
		struct comparison *comparison;

		bench_pairs(&bench, wall, a, a, MANY);
		comparison = bench_judge(&bench);
		assert_int_not_equal(comparison->verdict, VERDICT_BETTER);
		assert_int_not_equal(comparison->verdict, VERDICT_WORSE);
		assert_false(comparison->consistent);
		assert_true(comparison->change_low <= 0 && comparison->change_high >= 0);
		if (quanta[i] < 1e-4)
			assert_int_equal(comparison->verdict, VERDICT_EQUIVALENT);
		bench_close(&bench);
	}
}

static struct comparison judge_two(const double *a, const double *b, size_t n, double quantum,
				   enum better better)
{
	struct bench bench = bench_open(2);
	size_t wall = bench_metric(&bench, "wall", "s", better, quantum);
	struct comparison comparison;

	bench_pairs(&bench, wall, a, b, n);
	if (n < 10)
		bench.recording.plan.rounds = n;
	comparison = *bench_judge(&bench);
	bench_close(&bench);
	return comparison;
}

static enum verdict mirrored(enum verdict verdict)
{
	return verdict == VERDICT_BETTER  ? VERDICT_WORSE
	       : verdict == VERDICT_WORSE ? VERDICT_BETTER
					  : verdict;
}

static void swapping_the_sides_mirrors(void **state)
{
	static const double effects[] = { 0, 0.005, 0.012, 0.05, -0.2 };
	double a[MANY], b[MANY];
	size_t i, seed;

	(void)state;
	for (i = 0; i < 5; i++)
		for (seed = 1; seed <= 20; seed++) {
			struct comparison one, other;

			draw_pairs(seed, effects[i], 0.02, a, b, MANY);
			one = judge_two(a, b, MANY, 0, BETTER_LOWER);
			other = judge_two(b, a, MANY, 0, BETTER_LOWER);
			assert_int_equal(other.verdict, mirrored(one.verdict));
			assert_int_equal(other.reason, one.reason);
			assert_int_equal(other.not_worse, one.not_better);
			assert_near((1 + one.change) * (1 + other.change), 1, 1e-12);
			assert_near((1 + one.change_low) * (1 + other.change_high), 1, 1e-12);
			assert_near((1 + one.change_high) * (1 + other.change_low), 1, 1e-12);
			assert_int_equal(one.more_likely, other.more_likely);
		}
}

static void the_unit_does_not_matter(void **state)
{
	double a[MANY], b[MANY], big_a[MANY], big_b[MANY];
	size_t seed, i;

	(void)state;
	for (seed = 1; seed <= 20; seed++) {
		struct comparison one, other;

		draw_pairs(seed, 0.01, 0.02, a, b, MANY);
		for (i = 0; i < MANY; i++) {
			/* Multiples of a power of two, with a step that scales along. */
			a[i] = round(a[i] * 0x1p20) * 0x1p-20;
			b[i] = round(b[i] * 0x1p20) * 0x1p-20;
			big_a[i] = a[i] * 0x1p40;
			big_b[i] = b[i] * 0x1p40;
		}
		one = judge_two(a, b, MANY, 0x1p-20, BETTER_LOWER);
		other = judge_two(big_a, big_b, MANY, 0x1p20, BETTER_LOWER);
		assert_int_equal(one.verdict, other.verdict);
		assert_near(one.change, other.change, 1e-12);
		assert_near(one.change_low, other.change_low, 1e-12);
		assert_near(one.change_high, other.change_high, 1e-12);
		assert_near(one.clock_step_ratio, other.clock_step_ratio, 1e-12);
	}
}

/* Throughput b/a and time a/b are the same fact. */
static void higher_may_be_better(void **state)
{
	double a[MANY], b[MANY];
	struct comparison time, rate, neither;

	(void)state;
	draw_pairs(3, 0.05, 0.01, a, b, MANY);
	time = judge_two(a, b, MANY, 0, BETTER_LOWER);
	rate = judge_two(a, b, MANY, 0, BETTER_HIGHER);
	neither = judge_two(a, b, MANY, 0, BETTER_NEITHER);
	assert_int_equal(time.verdict, VERDICT_WORSE);
	assert_int_equal(rate.verdict, VERDICT_BETTER);
	assert_int_equal(neither.verdict, VERDICT_CHANGED);
	assert_near(time.change, rate.change, 1e-12);
	assert_near(time.change_low, rate.change_low, 1e-12);
	assert_near(time.change_high, rate.change_high, 1e-12);
	assert_true(rate.change_low > 0.03 && rate.change_low < rate.change_high);
	assert_true(rate.beyond_margin);
}

static void few_pairs_decide_nothing(void **state)
{
	static const double a[] = { 1, 1.01, 0.99, 1.02, 1, 1.03 };
	static const double b[] = { 2, 2.01, 1.99, 2.02, 2, 2.05 };
	struct comparison five = judge_two(a, b, 5, 0, BETTER_LOWER);
	struct bench bench = bench_open(2);
	struct comparison *six;

	(void)state;
	assert_int_equal(five.verdict, VERDICT_UNDECIDED);
	assert_int_equal(five.reason, REASON_FLOOR);
	assert_true(isinf(five.change_low) && isinf(five.change_high));
	assert_int_equal(five.more_likely, 1);
	bench_pairs(&bench, bench_metric(&bench, "wall", "s", BETTER_LOWER, 0), a, b, 6);
	bench_all_at_once(&bench);
	six = bench_judge(&bench);
	assert_int_equal(six->verdict, VERDICT_WORSE);
	bench_close(&bench);
}

/* Five pairs say how little they can say. */
static void few_pairs_are_a_sentence(void **state)
{
	static const double a[] = { 1, 1.01, 0.99, 1.02, 1 };
	struct bench bench = bench_open(2);

	(void)state;
	bench_pairs(&bench, bench_metric(&bench, "wall", "s", BETTER_LOWER, 0), a, a, 5);
	bench.recording.plan.rounds = 5;
	bench_judge(&bench);
	assert_int_equal(bench.findings.verdict, VERDICT_UNDECIDED);
	assert_contains(bench_warning(&bench, WARNING_FEW_RUNS), "1 time in 16; 1 more is");
	bench_close(&bench);
}

static void identical_samples_are_exactly_equal_or_exactly_different(void **state)
{
	double ones[20], twos[20];
	struct comparison equal, different, stepped, coarse;
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++) {
		ones[i] = 1;
		twos[i] = 2;
	}
	equal = judge_two(ones, ones, 20, 0, BETTER_LOWER);
	assert_int_equal(equal.verdict, VERDICT_EQUIVALENT);
	assert_near(equal.change_low, 0, 0);
	assert_near(equal.change_high, 0, 0);
	assert_near(equal.p, 1, 0);
	assert_near(equal.baseline.deviation, 0, 0);
	different = judge_two(ones, twos, 20, 0, BETTER_LOWER);
	assert_int_equal(different.verdict, VERDICT_WORSE);
	assert_near(different.change_low, 1, 1e-12);
	stepped = judge_two(ones, twos, 20, 0.01, BETTER_LOWER);
	assert_int_equal(stepped.verdict, VERDICT_WORSE);
	assert_near(log1p(stepped.change_low), log(2) - 0.01, 1e-12);
	coarse = judge_two(ones, ones, 20, 0.02, BETTER_LOWER);
	assert_int_equal(coarse.verdict, VERDICT_UNDECIDED);
	assert_int_equal(coarse.reason, REASON_CLOCK);
	assert_int_equal(coarse.more_likely, 0);
}

/* A clock coarser than the noise: no verdict of equivalence may ever come of it, at any length. */
static void a_coarse_clock_limits(void **state)
{
	double a[80], b[80];
	size_t seed, i;

	(void)state;
	for (seed = 1; seed <= 50; seed++) {
		struct bench bench = bench_open(2);
		size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 0.04);
		struct random random = { seed };
		struct comparison *comparison;

		/* Really 1% slower, hidden in steps of 4%. */
		for (i = 0; i < 80; i++) {
			a[i] = round((1 + 0.002 * random_normal(&random)) / 0.04) * 0.04;
			b[i] = round((1.01 + 0.002 * random_normal(&random)) / 0.04) * 0.04;
		}
		bench_pairs(&bench, wall, a, b, 80);
		comparison = bench_judge(&bench);
		assert_int_equal(comparison->verdict, VERDICT_UNDECIDED);
		assert_int_equal(comparison->reason, REASON_CLOCK);
		assert_int_equal(comparison->more_likely, 0);
		assert_near(comparison->clock_step_ratio, 0.04, 1e-9);
		assert_true(comparison->change_low <= 0.01 && comparison->change_high >= 0.01);
		assert_contains(bench_warning(&bench, WARNING_TICKS), "No number of runs");
		bench_close(&bench);
	}
}

/* Every look extends the former: the dither of a pair does not depend on what comes later. */
static void dither_is_the_same_at_every_look(void **state)
{
	double a[80], b[80];
	struct random random = { 5 };
	struct bench one = bench_open(2), other = bench_open(2);
	size_t i;

	(void)state;
	for (i = 0; i < 80; i++) {
		a[i] = round(250 + 2 * random_normal(&random)) * 0.004;
		b[i] = round(250 + 2 * random_normal(&random)) * 0.004;
	}
	bench_pairs(&one, bench_metric(&one, "wall", "s", BETTER_LOWER, 0.004), a, b, 80);
	bench_pairs(&other, bench_metric(&other, "wall", "s", BETTER_LOWER, 0.004), a, b, 40);
	one.recording.end = other.recording.end = END_INTERRUPTED;
	one.recording.rounds_done = 40;
	assert_near(bench_judge(&one)->change_low, bench_judge(&other)->change_low, 0);
	bench_close(&one);
	bench_close(&other);
}

static void the_margin_comes_before_the_direction(void **state)
{
	double a[MANY], b[MANY];
	struct bench bench = bench_open(2);
	size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 0);
	struct comparison *comparison;

	(void)state;
	draw_pairs(4, -0.022, 0.001, a, b, MANY);
	bench_pairs(&bench, wall, a, b, MANY);
	assert_int_equal(bench_judge(&bench)->verdict, VERDICT_BETTER);
	assert_true(bench.findings.comparisons->beyond_margin);
	bench.recording.plan.margin_ratio = 0.03;
	comparison = bench_judge(&bench);
	assert_int_equal(comparison->verdict, VERDICT_EQUIVALENT);
	assert_true(comparison->consistent);
	bench.recording.plan.margins = &(struct metric_margin){ .metric = "wall", .ratio = 0.0219 };
	bench.recording.plan.margin_count = 1;
	comparison = bench_judge(&bench);
	assert_true(comparison->margin_given);
	assert_int_equal(comparison->verdict, VERDICT_BETTER);
	assert_false(comparison->beyond_margin);
	bench_close(&bench);
}

/* Undecided shows at least what it excludes, and what would decide it. */
static void undecided_says_what_is_excluded(void **state)
{
	double a[20], b[20];
	struct comparison comparison;
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++) {
		a[i] = 1;
		b[i] = 1 + (i % 2 ? 0.025 : -0.004) + 0.0001 * (double)(i * 7 % 20);
	}
	comparison = judge_two(a, b, 20, 0, BETTER_LOWER);
	assert_int_equal(comparison.verdict, VERDICT_UNDECIDED);
	assert_int_equal(comparison.reason, REASON_INTERVAL);
	assert_true(comparison.not_better);
	assert_false(comparison.not_worse);
	assert_true(comparison.more_likely > 0);
	assert_true(comparison.more_surely >= comparison.more_likely);
	/* Raised to where the plan of 80 looks: 28, 40, 57, 80, then doublings. */
	assert_true(comparison.more_likely == 8 || comparison.more_likely == 20 ||
		    comparison.more_likely == 37 || comparison.more_likely == 60);
}

/* Values of 0 have no ratio: differences against a margin in the metric's unit. */
static void zeros_are_compared_as_differences(void **state)
{
	double a[20], b[20], none[20] = { 0 };
	struct comparison some, empty, gain;
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++) {
		a[i] = i % 10 == 0 ? 0 : 100 + (double)(i % 5);
		b[i] = a[i] + 50 + (double)(i % 3);
	}
	some = judge_two(a, b, 20, 1, BETTER_LOWER);
	assert_true(some.difference);
	assert_int_equal(some.verdict, VERDICT_WORSE);
	assert_true(some.change_low >= 49 && some.change_high <= 53);
	/* A clock that reads 0 every time has not measured anything yet. */
	empty = judge_two(none, none, 20, 1, BETTER_LOWER);
	assert_int_equal(empty.verdict, VERDICT_UNDECIDED);
	assert_int_equal(empty.reason, REASON_CLOCK);
	/* A share of 0 is no margin, but a difference is one. */
	gain = judge_two(none, b, 20, 1, BETTER_LOWER);
	assert_int_equal(gain.verdict, VERDICT_WORSE);
	assert_true(gain.change_low > 0);
	assert_false(gain.beyond_margin);
}

/* One count of a program that does not run into what is counted beside one that does. */
static struct comparison judge_counts(const double *a, const double *b, size_t n)
{
	struct bench bench = bench_open(2);
	size_t metric = bench_metric(&bench, "wall", "", BETTER_LOWER, 1);
	struct comparison comparison;

	bench.recording.metrics[metric].source = SOURCE_RUSAGE;
	bench_pairs(&bench, metric, a, b, n);
	bench_all_at_once(&bench);
	comparison = *bench_judge(&bench);
	bench_close(&bench);
	return comparison;
}

static void a_count_of_nothing_is_compared_in_its_unit(void **state)
{
	double none[20] = { 0 }, few[20], twelve[20], one[20], hundred[20];
	struct comparison comparison;
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++) {
		few[i] = i % 5 == 0;
		one[i] = 1;
		twelve[i] = 11 + (double)(i % 3);
		hundred[i] = 100;
	}
	comparison = judge_counts(none, twelve, 20);
	assert_int_equal(comparison.verdict, VERDICT_WORSE);
	assert_true(comparison.difference && !comparison.beyond_margin);
	assert_true(comparison.change_low > 11 && comparison.change_high < 13);
	assert_int_equal(judge_counts(twelve, none, 20).verdict, VERDICT_BETTER);
	/* The same count in every run is within any margin; another one in every run differs. */
	assert_int_equal(judge_counts(none, none, 20).verdict, VERDICT_EQUIVALENT);
	assert_int_equal(judge_counts(hundred, hundred, 20).verdict, VERDICT_EQUIVALENT);
	assert_int_equal(judge_counts(none, one, 20).verdict, VERDICT_WORSE);
	assert_int_equal(judge_counts(none, none, 5).verdict, VERDICT_UNDECIDED);
	/* Sometimes one: no difference is shown, and no equivalence can be. */
	comparison = judge_counts(none, few, 20);
	assert_int_equal(comparison.verdict, VERDICT_UNDECIDED);
	assert_int_equal(comparison.reason, REASON_VALUES);
	assert_true(isfinite(comparison.change_low) && comparison.change_high < 1);
	assert_int_equal(comparison.more_likely, 0);
}

/* User time of short runs: 0 or one tick. The step is all that there is. */
static void a_tick_or_none_is_limited_by_the_clock(void **state)
{
	double a[20], b[20];
	struct comparison comparison;
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++) {
		a[i] = i * 7 % 20 < 5 ? 0 : 0.004;
		b[i] = i * 3 % 20 < 6 ? 0 : 0.004;
	}
	comparison = judge_two(a, b, 20, 0.004, BETTER_LOWER);
	assert_true(comparison.difference);
	assert_int_equal(comparison.verdict, VERDICT_UNDECIDED);
	assert_int_equal(comparison.reason, REASON_CLOCK);
	assert_near(comparison.clock_step_ratio, 1, 1e-12);
}

static void negative_values_are_compared_as_differences(void **state)
{
	double a[20], b[20];
	struct comparison comparison;
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++) {
		a[i] = -5 - 0.01 * (double)i;
		b[i] = 4 + 0.013 * (double)i;
	}
	comparison = judge_two(a, b, 20, 0, BETTER_LOWER);
	assert_true(comparison.difference);
	assert_int_equal(comparison.verdict, VERDICT_WORSE);
	assert_true(isnan(comparison.mean_change));
	assert_false(isnan(comparison.change));
}

/* The effect wanders: what 80 pairs would otherwise "show" is withdrawn. */
static void a_wandering_effect_is_unstable(void **state)
{
	double a[80], b[80];
	struct bench bench = bench_open(2);
	struct random random = { 11 };
	struct comparison *comparison;
	size_t i;

	(void)state;
	for (i = 0; i < 80; i++) {
		a[i] = 1 + 0.001 * random_normal(&random);
		b[i] = 1.02 + 0.04 * sin((double)i / 8) + 0.001 * random_normal(&random);
	}
	bench_pairs(&bench, bench_metric(&bench, "wall", "s", BETTER_LOWER, 1e-9), a, b, 80);
	comparison = bench_judge(&bench);
	assert_int_equal(comparison->verdict, VERDICT_UNDECIDED);
	assert_int_equal(comparison->reason, REASON_UNSTABLE);
	assert_int_equal(comparison->more_likely, 0);
	assert_true(comparison->unstable);
	assert_contains(bench_warning(&bench, WARNING_UNSTABLE), "not every part");
	bench_close(&bench);
}

/* Between -88% and -84%: the figure drifts, its direction never does. */
static void a_drifting_effect_keeps_what_every_part_shows(void **state)
{
	double a[80], b[80], turned[80];
	struct bench bench = bench_open(2);
	struct random random = { 12 };
	struct comparison *comparison;
	size_t wall, i;

	(void)state;
	for (i = 0; i < 80; i++) {
		a[i] = 1 + 0.001 * random_normal(&random);
		b[i] = (0.12 + 0.0005 * (double)i) * (1 + 0.01 * random_normal(&random));
		turned[i] = 1 + 0.0005 * ((double)i - 40) + 0.0001 * random_normal(&random);
	}
	wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 1e-9);
	bench_pairs(&bench, wall, a, b, 80);
	comparison = bench_judge(&bench);
	assert_int_equal(comparison->verdict, VERDICT_BETTER);
	assert_true(comparison->unstable && comparison->beyond_margin);
	/* Where it began, where it ended, and not the far narrower interval of the middle. */
	assert_true(comparison->change_low < -0.875 && comparison->change_high > -0.845);
	assert_contains(bench_warning(&bench, WARNING_UNSTABLE), "holds of every one");
	/* From 2% faster to 2% slower: the parts do not agree. */
	bench_pairs(&bench, wall, a, turned, 80);
	comparison = bench_judge(&bench);
	assert_int_equal(comparison->verdict, VERDICT_UNDECIDED);
	assert_int_equal(comparison->reason, REASON_UNSTABLE);
	/* A trend that stays far inside the margin is no reason to doubt the equivalence. */
	for (i = 0; i < 80; i++)
		turned[i] = a[i] * (1 + 0.00001 * ((double)i - 40));
	bench_pairs(&bench, wall, a, turned, 80);
	comparison = bench_judge(&bench);
	assert_true(comparison->unstable);
	assert_int_equal(comparison->verdict, VERDICT_EQUIVALENT);
	bench_close(&bench);
}

/* Nothing can be excluded of an effect that drifts while there are too few pairs for two parts. */
static void parts_of_a_drifting_effect_can_be_bounded(void **state)
{
	static const double alphas[] = { 0.05, 0.005, 0.0005 };
	static const size_t least[] = { 20, 20, 24 };
	double d[80];
	bool first[80] = { false };
	uint32_t rounds[80] = { 0 };
	struct contrast contrast = { .paired = true,
				     .d = d,
				     .rounds = rounds,
				     .baseline_first = first,
				     .baseline = d,
				     .candidate = d };
	size_t i, n;

	(void)state;
	for (i = 0; i < 80; i++)
		d[i] = 0.5 + 0.01 * (double)i;
	for (i = 0; i < 3; i++)
		for (n = 20; n <= 80; n++) {
			struct interval all, throughout;

			contrast.baseline_count = contrast.candidate_count = n;
			all = contrast_interval(&contrast, alphas[i]);
			throughout = contrast_interval_throughout(&contrast, alphas[i]);
			assert_int_equal(isfinite(throughout.low), n >= least[i]);
			assert_int_equal(isfinite(throughout.high), n >= least[i]);
			assert_true(throughout.low <= all.low && throughout.high >= all.high);
			assert_near(throughout.estimate, all.estimate, 0);
		}
}

/* Machine drift is common to both sides of a pair, and is no difference. */
static void machine_drift_cancels(void **state)
{
	double a[80], b[80];
	struct bench bench = bench_open(2);
	struct random random = { 12 };
	size_t i;

	(void)state;
	for (i = 0; i < 80; i++) {
		double drift = 1 + 0.3 * (double)i / 80;

		a[i] = drift * (1 + 0.002 * random_normal(&random));
		b[i] = drift * (1 + 0.002 * random_normal(&random));
	}
	bench_pairs(&bench, bench_metric(&bench, "wall", "s", BETTER_LOWER, 1e-9), a, b, 80);
	assert_int_equal(bench_judge(&bench)->verdict, VERDICT_EQUIVALENT);
	assert_contains(bench_warning(&bench, WARNING_MACHINE_DRIFT), "Pairs cancel it");
	bench_close(&bench);
}

static void a_constant_metric_that_is_missing_is_no_zero(void **state)
{
	struct bench bench = bench_open(2);
	size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 0);
	double a[MANY], b[MANY];
	struct comparison *comparison;

	(void)state;
	draw_pairs(1, 0, 0.01, a, b, MANY);
	bench_pairs(&bench, wall, a, b, MANY);
	bench_metric(&bench, "cycles", "", BETTER_LOWER, 1); /* refused: all NAN */
	bench_metric(&bench, "half", "", BETTER_LOWER, 1);
	bench_side(&bench, 2, 0, a, MANY); /* only the baseline reports it */
	comparison = bench_judge(&bench);
	assert_int_equal(bench.findings.comparison_count, 2);
	assert_int_equal(comparison[1].metric, 2);
	assert_int_equal(comparison[1].verdict, VERDICT_UNDECIDED);
	assert_int_equal(comparison[1].reason, REASON_FLOOR);
	assert_true(isnan(comparison[1].change) && isnan(comparison[1].other.mean));
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_known_figures_come_out),
		cmocka_unit_test(against_itself_is_no_difference),
		cmocka_unit_test(swapping_the_sides_mirrors),
		cmocka_unit_test(the_unit_does_not_matter),
		cmocka_unit_test(higher_may_be_better),
		cmocka_unit_test(few_pairs_decide_nothing),
		cmocka_unit_test(few_pairs_are_a_sentence),
		cmocka_unit_test(identical_samples_are_exactly_equal_or_exactly_different),
		cmocka_unit_test(a_coarse_clock_limits),
		cmocka_unit_test(dither_is_the_same_at_every_look),
		cmocka_unit_test(the_margin_comes_before_the_direction),
		cmocka_unit_test(undecided_says_what_is_excluded),
		cmocka_unit_test(zeros_are_compared_as_differences),
		cmocka_unit_test(a_tick_or_none_is_limited_by_the_clock),
		cmocka_unit_test(negative_values_are_compared_as_differences),
		cmocka_unit_test(a_count_of_nothing_is_compared_in_its_unit),
		cmocka_unit_test(a_wandering_effect_is_unstable),
		cmocka_unit_test(a_drifting_effect_keeps_what_every_part_shows),
		cmocka_unit_test(parts_of_a_drifting_effect_can_be_bounded),
		cmocka_unit_test(machine_drift_cancels),
		cmocka_unit_test(a_constant_metric_that_is_missing_is_no_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
