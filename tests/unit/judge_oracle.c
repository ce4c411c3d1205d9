/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole judgements against tests/oracle/judge.csv, where the pipeline was written again in R. */
#include "judge_bench.h"
#include "oracle.h"

/* R's uniroot is not used without ties, so what remains is rounding. */
static const double relative = 1e-9, absolute = 1e-11;

/* What precedes the values in a row. */
struct question {
	double quantum, sign, margin, alpha;
	uint64_t seed;
	double *a, *b;
	size_t a_count, b_count;
};

static struct question ask(struct oracle *oracle)
{
	struct question question;

	question.quantum = oracle_number(oracle);
	question.seed = (uint64_t)oracle_number(oracle);
	question.sign = oracle_number(oracle);
	question.margin = oracle_number(oracle);
	question.alpha = oracle_number(oracle);
	question.a = oracle_array(oracle, &question.a_count);
	question.b = oracle_array(oracle, &question.b_count);
	return question;
}

static struct bench bench_of(const struct question *question, bool paired)
{
	struct bench bench = bench_open(2);
	size_t wall =
	    bench_metric(&bench, "wall", "s", question->sign < 0 ? BETTER_HIGHER : BETTER_LOWER,
			 question->quantum);

	bench.recording.order_known = paired;
	bench.recording.plan.seed = question->seed;
	bench.recording.plan.margin_ratio = question->margin;
	bench.recording.plan.confidence = 1 - question->alpha;
	bench_side(&bench, wall, 0, question->a, question->a_count);
	bench_side(&bench, wall, 1, question->b, question->b_count);
	bench_all_at_once(&bench);
	return bench;
}

static void check_case(struct oracle *oracle, bool paired)
{
	struct question question = ask(oracle);
	struct bench bench = bench_of(&question, paired);
	struct comparison *comparison = bench_judge(&bench);
	double p;

	oracle_check(oracle, "change", comparison->change, relative, absolute);
	oracle_check(oracle, "low", comparison->change_low, relative, absolute);
	oracle_check(oracle, "high", comparison->change_high, relative, absolute);
	p = oracle_number(oracle);
	if (!isnan(p)) /* R has none for ties */
		assert_near(comparison->p, p, 1e-12);
	oracle_check(oracle, "guard", comparison->clock_step_ratio, 1e-12, 0);
	oracle_check(oracle, "verdict", comparison->verdict, 0, 0);
	if (!paired) {
		oracle_check(oracle, "welch low", comparison->welch_low, relative, absolute);
		oracle_check(oracle, "welch high", comparison->welch_high, relative, absolute);
		oracle_check(oracle, "welch p", comparison->welch_p, 1e-8, 1e-300);
	}
	free(question.a);
	free(question.b);
	bench_close(&bench);
}

static void take_side(struct oracle *oracle, struct bench *bench, size_t metric, uint32_t subject,
		      size_t n)
{
	double *values = arena_alloc(bench->arena, n, sizeof *values);
	size_t i;

	for (i = 0; i < n; i++)
		values[i] = oracle_number(oracle);
	bench_side(bench, metric, subject, values, n);
}

static void check_family(struct oracle *oracle)
{
	size_t n = (size_t)oracle_number(oracle), metrics = (size_t)oracle_number(oracle), k;
	struct bench bench = bench_open(2);

	bench.recording.plan.confidence = 1 - oracle_number(oracle);
	for (k = 0; k <= metrics; k++) {
		const char *name = k == 0 ? "wall" : arena_printf(bench.arena, "metric %zu", k);
		size_t metric = bench_metric(&bench, name, "s", BETTER_LOWER, 0);

		take_side(oracle, &bench, metric, 0, n);
		take_side(oracle, &bench, metric, 1, n);
	}
	bench_all_at_once(&bench);
	bench_judge(&bench);
	for (k = 1; k <= metrics; k++) {
		struct comparison *comparison = &bench.findings.comparisons[k];

		oracle_check(oracle, "level", comparison->level, 1e-12, 0);
		oracle_check(oracle, "adjusted p", comparison->p_adjusted, 1e-9, 0);
		oracle_check(oracle, "low", comparison->change_low, relative, absolute);
		oracle_check(oracle, "high", comparison->change_high, relative, absolute);
	}
	bench_close(&bench);
}

static void judging_agrees_with_r(void **state)
{
	struct oracle oracle = oracle_open("judge");
	size_t pairs = 0, lists = 0, families = 0;
	const char *what;

	(void)state;
	while ((what = oracle_next(&oracle)) != NULL) {
		if (strcmp(what, "family") == 0) {
			check_family(&oracle);
			families++;
		} else {
			bool paired = strcmp(what, "pairs") == 0;

			check_case(&oracle, paired);
			pairs += paired;
			lists += !paired;
		}
	}
	assert_int_equal(pairs, 220);
	assert_int_equal(lists, 192);
	assert_int_equal(families, 9);
	oracle_close(&oracle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judging_agrees_with_r),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
