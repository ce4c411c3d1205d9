/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What worth itself wrote: a report (--json) with its recording, or a recording
 * alone. Subjects are sides, metrics measures, and a run keeps the place of its
 * round, so that --paired finds its pairs; warm-up is left out, failed runs are
 * kept as such. The recording is kept whole besides, with the plan that it was
 * measured under.
 *
 * Own files are read as a tree, because the codec that checks them wants one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/format.h"
#include "model/codec.h"

enum { LARGEST_BYTES = 1 << 30 };

struct reader {
	struct results *results;
	const struct recording *recording;
	size_t *sides;	  /* of each subject */
	size_t *measures; /* of each subject and metric */
	bool imported;	  /* worth judge --convert wrote it: hidden metrics are results too */
};

static bool read_whole(struct input *input, struct text *text, struct error *err)
{
	const char *bytes;
	size_t length;

	do {
		if (!input_read(input, &bytes, &length, err))
			return false;
		if (text->length + length > LARGEST_BYTES)
			return input_error(input, 0, err,
					   "larger than 1 GiB; expected a recording");
		text_add_bytes(text, bytes, length);
	} while (length > 0);
	return true;
}

/* Told besides: all but the primary metric, or what is hidden in a set of benchmarks. */
static bool is_secondary(const struct plan *plan, const struct metric *metric)
{
	if (plan->all_decide || plan->primary == NULL)
		return metric->hidden;
	return strcmp(metric->name, plan->primary) != 0;
}

/* "threads=8 size=4k": the cell of a sweep; "" for none. */
static const char *cell_name(struct arena *arena, const struct subject *subject)
{
	const char *name = "";
	size_t i;

	for (i = 0; i < subject->level_count; i++)
		name = arena_printf(arena, "%s%s%s=%s", name, i > 0 ? " " : "",
				    subject->levels[i].factor, subject->levels[i].value);
	return name;
}

/* The label without its cell: what the cells of one variant have in common. */
static const char *variant_name(struct arena *arena, const struct subject *subject,
				const char *cell)
{
	size_t length = strlen(subject->label), end = strlen(cell);

	if (end == 0 || end > length || strcmp(subject->label + length - end, cell) != 0)
		return subject->label;
	length -= end;
	while (length > 0 && subject->label[length - 1] == ' ')
		length--;
	return length == 0 ? NULL : arena_strndup(arena, subject->label, length);
}

/* In a sweep a cell is a benchmark, and its levels are labels for --by. */
static size_t add_measure(const struct reader *reader, struct arena *arena, size_t subject_index,
			  size_t metric_index)
{
	const struct plan *plan = &reader->recording->plan;
	const struct subject *subject = &plan->subjects[subject_index];
	const struct metric *metric = &reader->recording->metrics[metric_index];
	struct results_label *labels = arena_alloc(arena, subject->level_count, sizeof *labels);
	struct measure measure = { .benchmark = cell_name(arena, subject),
				   .metric = metric->name,
				   .unit = metric->unit,
				   .better = metric->better,
				   .exact = metric->exact,
				   .secondary = is_secondary(plan, metric),
				   .labels = labels,
				   .label_count = subject->level_count };
	size_t i;

	for (i = 0; i < subject->level_count; i++)
		labels[i] =
		    (struct results_label){ subject->levels[i].factor, subject->levels[i].value };
	return results_measure(reader->results, &measure);
}

static bool is_result(const struct reader *reader, size_t metric)
{
	return reader->imported || !reader->recording->metrics[metric].hidden;
}

/* The place of a sample: its round. A hidden metric of a measurement is no result. */
static void add_sample(struct reader *reader, const struct sample *sample)
{
	size_t side = reader->sides[sample->subject], i;
	const size_t *measures =
	    reader->measures + sample->subject * reader->recording->metric_count;
	bool failed = (sample->flags & SAMPLE_FAILED) != 0;
	size_t place = sample->round;

	/* Only a file that no worth wrote has rounds without runs. */
	if (place > reader->recording->sample_count)
		place = reader->recording->sample_count;

	for (i = 0; i < reader->recording->metric_count; i++) {
		const struct metric *metric = &reader->recording->metrics[i];
		struct reading reading = { .value = sample->values[i], .quantum = metric->quantum };

		if (!is_result(reader, i))
			continue;
		if (!isfinite(reading.value))
			reading.state = READING_MISSING;
		if (failed)
			reading.state = READING_FAILED;
		results_pad(reader->results, side, measures[i], place);
		results_add(reader->results, side, measures[i], &reading);
	}
	if (failed)
		results_fail_run(reader->results, side, place, sample->exit_status, sample->signal,
				 0);
}

