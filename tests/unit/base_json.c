/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON survives a round trip in full, and hostile text gives a sentence instead of a tree. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/random.h"
#include "unit.h"

static struct json *parse(const char *bytes)
{
	struct json *json = NULL;
	struct error err = { 0 };

	if (!json_parse(bytes, strlen(bytes), &json, &err))
		fail_msg("%s: %s", bytes, err.sentence);
	return json;
}

/* The text is refused, with a position and this piece of a sentence. */
static void refuse(const char *bytes, size_t length, const char *sentence)
{
	struct json *json = NULL;
	struct error err = { 0 };

	assert_false(json_parse(bytes, length, &json, &err));
	assert_null(json);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_memory_equal(err.sentence, "line ", 5);
	if (strstr(err.sentence, sentence) == NULL)
		fail_msg("expected \"%s\" in: %s", sentence, err.sentence);
}

static void print_gives(struct json *json, bool pretty, const char *expected)
{
	struct text text = { 0 };

	json_print(json, pretty, &text);
	assert_string_equal(text_string(&text), expected);
	text_release(&text);
	json_release(json);
}

static void numbers_print_short_and_whole_ones_without_a_point(void **state)
{
	(void)state;
	print_gives(json_number(0.1), false, "0.1");
	print_gives(json_number(3), false, "3");
	print_gives(json_number(-9007199254740992.0), false, "-9007199254740992");
	print_gives(json_number(1e300), false, "1e+300");
	print_gives(json_number(-0.0), false, "-0.0");
	print_gives(json_number(NAN), false, "null");
	print_gives(json_number(-INFINITY), false, "null");
	print_gives(json_integer(INT64_MIN), false, "-9223372036854775808");
	print_gives(json_boolean(true), false, "true");
	print_gives(json_string(NULL), false, "null");
}

static void layout_is_compact_or_pretty(void **state)
{
	struct json *json = json_object();
	struct json *list = json_set(json, "list", json_array());
	struct json *nested = json_set(json, "nested", json_array());

	(void)state;
	json_push(list, json_integer(1));
	json_push(list, json_string("\"\n"));
	json_push(nested, json_object());
	json_push(nested, json_array());
	json_set(json, "empty", json_array());
	print_gives(parse("{\"a\" : [ 1, 2.5 ], \"b\" : {} }"), false, "{\"a\":[1,2.5],\"b\":{}}");
	print_gives(json, true,
		    "{\n  \"list\": [1, \"\\\"\\n\"],\n  \"nested\": [\n    {},\n    []\n  ],\n"
		    "  \"empty\": []\n}\n");
	print_gives(parse("{\"a\":[{\"b\":1,\"c\":[1,2],\"d\":[]},[[]]]}"), true,
		    "{\n  \"a\": [\n    {\"b\": 1, \"c\": [1, 2], \"d\": []},\n    [\n      []\n"
		    "    ]\n  ]\n}\n");
	print_gives(parse("{\"long\":\"0123456789012345678901234567890123456789\","
			  "\"longer\":\"01234567890123456789012345678901234567890123456789\"}"),
		    true,
		    "{\n  \"long\": \"0123456789012345678901234567890123456789\",\n"
		    "  \"longer\": \"01234567890123456789012345678901234567890123456789\"\n}\n");
}

static void every_double_comes_back_bit_by_bit(void **state)
{
	struct random random = { 42 };
	struct text text = { 0 };
	int i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		uint64_t bits = random_next(&random);
		double number, again;
		struct json *json;

		memcpy(&number, &bits, sizeof number);
		if (!isfinite(number))
			continue;
		if (i % 3 == 0)
			number = (double)(int64_t)(bits % 1000000) / 1000;
		json = json_number(number);
		text_clear(&text);
		json_print(json, false, &text);
		json_release(json);
		json = parse(text.bytes);
		again = json_to_number(json);
		json_release(json);
		assert_memory_equal(&again, &number, sizeof number);
	}
	text_release(&text);
}

static void reading_gives_the_default_for_other_types(void **state)
{
	struct json *json = parse("{\"n\":1.5,\"i\":7,\"w\":8.0,\"s\":\"x\",\"t\":true,\"z\":null,"
				  "\"a\":[1],\"big\":1e30}");
	int64_t integer = 5;
	bool value = false;

	(void)state;
	assert_true(json_get_number(json, "n", 9) == 1.5);
	assert_true(json_get_number(json, "i", 9) == 7);
	assert_true(json_get_number(json, "s", 9) == 9);
	assert_true(json_get_number(json, "z", 9) == 9);
	assert_true(isnan(json_get_number(json, "absent", NAN)));
	assert_int_equal(json_get_integer(json, "i", 9), 7);
	assert_int_equal(json_get_integer(json, "w", 9), 8);
	assert_int_equal(json_get_integer(json, "n", 9), 9);
	assert_int_equal(json_get_integer(json, "big", 9), 9);
	assert_string_equal(json_get_string(json, "s", "y"), "x");
	assert_string_equal(json_get_string(json, "i", "y"), "y");
	assert_true(json_get_boolean(json, "t", false));
	assert_true(json_get_boolean(json, "i", true));
	assert_true(json_is_null(json_get(json, "z")));
	assert_false(json_is_null(json_get(json, "absent")));
	assert_null(json_get(json, "absent"));
	assert_int_equal(json_count(json_get(json, "a")), 1);
	assert_int_equal(json_count(json_get(json, "s")), 0);
	assert_int_equal(json_count(NULL), 0);
	assert_null(json_item(json_get(json, "a"), 1));
	assert_null(json_to_string(NULL));
	assert_true(isnan(json_to_number(NULL)));
	assert_false(json_to_integer(json_get(json, "n"), &integer));
	assert_int_equal(integer, 5);
	assert_false(json_to_boolean(json_get(json, "i"), &value));
	assert_true(json_is_object(json) && !json_is_array(json));
	json_release(json);
}

