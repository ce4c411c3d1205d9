/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs weigh, beside how fast they are: see sized.h. */
#include "commands/sized.h"

#include <string.h>

#include "binary/image.h"

/* In the order of the values of struct weights. */
static const struct metric size_metrics[] = {
	{ "text", "B", BETTER_LOWER, SOURCE_FILE, 1, true, false },
	{ "data", "B", BETTER_LOWER, SOURCE_FILE, 1, true, false },
	{ "bss", "B", BETTER_LOWER, SOURCE_FILE, 1, true, true },
};

enum { SIZE_METRICS = sizeof size_metrics / sizeof *size_metrics };

struct sized {
	struct runner *inner;
	struct code_totals *totals; /* of each subject; NULL: sizes are not compared */
	size_t indices[SIZE_METRICS];
};

/* The same program with other arguments has no two sizes. */
static bool programs_differ(const struct plan *plan)
{
	size_t i;

	for (i = 1; i < plan_compared_count(plan); i++)
		if (plan->subjects[i].binary_path != NULL &&
		    plan->subjects[0].binary_path != NULL &&
		    strcmp(plan->subjects[i].binary_path, plan->subjects[0].binary_path) != 0)
			return true;
	return false;
}

static bool read_totals(const struct plan *plan, struct code_totals *totals)
{
	size_t i;

	for (i = 0; i < plan_compared_count(plan); i++)
		if (plan->subjects[i].binary_path == NULL ||
		    !image_totals(plan->subjects[i].binary_path, &totals[i], NULL))
			return false;
	return true;
}

bool sized_applies(const struct plan *plan)
{
	struct arena *arena = arena_open();
	bool applies =
	    programs_differ(plan) &&
	    read_totals(plan, arena_alloc(arena, plan->subject_count, sizeof(struct code_totals)));

	arena_close(arena);
	return applies;
}

static bool sized_open(struct runner *runner, struct arena *arena, struct recording *recording,
		       struct error *err)
{
	struct sized *sized = runner->state;
	const struct plan *plan = &recording->plan;
	struct code_totals *totals;
	size_t i;

	if (!sized->inner->ops->open(sized->inner, arena, recording, err))
		return false;
	totals = arena_alloc(arena, plan->subject_count, sizeof *totals);
	if (!programs_differ(plan) || !read_totals(plan, totals))
		return true;
	for (i = 0; i < SIZE_METRICS; i++)
		sized->indices[i] = recording_add_metric(arena, recording, &size_metrics[i]);
	sized->totals = totals;
	return true;
}

static bool sized_run(struct runner *runner, struct recording *recording, const struct slot *slot,
		      struct sample *sample, struct error *err)
{
	struct sized *sized = runner->state;
	const struct code_totals *totals;

	if (!sized->inner->ops->run(sized->inner, recording, slot, sample, err))
		return false;
	if (sized->totals == NULL || recording->plan.subjects[sample->subject].empty)
		return true;
	totals = &sized->totals[sample->subject];
	sample->values[sized->indices[0]] = (double)totals->text_bytes;
	sample->values[sized->indices[1]] = (double)totals->data_bytes;
	sample->values[sized->indices[2]] = (double)totals->bss_bytes;
	return true;
}

static void sized_environment(struct runner *runner, struct arena *arena, bool again,
			      struct environment *environment)
{
	struct sized *sized = runner->state;

	sized->inner->ops->environment(sized->inner, arena, again, environment);
}

static bool sized_hook(struct runner *runner, const char *which, const char *command,
		       struct error *err)
{
	struct sized *sized = runner->state;

	return sized->inner->ops->hook(sized->inner, which, command, err);
}

static const char *sized_stderr_tail(struct runner *runner)
{
	struct sized *sized = runner->state;

	return sized->inner->ops->stderr_tail(sized->inner);
}

static int64_t sized_now_ns(struct runner *runner)
{
	struct sized *sized = runner->state;

	return sized->inner->ops->now_ns(sized->inner);
}

static void sized_close(struct runner *runner)
{
	struct sized *sized = runner->state;

	sized->inner->ops->close(sized->inner);
}

static const struct runner_ops sized_ops = {
	.open = sized_open,
	.environment = sized_environment,
	.hook = sized_hook,
	.run = sized_run,
	.stderr_tail = sized_stderr_tail,
	.now_ns = sized_now_ns,
	.close = sized_close,
};

struct runner runner_sized(struct arena *arena, struct runner *inner)
{
	struct sized *sized = arena_alloc(arena, 1, sizeof *sized);

	sized->inner = inner;
	return (struct runner){ .ops = &sized_ops, .state = sized };
}
