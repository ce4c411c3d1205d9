/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pareto fronts against what the values were made from. */
#include <math.h>

#include "judge_bench.h"

enum { ROUNDS = 40 };

/* One variant: exact bytes, and a time with noise of 1% that all share and some of its own. */
struct variant {
	double bytes, time;
};

static struct bench variants(const struct variant *made, size_t count, size_t cells, uint64_t seed)
{
	struct bench bench = bench_open(count * cells);
	struct random random = { seed };
	size_t bytes = bench_metric(&bench, "bytes", "B", BETTER_LOWER, 1);
	size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 0), round, i;

	bench.recording.metrics[bytes].exact = true;
	bench.recording.plan.rounds = bench.recording.rounds_done = ROUNDS;
	bench.recording.plan.peek = false;
	for (i = 0; i < count * cells; i++)
		bench.recording.plan.subjects[i].baseline = i / count * count;
	for (round = 0; round < ROUNDS; round++) {
		double shared = exp(0.2 * random_unit(&random));

		for (i = 0; i < count * cells; i++) {
			struct sample *sample = bench_add(&bench, (uint32_t)round, (uint32_t)i);

			sample->position = (uint32_t)i;
			sample->values[bytes] = made[i % count].bytes;
			sample->values[wall] = made[i % count].time * shared *
					       (double)(1 + i / count) *
					       exp(0.02 * (random_unit(&random) - 0.5));
		}
	}
	return bench;
}

static void answer(struct bench *bench, const char *pareto)
{
	struct judge_questions questions = { .pareto = pareto };
	struct error err = { 0 };

	judge_recording(bench->arena, &bench->recording, &bench->findings);
	assert_true(judge_questions_check(&questions, &err));
	if (!judge_answer(bench->arena, &bench->recording, &questions, &bench->findings, &err))
		fail_msg("%s", err.sentence);
}

static const struct variant five[] = {
	{ 100, 3.0 }, { 120, 2.5 }, { 150, 2.6 }, { 200, 2.0 }, { 220, 2.2 },
};

static void check_five(const struct front *front)
{
	static const enum front_place places[] = { PLACE_FRONT, PLACE_FRONT, PLACE_DOMINATED,
						   PLACE_FRONT, PLACE_DOMINATED };
	size_t i;

	assert_int_equal(front->point_count, 5);
	for (i = 0; i < 5; i++)
		assert_int_equal(front->points[i].place, places[i]);
	assert_int_equal(front->points[2].other, 1);
	assert_int_equal(front->points[4].other, 3);
	assert_float_equal(front->points[3].change[0], 1, 1e-12);
	assert_float_equal(front->points[3].change[1], 2.0 / 3 - 1, 0.005);
	assert_true(front->points[3].change_low[1] < 2.0 / 3 - 1);
	assert_true(front->points[3].change_high[1] > 2.0 / 3 - 1);
}

static void a_front_is_found(void **state)
{
	struct bench bench = variants(five, 5, 1, 1);

	(void)state;
	answer(&bench, "bytes,wall");
	assert_int_equal(bench.findings.front_count, 1);
	check_five(&bench.findings.fronts[0]);
	bench_close(&bench);
}

/* All cells together come first; the same variants lie on each front. */
static void several_cells_have_a_front_together_and_each(void **state)
{
	struct bench bench = variants(five, 5, 3, 2);
	size_t i;

	(void)state;
	answer(&bench, "bytes,wall");
	assert_int_equal(bench.findings.front_count, 4);
	assert_int_equal(bench.findings.fronts[0].cells, 3);
	assert_int_equal(bench.findings.fronts[0].rounds, ROUNDS);
	check_five(&bench.findings.fronts[0]);
	for (i = 1; i < 4; i++) {
		assert_int_equal(bench.findings.fronts[i].cells, 1);
		assert_int_equal(bench.findings.fronts[i].points[0].place, PLACE_FRONT);
		assert_int_equal(bench.findings.fronts[i].points[2].place, PLACE_DOMINATED);
	}
	bench_close(&bench);
}

