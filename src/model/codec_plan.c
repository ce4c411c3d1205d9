/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan as JSON and back: see codec.h and docs/recording.md. */
#include "model/codec.h"

#include <stdio.h>
#include <string.h>

#include "model/codec_fields.h"
#include "model/codec_study.h"

enum {
	MOST_SUBJECTS = 4096,
	MOST_ENTRIES = 65536,
	HIGHEST_CPU = 65535,
	HIGHEST_ROUND = 1 << 30,
};

static struct json *texts_to_json(const char *const *texts, size_t count)
{
	struct json *array = json_array();
	size_t i;

	for (i = 0; i < count; i++)
		json_push(array, field_from_text(texts[i]));
	return array;
}

static struct json *levels_to_json(const struct subject *subject)
{
	struct json *array = json_array();
	size_t i;

	for (i = 0; i < subject->level_count; i++) {
		struct json *level = json_push(array, json_object());

		json_set(level, "factor", field_from_text(subject->levels[i].factor));
		json_set(level, "value", field_from_text(subject->levels[i].value));
		if (subject->levels[i].ordered)
			json_set(level, "ordered", json_boolean(true));
	}
	return array;
}

static size_t list_length(const char *const *list)
{
	size_t length = 0;

	while (list[length] != NULL)
		length++;
	return length;
}

static struct json *subject_to_json(const struct subject *subject)
{
	struct json *json = json_object();
	const char *const *environment = subject->environment;

	json_set(json, "label", field_from_text(subject->label));
	json_set(json, "command", field_from_text(subject->command));
	json_set(json, "argv",
		 texts_to_json((const char *const *)subject->argv,
			       subject->argv == NULL ? 0 : subject->argc));
	json_set(json, "directory", field_from_text(subject->directory));
	json_set(json, "environment",
		 environment == NULL ? json_string(NULL)
				     : texts_to_json(environment, list_length(environment)));
	json_set(json, "binary_path", field_from_text(subject->binary_path));
	json_set(json, "build_id", field_from_text(subject->build_id));
	json_set(json, "prepare", field_from_text(subject->prepare));
	json_set(json, "conclude", field_from_text(subject->conclude));
	json_set(json, "levels", levels_to_json(subject));
	json_set(json, "baseline", json_integer((int64_t)subject->baseline));
	if (subject->commit != NULL)
		json_set(json, "commit", field_from_text(subject->commit));
	if (subject->empty)
		json_set(json, "empty", json_boolean(true));
	return json;
}

static struct json *margins_to_json(const struct plan *plan)
{
	struct json *array = json_array();
	size_t i;

	for (i = 0; i < plan->margin_count; i++) {
		struct json *margin = json_push(array, json_object());

		json_set(margin, "metric", field_from_text(plan->margins[i].metric));
		json_set(margin, "ratio", json_number(plan->margins[i].ratio));
	}
	return array;
}

/* Zero or a negative number that stands for "none" is null in the file. */
static struct json *integer_or_null(int64_t integer, int64_t none)
{
	return integer == none ? json_string(NULL) : json_integer(integer);
}

static void rounds_to_json(const struct plan *plan, struct json *json)
{
	char seed[24];

	snprintf(seed, sizeof seed, "%llu", (unsigned long long)plan->seed);
	json_set(json, "rounds", json_integer((int64_t)plan->rounds));
	json_set(json, "extended_rounds", integer_or_null((int64_t)plan->extended_rounds, 0));
	json_set(json, "warmup_rounds", json_integer((int64_t)plan->warmup_rounds));
	json_set(json, "budget_ns", integer_or_null(plan->budget_ns, 0));
	json_set(json, "peek", json_boolean(plan->peek));
	json_set(json, "order", json_string(plan->order == ORDER_RANDOM ? "random" : "fixed"));
	json_set(json, "seed", json_string(seed));
}

static void judging_to_json(const struct plan *plan, struct json *json)
{
	json_set(json, "primary", field_from_text(plan->primary));
	if (plan->all_decide)
		json_set(json, "all_decide", json_boolean(true));
	json_set(json, "margin_ratio", json_number(plan->margin_ratio));
	json_set(json, "margins", margins_to_json(plan));
	json_set(json, "confidence", json_number(plan->confidence));
	if (plan->block != NULL)
		json_set(json, "block", field_from_text(plan->block));
	json_set(json, "self_check", json_boolean(plan->self_check));
}

static void running_to_json(const struct plan *plan, struct json *json)
{
	json_set(json, "timeout_ns", integer_or_null(plan->timeout_ns, 0));
	json_set(json, "cpu", integer_or_null(plan->cpu, -1));
	json_set(json, "environment_padding", json_boolean(plan->environment_padding));
	json_set(json, "ignore_failure", json_boolean(plan->ignore_failure));
	json_set(json, "keep_strays", json_boolean(plan->keep_strays));
	json_set(json, "shell", field_from_text(plan->shell));
	json_set(json, "setup", field_from_text(plan->setup));
	json_set(json, "cleanup", field_from_text(plan->cleanup));
	json_set(json, "input_path", field_from_text(plan->input_path));
	json_set(json, "output", json_string(output_mode_name(plan->output)));
	json_set(json, "output_path", field_from_text(plan->output_path));
	json_set(json, "show_output", json_boolean(plan->show_output));
	json_set(json, "same_output", json_boolean(plan->same_output));
	json_set(json, "counters",
		 texts_to_json((const char *const *)plan->counters, plan->counter_count));
	json_set(json, "simulate", json_boolean(plan->simulate));
}

