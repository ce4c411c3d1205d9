/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording as JSON and back: see codec.h and docs/recording.md; the plan is
 * in codec_plan.c. Writing cannot fail. Reading trusts nothing, because files
 * come from other people: afterwards every index is inside its array and every
 * sample has a value, perhaps NAN, for every metric.
 */
#include "model/codec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "model/codec_fields.h"
#include "model/codec_where.h"

static const char format_name[] = "worth-recording";

enum {
	MOST_METRICS = 4096,
	MOST_SAMPLES = 100000000,
	MOST_BATCHES = 1 << 24,
	MOST_REMARKS = 1 << 20,
	MOST_MEANS = 1 << 20,
};

/* In the order of enum sample_flag's bits. */
static const char *const flag_names[] = { "failed", "timed-out", "disturbed",
					  "strays", "warmup",	 "output-differs" };

enum { FLAG_COUNT = sizeof flag_names / sizeof *flag_names };

static struct json *integer_or_null(int64_t integer, int64_t none)
{
	return integer == none ? json_string(NULL) : json_integer(integer);
}

struct json *environment_to_json(const struct environment *environment)
{
	struct json *json = json_object();
	struct json *facts;
	size_t i;

	json_set(json, "taken_at_s", integer_or_null(environment->taken_at_s, 0));
	facts = json_set(json, "facts", json_object());
	for (i = 0; i < environment->fact_count; i++)
		json_set(facts, environment->facts[i].key,
			 field_from_text(environment->facts[i].value));
	json_set(json, "load_1min", json_number(environment->load_1min));
	json_set(json, "memory_available_bytes", json_number(environment->memory_available_bytes));
	json_set(json, "steal_s", json_number(environment->steal_s));
	json_set(json, "busy_s", json_number(environment->busy_s));
	json_set(json, "idle_s", json_number(environment->idle_s));
	return json;
}

struct json *metric_to_json(const struct metric *metric)
{
	struct json *json = json_object();

	json_set(json, "name", field_from_text(metric->name));
	json_set(json, "unit", field_from_text(metric->unit));
	json_set(json, "better", json_string(better_name(metric->better)));
	json_set(json, "source", json_string(metric_source_name(metric->source)));
	json_set(json, "quantum", json_number(metric->quantum));
	json_set(json, "exact", json_boolean(metric->exact));
	json_set(json, "hidden", json_boolean(metric->hidden));
	return json;
}

static struct json *flags_to_json(uint32_t flags)
{
	struct json *array = json_array();
	size_t i;

	for (i = 0; i < FLAG_COUNT; i++)
		if (flags & (uint32_t)1 << i)
			json_push(array, json_string(flag_names[i]));
	return array;
}

static struct json *batches_to_json(const struct sample *sample)
{
	struct json *array = json_array();
	size_t i;

	for (i = 0; i < sample->batch_count; i++) {
		struct json *batch = json_push(array, json_array());

		json_push(batch, json_integer(sample->batches[i].metric));
		json_push(batch, json_number(sample->batches[i].value));
	}
	return array;
}

/* What most samples do not have is left out. */
static void rare_to_json(const struct sample *sample, size_t metric_count, struct json *json)
{
	struct json *coverage;
	char hash[20];
	size_t i;

	if (sample->coverage != NULL) {
		coverage = json_set(json, "coverage", json_array());
		for (i = 0; i < metric_count; i++)
			json_push(coverage, json_number((double)sample->coverage[i]));
	}
	if (sample->batch_count > 0)
		json_set(json, "batches", batches_to_json(sample));
	if (sample->output_hash != 0) {
		snprintf(hash, sizeof hash, "%016llx", (unsigned long long)sample->output_hash);
		json_set(json, "output_hash", json_string(hash));
	}
}

static struct json *sample_to_json(const struct sample *sample, size_t metric_count)
{
	struct json *json = json_object();
	struct json *values;
	size_t i;

	json_set(json, "round", json_integer(sample->round));
	json_set(json, "position", json_integer(sample->position));
	json_set(json, "subject", json_integer(sample->subject));
	json_set(json, "flags", flags_to_json(sample->flags));
	json_set(json, "started_ns", integer_or_null(sample->started_ns, -1));
	json_set(json, "exit_status", integer_or_null(sample->exit_status, -1));
	json_set(json, "signal", integer_or_null(sample->signal, 0));
	values = json_set(json, "values", json_array());
	for (i = 0; i < metric_count; i++)
		json_push(values, json_number(sample->values[i]));
	rare_to_json(sample, metric_count, json);
	return json;
}

