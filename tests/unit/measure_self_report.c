/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines on WORTH_FD become columns and batches; nonsense becomes remarks; hashes of streams. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/output_hash.h"
#include "measure/same_output.h"
#include "measure/self_report.h"
#include "unit.h"

struct fixture {
	struct arena *arena;
	struct recording recording;
	struct sample *sample;
};

static void fixture_init(struct fixture *fixture)
{
	memset(fixture, 0, sizeof *fixture);
	fixture->arena = arena_open();
	recording_add_metric(fixture->arena, &fixture->recording, metric_known("wall"));
}

static void report(struct fixture *fixture, const char *text)
{
	struct self_report lines = { 0 };
	size_t length = strlen(text), half = length / 3;

	self_report_take(&lines, text, half); /* pipes cut anywhere */
	self_report_take(&lines, text + half, length - half);
	fixture->sample = recording_add_sample(fixture->arena, &fixture->recording);
	self_report_read(fixture->arena, &lines, "prog", &fixture->recording, fixture->sample);
	self_report_release(&lines);
}

static double value(const struct fixture *fixture, const char *name)
{
	int column = recording_metric(&fixture->recording, name);

	assert_int_not_equal(column, METRIC_NONE);
	return fixture->sample->values[column];
}

static const struct metric *metric(const struct fixture *fixture, const char *name)
{
	return &fixture->recording.metrics[recording_metric(&fixture->recording, name)];
}

static bool remarked(const struct fixture *fixture, const char *part)
{
	size_t i;

	for (i = 0; i < fixture->recording.remark_count; i++)
		if (strstr(fixture->recording.remarks[i], part) != NULL)
			return true;
	return false;
}

static void lines_become_columns(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_init(&fixture);
	report(&fixture,
	       "latency 14.25 us\nops\t-2e3  - higher\r\n\n  speed 5 req/s\nlast 1 s lower");
	assert_true(value(&fixture, "latency") == 14.25 * 1e-6);
	assert_string_equal(metric(&fixture, "latency")->unit, "s");
	assert_int_equal(metric(&fixture, "latency")->better, BETTER_LOWER);
	assert_true(value(&fixture, "ops") == -2000);
	assert_string_equal(metric(&fixture, "ops")->unit, "");
	assert_int_equal(metric(&fixture, "ops")->better, BETTER_HIGHER);
	assert_int_equal(metric(&fixture, "speed")->better, BETTER_HIGHER);
	assert_int_equal(metric(&fixture, "speed")->source, SOURCE_REPORTED);
	assert_true(value(&fixture, "last") == 1);
	assert_true(isnan(fixture.sample->values[0]));
	assert_int_equal(fixture.recording.remark_count, 0);
	assert_int_equal(fixture.sample->batch_count, 0);
	arena_close(fixture.arena);
}

static void repeated_names_are_batches(void **state)
{
	struct fixture fixture;
	const struct batch *batches;

	(void)state;
	fixture_init(&fixture);
	report(&fixture, "t 4 s\nt 1 s\nonce 9 s\nt 2 s\nt 10 s\n");
	assert_true(value(&fixture, "t") == 3);
	assert_true(value(&fixture, "once") == 9);
	assert_int_equal(fixture.sample->batch_count, 4);
	batches = fixture.sample->batches;
	assert_true(batches[0].value == 4 && batches[1].value == 1 && batches[3].value == 10);
	report(&fixture, "t 5 s\nt 7 s\nt 6 s\n");
	assert_true(value(&fixture, "t") == 6);
	assert_true(isnan(value(&fixture, "once")));
	arena_close(fixture.arena);
}

static void nonsense_is_a_remark(void **state)
{
	static const struct {
		const char *line, *remark;
	} cases[] = {
		{ "too short\n", "not of the form" },
		{ "a 1 s lower x\n", "more than" },
		{ "a 1 s lower x y z\n", "more than" },
		{ "a one s\n", "no finite decimal" },
		{ "a nan s\n", "no finite decimal" },
		{ "a inf s\n", "no finite decimal" },
		{ "a 1,5 s\n", "no finite decimal" },
		{ "a 1e999 s\n", "no finite decimal" },
		{ "a 1e308 min\n", "too large" },
		{ "a 1 s up\n", "neither lower nor higher" },
		{ "a 1 s neither\n", "neither lower nor higher" },
		{ "wall 1 s\n", "choose another name" },
		{ "good 2 B\n", "its unit is not" },
		{ "good 2 s higher\n", "its direction" },
		{ "\x1b[31m bad \xff\n", "\\x1B[31m bad \\xFF" },
	};
	char line[200];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fixture fixture;

		fixture_init(&fixture);
		snprintf(line, sizeof line, "good 1 s\n%s", cases[i].line);
		report(&fixture, line);
		if (!remarked(&fixture, cases[i].remark))
			fail_msg("%s: %s", cases[i].line,
				 fixture.recording.remark_count > 0 ? fixture.recording.remarks[0]
								    : "no remark");
		assert_true(value(&fixture, "good") == 1);
		assert_int_equal(fixture.recording.metric_count, 2);
		arena_close(fixture.arena);
	}
}