static void collect(void *context, const char *key, struct json *value)
{
	text_printf(context, "%s=%g ", key, json_to_number(value));
}

static void keys_are_visited_in_the_order_they_were_added(void **state)
{
	struct json *json = parse("{\"z\":1,\"a\":2,\"m\":3}");
	struct text text = { 0 };

	(void)state;
	json_each(json, collect, &text);
	assert_string_equal(text_string(&text), "z=1 a=2 m=3 ");
	text_release(&text);
	json_release(json);
}

static void malformed_strings_and_keys_are_cleaned_not_lost(void **state)
{
	struct json *json = json_object();

	(void)state;
	json_set(json, "a\xff", json_string("b\xfe"));
	print_gives(json, false, "{\"a\\\\xFF\":\"b\\\\xFE\"}");
}

static void deep_nesting_is_refused(void **state)
{
	struct text text = { 0 };
	struct json *json;
	size_t i;

	(void)state;
	text_add_repeat(&text, '[', 100000);
	refuse(text.bytes, text.length, "too deeply");
	text_clear(&text);
	for (i = 0; i < 100000; i++)
		text_add(&text, "{\"a\":");
	refuse(text.bytes, text.length, "too deeply");
	text_clear(&text);
	text_add_repeat(&text, '[', 1000);
	text_add_repeat(&text, ']', 1000);
	json = parse(text.bytes);
	text_clear(&text);
	json_print(json, true, &text);
	assert_true(text.length > 2000);
	json_release(json);
	text_release(&text);
}

static void hostile_texts_are_refused_with_a_reason(void **state)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
		{ "{\"a\":1,\"a\":2}", "same key twice" },
		{ "[{\"b\":{\"a\":1,\"a\":1}}]", "same key twice" },
		{ "1e400", "too large" },
		{ "-1e999999999", "too large" },
		{ "99999999999999999999", "too large" },
		{ "-9223372036854775809", "too large" },
		{ "\"\\u0000\"", "NUL" },
		{ "{\"\\u0000\":1}", "NUL" },
		{ "\"\xff\"", "UTF-8" },
		{ "\"\xc0\xaf\"", "UTF-8" },
		{ "\"\xed\xa0\x80\"", "UTF-8" },
		{ "\"\\ud800\"", "not JSON" },
		{ "[1,]", "not JSON" },
		{ "{'a':1}", "not JSON" },
		{ "[01]", "not JSON" },
		{ "[.5]", "not JSON" },
		{ "[+1]", "not JSON" },
		{ "[0x1]", "not JSON" },
		{ "NaN", "not JSON" },
		{ "[Infinity]", "not JSON" },
		{ "[1] [2]", "after the end" },
		{ "", "cut off" },
		{ "   ", "cut off" },
		{ "[1,2", "cut off" },
		{ "\"a\nb\"", "line 1, column" },
		{ "// comment\n1", "not JSON" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		refuse(cases[i].text, strlen(cases[i].text), cases[i].sentence);
	refuse("[1]\0", 4, "line 1, column 4: a NUL byte");
	refuse("[1\0]", 4, "a NUL byte");
	refuse("{\"a\": 1\0}", 9, "a NUL byte");
	refuse("[\n\"a\0\"]", 7, "line 2, column 3: a NUL byte");
}

static void a_message_names_line_and_column(void **state)
{
	struct json *json;
	struct error err = { 0 };

	(void)state;
	assert_false(json_parse("{\n  \"a\": 1,\n  oops\n}", 20, &json, &err));
	assert_memory_equal(err.sentence, "line 3, column ", 15);
}

static void a_text_cut_at_any_byte_is_refused(void **state)
{
	static const char whole[] =
	    "{\"a\":[1,2.5e3,true,null,\"\\u00e9\xc3\xa9\"],\"b\":{\"c\":-0.5}}";
	struct json *json = NULL;
	size_t length;

	(void)state;
	for (length = 0; length < sizeof whole - 1; length++)
		refuse(whole, length, "column");
	assert_true(json_parse(whole, sizeof whole - 1, &json, NULL));
	json_release(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_print_short_and_whole_ones_without_a_point),
		cmocka_unit_test(layout_is_compact_or_pretty),
		cmocka_unit_test(every_double_comes_back_bit_by_bit),
		cmocka_unit_test(reading_gives_the_default_for_other_types),
		cmocka_unit_test(keys_are_visited_in_the_order_they_were_added),
		cmocka_unit_test(malformed_strings_and_keys_are_cleaned_not_lost),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(hostile_texts_are_refused_with_a_reason),
		cmocka_unit_test(a_message_names_line_and_column),
		cmocka_unit_test(a_text_cut_at_any_byte_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
