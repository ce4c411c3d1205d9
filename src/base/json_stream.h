/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_JSON_STREAM_H
#define BASE_JSON_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Other tools' JSON, read piece by piece and never held whole; the only header
 * over yajl. The reader pulls events in the order of the text:
 *
 *	{"a": [1.50, "x"]}
 *	OBJECT, ARRAY (key a), NUMBER 1.5 (quantum 0.01), STRING x, CLOSE, CLOSE, END
 *
 * Memory is a few hundred kB whatever the length of the file. Errors name line
 * and column, and what was wrong; the name of the file is for the caller to
 * put in front.
 */
struct json_stream;

enum json_event_kind {
	EVENT_END, /* the text is over; every further call says so again */
	EVENT_OBJECT,
	EVENT_ARRAY,
	EVENT_CLOSE, /* of the innermost object or array */
	EVENT_STRING,
	EVENT_NUMBER,
	EVENT_BOOLEAN,
	EVENT_NULL,
};

struct json_event {
	enum json_event_kind kind;
	const char *key;   /* of this member of an object; NULL in an array and outside */
	bool key_repeated; /* the object has had this key before (see STREAM_REPEATED_KEYS) */
	const char *text;  /* a string, or a number as printed; ends in NUL; valid until the next
			      event is read */
	size_t length;
	double number;	/* of EVENT_NUMBER; NAN for NaN, an infinity for one */
	double quantum; /* one unit of its last printed digit; 0 for NaN and infinities */
	bool boolean;
	size_t line; /* on which it ends, from 1 */
};

enum json_stream_options {
	/* The numbers NaN, Infinity and nan, inf as Python, C++ and C write them, with a sign. */
	STREAM_NOT_FINITE = 1 << 0,
	/* Objects amid other text: one begins with '{' at the start of a line, what stands
	 * before, between and behind is skipped; there may be many, or none. Else the text is one
	 * object or array, and nothing may follow it. */
	STREAM_EMBEDDED = 1 << 1,
	/* A key that stands twice in an object is marked; else it is an error. */
	STREAM_REPEATED_KEYS = 1 << 2,
};

enum {
	JSON_STREAM_DEPTH = 128,	  /* nesting beyond it is an error */
	JSON_STREAM_VALUE_BYTES = 1 << 24 /* one string or number may be about this long */
};

/* Where the bytes come from: the next piece, good until the next call; *length 0 at the end. */
typedef bool (*json_stream_read)(void *context, const char **bytes, size_t *length,
				 struct error *err);

struct json_stream *json_stream_open(json_stream_read read, void *context, int options);
void json_stream_close(struct json_stream *stream); /* NULL is accepted */

/* The next event; false with a sentence when the text is no JSON (after the events before that),
 * or could not be read. */
bool json_stream_next(struct json_stream *stream, struct json_event *event, struct error *err);

/* For readers that descend: called after EVENT_OBJECT or EVENT_ARRAY, hands each member or item to
 * visit and returns after its end. What visit did not read of an object or array is skipped. */
typedef bool (*json_stream_visit)(void *context, struct json_stream *stream,
				  const struct json_event *event, struct error *err);
bool json_stream_each(struct json_stream *stream, json_stream_visit visit, void *context,
		      struct error *err);

/* A member of an object that a reader wants, and where in its struct it goes. */
struct json_field {
	const char *key;
	enum { FIELD_STRING, FIELD_NUMBER, FIELD_BOOLEAN } kind;
	size_t offset; /* of a const char *, a struct json_number, or a bool */
	bool lenient;  /* what is of another type is left out rather than an error */
};
struct json_number {
	double number; /* NAN: absent, null or NaN */
	double quantum;
	size_t line; /* on which it stands, from 1; 0: absent */
};

/* Puts a scalar into the field of target that has its key; strings are copied into the arena. Null
 * is as absent. True in *taken if there is such a field (also for a lenient one left out). */
bool json_stream_field(struct arena *arena, struct json_stream *stream,
		       const struct json_event *event, const struct json_field *fields,
		       size_t count, void *target, bool *taken, struct error *err);

/* "benchmarks[3].real_time": where the last event stood. Valid until the next event is read. */
const char *json_stream_path(struct json_stream *stream);

/* How many objects and arrays are open after the last event. */
size_t json_stream_depth(const struct json_stream *stream);

/* "line 12: benchmarks[3].real_time: expected a number, found a string"; returns false. */
bool json_stream_expected(struct json_stream *stream, const struct json_event *event,
			  const char *expected, struct error *err);

#endif