/* A command swept alone: nothing is compared, and yet there is a front of its levels. */
static void a_lone_sweep_is_one_cell(void **state)
{
	struct bench bench = variants(five, 5, 1, 3);
	size_t i;

	(void)state;
	for (i = 0; i < 5; i++)
		bench.recording.plan.subjects[i].baseline = i;
	answer(&bench, "bytes,wall");
	assert_int_equal(bench.findings.front_count, 1);
	check_five(&bench.findings.fronts[0]);
	bench_close(&bench);
}

/* Metrics exchanged: the same places. */
static void exchanged_metrics_mirror(void **state)
{
	struct bench bench = variants(five, 5, 1, 4);
	const struct front *front, *back;
	size_t i;

	(void)state;
	answer(&bench, "bytes,wall");
	front = &bench.findings.fronts[0];
	answer(&bench, "wall,bytes");
	back = &bench.findings.fronts[0];
	for (i = 0; i < 5; i++) {
		assert_int_equal(front->points[i].place, back->points[i].place);
		assert_int_equal(front->points[i].other, back->points[i].other);
		assert_true(front->points[i].change[0] == back->points[i].change[1]);
	}
	bench_close(&bench);
}

/* The same thing several times: nobody dominates anybody, and nobody is placed by chance in more
 * than 5% of experiments (200 of them: 10 expected, 20 is beyond 0.1%). */
static void equals_are_not_placed(void **state)
{
	struct variant same[4];
	size_t wrong = 0, i;
	uint64_t seed;

	(void)state;
	for (i = 0; i < 4; i++)
		same[i] = (struct variant){ 100, 1 };
	for (seed = 1; seed <= 200; seed++) {
		struct bench bench = variants(same, 4, 1, seed);
		bool placed = false;

		/* No margin: nothing is called equivalent. */
		bench.recording.plan.margin_ratio = 0;
		answer(&bench, "bytes,wall");
		for (i = 0; i < 4; i++)
			placed = placed || bench.findings.fronts[0].points[i].place != PLACE_UNTOLD;
		wrong += placed;
		bench_close(&bench);
	}
	assert_in_range(wrong, 0, 20);
}

/* What is within the margin counts as equal: the smaller one dominates; and two alike both stay. */
static void the_margin_makes_equal(void **state)
{
	static const struct variant made[] = { { 100, 1 }, { 130, 1.001 }, { 100, 1.0005 } };
	struct bench bench = variants(made, 3, 1, 6);
	const struct front_point *points;

	(void)state;
	bench.recording.plan.margin_ratio = 0.02;
	answer(&bench, "bytes,wall");
	points = bench.findings.fronts[0].points;
	assert_int_equal(points[0].place, PLACE_FRONT);
	assert_int_equal(points[1].place, PLACE_DOMINATED);
	assert_int_equal(points[1].others, 2);
	assert_int_equal(points[2].place, PLACE_FRONT);
	bench_close(&bench);
}

static void refuses(const char *pareto, const char *part)
{
	struct bench bench = variants(five, 5, 1, 7);
	struct judge_questions questions = { .pareto = pareto };
	struct error err = { 0 };

	judge_recording(bench.arena, &bench.recording, &bench.findings);
	if (judge_questions_check(&questions, &err))
		assert_false(
		    judge_answer(bench.arena, &bench.recording, &questions, &bench.findings, &err));
	assert_contains(err.sentence, part);
	assert_int_equal(bench.findings.front_count, 0);
	bench_close(&bench);
}

static void bad_questions_are_refused(void **state)
{
	(void)state;
	refuses("bytes", "two metrics with a comma");
	refuses(",wall", "two metrics with a comma");
	refuses("wall,", "two metrics with a comma");
	refuses("a,b,c", "two metrics with a comma");
	refuses("wall,wall", "'wall' twice");
	refuses("byte,wall", "did you mean 'bytes'");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_front_is_found),
		cmocka_unit_test(several_cells_have_a_front_together_and_each),
		cmocka_unit_test(a_lone_sweep_is_one_cell),
		cmocka_unit_test(exchanged_metrics_mirror),
		cmocka_unit_test(equals_are_not_placed),
		cmocka_unit_test(the_margin_makes_equal),
		cmocka_unit_test(bad_questions_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
