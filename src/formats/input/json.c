/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the JSON readers share: the way from an input to events, and lists of numbers. */
#include "formats/input/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool next_piece(void *context, const char **bytes, size_t *length, struct error *err)
{
	return input_read(context, bytes, length, err);
}

/* Errors of the text get the file's name in front; those of reading have it already. */
static bool name_error(const struct input *input, struct error *err)
{
	if (err != NULL && err->kind == ERROR_INPUT)
		error_prefix(err, "%s", input_name(input));
	return error_clean(err);
}

static bool read_root(struct json_stream *stream, enum json_event_kind root,
		      json_stream_visit visit, void *context, struct error *err)
{
	struct json_event event;

	if (!json_stream_next(stream, &event, err))
		return false;
	if (event.kind != root)
		return json_stream_expected(stream, &event,
					    root == EVENT_OBJECT ? "an object" : "a list", err);
	/* The end is read too, to see that nothing follows. */
	return json_stream_each(stream, visit, context, err) &&
	       json_stream_next(stream, &event, err);
}

static bool read_input(struct input *input, int options, enum json_event_kind root,
		       json_stream_visit visit, void *context, struct error *err)
{
	struct json_stream *stream = json_stream_open(next_piece, input, options);
	struct error own = { 0 };
	bool good;

	if (err == NULL)
		err = &own;
	/* After EVENT_END there is nothing to descend into: each then visits the documents. */
	if (root == EVENT_END)
		good = json_stream_each(stream, visit, context, err);
	else
		good = read_root(stream, root, visit, context, err);
	json_stream_close(stream);
	return good || name_error(input, err);
}

bool json_input_object(struct input *input, int options, json_stream_visit visit, void *context,
		       struct error *err)
{
	return read_input(input, options, EVENT_OBJECT, visit, context, err);
}

bool json_input_list(struct input *input, int options, json_stream_visit visit, void *context,
		     struct error *err)
{
	return read_input(input, options, EVENT_ARRAY, visit, context, err);
}

bool json_input_embedded(struct input *input, int options, json_stream_visit visit, void *context,
			 struct error *err)
{
	return read_input(input, options | STREAM_EMBEDDED, EVENT_END, visit, context, err);
}

bool json_list_each(struct json_stream *stream, const struct json_event *event,
		    json_stream_visit visit, void *context, struct error *err)
{
	if (event->kind != EVENT_ARRAY)
		return json_stream_expected(stream, event, "a list", err);
	return json_stream_each(stream, visit, context, err);
}

bool json_object_each(struct json_stream *stream, const struct json_event *event,
		      json_stream_visit visit, void *context, struct error *err)
{
	if (event->kind != EVENT_OBJECT)
		return json_stream_expected(stream, event, "an object", err);
	return json_stream_each(stream, visit, context, err);
}

bool json_is_member(const struct json_event *event, const char *key)
{
	return event->key != NULL && strcmp(event->key, key) == 0;
}

void json_numbers_add(struct json_numbers *numbers, struct json_number number)
{
	if (numbers->count == numbers->capacity) {
		numbers->capacity = numbers->capacity + numbers->capacity / 2 + 16;
		numbers->items =
		    realloc(numbers->items, numbers->capacity * sizeof *numbers->items);
		if (numbers->items == NULL)
			arena_out_of_memory();
	}
	numbers->items[numbers->count++] = number;
}

static bool read_number(void *context, struct json_stream *stream, const struct json_event *event,
			struct error *err)
{
	if (event->kind != EVENT_NUMBER && event->kind != EVENT_NULL)
		return json_stream_expected(stream, event, "a number", err);
	json_numbers_add(context,
			 (struct json_number){ event->number, event->quantum, event->line });
	return true;
}

bool json_numbers_read(struct json_stream *stream, const struct json_event *event,
		       struct json_numbers *numbers, struct error *err)
{
	return json_list_each(stream, event, read_number, numbers, err);
}

void json_numbers_release(struct json_numbers *numbers)
{
	free(numbers->items);
	*numbers = (struct json_numbers){ 0 };
}

struct labels_visit {
	struct arena *arena;
	struct json_labels *labels;
};

static bool visit_label(void *context, struct json_stream *stream, const struct json_event *event,
			struct error *err)
{
	const struct labels_visit *visit = context;
	struct json_labels *labels = visit->labels;

	(void)stream;
	(void)err;
	if (event->kind == EVENT_STRING || event->kind == EVENT_NUMBER)
		*array_push(visit->arena, labels->items, labels->count, labels->capacity) =
		    (struct results_label){ arena_strdup(visit->arena, event->key),
					    arena_strdup(visit->arena, event->text) };
	return true;
}

bool json_labels_read(struct arena *arena, struct json_stream *stream,
		      const struct json_event *event, struct json_labels *labels, struct error *err)
{
	struct labels_visit visit = { arena, labels };

	return json_object_each(stream, event, visit_label, &visit, err);
}

bool head_is_json(const struct head *head, const char *begin, const char *const *words)
{
	if (head->length == 0 || !head_begins(head, begin))
		return false;
	for (; *words != NULL; words++)
		if (!head_has(head, *words))
			return false;
	return true;
}
