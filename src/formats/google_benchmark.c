/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Google Benchmark's JSON (--benchmark_format=json, --benchmark_out): one entry
 * a repetition, and after them entries that aggregate them. Only repetitions
 * are runs. Where a file has nothing else (--benchmark_report_aggregates_only),
 * mean and standard deviation become a summary. Files from before 2018 have no
 * run_type; there the ending of the name tells an aggregate.
 *
 * All repetitions come from one process.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "formats/input/json.h"
#include "formats/input/unit.h"

/* So many that did not run are named. */
enum { NAMED_FAILURES = 8 };

/* What is neither a time nor a counter of the user. */
static const char *const bookkeeping[] = {
	"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads",
	"iterations",
};

struct counter {
	const char *name;
	struct json_number number;
};

/* One object of "benchmarks". */
struct entry {
	const char *name, *run_name, *run_type, *aggregate_name, *aggregate_unit, *time_unit;
	const char *error_message;
	bool error_occurred, skipped;
	struct json_number real, cpu, threads, repetitions;
	struct counter *counters;
	size_t counter_count, counter_capacity;
	size_t line;
};

static const struct json_field fields[] = {
	{ "name", FIELD_STRING, offsetof(struct entry, name), false },
	{ "run_name", FIELD_STRING, offsetof(struct entry, run_name), false },
	{ "run_type", FIELD_STRING, offsetof(struct entry, run_type), false },
	{ "aggregate_name", FIELD_STRING, offsetof(struct entry, aggregate_name), false },
	{ "aggregate_unit", FIELD_STRING, offsetof(struct entry, aggregate_unit), false },
	{ "time_unit", FIELD_STRING, offsetof(struct entry, time_unit), false },
	{ "error_message", FIELD_STRING, offsetof(struct entry, error_message), true },
	{ "skip_message", FIELD_STRING, offsetof(struct entry, error_message), true },
	{ "error_occurred", FIELD_BOOLEAN, offsetof(struct entry, error_occurred), true },
	{ "skipped", FIELD_BOOLEAN, offsetof(struct entry, skipped), true },
	{ "real_time", FIELD_NUMBER, offsetof(struct entry, real), false },
	{ "cpu_time", FIELD_NUMBER, offsetof(struct entry, cpu), false },
	{ "threads", FIELD_NUMBER, offsetof(struct entry, threads), true },
	{ "repetitions", FIELD_NUMBER, offsetof(struct entry, repetitions), true },
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* An aggregate's share of a summary, kept until it is known whether there were runs. */
struct aggregate {
	size_t measure;
	double mean, deviation;
	size_t repetitions, line;
};

struct reader {
	struct results *results;
	struct arena *entry_arena; /* of the entry under way */
	size_t entry_arena_uses;
	struct entry entry;
	struct arena *arena;
	struct aggregate *aggregates;
	size_t aggregate_count, aggregate_capacity;
	bool aggregates_seen;
	size_t failed; /* runs that did not run */
};

static bool is_bookkeeping(const char *key)
{
	size_t i;

	for (i = 0; i < sizeof bookkeeping / sizeof *bookkeeping; i++)
		if (strcmp(bookkeeping[i], key) == 0)
			return true;
	return false;
}

static bool ends_in(const char *name, const char *ending)
{
	size_t length = strlen(name), count = strlen(ending);

	return length > count && strcmp(name + length - count, ending) == 0;
}

/* The aggregate that an old file's name ends in; NULL for a run. */
static const char *aggregate_by_name(const char *name)
{
	static const char *const endings[] = {
		"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"
	};
	size_t i;

	for (i = 0; i < sizeof endings / sizeof *endings; i++)
		if (ends_in(name, endings[i]))
			return endings[i] + 1;
	return NULL;
}

static bool is_aggregate(const struct entry *entry)
{
	if (entry->run_type != NULL)
		return strcmp(entry->run_type, "aggregate") == 0;
	return entry->aggregate_name != NULL || aggregate_by_name(entry->name) != NULL;
}

static const char *aggregate_of(const struct entry *entry)
{
	const char *name = entry->aggregate_name;

	name = name == NULL ? aggregate_by_name(entry->name) : name;
	return name == NULL ? "" : name;
}

static size_t entry_measure(struct reader *reader, const char *benchmark, const char *metric,
			    const char *unit, enum better better, bool secondary)
{
	const struct entry *entry = &reader->entry;
	struct results_label label = { "threads", NULL };
	struct measure measure = { .benchmark = benchmark,
				   .metric = metric,
				   .unit = unit,
				   .better = better,
				   .secondary = secondary };

	if (entry->threads.number >= 1 && entry->threads.number < 1e9) {
		label.value = arena_printf(reader->entry_arena, "%.0f", entry->threads.number);
		measure.labels = &label;
		measure.label_count = 1;
	}
	return results_measure(reader->results, &measure);
}

/* Counters that the library itself knows have a unit and a direction. */
static size_t counter_measure(struct reader *reader, const char *benchmark, const char *name)
{
	if (strcmp(name, "bytes_per_second") == 0)
		return entry_measure(reader, benchmark, name, "B/s", BETTER_HIGHER, true);
	if (strcmp(name, "items_per_second") == 0)
		return entry_measure(reader, benchmark, name, "/s", BETTER_HIGHER, true);
	return entry_measure(reader, benchmark, name, "", BETTER_NEITHER, true);
}

/* Times are told per iteration, in the entry's unit. */
static struct number in_seconds(const struct unit *unit, struct json_number time)
{
	return unit_base(unit, (struct number){ time.number, time.quantum });
}

static void add_time(struct reader *reader, size_t measure, const struct unit *unit,
		     struct json_number time)
{
	const struct entry *entry = &reader->entry;
	struct number seconds = in_seconds(unit, time);
	struct reading reading = { .value = seconds.value,
				   .quantum = seconds.quantum,
				   .line = time.line };

	if (entry->error_occurred || entry->skipped) {
		reading.value = NAN;
		reading.state = entry->skipped ? READING_MISSING : READING_FAILED;
	}
	results_add(reader->results, 0, measure, &reading);
}

static void add_counter(struct reader *reader, const struct counter *counter)
{
	struct reading reading = { .value = counter->number.number,
				   .quantum = counter->number.quantum,
				   .line = counter->number.line };

	results_add(reader->results, 0, counter_measure(reader, reader->entry.name, counter->name),
		    &reading);
}

static void add_run(struct reader *reader, const struct unit *unit)
{
	const struct entry *entry = &reader->entry;
	const char *name = entry->name;
	size_t i;

	add_time(reader, entry_measure(reader, name, "real_time", "s", BETTER_LOWER, false), unit,
		 entry->real);
	add_time(reader, entry_measure(reader, name, "cpu_time", "s", BETTER_LOWER, true), unit,
		 entry->cpu);
	if (entry->error_occurred || entry->skipped) {
		if (reader->failed++ < NAMED_FAILURES)
			results_remark(reader->results, "%s did not run%s%s", name,
				       entry->error_message == NULL ? "" : ": ",
				       entry->error_message == NULL ? "" : entry->error_message);
		return;
	}
	for (i = 0; i < entry->counter_count; i++)
		add_counter(reader, &entry->counters[i]);
}

/* Whose aggregate this is: in old files the name without its ending. */
static const char *aggregated_name(struct reader *reader)
{
	const struct entry *entry = &reader->entry;
	size_t length = strlen(entry->name), ending = strlen(aggregate_of(entry));

	if (entry->run_name != NULL)
		return entry->run_name;
	if (ending > 0 && length > ending + 1 &&
	    strcmp(entry->name + length - ending, aggregate_of(entry)) == 0)
		length -= ending + 1;
	return arena_strndup(reader->entry_arena, entry->name, length);
}

static struct aggregate *find_aggregate(struct reader *reader, size_t measure)
{
	size_t i = reader->aggregate_count;

	/* The aggregates of one benchmark stand together. */
	while (i > 0 && i + 8 > reader->aggregate_count)
		if (reader->aggregates[--i].measure == measure)
			return &reader->aggregates[i];
	*array_push(reader->arena, reader->aggregates, reader->aggregate_count,
		    reader->aggregate_capacity) =
	    (struct aggregate){ measure, NAN, NAN, 0, reader->entry.line };
	return &reader->aggregates[reader->aggregate_count - 1];
}

static void keep_time(struct reader *reader, const char *metric, const struct unit *unit,
		      struct json_number time, bool secondary)
{
	const struct entry *entry = &reader->entry;
	bool is_mean = strcmp(aggregate_of(entry), "mean") == 0;
	struct aggregate *aggregate;

	if (!is_mean && strcmp(aggregate_of(entry), "stddev") != 0)
		return;
	aggregate = find_aggregate(reader, entry_measure(reader, aggregated_name(reader), metric,
							 "s", BETTER_LOWER, secondary));
	if (is_mean)
		aggregate->mean = in_seconds(unit, time).value;
	else
		aggregate->deviation = in_seconds(unit, time).value;
	if (entry->repetitions.number >= 1 && entry->repetitions.number < 1e9)
		aggregate->repetitions = (size_t)entry->repetitions.number;
}

static bool add_entry(struct reader *reader, struct json_stream *stream,
		      const struct json_event *event, struct error *err)
{
	struct entry *entry = &reader->entry;
	const char *word = entry->time_unit == NULL ? "ns" : entry->time_unit;
	const struct unit *unit = unit_find(word, strlen(word));

	entry->line = event->line;
	if (entry->name == NULL)
		return json_stream_expected(stream, event, "a benchmark with a \"name\"", err);
	if (unit == NULL || strcmp(unit->base, "s") != 0)
		return error_set(err, ERROR_INPUT,
				 "line %zu: \"time_unit\": expected ns, us, ms or s", event->line);
	if (!is_aggregate(entry)) {
		add_run(reader, unit);
		return true;
	}
	reader->aggregates_seen = true;
	if (entry->aggregate_unit == NULL || strcmp(entry->aggregate_unit, "time") == 0) {
		keep_time(reader, "real_time", unit, entry->real, false);
		keep_time(reader, "cpu_time", unit, entry->cpu, true);
	}
	return true;
}

static bool visit_member(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reader *reader = context;
	struct entry *entry = &reader->entry;
	bool taken;

	if (!json_stream_field(reader->entry_arena, stream, event, fields, FIELD_COUNT, entry,
			       &taken, err))
		return false;
	/* "skipped" is a boolean in one version and names its reason in another. */
	if (json_is_member(event, "skipped") && event->kind == EVENT_STRING)
		entry->skipped = event->length > 0;
	if (!taken && event->kind == EVENT_NUMBER && !is_bookkeeping(event->key))
		*array_push(reader->entry_arena, entry->counters, entry->counter_count,
			    entry->counter_capacity) =
		    (struct counter){ arena_strdup(reader->entry_arena, event->key),
				      { event->number, event->quantum, event->line } };
	return true;
}

static bool visit_entry(void *context, struct json_stream *stream, const struct json_event *event,
			struct error *err)
{
	enum { ENTRIES_PER_ARENA = 64 };
	struct reader *reader = context;

	if (reader->entry_arena_uses++ % ENTRIES_PER_ARENA == 0) {
		arena_close(reader->entry_arena);
		reader->entry_arena = arena_open();
	}
	reader->entry = (struct entry){ .real = { NAN, 0 },
					.cpu = { NAN, 0 },
					.threads = { NAN, 0 },
					.repetitions = { NAN, 0 } };
	return json_object_each(stream, event, visit_member, reader, err) &&
	       add_entry(reader, stream, event, err);
}

static bool visit_top(void *context, struct json_stream *stream, const struct json_event *event,
		      struct error *err)
{
	struct reader *reader = context;

	if (!json_is_member(event, "benchmarks"))
		return true;
	return json_list_each(stream, event, visit_entry, reader, err);
}

/* Aggregates count only where no run was seen. */
static void add_summaries(struct reader *reader)
{
	size_t i;

	for (i = 0; i < reader->aggregate_count; i++) {
		const struct aggregate *aggregate = &reader->aggregates[i];

		if (isfinite(aggregate->mean) &&
		    results_column(reader->results, 0, aggregate->measure) == NULL)
			results_summary(reader->results, 0, aggregate->measure, aggregate->mean,
					aggregate->deviation, aggregate->repetitions,
					aggregate->line);
	}
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .results = results, .arena = arena_open() };
	bool good;

	results_side(results, NULL, 0);
	good = json_input_object(input, STREAM_NOT_FINITE, visit_top, &reader, err);
	if (good)
		add_summaries(&reader);
	if (reader.failed > NAMED_FAILURES)
		results_remark(results, "%zu runs in all did not run", reader.failed);
	if (good && reader.aggregates_seen && results_column_count(results) == 0)
		good = input_error(input, 0, err,
				   "only aggregates without a mean; expected runs "
				   "(--benchmark_report_aggregates_only=false writes them)");
	arena_close(reader.entry_arena);
	arena_close(reader.arena);
	return good;
}

static int score(const struct head *head)
{
	static const char *const new_words[] = { "\"benchmarks\"", "\"real_time\"", "\"cpu_time\"",
						 NULL };
	static const char *const context_words[] = { "\"context\"", "\"num_cpus\"",
						     "\"library_build_type\"", NULL };

	return head_is_json(head, "{", new_words) || head_is_json(head, "{", context_words)
		   ? SCORE_CERTAIN
		   : SCORE_NO;
}

const struct format format_google_benchmark = {
	.name = "google-benchmark",
	.summary = "Google Benchmark's JSON",
	.expects = "an object with \"benchmarks\", each with \"name\" and \"real_time\"",
	.score = score,
	.read = read,
};