static bool was_taken(const struct environment *environment)
{
	return environment->taken_at_s != 0 || environment->fact_count > 0;
}

static void head_to_json(const struct recording *recording, struct json *json)
{
	struct json *bases;
	size_t i;

	json_set(json, "format", json_string(format_name));
	json_set(json, "version", json_integer(RECORDING_FORMAT));
	json_set(json, "id", field_from_text(recording->id));
	json_set(json, "origin", field_from_text(recording->origin));
	json_set(json, "order_known", json_boolean(recording->order_known));
	json_set(json, "end", json_string(session_end_name(recording->end)));
	json_set(json, "rounds_done", json_integer((int64_t)recording->rounds_done));
	bases = json_set(json, "extension_bases", json_array());
	for (i = 0; i < recording->extension_count; i++)
		json_push(bases, json_integer((int64_t)recording->extension_bases[i]));
}

static struct json *means_to_json(const struct recording *recording)
{
	struct json *array = json_array(), *json;
	size_t i;

	for (i = 0; i < recording->mean_count; i++) {
		const struct told_mean *mean = &recording->means[i];

		json = json_push(array, json_object());
		json_set(json, "metric", json_integer(mean->metric));
		json_set(json, "subject", json_integer(mean->subject));
		json_set(json, "mean", json_number(mean->mean));
		json_set(json, "deviation", json_number(mean->deviation));
		json_set(json, "count", integer_or_null((int64_t)mean->count, 0));
	}
	return array;
}

static struct json *runs_to_json(const struct recording *recording)
{
	struct json *array = json_array();
	struct arena *arena = arena_open();
	double *values = arena_alloc(arena, recording->metric_count, sizeof *values);
	size_t count = recording_run_count(recording), i;

	for (i = 0; i < count; i++) {
		struct sample sample = recording_run(recording, i, values);

		json_push(array, sample_to_json(&sample, recording->metric_count));
	}
	arena_close(arena);
	return array;
}

struct json *recording_to_json(const struct recording *recording)
{
	struct json *json = json_object();
	struct json *array;
	size_t i;

	head_to_json(recording, json);
	json_set(json, "plan", plan_to_json(&recording->plan));
	json_set(json, "before", environment_to_json(&recording->before));
	json_set(json, "after",
		 was_taken(&recording->after) ? environment_to_json(&recording->after)
					      : json_string(NULL));
	array = json_set(json, "metrics", json_array());
	for (i = 0; i < recording->metric_count; i++)
		json_push(array, metric_to_json(&recording->metrics[i]));
	if (recording->mean_count > 0)
		json_set(json, "means", means_to_json(recording));
	array = json_set(json, "remarks", json_array());
	for (i = 0; i < recording->remark_count; i++)
		json_push(array, field_from_text(recording->remarks[i]));
	if (recording->where_count > 0)
		json_set(json, "where", where_to_json(recording));
	json_set(json, "samples", runs_to_json(recording));
	return json;
}

/* For collecting the facts of an object. */
struct fact_visit {
	struct arena *arena;
	struct environment *environment;
	size_t capacity;
	bool failed;
};

static void read_fact(void *context, const char *key, struct json *value)
{
	struct fact_visit *visit = context;
	struct environment *environment = visit->environment;
	struct fact *fact =
	    array_push(visit->arena, environment->facts, environment->fact_count, visit->capacity);

	fact->key = arena_strdup(visit->arena, key);
	if (!field_to_text(visit->arena, value, &fact->value))
		visit->failed = true;
}

static bool read_facts(const struct fields *fields, struct environment *environment)
{
	struct fact_visit visit = { .arena = fields->arena, .environment = environment };
	const struct json *facts = json_get(fields->object, "facts");

	if (!json_is_object(facts))
		return error_set(fields->err, ERROR_INPUT, "\"facts\" must be an object of texts");
	json_each(facts, read_fact, &visit);
	if (visit.failed)
		return error_set(fields->err, ERROR_INPUT, "every one of \"facts\" must be a text");
	return true;
}

bool environment_from_json(struct arena *arena, const struct json *json,
			   struct environment *environment, struct error *err)
{
	struct fields fields = { arena, json, err };

