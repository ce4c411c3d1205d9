/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Streamed JSON: the same events whatever the pieces, and a place and a reason for what is none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/decimal.h"
#include "base/json_stream.h"
#include "base/text.h"
#include "unit.h"

struct pieces {
	const char *bytes;
	size_t length, size; /* of a piece */
};

static bool give_piece(void *context, const char **bytes, size_t *length, struct error *err)
{
	struct pieces *pieces = context;

	(void)err;
	*bytes = pieces->bytes;
	*length = pieces->length < pieces->size ? pieces->length : pieces->size;
	pieces->bytes += *length;
	pieces->length -= *length;
	return true;
}

/* One line an event, and the error's sentence last. */
static void describe(const char *bytes, size_t length, size_t size, int options, struct text *text)
{
	static const char *const names[] = { "end",    "object", "array",   "close",
					     "string", "number", "boolean", "null" };
	struct pieces pieces = { bytes, length, size };
	struct json_stream *stream = json_stream_open(give_piece, &pieces, options);
	struct json_event event;
	struct error err = { 0 };

	do {
		if (!json_stream_next(stream, &event, &err)) {
			assert_int_equal(err.kind, ERROR_INPUT);
			text_printf(text, "error %s\n", err.sentence);
			break;
		}
		text_printf(text, "%s", names[event.kind]);
		if (event.key != NULL)
			text_printf(text, " %s%s:", event.key, event.key_repeated ? "!" : "");
		if (event.kind == EVENT_NUMBER)
			text_printf(text, " %s %g %g", event.text, event.number, event.quantum);
		if (event.kind == EVENT_STRING)
			text_printf(text, " %s", event.text);
		if (event.kind == EVENT_BOOLEAN)
			text_printf(text, " %d", event.boolean);
		text_printf(text, " @%zu %s\n", event.line, json_stream_path(stream));
	} while (event.kind != EVENT_END);
	json_stream_close(stream);
}

/* The same in one piece, byte by byte, and in threes. */
static void gives(const char *bytes, int options, const char *expected)
{
	static const size_t sizes[] = { 1 << 20, 1, 3 };
	size_t i;

	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct text text = { 0 };

		describe(bytes, strlen(bytes), sizes[i], options, &text);
		assert_string_equal(text_string(&text), expected);
		text_release(&text);
	}
}

/* The last line has this in it, whatever came before. */
static void fails_bytes(const char *bytes, size_t length, int options, const char *sentence)
{
	struct text text = { 0 };

	describe(bytes, length, 7, options, &text);
	if (strstr(text_string(&text), "error ") == NULL ||
	    strstr(strstr(text_string(&text), "error "), sentence) == NULL)
		fail_msg("expected \"%s\" in: %s", sentence, text_string(&text));
	text_release(&text);
}

static void fails(const char *bytes, const char *sentence)
{
	fails_bytes(bytes, strlen(bytes), 0, sentence);
}

static void events_have_keys_places_and_printed_digits(void **state)
{
	(void)state;
	gives("{\"a\": [1.50, \"x\",\n true, null, {}],\r\n\"b\":{\"c\":-12e3}}\n", 0,
	      "object @1 \n"
	      "array a: @1 a\n"
	      "number 1.50 1.5 0.01 @1 a[0]\n"
	      "string x @1 a[1]\n"
	      "boolean 1 @2 a[2]\n"
	      "null @2 a[3]\n"
	      "object @2 a[4]\n"
	      "close @2 a[4]\n"
	      "close @2 a\n"
	      "object b: @3 b\n"
	      "number c: -12e3 -12000 1000 @3 b.c\n"
	      "close @3 b\n"
	      "close @3 \n"
	      "end @4 \n");
	gives("\xef\xbb\xbf[\"\\u00e9\\n\"]", 0,
	      "array @1 \nstring \xc3\xa9\n @1 [0]\nclose @1 \nend @1 \n");
}

static void numbers_beyond_json_are_read_where_asked_for(void **state)
{
	(void)state;
	gives("[NaN,-NaN ,Infinity,-Infinity,nan,-inf,null,-1,\"NaN\\\"\"]", STREAM_NOT_FINITE,
	      "array @1 \n"
	      "number NaN nan 0 @1 [0]\n"
	      "number -NaN nan 0 @1 [1]\n"
	      "number Infinity inf 0 @1 [2]\n"
	      "number -Infinity -inf 0 @1 [3]\n"
	      "number nan nan 0 @1 [4]\n"
	      "number -inf -inf 0 @1 [5]\n"
	      "null @1 [6]\n"
	      "number -1 -1 1 @1 [7]\n"
	      "string NaN\" @1 [8]\n"
	      "close @1 \nend @1 \n");
	fails("[NaN]", "line 1, column 2: this is no JSON");
	fails_bytes("[NaNa]", 6, STREAM_NOT_FINITE, "this is no JSON");
	fails_bytes("[-Infinit]", 10, STREAM_NOT_FINITE, "this is no JSON");
	fails_bytes("[1nan]", 6, STREAM_NOT_FINITE, "this is no JSON");
	fails_bytes("{NaN:1}", 7, STREAM_NOT_FINITE, "expected a key in quotes");
	fails_bytes("[-Inf", 5, STREAM_NOT_FINITE, "line 1");
}

