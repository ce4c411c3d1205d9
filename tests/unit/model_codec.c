/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings survive a round trip in every field, and no file, however
 * mutilated, gets past the reader with an index, a type or a size that the
 * rest of the program would trip over.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"
#include "base/text.h"
#include "model/codec.h"
#include "unit.h"

/* A text of random bytes (NUL excepted), so mostly not UTF-8; or a plain one. */
static char *any_text(struct arena *arena, struct random *random)
{
	size_t length = random_below(random, 12) + 1;
	char *text = arena_alloc(arena, length + 1, 1);
	bool plain = random_below(random, 2) == 0;
	size_t i;

	for (i = 0; i < length; i++)
		text[i] =
		    (char)(plain ? ' ' + random_below(random, 95) : 1 + random_below(random, 255));
	return text;
}

static char *any_text_or_null(struct arena *arena, struct random *random)
{
	return random_below(random, 3) == 0 ? NULL : any_text(arena, random);
}

static bool any_boolean(struct random *random)
{
	return random_below(random, 2) == 0;
}

static double any_number(struct random *random)
{
	return random_below(random, 6) == 0 ? (double)NAN : (random_unit(random) - 0.5) * 1e3;
}

static char **any_texts(struct arena *arena, struct random *random, size_t *count)
{
	char **texts;
	size_t i;

	*count = random_below(random, 4);
	texts = arena_alloc(arena, *count + 1, sizeof *texts);
	for (i = 0; i < *count; i++)
		texts[i] = any_text(arena, random);
	return texts;
}

static struct subject any_subject(struct arena *arena, struct random *random, size_t index)
{
	struct subject subject = { 0 };
	size_t ignored, i;

	subject.label = arena_printf(arena, "%zu%s", index, any_text(arena, random));
	subject.command = any_text_or_null(arena, random);
	subject.argv = any_texts(arena, random, &subject.argc);
	subject.directory = any_text_or_null(arena, random);
	if (any_boolean(random))
		subject.environment = (const char *const *)any_texts(arena, random, &ignored);
	subject.binary_path = any_text_or_null(arena, random);
	subject.build_id = any_text_or_null(arena, random);
	subject.prepare = any_text_or_null(arena, random);
	subject.conclude = any_text_or_null(arena, random);
	subject.level_count = random_below(random, 3);
	subject.levels = arena_alloc(arena, subject.level_count, sizeof *subject.levels);
	for (i = 0; i < subject.level_count; i++)
		subject.levels[i] =
		    (struct level){ any_text(arena, random), any_text(arena, random) };
	subject.baseline = index == 0 || any_boolean(random) ? 0 : index;
	return subject;
}

static const struct study *any_study(struct arena *arena, struct random *random, size_t subjects)
{
	struct study *study = arena_alloc(arena, 1, sizeof *study);
	size_t i;

	if (any_boolean(random))
		return NULL;
	study->name = any_text_or_null(arena, random);
	study->summary = any_text_or_null(arena, random);
	study->beside = any_text_or_null(arena, random);
	study->claim_count = random_below(random, 3);
	study->claims = arena_alloc(arena, study->claim_count, sizeof *study->claims);
	for (i = 0; i < study->claim_count; i++)
		study->claims[i] = (struct claim){
			.name = any_text(arena, random),
			.says = any_text(arena, random),
			.metric = any_text_or_null(arena, random),
			.candidate = random_below(random, subjects),
			.baseline = random_below(random, subjects),
			.direction = (enum claim_direction)random_below(random, 3),
			.least_ratio = random_unit(random),
			.published = any_text_or_null(arena, random),
			.source = any_text_or_null(arena, random),
		};
	return study;
}

static struct plan any_plan(struct arena *arena, struct random *random)
{
	struct plan plan = { 0 };
	size_t i;