	*environment = (struct environment){ 0 };
	return field_object(&fields) && read_facts(&fields, environment) &&
	       field_integer_or_null(&fields, "taken_at_s", INT64_MIN, INT64_MAX, 0,
				     &environment->taken_at_s) &&
	       field_number_or_null(&fields, "load_1min", &environment->load_1min) &&
	       field_number_or_null(&fields, "memory_available_bytes",
				    &environment->memory_available_bytes) &&
	       field_number_or_null(&fields, "steal_s", &environment->steal_s) &&
	       field_number_or_null(&fields, "busy_s", &environment->busy_s) &&
	       field_number_or_null(&fields, "idle_s", &environment->idle_s);
}

bool metric_from_json(struct arena *arena, const struct json *json, struct metric *metric,
		      struct error *err)
{
	struct fields fields = { arena, json, err };
	const char *better, *source;

	*metric = (struct metric){ 0 };
	if (!field_object(&fields) || !field_text(&fields, "name", &metric->name) ||
	    !field_text(&fields, "unit", &metric->unit) ||
	    !field_text(&fields, "better", &better) || !field_text(&fields, "source", &source) ||
	    !field_number(&fields, "quantum", 0, HUGE_VAL, &metric->quantum) ||
	    !field_boolean(&fields, "exact", &metric->exact) ||
	    !field_boolean(&fields, "hidden", &metric->hidden))
		return false;
	if (metric->name[0] == '\0')
		return error_set(err, ERROR_INPUT, "\"name\" is empty");
	if (!better_parse(better, &metric->better))
		return error_set(err, ERROR_INPUT,
				 "\"better\" must be \"lower\", \"higher\" or \"neither\"");
	if (!metric_source_parse(source, &metric->source))
		return error_set(err, ERROR_INPUT, "\"source\" is no known source");
	return true;
}

static bool read_metrics(const struct fields *fields, struct recording *recording)
{
	const struct json *array;
	struct metric metric;
	size_t i;

	if (!field_array(fields, "metrics", false, MOST_METRICS, &array))
		return false;
	for (i = 0; i < json_count(array); i++) {
		if (!metric_from_json(fields->arena, json_item(array, i), &metric, fields->err))
			return error_prefix(fields->err, "metric %zu", i);
		if (recording_add_metric(fields->arena, recording, &metric) != i)
			return error_set(fields->err, ERROR_INPUT,
					 "metric %zu has the name of an earlier one", i);
	}
	return true;
}

static bool read_flags(const struct fields *fields, struct sample *sample)
{
	const char **names;
	size_t count, i, flag;

	if (!field_texts(fields, "flags", true, &names, &count))
		return false;
	for (i = 0; i < count; i++) {
		for (flag = 0; flag < FLAG_COUNT; flag++)
			if (strcmp(flag_names[flag], names[i]) == 0)
				break;
		if (flag == FLAG_COUNT)
			return error_set(fields->err, ERROR_INPUT,
					 "entry %zu of \"flags\" is no known flag", i);
		sample->flags |= (uint32_t)1 << flag;
	}
	return true;
}

/* A list with one entry for each metric. */
static bool read_row(const struct fields *fields, const char *key, bool optional,
		     size_t metric_count, const struct json **array)
{
	if (!field_array(fields, key, optional, metric_count, array))
		return false;
	if (*array == NULL || json_count(*array) == metric_count)
		return true;
	return error_set(fields->err, ERROR_INPUT, "\"%s\" has %zu entries for %zu metrics", key,
			 json_count(*array), metric_count);
}

static bool read_values(const struct fields *fields, size_t metric_count, struct sample *sample)
{
	const struct json *array;
	size_t i;

	if (!read_row(fields, "values", false, metric_count, &array))
		return false;
	for (i = 0; i < metric_count; i++) {
		const struct json *value = json_item(array, i);

		sample->values[i] = json_to_number(value);
		if (isnan(sample->values[i]) && !json_is_null(value))
			return error_set(fields->err, ERROR_INPUT,
					 "entry %zu of \"values\" must be a number or null", i);
	}
	return true;
}

static bool read_coverage(const struct fields *fields, const struct recording *recording,
			  struct sample *sample)
{
	const struct json *array;
	size_t i;

