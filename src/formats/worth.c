/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What worth itself wrote: a report (--json) with its recording, or a recording
 * alone. Subjects are sides, metrics measures, and a run keeps the place of its
 * round, so that --paired finds its pairs; warm-up is left out, failed runs are
 * kept as such. The plan that the runs were made under stays behind: its looks
 * were made on these data.
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
	size_t *measures; /* of each metric */
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

static size_t add_measure(const struct reader *reader, size_t index)
{
	const struct metric *metric = &reader->recording->metrics[index];
	const char *primary = reader->recording->plan.primary;
	struct measure measure = { .metric = metric->name,
				   .unit = metric->unit,
				   .better = metric->better,
				   .exact = metric->exact,
				   .secondary = strcmp(metric->name, primary) != 0 };

	return results_measure(reader->results, &measure);
}

/* The place of a sample: its round. A hidden metric is no result. */
static void add_sample(struct reader *reader, const struct sample *sample)
{
	size_t side = reader->sides[sample->subject], i;
	bool failed = (sample->flags & SAMPLE_FAILED) != 0;
	size_t place = sample->round;

	/* Only a file that no worth wrote has rounds without runs. */
	if (place > reader->recording->sample_count)
		place = reader->recording->sample_count;

	for (i = 0; i < reader->recording->metric_count; i++) {
		const struct metric *metric = &reader->recording->metrics[i];
		struct reading reading = { .value = sample->values[i], .quantum = metric->quantum };

		if (metric->hidden)
			continue;
		if (!isfinite(reading.value))
			reading.state = READING_MISSING;
		if (failed)
			reading.state = READING_FAILED;
		results_pad(reader->results, side, reader->measures[i], place);
		results_add(reader->results, side, reader->measures[i], &reading);
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

static void add_recording(struct results *results, struct arena *arena,
			  const struct recording *recording)
{
	struct reader reader = { .results = results, .recording = recording };
	size_t i;

	reader.sides = arena_alloc(arena, recording->plan.subject_count, sizeof *reader.sides);
	reader.measures = arena_alloc(arena, recording->metric_count, sizeof *reader.measures);
	for (i = 0; i < recording->plan.subject_count; i++)
		reader.sides[i] = results_side(results, recording->plan.subjects[i].label, 0);
	for (i = 0; i < recording->metric_count; i++)
		if (!recording->metrics[i].hidden)
			reader.measures[i] = add_measure(&reader, i);
	add_samples(&reader, arena);
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
	struct arena *arena = arena_open();
	struct text text = { 0 };
	struct recording recording;
	bool good = read_whole(input, &text, err) && decode(input, &text, arena, &recording, err);

	if (good)
		add_recording(results, arena, &recording);
	text_release(&text);
	arena_close(arena);
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