/* Samples by round: a resumed session may hold them in another order. */
static int by_round(const void *one, const void *other)
{
	const struct sample *const *left = one, *const *right = other;

	if ((*left)->round != (*right)->round)
		return (*left)->round < (*right)->round ? -1 : 1;
	return *left < *right ? -1 : *left > *right;
}

static void add_samples(struct reader *reader, struct arena *arena)
{
	const struct recording *recording = reader->recording;
	const struct sample **ordered =
	    arena_alloc(arena, recording->sample_count, sizeof *ordered);
	size_t count = 0, i;

	for (i = 0; i < recording->sample_count; i++)
		if ((recording->samples[i].flags & SAMPLE_WARMUP) == 0)
			ordered[count++] = &recording->samples[i];
	qsort(ordered, count, sizeof *ordered, by_round);
	for (i = 0; i < count; i++)
		add_sample(reader, ordered[i]);
}

static void add_means(struct reader *reader)
{
	const struct recording *recording = reader->recording;
	size_t i;

	for (i = 0; i < recording->mean_count; i++) {
		const struct told_mean *mean = &recording->means[i];

		results_summary(
		    reader->results, reader->sides[mean->subject],
		    reader->measures[mean->subject * recording->metric_count + mean->metric],
		    mean->mean, mean->deviation, mean->count, 0);
	}
}

static void add_recording(struct results *results, struct arena *arena,
			  const struct recording *recording)
{
	struct reader reader = { .results = results,
				 .recording = recording,
				 .imported = recording->origin != NULL &&
					     strcmp(recording->origin, "measured") != 0 };
	size_t subjects = recording->plan.subject_count, metrics = recording->metric_count, i, j;

	reader.sides = arena_alloc(arena, subjects, sizeof *reader.sides);
	reader.measures = arena_alloc(arena, subjects * metrics, sizeof *reader.measures);
	for (i = 0; i < subjects; i++) {
		const struct subject *subject = &recording->plan.subjects[i];

		reader.sides[i] = results_side(
		    results, variant_name(arena, subject, cell_name(arena, subject)), 0);
		for (j = 0; j < metrics; j++)
			if (is_result(&reader, j))
				reader.measures[i * metrics + j] =
				    add_measure(&reader, arena, i, j);
	}
	add_samples(&reader, arena);
	add_means(&reader);
	if (recording->order_known && recording->plan.subject_count > 1)
		results_remark(results, "the runs of this recording were interleaved: --paired "
					"compares those of one round with each other");
}

/* A report holds its recording under a key. */
static const struct json *recording_of(const struct json *root)
{
	const struct json *inner = json_get(root, "recording");

	return inner == NULL ? root : inner;
}

static bool decode(struct input *input, const struct text *text, struct arena *arena,
		   struct recording *recording, struct error *err)
{
	struct json *json = NULL;
	bool good = json_parse(text_string(text), text->length, &json, err) &&
		    recording_from_json(arena, recording_of(json), recording, err);

	json_release(json);
	if (good)
		return true;
	error_prefix(err, "%s", input_name(input));
	return error_clean(err);
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct arena *arena = results_arena(results);
	struct recording *recording = arena_alloc(arena, 1, sizeof *recording);
	struct text text = { 0 };
	bool good = read_whole(input, &text, err) && decode(input, &text, arena, recording, err);

	if (good) {
		add_recording(results, arena, recording);
		results_keep(results, recording);
	}
	text_release(&text);
	return good;
}

static int score(const struct head *head)
{
	if (head->length == 0 || !head_begins(head, "{"))
		return SCORE_NO;
	if (head_has(head, "\"worth-recording\"") ||
	    (head_has(head, "\"worth\"") && head_has(head, "\"rounds_done\"")))
		return SCORE_CERTAIN;
	return SCORE_NO;
}

const struct format format_worth = {
	.name = "worth",
	.summary = "worth's own report or recording (--json)",
	.expects = "a report of worth compare --json, or a recording",
	.score = score,
	.read = read,
};