	if (!read_row(fields, "coverage", true, recording->metric_count, &array))
		return false;
	if (array == NULL)
		return true;
	/* As long as values, since recording_add_metric() lets both grow alike. */
	sample->coverage =
	    arena_alloc(fields->arena, recording->metric_capacity, sizeof *sample->coverage);
	for (i = 0; i < recording->metric_count; i++) {
		double share = json_to_number(json_item(array, i));

		if (!(share >= 0 && share <= 1))
			return error_set(fields->err, ERROR_INPUT,
					 "entry %zu of \"coverage\" must be in 0 to 1", i);
		sample->coverage[i] = (float)share;
	}
	return true;
}

static bool read_batches(const struct fields *fields, size_t metric_count, struct sample *sample)
{
	const struct json *array;
	size_t i;

	if (!field_array(fields, "batches", true, MOST_BATCHES, &array))
		return false;
	sample->batch_count = (uint32_t)json_count(array);
	sample->batches = arena_alloc(fields->arena, sample->batch_count, sizeof *sample->batches);
	for (i = 0; i < sample->batch_count; i++) {
		const struct json *batch = json_item(array, i);
		struct batch *read = &sample->batches[i];
		int64_t metric;

		read->value = json_to_number(json_item(batch, 1));
		if (json_count(batch) != 2 || !json_to_integer(json_item(batch, 0), &metric) ||
		    metric < 0 || metric >= (int64_t)metric_count || isnan(read->value))
			return error_set(fields->err, ERROR_INPUT,
					 "entry %zu of \"batches\" must be the index of a metric "
					 "and a number",
					 i);
		read->metric = (uint32_t)metric;
	}
	return true;
}

/* Which run it was, and how it ended. */
static bool read_run(const struct fields *fields, size_t subject_count, struct sample *sample)
{
	int64_t round, position, subject, exit_status, signal;

	if (!field_integer(fields, "round", 0, UINT32_MAX, &round) ||
	    !field_integer(fields, "position", 0, UINT32_MAX, &position) ||
	    !field_integer(fields, "subject", 0, (int64_t)subject_count - 1, &subject) ||
	    !field_integer_or_null(fields, "started_ns", 0, INT64_MAX, -1, &sample->started_ns) ||
	    !field_integer_or_null(fields, "exit_status", 0, 255, -1, &exit_status) ||
	    !field_integer_or_null(fields, "signal", 1, 127, 0, &signal))
		return false;
	sample->round = (uint32_t)round;
	sample->position = (uint32_t)position;
	sample->subject = (uint32_t)subject;
	sample->exit_status = (int32_t)exit_status;
	sample->signal = (int32_t)signal;
	if (json_get(fields->object, "output_hash") == NULL)
		return true;
	return field_bits(fields, "output_hash", 16, &sample->output_hash);
}

static bool read_samples(const struct fields *fields, struct recording *recording)
{
	const struct json *array;
	size_t i;

	if (!field_array(fields, "samples", false, MOST_SAMPLES, &array))
		return false;
	for (i = 0; i < json_count(array); i++) {
		struct sample *sample = recording_add_sample(fields->arena, recording);
		struct fields run = { fields->arena, json_item(array, i), fields->err };

		if (!field_object(&run) || !read_run(&run, recording->plan.subject_count, sample) ||
		    !read_flags(&run, sample) ||
		    !read_values(&run, recording->metric_count, sample) ||
		    !read_coverage(&run, recording, sample) ||
		    !read_batches(&run, recording->metric_count, sample))
			return error_prefix(fields->err, "sample %zu", i);
	}
	return true;
}

static bool read_mean(const struct fields *fields, const struct recording *recording,
		      struct told_mean *mean)
{
	int64_t metric, subject, count;

	if (!field_object(fields) ||
	    !field_integer(fields, "metric", 0, (int64_t)recording->metric_count - 1, &metric) ||
	    !field_integer(fields, "subject", 0, (int64_t)recording->plan.subject_count - 1,
			   &subject) ||
	    !field_number(fields, "mean", -HUGE_VAL, HUGE_VAL, &mean->mean) ||
	    !field_number_or_null(fields, "deviation", &mean->deviation) ||
	    !field_integer_or_null(fields, "count", 1, UINT32_MAX, 0, &count))
		return false;
	if (mean->deviation < 0)
		return error_set(fields->err, ERROR_INPUT, "\"deviation\" is below 0");
	mean->metric = (uint32_t)metric;
	mean->subject = (uint32_t)subject;
	mean->count = (size_t)count;
	return true;
}