static void a_flood_is_bounded(void **state)
{
	struct fixture fixture;
	struct self_report lines = { 0 };
	char line[80];
	size_t i;

	(void)state;
	fixture_init(&fixture);
	for (i = 0; i < 400000; i++) {
		int length = snprintf(line, sizeof line, "metric-%zu %zu s\n", i % 1000, i);

		self_report_take(&lines, line, (size_t)length);
	}
	assert_int_equal(lines.bytes.length, SELF_REPORT_BYTES);
	fixture.sample = recording_add_sample(fixture.arena, &fixture.recording);
	self_report_read(fixture.arena, &lines, "prog", &fixture.recording, fixture.sample);
	assert_int_equal(fixture.recording.metric_count, 1 + SELF_REPORT_METRICS);
	assert_int_equal(fixture.sample->batch_count, SELF_REPORT_VALUES);
	assert_true(remarked(&fixture, "more than 1 MiB"));
	assert_true(remarked(&fixture, "256 reported metrics"));
	self_report_clear(&lines);
	for (i = 0; i < 50000; i++) {
		int length = snprintf(line, sizeof line, "progress %zu\n", i);

		self_report_take(&lines, line, (size_t)length);
	}
	self_report_read(fixture.arena, &lines, "other", &fixture.recording, fixture.sample);
	assert_true(remarked(&fixture, "\"progress 0\""));
	assert_true(remarked(&fixture, "other reported further"));
	assert_true(fixture.recording.remark_count < 15);
	self_report_release(&lines);
	arena_close(fixture.arena);
}

static uint64_t hash_in_pieces(const char *bytes, size_t length, size_t piece)
{
	struct output_hash hash;
	size_t at;

	output_hash_init(&hash);
	for (at = 0; at < length; at += piece)
		output_hash_take(&hash, bytes + at, length - at < piece ? length - at : piece);
	return output_hash_value(&hash);
}

static void a_hash_is_of_the_bytes_alone(void **state)
{
	char bytes[1000], path[] = "/tmp/worth-hash-XXXXXX";
	uint64_t whole, file;
	size_t i, piece;
	int fd;

	(void)state;
	for (i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i * i);
	whole = hash_in_pieces(bytes, sizeof bytes, sizeof bytes);
	for (piece = 1; piece < 40; piece++)
		assert_true(hash_in_pieces(bytes, sizeof bytes, piece) == whole);
	assert_true(hash_in_pieces(bytes, sizeof bytes - 1, 7) != whole);
	fd = mkstemp(path);
	assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
	close(fd);
	assert_true(output_hash_file(path, &file, NULL));
	assert_true(file == whole);
	unlink(path);
	/* Zeros at the end count, and so does nothing at all. */
	memset(bytes, 0, sizeof bytes);
	assert_true(hash_in_pieces(bytes, 8, 8) != hash_in_pieces(bytes, 16, 8));
	assert_true(hash_in_pieces(bytes, 3, 8) != hash_in_pieces(bytes, 4, 8));
	assert_true(hash_in_pieces(bytes, 0, 8) != 0);
}

static void other_output_is_marked(void **state)
{
	static struct subject subjects[] = { { .label = "old" },
					     { .label = "new", .baseline = 0 } };
	static const uint64_t hashes[] = { 7, 5, 5, 5, 5, 6 };
	struct fixture fixture;
	size_t i;

	(void)state;
	fixture_init(&fixture);
	fixture.recording.plan.subjects = subjects;
	fixture.recording.plan.subject_count = 2;
	for (i = 0; i < 6; i++) {
		struct sample *sample = recording_add_sample(fixture.arena, &fixture.recording);

		sample->round = (uint32_t)i / 2;
		sample->subject = i % 2 == 0; /* the candidate first */
		sample->output_hash = hashes[i];
		if (i % 2 == 1)
			same_output_mark(&fixture.recording, i - 1);
	}
	assert_int_equal(fixture.recording.samples[0].flags, SAMPLE_OUTPUT_DIFFERS);
	for (i = 1; i < 5; i++)
		assert_int_equal(fixture.recording.samples[i].flags, 0);
	assert_int_equal(fixture.recording.samples[5].flags, SAMPLE_OUTPUT_DIFFERS);
	arena_close(fixture.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_become_columns),
		cmocka_unit_test(repeated_names_are_batches),
		cmocka_unit_test(nonsense_is_a_remark),
		cmocka_unit_test(a_flood_is_bounded),
		cmocka_unit_test(a_hash_is_of_the_bytes_alone),
		cmocka_unit_test(other_output_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