static void documents_amid_text_are_found_at_the_start_of_a_line(void **state)
{
	(void)state;
	gives("fio: {\"a\": 1} is not at the start\n{\"b\":2}{\"c\":3}\n\n{\"d\":4} tail\n{}",
	      STREAM_EMBEDDED,
	      "object @2 \nnumber b: 2 2 1 @2 b\nclose @2 \n"
	      "object @4 \nnumber d: 4 4 1 @4 d\nclose @4 \n"
	      "object @5 \nclose @5 \nend @5 \n");
	gives("no such thing\n", STREAM_EMBEDDED, "end @2 \n");
	fails_bytes("text\n{\"a\":", 10, STREAM_EMBEDDED,
		    "line 2, column 5: the JSON ends too early");
	fails("{} {}", "line 1, column 3: something follows the end of the JSON");
	fails("[1]\nx", "line 2, column 1: something follows");
}

static void repeated_keys_are_refused_or_marked(void **state)
{
	struct text text = { 0 }, events = { 0 };
	int i;

	(void)state;
	fails("{\"a\":1,\n \"b\":{\"a\":2}, \"a\":3}",
	      "line 2, column 17: the key \"a\" stands twice");
	gives("{\"a\":1,\"a\":2}", STREAM_REPEATED_KEYS,
	      "object @1 \nnumber a: 1 1 1 @1 a\nnumber a!: 2 2 1 @1 a\nclose @1 \nend @1 \n");
	text_add(&text, "[{");
	for (i = 0; i < 5000; i++)
		text_printf(&text, "\"key %d\":0,", i);
	text_add(&text, "\"last\":0},{\"last\":1,\"key 1\":2}]");
	describe(text.bytes, text.length, 4096, 0, &events);
	assert_null(strstr(text_string(&events), "error"));
	text_release(&events);
	text_clear(&text);
	text_add(&text, "{");
	for (i = 0; i < 5000; i++)
		text_printf(&text, "\"key %d\":0,", i);
	text_add(&text, "\"key 77\":0}");
	fails_bytes(text.bytes, text.length, 0, "the key \"key 77\" stands twice");
	text_release(&text);
}

static void what_is_no_json_is_told_with_its_place(void **state)
{
	struct text deep = { 0 };

	(void)state;
	fails("", "line 1, column 1: expected JSON, found nothing");
	fails("hello", "line 1, column 1: expected JSON that begins with { or [");
	fails("{\"a\":\n\n 1,", "line 3, column 3: the JSON ends too early: the file was cut off");
	fails("{\"t\": 1,5}", "decimal commas");
	fails("[1e999]", "column 6: the number 1e999 is too large");
	fails("[\"a\\u0000b\"]", "a string with a NUL character");
	fails("[\"caf\xe9\"]", "this is no JSON");
	fails("[1 2]", "this is no JSON");
	fails_bytes("\xff\xfe{\0", 4, 0, "UTF-16");
	text_add_repeat(&deep, '[', 100000);
	fails_bytes(deep.bytes, deep.length, 0, "nested deeper than 128 levels");
	text_release(&deep);
}

static void a_cut_text_is_an_error_wherever_it_ends(void **state)
{
	const char *whole = "{\"a\": [1.5, \"x\\n\", NaN, true, null, -inf], \"b\": {\"c\": 1e2}}";
	size_t i;

	(void)state;
	for (i = 0; i < strlen(whole); i++)
		fails_bytes(whole, i, STREAM_NOT_FINITE, "line 1, column ");
}

/* 40 MB on one line: one endless string is refused, many short values are not. */
static void a_long_line_needs_no_memory(void **state)
{
	struct text text = { 0 };

	(void)state;
	text_add(&text, "[\"");
	text_add_repeat(&text, 'x', 40 << 20);
	fails_bytes(text.bytes, text.length, 0, "a single value of more than 16 MiB");
	text_release(&text);
}

struct target {
	const char *name;
	struct json_number time;
	bool failed;
	size_t items;
};

static const struct json_field fields[] = {
	{ "name", FIELD_STRING, offsetof(struct target, name), false },
	{ "time", FIELD_NUMBER, offsetof(struct target, time), false },
	{ "failed", FIELD_BOOLEAN, offsetof(struct target, failed), true },
};

struct reading {
	struct arena *arena;
	struct target target;
};

