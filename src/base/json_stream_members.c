/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading by descent, on top of the events: members one by one, scalars into
 * the fields of a struct, and the sentence for what is of another type.
 */
#include <math.h>
#include <string.h>

#include "base/json_stream.h"
#include "base/text.h"

/* Reads on until only depth levels are open. */
static bool leave_to(struct json_stream *stream, size_t depth, struct error *err)
{
	struct json_event event;

	while (json_stream_depth(stream) > depth)
		if (!json_stream_next(stream, &event, err))
			return false;
	return true;
}

bool json_stream_each(struct json_stream *stream, json_stream_visit visit, void *context,
		      struct error *err)
{
	size_t depth = json_stream_depth(stream);
	struct json_event event;

	for (;;) {
		if (!json_stream_next(stream, &event, err))
			return false;
		if (event.kind == EVENT_CLOSE || event.kind == EVENT_END)
			return true;
		if (!visit(context, stream, &event, err) || !leave_to(stream, depth, err))
			return false;
	}
}

static bool store(struct arena *arena, const struct json_event *event,
		  const struct json_field *field, void *place)
{
	if (field->kind == FIELD_STRING && event->kind == EVENT_STRING)
		*(const char **)place = arena_strndup(arena, event->text, event->length);
	else if (field->kind == FIELD_NUMBER && event->kind == EVENT_NUMBER)
		*(struct json_number *)place =
		    (struct json_number){ event->number, event->quantum, event->line };
	else if (field->kind == FIELD_BOOLEAN && event->kind == EVENT_BOOLEAN)
		*(bool *)place = event->boolean;
	else
		return false;
	return true;
}

bool json_stream_field(struct arena *arena, struct json_stream *stream,
		       const struct json_event *event, const struct json_field *fields,
		       size_t count, void *target, bool *taken, struct error *err)
{
	static const char *const wanted[] = { [FIELD_STRING] = "a string",
					      [FIELD_NUMBER] = "a number",
					      [FIELD_BOOLEAN] = "true or false" };
	size_t i;

	*taken = false;
	for (i = 0; i < count && event->key != NULL && !*taken; i++) {
		if (strcmp(fields[i].key, event->key) != 0)
			continue;
		*taken = true;
		if (event->kind == EVENT_NULL ||
		    store(arena, event, &fields[i], (char *)target + fields[i].offset))
			continue;
		if (!fields[i].lenient)
			return json_stream_expected(stream, event, wanted[fields[i].kind], err);
	}
	return true;
}

bool json_stream_expected(struct json_stream *stream, const struct json_event *event,
			  const char *expected, struct error *err)
{
	static const char *const found[] = {
		[EVENT_END] = "the end",	   [EVENT_OBJECT] = "an object",
		[EVENT_ARRAY] = "a list",	   [EVENT_CLOSE] = "the end of a list or object",
		[EVENT_STRING] = "a string",	   [EVENT_NUMBER] = "a number",
		[EVENT_BOOLEAN] = "true or false", [EVENT_NULL] = "null",
	};
	struct arena *arena = arena_open();
	const char *path = json_stream_path(stream);

	error_set(err, ERROR_INPUT, "line %zu: %s%sexpected %s, found %s", event->line,
		  text_clean(arena, path, strlen(path)), path[0] == '\0' ? "" : ": ", expected,
		  found[event->kind]);
	arena_close(arena);
	return false;
}
