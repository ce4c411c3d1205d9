/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: fill_history HISTORY.db ENDING [TITLE]
 *
 * Adds one session of two commands and 20 rounds, the candidate 10% slower, to
 * a history as measuring would, and prints its id. ENDING is how it ends:
 * "complete"; "killed" (the program stops in the middle of round 6); "held"
 * (it stays running until its stdin ends).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/history/history.h"

enum { ROUNDS = 20, ROUNDS_BEFORE_KILL = 5 };

static struct subject subject_make(struct arena *arena, const char *label, const char *word)
{
	struct subject subject = { .label = label, .command = word, .argc = 1 };

	subject.argv = arena_alloc(arena, 2, sizeof *subject.argv);
	subject.argv[0] = arena_strdup(arena, word);
	return subject;
}

static struct recording recording_make(struct arena *arena)
{
	struct recording recording = { .origin = "measured", .order_known = true };
	struct environment *before = &recording.before;
	struct plan *plan = &recording.plan;

	plan->subjects = arena_alloc(arena, 2, sizeof *plan->subjects);
	plan->subjects[0] = subject_make(arena, "baseline", "./sort.old");
	plan->subjects[1] = subject_make(arena, "candidate", "./sort.new");
	plan->subject_count = 2;
	plan->rounds = ROUNDS;
	plan->seed = 1;
	plan->primary = "wall";
	plan->margin_ratio = 0.01;
	plan->confidence = 0.95;
	plan->cpu = -1;
	*before = (struct environment){ .taken_at_s = 1700000000,
					.load_1min = NAN,
					.memory_available_bytes = NAN,
					.steal_s = NAN,
					.busy_s = NAN,
					.idle_s = NAN };
	before->facts = arena_alloc(arena, 1, sizeof *before->facts);
	before->facts[0] = (struct fact){ "host", "testhost" };
	before->fact_count = 1;
	recording.after = *before;
	recording_add_metric(arena, &recording,
			     &(struct metric){ .name = "wall", .unit = "s", .quantum = 1e-9 });
	return recording;
}

static void add_round(struct arena *arena, struct recording *recording, uint32_t round)
{
	uint32_t i;

	for (i = 0; i < 2; i++) {
		struct sample *sample = recording_add_sample(arena, recording);

		sample->round = round;
		sample->position = (i + round) % 2;
		sample->subject = sample->position;
		sample->exit_status = 0;
		sample->started_ns = (int64_t)round * 200000000 + (int64_t)i * 100000000;
		/* A pattern without trend; differs by exactly 10% between the two. */
		sample->values[0] = (0.1 + 0.001 * ((round * 7) % 5)) * (1 + 0.1 * sample->subject);
	}
	recording->rounds_done++;
}

static bool fill(struct history *history, struct arena *arena, const char *ending,
		 const char *title, struct error *err)
{
	struct recording recording = recording_make(arena);
	uint32_t i;

	if (!history_begin(history, arena, &recording, title, err))
		return false;
	printf("%s\n", recording.id);
	fflush(stdout);
	for (i = 0; i < ROUNDS; i++) {
		if (i == ROUNDS_BEFORE_KILL && strcmp(ending, "killed") == 0)
			_exit(0);
		add_round(arena, &recording, i);
		if (!history_add(history, &recording, 2 * (size_t)i, err))
			return false;
	}
	if (strcmp(ending, "held") == 0)
		while (getchar() != EOF)
			;
	recording.end = END_COMPLETE;
	return history_end(history, &recording, err) &&
	       history_verdict(history, recording.id, "slower", "+10.00%", err);
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct error err = { 0 };
	struct history *history;
	const char *remark;
	bool good = false;

	if (argc < 3) {
		fprintf(stderr, "usage: fill_history HISTORY.db ENDING [TITLE]\n");
		return 2;
	}
	history = history_open(argv[1], true, &err);
	if (history != NULL)
		good = fill(history, arena, argv[2], argc > 3 ? argv[3] : "./sort.old ./sort.new",
			    &err);
	remark = history == NULL ? NULL : history_remark(history);
	if (good && remark != NULL)
		fprintf(stderr, "%s\n", remark);
	history_close(history);
	arena_close(arena);
	if (!good)
		fprintf(stderr, "%s\n", err.sentence);
	return good ? 0 : 1;
}