	plan.subject_count = 1 + random_below(random, 4);
	plan.subjects = arena_alloc(arena, plan.subject_count, sizeof *plan.subjects);
	for (i = 0; i < plan.subject_count; i++)
		plan.subjects[i] = any_subject(arena, random, i);
	plan.rounds = random_below(random, 1000);
	plan.extended_rounds = random_below(random, 2) * 2 * plan.rounds;
	plan.warmup_rounds = random_below(random, 5);
	plan.budget_ns = (int64_t)(random_below(random, 2) * (random_next(random) >> 1));
	plan.peek = any_boolean(random);
	plan.order = any_boolean(random) ? ORDER_RANDOM : ORDER_FIXED;
	plan.seed = random_next(random);
	plan.primary = any_text(arena, random);
	plan.margin_ratio = random_unit(random);
	plan.margin_count = random_below(random, 3);
	plan.margins = arena_alloc(arena, plan.margin_count, sizeof *plan.margins);
	for (i = 0; i < plan.margin_count; i++)
		plan.margins[i] =
		    (struct metric_margin){ any_text(arena, random), random_unit(random) };
	plan.confidence = 0.5 + random_unit(random) / 2;
	plan.self_check = any_boolean(random);
	plan.timeout_ns = (int64_t)(random_below(random, 2) * (random_next(random) >> 1));
	plan.cpu = (int)random_below(random, 9) - 1;
	plan.environment_padding = any_boolean(random);
	plan.ignore_failure = any_boolean(random);
	plan.keep_strays = any_boolean(random);
	plan.shell = any_text_or_null(arena, random);
	plan.setup = any_text_or_null(arena, random);
	plan.cleanup = any_text_or_null(arena, random);
	plan.input_path = any_text_or_null(arena, random);
	plan.output = (enum output_mode)random_below(random, OUTPUT_FILE + 1);
	plan.output_path = any_text(arena, random);
	plan.show_output = any_boolean(random);
	plan.same_output = any_boolean(random);
	plan.counters = (const char **)any_texts(arena, random, &plan.counter_count);
	plan.simulate = any_boolean(random);
	plan.study = any_study(arena, random, plan.subject_count);
	return plan;
}

static struct environment any_environment(struct arena *arena, struct random *random)
{
	struct environment environment = { 0 };
	size_t i;

	environment.taken_at_s = (int64_t)random_below(random, 2000000000) + 1;
	environment.fact_count = random_below(random, 4);
	environment.facts = arena_alloc(arena, environment.fact_count, sizeof(struct fact));
	for (i = 0; i < environment.fact_count; i++)
		environment.facts[i] =
		    (struct fact){ arena_printf(arena, "key %zu", i), any_text(arena, random) };
	environment.load_1min = any_number(random);
	environment.memory_available_bytes = any_number(random);
	environment.steal_s = any_number(random);
	environment.busy_s = any_number(random);
	environment.idle_s = any_number(random);
	return environment;
}

static struct metric any_metric(struct arena *arena, struct random *random, size_t index)
{
	return (struct metric){
		.name = arena_printf(arena, "%zu%s", index, any_text(arena, random)),
		.unit = any_boolean(random) ? "" : any_text(arena, random),
		.better = (enum better)random_below(random, BETTER_NEITHER + 1),
		.source = (enum metric_source)random_below(random, SOURCE_DERIVED + 1),
		.quantum = random_unit(random),
		.exact = any_boolean(random),
		.hidden = any_boolean(random),
	};
}

static void add_any_sample(struct arena *arena, struct random *random, struct recording *recording)
{
	struct sample *sample = recording_add_sample(arena, recording);
	size_t i;

	sample->round = (uint32_t)random_next(random);
	sample->position = (uint32_t)random_below(random, 5);
	sample->subject = (uint32_t)random_below(random, recording->plan.subject_count);
	sample->flags = (uint32_t)random_below(random, 2 * SAMPLE_OUTPUT_DIFFERS);
	sample->started_ns = any_boolean(random) ? -1 : (int64_t)(random_next(random) >> 1);
	sample->exit_status = (int32_t)random_below(random, 257) - 1;
	sample->signal = (int32_t)random_below(random, 65);
	for (i = 0; i < recording->metric_count; i++)
		sample->values[i] = any_number(random);
	if (any_boolean(random)) {
		sample->coverage =
		    arena_alloc(arena, recording->metric_capacity, sizeof *sample->coverage);
		for (i = 0; i < recording->metric_count; i++)
			sample->coverage[i] = (float)random_unit(random);
	}
	sample->batch_count = recording->metric_count == 0 ? 0 : (uint32_t)random_below(random, 3);
	sample->batches = arena_alloc(arena, sample->batch_count, sizeof *sample->batches);
	for (i = 0; i < sample->batch_count; i++)
		sample->batches[i] =
		    (struct batch){ (uint32_t)random_below(random, recording->metric_count),
				    random_unit(random) };
	sample->output_hash = random_below(random, 2) * random_next(random);
}

static struct recording any_recording(struct arena *arena, struct random *random)
{
	struct recording recording = { 0 };
	size_t i, count;

