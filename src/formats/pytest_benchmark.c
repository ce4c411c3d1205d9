/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pytest-benchmark's JSON (--benchmark-json, --benchmark-save). Rounds are
 * there only under --benchmark-save-data; otherwise mean, standard deviation
 * and their number are. Times are seconds per call. All rounds of a test come
 * from one process, one after the other.
 */
#include <math.h>
#include <string.h>

#include "formats/input/json.h"

struct entry {
	const char *name, *fullname, *group;
	struct json_number mean, deviation, rounds;
	struct json_numbers data;
	struct json_labels labels;
};

static const struct json_field fields[] = {
	{ "name", FIELD_STRING, offsetof(struct entry, name), false },
	{ "fullname", FIELD_STRING, offsetof(struct entry, fullname), false },
	{ "group", FIELD_STRING, offsetof(struct entry, group), true },
};
static const struct json_field stats_fields[] = {
	{ "mean", FIELD_NUMBER, offsetof(struct entry, mean), false },
	{ "stddev", FIELD_NUMBER, offsetof(struct entry, deviation), false },
	{ "rounds", FIELD_NUMBER, offsetof(struct entry, rounds), false },
};

struct reader {
	struct results *results;
	struct arena *arena; /* of the entry under way */
	struct entry entry;
	size_t left_out; /* what in "data" is no number */
};

/* A round; files that were shortened by hand have a note among the numbers. */
static bool visit_round(void *context, struct json_stream *stream, const struct json_event *event,
			struct error *err)
{
	struct reader *reader = context;
	struct json_number round = { event->number, event->quantum, event->line };

	if (event->kind == EVENT_OBJECT || event->kind == EVENT_ARRAY)
		return json_stream_expected(stream, event, "a number", err);
	if (event->kind != EVENT_NUMBER) {
		reader->left_out++;
		return true;
	}
	json_numbers_add(&reader->entry.data, round);
	return true;
}

static bool visit_stats(void *context, struct json_stream *stream, const struct json_event *event,
			struct error *err)
{
	struct reader *reader = context;
	bool taken;

	if (json_is_member(event, "data") && event->kind != EVENT_NULL)
		return json_list_each(stream, event, visit_round, reader, err);
	return json_stream_field(reader->arena, stream, event, stats_fields, 3, &reader->entry,
				 &taken, err);
}

static bool visit_member(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;
	bool taken;

	if (json_is_member(event, "stats"))
		return json_object_each(stream, event, visit_stats, reader, err);
	if (json_is_member(event, "params") && event->kind == EVENT_OBJECT)
		return json_labels_read(reader->arena, stream, event, &reader->entry.labels, err);
	return json_stream_field(reader->arena, stream, event, fields, 3, &reader->entry, &taken,
				 err);
}

static void add_round(struct reader *reader, size_t measure, const struct json_number *round)
{
	results_add(reader->results, 0, measure,
		    &(struct reading){
			.value = round->number, .quantum = round->quantum, .line = round->line });
}

static void add_entry(struct reader *reader)
{
	const struct entry *entry = &reader->entry;
	struct measure measure = { .benchmark =
				       entry->fullname != NULL ? entry->fullname : entry->name,
				   .metric = "time",
				   .unit = "s",
				   .better = BETTER_LOWER,
				   .labels = entry->labels.items,
				   .label_count = entry->labels.count };
	size_t index = results_measure(reader->results, &measure), i;

	for (i = 0; i < entry->data.count; i++)
		add_round(reader, index, &entry->data.items[i]);
	if (reader->left_out > 0)
		results_remark(reader->results,
			       "the list of rounds of %s is incomplete: %zu of %.0f",
			       measure.benchmark, entry->data.count, entry->rounds.number);
	if (entry->data.count == 0 && isfinite(entry->mean.number))
		results_summary(reader->results, 0, index, entry->mean.number,
				entry->deviation.number,
				entry->rounds.number >= 1 && entry->rounds.number < 1e15
				    ? (size_t)entry->rounds.number
				    : 0,
				entry->mean.line);
}

static bool visit_entry(void *context, struct json_stream *stream, const struct json_event *event,
			struct error *err)
{
	struct reader *reader = context;
	bool good;

	reader->entry =
	    (struct entry){ .mean = { NAN, 0 }, .deviation = { NAN, 0 }, .rounds = { NAN, 0 } };
	reader->left_out = 0;
	reader->arena = arena_open();
	good = json_object_each(stream, event, visit_member, reader, err);
	if (good && reader->entry.name == NULL && reader->entry.fullname == NULL)
		good = json_stream_expected(stream, event, "a benchmark with a \"name\"", err);
	if (good)
		add_entry(reader);
	json_numbers_release(&reader->entry.data);
	arena_close(reader->arena);
	return good;
}

static bool visit_top(void *context, struct json_stream *stream, const struct json_event *event,
		      struct error *err)
{
	return !json_is_member(event, "benchmarks") ||
	       json_list_each(stream, event, visit_entry, context, err);
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .results = results };

	results_side(results, NULL, 0);
	return json_input_object(input, STREAM_NOT_FINITE, visit_top, &reader, err);
}

static int score(const struct head *head)
{
	static const char *const words[] = { "\"machine_info\"", "\"benchmarks\"", NULL };
	static const char *const stats[] = { "\"benchmarks\"", "\"fullname\"", "\"stats\"", NULL };

	return head_is_json(head, "{", words) || head_is_json(head, "{", stats) ? SCORE_CERTAIN
										: SCORE_NO;
}

const struct format format_pytest_benchmark = {
	.name = "pytest-benchmark",
	.summary = "pytest-benchmark's JSON",
	.expects = "an object with \"benchmarks\", each with \"name\" and \"stats\"",
	.score = score,
	.read = read,
};
