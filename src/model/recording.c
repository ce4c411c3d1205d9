/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building a recording, and the views of it that judging reads. */
#include "model/recording.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

int recording_metric_called(const struct recording *recording, const char *word)
{
	int exact = recording_metric(recording, word);
	size_t i;

	if (exact != METRIC_NONE)
		return exact;
	for (i = 0; i < recording->metric_count; i++)
		if (metric_is_called(recording->metrics[i].name, word))
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

/* Room for the columns of new metrics, which no bulk run has. */
static void bulk_grow(struct arena *arena, struct bulk *bulk, size_t count, size_t capacity)
{
	const double **values = arena_alloc(arena, capacity, sizeof *values);
	size_t *counts = arena_alloc(arena, capacity, sizeof *counts);

	if (count > 0) {
		memcpy(values, bulk->values, count * sizeof *values);
		memcpy(counts, bulk->counts, count * sizeof *counts);
	}
	bulk->values = values;
	bulk->counts = counts;
}

static void runs_grow(struct arena *arena, struct recording *recording, size_t count)
{
	size_t capacity = recording->metric_capacity, i;

	for (i = 0; i < recording->sample_count; i++)
		values_grow(arena, &recording->samples[i], count, capacity);
	for (i = 0; recording->bulks != NULL && i < recording->plan.subject_count; i++)
		bulk_grow(arena, &recording->bulks[i], count, capacity);
}

size_t recording_add_metric(struct arena *arena, struct recording *recording,
			    const struct metric *metric)
{
	int known = recording_metric(recording, metric->name);
	size_t capacity = recording->metric_capacity;

	if (known != METRIC_NONE)
		return (size_t)known;
	*array_push(arena, recording->metrics, recording->metric_count,
		    recording->metric_capacity) = *metric;
	if (recording->metric_capacity != capacity)
		runs_grow(arena, recording, recording->metric_count - 1);
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

void recording_make_bulk(struct arena *arena, struct recording *recording)
{
	size_t i;

	recording->bulks =
	    arena_alloc(arena, recording->plan.subject_count, sizeof *recording->bulks);
	for (i = 0; i < recording->plan.subject_count; i++)
		bulk_grow(arena, &recording->bulks[i], 0, recording->metric_capacity);
}

size_t recording_bulk_runs(const struct recording *recording, size_t subject)
{
	return recording->bulks == NULL ? 0 : recording->bulks[subject].run_count;
}

size_t recording_run_count(const struct recording *recording)
{
	size_t count = recording->sample_count, i;

	for (i = 0; recording->bulks != NULL && i < recording->plan.subject_count; i++)
		count += recording->bulks[i].run_count;
	return count;
}

struct sample recording_run(const struct recording *recording, size_t index, double *values)
{
	struct sample sample = { .started_ns = -1, .exit_status = -1, .values = values };
	const struct bulk *bulk = recording->bulks;
	size_t run = index, metric;

	if (bulk == NULL)
		return recording->samples[index];
	for (; run >= bulk->run_count; bulk++)
		run -= bulk->run_count;
	sample.round = (uint32_t)run;
	sample.position = sample.subject = (uint32_t)(bulk - recording->bulks);
	for (metric = 0; metric < recording->metric_count; metric++)
		values[metric] = run < bulk->counts[metric] ? bulk->values[metric][run] : NAN;
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

void recording_add_mean(struct arena *arena, struct recording *recording,
			const struct told_mean *mean)
{
	*array_push(arena, recording->means, recording->mean_count, recording->mean_capacity) =
	    *mean;
}

const struct told_mean *recording_mean(const struct recording *recording, size_t metric,
				       size_t subject)
{
	size_t i;

	for (i = 0; i < recording->mean_count; i++)
		if (recording->means[i].metric == metric && recording->means[i].subject == subject)
			return &recording->means[i];
	return NULL;
}

size_t recording_baseline(const struct recording *recording, size_t candidate)
{
	return candidate < recording->plan.subject_count
		   ? recording->plan.subjects[candidate].baseline
		   : 0;
}

const struct recording *recording_compared(struct arena *arena, const struct recording *recording,
					   struct recording *view)
{
	size_t count = plan_compared_count(&recording->plan), i;

	if (count == recording->plan.subject_count)
		return recording;
	*view = *recording;
	view->plan.subject_count = count;
	view->samples = arena_alloc(arena, recording->sample_count, sizeof *view->samples);
	view->sample_count = view->sample_capacity = 0;
	for (i = 0; i < recording->sample_count; i++)
		if (recording->samples[i].subject < count)
			view->samples[view->sample_count++] = recording->samples[i];
	return view;
}

static bool sample_counts(const struct sample *sample, size_t subject, size_t rounds)
{
	return !(sample->flags & SAMPLE_WARMUP) && sample->subject == subject &&
	       sample->round < rounds;
}

static size_t least(size_t one, size_t other)
{
	return one < other ? one : other;
}

static size_t count_measured(const double *values, size_t count)
{
	size_t measured = 0, i;

	for (i = 0; i < count; i++)
		measured += !isnan(values[i]);
	return measured;
}

/* The column itself where no value is missing, so that millions are not copied. */
static struct series series_of_bulk(struct arena *arena, const struct bulk *bulk, size_t metric,
				    size_t rounds)
{
	const double *column = bulk->values[metric];
	size_t most = least(bulk->counts[metric], rounds), i;
	struct series series = { .values = column, .count = count_measured(column, most) };
	double *values;

	series.missing = least(bulk->run_count, rounds) - series.count;
	if (series.count == most)
		return series;
	series.values = values = arena_alloc(arena, series.count, sizeof *values);
	for (i = 0; i < most; i++)
		if (!isnan(column[i]))
			*values++ = column[i];
	return series;
}

struct series series_make(struct arena *arena, const struct recording *recording, size_t metric,
			  size_t subject, size_t rounds)
{
	struct series series = { 0 };
	double *values;
	size_t i;

	if (recording->bulks != NULL)
		return series_of_bulk(arena, &recording->bulks[subject], metric, rounds);
	values = arena_alloc(arena, recording->sample_count, sizeof *values);
	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		if (!sample_counts(sample, subject, rounds))
			continue;
		if (sample->flags & SAMPLE_FAILED)
			series.failed++;
		else if (isnan(sample->values[metric]))
			series.missing++;
		else
			values[series.count++] = sample->values[metric];
	}
	series.values = values;
	return series;
}

/* One subject's part in a round. */
struct place {
	uint32_t round;
	bool usable; /* it ended well and has the value */
	bool failed;
	size_t sample; /* index */
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->round != b->round)
		return a->round < b->round ? -1 : 1;
	return a->sample < b->sample ? -1 : a->sample > b->sample;
}

/* A subject's places in the order of rounds, which is nearly always the order of the samples. Not
 * an array over rounds: simulated runs and other people's files have round numbers in the billions.
 */
static struct place *find_places(struct arena *arena, const struct recording *recording,
				 size_t metric, size_t subject, size_t rounds, size_t *count)
{
	struct place *places;
	bool sorted = true;
	size_t total = 0, i;

	for (i = 0; i < recording->sample_count; i++)
		total += sample_counts(&recording->samples[i], subject, rounds);
	places = arena_alloc(arena, total, sizeof *places);
	*count = 0;
	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];
		struct place *place = places + *count;

		if (!sample_counts(sample, subject, rounds))
			continue;
		place->round = sample->round;
		place->sample = i;
		place->failed = sample->flags & SAMPLE_FAILED;
		place->usable = !place->failed && !isnan(sample->values[metric]);
		sorted = sorted && (*count == 0 || place[-1].round <= place->round);
		++*count;
	}
	if (!sorted)
		qsort(places, *count, sizeof *places, compare_places);
	return places;
}

