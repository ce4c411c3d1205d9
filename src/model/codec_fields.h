/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_CODEC_FIELDS_H
#define MODEL_CODEC_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

/*
 * Fields of a JSON object read strictly, for the codec's own files. Every
 * function returns false with a sentence that names the key where the value is
 * absent, of another type or out of range; those ending in _or_null take an
 * absent key and null for "none". Texts are copied into the arena.
 */
struct fields {
	struct arena *arena;
	const struct json *object;
	struct error *err;
};

/* A text as JSON: a string if it is valid UTF-8, else {"shown": ..., "hex": ...}, so that words
 * and paths of any bytes come back unchanged; NULL gives null. */
struct json *field_from_text(const char *text);
/* The reverse; false (no sentence) if it is neither. Null is refused. */
bool field_to_text(struct arena *arena, const struct json *json, const char **text);

/* False, with a sentence, if object is none at all. */
bool field_object(const struct fields *fields);
bool field_text(const struct fields *fields, const char *key, const char **text);
bool field_text_or_null(const struct fields *fields, const char *key, const char **text);
bool field_boolean(const struct fields *fields, const char *key, bool *value);
bool field_integer(const struct fields *fields, const char *key, int64_t minimum, int64_t maximum,
		   int64_t *integer);
bool field_integer_or_null(const struct fields *fields, const char *key, int64_t minimum,
			   int64_t maximum, int64_t otherwise, int64_t *integer);
bool field_size(const struct fields *fields, const char *key, size_t maximum, size_t *size);
/* Finite and inside minimum..maximum. */
bool field_number(const struct fields *fields, const char *key, double minimum, double maximum,
		  double *number);
bool field_number_or_null(const struct fields *fields, const char *key, double *number);
/* *array is NULL where it is absent or null and the array is optional. */
bool field_array(const struct fields *fields, const char *key, bool optional, size_t limit,
		 const struct json **array);
/* An array of texts; *texts ends in a NULL that is not counted, and is NULL for none. */
bool field_texts(const struct fields *fields, const char *key, bool optional, const char ***texts,
		 size_t *count);
/* A 64-bit value in a string (doubles would lose bits of it) in that base. */
bool field_bits(const struct fields *fields, const char *key, int base, uint64_t *bits);

#endif
