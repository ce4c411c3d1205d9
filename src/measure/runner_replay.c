/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session without running anything: the samples come from an earlier recording. */
#include <stdlib.h>
#include <string.h>

#include "measure/runner.h"

struct replay {
	const struct recording *source;
	struct arena *arena;
	size_t *columns; /* of the source's metrics in the new recording */
	size_t next;	 /* where the search begins: behind the sample that was found last */
	int64_t now_ns;
};

static bool replay_open(struct runner *runner, struct arena *arena, struct recording *recording,
			struct error *err)
{
	struct replay *replay = runner->state;
	const struct recording *source = replay->source;
	size_t i;

	(void)err;
	replay->arena = arena;
	replay->columns = arena_alloc(arena, source->metric_count, sizeof *replay->columns);
	for (i = 0; i < source->metric_count; i++)
		replay->columns[i] = recording_add_metric(arena, recording, &source->metrics[i]);
	for (i = 0; i < source->remark_count; i++)
		recording_remark(arena, recording, "%s", source->remarks[i]);
	return true;
}

static void replay_environment(struct runner *runner, struct arena *arena, bool again,
			       struct environment *environment)
{
	const struct replay *replay = runner->state;

	(void)arena;
	(void)again;
	*environment = replay->source->before;
}

static bool replay_hook(struct runner *runner, const char *which, const char *command,
			struct error *err)
{
	(void)runner;
	(void)which;
	(void)command;
	(void)err;
	return true;
}

static bool is_slot(const struct sample *sample, const struct slot *slot)
{
	return sample->round == slot->round && sample->subject == slot->subject &&
	       !!(sample->flags & SAMPLE_WARMUP) == slot->warmup;
}

/* Samples are looked up in the order they were taken, as a rule. */
static const struct sample *find(struct replay *replay, const struct slot *slot)
{
	const struct recording *source = replay->source;
	size_t i;

	for (i = 0; i < source->sample_count; i++) {
		size_t index = (replay->next + i) % source->sample_count;

		if (is_slot(&source->samples[index], slot)) {
			replay->next = index + 1;
			return &source->samples[index];
		}
	}
	return NULL;
}

static bool no_sample(const struct replay *replay, const struct slot *slot, struct error *err)
{
	if (replay->source->end == END_INTERRUPTED || replay->source->end == END_RUNNING)
		return error_set(err, ERROR_INTERRUPTED, "the recording was interrupted here");
	return error_set(err, ERROR_INPUT, "the recording has no run of subject %u in %sround %u",
			 slot->subject + 1, slot->warmup ? "warm-up " : "", slot->round + 1);
}

static void copy_values(const struct replay *replay, const struct sample *from,
			struct recording *recording, struct sample *sample)
{
	size_t count = replay->source->metric_count, i;

	for (i = 0; i < count; i++)
		sample->values[replay->columns[i]] = from->values[i];
	if (from->coverage != NULL) {
		sample->coverage = arena_alloc(replay->arena, recording->metric_capacity,
					       sizeof *sample->coverage);
		for (i = 0; i < recording->metric_count; i++)
			sample->coverage[i] = 1;
		for (i = 0; i < count; i++)
			sample->coverage[replay->columns[i]] = from->coverage[i];
	}
	if (from->batch_count == 0)
		return;
	sample->batches =
	    arena_copy(replay->arena, from->batches, from->batch_count * sizeof *from->batches);
	sample->batch_count = from->batch_count;
	for (i = 0; i < from->batch_count; i++)
		sample->batches[i].metric = (uint32_t)replay->columns[from->batches[i].metric];
}

/* Time goes on to the run's end. */
static void advance(struct replay *replay, const struct sample *from)
{
	int wall = recording_metric(replay->source, "wall");
	double wall_s = wall == METRIC_NONE ? 0 : from->values[wall];
	int64_t started_ns = from->started_ns < 0 ? replay->now_ns : from->started_ns;
	int64_t ended_ns = started_ns + (wall_s > 0 ? (int64_t)(wall_s * 1e9) : 0);

	if (ended_ns > replay->now_ns)
		replay->now_ns = ended_ns;
}

static bool replay_run(struct runner *runner, struct recording *recording, const struct slot *slot,
		       struct sample *sample, struct error *err)
{
	struct replay *replay = runner->state;
	const struct sample *from = find(replay, slot);

	if (from == NULL)
		return no_sample(replay, slot, err);
	sample->flags = from->flags;
	sample->started_ns = from->started_ns;
	sample->exit_status = from->exit_status;
	sample->signal = from->signal;
	sample->output_hash = from->output_hash;
	copy_values(replay, from, recording, sample);
	advance(replay, from);
	return true;
}

static const char *replay_stderr_tail(struct runner *runner)
{
	(void)runner;
	return "";
}

static int64_t replay_now_ns(struct runner *runner)
{
	const struct replay *replay = runner->state;

	return replay->now_ns;
}

static void replay_close(struct runner *runner)
{
	free(runner->state);
	runner->state = NULL;
}

struct runner runner_replay(const struct recording *source)
{
	static const struct runner_ops ops = {
		.open = replay_open,
		.environment = replay_environment,
		.hook = replay_hook,
		.run = replay_run,
		.stderr_tail = replay_stderr_tail,
		.now_ns = replay_now_ns,
		.close = replay_close,
	};
	struct replay *replay = calloc(1, sizeof *replay);

	if (replay == NULL)
		arena_out_of_memory();
	replay->source = source;
	return (struct runner){ .ops = &ops, .state = replay };
}