	recording.id = any_text_or_null(arena, random);
	recording.origin = any_text(arena, random);
	recording.order_known = any_boolean(random);
	recording.plan = any_plan(arena, random);
	recording.before = any_environment(arena, random);
	recording.after = any_environment(arena, random);
	recording.end = (enum session_end)random_below(random, END_FAILED + 1);
	count = random_below(random, 12);
	for (i = 0; i < count; i++) {
		struct metric metric = any_metric(arena, random, i);

		recording_add_metric(arena, &recording, &metric);
	}
	count = random_below(random, 30);
	for (i = 0; i < count; i++)
		add_any_sample(arena, random, &recording);
	recording.rounds_done = random_below(random, recording.sample_count + 1);
	for (i = random_below(random, 3); i > 0; i--)
		recording_remark(arena, &recording, "%s", any_text(arena, random));
	recording.extension_count = random_below(random, 3);
	recording.extension_bases =
	    arena_alloc(arena, recording.extension_count, sizeof *recording.extension_bases);
	for (i = 0; i < recording.extension_count; i++)
		recording.extension_bases[i] = random_below(random, 1000);
	return recording;
}

static void same_text(const char *left, const char *right)
{
	if (left == NULL)
		assert_null(right);
	else
		assert_string_equal(left, right);
}

static void same_texts(const char *const *left, const char *const *right)
{
	size_t i;

	if (left == NULL) {
		assert_null(right);
		return;
	}
	for (i = 0; left[i] != NULL; i++)
		same_text(left[i], right[i]);
	assert_null(right[i]);
}

/* Bit by bit, all NANs alike. */
static void same_number(double left, double right)
{
	assert_true(isnan(left) ? isnan(right) : left == right);
}

static void same_subject(const struct subject *left, const struct subject *right)
{
	size_t i;

	same_text(left->label, right->label);
	same_text(left->command, right->command);
	assert_int_equal(left->argc, right->argc);
	same_texts((const char *const *)left->argv, (const char *const *)right->argv);
	same_text(left->directory, right->directory);
	same_texts(left->environment, right->environment);
	same_text(left->binary_path, right->binary_path);
	same_text(left->build_id, right->build_id);
	same_text(left->prepare, right->prepare);
	same_text(left->conclude, right->conclude);
	assert_int_equal(left->level_count, right->level_count);
	for (i = 0; i < left->level_count; i++) {
		same_text(left->levels[i].factor, right->levels[i].factor);
		same_text(left->levels[i].value, right->levels[i].value);
	}
	assert_int_equal(left->baseline, right->baseline);
}

static void same_study(const struct study *left, const struct study *right)
{
	size_t i;

	assert_int_equal(left == NULL, right == NULL);
	if (left == NULL)
		return;
	same_text(left->name, right->name);
	same_text(left->summary, right->summary);
	same_text(left->beside, right->beside);
	assert_int_equal(left->claim_count, right->claim_count);
	for (i = 0; i < left->claim_count; i++) {
		const struct claim *claim = &left->claims[i], *other = &right->claims[i];

		same_text(claim->name, other->name);
		same_text(claim->says, other->says);
		same_text(claim->metric, other->metric);
		assert_int_equal(claim->candidate, other->candidate);
		assert_int_equal(claim->baseline, other->baseline);
		assert_int_equal(claim->direction, other->direction);
		same_number(claim->least_ratio, other->least_ratio);
		same_text(claim->published, other->published);
		same_text(claim->source, other->source);
	}
}