static bool visit_member(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct reading *reading = context;
	bool taken;

	reading->target.items++;
	return json_stream_field(reading->arena, stream, event, fields, 3, &reading->target, &taken,
				 err);
}

static bool read_target(struct arena *arena, const char *bytes, struct target *target,
			struct error *err)
{
	struct pieces pieces = { bytes, strlen(bytes), 5 };
	struct json_stream *stream = json_stream_open(give_piece, &pieces, 0);
	struct reading reading = { arena, { NULL, { NAN, 0 }, false, 0 } };
	struct json_event event;
	bool fine = json_stream_next(stream, &event, err) &&
		    json_stream_each(stream, visit_member, &reading, err) &&
		    json_stream_next(stream, &event, err);

	assert_true(!fine || event.kind == EVENT_END);
	*target = reading.target;
	json_stream_close(stream);
	return fine;
}

static void members_go_into_the_fields_of_a_struct(void **state)
{
	struct arena *arena = arena_open();
	struct target target;
	struct error err = { 0 };

	(void)state;
	assert_true(read_target(arena,
				"{\"name\":\"n\",\"skip\":[[1],{\"name\":2}],\"time\":0.25,"
				"\"failed\":\"no\"}",
				&target, &err));
	assert_string_equal(target.name, "n");
	assert_float_equal(target.time.number, 0.25, 0);
	assert_float_equal(target.time.quantum, 0.01, 1e-18);
	assert_false(target.failed);
	assert_int_equal(target.items, 4);
	assert_true(read_target(arena, "{\"time\":null}", &target, &err));
	assert_true(isnan(target.time.number));
	assert_false(read_target(arena, "{\n\"time\":[1]}", &target, &err));
	assert_string_equal(err.sentence, "line 2: time: expected a number, found a list");
	arena_close(arena);
}

/* Against the C library's own reading, over many forms. */
static void decimals_are_rounded_correctly_and_know_their_step(void **state)
{
	static const char *const words[] = {
		"0",
		"-0",
		"1",
		"+7",
		"14.2669",
		"0.1",
		"1e22",
		"1e23",
		"123456789012345",
		"1234567890123456",
		"9007199254740993",
		"0.1e-5",
		".5",
		"5.",
		"1e-400",
		"4.9e-324",
		"1.7976931348623157e308",
		"2.2250738585072011e-308",
		"00012.50",
		"1e+5",
		"3.E2",
		"0.000000000000000000000000000000012345",
		"8.988465674311579e307",
		"179769313486231580793728971405301e276",
		"214.98980114547953",
	};
	struct decimal decimal;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof words / sizeof *words; i++) {
		assert_true(decimal_parse(words[i], strlen(words[i]), &decimal));
		assert_true(decimal.number == strtod(words[i], NULL));
		assert_true(decimal.quantum > 0 && isfinite(decimal.quantum));
	}
	for (i = 0; i < 20000; i++) {
		char word[64];

		snprintf(word, sizeof word, "%.*e", (int)(i % 18),
			 ldexp((double)i * 1.37 + 1, (int)(i % 140) - 70));
		assert_true(decimal_parse(word, strlen(word), &decimal));
		assert_true(decimal.number == strtod(word, NULL));
	}
	assert_true(decimal_parse("0.070", 5, &decimal) && decimal.quantum == 1e-3);
	assert_true(decimal_parse("12e3", 4, &decimal) && decimal.quantum == 1e3);
	assert_true(decimal_parse("1e999", 5, &decimal) && isinf(decimal.number));
	assert_int_equal(decimal_scan("1.5ms", 5, &decimal), 3);
	assert_int_equal(decimal_scan("2e", 2, &decimal), 1);
	assert_int_equal(decimal_scan("3..4", 4, &decimal), 2);
	assert_false(decimal_parse("", 0, &decimal));
	assert_false(decimal_parse(".", 1, &decimal));
	assert_false(decimal_parse("-", 1, &decimal));
	assert_false(decimal_parse("0x10", 4, &decimal));
	assert_false(decimal_parse("nan", 3, &decimal));
	assert_false(decimal_parse(" 1", 2, &decimal));
	assert_false(decimal_parse("1,5", 3, &decimal));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_have_keys_places_and_printed_digits),
		cmocka_unit_test(numbers_beyond_json_are_read_where_asked_for),
		cmocka_unit_test(documents_amid_text_are_found_at_the_start_of_a_line),
		cmocka_unit_test(repeated_keys_are_refused_or_marked),
		cmocka_unit_test(what_is_no_json_is_told_with_its_place),
		cmocka_unit_test(a_cut_text_is_an_error_wherever_it_ends),
		cmocka_unit_test(a_long_line_needs_no_memory),
		cmocka_unit_test(members_go_into_the_fields_of_a_struct),
		cmocka_unit_test(decimals_are_rounded_correctly_and_know_their_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