struct json *plan_to_json(const struct plan *plan)
{
	struct json *json = json_object();
	struct json *subjects = json_set(json, "subjects", json_array());
	size_t i;

	for (i = 0; i < plan->subject_count; i++)
		json_push(subjects, subject_to_json(&plan->subjects[i]));
	rounds_to_json(plan, json);
	judging_to_json(plan, json);
	running_to_json(plan, json);
	if (plan->study != NULL)
		json_set(json, "study", study_to_json(plan->study));
	return json;
}

static bool read_levels(const struct fields *fields, struct subject *subject)
{
	const struct json *array;
	size_t i;

	if (!field_array(fields, "levels", true, MOST_ENTRIES, &array))
		return false;
	subject->level_count = json_count(array);
	subject->levels = arena_alloc(fields->arena, subject->level_count, sizeof *subject->levels);
	for (i = 0; i < subject->level_count; i++) {
		struct fields level = { fields->arena, json_item(array, i), fields->err };

		if (!field_text(&level, "factor", &subject->levels[i].factor) ||
		    !field_text(&level, "value", &subject->levels[i].value))
			return error_prefix(fields->err, "level %zu", i);
		subject->levels[i].ordered = json_get_boolean(level.object, "ordered", false);
	}
	return true;
}

static bool read_subject(const struct fields *fields, size_t subject_count, struct subject *subject)
{
	const char **words, **environment;
	size_t environment_count;

	if (!field_object(fields) || !field_text(fields, "label", &subject->label) ||
	    !field_text_or_null(fields, "command", &subject->command) ||
	    !field_texts(fields, "argv", true, &words, &subject->argc) ||
	    !field_text_or_null(fields, "directory", &subject->directory) ||
	    !field_texts(fields, "environment", true, &environment, &environment_count) ||
	    !field_text_or_null(fields, "binary_path", &subject->binary_path) ||
	    !field_text_or_null(fields, "build_id", &subject->build_id) ||
	    !field_text_or_null(fields, "prepare", &subject->prepare) ||
	    !field_text_or_null(fields, "conclude", &subject->conclude) ||
	    !field_text_or_null(fields, "commit", &subject->commit) ||
	    !field_size(fields, "baseline", subject_count - 1, &subject->baseline))
		return false;
	subject->argv = (char **)words;
	subject->environment = environment;
	subject->empty = json_get_boolean(fields->object, "empty", false);
	return read_levels(fields, subject);
}

/* Labels are unique, what a subject is compared with is itself a baseline, and an empty program is
 * the last and compared with nothing. */
static bool check_subjects(const struct plan *plan, struct error *err)
{
	size_t i, j;

	for (i = 0; i < plan->subject_count; i++) {
		size_t baseline = plan->subjects[i].baseline;

		if (plan->subjects[baseline].baseline != baseline)
			return error_set(err, ERROR_INPUT,
					 "subject %zu: its baseline, subject %zu, is not one", i,
					 baseline);
		if (plan->subjects[i].empty &&
		    (i == 0 || i + 1 < plan->subject_count || baseline != i))
			return error_set(err, ERROR_INPUT,
					 "subject %zu: an empty program must be the last of "
					 "several and its own baseline",
					 i);
		if (plan->subjects[baseline].empty && baseline != i)
			return error_set(err, ERROR_INPUT,
					 "subject %zu: its baseline is an empty program", i);
		for (j = 0; j < i; j++)
			if (strcmp(plan->subjects[i].label, plan->subjects[j].label) == 0)
				return error_set(err, ERROR_INPUT,
						 "subjects %zu and %zu have the same label", j, i);
	}
	return true;
}

static bool read_subjects(const struct fields *fields, struct plan *plan)
{
	const struct json *array;
	size_t i;

	if (!field_array(fields, "subjects", false, MOST_SUBJECTS, &array))
		return false;
	if (json_count(array) == 0)
		return error_set(fields->err, ERROR_INPUT, "\"subjects\" is empty");
	plan->subject_count = json_count(array);
	plan->subjects = arena_alloc(fields->arena, plan->subject_count, sizeof *plan->subjects);
	for (i = 0; i < plan->subject_count; i++) {
		struct fields subject = { fields->arena, json_item(array, i), fields->err };

		if (!read_subject(&subject, plan->subject_count, &plan->subjects[i]))
			return error_prefix(fields->err, "subject %zu", i);
	}
	return check_subjects(plan, fields->err);
}