static void same_plan(const struct plan *left, const struct plan *right)
{
	size_t i;

	assert_int_equal(left->subject_count, right->subject_count);
	for (i = 0; i < left->subject_count; i++)
		same_subject(&left->subjects[i], &right->subjects[i]);
	assert_int_equal(left->rounds, right->rounds);
	assert_int_equal(left->extended_rounds, right->extended_rounds);
	assert_int_equal(left->warmup_rounds, right->warmup_rounds);
	assert_true(left->budget_ns == right->budget_ns);
	assert_int_equal(left->peek, right->peek);
	assert_int_equal(left->order, right->order);
	assert_true(left->seed == right->seed);
	same_text(left->primary, right->primary);
	same_number(left->margin_ratio, right->margin_ratio);
	assert_int_equal(left->margin_count, right->margin_count);
	for (i = 0; i < left->margin_count; i++) {
		same_text(left->margins[i].metric, right->margins[i].metric);
		same_number(left->margins[i].ratio, right->margins[i].ratio);
	}
	same_number(left->confidence, right->confidence);
	assert_int_equal(left->self_check, right->self_check);
	assert_true(left->timeout_ns == right->timeout_ns);
	assert_int_equal(left->cpu, right->cpu);
	assert_int_equal(left->environment_padding, right->environment_padding);
	assert_int_equal(left->ignore_failure, right->ignore_failure);
	assert_int_equal(left->keep_strays, right->keep_strays);
	same_text(left->shell, right->shell);
	same_text(left->setup, right->setup);
	same_text(left->cleanup, right->cleanup);
	same_text(left->input_path, right->input_path);
	assert_int_equal(left->output, right->output);
	same_text(left->output_path, right->output_path);
	assert_int_equal(left->show_output, right->show_output);
	assert_int_equal(left->same_output, right->same_output);
	assert_int_equal(left->counter_count, right->counter_count);
	same_texts((const char *const *)left->counters, (const char *const *)right->counters);
	assert_int_equal(left->simulate, right->simulate);
	same_study(left->study, right->study);
}

static void same_environment(const struct environment *left, const struct environment *right)
{
	size_t i;

	assert_true(left->taken_at_s == right->taken_at_s);
	assert_int_equal(left->fact_count, right->fact_count);
	for (i = 0; i < left->fact_count; i++) {
		same_text(left->facts[i].key, right->facts[i].key);
		same_text(left->facts[i].value, right->facts[i].value);
	}
	same_number(left->load_1min, right->load_1min);
	same_number(left->memory_available_bytes, right->memory_available_bytes);
	same_number(left->steal_s, right->steal_s);
	same_number(left->busy_s, right->busy_s);
	same_number(left->idle_s, right->idle_s);
}

static void same_metric(const struct metric *left, const struct metric *right)
{
	same_text(left->name, right->name);
	same_text(left->unit, right->unit);
	assert_int_equal(left->better, right->better);
	assert_int_equal(left->source, right->source);
	same_number(left->quantum, right->quantum);
	assert_int_equal(left->exact, right->exact);
	assert_int_equal(left->hidden, right->hidden);
}

static void same_sample(const struct sample *left, const struct sample *right, size_t metric_count)
{
	size_t i;

	assert_int_equal(left->round, right->round);
	assert_int_equal(left->position, right->position);
	assert_int_equal(left->subject, right->subject);
	assert_int_equal(left->flags, right->flags);
	assert_true(left->started_ns == right->started_ns);
	assert_int_equal(left->exit_status, right->exit_status);
	assert_int_equal(left->signal, right->signal);
	assert_int_equal(left->coverage == NULL, right->coverage == NULL);
	for (i = 0; i < metric_count; i++) {
		same_number(left->values[i], right->values[i]);
		if (left->coverage != NULL)
			assert_true(left->coverage[i] == right->coverage[i]);
	}
	assert_int_equal(left->batch_count, right->batch_count);
	for (i = 0; i < left->batch_count; i++) {
		assert_int_equal(left->batches[i].metric, right->batches[i].metric);
		same_number(left->batches[i].value, right->batches[i].value);
	}
	assert_true(left->output_hash == right->output_hash);
}

static void same_recording(const struct recording *left, const struct recording *right)
{
	size_t i;

	same_text(left->id, right->id);
	same_text(left->origin, right->origin);
	assert_int_equal(left->order_known, right->order_known);
	same_plan(&left->plan, &right->plan);
	same_environment(&left->before, &right->before);
	same_environment(&left->after, &right->after);
	assert_int_equal(left->metric_count, right->metric_count);
	for (i = 0; i < left->metric_count; i++)
		same_metric(&left->metrics[i], &right->metrics[i]);
	assert_int_equal(left->sample_count, right->sample_count);
	for (i = 0; i < left->sample_count; i++)
		same_sample(&left->samples[i], &right->samples[i], left->metric_count);
	assert_int_equal(left->remark_count, right->remark_count);
	for (i = 0; i < left->remark_count; i++)
		same_text(left->remarks[i], right->remarks[i]);
	assert_int_equal(left->end, right->end);
	assert_int_equal(left->rounds_done, right->rounds_done);
	assert_int_equal(left->extension_count, right->extension_count);
	for (i = 0; i < left->extension_count; i++)
		assert_int_equal(left->extension_bases[i], right->extension_bases[i]);
}

/* The recording's text in the file format. */
static void print(const struct recording *recording, struct text *text)
{
	struct json *json = recording_to_json(recording);

	json_print(json, recording->sample_count % 2 == 0, text);
	json_release(json);
}

