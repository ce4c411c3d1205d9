/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON trees over jansson: see json.h. A struct json is a json_t under a name
 * of our own. jansson parses and keeps the tree; printing is done here, since
 * jansson prints every double with 17 digits (0.1 as 0.10000000000000001) and
 * gives every number of a long array a line of its own.
 */
#include <jansson.h>

/* jansson's constructors, taken before json.h gives their names to ours. */
static json_t *library_object(void)
{
	return json_object();
}

static json_t *library_array(void)
{
	return json_array();
}

static json_t *library_integer(json_int_t integer)
{
	return json_integer(integer);
}

static json_t *library_string(const char *string)
{
	return json_string(string);
}

#undef json_boolean
#undef json_is_object
#undef json_is_array
#undef json_is_null
#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* Whole doubles of this size and below are all exact, so they may travel as integers. */
static const double LARGEST_EXACT_WHOLE = 9007199254740992.0;

static json_t *tree(const struct json *json)
{
	return (json_t *)(uintptr_t)json;
}

/* Every constructor of jansson returns NULL for want of memory alone once its input is checked. */
static struct json *made(json_t *json)
{
	if (json == NULL)
		arena_out_of_memory();
	return (struct json *)json;
}

struct json *json_object(void)
{
	return made(library_object());
}

struct json *json_array(void)
{
	return made(library_array());
}

struct json *json_integer(int64_t integer)
{
	return made(library_integer(integer));
}

struct json *json_number(double number)
{
	if (!isfinite(number))
		return made(json_null());
	if (number == floor(number) && fabs(number) <= LARGEST_EXACT_WHOLE &&
	    !(number == 0 && signbit(number)))
		return json_integer((int64_t)number);
	return made(json_real(number));
}

struct json *json_string(const char *string)
{
	json_t *json;

	if (string == NULL)
		return made(json_null());
	json = library_string(string);
	if (json == NULL) {
		struct arena *arena = arena_open();

		json = library_string(text_clean(arena, string, strlen(string)));
		arena_close(arena);
	}
	return made(json);
}

struct json *json_boolean(bool value)
{
	return made(value ? json_true() : json_false());
}

void json_release(struct json *json)
{
	json_decref(tree(json));
}

struct json *json_set(struct json *object, const char *key, struct json *value)
{
	struct arena *arena;
	int failed;

	assert(json_is_object(object) && value != NULL);
	json_incref(tree(value));
	if (json_object_set_new(tree(object), key, tree(value)) == 0) {
		json_decref(tree(value));
		return value;
	}
	/* The key is not valid UTF-8; jansson has dropped one reference, the other is left. */
	arena = arena_open();
	failed =
	    json_object_set_new(tree(object), text_clean(arena, key, strlen(key)), tree(value));
	arena_close(arena);
	if (failed)
		arena_out_of_memory();
	return value;
}

struct json *json_push(struct json *array, struct json *value)
{
	assert(json_is_array(array) && value != NULL);
	if (json_array_append_new(tree(array), tree(value)) != 0)
		arena_out_of_memory();
	return value;
}

struct json *json_get(const struct json *object, const char *key)
{
	return (struct json *)json_object_get(tree(object), key);
}

double json_to_number(const struct json *json)
{
	return json_is_number(tree(json)) ? json_number_value(tree(json)) : (double)NAN;
}

bool json_to_integer(const struct json *json, int64_t *integer)
{
	double number;

	if (json_is_integer(tree(json))) {
		*integer = json_integer_value(tree(json));
		return true;
	}
	number = json_to_number(json);
	if (isnan(number) || number != floor(number) || fabs(number) > LARGEST_EXACT_WHOLE)
		return false;
	*integer = (int64_t)number;
	return true;
}

bool json_to_boolean(const struct json *json, bool *value)
{
	if (!json_is_boolean(tree(json)))
		return false;
	*value = json_is_true(tree(json));
	return true;
}

const char *json_to_string(const struct json *json)
{
	return json_string_value(tree(json));
}

double json_get_number(const struct json *object, const char *key, double otherwise)
{
	double number = json_to_number(json_get(object, key));

	return isnan(number) ? otherwise : number;
}

int64_t json_get_integer(const struct json *object, const char *key, int64_t otherwise)
{
	json_to_integer(json_get(object, key), &otherwise);
	return otherwise;
}

