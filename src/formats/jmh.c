/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JMH's JSON (-rf json): a list of benchmarks, each with the raw scores of its
 * forks and their iterations. Iterations of one fork share a process, its
 * compiled code and its heap, so the fork is the unit that counts. Under mode
 * "sample" there are histograms instead; their mean is the iteration's value.
 *
 * Whether more is better follows from the unit: operations per time, or time
 * per operation.
 */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "formats/input/json.h"
#include "formats/input/unit.h"

struct iteration {
	struct json_number score;
	uint32_t fork;
};

struct entry {
	const char *benchmark, *mode, *unit;
	struct json_number score;
	struct json_labels labels;
	struct iteration *iterations;
	size_t iteration_count, iteration_capacity;
};

static const struct json_field fields[] = {
	{ "benchmark", FIELD_STRING, offsetof(struct entry, benchmark), false },
	{ "mode", FIELD_STRING, offsetof(struct entry, mode), false },
};
/* "score" may be the string "NaN". */
static const struct json_field metric_fields[] = {
	{ "score", FIELD_NUMBER, offsetof(struct entry, score), true },
	{ "scoreUnit", FIELD_STRING, offsetof(struct entry, unit), false },
};

struct reader {
	struct results *results;
	struct arena *arena; /* of the entry under way */
	struct entry entry;
	uint32_t fork;
	double weight, sum; /* of a histogram */
	struct json_numbers pair;
};

static void add_iteration(struct reader *reader, double value, double quantum, size_t line)
{
	struct entry *entry = &reader->entry;

	*array_push(reader->arena, entry->iterations, entry->iteration_count,
		    entry->iteration_capacity) =
	    (struct iteration){ { value, quantum, line }, reader->fork };
}

static bool visit_score(void *context, struct json_stream *stream, const struct json_event *event,
			struct error *err)
{
	struct reader *reader = context;

	/* JMH writes a score that is none as a string. */
	if (event->kind == EVENT_STRING || event->kind == EVENT_NULL)
		add_iteration(reader, NAN, 0, event->line);
	else if (event->kind == EVENT_NUMBER)
		add_iteration(reader, event->number, event->quantum, event->line);
	else
		return json_stream_expected(stream, event, "a number", err);
	return true;
}

static bool visit_fork(void *context, struct json_stream *stream, const struct json_event *event,
		       struct error *err)
{
	struct reader *reader = context;

	reader->fork++;
	return json_list_each(stream, event, visit_score, reader, err);
}

static bool visit_pair(void *context, struct json_stream *stream, const struct json_event *event,
		       struct error *err)
{
	struct reader *reader = context;

	reader->pair.count = 0;
	if (!json_numbers_read(stream, event, &reader->pair, err))
		return false;
	if (reader->pair.count != 2)
		return json_stream_expected(stream, event, "a pair of a time and its count", err);
	reader->sum += reader->pair.items[0].number * reader->pair.items[1].number;
	reader->weight += reader->pair.items[1].number;
	return true;
}

static bool visit_histogram(void *context, struct json_stream *stream,
			    const struct json_event *event, struct error *err)
{
	struct reader *reader = context;

	reader->sum = reader->weight = 0;
	if (!json_list_each(stream, event, visit_pair, reader, err))
		return false;
	add_iteration(reader, reader->weight > 0 ? reader->sum / reader->weight : NAN, 0,
		      event->line);
	return true;
}

static bool visit_histogram_fork(void *context, struct json_stream *stream,
				 const struct json_event *event, struct error *err)
{
	struct reader *reader = context;

	reader->fork++;
	return json_list_each(stream, event, visit_histogram, reader, err);
}

static bool visit_metric(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;
	bool taken;

	if (json_is_member(event, "rawData"))
		return json_list_each(stream, event, visit_fork, reader, err);
	if (json_is_member(event, "rawDataHistogram"))
		return json_list_each(stream, event, visit_histogram_fork, reader, err);
	return json_stream_field(reader->arena, stream, event, metric_fields, 2, &reader->entry,
				 &taken, err);
}

static bool visit_member(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;
	bool taken;

	if (json_is_member(event, "primaryMetric"))
		return json_object_each(stream, event, visit_metric, reader, err);
	if (json_is_member(event, "params") && event->kind == EVENT_OBJECT)
		return json_labels_read(reader->arena, stream, event, &reader->entry.labels, err);
	return json_stream_field(reader->arena, stream, event, fields, 2, &reader->entry, &taken,
				 err);
}

