/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

/* What the tests of store/ share: a directory of their own, recordings, and their comparison. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "base/text.h"
#include "model/codec.h"
#include "store/history/history.h"
#include "unit.h"

#define assert_good(call, err)                                                                     \
	do {                                                                                       \
		if (!(call))                                                                       \
			fail_msg("%s: %s", #call, (err).sentence);                                 \
	} while (0)
#define assert_says(err, words)                                                                    \
	do {                                                                                       \
		if (strstr((err).sentence, (words)) == NULL)                                       \
			fail_msg("'%s' does not say '%s'", (err).sentence, (words));               \
	} while (0)

/* A fresh directory under TMPDIR; fixture_remove deletes it with all files in it. */
static inline char *fixture_directory(struct arena *arena)
{
	const char *parent = getenv("TMPDIR");
	char *path = arena_printf(arena, "%s/worth-store-XXXXXX",
				  parent != NULL && *parent != '\0' ? parent : "/tmp");

	assert_non_null(mkdtemp(path));
	return path;
}

static inline void fixture_remove(struct arena *arena, const char *directory)
{
	assert_int_equal(system(arena_printf(arena, "rm -rf '%s'", directory)), 0);
}

/* Where a history is in a test: a file of the directory, or under tests/e2e/on_server.py a database
 * that is new. */
static inline char *fixture_history(struct arena *arena, const char *directory)
{
	static const char address[] = "postgresql://owner@/%s?host=%s";
	const char *server = getenv("WORTH_TEST_SERVER");
	const char *name;
	char *maker;

	if (server == NULL)
		return arena_printf(arena, "%s/history.db", directory);
	name = arena_printf(arena, "unit%d%s", (int)getpid(), strrchr(directory, '-') + 1);
	maker = arena_printf(arena, "psql -X -q -d '%s' -c 'CREATE DATABASE \"%s\"'",
			     arena_printf(arena, address, "postgres", server), name);
	assert_int_equal(system(maker), 0);
	return arena_printf(arena, address, name, server);
}

/* A plan of subjects commands, as small as one can be. */
static inline struct plan fixture_plan(struct arena *arena, size_t subjects, size_t rounds)
{
	struct plan plan = {
		.subject_count = subjects,
		.rounds = rounds,
		.seed = 7,
		.primary = "wall",
		.margin_ratio = 0.01,
		.confidence = 0.95,
		.peek = true,
		.cpu = -1,
	};
	size_t i;

	plan.subjects = arena_alloc(arena, subjects, sizeof *plan.subjects);
	for (i = 0; i < subjects; i++) {
		struct subject *subject = &plan.subjects[i];

		subject->label = arena_printf(arena, "command %zu", i);
		subject->command = arena_printf(arena, "./sort %zu", i);
		subject->argc = 2;
		subject->argv = arena_alloc(arena, 3, sizeof *subject->argv);
		subject->argv[0] = arena_strdup(arena, "./sort");
		subject->argv[1] = arena_printf(arena, "%zu", i);
	}
	return plan;
}

static inline struct environment fixture_environment(void)
{
	return (struct environment){ .taken_at_s = 1700000000,
				     .load_1min = 0.25,
				     .memory_available_bytes = NAN,
				     .steal_s = NAN,
				     .busy_s = 10,
				     .idle_s = 20 };
}

static inline struct recording fixture_recording(struct arena *arena, size_t subjects,
						 size_t rounds)
{
	struct recording recording = { .origin = "measured", .order_known = true };

	recording.plan = fixture_plan(arena, subjects, rounds);
	recording.before = fixture_environment();
	recording.after = (struct environment){ .load_1min = NAN,
						.memory_available_bytes = NAN,
						.steal_s = NAN,
						.busy_s = NAN,
						.idle_s = NAN };
	recording_add_metric(arena, &recording,
			     &(struct metric){ .name = "wall", .unit = "s", .quantum = 1e-9 });
	recording_add_metric(arena, &recording, &(struct metric){ .name = "cpu", .unit = "s" });
	return recording;
}

