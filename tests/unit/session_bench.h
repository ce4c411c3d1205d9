/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_SESSION_BENCH_H
#define TESTS_SESSION_BENCH_H

/* A session of shell commands for tests: plan, recording, events that keep what they are told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/runner.h"
#include "measure/session.h"
#include "measure/spawner.h"
#include "unit.h"

enum { BENCH_SUBJECTS = 4 };

struct bench {
	struct arena *arena;
	struct spawner *spawner;
	struct subject subjects[BENCH_SUBJECTS];
	struct recording recording;
	struct session_events events;
	struct error err;
	size_t rounds_saved, warmups_saved, partial_saved;
	size_t stop_after; /* a look that stops, 0: none */
	size_t fail_save_after;
	char warning[400];
	struct session_progress last_progress;
};

static inline bool bench_round_done(void *context, const struct recording *recording, size_t first,
				    struct error *err)
{
	struct bench *bench = context;

	assert_true(first < recording->sample_count);
	if (recording->samples[first].flags & SAMPLE_WARMUP)
		bench->warmups_saved++;
	else if (recording->samples[first].round < recording->rounds_done)
		bench->rounds_saved++;
	else
		bench->partial_saved++;
	if (bench->fail_save_after > 0 && bench->rounds_saved == bench->fail_save_after)
		return error_set(err, ERROR_SYSTEM, "the disk is full");
	return true;
}

static inline struct session_advice bench_look(void *context, const struct recording *recording,
					       size_t rounds_done)
{
	const struct bench *bench = context;

	assert_int_equal(rounds_done, recording->rounds_done);
	return (struct session_advice){ .is_look = rounds_done % 2 == 0,
					.stop = bench->stop_after > 0 &&
						rounds_done >= bench->stop_after,
					.half_width_ratio = 0.25 };
}

static inline void bench_progress(void *context, const struct session_progress *progress)
{
	struct bench *bench = context;

	bench->last_progress = *progress;
}

static inline void bench_warn(void *context, const char *sentence)
{
	struct bench *bench = context;

	snprintf(bench->warning, sizeof bench->warning, "%s", sentence);
}

/* count subjects that all run script by sh, with LABEL as their letter: a, b, ... */
static inline void bench_init(struct bench *bench, size_t count, const char *script, size_t rounds)
{
	struct plan *plan = &bench->recording.plan;
	size_t i;

	memset(bench, 0, sizeof *bench);
	bench->arena = arena_open();
	bench->spawner = spawner_start(&bench->err);
	if (bench->spawner == NULL)
		fail_msg("%s", bench->err.sentence);
	for (i = 0; i < count; i++) {
		struct subject *subject = &bench->subjects[i];
		const char **environment = arena_alloc(bench->arena, 2, sizeof *environment);

		subject->label = arena_printf(bench->arena, "%c", (int)('a' + i));
		environment[0] = arena_printf(bench->arena, "LABEL=%s", subject->label);
		subject->environment = environment;
		subject->argv = arena_alloc(bench->arena, 4, sizeof *subject->argv);
		subject->argv[0] = arena_strdup(bench->arena, "sh");
		subject->argv[1] = arena_strdup(bench->arena, "-c");
		subject->argv[2] = arena_strdup(bench->arena, script);
		subject->argc = 3;
		subject->command = script;
	}
	*plan = (struct plan){ .subjects = bench->subjects,
			       .subject_count = count,
			       .rounds = rounds,
			       .seed = 99,
			       .cpu = -1,
			       .primary = "wall",
			       .environment_padding = true };
	bench->events = (struct session_events){ .context = bench,
						 .round_done = bench_round_done,
						 .look = bench_look,
						 .progress = bench_progress,
						 .warn = bench_warn };
}

static inline bool bench_run(struct bench *bench, int interrupt_fd)
{
	struct runner runner = runner_exec(bench->spawner, interrupt_fd);

	return session_run(bench->arena, &bench->recording, &runner, &bench->events, interrupt_fd,
			   &bench->err);
}

static inline void bench_release(struct bench *bench)
{
	spawner_stop(bench->spawner);
	arena_close(bench->arena);
}

#endif
