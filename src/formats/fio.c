/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fio's JSON (--output-format=json, json+, also amid its normal text, several
 * documents in one file): one document is one run. Clones of a job (numjobs
 * without group_reporting) run side by side, so their rates are added up and
 * are not several runs. The samples within a run (bw_samples, percentiles over
 * its I/Os) are no runs either.
 *
 * fio 2 tells latencies as "clat" in microseconds, fio 3 as "clat_ns"; "bw" is
 * KiB/s in both, "bw_bytes" came with fio 3. In fio 2 percentile lists repeat
 * the key "0.00".
 */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "formats/fio_histogram.h"
#include "formats/input/json.h"

static const struct json_number none = { NAN, 0, 0 };

struct latency {
	struct json_number mean, count, p99;
	double scale; /* to seconds; 0: not there */
};

/* One direction of one job. */
struct direction {
	const char *name; /* "read", "write", "trim" */
	struct json_number io_bytes, bw, bw_bytes, iops;
	struct latency completion;
};

enum { DIRECTIONS = 3 };
static const char *const direction_names[DIRECTIONS] = { "read", "write", "trim" };

static const struct json_field direction_fields[] = {
	{ "io_bytes", FIELD_NUMBER, offsetof(struct direction, io_bytes), false },
	{ "bw", FIELD_NUMBER, offsetof(struct direction, bw), false },
	{ "bw_bytes", FIELD_NUMBER, offsetof(struct direction, bw_bytes), false },
	{ "iops", FIELD_NUMBER, offsetof(struct direction, iops), false },
};
static const struct json_field latency_fields[] = {
	{ "mean", FIELD_NUMBER, offsetof(struct latency, mean), false },
	{ "N", FIELD_NUMBER, offsetof(struct latency, count), false },
};

struct job {
	const char *name;
	struct json_number error;
	struct direction directions[DIRECTIONS];
};

static const struct json_field job_fields[] = {
	{ "jobname", FIELD_STRING, offsetof(struct job, name), false },
	{ "error", FIELD_NUMBER, offsetof(struct job, error), false },
};

/* A job and direction of the document under way, clones taken together. Lines are those of the
 * first clone; p99 is in seconds. */
struct total {
	const char *name;
	size_t direction;
	size_t clones;
	bool failed;
	struct json_number bytes_per_s, ios_per_s;
	struct json_number latency_sum, p99;
	double latency_weight;
};

struct reader {
	struct results *results;
	struct arena *arena; /* of the document under way */
	struct job job;
	struct direction *direction;
	struct total *totals;
	size_t total_count, total_capacity;
};

static bool visit_percentile(void *context, struct json_stream *stream,
			     const struct json_event *event, struct error *err)
{
	struct reader *reader = context;

	(void)stream;
	(void)err;
	if (event->kind == EVENT_NUMBER && json_is_member(event, "99.000000"))
		reader->direction->completion.p99 =
		    (struct json_number){ event->number, event->quantum, event->line };
	return true;
}

static bool visit_latency(void *context, struct json_stream *stream, const struct json_event *event,
			  struct error *err)
{
	struct reader *reader = context;
	bool taken;

	if (json_is_member(event, "percentile") && event->kind == EVENT_OBJECT)
		return json_stream_each(stream, visit_percentile, reader, err);
	return json_stream_field(reader->arena, stream, event, latency_fields, 2,
				 &reader->direction->completion, &taken, err);
}

static bool visit_direction(void *context, struct json_stream *stream,
			    const struct json_event *event, struct error *err)
{
	struct reader *reader = context;
	bool taken, is_old = json_is_member(event, "clat");

	if (is_old || json_is_member(event, "clat_ns")) {
		reader->direction->completion.scale = is_old ? 1e6 : 1e9;
		return json_object_each(stream, event, visit_latency, reader, err);
	}
	return json_stream_field(reader->arena, stream, event, direction_fields, 4,
				 reader->direction, &taken, err);
}

static bool visit_job_member(void *context, struct json_stream *stream,
			     const struct json_event *event, struct error *err)
{
	struct reader *reader = context;
	bool taken;
	size_t i;

	for (i = 0; i < DIRECTIONS; i++)
		if (json_is_member(event, direction_names[i])) {
			reader->direction = &reader->job.directions[i];
			return json_object_each(stream, event, visit_direction, reader, err);
		}
	return json_stream_field(reader->arena, stream, event, job_fields, 2, &reader->job, &taken,
				 err);
}

static struct total *total_of(struct reader *reader, const char *name, size_t direction)
{
	size_t i;

	for (i = 0; i < reader->total_count; i++)
		if (reader->totals[i].direction == direction &&
		    strcmp(reader->totals[i].name, name) == 0)
			return &reader->totals[i];
	*array_push(reader->arena, reader->totals, reader->total_count, reader->total_capacity) =
	    (struct total){ .name = name, .direction = direction, .p99 = none };
	return &reader->totals[reader->total_count - 1];
}

static void add_up(struct json_number *sum, struct json_number number, double scale)
{
	sum->number += number.number * scale;
	sum->quantum = number.quantum * scale;
	if (sum->line == 0)
		sum->line = number.line;
}