static bool read_text(struct arena *arena, const char *bytes, size_t length,
		      struct recording *recording, struct error *err)
{
	struct json *json;
	bool done;

	if (!json_parse(bytes, length, &json, err))
		return false;
	done = recording_from_json(arena, json, recording, err);
	json_release(json);
	return done;
}

static void every_field_comes_back(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 0; seed < 300; seed++) {
		struct arena *arena = arena_open();
		struct random random = { seed };
		struct recording recording = any_recording(arena, &random), again;
		struct error err = { 0 };
		struct text text = { 0 }, second = { 0 };

		print(&recording, &text);
		if (!read_text(arena, text.bytes, text.length, &again, &err))
			fail_msg("seed %zu: %s", (size_t)seed, err.sentence);
		same_recording(&recording, &again);
		print(&again, &second);
		assert_string_equal(text.bytes, second.bytes);
		recording_add_metric(arena, &again,
				     &(struct metric){ .name = "one more", .unit = "" });
		text_release(&text);
		text_release(&second);
		arena_close(arena);
	}
}

static void an_environment_never_taken_is_null(void **state)
{
	struct arena *arena = arena_open();
	struct random random = { 5 };
	struct recording recording = any_recording(arena, &random), again;
	struct text text = { 0 };

	(void)state;
	recording.after = (struct environment){ 0 };
	print(&recording, &text);
	assert_true(read_text(arena, text.bytes, text.length, &again, NULL));
	assert_true(again.after.taken_at_s == 0 && again.after.fact_count == 0);
	assert_true(isnan(again.after.load_1min));
	text_release(&text);
	arena_close(arena);
}

/* A small valid file, for taking apart. */
static const char valid[] =
    "{\"format\":\"worth-recording\",\"version\":1,\"origin\":\"measured\",\"order_known\":true,"
    "\"end\":\"complete\",\"rounds_done\":1,\"plan\":{\"subjects\":["
    "{\"label\":\"a\",\"baseline\":0,\"argv\":[\"x\"],\"levels\":[{\"factor\":\"f\",\"value\":"
    "\"1\"}]},"
    "{\"label\":\"b\",\"baseline\":0}],"
    "\"rounds\":80,\"warmup_rounds\":1,\"peek\":true,\"order\":\"random\",\"seed\":\"7\","
    "\"primary\":\"wall\",\"margin_ratio\":0.01,\"margins\":[{\"metric\":\"cpu\",\"ratio\":0.02}],"
    "\"confidence\":0.95,\"self_check\":false,\"environment_padding\":true,"
    "\"ignore_failure\":false,\"keep_strays\":false,\"output\":\"discard\",\"show_output\":false,"
    "\"same_output\":false,\"simulate\":false,\"cpu\":null},"
    "\"before\":{\"taken_at_s\":1,\"facts\":{\"host\":\"h\"},\"load_1min\":0.5},"
    "\"metrics\":[{\"name\":\"wall\",\"unit\":\"s\",\"better\":\"lower\",\"source\":\"clock\","
    "\"quantum\":1e-9,\"exact\":false,\"hidden\":false}],"
    "\"samples\":[{\"round\":0,\"position\":0,\"subject\":0,\"flags\":[\"strays\"],"
    "\"exit_status\":0,\"values\":[0.5],\"coverage\":[1],\"batches\":[[0,0.25]],"
    "\"output_hash\":\"00ff\"},"
    "{\"round\":0,\"position\":1,\"subject\":1,\"values\":[null]}]}";

static void a_minimal_file_gets_the_defaults(void **state)
{
	struct arena *arena = arena_open();
	struct recording recording;
	struct error err = { 0 };

	(void)state;
	if (!read_text(arena, valid, sizeof valid - 1, &recording, &err))
		fail_msg("%s", err.sentence);
	assert_null(recording.id);
	assert_int_equal(recording.plan.cpu, -1);
	assert_true(recording.plan.budget_ns == 0);
	assert_int_equal(recording.samples[1].exit_status, -1);
	assert_true(recording.samples[1].started_ns == -1);
	assert_true(isnan(recording.samples[1].values[0]));
	assert_true(recording.samples[0].output_hash == 255);
	assert_int_equal(recording.samples[0].flags, SAMPLE_STRAYS);
	assert_true(isnan(recording.before.steal_s));
	arena_close(arena);
}

