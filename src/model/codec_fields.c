/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strict reading of JSON fields: see codec_fields.h. */
#include "model/codec_fields.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TEXT_LIST = 1 << 20 };

static bool is_utf8(const char *text)
{
	size_t length = strlen(text);
	uint32_t codepoint;

	while (length > 0) {
		size_t used = utf8_decode(text, length, &codepoint);

		if (used == 0)
			return false;
		text += used;
		length -= used;
	}
	return true;
}

struct json *field_from_text(const char *text)
{
	struct text hex = { 0 };
	struct arena *arena;
	struct json *json;
	size_t i;

	if (text == NULL || is_utf8(text))
		return json_string(text);
	arena = arena_open();
	json = json_object();
	json_set(json, "shown", json_string(text_clean(arena, text, strlen(text))));
	for (i = 0; text[i] != '\0'; i++)
		text_printf(&hex, "%02x", (unsigned char)text[i]);
	json_set(json, "hex", json_string(text_string(&hex)));
	text_release(&hex);
	arena_close(arena);
	return json;
}

static int hex_digit(char digit)
{
	const char *digits = "0123456789abcdef";
	const char *found = digit == '\0' ? NULL : strchr(digits, digit);

	return found == NULL ? -1 : (int)(found - digits);
}

bool field_to_text(struct arena *arena, const struct json *json, const char **text)
{
	const char *hex = json_get_string(json, "hex", NULL);
	const char *string = json_to_string(json);
	char *bytes;
	size_t i;

	if (string != NULL) {
		*text = arena_strdup(arena, string);
		return true;
	}
	if (hex == NULL || strlen(hex) % 2 != 0)
		return false;
	bytes = arena_alloc(arena, strlen(hex) / 2 + 1, 1);
	for (i = 0; hex[i] != '\0'; i += 2) {
		int high = hex_digit(hex[i]);
		int low = hex_digit(hex[i + 1]);

		if (high < 0 || low < 0 || high + low == 0)
			return false;
		bytes[i / 2] = (char)(high << 4 | low);
	}
	*text = bytes;
	return true;
}

/* Absent and null alike. */
static bool is_none(const struct fields *fields, const char *key)
{
	const struct json *json = json_get(fields->object, key);

	return json == NULL || json_is_null(json);
}

static bool wrong(const struct fields *fields, const char *key, const char *expected)
{
	if (json_get(fields->object, key) == NULL)
		return error_set(fields->err, ERROR_INPUT, "\"%s\" is missing", key);
	return error_set(fields->err, ERROR_INPUT, "\"%s\" must be %s", key, expected);
}

bool field_object(const struct fields *fields)
{
	if (json_is_object(fields->object))
		return true;
	return error_set(fields->err, ERROR_INPUT, "an object is missing here");
}

bool field_text(const struct fields *fields, const char *key, const char **text)
{
	if (field_to_text(fields->arena, json_get(fields->object, key), text))
		return true;
	return wrong(fields, key, "a text");
}

bool field_text_or_null(const struct fields *fields, const char *key, const char **text)
{
	*text = NULL;
	return is_none(fields, key) || field_text(fields, key, text);
}

bool field_boolean(const struct fields *fields, const char *key, bool *value)
{
	return json_to_boolean(json_get(fields->object, key), value) ||
	       wrong(fields, key, "true or false");
}

bool field_integer(const struct fields *fields, const char *key, int64_t minimum, int64_t maximum,
		   int64_t *integer)
{
	if (!json_to_integer(json_get(fields->object, key), integer))
		return wrong(fields, key, "a whole number");
	if (*integer >= minimum && *integer <= maximum)
		return true;
	return error_set(fields->err, ERROR_INPUT, "\"%s\" is %lld, not in %lld to %lld", key,
			 (long long)*integer, (long long)minimum, (long long)maximum);
}

bool field_integer_or_null(const struct fields *fields, const char *key, int64_t minimum,
			   int64_t maximum, int64_t otherwise, int64_t *integer)
{
	*integer = otherwise;
	return is_none(fields, key) || field_integer(fields, key, minimum, maximum, integer);
}

bool field_size(const struct fields *fields, const char *key, size_t maximum, size_t *size)
{
	int64_t integer;

	if (!field_integer(fields, key, 0, (int64_t)maximum, &integer))
		return false;
	*size = (size_t)integer;
	return true;
}

bool field_number(const struct fields *fields, const char *key, double minimum, double maximum,
		  double *number)
{
	*number = json_to_number(json_get(fields->object, key));
	if (isnan(*number))
		return wrong(fields, key, "a number");
	if (*number >= minimum && *number <= maximum)
		return true;
	return error_set(fields->err, ERROR_INPUT, "\"%s\" is %g, not in %g to %g", key, *number,
			 minimum, maximum);
}

bool field_number_or_null(const struct fields *fields, const char *key, double *number)
{
	*number = NAN;
	return is_none(fields, key) || field_number(fields, key, -INFINITY, INFINITY, number);
}

bool field_array(const struct fields *fields, const char *key, bool optional, size_t limit,
		 const struct json **array)
{
	*array = NULL;
	if (optional && is_none(fields, key))
		return true;
	if (!json_is_array(json_get(fields->object, key)))
		return wrong(fields, key, "a list");
	*array = json_get(fields->object, key);
	if (json_count(*array) <= limit)
		return true;
	return error_set(fields->err, ERROR_INPUT, "\"%s\" has %zu entries, more than %zu", key,
			 json_count(*array), limit);
}

bool field_texts(const struct fields *fields, const char *key, bool optional, const char ***texts,
		 size_t *count)
{
	const struct json *array;
	size_t i;

	*texts = NULL;
	*count = 0;
	if (!field_array(fields, key, optional, LONGEST_TEXT_LIST, &array))
		return false;
	if (array == NULL)
		return true;
	*texts = arena_alloc(fields->arena, json_count(array) + 1, sizeof **texts);
	for (i = 0; i < json_count(array); i++)
		if (!field_to_text(fields->arena, json_item(array, i), &(*texts)[i]))
			return error_set(fields->err, ERROR_INPUT,
					 "entry %zu of \"%s\" must be a text", i, key);
	*count = json_count(array);
	return true;
}

bool field_bits(const struct fields *fields, const char *key, int base, uint64_t *bits)
{
	const char *digits = base == 16 ? "0123456789abcdef" : "0123456789";
	const char *string = json_get_string(fields->object, key, NULL);
	char *end;

	if (string == NULL || string[0] == '\0' || string[strspn(string, digits)] != '\0')
		return wrong(fields, key, "a string of digits");
	errno = 0;
	*bits = strtoull(string, &end, base);
	if (errno == 0)
		return true;
	return error_set(fields->err, ERROR_INPUT, "\"%s\" does not fit into 64 bits", key);
}
