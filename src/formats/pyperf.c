/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pyperf's JSON: benchmarks, their runs, and the values of each run. A run is
 * a process, and values of one process belong together; warm-ups and runs that
 * only calibrate have no values. The name and the unit stand in the metadata of
 * a benchmark, or, where all share them, in those of the file, which come last.
 */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "formats/input/json.h"

struct value {
	struct json_number number;
	uint32_t process;
};

struct metadata {
	const char *name, *unit;
};

struct benchmark {
	struct metadata metadata;
	struct value *values;
	size_t value_count, value_capacity;
	uint32_t process_count;
};

static const struct json_field fields[] = {
	{ "name", FIELD_STRING, offsetof(struct metadata, name), true },
	{ "unit", FIELD_STRING, offsetof(struct metadata, unit), true },
};

struct reader {
	struct results *results;
	struct arena *arena;
	struct metadata common;
	struct metadata *metadata; /* that is being read */
	struct benchmark *benchmarks;
	size_t benchmark_count, benchmark_capacity;
};

static struct benchmark *current(struct reader *reader)
{
	return &reader->benchmarks[reader->benchmark_count - 1];
}

static bool visit_value(void *context, struct json_stream *stream, const struct json_event *event,
			struct error *err)
{
	struct reader *reader = context;
	struct benchmark *benchmark = current(reader);

	if (event->kind != EVENT_NUMBER && event->kind != EVENT_NULL)
		return json_stream_expected(stream, event, "a number", err);
	*array_push(reader->arena, benchmark->values, benchmark->value_count,
		    benchmark->value_capacity) =
	    (struct value){ { event->number, event->quantum, event->line },
			    benchmark->process_count };
	return true;
}

/* "samples" was the word for "values" before version 1.0. */
static bool visit_run_member(void *context, struct json_stream *stream,
			     const struct json_event *event, struct error *err)
{
	if (!json_is_member(event, "values") && !json_is_member(event, "samples"))
		return true;
	return json_list_each(stream, event, visit_value, context, err);
}

static bool visit_run(void *context, struct json_stream *stream, const struct json_event *event,
		      struct error *err)
{
	struct reader *reader = context;

	current(reader)->process_count++;
	return json_object_each(stream, event, visit_run_member, reader, err);
}

static bool visit_metadata(void *context, struct json_stream *stream,
			   const struct json_event *event, struct error *err)
{
	struct reader *reader = context;
	bool taken;

	return json_stream_field(reader->arena, stream, event, fields, 2, reader->metadata, &taken,
				 err);
}

static bool read_metadata(struct reader *reader, struct json_stream *stream,
			  const struct json_event *event, struct metadata *metadata,
			  struct error *err)
{
	reader->metadata = metadata;
	return json_object_each(stream, event, visit_metadata, reader, err);
}

static bool visit_member(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;

	if (json_is_member(event, "metadata"))
		return read_metadata(reader, stream, event, &current(reader)->metadata, err);
	if (json_is_member(event, "runs"))
		return json_list_each(stream, event, visit_run, reader, err);
	return true;
}

static bool visit_benchmark(void *context, struct json_stream *stream,
			    const struct json_event *event, struct error *err)
{
	struct reader *reader = context;

	*array_push(reader->arena, reader->benchmarks, reader->benchmark_count,
		    reader->benchmark_capacity) = (struct benchmark){ 0 };
	return json_object_each(stream, event, visit_member, reader, err);
}

static bool visit_top(void *context, struct json_stream *stream, const struct json_event *event,
		      struct error *err)
{
	struct reader *reader = context;

	if (json_is_member(event, "metadata"))
		return read_metadata(reader, stream, event, &reader->common, err);
	if (json_is_member(event, "benchmarks"))
		return json_list_each(stream, event, visit_benchmark, reader, err);
	return true;
}

/* pyperf knows seconds, bytes and plain numbers; of all of them less is better. */
static const char *base_unit(const char *unit)
{
	if (unit == NULL || strcmp(unit, "second") == 0)
		return "s";
	return strcmp(unit, "byte") == 0 ? "B" : "";
}

static void add_benchmark(struct reader *reader, const struct benchmark *benchmark)
{
	const char *name = benchmark->metadata.name, *unit = benchmark->metadata.unit;
	struct measure measure = { .metric = "value", .better = BETTER_LOWER };
	size_t index, i;

	unit = unit == NULL ? reader->common.unit : unit;
	measure.benchmark = name == NULL ? reader->common.name : name;
	measure.unit = base_unit(unit);
	if (strcmp(measure.unit, "s") == 0)
		measure.metric = "time";
	index = results_measure(reader->results, &measure);
	for (i = 0; i < benchmark->value_count; i++) {
		const struct value *value = &benchmark->values[i];
		struct reading reading = { .value = value->number.number,
					   .quantum = value->number.quantum,
					   .line = value->number.line,
					   .process = value->process,
					   .state = isfinite(value->number.number)
							? READING_GOOD
							: READING_MISSING };

		results_add(reader->results, 0, index, &reading);
	}
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .results = results, .arena = arena_open() };
	bool good;
	size_t i;

	results_side(results, NULL, 0);
	good = json_input_object(input, STREAM_NOT_FINITE, visit_top, &reader, err);
	for (i = 0; good && i < reader.benchmark_count; i++)
		add_benchmark(&reader, &reader.benchmarks[i]);
	arena_close(reader.arena);
	return good;
}

static int score(const struct head *head)
{
	static const char *const words[] = { "\"benchmarks\"", "\"runs\"", "\"metadata\"", NULL };

	return head_is_json(head, "{", words) && !head_has(head, "\"machine_info\"") ? SCORE_CERTAIN
										     : SCORE_NO;
}

const struct format format_pyperf = {
	.name = "pyperf",
	.summary = "pyperf's JSON",
	.expects = "an object with \"benchmarks\", each with \"runs\" and their \"values\"",
	.score = score,
	.read = read,
};