const char *json_get_string(const struct json *object, const char *key, const char *otherwise)
{
	const char *string = json_to_string(json_get(object, key));

	return string == NULL ? otherwise : string;
}

bool json_get_boolean(const struct json *object, const char *key, bool otherwise)
{
	json_to_boolean(json_get(object, key), &otherwise);
	return otherwise;
}

size_t json_count(const struct json *array)
{
	return json_array_size(tree(array));
}

struct json *json_item(const struct json *array, size_t index)
{
	return (struct json *)json_array_get(tree(array), index);
}

bool json_is_object(const struct json *json)
{
	return json != NULL && json_typeof(tree(json)) == JSON_OBJECT;
}

bool json_is_array(const struct json *json)
{
	return json != NULL && json_typeof(tree(json)) == JSON_ARRAY;
}

bool json_is_null(const struct json *json)
{
	return json != NULL && json_typeof(tree(json)) == JSON_NULL;
}

void json_each(const struct json *object,
	       void (*visit)(void *context, const char *key, struct json *value), void *context)
{
	const char *key;
	json_t *value;

	json_object_foreach(tree(object), key, value) visit(context, key, (struct json *)value);
}

/* What to say for jansson's error codes; its own sentences quote the input as it is. */
static const char *parse_problem(enum json_error_code code)
{
	switch (code) {
	case json_error_stack_overflow:
		return "lists or objects are nested too deeply";
	case json_error_invalid_utf8:
		return "the text is not valid UTF-8";
	case json_error_premature_end_of_input:
		return "the text ends too early: the file may be cut off";
	case json_error_end_of_input_expected:
		return "there is more text after the end of the value";
	case json_error_null_character:
	case json_error_null_byte_in_key:
		return "a string holds a NUL character";
	case json_error_duplicate_key:
		return "an object holds the same key twice";
	case json_error_numeric_overflow:
		return "a number is too large";
	default:
		return "this is not JSON";
	}
}

/* jansson takes a NUL between words for the end of the text, whatever stands behind it. */
static bool refuse_nul(const char *bytes, size_t length, struct error *err)
{
	const char *nul = length == 0 ? NULL : memchr(bytes, '\0', length), *at, *begin = bytes;
	size_t line = 1;

	if (nul == NULL)
		return true;
	for (at = bytes; at < nul; at++)
		if (*at == '\n') {
			line++;
			begin = at + 1;
		}
	return error_set(err, ERROR_INPUT, "line %zu, column %zu: a NUL byte; expected JSON", line,
			 (size_t)(nul - begin) + 1);
}

bool json_parse(const char *bytes, size_t length, struct json **json, struct error *err)
{
	json_error_t problem;
	json_t *parsed;

	if (!refuse_nul(bytes, length, err))
		return false;
	parsed = json_loadb(bytes, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);
	if (parsed == NULL && json_error_code(&problem) == json_error_out_of_memory)
		arena_out_of_memory();
	if (parsed == NULL)
		return error_set(err, ERROR_INPUT, "line %d, column %d: %s",
				 problem.line < 1 ? 1 : problem.line,
				 problem.column < 1 ? 1 : problem.column,
				 parse_problem(json_error_code(&problem)));
	*json = (struct json *)parsed;
	return true;
}

/* The fewest digits that read back as the same double; a point whatever the locale says. */
static void print_real(double number, struct text *text)
{
	char digits[64];
	int precision;
	size_t i;

	for (precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof digits, "%.*g", precision, number);
		if (strtod(digits, NULL) == number)
			break;
	}
	for (i = 0; digits[i] != '\0'; i++)
		if (strchr("0123456789+-e", digits[i]) == NULL)
			digits[i] = '.';
	text_add(text, digits);
	/* So that -0 and large whole numbers stay reals when they are read again. */
	if (strpbrk(digits, ".e") == NULL)
		text_add(text, ".0");
}

static int add_bytes(const char *bytes, size_t length, void *text)
{
	text_add_bytes(text, bytes, length);
	return 0;
}

static void print_string(const char *string, struct text *text)
{
	json_t *json = library_string(string);

	if (json == NULL || json_dump_callback(json, add_bytes, text, JSON_ENCODE_ANY) != 0)
		arena_out_of_memory();
	json_decref(json);
}

