/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf stat -j: an object a line, amid comments. The value is a string, in the notation of the
 * locale that perf ran under; "variance" is there under -r. */
#include <math.h>
#include <string.h>

#include "formats/input/json.h"
#include "formats/perf_counters.h"

struct entry {
	const char *value, *unit, *event;
	const char *cpu, *core, *socket, *die, *node, *thread, *cgroup;
	struct json_number interval, running, variance;
};

static const struct json_field fields[] = {
	{ "counter-value", FIELD_STRING, offsetof(struct entry, value), false },
	{ "unit", FIELD_STRING, offsetof(struct entry, unit), true },
	{ "event", FIELD_STRING, offsetof(struct entry, event), false },
	{ "cpu", FIELD_STRING, offsetof(struct entry, cpu), true },
	{ "core", FIELD_STRING, offsetof(struct entry, core), true },
	{ "socket", FIELD_STRING, offsetof(struct entry, socket), true },
	{ "die", FIELD_STRING, offsetof(struct entry, die), true },
	{ "node", FIELD_STRING, offsetof(struct entry, node), true },
	{ "thread", FIELD_STRING, offsetof(struct entry, thread), true },
	{ "cgroup", FIELD_STRING, offsetof(struct entry, cgroup), true },
	{ "interval", FIELD_NUMBER, offsetof(struct entry, interval), true },
	{ "pcnt-running", FIELD_NUMBER, offsetof(struct entry, running), true },
	{ "variance", FIELD_NUMBER, offsetof(struct entry, variance), true },
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

struct reader {
	struct results *results;
	struct perf_counters *counters;
	struct arena *arena; /* of the object under way */
	struct entry entry;
};

static bool visit_member(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;
	bool taken;

	return json_stream_field(reader->arena, stream, event, fields, FIELD_COUNT, &reader->entry,
				 &taken, err);
}

static const char *place_of(const struct entry *entry)
{
	const char *const places[] = { entry->cpu,  entry->core,   entry->die,	 entry->socket,
				       entry->node, entry->thread, entry->cgroup };
	size_t i;

	for (i = 0; i < sizeof places / sizeof *places; i++)
		if (places[i] != NULL)
			return places[i];
	return NULL;
}

static bool add_entry(struct reader *reader, const struct json_event *event, struct error *err)
{
	const struct entry *entry = &reader->entry;
	struct perf_counter counter = { .place = place_of(entry),
					.event = entry->event,
					.unit = entry->unit == NULL ? "" : entry->unit,
					.value = entry->value,
					.averaged = !isnan(entry->variance.number),
					.running = entry->running.number,
					.line = event->line };
	const char *expected;

	/* A line of a metric alone. */
	if (entry->value == NULL || entry->event == NULL || entry->event[0] == '\0')
		return true;
	if (!isnan(entry->interval.number))
		counter.interval = arena_printf(reader->arena, "%.9f", entry->interval.number);
	if (perf_counters_add(reader->counters, &counter, &expected))
		return true;
	return error_set(err, ERROR_INPUT, "line %zu: counter-value: expected %s, found '%.40s'",
			 event->line, expected, entry->value);
}

static bool visit_object(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;
	bool good;

	reader->arena = arena_open();
	reader->entry =
	    (struct entry){ .interval = { NAN, 0 }, .running = { NAN, 0 }, .variance = { NAN, 0 } };
	good = json_object_each(stream, event, visit_member, reader, err) &&
	       add_entry(reader, event, err);
	arena_close(reader->arena);
	return good;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .results = results, .counters = perf_counters_open(results) };
	bool good;

	results_side(results, NULL, 0);
	good = json_input_embedded(input, STREAM_NOT_FINITE, visit_object, &reader, err);
	if (good)
		perf_counters_finish(reader.counters);
	perf_counters_close(reader.counters);
	return good;
}

static int score(const struct head *head)
{
	return head_has(head, "\"counter-value\"") && head_has(head, "\"event\"") ? SCORE_CERTAIN
										  : SCORE_NO;
}

const struct format format_perf_json = {
	.name = "perf-json",
	.summary = "perf stat -j",
	.expects = "lines of {\"counter-value\" : \"...\", \"event\" : \"...\", ...}",
	.score = score,
	.read = read,
};
