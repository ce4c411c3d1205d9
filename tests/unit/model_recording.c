/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording grows columns and rows without losing values, and its views leave out what they say.
 */
#include <math.h>
#include <stdio.h>

#include "model/codec.h"
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

enum { BULK_METRICS = 2, BULK_SUBJECTS = 2 };

/* Two metrics of two subjects, with gaps and columns that end early. */
static const double bulk_columns[BULK_SUBJECTS][BULK_METRICS][4] = {
	{ { 1, 2, NAN, 4 }, { 10, NAN, 30, 40 } },
	{ { 5, 6, 7, NAN }, { 50, 60, 70, 80 } },
};
static const size_t bulk_counts[BULK_SUBJECTS][BULK_METRICS] = { { 4, 3 }, { 4, 2 } };

static void declare(struct arena *arena, struct recording *recording)
{
	recording->plan.subjects = arena_alloc(arena, BULK_SUBJECTS, sizeof(struct subject));
	recording->plan.subject_count = BULK_SUBJECTS;
	recording_add_metric(arena, recording, &(struct metric){ .name = "real", .unit = "s" });
	recording_add_metric(arena, recording, &(struct metric){ .name = "sys", .unit = "s" });
}

static struct recording in_bulk(struct arena *arena)
{
	struct recording recording = { 0 };
	size_t subject, metric;

	declare(arena, &recording);
	recording_make_bulk(arena, &recording);
	for (subject = 0; subject < BULK_SUBJECTS; subject++) {
		recording.bulks[subject].run_count = 4;
		for (metric = 0; metric < BULK_METRICS; metric++) {
			recording.bulks[subject].values[metric] = bulk_columns[subject][metric];
			recording.bulks[subject].counts[metric] = bulk_counts[subject][metric];
		}
	}
	return recording;
}

static struct recording as_samples(struct arena *arena)
{
	struct recording recording = { 0 };
	uint32_t subject, run;
	size_t metric;

	declare(arena, &recording);
	for (subject = 0; subject < BULK_SUBJECTS; subject++)
		for (run = 0; run < 4; run++) {
			struct sample *sample = add(arena, &recording, run, subject, NAN);

			sample->position = subject;
			for (metric = 0; metric < BULK_METRICS; metric++)
				if (run < bulk_counts[subject][metric])
					sample->values[metric] = bulk_columns[subject][metric][run];
		}
	return recording;
}

static void assert_same_series(struct series one, struct series other)
{
	assert_int_equal(one.count, other.count);
	assert_int_equal(one.missing, other.missing);
	assert_int_equal(one.failed, other.failed);
	assert_memory_equal(one.values, other.values, one.count * sizeof *one.values);
}

static void assert_same_pairs(struct pairs one, struct pairs other)
{
	assert_int_equal(one.count, other.count);
	assert_int_equal(one.rounds_without_pair, other.rounds_without_pair);
	assert_memory_equal(one.baseline, other.baseline, one.count * sizeof *one.baseline);
	assert_memory_equal(one.candidate, other.candidate, one.count * sizeof *one.candidate);
	assert_memory_equal(one.rounds, other.rounds, one.count * sizeof *one.rounds);
	assert_memory_equal(one.baseline_first, other.baseline_first,
			    one.count * sizeof *one.baseline_first);
}

static void runs_in_bulk_read_as_samples_do(void **state)
{
	struct arena *arena = arena_open();
	struct recording bulk = in_bulk(arena), samples = as_samples(arena);
	size_t metric, subject, rounds;

	(void)state;
	for (metric = 0; metric < BULK_METRICS; metric++)
		for (rounds = 0; rounds < 6; rounds++) {
			for (subject = 0; subject < BULK_SUBJECTS; subject++)
				assert_same_series(
				    series_make(arena, &bulk, metric, subject, rounds),
				    series_make(arena, &samples, metric, subject, rounds));
			assert_same_pairs(pairs_make(arena, &bulk, metric, 1, rounds),
					  pairs_make(arena, &samples, metric, 1, rounds));
		}
	arena_close(arena);
}

static void runs_in_bulk_are_told_as_samples_are(void **state)
{
	struct arena *arena = arena_open();
	struct recording bulk = in_bulk(arena), samples = as_samples(arena);
	double values[3];
	struct text one = { 0 }, other = { 0 };
	struct json *json;
	struct sample run;

	(void)state;
	json = recording_to_json(&bulk);
	json_print(json, true, &one);
	json_release(json);
	json = recording_to_json(&samples);
	json_print(json, true, &other);
	json_release(json);
	assert_string_equal(text_string(&one), text_string(&other));
	assert_int_equal(recording_run_count(&bulk), 8);
	assert_int_equal(recording_bulk_runs(&bulk, 1), 4);
	assert_int_equal(recording_bulk_runs(&samples, 1), 0);
	/* A metric that comes later is a column of missing values. */
	recording_add_metric(arena, &bulk, &(struct metric){ .name = "late", .unit = "" });
	run = recording_run(&bulk, 5, values);
	assert_true(run.subject == 1 && run.round == 1 && run.values[0] == 6);
	assert_true(run.values[1] == 60 && isnan(run.values[2]));
	text_release(&one);
	text_release(&other);
	arena_close(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_can_come_late),
		cmocka_unit_test(a_failed_run_gives_no_pair),
		cmocka_unit_test(round_numbers_may_be_huge_and_out_of_order),
		cmocka_unit_test(runs_in_bulk_read_as_samples_do),
		cmocka_unit_test(runs_in_bulk_are_told_as_samples_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
