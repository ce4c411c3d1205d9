/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building a recording, and the views of it that judging reads. */
#include "model/recording.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "model/series.h"

int recording_metric(const struct recording *recording, const char *name)
{
	size_t i;

	for (i = 0; i < recording->metric_count; i++)
		if (strcmp(recording->metrics[i].name, name) == 0)
			return (int)i;
	return METRIC_NONE;
}

/* Samples keep their values in arrays of metric_capacity, so that a new column is one NAN each. */
static double *values_make(struct arena *arena, size_t capacity)
{
	double *values = arena_alloc(arena, capacity, sizeof *values);
	size_t i;

	for (i = 0; i < capacity; i++)
		values[i] = NAN;
	return values;
}

static void values_grow(struct arena *arena, struct sample *sample, size_t count, size_t capacity)
{
	double *values = values_make(arena, capacity);

	if (count > 0)
		memcpy(values, sample->values, count * sizeof *values);
	sample->values = values;
	if (sample->coverage != NULL) {
		float *coverage = arena_alloc(arena, capacity, sizeof *coverage);
		size_t i;

		for (i = 0; i < capacity; i++)
			coverage[i] = i < count ? sample->coverage[i] : 1;
		sample->coverage = coverage;
	}
}

size_t recording_add_metric(struct arena *arena, struct recording *recording,
			    const struct metric *metric)
{
	int known = recording_metric(recording, metric->name);
	size_t capacity = recording->metric_capacity;
	size_t i;

	if (known != METRIC_NONE)
		return (size_t)known;
	*array_push(arena, recording->metrics, recording->metric_count,
		    recording->metric_capacity) = *metric;
	if (recording->metric_capacity != capacity)
		for (i = 0; i < recording->sample_count; i++)
			values_grow(arena, &recording->samples[i], recording->metric_count - 1,
				    recording->metric_capacity);
	return recording->metric_count - 1;
}

struct sample *recording_add_sample(struct arena *arena, struct recording *recording)
{
	struct sample *sample = array_push(arena, recording->samples, recording->sample_count,
					   recording->sample_capacity);

	memset(sample, 0, sizeof *sample);
	sample->values =
	    values_make(arena, recording->metric_capacity > 0 ? recording->metric_capacity : 1);
	sample->started_ns = -1;
	sample->exit_status = -1;
	return sample;
}

void recording_remark(struct arena *arena, struct recording *recording, const char *format, ...)
{
	char sentence[2048];
	va_list arguments;
	size_t i;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	for (i = 0; i < recording->remark_count; i++)
		if (strcmp(recording->remarks[i], sentence) == 0)
			return;
	*array_push(arena, recording->remarks, recording->remark_count,
		    recording->remark_capacity) = arena_strdup(arena, sentence);
}

size_t recording_baseline(const struct recording *recording, size_t candidate)
{
	return candidate < recording->plan.subject_count ?
		       recording->plan.subjects[candidate].baseline :
		       0;
}

static bool sample_counts(const struct sample *sample, size_t subject, size_t rounds)
{
	return !(sample->flags & SAMPLE_WARMUP) && sample->subject == subject &&
	       sample->round < rounds;
}

struct series series_make(struct arena *arena, const struct recording *recording, size_t metric,
			  size_t subject, size_t rounds)
{
	struct series series = { 0 };
	double *values = arena_alloc(arena, recording->sample_count, sizeof *values);
	uint32_t *numbers = arena_alloc(arena, recording->sample_count, sizeof *numbers);
	size_t i;

	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		if (!sample_counts(sample, subject, rounds))
			continue;
		if (sample->flags & SAMPLE_FAILED) {
			series.failed++;
		} else if (isnan(sample->values[metric])) {
			series.missing++;
		} else {
			values[series.count] = sample->values[metric];
			numbers[series.count++] = sample->round;
		}
	}
	series.values = values;
	series.rounds = numbers;
	return series;
}

/* Where in the samples the two runs of each round are; SIZE_MAX: not there or not usable. */
static void find_rounds(const struct recording *recording, size_t metric, size_t subject,
			size_t rounds, size_t *index)
{
	size_t i;

	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		if (sample_counts(sample, subject, rounds) && !(sample->flags & SAMPLE_FAILED) &&
		    !isnan(sample->values[metric]))
			index[sample->round] = i;
	}
}

/* One more than the highest judged round that has any sample. */
static size_t rounds_seen(const struct recording *recording, size_t rounds)
{
	size_t seen = 0, i;

	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		if (!(sample->flags & SAMPLE_WARMUP) && sample->round < rounds &&
		    sample->round + (size_t)1 > seen)
			seen = sample->round + (size_t)1;
	}
	return seen;
}

struct pairs pairs_make(struct arena *arena, const struct recording *recording, size_t metric,
			size_t candidate, size_t rounds)
{
	struct pairs pairs = { 0 };
	size_t seen = rounds_seen(recording, rounds);
	size_t *first = arena_alloc(arena, seen, sizeof *first);
	size_t *second = arena_alloc(arena, seen, sizeof *second);
	double *baseline = arena_alloc(arena, seen, sizeof *baseline);
	double *other = arena_alloc(arena, seen, sizeof *other);
	uint32_t *numbers = arena_alloc(arena, seen, sizeof *numbers);
	bool *baseline_first = arena_alloc(arena, seen, sizeof *baseline_first);
	size_t i;

	for (i = 0; i < seen; i++)
		first[i] = second[i] = SIZE_MAX;
	find_rounds(recording, metric, recording_baseline(recording, candidate), seen, first);
	find_rounds(recording, metric, candidate, seen, second);
	for (i = 0; i < seen; i++) {
		if (first[i] == SIZE_MAX || second[i] == SIZE_MAX) {
			pairs.rounds_without_pair++;
			continue;
		}
		baseline[pairs.count] = recording->samples[first[i]].values[metric];
		other[pairs.count] = recording->samples[second[i]].values[metric];
		numbers[pairs.count] = (uint32_t)i;
		baseline_first[pairs.count++] = first[i] < second[i];
	}
	pairs.baseline = baseline;
	pairs.candidate = other;
	pairs.rounds = numbers;
	pairs.baseline_first = baseline_first;
	return pairs;
}
