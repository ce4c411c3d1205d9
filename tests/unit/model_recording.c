/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording grows columns and rows without losing values, and its views leave out what they say.
 */
#include <math.h>
#include <stdio.h>

#include "model/series.h"
#include "unit.h"

static struct sample *add(struct arena *arena, struct recording *recording, uint32_t round,
			  uint32_t subject, double value)
{
	struct sample *sample = recording_add_sample(arena, recording);

	sample->round = round;
	sample->subject = subject;
	sample->values[0] = value;
	return sample;
}

static void columns_can_come_late(void **state)
{
	struct arena *arena = arena_open();
	struct recording recording = { 0 };
	char name[16];
	int i;

	(void)state;
	recording_add_metric(arena, &recording, &(struct metric){ .name = "wall", .unit = "s" });
	add(arena, &recording, 0, 0, 1.5);
	for (i = 0; i < 40; i++) {
		snprintf(name, sizeof name, "m%d", i);
		recording_add_metric(
		    arena, &recording,
		    &(struct metric){ .name = arena_strdup(arena, name), .unit = "" });
	}
	assert_true(recording.samples[0].values[0] == 1.5);
	for (i = 1; i <= 40; i++)
		assert_true(isnan(recording.samples[0].values[i]));
	assert_int_equal(recording_metric(&recording, "m39"), 40);
	arena_close(arena);
}

static void a_failed_run_gives_no_pair(void **state)
{
	struct arena *arena = arena_open();
	struct recording recording = { 0 };
	struct pairs pairs;
	struct series series;

	(void)state;
	recording_add_metric(arena, &recording, &(struct metric){ .name = "wall", .unit = "s" });
	add(arena, &recording, 0, 0, 9)->flags = SAMPLE_WARMUP;
	add(arena, &recording, 0, 1, 2);
	add(arena, &recording, 0, 0, 1);
	add(arena, &recording, 1, 0, 3)->flags = SAMPLE_FAILED;
	add(arena, &recording, 1, 1, 4);
	add(arena, &recording, 2, 0, 5);
	add(arena, &recording, 2, 1, NAN);
	pairs = pairs_make(arena, &recording, 0, 1, SIZE_MAX);
	assert_int_equal(pairs.count, 1);
	assert_int_equal(pairs.rounds_without_pair, 2);
	assert_true(pairs.baseline[0] == 1 && pairs.candidate[0] == 2);
	assert_false(pairs.baseline_first[0]);
	series = series_make(arena, &recording, 0, 0, SIZE_MAX);
	assert_int_equal(series.count, 2);
	assert_int_equal(series.failed, 1);
	arena_close(arena);
}

static void round_numbers_may_be_huge_and_out_of_order(void **state)
{
	struct arena *arena = arena_open();
	struct recording recording = { 0 };
	struct pairs pairs;

	(void)state;
	recording_add_metric(arena, &recording, &(struct metric){ .name = "wall", .unit = "s" });
	add(arena, &recording, UINT32_MAX, 1, 8);
	add(arena, &recording, UINT32_MAX, 0, 7);
	add(arena, &recording, 5, 0, 1);
	add(arena, &recording, 5, 1, 2);
	add(arena, &recording, 3, 1, 4);
	add(arena, &recording, 3, 0, NAN);
	add(arena, &recording, 0x40000000, 0, NAN);
	add(arena, &recording, 0x40000000, 1, NAN);
	pairs = pairs_make(arena, &recording, 0, 1, SIZE_MAX);
	assert_int_equal(pairs.count, 2);
	assert_int_equal(pairs.rounds_without_pair, 1);
	assert_true(pairs.rounds[0] == 5 && pairs.rounds[1] == UINT32_MAX);
	assert_true(pairs.baseline[1] == 7 && pairs.candidate[1] == 8);
	assert_true(pairs.baseline_first[0] && !pairs.baseline_first[1]);
	pairs = pairs_make(arena, &recording, 0, 1, 6);
	assert_int_equal(pairs.count, 1);
	arena_close(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_can_come_late),
		cmocka_unit_test(a_failed_run_gives_no_pair),
		cmocka_unit_test(round_numbers_may_be_huge_and_out_of_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
