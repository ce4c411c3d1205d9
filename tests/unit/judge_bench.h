/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_JUDGE_BENCH_H
#define TESTS_JUDGE_BENCH_H

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "judge/judge.h"
#include "unit.h"

/* A recording built in code, and what judging makes of it. */
struct bench {
	struct arena *arena;
	struct recording recording;
	struct findings findings;
};

/* Subjects "baseline", "candidate", "candidate 2", ...; 80 rounds, margin 1%, 95%, wall primary;
 * the session has ended as planned. */
static inline struct bench bench_open(size_t subjects)
{
	struct bench bench = { .arena = arena_open() };
	struct plan *plan = &bench.recording.plan;
	size_t i;

	plan->subjects = arena_alloc(bench.arena, subjects, sizeof *plan->subjects);
	plan->subject_count = subjects;
	for (i = 0; i < subjects; i++)
		plan->subjects[i].label = i == 0   ? "baseline"
					  : i == 1 ? "candidate"
						   : arena_printf(bench.arena, "candidate %zu", i);
	plan->rounds = 80;
	plan->peek = true;
	plan->seed = 7;
	plan->primary = "wall";
	plan->margin_ratio = 0.01;
	plan->confidence = 0.95;
	bench.recording.origin = "measured";
	bench.recording.order_known = true;
	bench.recording.end = END_COMPLETE;
	return bench;
}

static inline void bench_close(struct bench *bench)
{
	arena_close(bench->arena);
}

static inline size_t bench_metric(struct bench *bench, const char *name, const char *unit,
				  enum better better, double quantum)
{
	struct metric metric = { .name = name,
				 .unit = unit,
				 .better = better,
				 .source = SOURCE_CLOCK,
				 .quantum = quantum };

	return recording_add_metric(bench->arena, &bench->recording, &metric);
}

static inline struct sample *bench_find(struct bench *bench, uint32_t round, uint32_t subject)
{
	size_t i;

	for (i = 0; i < bench->recording.sample_count; i++)
		if (bench->recording.samples[i].round == round &&
		    bench->recording.samples[i].subject == subject)
			return &bench->recording.samples[i];
	return NULL;
}

static inline struct sample *bench_add(struct bench *bench, uint32_t round, uint32_t subject)
{
	struct sample *sample = recording_add_sample(bench->arena, &bench->recording);

	sample->round = round;
	sample->subject = subject;
	sample->exit_status = 0;
	return sample;
}

/* Rounds of two subjects in an order by coin; later metrics are put into the same samples. */
static inline void bench_pairs(struct bench *bench, size_t metric, const double *a, const double *b,
			       size_t count)
{
	struct random coin = { 99 };
	size_t i;

	for (i = 0; i < count; i++) {
		uint32_t first = (uint32_t)random_below(&coin, 2), side;

		for (side = 0; side < 2; side++) {
			uint32_t subject = side ^ first;
			struct sample *sample = bench_find(bench, (uint32_t)i, subject);

			if (sample == NULL)
				sample = bench_add(bench, (uint32_t)i, subject);
			sample->values[metric] = subject == 0 ? a[i] : b[i];
		}
	}
	bench->recording.rounds_done = count;
}

/* One subject's values, one a round. */
static inline void bench_side(struct bench *bench, size_t metric, uint32_t subject, const double *x,
			      size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct sample *sample = bench_find(bench, (uint32_t)i, subject);

		if (sample == NULL)
			sample = bench_add(bench, (uint32_t)i, subject);
		sample->values[metric] = x[i];
	}
	if (bench->recording.rounds_done < count)
		bench->recording.rounds_done = count;
}

/* Judge at one look at everything, at exactly the plan's confidence. */
static inline void bench_all_at_once(struct bench *bench)
{
	bench->recording.plan.peek = false;
	bench->recording.plan.rounds = bench->recording.rounds_done;
}

static inline struct comparison *bench_judge(struct bench *bench)
{
	judge_recording(bench->arena, &bench->recording, &bench->findings);
	return bench->findings.comparisons;
}

static inline const char *bench_warning(const struct bench *bench, enum warning_kind kind)
{
	size_t i;

	for (i = 0; i < bench->findings.warning_count; i++)
		if (bench->findings.warnings[i].kind == kind)
			return bench->findings.warnings[i].sentence;
	return NULL;
}

#define assert_near(got, wanted, tolerance)                                                        \
	do {                                                                                       \
		double got_ = (got), wanted_ = (wanted);                                           \
                                                                                                   \
		if (!(fabs(got_ - wanted_) <= (tolerance)))                                        \
			fail_msg("%s is %.12g, not %.12g", #got, got_, wanted_);                   \
	} while (0)

#define assert_contains(sentence, part)                                                            \
	do {                                                                                       \
		const char *sentence_ = (sentence);                                                \
                                                                                                   \
		assert_non_null(sentence_);                                                        \
		if (strstr(sentence_, (part)) == NULL)                                             \
			fail_msg("\"%s\" does not say \"%s\"", sentence_, (part));                 \
	} while (0)

#endif
