/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rates and prices against what the values were made from. */
#include <stdio.h>

#include "judge_bench.h"

enum { ROUNDS = 40 };

/* Text is exact, wall and rss vary together with the round and by themselves. */
static struct bench traded(double wall_ratio, double text_ratio, double rss_ratio)
{
	struct bench bench = bench_open(2);
	struct random random = { 17 };
	size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 0);
	size_t text = bench_metric(&bench, "text", "B", BETTER_LOWER, 1);
	size_t rss = bench_metric(&bench, "max rss", "B", BETTER_LOWER, 0), round, side;

	bench.recording.metrics[text].exact = true;
	bench.recording.plan.rounds = bench.recording.rounds_done = ROUNDS;
	bench.recording.plan.peek = false;
	for (round = 0; round < ROUNDS; round++) {
		double shared = exp(0.2 * random_unit(&random));

		for (side = 0; side < 2; side++) {
			struct sample *sample = bench_add(&bench, (uint32_t)round, (uint32_t)side);

			sample->position = (uint32_t)side;
			sample->values[wall] = (side ? wall_ratio : 1) * shared *
					       exp(0.01 * (random_unit(&random) - 0.5));
			sample->values[text] = side ? 100000 * text_ratio : 100000;
			sample->values[rss] =
			    (side ? rss_ratio : 1) * 1e6 * exp(0.01 * (random_unit(&random) - 0.5));
		}
	}
	return bench;
}

static const struct comparison *at_rate(struct bench *bench, const char *rate)
{
	struct judge_questions questions = { .worth = rate };
	struct error err = { 0 };

	judge_recording(bench->arena, &bench->recording, &bench->findings);
	if (!judge_questions_check(&questions, &err) ||
	    !judge_answer(bench->arena, &bench->recording, &questions, &bench->findings, &err))
		fail_msg("%s", err.sentence);
	assert_int_equal(bench->findings.exchanged_count, 1);
	return &bench->findings.exchanged[0].comparison;
}

/* 3% faster for 10% of text: at 1% = 2% a loss, at 1% = 5% a gain. */
static void the_rate_decides(void **state)
{
	struct bench bench = traded(0.97, 1.10, 1);
	const struct comparison *found = at_rate(&bench, "1% wall = 2% text");
	double expected = 0.97 * pow(1.10, log(1.01) / log(1.02)) - 1;

	(void)state;
	assert_true(found->change_low < expected && expected < found->change_high);
	assert_near(found->change, expected, 0.002);
	assert_int_equal(found->verdict, VERDICT_WORSE);
	found = at_rate(&bench, "1% wall = 5% text");
	assert_int_equal(found->verdict, VERDICT_BETTER);
	found = at_rate(&bench, " 1 %wall=5%text = 3% max rss ");
	assert_int_equal(found->verdict, VERDICT_BETTER);
	bench_close(&bench);
}

/* An exact metric shifts the interval and leaves its width. */
static void what_is_exact_shifts(void **state)
{
	struct bench bench = traded(0.97, 1.10, 1);
	const struct comparison *both = at_rate(&bench, "1% wall = 2% text"), *wall;
	double shift = log(1.10) * log(1.01) / log(1.02);

	(void)state;
	wall = &bench.findings.comparisons[0];
	assert_near(log1p(both->change_low), log1p(wall->change_low) + shift, 1e-12);
	assert_near(log1p(both->change_high), log1p(wall->change_high) + shift, 1e-12);
	bench_close(&bench);
}

static void exchanged_sides_mirror(void **state)
{
	struct bench there = traded(0.97, 1.10, 1.05), back = traded(1 / 0.97, 1 / 1.10, 1 / 1.05);
	const struct comparison *one = at_rate(&there, "1% wall = 2% text = 1% max rss");
	const struct comparison *other = at_rate(&back, "1% wall = 2% text = 1% max rss");

	(void)state;
	assert_near(log1p(one->change), -log1p(other->change), 0.005);
	assert_int_equal(one->verdict, VERDICT_WORSE);
	assert_int_equal(other->verdict, VERDICT_BETTER);
	bench_close(&there);
	bench_close(&back);
}