/* Takes the next round off a list: its last usable place, else its last one. */
static const struct place *next_place(const struct place **places, const struct place *end,
				      uint32_t round)
{
	const struct place *found = NULL;

	for (; *places < end && (*places)->round == round; ++*places)
		if (found == NULL || !found->usable || (*places)->usable)
			found = *places;
	return found;
}

/* The arrays of pairs while they are filled. */
struct pairs_filling {
	double *baseline, *candidate;
	uint32_t *rounds;
	bool *baseline_first;
};

static struct pairs pairs_begin(struct arena *arena, size_t most, struct pairs_filling *filling)
{
	filling->baseline = arena_alloc(arena, most, sizeof *filling->baseline);
	filling->candidate = arena_alloc(arena, most, sizeof *filling->candidate);
	filling->rounds = arena_alloc(arena, most, sizeof *filling->rounds);
	filling->baseline_first = arena_alloc(arena, most, sizeof *filling->baseline_first);
	return (struct pairs){ .baseline = filling->baseline,
			       .candidate = filling->candidate,
			       .rounds = filling->rounds,
			       .baseline_first = filling->baseline_first };
}

static double bulk_value(const struct bulk *bulk, size_t metric, size_t run)
{
	return run < bulk->counts[metric] ? bulk->values[metric][run] : NAN;
}