/* A round of which runs subjects ran; all of them makes it complete. */
static inline void fixture_round(struct arena *arena, struct recording *recording, uint32_t round,
				 size_t runs, uint32_t flags)
{
	uint32_t i;

	for (i = 0; i < runs; i++) {
		struct sample *sample = recording_add_sample(arena, recording);

		sample->round = round;
		sample->position = i;
		sample->subject = i;
		sample->flags = flags;
		sample->started_ns = (int64_t)round * 1000 + i;
		sample->exit_status = 0;
		sample->values[0] = round + i / 10.0;
	}
	if (runs == recording->plan.subject_count && !(flags & SAMPLE_WARMUP))
		recording->rounds_done++;
}

static inline void assert_same_json(struct json *left, struct json *right)
{
	struct text left_text = { 0 }, right_text = { 0 };

	json_print(left, true, &left_text);
	json_print(right, true, &right_text);
	assert_string_equal(text_string(&left_text), text_string(&right_text));
	json_release(left);
	json_release(right);
	text_release(&left_text);
	text_release(&right_text);
}

static inline void assert_same_coverage(const struct recording *left, const struct recording *right,
					size_t index)
{
	const float *a = left->samples[index].coverage, *b = right->samples[index].coverage;

	assert_int_equal(a == NULL, b == NULL);
	if (a != NULL)
		assert_memory_equal(a, b, left->metric_count * sizeof *a);
}

static inline void assert_same_sample(const struct recording *left, const struct recording *right,
				      size_t index)
{
	const struct sample *a = &left->samples[index], *b = &right->samples[index];
	uint32_t i;

	assert_int_equal(a->round, b->round);
	assert_int_equal(a->position, b->position);
	assert_int_equal(a->subject, b->subject);
	assert_int_equal(a->flags, b->flags);
	assert_true(a->started_ns == b->started_ns);
	assert_int_equal(a->exit_status, b->exit_status);
	assert_int_equal(a->signal, b->signal);
	assert_true(a->output_hash == b->output_hash);
	assert_memory_equal(a->values, b->values, left->metric_count * sizeof *a->values);
	assert_same_coverage(left, right, index);
	assert_int_equal(a->batch_count, b->batch_count);
	for (i = 0; i < a->batch_count; i++) {
		assert_int_equal(a->batches[i].metric, b->batches[i].metric);
		assert_memory_equal(&a->batches[i].value, &b->batches[i].value, sizeof(double));
	}
}

static inline void assert_same_recording(const struct recording *left,
					 const struct recording *right)
{
	size_t i;

	assert_string_equal(left->id, right->id);
	assert_string_equal(left->origin, right->origin);
	assert_int_equal(left->order_known, right->order_known);
	assert_int_equal(left->end, right->end);
	assert_int_equal(left->rounds_done, right->rounds_done);
	assert_same_json(plan_to_json(&left->plan), plan_to_json(&right->plan));
	assert_same_json(environment_to_json(&left->before), environment_to_json(&right->before));
	assert_same_json(environment_to_json(&left->after), environment_to_json(&right->after));
	assert_int_equal(left->extension_count, right->extension_count);
	for (i = 0; i < left->extension_count; i++)
		assert_int_equal(left->extension_bases[i], right->extension_bases[i]);
	assert_int_equal(left->metric_count, right->metric_count);
	for (i = 0; i < left->metric_count; i++)
		assert_same_json(metric_to_json(&left->metrics[i]),
				 metric_to_json(&right->metrics[i]));
	assert_int_equal(left->remark_count, right->remark_count);
	for (i = 0; i < left->remark_count; i++)
		assert_string_equal(left->remarks[i], right->remarks[i]);
	assert_int_equal(left->sample_count, right->sample_count);
	for (i = 0; i < left->sample_count; i++)
		assert_same_sample(left, right, i);
}

#endif