static void the_same_is_equivalent(void **state)
{
	struct bench bench = traded(1, 1, 1);

	(void)state;
	assert_int_equal(at_rate(&bench, "1% wall = 2% text")->verdict, VERDICT_EQUIVALENT);
	assert_null(bench.findings.trade);
	bench_close(&bench);
}

static void refuses(const char *rate, const char *part)
{
	struct bench bench = traded(0.97, 1.1, 1);
	struct judge_questions questions = { .worth = rate };
	struct error err = { 0 };

	judge_recording(bench.arena, &bench.recording, &bench.findings);
	if (judge_questions_check(&questions, &err))
		assert_false(
		    judge_answer(bench.arena, &bench.recording, &questions, &bench.findings, &err));
	assert_contains(err.sentence, part);
	assert_int_equal(bench.findings.exchanged_count, 0);
	bench_close(&bench);
}

static void bad_rates_are_refused(void **state)
{
	(void)state;
	refuses("", "'1% wall = 2% text'");
	refuses("1% wall", "'1% wall = 2% text'");
	refuses("1% wall = ", "'1% wall = 2% text'");
	refuses("1% wall = 2 text", "'1% wall = 2% text'");
	refuses("0% wall = 2% text", "'1% wall = 2% text'");
	refuses("-1% wall = 2% text", "'1% wall = 2% text'");
	refuses("nan% wall = 2% text", "'1% wall = 2% text'");
	refuses("1% wall = 2% wall", "twice");
	refuses("1% max rss = 2% max-rss", "'max-rss' is there twice");
	refuses("1% wall = 2% tex", "did you mean 'text'");
}

/* 4% of wall time for 10% of text: each 1% costs ln 1.10 / ln 0.96 of it, 2.35% of 100,000 bytes.
 */
static void a_price_is_told(void **state)
{
	struct bench bench = traded(0.96, 1.10, 1);
	double expected = 100000 * expm1(log(1.10) / -log(0.96) * log(1.01)), told, low, high;
	const char *price;
	char unit[8];

	(void)state;
	judge_recording(bench.arena, &bench.recording, &bench.findings);
	assert_contains(bench.findings.trade, "The price: ");
	price = strstr(bench.findings.trade, "The price: ");
	assert_int_equal(sscanf(price,
				"The price: %lf %7s of text for each 1%% of wall time (between "
				"%lf %*s and %lf ",
				&told, unit, &low, &high),
			 4);
	assert_near(told * 1024, expected, expected * 0.05);
	assert_true(low <= told && told <= high && low < high);
	bench_close(&bench);
}

/* Both vary: the interval by ranks holds the price; without a decided speed there is none. */
static void a_price_of_memory_is_told_where_time_is_decided(void **state)
{
	struct bench bench = traded(0.90, 1, 1.2), open = traded(1, 1, 1.2);

	(void)state;
	judge_recording(bench.arena, &bench.recording, &bench.findings);
	assert_contains(bench.findings.trade, "of max rss for each 1% of wall time (between");
	judge_recording(open.arena, &open.recording, &open.findings);
	assert_null(strstr(open.findings.trade, "The price"));
	bench_close(&bench);
	bench_close(&open);
}

/* Who saves both gives nothing for anything, and neither does who costs both. */
static void nothing_has_a_price_that_is_not_traded(void **state)
{
	struct bench saved = traded(0.90, 1, 0.8), paid = traded(1.1, 1, 1.2);

	(void)state;
	judge_recording(saved.arena, &saved.recording, &saved.findings);
	assert_contains(saved.findings.trade, "saves");
	assert_null(strstr(saved.findings.trade, "The price"));
	judge_recording(paid.arena, &paid.recording, &paid.findings);
	assert_contains(paid.findings.trade, "costs");
	assert_null(strstr(paid.findings.trade, "The price"));
	bench_close(&saved);
	bench_close(&paid);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rate_decides),
		cmocka_unit_test(what_is_exact_shifts),
		cmocka_unit_test(exchanged_sides_mirror),
		cmocka_unit_test(the_same_is_equivalent),
		cmocka_unit_test(bad_rates_are_refused),
		cmocka_unit_test(a_price_is_told),
		cmocka_unit_test(a_price_of_memory_is_told_where_time_is_decided),
		cmocka_unit_test(nothing_has_a_price_that_is_not_traded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
