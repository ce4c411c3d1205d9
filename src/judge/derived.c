/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics computed from others, one row each. They become columns of the
 * recording, since all that comes later knows metrics as columns only.
 */
#include <math.h>
#include <string.h>

#include "judge/judge.h"

struct derived_metric {
	struct metric metric;
	const char *inputs[2];
	double (*value)(double first, double second);
};

static double sum(double first, double second)
{
	return first + second;
}

static double quotient(double first, double second)
{
	return second > 0 ? first / second : NAN;
}

static const struct derived_metric derived_metrics[] = {
	/* Accounted by the kernel as one sum, user + sys is better known than its parts. */
	{ { "cpu", "s", BETTER_LOWER, SOURCE_DERIVED, 0, false, false }, { "user", "sys" }, sum },
	{ { "instructions per cycle", "", BETTER_NEITHER, SOURCE_DERIVED, 0, false, true },
	  { "instructions", "cycles" },
	  quotient },
};

static void fill_bulk(struct arena *arena, struct bulk *bulk, const struct derived_metric *derived,
		      size_t column, const int inputs[2])
{
	const double *first = bulk->values[inputs[0]], *second = bulk->values[inputs[1]];
	size_t count = bulk->counts[inputs[0]], i;
	double *values;

	if (bulk->counts[inputs[1]] < count)
		count = bulk->counts[inputs[1]];
	values = arena_alloc(arena, count, sizeof *values);
	for (i = 0; i < count; i++)
		values[i] = derived->value(first[i], second[i]);
	bulk->values[column] = values;
	bulk->counts[column] = count;
}

static void fill(struct arena *arena, struct recording *recording,
		 const struct derived_metric *derived, size_t column, const int inputs[2])
{
	size_t i;

	for (i = 0; i < recording->sample_count; i++) {
		double *values = recording->samples[i].values;

		values[column] = derived->value(values[inputs[0]], values[inputs[1]]);
	}
	for (i = 0; recording->bulks != NULL && i < recording->plan.subject_count; i++)
		fill_bulk(arena, &recording->bulks[i], derived, column, inputs);
}

/* Of one benchmark of a set, whose name stands before those of its metrics; prefix "" elsewhere. */
static void derive(struct arena *arena, struct recording *recording,
		   const struct derived_metric *derived, const char *prefix)
{
	struct metric metric = derived->metric;
	int inputs[2], i;

	metric.name = arena_printf(arena, "%s%s", prefix, metric.name);
	if (recording_metric(recording, metric.name) != METRIC_NONE)
		return;
	for (i = 0; i < 2; i++) {
		inputs[i] = recording_metric(
		    recording, arena_printf(arena, "%s%s", prefix, derived->inputs[i]));
		if (inputs[i] == METRIC_NONE)
			return;
		/* Ratios to something are no seconds, and do not add up. */
		if (derived->value == sum &&
		    strcmp(recording->metrics[inputs[i]].unit, metric.unit) != 0)
			return;
		/* In a set it is no benchmark of its own. */
		metric.hidden =
		    metric.hidden || (*prefix != '\0' && recording->metrics[inputs[i]].hidden);
	}
	/* The step of a sum is the coarser one; a quotient has none of its own. */
	if (derived->value == sum)
		metric.quantum = fmax(recording->metrics[inputs[0]].quantum,
				      recording->metrics[inputs[1]].quantum);
	fill(arena, recording, derived, recording_add_metric(arena, recording, &metric), inputs);
}

/* For every benchmark that has the first input. */
static void derive_each(struct arena *arena, struct recording *recording,
			const struct derived_metric *derived)
{
	size_t count = recording->metric_count, ending = strlen(derived->inputs[0]), i;

	for (i = 0; i < count; i++) {
		const char *name = recording->metrics[i].name;
		size_t length = strlen(name);

		if (length > ending + 1 && name[length - ending - 1] == ' ' &&
		    strcmp(name + length - ending, derived->inputs[0]) == 0)
			derive(arena, recording, derived,
			       arena_strndup(arena, name, length - ending));
	}
}

void judge_derive(struct arena *arena, struct recording *recording)
{
	size_t i;

	for (i = 0; i < sizeof derived_metrics / sizeof *derived_metrics; i++) {
		derive(arena, recording, &derived_metrics[i], "");
		derive_each(arena, recording, &derived_metrics[i]);
	}
}