static void add_latency(struct total *total, const struct latency *latency)
{
	/* fio 2 does not tell how many I/Os: its clones weigh alike. */
	double weight = isnan(latency->count.number) ? 1 : latency->count.number;

	if (latency->scale == 0 || isnan(latency->mean.number))
		return;
	add_up(&total->latency_sum, latency->mean, weight / latency->scale);
	total->latency_sum.quantum = latency->mean.quantum / latency->scale;
	total->latency_weight += weight;
	total->p99 = none;
	if (total->clones == 1)
		total->p99 =
		    (struct json_number){ latency->p99.number / latency->scale,
					  fio_histogram_step(latency->p99.number) / latency->scale,
					  latency->p99.line };
}

static void add_direction(struct reader *reader, size_t index)
{
	const struct direction *direction = &reader->job.directions[index];
	const struct latency *latency = &direction->completion;
	bool has_bytes = !isnan(direction->bw_bytes.number);
	struct total *total;

	if (!(direction->bw.number > 0) && !(direction->iops.number > 0))
		return;
	total = total_of(reader, reader->job.name == NULL ? "" : reader->job.name, index);
	total->clones++;
	total->failed = total->failed || reader->job.error.number > 0;
	add_up(&total->bytes_per_s, has_bytes ? direction->bw_bytes : direction->bw,
	       has_bytes ? 1 : 1024);
	add_up(&total->ios_per_s, direction->iops, 1);
	add_latency(total, latency);
}

static bool visit_job(void *context, struct json_stream *stream, const struct json_event *event,
		      struct error *err)
{
	struct reader *reader = context;
	size_t i;

	reader->job = (struct job){ .error = none };
	for (i = 0; i < DIRECTIONS; i++)
		reader->job.directions[i] = (struct direction){
			.io_bytes = none,
			.bw = none,
			.bw_bytes = none,
			.iops = none,
			.completion = { .mean = none, .count = none, .p99 = none }
		};
	if (!json_object_each(stream, event, visit_job_member, reader, err))
		return false;
	for (i = 0; i < DIRECTIONS; i++)
		add_direction(reader, i);
	return true;
}

static void add_reading(struct reader *reader, const struct total *total, struct measure measure,
			struct json_number number)
{
	struct reading reading = { .value = number.number,
				   .quantum = number.quantum,
				   .line = number.line };

	if (total->failed)
		reading.state = READING_FAILED;
	else if (!isfinite(number.number))
		reading.state = READING_MISSING;
	measure.benchmark = total->name;
	results_add(reader->results, 0, results_measure(reader->results, &measure), &reading);
}

static void add_total(struct reader *reader, const struct total *total)
{
	const char *direction = direction_names[total->direction];
	struct json_number mean = total->latency_sum;

	add_reading(reader, total,
		    (struct measure){ .metric = arena_printf(reader->arena, "%s bw", direction),
				      .unit = "B/s",
				      .better = BETTER_HIGHER },
		    total->bytes_per_s);
	add_reading(reader, total,
		    (struct measure){ .metric = arena_printf(reader->arena, "%s iops", direction),
				      .unit = "/s",
				      .better = BETTER_HIGHER,
				      .secondary = true },
		    total->ios_per_s);
	mean.number /= total->latency_weight;
	if (total->latency_weight > 0)
		add_reading(reader, total,
			    (struct measure){
				.metric = arena_printf(reader->arena, "%s clat mean", direction),
				.unit = "s",
				.better = BETTER_LOWER,
				.secondary = true },
			    mean);
	if (isfinite(total->p99.number))
		add_reading(reader, total,
			    (struct measure){
				.metric = arena_printf(reader->arena, "%s clat p99", direction),
				.unit = "s",
				.better = BETTER_LOWER,
				.secondary = true },
			    total->p99);
	if (total->clones > 1)
		results_remark(reader->results,
			       "%zu clones of job %s ran side by side: their rates were added up",
			       total->clones, total->name);
}

static bool visit_document_member(void *context, struct json_stream *stream,
				  const struct json_event *event, struct error *err)
{
	struct reader *reader = context;

	if (!json_is_member(event, "jobs") && !json_is_member(event, "client_stats"))
		return true;
	return json_list_each(stream, event, visit_job, reader, err);
}

static bool visit_document(void *context, struct json_stream *stream,
			   const struct json_event *event, struct error *err)
{
	struct reader *reader = context;
	bool good;
	size_t i;

	reader->arena = arena_open();
	reader->totals = NULL;
	reader->total_count = reader->total_capacity = 0;
	good = json_object_each(stream, event, visit_document_member, reader, err);
	for (i = 0; good && i < reader->total_count; i++)
		add_total(reader, &reader->totals[i]);
	arena_close(reader->arena);
	return good;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .results = results };

	results_side(results, NULL, 0);
	return json_input_embedded(input, STREAM_NOT_FINITE | STREAM_REPEATED_KEYS, visit_document,
				   &reader, err);
}

static int score(const struct head *head)
{
	return head_has(head, "\"fio version\"") ? SCORE_CERTAIN : SCORE_NO;
}

const struct format format_fio = {
	.name = "fio",
	.summary = "fio --output-format=json, also amid its text",
	.expects = "an object with \"fio version\" and \"jobs\" that moved some bytes",
	.score = score,
	.read = read,
};