/* "ops/ms" and "ms/op" as a factor to "/s" and "s", and the direction. */
static struct unit unit_of(const char *words)
{
	const struct unit *time;
	const char *slash = words == NULL ? NULL : strchr(words, '/');

	if (slash != NULL && strncmp(words, "ops/", 4) == 0) {
		time = unit_find(slash + 1, strlen(slash + 1));
		if (time != NULL && strcmp(time->base, "s") == 0)
			return (struct unit){ words, "/s", time->over, time->times, BETTER_HIGHER };
	} else if (slash != NULL) {
		time = unit_find(words, (size_t)(slash - words));
		if (time != NULL && strcmp(time->base, "s") == 0)
			return (struct unit){ words, "s", time->times, time->over, BETTER_LOWER };
	}
	return (struct unit){ words, words == NULL ? "" : words, 1, 1, BETTER_NEITHER };
}

/* Parameters make benchmarks of one name different ones. */
static const char *full_name(struct reader *reader)
{
	const struct entry *entry = &reader->entry;
	struct text name = { 0 };
	const char *copy;
	size_t i;

	text_add(&name, entry->benchmark);
	for (i = 0; i < entry->labels.count; i++)
		text_printf(&name, "%s%s=%s", i == 0 ? " (" : ", ", entry->labels.items[i].key,
			    entry->labels.items[i].value);
	if (entry->labels.count > 0)
		text_add(&name, ")");
	copy = arena_strdup(reader->arena, name.bytes);
	text_release(&name);
	return copy;
}

static void add_entry(struct reader *reader)
{
	const struct entry *entry = &reader->entry;
	struct unit unit = unit_of(entry->unit);
	struct measure measure = { .benchmark = full_name(reader),
				   .metric = entry->mode == NULL ? "score" : entry->mode,
				   .unit = unit.base,
				   .better = unit.better,
				   .labels = entry->labels.items,
				   .label_count = entry->labels.count };
	size_t index = results_measure(reader->results, &measure), i;

	for (i = 0; i < entry->iteration_count; i++) {
		struct json_number score = entry->iterations[i].score;
		struct number value =
		    unit_base(&unit, (struct number){ score.number, score.quantum });
		struct reading reading = { .value = value.value,
					   .quantum = value.quantum,
					   .line = score.line,
					   .process = entry->iterations[i].fork,
					   .state = isfinite(value.value) ? READING_GOOD
									  : READING_MISSING };

		results_add(reader->results, 0, index, &reading);
	}
	if (entry->iteration_count == 0 && isfinite(entry->score.number))
		results_summary(reader->results, 0, index,
				unit_base(&unit, (struct number){ entry->score.number, 0 }).value,
				NAN, 0, entry->score.line);
}

static bool visit_entry(void *context, struct json_stream *stream, const struct json_event *event,
			struct error *err)
{
	struct reader *reader = context;
	bool good;

	reader->entry = (struct entry){ .score = { NAN, 0 } };
	reader->fork = 0;
	reader->arena = arena_open();
	good = json_object_each(stream, event, visit_member, reader, err);
	if (good && reader->entry.benchmark == NULL)
		good = json_stream_expected(stream, event, "an entry with \"benchmark\"", err);
	if (good)
		add_entry(reader);
	arena_close(reader->arena);
	return good;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .results = results };
	bool good;

	results_side(results, NULL, 0);
	good = json_input_list(input, STREAM_NOT_FINITE, visit_entry, &reader, err);
	json_numbers_release(&reader.pair);
	return good;
}

static int score(const struct head *head)
{
	static const char *const words[] = { "\"benchmark\"", "\"mode\"", "\"primaryMetric\"",
					     NULL };
	static const char *const version[] = { "\"jmhVersion\"", "\"benchmark\"", NULL };

	return head_is_json(head, "[", words) || head_is_json(head, "[", version) ? SCORE_CERTAIN
										  : SCORE_NO;
}

const struct format format_jmh = {
	.name = "jmh",
	.summary = "JMH's JSON (-rf json)",
	.expects = "a list of objects with \"benchmark\" and \"primaryMetric\"",
	.score = score,
	.read = read,
};
