/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text as streamed JSON: the first byte chooses options and the size of the
 * pieces. Pieces make no difference; what the tree parser takes the stream takes
 * too, with as many values, unless it is nested deeper.
 */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/json_stream.h"
#include "base/text.h"
#include "fuzz.h"

struct pieces {
	const char *bytes;
	size_t length, size;
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

static void describe(const char *bytes, size_t length, size_t size, int options, struct text *text)
{
	struct pieces pieces = { bytes, length, size };
	struct json_stream *stream = json_stream_open(give_piece, &pieces, options);
	struct json_event event = { 0 };
	struct error err = { 0 };

	do {
		if (!json_stream_next(stream, &event, &err)) {
			FUZZ_CHECK(strncmp(err.sentence, "line ", 5) == 0);
			text_printf(text, "! %s\n", err.sentence);
			break;
		}
		FUZZ_CHECK(strlen(event.text) == event.length);
		FUZZ_CHECK(event.kind == EVENT_NUMBER || isnan(event.number));
		FUZZ_CHECK(json_stream_depth(stream) <= JSON_STREAM_DEPTH);
		text_printf(text, "%d %s %s %.17g %g %d %zu %s\n", (int)event.kind,
			    event.key == NULL ? "-" : event.key, event.text, event.number,
			    event.quantum, event.key_repeated, event.line,
			    json_stream_path(stream));
	} while (event.kind != EVENT_END);
	json_stream_close(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text whole = { 0 }, pieces = { 0 };
	const char *bytes = (const char *)data + 1;
	struct json *json;

	if (size == 0)
		return 0;
	describe(bytes, size - 1, 1 << 20, data[0] & 7, &whole);
	describe(bytes, size - 1, 1 + (data[0] >> 3), data[0] & 7, &pieces);
	FUZZ_CHECK(strcmp(text_string(&whole), text_string(&pieces)) == 0);
	/* The tree parser passes over a NUL behind a number. */
	if ((data[0] & STREAM_EMBEDDED) == 0 && memchr(bytes, '\0', size - 1) == NULL &&
	    json_parse(bytes, size - 1, &json, NULL)) {
		if (json_is_object(json) || json_is_array(json))
			FUZZ_CHECK(strstr(text_string(&whole), "\n! line") == NULL ||
				   strstr(text_string(&whole), "nested deeper") != NULL);
		json_release(json);
	}
	text_release(&whole);
	text_release(&pieces);
	return 0;
}