static bool read_means(const struct fields *fields, struct recording *recording)
{
	const struct json *array;
	size_t i;

	if (!field_array(fields, "means", true, MOST_MEANS, &array))
		return false;
	for (i = 0; i < json_count(array); i++) {
		struct fields one = { fields->arena, json_item(array, i), fields->err };
		struct told_mean mean = { 0 };

		if (!read_mean(&one, recording, &mean))
			return error_prefix(fields->err, "mean %zu", i);
		recording_add_mean(fields->arena, recording, &mean);
	}
	return true;
}

static bool read_format(const struct fields *fields)
{
	const char *name = json_get_string(fields->object, "format", "");
	int64_t version;

	if (strcmp(name, format_name) != 0)
		return error_set(fields->err, ERROR_INPUT,
				 "this is not a recording of worth (\"format\" is not \"%s\")",
				 format_name);
	if (!field_integer(fields, "version", 1, INT64_MAX, &version))
		return false;
	if (version > RECORDING_FORMAT)
		return error_set(fields->err, ERROR_INPUT,
				 "it was written by a newer worth: version %lld of the format, and "
				 "this one reads up to %d",
				 (long long)version, RECORDING_FORMAT);
	return true;
}

static bool read_extensions(const struct fields *fields, struct recording *recording)
{
	const struct json *array;
	size_t i;

	if (!field_array(fields, "extension_bases", true, MOST_REMARKS, &array))
		return false;
	recording->extension_count = json_count(array);
	recording->extension_bases = arena_alloc(fields->arena, recording->extension_count,
						 sizeof *recording->extension_bases);
	for (i = 0; i < recording->extension_count; i++) {
		int64_t base;

		if (!json_to_integer(json_item(array, i), &base) || base < 0 || base > UINT32_MAX)
			return error_set(fields->err, ERROR_INPUT,
					 "entry %zu of \"extension_bases\" must be a count", i);
		recording->extension_bases[i] = (size_t)base;
	}
	return true;
}

static bool read_head(const struct fields *fields, struct recording *recording)
{
	const char *end;

	if (!field_text_or_null(fields, "id", &recording->id) ||
	    !field_text(fields, "origin", &recording->origin) ||
	    !field_boolean(fields, "order_known", &recording->order_known) ||
	    !field_text(fields, "end", &end) ||
	    !field_size(fields, "rounds_done", UINT32_MAX, &recording->rounds_done))
		return false;
	if (!session_end_parse(end, &recording->end))
		return error_set(fields->err, ERROR_INPUT, "\"end\" is no known end of a session");
	return read_extensions(fields, recording);
}

static bool read_environments(const struct fields *fields, struct recording *recording)
{
	const struct json *after = json_get(fields->object, "after");

	if (!environment_from_json(fields->arena, json_get(fields->object, "before"),
				   &recording->before, fields->err))
		return error_prefix(fields->err, "before");
	recording->after = environment_none();
	if (after == NULL || json_is_null(after))
		return true;
	return environment_from_json(fields->arena, after, &recording->after, fields->err) ||
	       error_prefix(fields->err, "after");
}

static bool read_remarks(const struct fields *fields, struct recording *recording)
{
	if (!field_texts(fields, "remarks", true, &recording->remarks, &recording->remark_count))
		return false;
	recording->remark_capacity = recording->remark_count;
	return true;
}

bool recording_from_json(struct arena *arena, const struct json *json, struct recording *recording,
			 struct error *err)
{
	struct fields fields = { arena, json, err };

	*recording = (struct recording){ 0 };
	if (!field_object(&fields) || !read_format(&fields) || !read_head(&fields, recording) ||
	    !plan_from_json(arena, json_get(json, "plan"), &recording->plan, err) ||
	    !read_environments(&fields, recording) || !read_metrics(&fields, recording) ||
	    !read_means(&fields, recording) || !read_remarks(&fields, recording) ||
	    !where_from_json(arena, json_get(json, "where"), recording, err) ||
	    !read_samples(&fields, recording))
		return false;
	if (recording->rounds_done <= recording->sample_count)
		return true;
	return error_set(err, ERROR_INPUT, "\"rounds_done\" is %zu, more than there are samples",
			 recording->rounds_done);
}
