/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Effects over the cells of a design, against what the values were made from. */
#include <math.h>

#include "judge_bench.h"

enum { ROUNDS = 60 };

static const struct level *levels_of(size_t cell, struct bench *bench)
{
	struct level *levels = arena_alloc(bench->arena, 2, sizeof *levels);

	levels[0] = (struct level){ "mode", cell / 2 == 0 ? "serial" : "parallel" };
	levels[1] = (struct level){ "size", cell % 2 == 0 ? "1k" : "64k" };
	return levels;
}

/* Four cells, a baseline and a candidate each. The candidate takes serial times as long in the
 * cells of that mode, parallel times in the others; baselines take 1, 2, 3 and 4 s; noise is a
 * factor that both share and one of 1% of their own. */
static struct bench design(double serial, double parallel, uint64_t seed)
{
	struct bench bench = bench_open(8);
	struct random random = { seed };
	size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 0), round, i;

	bench.recording.plan.rounds = ROUNDS;
	bench.recording.rounds_done = ROUNDS;
	bench.recording.plan.peek = false;
	for (i = 0; i < 8; i++) {
		bench.recording.plan.subjects[i].levels = (struct level *)levels_of(i / 2, &bench);
		bench.recording.plan.subjects[i].level_count = 2;
		bench.recording.plan.subjects[i].baseline = i / 2 * 2;
	}
	for (round = 0; round < ROUNDS; round++) {
		double shared = exp(0.2 * random_unit(&random));

		for (i = 0; i < 8; i++) {
			double effect = i % 2 == 0 ? 1 : i < 4 ? serial : parallel;
			struct sample *sample = bench_add(&bench, (uint32_t)round, (uint32_t)i);

			sample->position = (uint32_t)i;
			sample->values[wall] = (double)(i / 2 + 1) * effect * shared *
					       exp(0.02 * (random_unit(&random) - 0.5));
		}
	}
	judge_recording(bench.arena, &bench.recording, &bench.findings);
	return bench;
}

static const struct effect *find(const struct bench *bench, enum effect_kind kind,
				 const char *level)
{
	size_t i;

	for (i = 0; i < bench->findings.effect_count; i++) {
		const struct effect *effect = &bench->findings.effects[i];

		if (effect->kind == kind && (level == NULL || strcmp(effect->level, level) == 0))
			return effect;
	}
	fail_msg("no such effect");
	return NULL;
}

static void is_about(const struct effect *effect, double change, double within)
{
	assert_true(effect->change_low < change && change < effect->change_high);
	assert_float_equal(effect->change, change, within);
	assert_int_equal(effect->rounds, ROUNDS);
}

static void a_factor_that_changes_the_effect_is_found(void **state)
{
	struct bench bench = design(0.88, 0.72, 1);

	(void)state;
	is_about(find(&bench, EFFECT_LEVEL, "serial"), -0.12, 0.003);
	is_about(find(&bench, EFFECT_LEVEL, "parallel"), -0.28, 0.003);
	is_about(find(&bench, EFFECT_POOLED, NULL), sqrt(0.88 * 0.72) - 1, 0.003);
	is_about(find(&bench, EFFECT_INTERACTION, "parallel"), 0.72 / 0.88 - 1, 0.003);
	assert_true(find(&bench, EFFECT_INTERACTION, "parallel")->real);
	assert_int_equal(find(&bench, EFFECT_INTERACTION, "parallel")->cells, 2);
	assert_false(find(&bench, EFFECT_INTERACTION, "64k")->real);
	assert_int_equal(find(&bench, EFFECT_POOLED, NULL)->cells, 4);
	bench_close(&bench);
}

/* Each subject relative to the first baseline; the rounds' shared factor cancels. */
static void cells_are_relative_to_the_first(void **state)
{
	struct bench bench = design(0.5, 2, 2);
	size_t seen = 0, i;

	(void)state;
	for (i = 0; i < bench.findings.effect_count; i++) {
		const struct effect *effect = &bench.findings.effects[i];
		double expected = (double)(effect->subject / 2 + 1);

		if (effect->kind != EFFECT_CELL)
			continue;
		if (effect->subject % 2 == 1)
			expected *= effect->subject < 4 ? 0.5 : 2;
		is_about(effect, expected - 1, 0.02);
		seen++;
	}
	assert_int_equal(seen, 7);
	bench_close(&bench);
}

/* No interaction, many times: at most the share of false ones that is promised (95% in all, two
 * interactions a design; 200 designs, so 10 expected, 20 is beyond 0.1%). */
static void interactions_that_are_not_there_are_seldom_claimed(void **state)
{
	size_t claimed = 0;
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= 200; seed++) {
		struct bench bench = design(0.9, 0.9, seed);

		claimed += find(&bench, EFFECT_INTERACTION, "parallel")->real ||
			   find(&bench, EFFECT_INTERACTION, "64k")->real;
		bench_close(&bench);
	}
	assert_in_range(claimed, 0, 20);
}

static void swapping_sides_mirrors(void **state)
{
	struct bench there = design(0.8, 0.5, 5), back = design(1 / 0.8, 2, 5);

	(void)state;
	is_about(find(&there, EFFECT_INTERACTION, "parallel"), 0.5 / 0.8 - 1, 0.01);
	is_about(find(&back, EFFECT_INTERACTION, "parallel"), 0.8 / 0.5 - 1, 0.03);
	bench_close(&there);
	bench_close(&back);
}

/* One pair of commands, and one command that is swept alone, have no design. */
static void without_cells_there_are_no_effects(void **state)
{
	struct bench bench = design(0.8, 0.5, 5);
	size_t i;

	(void)state;
	for (i = 0; i < 8; i++)
		bench.recording.plan.subjects[i].baseline = 0;
	judge_recording(bench.arena, &bench.recording, &bench.findings);
	assert_int_equal(bench.findings.effect_count, 0);
	bench_close(&bench);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_factor_that_changes_the_effect_is_found),
		cmocka_unit_test(cells_are_relative_to_the_first),
		cmocka_unit_test(interactions_that_are_not_there_are_seldom_claimed),
		cmocka_unit_test(swapping_sides_mirrors),
		cmocka_unit_test(without_cells_there_are_no_effects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