static bool read_margins(const struct fields *fields, struct plan *plan)
{
	const struct json *array;
	size_t i;

	if (!field_array(fields, "margins", true, MOST_ENTRIES, &array))
		return false;
	plan->margin_count = json_count(array);
	plan->margins = arena_alloc(fields->arena, plan->margin_count, sizeof *plan->margins);
	for (i = 0; i < plan->margin_count; i++) {
		struct fields margin = { fields->arena, json_item(array, i), fields->err };

		if (!field_text(&margin, "metric", &plan->margins[i].metric) ||
		    !field_number(&margin, "ratio", 0, 1e6, &plan->margins[i].ratio))
			return error_prefix(fields->err, "margin %zu", i);
	}
	return true;
}

static bool read_order(const struct fields *fields, struct plan *plan)
{
	const char *order;

	if (!field_text(fields, "order", &order))
		return false;
	if (strcmp(order, "random") != 0 && strcmp(order, "fixed") != 0)
		return error_set(fields->err, ERROR_INPUT,
				 "\"order\" must be \"random\" or \"fixed\"");
	plan->order = strcmp(order, "random") == 0 ? ORDER_RANDOM : ORDER_FIXED;
	return true;
}

static bool read_rounds(const struct fields *fields, struct plan *plan)
{
	int64_t extended;

	if (!field_size(fields, "rounds", HIGHEST_ROUND, &plan->rounds) ||
	    !field_integer_or_null(fields, "extended_rounds", 0, HIGHEST_ROUND, 0, &extended) ||
	    !field_size(fields, "warmup_rounds", HIGHEST_ROUND, &plan->warmup_rounds) ||
	    !field_integer_or_null(fields, "budget_ns", 0, INT64_MAX, 0, &plan->budget_ns) ||
	    !field_boolean(fields, "peek", &plan->peek) ||
	    !field_bits(fields, "seed", 10, &plan->seed))
		return false;
	plan->extended_rounds = (size_t)extended;
	return read_order(fields, plan);
}

static bool read_judging(const struct fields *fields, struct plan *plan)
{
	plan->all_decide = json_get_boolean(fields->object, "all_decide", false);
	if (!(plan->all_decide ? field_text_or_null : field_text)(fields, "primary",
								  &plan->primary) ||
	    !field_number(fields, "margin_ratio", 0, 1e6, &plan->margin_ratio) ||
	    !field_number(fields, "confidence", 0, 1, &plan->confidence) ||
	    !field_text_or_null(fields, "block", &plan->block) ||
	    !field_boolean(fields, "self_check", &plan->self_check))
		return false;
	if (plan->confidence <= 0 || plan->confidence >= 1)
		return error_set(fields->err, ERROR_INPUT,
				 "\"confidence\" must lie between 0 and 1, both excluded");
	return read_margins(fields, plan);
}

static bool read_output(const struct fields *fields, struct plan *plan)
{
	const char *mode;

	if (!field_text(fields, "output", &mode) ||
	    !field_text_or_null(fields, "output_path", &plan->output_path) ||
	    !field_boolean(fields, "show_output", &plan->show_output) ||
	    !field_boolean(fields, "same_output", &plan->same_output))
		return false;
	if (!output_mode_parse(mode, &plan->output))
		return error_set(fields->err, ERROR_INPUT, "\"output\" is no known way of output");
	if (plan->output == OUTPUT_FILE && plan->output_path == NULL)
		return error_set(fields->err, ERROR_INPUT, "\"output_path\" is missing");
	return true;
}

static bool read_running(const struct fields *fields, struct plan *plan)
{
	int64_t cpu;

	if (!field_integer_or_null(fields, "timeout_ns", 0, INT64_MAX, 0, &plan->timeout_ns) ||
	    !field_integer_or_null(fields, "cpu", 0, HIGHEST_CPU, -1, &cpu) ||
	    !field_boolean(fields, "environment_padding", &plan->environment_padding) ||
	    !field_boolean(fields, "ignore_failure", &plan->ignore_failure) ||
	    !field_boolean(fields, "keep_strays", &plan->keep_strays) ||
	    !field_text_or_null(fields, "shell", &plan->shell) ||
	    !field_text_or_null(fields, "setup", &plan->setup) ||
	    !field_text_or_null(fields, "cleanup", &plan->cleanup) ||
	    !field_text_or_null(fields, "input_path", &plan->input_path) ||
	    !field_texts(fields, "counters", true, &plan->counters, &plan->counter_count) ||
	    !field_boolean(fields, "simulate", &plan->simulate))
		return false;
	plan->cpu = (int)cpu;
	return read_output(fields, plan);
}

bool plan_from_json(struct arena *arena, const struct json *json, struct plan *plan,
		    struct error *err)
{
	struct fields fields = { arena, json, err };

	*plan = (struct plan){ 0 };
	return (field_object(&fields) && read_subjects(&fields, plan) &&
		read_rounds(&fields, plan) && read_judging(&fields, plan) &&
		read_running(&fields, plan) &&
		study_from_json(&fields, plan->subject_count, &plan->study)) ||
	       error_prefix(err, "plan");
}
