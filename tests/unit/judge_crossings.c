/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Crossings of a candidate's effect along a factor, from runs that were made around a known one. */
#include <math.h>

#include "judge_bench.h"

enum { ROUNDS = 24, LEVELS = 5 };

static const char *const bytes[LEVELS] = { "0", "8192", "65536", "262144", "1048576" };
static const char *const words[LEVELS] = { "none", "few", "some", "more", "most" };

/* A baseline and a candidate for each level; costs are the candidate's log ratios there. Rounds
 * share a factor, as a busy machine has it, and the runs have noise of 1%. */
static struct bench made(const double *costs, const char *const *levels, enum better better)
{
	struct bench bench = bench_open(2 * LEVELS);
	size_t wall = bench_metric(&bench, "wall", "s", better, 0), round, i;
	struct random random = { 5 };

	bench.recording.plan.rounds = ROUNDS;
	bench.recording.rounds_done = ROUNDS;
	bench.recording.plan.peek = false;
	for (i = 0; i < 2 * LEVELS; i++) {
		struct subject *subject = &bench.recording.plan.subjects[i];

		subject->levels = arena_alloc(bench.arena, 1, sizeof *subject->levels);
		subject->levels[0] = (struct level){ "footprint", levels[i / 2], false };
		subject->level_count = 1;
		subject->baseline = i / 2 * 2;
	}
	for (round = 0; round < ROUNDS; round++) {
		double shared = exp(0.3 * random_unit(&random));

		for (i = 0; i < 2 * LEVELS; i++) {
			double cost = i % 2 == 0 ? 0 : costs[i / 2];
			struct sample *sample = bench_add(&bench, (uint32_t)round, (uint32_t)i);

			sample->position = (uint32_t)i;
			sample->values[wall] =
			    shared * exp((better == BETTER_HIGHER ? -cost : cost) +
					 0.02 * (random_unit(&random) - 0.5));
		}
	}
	judge_recording(bench.arena, &bench.recording, &bench.findings);
	return bench;
}

static void is_the_known_one(const struct bench *bench)
{
	const struct crossing *crossing = &bench->findings.crossings[0];
	double place = 65536 * 2; /* halfway between logarithms of 64 and 256 KiB */

	assert_int_equal(bench->findings.crossing_count, 1);
	assert_int_equal(crossing->kind, CROSSING_SHOWN);
	assert_int_equal(crossing->subject, 1);
	assert_string_equal(crossing->factor, "footprint");
	assert_int_equal(crossing->before, 1);
	assert_int_equal(crossing->after, -1);
	assert_int_equal(crossing->rounds, ROUNDS);
	assert_float_equal(crossing->level, 0.05 / LEVELS, 1e-12);
	assert_true(65536 < crossing->low && crossing->low < place);
	assert_true(place < crossing->high && crossing->high < 262144);
	assert_true(crossing->low < crossing->estimate && crossing->estimate < crossing->high);
}

static const double falling[LEVELS] = { 0.06, 0.05, 0.02, -0.02, -0.03 };

static void a_crossing_is_found(void **state)
{
	struct bench bench = made(falling, bytes, BETTER_LOWER);

	(void)state;
	is_the_known_one(&bench);
	bench_close(&bench);
}

/* Costs are costs, whatever is measured. */
static void a_rate_crosses_as_a_time_does(void **state)
{
	struct bench bench = made(falling, bytes, BETTER_HIGHER);

	(void)state;
	is_the_known_one(&bench);
	bench_close(&bench);
}

static void no_crossing_is_told_where_there_is_none(void **state)
{
	static const double costs[LEVELS] = { -0.06, -0.05, -0.02, -0.02, -0.03 };
	struct bench bench = made(costs, bytes, BETTER_LOWER);

	(void)state;
	assert_int_equal(bench.findings.crossing_count, 1);
	assert_int_equal(bench.findings.crossings[0].kind, CROSSING_NONE);
	assert_int_equal(bench.findings.crossings[0].before, -1);
	bench_close(&bench);
}

/* The same thing against itself. */
static void the_same_twice_shows_no_sign(void **state)
{
	static const double costs[LEVELS] = { 0 };
	struct bench bench = made(costs, bytes, BETTER_LOWER);

	(void)state;
	assert_int_equal(bench.findings.crossing_count, 1);
	assert_int_equal(bench.findings.crossings[0].kind, CROSSING_OPEN);
	assert_true(isinf(bench.findings.crossings[0].low));
	assert_true(isinf(bench.findings.crossings[0].high));
	bench_close(&bench);
}

static void words_have_no_places(void **state)
{
	struct bench bench = made(falling, words, BETTER_LOWER);

	(void)state;
	assert_int_equal(bench.findings.crossing_count, 0);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crossing_is_found),
		cmocka_unit_test(a_rate_crosses_as_a_time_does),
		cmocka_unit_test(no_crossing_is_told_where_there_is_none),
		cmocka_unit_test(the_same_twice_shows_no_sign),
		cmocka_unit_test(words_have_no_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
