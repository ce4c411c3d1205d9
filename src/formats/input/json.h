/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_INPUT_JSON_H
#define FORMATS_INPUT_JSON_H

#include "base/json_stream.h"
#include "formats/format.h"
#include "formats/input/input.h"

/*
 * An input as streamed JSON, with the file's name in the errors. visit is
 * called for each member of the object, or each item of the list, that the
 * file is made of.
 */
bool json_input_object(struct input *input, int options, json_stream_visit visit, void *context,
		       struct error *err);
bool json_input_list(struct input *input, int options, json_stream_visit visit, void *context,
		     struct error *err);
/* Every object that begins a line, whatever stands around (STREAM_EMBEDDED is added): visit is
 * called with its EVENT_OBJECT. */
bool json_input_embedded(struct input *input, int options, json_stream_visit visit, void *context,
			 struct error *err);

/* Each item of a list with visit; false with a sentence if event begins no list. */
bool json_list_each(struct json_stream *stream, const struct json_event *event,
		    json_stream_visit visit, void *context, struct error *err);
/* Each member of an object with visit; false with a sentence if event begins no object. */
bool json_object_each(struct json_stream *stream, const struct json_event *event,
		      json_stream_visit visit, void *context, struct error *err);

/* Whether an event is the member key. */
bool json_is_member(const struct json_event *event, const char *key);

/* A growing list of numbers with their steps. */
struct json_numbers {
	struct json_number *items;
	size_t count, capacity;
};
/* Puts all numbers of a list of numbers behind numbers; null is NAN. What is no number is an error.
 * The items are the caller's to free. */
bool json_numbers_read(struct json_stream *stream, const struct json_event *event,
		       struct json_numbers *numbers, struct error *err);
void json_numbers_add(struct json_numbers *numbers, struct json_number number);
void json_numbers_release(struct json_numbers *numbers);

/* The members of an object as labels: strings, and numbers as they are printed; others are passed
 * over. Strings live in arena. */
struct json_labels {
	struct results_label *items;
	size_t count, capacity;
};
bool json_labels_read(struct arena *arena, struct json_stream *stream,
		      const struct json_event *event, struct json_labels *labels,
		      struct error *err);

/* For scores: a head that begins with this character and has all these words, up to a NULL. */
bool head_is_json(const struct head *head, const char *begin, const char *const *words);

#endif