/*
 * How a value is laid out. In one line a pretty value has a blank after commas
 * and colons; broken, every entry has a line of its own.
 */
struct layout {
	struct text *text;
	bool pretty;
	bool one_line;
	size_t depth;
};

/* A broken line is what a reader can still take in; lists of plain values are never broken. */
enum { LONGEST_LINE_BYTES = 100 };

static void print_value(json_t *json, struct layout layout);

static void before_entry(struct layout layout, bool first)
{
	if (!first)
		text_add_char(layout.text, ',');
	if (!layout.pretty)
		return;
	if (!layout.one_line) {
		text_add_char(layout.text, '\n');
		text_add_repeat(layout.text, ' ', 2 * layout.depth);
	} else if (!first) {
		text_add_char(layout.text, ' ');
	}
}

/* Closes what was opened; layout is that of the entries. */
static void after_entries(struct layout layout, bool empty, char bracket)
{
	if (layout.pretty && !layout.one_line && !empty) {
		text_add_char(layout.text, '\n');
		text_add_repeat(layout.text, ' ', 2 * (layout.depth - 1));
	}
	text_add_char(layout.text, bracket);
}

static void print_array(const json_t *array, struct layout layout)
{
	size_t i;

	layout.depth++;
	text_add_char(layout.text, '[');
	for (i = 0; i < json_array_size(array); i++) {
		before_entry(layout, i == 0);
		print_value(json_array_get(array, i), layout);
	}
	after_entries(layout, i == 0, ']');
}

static void print_object(json_t *object, struct layout layout)
{
	bool first = true;
	const char *key;
	json_t *value;

	layout.depth++;
	text_add_char(layout.text, '{');
	json_object_foreach(object, key, value)
	{
		before_entry(layout, first);
		print_string(key, layout.text);
		text_add(layout.text, layout.pretty ? ": " : ":");
		print_value(value, layout);
		first = false;
	}
	after_entries(layout, first, '}');
}

/* Whether a value has no inner structure, or (for an object) none beyond lists of plain values. */
static bool is_flat(json_t *json, bool lists_allowed)
{
	const char *key;
	json_t *value;
	size_t i;

	if (json_typeof(json) == JSON_OBJECT) {
		json_object_foreach(
		    json, key, value) if (json_typeof(value) == JSON_OBJECT ||
					  (json_typeof(value) == JSON_ARRAY &&
					   !(lists_allowed && is_flat(value, false)))) return false;
		return true;
	}
	for (i = 0; i < json_array_size(json); i++) {
		value = json_array_get(json, i);
		if (json_typeof(value) == JSON_OBJECT || json_typeof(value) == JSON_ARRAY)
			return false;
	}
	return true;
}

static void print_nested(json_t *json, struct layout layout)
{
	if (json_typeof(json) == JSON_ARRAY)
		print_array(json, layout);
	else
		print_object(json, layout);
}

/* A flat value goes into one line; an object that turns out too long is printed again, broken. */
static void print_structure(json_t *json, struct layout layout)
{
	size_t before = layout.text->length;
	bool flat = layout.pretty && !layout.one_line && is_flat(json, true);
	struct layout line = layout;

	line.one_line = layout.one_line || flat;
	print_nested(json, line);
	if (!flat || json_typeof(json) == JSON_ARRAY ||
	    layout.text->length - before <= LONGEST_LINE_BYTES)
		return;
	layout.text->length = before;
	print_nested(json, layout);
}

static void print_value(json_t *json, struct layout layout)
{
	switch (json_typeof(json)) {
	case JSON_OBJECT:
	case JSON_ARRAY:
		print_structure(json, layout);
		break;
	case JSON_STRING:
		print_string(json_string_value(json), layout.text);
		break;
	case JSON_INTEGER:
		text_printf(layout.text, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
		break;
	case JSON_REAL:
		print_real(json_real_value(json), layout.text);
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		text_add(layout.text, json_is_true(json) ? "true" : "false");
		break;
	case JSON_NULL:
		text_add(layout.text, "null");
		break;
	}
}

void json_print(const struct json *json, bool pretty, struct text *text)
{
	struct layout layout = { .text = text, .pretty = pretty };

	print_value(tree(json), layout);
	if (pretty)
		text_add_char(text, '\n');
}