/* The valid file with one piece replaced. */
static char *with(struct arena *arena, const char *piece, const char *replacement)
{
	const char *found = strstr(valid, piece);

	assert_non_null(found);
	return arena_printf(arena, "%.*s%s%s", (int)(found - valid), valid, replacement,
			    found + strlen(piece));
}

static void what_is_wrong_is_named(void **state)
{
	static const struct {
		const char *piece, *replacement, *sentence;
	} cases[] = {
		{ "worth-recording", "hyperfine", "this is not a recording of worth" },
		{ "\"version\":1", "\"version\":2", "it was written by a newer worth: version 2" },
		{ "\"version\":1", "\"version\":0", "\"version\" is 0" },
		{ "\"version\":1", "\"version\":\"1\"", "\"version\" must be a whole number" },
		{ "\"version\":1,", "", "\"version\" is missing" },
		{ "\"measured\"", "null", "\"origin\" must be a text" },
		{ "\"order_known\":true", "\"order_known\":1",
		  "\"order_known\" must be true or false" },
		{ "\"end\":\"complete\"", "\"end\":\"soon\"", "\"end\" is no known end" },
		{ "\"rounds_done\":1", "\"rounds_done\":3", "\"rounds_done\" is 3" },
		{ "\"rounds_done\":1", "\"rounds_done\":-1", "\"rounds_done\" is -1" },
		{ "\"rounds_done\":1", "\"rounds_done\":0.5", "\"rounds_done\" must be a whole" },
		{ "\"rounds_done\":1", "\"rounds_done\":1,\"extension_bases\":[-1]",
		  "entry 0 of \"extension_bases\"" },
		{ "\"label\":\"b\"", "\"label\":\"a\"", "plan: subjects 0 and 1 have the same" },
		{ "\"label\":\"b\"", "\"label\":null", "plan: subject 1: \"label\" must be" },
		{ "\"label\":\"b\"", "\"label\":{\"hex\":\"6\"}", "plan: subject 1: \"label\"" },
		{ "\"label\":\"b\"", "\"label\":{\"hex\":\"6100\"}", "plan: subject 1: \"label\"" },
		{ "\"label\":\"b\"", "\"label\":{\"hex\":\"6x\"}", "plan: subject 1: \"label\"" },
		{ "\"label\":\"b\",\"baseline\":0", "\"label\":\"b\",\"baseline\":2",
		  "plan: subject 1: \"baseline\" is 2, not in 0 to 1" },
		{ "\"label\":\"a\",\"baseline\":0", "\"label\":\"a\",\"baseline\":1",
		  "plan: subject 0: its baseline, subject 1, is not one" },
		{ "\"label\":\"b\"", "\"label\":\"b\",\"empty\":true",
		  "plan: subject 1: an empty program must be the last" },
		{ "\"label\":\"a\"", "\"label\":\"a\",\"empty\":true",
		  "plan: subject 0: an empty program must be the last" },
		{ "\"samples\":[", "\"where\":{},\"samples\":[", "\"where\" must be a list" },
		{ "\"samples\":[", "\"where\":[{\"work\":\"w\"}],\"samples\":[",
		  "where: row 0: \"candidate\"" },
		{ "\"samples\":[",
		  "\"where\":[{\"work\":\"w\",\"candidate\":1,\"programs\":false,\"function\":null,"
		  "\"baseline\":1,\"other\":1}],\"samples\":[",
		  "where: row 0: of each work come the whole" },
		{ "[\"x\"]", "[1]", "plan: subject 0: entry 0 of \"argv\" must be a text" },
		{ "[\"x\"]", "\"x\"", "plan: subject 0: \"argv\" must be a list" },
		{ "\"factor\":\"f\"", "\"factor\":1", "plan: subject 0: level 0: \"factor\"" },
		{ "\"rounds\":80", "\"rounds\":1e18", "plan: \"rounds\" must be a whole" },
		{ "\"rounds\":80", "\"rounds\":99999999999", "plan: \"rounds\" is 99999999999" },
		{ "\"rounds\":80", "\"rounds\":80,\"budget_ns\":-5", "plan: \"budget_ns\" is -5" },
		{ "\"order\":\"random\"", "\"order\":\"sorted\"", "plan: \"order\" must be" },
		{ "\"seed\":\"7\"", "\"seed\":7", "plan: \"seed\" must be a string of digits" },
		{ "\"seed\":\"7\"", "\"seed\":\"-7\"", "plan: \"seed\" must be" },
		{ "\"seed\":\"7\"", "\"seed\":\"18446744073709551616\"",
		  "plan: \"seed\" does not fit" },
		{ "\"confidence\":0.95", "\"confidence\":1", "plan: \"confidence\" must lie" },
		{ "\"confidence\":0.95", "\"confidence\":null", "plan: \"confidence\" must be" },
		{ "\"margin_ratio\":0.01", "\"margin_ratio\":-1", "plan: \"margin_ratio\" is -1" },
		{ "\"ratio\":0.02", "\"ratio\":\"x\"", "plan: margin 0: \"ratio\" must be" },
		{ "\"discard\"", "\"tape\"", "plan: \"output\" is no known" },
		{ "\"discard\"", "\"file\"", "plan: \"output_path\" is missing" },
		{ "\"cpu\":null", "\"cpu\":70000", "plan: \"cpu\" is 70000" },
		{ "\"facts\":{\"host\":\"h\"}", "\"facts\":[]", "before: \"facts\" must be" },
		{ "\"host\":\"h\"", "\"host\":5", "before: every one of \"facts\"" },
		{ "\"load_1min\":0.5", "\"load_1min\":\"low\"", "before: \"load_1min\" must be" },
		{ "\"before\":", "\"after\":[],\"before\":", "after: an object is missing" },
		{ "\"before\":", "\"instead\":", "before: an object is missing" },
		{ "\"name\":\"wall\"", "\"name\":\"\"", "metric 0: \"name\" is empty" },
		{ "\"better\":\"lower\"", "\"better\":\"more\"", "metric 0: \"better\" must be" },
		{ "\"clock\"", "\"sundial\"", "metric 0: \"source\" is no known source" },
		{ "1e-9", "-1", "metric 0: \"quantum\" is -1" },
		{ "\"metrics\":[",
		  "\"metrics\":[{\"name\":\"wall\",\"unit\":\"\",\"better\":\"lower\","
		  "\"source\":\"clock\",\"quantum\":0,\"exact\":true,"
		  "\"hidden\":true},",
		  "metric 1 has the name of an earlier one" },
		{ "{\"round\":0,\"position\":0", "{\"position\":0",
		  "sample 0: \"round\" is missing" },
		{ "{\"round\":0", "{\"round\":4294967296", "sample 0: \"round\" is 4294967296" },
		{ "\"subject\":1", "\"subject\":2", "sample 1: \"subject\" is 2, not in 0 to 1" },
		{ "\"subject\":1", "\"subject\":-1", "sample 1: \"subject\" is -1" },
		{ "\"strays\"", "\"lost\"", "sample 0: entry 0 of \"flags\" is no known flag" },
		{ "\"exit_status\":0", "\"exit_status\":256", "sample 0: \"exit_status\" is 256" },
		{ "\"exit_status\":0", "\"signal\":0", "sample 0: \"signal\" is 0" },
		{ "\"values\":[0.5]", "\"values\":[]", "sample 0: \"values\" has 0 entries for 1" },
		{ "\"values\":[0.5]", "\"values\":[1,2]", "sample 0: \"values\" has 2 entries" },
		{ "\"values\":[0.5]", "\"values\":[true]", "sample 0: entry 0 of \"values\"" },
		{ "\"values\":[0.5],", "", "sample 0: \"values\" is missing" },
		{ "\"coverage\":[1]", "\"coverage\":[1.5]", "sample 0: entry 0 of \"coverage\"" },
		{ "\"coverage\":[1]", "\"coverage\":[]", "sample 0: \"coverage\" has 0" },
		{ "[[0,0.25]]", "[[1,0.25]]", "sample 0: entry 0 of \"batches\"" },
		{ "[[0,0.25]]", "[[-1,0.25]]", "sample 0: entry 0 of \"batches\"" },
		{ "[[0,0.25]]", "[[0]]", "sample 0: entry 0 of \"batches\"" },
		{ "[[0,0.25]]", "[{}]", "sample 0: entry 0 of \"batches\"" },
		{ "\"00ff\"", "\"00fg\"", "sample 0: \"output_hash\" must be" },
		{ "\"00ff\"", "\"10000000000000000\"", "sample 0: \"output_hash\" does not fit" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_open();
		struct recording recording;
		struct error err = { 0 };
		char *text = with(arena, cases[i].piece, cases[i].replacement);

		if (read_text(arena, text, strlen(text), &recording, &err))
			fail_msg("accepted: %s for %s", cases[i].replacement, cases[i].piece);
		if (strncmp(err.sentence, cases[i].sentence, strlen(cases[i].sentence)) != 0)
			fail_msg("expected: %s\ngot: %s", cases[i].sentence, err.sentence);
		assert_int_equal(err.kind, ERROR_INPUT);
		arena_close(arena);
	}
}

/* What every part of the program relies on after a successful read. */
static void assert_sound(const struct recording *recording)
{
	size_t i, k;

	assert_true(recording->plan.subject_count >= 1);
	for (i = 0; i < recording->plan.subject_count; i++) {
		assert_non_null(recording->plan.subjects[i].label);
		assert_true(recording->plan.subjects[i].baseline < recording->plan.subject_count);
	}
	assert_non_null(recording->plan.primary);
	assert_non_null(recording->origin);
	for (i = 0; i < recording->metric_count; i++)
		assert_true(recording->metrics[i].name != NULL &&
			    recording->metrics[i].unit != NULL);
	for (i = 0; i < recording->sample_count; i++) {
		assert_true(recording->samples[i].subject < recording->plan.subject_count);
		for (k = 0; k < recording->metric_count; k++)
			assert_false(isinf(recording->samples[i].values[k]));
	}
}

static void a_file_cut_at_any_byte_is_refused(void **state)
{
	size_t length;

	(void)state;
	for (length = 0; length < sizeof valid - 1; length++) {
		struct arena *arena = arena_open();
		struct recording recording;
		struct error err = { 0 };

		assert_false(read_text(arena, valid, length, &recording, &err));
		assert_true(err.sentence[0] != '\0');
		arena_close(arena);
	}
}

/* Each value of the file, one after the other, becomes one of another type. */
static void a_value_of_any_other_type_never_gets_through_unsound(void **state)
{
	static const char *const strangers[] = { "null", "true", "-1", "1e308", "\"\"",
						 "[]",	 "[[]]", "{}", "0.5",	"\"\\u202e\"" };
	size_t i, k, refused = 0;

	(void)state;
	for (i = 0; i < sizeof valid - 1; i++) {
		size_t length = strcspn(valid + i + 1, ",}]");

		if (valid[i] != ':')
			continue;
		for (k = 0; k < sizeof strangers / sizeof *strangers; k++) {
			struct arena *arena = arena_open();
			struct recording recording;
			char *text = arena_printf(arena, "%.*s%s%s", (int)i + 1, valid,
						  strangers[k], valid + i + 1 + length);

			if (read_text(arena, text, strlen(text), &recording, NULL))
				assert_sound(&recording);
			else
				refused++;
			arena_close(arena);
		}
	}
	assert_true(refused > 200);
}

static void random_damage_never_gets_through_unsound(void **state)
{
	struct random random = { 99 };
	size_t i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		struct arena *arena = arena_open();
		char *text = arena_strdup(arena, valid);
		struct recording recording;
		size_t hits = 1 + random_below(&random, 3);

		while (hits-- > 0)
			text[random_below(&random, sizeof valid - 1)] =
			    "0123456789-.eE\"[]{},:x"[random_below(&random, 23)];
		if (read_text(arena, text, sizeof valid - 1, &recording, NULL))
			assert_sound(&recording);
		arena_close(arena);
	}
}

static void the_known_metrics_are_what_they_claim(void **state)
{
	static const char *const shown[] = { "wall", "cpu", "user", "sys", "max rss" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof shown / sizeof *shown; i++)
		assert_false(metric_known(shown[i])->hidden);
	assert_true(metric_known("wall")->source == SOURCE_CLOCK);
	assert_true(metric_known("cpu")->quantum == 1e-6);
	assert_true(metric_known("user")->quantum > 1e-3);
	assert_string_equal(metric_known("max rss")->unit, "B");
	assert_true(metric_known("minor faults")->hidden);
	assert_true(metric_known("sim instructions")->source == SOURCE_SIMULATED);
	assert_null(metric_known("Wall"));
	assert_null(metric_known(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_comes_back),
		cmocka_unit_test(an_environment_never_taken_is_null),
		cmocka_unit_test(a_minimal_file_gets_the_defaults),
		cmocka_unit_test(what_is_wrong_is_named),
		cmocka_unit_test(a_file_cut_at_any_byte_is_refused),
		cmocka_unit_test(a_value_of_any_other_type_never_gets_through_unsound),
		cmocka_unit_test(random_damage_never_gets_through_unsound),
		cmocka_unit_test(the_known_metrics_are_what_they_claim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