static struct pairs pairs_of_bulk(struct arena *arena, const struct recording *recording,
				  size_t metric, size_t candidate, size_t rounds)
{
	size_t baseline = recording_baseline(recording, candidate), round;
	const struct bulk *first = &recording->bulks[baseline];
	const struct bulk *second = &recording->bulks[candidate];
	size_t most = first->counts[metric] > second->counts[metric] ? first->counts[metric]
								     : second->counts[metric];
	struct pairs_filling filling;
	struct pairs pairs = pairs_begin(arena, least(most, rounds), &filling);

	for (round = 0; round < least(most, rounds); round++) {
		double left = bulk_value(first, metric, round);
		double right = bulk_value(second, metric, round);

		if (isnan(left) || isnan(right)) {
			pairs.rounds_without_pair += !isnan(left) || !isnan(right);
			continue;
		}
		filling.baseline[pairs.count] = left;
		filling.candidate[pairs.count] = right;
		filling.rounds[pairs.count] = (uint32_t)round;
		filling.baseline_first[pairs.count++] = baseline < candidate;
	}
	return pairs;
}

static struct pairs pairs_of_samples(struct arena *arena, const struct recording *recording,
				     size_t metric, size_t candidate, size_t rounds)
{
	struct arena *scratch = arena_open();
	size_t first_count, second_count;
	const struct place *first =
	    find_places(scratch, recording, metric, recording_baseline(recording, candidate),
			rounds, &first_count);
	const struct place *second =
	    find_places(scratch, recording, metric, candidate, rounds, &second_count);
	const struct place *first_end = first + first_count, *second_end = second + second_count;
	struct pairs_filling filling;
	struct pairs pairs = pairs_begin(arena, first_count, &filling);

	while (first < first_end || second < second_end) {
		uint32_t round =
		    second == second_end || (first < first_end && first->round < second->round)
			? first->round
			: second->round;
		const struct place *left = next_place(&first, first_end, round);
		const struct place *right = next_place(&second, second_end, round);

		if (left == NULL || right == NULL || !left->usable || !right->usable) {
			pairs.rounds_without_pair +=
			    (left != NULL && (left->usable || left->failed)) ||
			    (right != NULL && (right->usable || right->failed));
			continue;
		}
		filling.baseline[pairs.count] = recording->samples[left->sample].values[metric];
		filling.candidate[pairs.count] = recording->samples[right->sample].values[metric];
		filling.rounds[pairs.count] = round;
		filling.baseline_first[pairs.count++] = left->sample < right->sample;
	}
	arena_close(scratch);
	return pairs;
}

struct pairs pairs_make(struct arena *arena, const struct recording *recording, size_t metric,
			size_t candidate, size_t rounds)
{
	return recording->bulks != NULL
		   ? pairs_of_bulk(arena, recording, metric, candidate, rounds)
		   : pairs_of_samples(arena, recording, metric, candidate, rounds);
}
