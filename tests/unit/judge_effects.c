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

/* Log ratios of four levels in twelve rounds, and what R makes of them: the slopes by lm(), their
 * location by wilcox.test(conf.int = TRUE, conf.level = 1 - 0.05/4), four claims sharing 5%. */
static const double sloping[12][4] = {
	{ -0.1084, -0.1308, -0.1418, -0.1751 }, { -0.0862, -0.1216, -0.1529, -0.1850 },
	{ -0.1126, -0.1307, -0.1358, -0.1826 }, { -0.0993, -0.1214, -0.1350, -0.1664 },
	{ -0.0829, -0.1260, -0.1566, -0.1495 }, { -0.1060, -0.1418, -0.1585, -0.1730 },
	{ -0.1047, -0.1176, -0.1468, -0.1657 }, { -0.1064, -0.1226, -0.1389, -0.1460 },
	{ -0.1029, -0.1110, -0.1278, -0.1696 }, { -0.0986, -0.1106, -0.1378, -0.1594 },
	{ -0.0877, -0.1053, -0.1352, -0.1739 }, { -0.1080, -0.1129, -0.1405, -0.1696 },
};

static struct bench trend(const char *const *levels, bool ordered, double turn)
{
	struct bench bench = bench_open(8);
	size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 0), round, i;
	struct plan *plan = &bench.recording.plan;

	plan->rounds = bench.recording.rounds_done = 12;
	plan->peek = false;
	for (i = 0; i < 8; i++) {
		plan->subjects[i].levels =
		    arena_alloc(bench.arena, 1, sizeof *plan->subjects[i].levels);
		plan->subjects[i].levels[0] = (struct level){ "n", levels[i / 2], ordered };
		plan->subjects[i].level_count = 1;
		plan->subjects[i].baseline = i / 2 * 2;
	}
	for (round = 0; round < 12; round++)
		for (i = 0; i < 8; i++) {
			struct sample *sample = bench_add(&bench, (uint32_t)round, (uint32_t)i);

			sample->position = (uint32_t)i;
			sample->values[wall] =
			    i % 2 == 0 ? 1.5 : 1.5 * exp(turn * sloping[round][i / 2]);
		}
	judge_recording(bench.arena, &bench.recording, &bench.findings);
	return bench;
}

static bool has_trend(const struct bench *bench)
{
	size_t i;

	for (i = 0; i < bench->findings.effect_count; i++)
		if (bench->findings.effects[i].kind == EFFECT_TREND)
			return true;
	return false;
}

static void a_trend_is_what_r_makes_of_it(void **state)
{
	static const char *const numbers[] = { "1", "2", "4", "8" };
	static const char *const words[] = { "-O0", "-O1", "-O2", "-O3" };
	struct bench bench = trend(numbers, false, 1), named = trend(words, true, 1);
	struct bench unsaid = trend(words, false, 1), back = trend(numbers, false, -1);
	const struct effect *found = find(&bench, EFFECT_TREND, NULL);

	(void)state;
	assert_near(found->change, -0.0212778629744, 1e-10);
	assert_near(found->change_low, -0.0266436252697, 1e-10);
	assert_near(found->change_high, -0.0174853260184, 1e-10);
	assert_true(found->real);
	assert_near(find(&named, EFFECT_TREND, NULL)->change, found->change, 1e-12);
	assert_false(has_trend(&unsaid));
	assert_near(find(&back, EFFECT_TREND, NULL)->change, 1 / (1 + found->change) - 1, 1e-10);
	bench_close(&bench);
	bench_close(&named);
	bench_close(&unsaid);
	bench_close(&back);
}

static void the_same_has_no_trend(void **state)
{
	static const char *const numbers[] = { "1", "2", "4", "8" };
	struct bench bench = trend(numbers, false, 0);

	(void)state;
	assert_true(find(&bench, EFFECT_TREND, NULL)->change == 0);
	assert_false(find(&bench, EFFECT_TREND, NULL)->real);
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
		cmocka_unit_test(a_trend_is_what_r_makes_of_it),
		cmocka_unit_test(the_same_has_no_trend),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
