/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers at a rate against tests/oracle/exchange.csv, where they were worked out again in R. */
#include "judge_bench.h"
#include "oracle.h"

/* R sorts the same pairs, so what remains is rounding. */
static const double relative = 1e-9, absolute = 1e-11;

static void take_side(struct oracle *oracle, struct bench *bench, size_t metric, uint32_t subject,
		      size_t n)
{
	double *values = arena_alloc(bench->arena, n, sizeof *values);
	size_t i;

	for (i = 0; i < n; i++)
		values[i] = oracle_number(oracle);
	bench_side(bench, metric, subject, values, n);
}

/* The terms of a row as metrics, and the rate that names them. */
static const char *take_terms(struct oracle *oracle, struct bench *bench, size_t n, size_t count)
{
	const char *rate = "";
	size_t k;

	for (k = 0; k < count; k++) {
		const char *name = k == 0 ? "wall" : arena_printf(bench->arena, "term %zu", k);
		double share = oracle_number(oracle);
		enum better better = oracle_number(oracle) < 0 ? BETTER_HIGHER : BETTER_LOWER;
		size_t metric = bench_metric(bench, name, "s", better, 0);

		bench->recording.metrics[metric].exact = oracle_number(oracle) != 0;
		take_side(oracle, bench, metric, 0, n);
		take_side(oracle, bench, metric, 1, n);
		rate = arena_printf(bench->arena, "%s%s%.17g%% %s", rate, k > 0 ? " = " : "",
				    share * 100, name);
	}
	return rate;
}

static void check_case(struct oracle *oracle)
{
	struct bench bench = bench_open(2);
	struct judge_questions questions = { 0 };
	const struct comparison *found;
	struct error err = { 0 };
	size_t n, count;

	bench.recording.plan.margin_ratio = oracle_number(oracle);
	bench.recording.plan.confidence = 1 - oracle_number(oracle);
	n = (size_t)oracle_number(oracle);
	count = (size_t)oracle_number(oracle);
	questions.worth = take_terms(oracle, &bench, n, count);
	bench_all_at_once(&bench);
	judge_recording(bench.arena, &bench.recording, &bench.findings);
	if (!judge_answer(bench.arena, &bench.recording, &questions, &bench.findings, &err))
		fail_msg("row %zu: %s: %s", oracle->row, questions.worth, err.sentence);
	assert_int_equal(bench.findings.exchanged_count, 1);
	assert_int_equal(bench.findings.exchanged[0].metrics, count);
	found = &bench.findings.exchanged[0].comparison;
	oracle_check(oracle, "change", found->change, relative, absolute);
	oracle_check(oracle, "low", found->change_low, relative, absolute);
	oracle_check(oracle, "high", found->change_high, relative, absolute);
	oracle_check(oracle, "verdict", found->verdict, 0, 0);
	bench_close(&bench);
}

static void exchanging_agrees_with_r(void **state)
{
	struct oracle oracle = oracle_open("exchange");
	size_t count = 0;

	(void)state;
	for (; oracle_next(&oracle) != NULL; count++)
		check_case(&oracle);
	assert_int_equal(count, 180);
	oracle_close(&oracle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exchanging_agrees_with_r),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
