/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/*
 * JSON as a tree; the only header over jansson. Trees are reference counted
 * inside: whoever made the root releases it, and adding a value to a parent
 * gives it away. NAN and infinities become null, null reads as NAN. Numbers
 * keep full precision (the fewest digits that read back as the same double);
 * whole ones print without a point. Strings must be valid UTF-8 (text_clean
 * makes any string so); one that is not is cleaned rather than lost.
 */
struct json;

/* jansson exports functions of these names. Without other symbols for ours, its internal calls
 * would land here: a program's symbols come before those of its shared libraries. */
#define json_object worth_json_object
#define json_array worth_json_array
#define json_integer worth_json_integer
#define json_string worth_json_string

struct json *json_object(void);
struct json *json_array(void);
struct json *json_number(double number);
struct json *json_integer(int64_t integer);
struct json *json_string(const char *string); /* NULL gives null */
struct json *json_boolean(bool value);
void json_release(struct json *json);

/* Takes value over, and returns it for filling. */
struct json *json_set(struct json *object, const char *key, struct json *value);
struct json *json_push(struct json *array, struct json *value);

/* Reading: the value of a key, or the default where it is absent, null or of another type. */
struct json *json_get(const struct json *object, const char *key); /* borrowed; NULL if absent */
double json_get_number(const struct json *object, const char *key, double otherwise);
int64_t json_get_integer(const struct json *object, const char *key, int64_t otherwise);
const char *json_get_string(const struct json *object, const char *key, const char *otherwise);
bool json_get_boolean(const struct json *object, const char *key, bool otherwise);
size_t json_count(const struct json *array);			/* 0 for what is no array */
struct json *json_item(const struct json *array, size_t index); /* borrowed */
double json_to_number(const struct json *json);			/* NAN for what is no number */
const char *json_to_string(const struct json *json);		/* NULL for what is no string */
bool json_is_object(const struct json *json);
bool json_is_array(const struct json *json);
bool json_is_null(const struct json *json); /* an explicit null; false for NULL */
/* For strict readers: false, and *integer or *value left alone, for what is of another type. A
 * number written with a point or an exponent is an integer if it is whole and below 2^53. */
bool json_to_integer(const struct json *json, int64_t *integer);
bool json_to_boolean(const struct json *json, bool *value);
/* Keys in the order they were added. */
void json_each(const struct json *object,
	       void (*visit)(void *context, const char *key, struct json *value), void *context);

/* Parse text: one value, nothing but white space after it. Depth is limited (2048), duplicate keys,
 * NUL characters and integers beyond 64 bits are errors, and the message has line and column. */
bool json_parse(const char *bytes, size_t length, struct json **json, struct error *err);
/* Append to text; pretty has two-space indents, lists of plain values and short flat objects in one
 * line, and a newline at the end. */
void json_print(const struct json *json, bool pretty, struct text *text);

#endif
