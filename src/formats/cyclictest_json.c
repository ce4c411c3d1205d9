/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cyclictest --json: under "thread" an object for each with "min", "max" and
 * "avg", in microseconds unless "resolution_in_ns" is 1. (Two of the other keys
 * end in a colon; they are not needed.)
 */
#include <math.h>
#include <string.h>

#include "formats/input/json.h"

struct thread_figures {
	struct json_number min, avg, max;
};

static const struct json_field fields[] = {
	{ "min", FIELD_NUMBER, offsetof(struct thread_figures, min), false },
	{ "avg", FIELD_NUMBER, offsetof(struct thread_figures, avg), false },
	{ "max", FIELD_NUMBER, offsetof(struct thread_figures, max), false },
};

struct reader {
	struct input *input;
	struct results *results;
	struct arena *arena;
	struct thread_figures figures;
	struct json_number resolution; /* stands before the threads */
};

static const struct json_field head_fields[] = {
	{ "resolution_in_ns", FIELD_NUMBER, offsetof(struct reader, resolution), true },
};

static bool visit_figure(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;
	bool taken;

	return json_stream_field(reader->arena, stream, event, fields, 3, &reader->figures, &taken,
				 err);
}

static void add(struct reader *reader, const char *thread, const char *metric, bool secondary,
		struct json_number number)
{
	double scale = reader->resolution.number == 1 ? 1e-9 : 1e-6;
	struct measure measure = { .benchmark = arena_printf(reader->arena, "thread %s", thread),
				   .metric = metric,
				   .unit = "s",
				   .better = BETTER_LOWER,
				   .secondary = secondary };
	struct reading reading = { .value = number.number * scale,
				   .quantum = number.quantum * scale,
				   .line = number.line };

	if (isnan(number.number))
		reading.state = READING_MISSING;
	results_add(reader->results, 0, results_measure(reader->results, &measure), &reading);
}

static bool visit_thread(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;
	struct thread_figures none = { { NAN, 0 }, { NAN, 0 }, { NAN, 0 } };
	/* The key is good only until the next event. */
	const char *thread = arena_strdup(reader->arena, event->key);

	reader->figures = none;
	if (!json_object_each(stream, event, visit_figure, reader, err))
		return false;
	add(reader, thread, "max latency", false, reader->figures.max);
	add(reader, thread, "avg latency", true, reader->figures.avg);
	add(reader, thread, "min latency", true, reader->figures.min);
	return true;
}

static bool visit_member(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;
	bool taken;

	if (json_is_member(event, "thread"))
		return json_object_each(stream, event, visit_thread, reader, err);
	return json_stream_field(reader->arena, stream, event, head_fields, 1, reader, &taken, err);
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = {
		.input = input, .results = results, .arena = arena_open(), .resolution = { NAN, 0 }
	};
	bool good;

	results_side(results, NULL, 0);
	good = json_input_object(input, 0, visit_member, &reader, err);
	arena_close(reader.arena);
	return good;
}

static int score(const struct head *head)
{
	static const char *const words[] = { "\"thread\"", "\"resolution_in_ns\"", NULL };

	return head_is_json(head, "{", words) ? SCORE_CERTAIN : SCORE_NO;
}

const struct format format_cyclictest_json = {
	.name = "cyclictest-json",
	.summary = "cyclictest --json",
	.expects = "an object with \"thread\": {\"0\": {\"min\": 7, \"max\": 99, \"avg\": 9.5}}",
	.score = score,
	.read = read,
};
