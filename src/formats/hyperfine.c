/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hyperfine --export-json: for each command its wall times in run order, and
 * its exit codes (under --ignore-failure; null for a signal). user, system and
 * the other statistics are over all runs and no runs themselves. Each command
 * is run to the end before the next begins.
 */
#include <math.h>
#include <string.h>

#include "formats/input/json.h"

struct result {
	const char *command;
	struct json_number mean, deviation;
	struct json_numbers times, exit_codes;
	struct json_labels labels;
};

static const struct json_field fields[] = {
	{ "command", FIELD_STRING, offsetof(struct result, command), false },
	{ "mean", FIELD_NUMBER, offsetof(struct result, mean), false },
	{ "stddev", FIELD_NUMBER, offsetof(struct result, deviation), false },
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

struct reader {
	struct results *results;
	struct arena *arena; /* of the result under way */
	struct result result;
	size_t result_count;
};

/* The value of a parameter is a string, or a number since 1.17. */
static bool visit_member(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;
	struct result *result = &reader->result;
	bool taken;

	if (json_is_member(event, "times") && event->kind != EVENT_NULL)
		return json_numbers_read(stream, event, &result->times, err);
	if (json_is_member(event, "exit_codes") && event->kind != EVENT_NULL)
		return json_numbers_read(stream, event, &result->exit_codes, err);
	if (json_is_member(event, "parameters") && event->kind == EVENT_OBJECT)
		return json_labels_read(reader->arena, stream, event, &reader->result.labels, err);
	return json_stream_field(reader->arena, stream, event, fields, FIELD_COUNT, result, &taken,
				 err);
}

/* How run number run ended: status 0 where nothing is said. */
static struct reading reading_of(const struct result *result, size_t run)
{
	struct json_number time = result->times.items[run];
	struct reading reading = { .value = time.number,
				   .quantum = time.quantum,
				   .line = time.line };

	if (run < result->exit_codes.count && result->exit_codes.items[run].number != 0)
		reading.state = READING_FAILED;
	else if (isnan(time.number))
		reading.state = READING_MISSING;
	return reading;
}

static void add_result(struct reader *reader)
{
	const struct result *result = &reader->result;
	struct measure measure = { .benchmark = result->command,
				   .metric = "wall",
				   .unit = "s",
				   .better = BETTER_LOWER,
				   .labels = result->labels.items,
				   .label_count = result->labels.count };
	size_t index = results_measure(reader->results, &measure), i, failed = 0;

	for (i = 0; i < result->times.count; i++) {
		struct reading reading = reading_of(result, i);

		failed += reading.state == READING_FAILED;
		results_add(reader->results, 0, index, &reading);
	}
	if (failed > 0)
		results_remark(reader->results, "%zu of %zu runs of '%s' failed", failed,
			       result->times.count, result->command);
	if (result->times.count == 0 && isfinite(result->mean.number))
		results_summary(reader->results, 0, index, result->mean.number,
				result->deviation.number, 0, result->mean.line);
}

static bool visit_result(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;
	struct result *result = &reader->result;
	bool good;

	*result = (struct result){ .mean = { NAN, 0 }, .deviation = { NAN, 0 } };
	reader->arena = arena_open();
	good = json_object_each(stream, event, visit_member, reader, err);
	if (good && result->command == NULL)
		good = json_stream_expected(stream, event, "a result with a \"command\"", err);
	if (good)
		add_result(reader);
	reader->result_count++;
	json_numbers_release(&result->times);
	json_numbers_release(&result->exit_codes);
	arena_close(reader->arena);
	return good;
}

static bool visit_top(void *context, struct json_stream *stream, const struct json_event *event,
		      struct error *err)
{
	return !json_is_member(event, "results") ||
	       json_list_each(stream, event, visit_result, context, err);
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .results = results };

	results_side(results, NULL, 0);
	results_alternatives(results);
	if (!json_input_object(input, 0, visit_top, &reader, err))
		return false;
	if (reader.result_count > 1)
		results_remark(results, "hyperfine ran all runs of one command before those of the "
					"next: the runs were not interleaved");
	return true;
}

static int score(const struct head *head)
{
	static const char *const words[] = { "\"results\"", "\"command\"", "\"mean\"", NULL };

	return head_is_json(head, "{", words) ? SCORE_CERTAIN : SCORE_NO;
}

const struct format format_hyperfine = {
	.name = "hyperfine",
	.summary = "hyperfine --export-json",
	.expects = "an object with \"results\", each with \"command\" and \"times\"",
	.score = score,
	.read = read,
};
