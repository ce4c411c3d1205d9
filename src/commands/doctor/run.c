/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The doctor's own measurement: one command on both sides, through the same session and the same
 * judge as every other one. 20 segments of 10 pairs (docs/method.md 3.11) say whether comparing is
 * honest here.
 */
#include "commands/doctor/run.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "base/words.h"

enum { ROUNDS = 200 }; /* at least, where the time allows */

/* Beside its work a run pays for its start, about a millisecond for a program of worth's size. */
static const int64_t start_cost_ns = 1500000;
/* Short enough for 200 rounds in the default 5 s; more time gives more rounds, not longer ones. */
static const int64_t shortest_run_ns = 1000000, longest_run_ns = 10000000;

void doctor_spin(uint64_t steps)
{
	volatile uint64_t state = 1;

	while (steps-- > 0)
		state = random_mix(state);
}

static int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The number of steps that take about that time: the fastest of a few tries counts, because
 * whatever disturbs makes them slower. */
static uint64_t steps_for(int64_t ns)
{
	enum { TRIES = 5, STEPS = 200000 };
	int64_t best = INT64_MAX;
	int i;

	for (i = 0; i < TRIES; i++) {
		int64_t start = cpu_ns(), took;

		doctor_spin(STEPS);
		took = cpu_ns() - start;
		if (took > 0 && took < best)
			best = took;
	}
	return (uint64_t)((double)ns / (double)best * STEPS) + 1;
}

/* worth itself as a program that works for run_ns. */
static bool built_in(struct arena *arena, int64_t run_ns, char ***argv, size_t *argc,
		     struct error *err)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	char **words = arena_alloc(arena, 5, sizeof *words);

	if (length <= 0)
		return error_set(err, ERROR_SYSTEM,
				 "cannot find worth's own program for the A/A run: %s; give a "
				 "command after --",
				 strerror(errno));
	words[0] = arena_strndup(arena, path, (size_t)length);
	words[1] = arena_strdup(arena, "doctor");
	words[2] = arena_strdup(arena, DOCTOR_SPIN);
	words[3] = arena_printf(arena, "%llu", (unsigned long long)steps_for(run_ns));
	*argv = words;
	*argc = 4;
	return true;
}

static void plan_fill(struct arena *arena, const char *command, char **argv, size_t argc,
		      size_t rounds, int64_t time_ns, struct plan *plan)
{
	static const char *const labels[] = { "first", "second" };
	size_t i;

	*plan = (struct plan){ .subject_count = 2,
			       .rounds = rounds,
			       .warmup_rounds = 1,
			       .budget_ns = time_ns,
			       .order = ORDER_RANDOM,
			       .seed = random_seed(),
			       .primary = "wall",
			       .margin_ratio = 0.01,
			       .confidence = 0.95,
			       .self_check = true,
			       .cpu = -1,
			       .environment_padding = true,
			       .output = OUTPUT_DISCARD };
	plan->subjects = arena_alloc(arena, 2, sizeof *plan->subjects);
	for (i = 0; i < 2; i++)
		plan->subjects[i] = (struct subject){ .label = labels[i],
						      .command = command,
						      .argv = argv,
						      .argc = argc,
						      .baseline = 0 };
}

bool doctor_run(struct measuring *measuring, char **argv, size_t argc, int64_t time_ns,
		struct recording *recording, struct error *err)
{
	struct arena *arena = measuring->arena;
	int64_t run_ns = time_ns / (2 * ROUNDS) - start_cost_ns;
	size_t rounds = ROUNDS;
	const char *command = argv == NULL ? "the built-in loop" : words_join(arena, argv, argc);

	*recording = (struct recording){ .origin = "measured", .order_known = true };
	if (run_ns < shortest_run_ns)
		run_ns = shortest_run_ns;
	if (run_ns > longest_run_ns)
		run_ns = longest_run_ns;
	if (argv == NULL) {
		int64_t fitting = time_ns / (2 * (run_ns + start_cost_ns));

		if (fitting > ROUNDS)
			rounds = (size_t)fitting;
		if (!built_in(arena, run_ns, &argv, &argc, err))
			return false;
	}
	plan_fill(arena, command, argv, argc, rounds, time_ns, &recording->plan);
	return measured_run(measuring, recording, false, err);
}
