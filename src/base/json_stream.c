/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON by pieces over yajl. yajl pushes, readers pull: a piece of text is given
 * to yajl, whose callbacks put events into a queue, and the reader empties the
 * queue before the next piece is read. So memory is one piece and its events.
 *
 *	read -> buffer -> filter (NaN and the like become null) -> yajl -> queue -> event
 *
 * Each document has a yajl handle of its own; the text around documents never
 * reaches yajl.
 */
#include "base/json_stream.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "base/decimal.h"
#include "base/key_set.h"
#include "base/text.h"

enum { BUFFER_BYTES = 1 << 16, REFILL_BELOW = 1 << 12 };

/* A key in the queue comes before its value. */
enum { QUEUED_KEY = EVENT_NULL + 1 };

struct queued {
	uint8_t kind;
	bool flag;     /* a repeated key, or the value of a boolean */
	uint32_t text; /* offset in the pool */
	uint32_t length;
	size_t line;
	struct decimal decimal; /* of a number */
};

/* Numbers that JSON does not have, as Python, C++ and C write them. */
static const struct {
	const char *word;
	double number;
} not_finite_words[] = {
	{ "NaN", NAN }, { "-NaN", NAN }, { "Infinity", INFINITY }, { "-Infinity", -INFINITY },
	{ "nan", NAN }, { "-nan", NAN }, { "inf", INFINITY },	   { "-inf", -INFINITY },
};
enum {
	WORD_COUNT = sizeof not_finite_words / sizeof *not_finite_words,
	WORD_NONE = -1,
	WORD_CUT = -2
};

/* One open object or array. yajl runs ahead of the reader, so each has its own depth. */
struct level {
	struct key_set seen; /* yajl's */
	bool in_array;	     /* the reader's, as all below */
	size_t index;
	struct text key;
};

struct json_stream {
	json_stream_read read;
	void *context;
	int options;

	char buffer[BUFFER_BYTES];
	size_t start, end; /* what of the buffer is not used yet */
	const char *piece; /* what read gave and the buffer does not hold yet */
	size_t piece_length;
	bool read_all;
	bool in_string, escaped; /* the filter's place in the text */

	yajl_handle handle; /* NULL between documents */
	size_t open_count;  /* yajl's depth */
	bool document_over;
	bool one_done;	 /* a document was read to its end */
	bool line_begun; /* between documents: something stands before, on this line */
	int word; /* of not_finite_words, that the next null stands for; WORD_NONE: it is one */

	const char *fed; /* what yajl works on, how much of it was counted into line */
	size_t counted;
	size_t line, column; /* 0-based: newlines so far, bytes since the last */
	size_t silent_bytes; /* fed since the last event */

	struct queued *queue;
	size_t queue_count, queue_capacity, queue_next;
	struct text pool;

	struct level *levels;
	size_t level_capacity;
	size_t depth; /* the reader's */
	struct text path;

	bool failed; /* once the queue is empty */
	struct error failure;
};

static void count_lines(struct json_stream *stream, const char *bytes, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		stream->column++;
		if (bytes[i] == '\n') {
			stream->line++;
			stream->column = 0;
		}
	}
}

/* Counts what yajl has consumed of what it was given. */
static void count_consumed(struct json_stream *stream)
{
	size_t consumed = yajl_get_bytes_consumed(stream->handle);

	if (stream->fed == NULL || consumed <= stream->counted)
		return;
	count_lines(stream, stream->fed + stream->counted, consumed - stream->counted);
	stream->counted = consumed;
}

__attribute__((format(printf, 2, 3))) static void fail_here(struct json_stream *stream,
							    const char *format, ...)
{
	char sentence[400];
	va_list arguments;

	if (stream->failed)
		return;
	va_start(arguments, format);
	vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	stream->failed = true;
	error_set(&stream->failure, ERROR_INPUT, "line %zu, column %zu: %s", stream->line + 1,
		  stream->column + (stream->column == 0), sentence);
}

static struct queued *enqueue(struct json_stream *stream, int kind, const char *text, size_t length)
{
	struct queued *item;

	if (stream->queue_count == stream->queue_capacity) {
		stream->queue_capacity = stream->queue_capacity * 2 + 64;
		stream->queue =
		    realloc(stream->queue, stream->queue_capacity * sizeof *stream->queue);
		if (stream->queue == NULL)
			arena_out_of_memory();
	}
	count_consumed(stream);
	stream->silent_bytes = 0;
	item = &stream->queue[stream->queue_count++];
	*item = (struct queued){ .kind = (uint8_t)kind,
				 .text = (uint32_t)stream->pool.length,
				 .length = (uint32_t)length,
				 .line = stream->line + 1 };
	if (text != NULL) {
		text_add_bytes(&stream->pool, text, length);
		text_add_char(&stream->pool, '\0');
	}
	return item;
}

static int on_null(void *context)
{
	struct json_stream *stream = context;
	const char *text;

	if (stream->word == WORD_NONE)
		return enqueue(stream, EVENT_NULL, NULL, 0) != NULL;
	text = not_finite_words[stream->word].word;
	enqueue(stream, EVENT_NUMBER, text, strlen(text))->decimal =
	    (struct decimal){ not_finite_words[stream->word].number, 0 };
	return 1;
}

static int on_boolean(void *context, int value)
{
	enqueue(context, EVENT_BOOLEAN, NULL, 0)->flag = value != 0;
	return 1;
}

static int on_number(void *context, const char *digits, size_t length)
{
	struct json_stream *stream = context;
	struct decimal decimal;

	if (!decimal_parse(digits, length, &decimal) || !isfinite(decimal.number)) {
		count_consumed(stream);
		fail_here(stream, "the number %.*s%s is too large", length > 40 ? 40 : (int)length,
			  digits, length > 40 ? "..." : "");
		return 0;
	}
	enqueue(stream, EVENT_NUMBER, digits, length)->decimal = decimal;
	return 1;
}

/* Readers hold strings as C does, so none may have a NUL inside. */
static bool refuse_nul(struct json_stream *stream, const char *text, size_t length)
{
	if (memchr(text, '\0', length) == NULL)
		return false;
	count_consumed(stream);
	fail_here(stream, "a string with a NUL character in it");
	return true;
}

static int on_string(void *context, const unsigned char *text, size_t length)
{
	if (refuse_nul(context, (const char *)text, length))
		return 0;
	return enqueue(context, EVENT_STRING, (const char *)text, length) != NULL;
}

static struct level *level_at(struct json_stream *stream, size_t index)
{
	size_t old = stream->level_capacity;

	if (index >= old) {
		stream->level_capacity = index * 2 + 8;
		stream->levels =
		    realloc(stream->levels, stream->level_capacity * sizeof *stream->levels);
		if (stream->levels == NULL)
			arena_out_of_memory();
		memset(stream->levels + old, 0,
		       (stream->level_capacity - old) * sizeof *stream->levels);
	}
	return &stream->levels[index];
}

static void fail_repeated(struct json_stream *stream, const char *key, size_t length)
{
	struct arena *arena = arena_open();

	count_consumed(stream);
	fail_here(stream, "the key \"%.60s\" stands twice in one object",
		  text_clean(arena, key, length));
	arena_close(arena);
}

static int on_key(void *context, const unsigned char *bytes, size_t length)
{
	struct json_stream *stream = context;
	const char *key = (const char *)bytes;
	bool fresh = key_set_add(&level_at(stream, stream->open_count - 1)->seen, key, length);

	if (refuse_nul(stream, key, length))
		return 0;
	if (!fresh && (stream->options & STREAM_REPEATED_KEYS) == 0) {
		fail_repeated(stream, key, length);
		return 0;
	}
	enqueue(stream, QUEUED_KEY, key, length)->flag = !fresh;
	return 1;
}

static int open_level(struct json_stream *stream, int kind)
{
	if (stream->open_count == JSON_STREAM_DEPTH) {
		count_consumed(stream);
		fail_here(stream, "nested deeper than %d levels", JSON_STREAM_DEPTH);
		return 0;
	}
	key_set_clear(&level_at(stream, stream->open_count++)->seen);
	return enqueue(stream, kind, NULL, 0) != NULL;
}

static int close_level(void *context)
{
	struct json_stream *stream = context;

	stream->open_count--;
	stream->document_over = stream->open_count == 0;
	return enqueue(stream, EVENT_CLOSE, NULL, 0) != NULL;
}

static int on_object(void *context)
{
	return open_level(context, EVENT_OBJECT);
}

static int on_array(void *context)
{
	return open_level(context, EVENT_ARRAY);
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_object,
	.yajl_map_key = on_key,
	.yajl_end_map = close_level,
	.yajl_start_array = on_array,
	.yajl_end_array = close_level,
};

/* yajl does not look at what its allocator returns. */
static void *checked_malloc(void *context, size_t size)
{
	void *memory = malloc(size);

	(void)context;
	if (memory == NULL)
		arena_out_of_memory();
	return memory;
}

static void *checked_realloc(void *context, void *memory, size_t size)
{
	(void)context;
	memory = realloc(memory, size);
	if (memory == NULL)
		arena_out_of_memory();
	return memory;
}

static void plain_free(void *context, void *memory)
{
	(void)context;
	free(memory);
}

static void document_open(struct json_stream *stream)
{
	static const yajl_alloc_funcs allocation = { .malloc = checked_malloc,
						     .realloc = checked_realloc,
						     .free = plain_free };

	/* yajl copies the struct, but takes it without const. */
	stream->handle = yajl_alloc(&callbacks, (yajl_alloc_funcs *)&allocation, stream);
	yajl_config(stream->handle, yajl_allow_trailing_garbage, 1);
	stream->open_count = 0;
	stream->document_over = stream->in_string = stream->escaped = false;
}

static void document_close(struct json_stream *stream)
{
	yajl_free(stream->handle);
	stream->handle = NULL;
}

/* Which word begins at bytes; WORD_CUT if the text ends within what may become one. */
static int word_at(const char *bytes, size_t length)
{
	int i, found = WORD_NONE;

	for (i = 0; i < WORD_COUNT; i++) {
		size_t word_length = strlen(not_finite_words[i].word);
		size_t compared = length < word_length ? length : word_length;

		if (memcmp(bytes, not_finite_words[i].word, compared) != 0)
			continue;
		if (compared == word_length)
			return i;
		found = WORD_CUT;
	}
	return found;
}

/* How much from start on can go to yajl as it is; the filter's state moves along. */
static size_t plain_length(struct json_stream *stream, int *word)
{
	const char *bytes = stream->buffer + stream->start;
	size_t length = stream->end - stream->start, i;

	*word = WORD_NONE;
	for (i = 0; i < length; i++) {
		char byte = bytes[i];

		if (stream->in_string) {
			if (stream->escaped)
				stream->escaped = false;
			else if (byte == '\\')
				stream->escaped = true;
			else if (byte == '"')
				stream->in_string = false;
		} else if (byte == '"') {
			stream->in_string = true;
		} else if (byte == 'N' || byte == 'I' || byte == 'n' || byte == 'i' ||
			   byte == '-') {
			*word = word_at(bytes + i, length - i);
			if (*word != WORD_NONE)
				return i;
		}
	}
	return length;
}

/* Where little is left, moves it to the front and fills up; true if there is anything. */
static bool fill_buffer(struct json_stream *stream)
{
	size_t left = stream->end - stream->start, taken;

	if (left >= REFILL_BELOW)
		return true;
	memmove(stream->buffer, stream->buffer + stream->start, left);
	stream->start = 0;
	stream->end = left;
	while (stream->end < BUFFER_BYTES && !stream->read_all) {
		if (stream->piece_length == 0) {
			if (!stream->read(stream->context, &stream->piece, &stream->piece_length,
					  &stream->failure)) {
				stream->failed = stream->read_all = true;
				return false;
			}
			stream->read_all = stream->piece_length == 0;
		}
		taken = BUFFER_BYTES - stream->end;
		if (taken > stream->piece_length)
			taken = stream->piece_length;
		if (taken > 0)
			memcpy(stream->buffer + stream->end, stream->piece, taken);
		stream->end += taken;
		stream->piece += taken;
		stream->piece_length -= taken;
	}
	return stream->end > 0;
}

/* yajl stopped at what is no JSON: its words, and what we know beyond them. */
static void fail_parse(struct json_stream *stream)
{
	unsigned char *message = yajl_get_error(stream->handle, 0, NULL, 0);
	const char *reason = (const char *)message, *colon = strstr(reason, ": ");
	int length;

	count_consumed(stream);
	reason = colon == NULL ? reason : colon + 2;
	length = (int)strcspn(reason, "\n");
	if (strstr(reason, "premature EOF") != NULL)
		fail_here(stream, "the JSON ends too early: the file was cut off");
	else if (strstr(reason, "invalid object key") != NULL)
		fail_here(stream, "expected a key in quotes (were numbers written with decimal "
				  "commas? run the tool under LC_ALL=C)");
	else
		fail_here(stream, "this is no JSON: %.*s", length, reason);
	yajl_free_error(stream->handle, message);
}

/* Gives bytes to yajl; false if they were its last. used is how many belong to the document. */
static bool feed(struct json_stream *stream, const char *bytes, size_t length, size_t *used)
{
	yajl_status status;

	stream->fed = bytes;
	stream->counted = 0;
	stream->silent_bytes += length;
	status = yajl_parse(stream->handle, (const unsigned char *)bytes, length);
	if (status != yajl_status_ok && !stream->failed)
		fail_parse(stream);
	*used = length;
	if (stream->document_over && !stream->failed)
		*used = yajl_get_bytes_consumed(stream->handle);
	if (*used > stream->counted)
		count_lines(stream, bytes + stream->counted, *used - stream->counted);
	stream->fed = NULL;
	if (stream->silent_bytes > JSON_STREAM_VALUE_BYTES)
		fail_here(stream, "a single value of more than %d MiB",
			  JSON_STREAM_VALUE_BYTES >> 20);
	return !stream->failed && !stream->document_over;
}

/* A word for a number that JSON lacks goes to yajl as a null. */
static bool feed_word(struct json_stream *stream, int word)
{
	size_t used;
	bool goes_on;

	stream->word = word;
	/* The blank makes yajl see that the word is over. */
	goes_on = feed(stream, "null ", 5, &used);
	stream->word = WORD_NONE;
	stream->start += strlen(not_finite_words[word].word);
	return goes_on;
}

static void document_feed(struct json_stream *stream)
{
	int word = WORD_NONE;
	size_t length = stream->end - stream->start, used;
	bool goes_on;

	if ((stream->options & STREAM_NOT_FINITE) != 0)
		length = plain_length(stream, &word);
	if (word == WORD_CUT && length == 0 && stream->read_all)
		length = 1;
	goes_on = feed(stream, stream->buffer + stream->start, length, &used);
	stream->start += used;
	if (goes_on && word >= 0)
		goes_on = feed_word(stream, word);
	if (!goes_on) {
		stream->one_done = stream->document_over;
		document_close(stream);
		stream->line_begun = true;
	}
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Between documents: on to the next one's first byte, or to the end of the buffer. */
static void find_document(struct json_stream *stream)
{
	bool embedded = (stream->options & STREAM_EMBEDDED) != 0;

	for (; stream->start < stream->end; stream->start++) {
		char byte = stream->buffer[stream->start];

		if (embedded ? byte == '{' && !stream->line_begun : !is_blank(byte)) {
			document_open(stream);
			break;
		}
		stream->line_begun = byte != '\n';
		count_lines(stream, &byte, 1);
	}
	if (stream->handle == NULL || embedded)
		return;
	if (stream->one_done)
		fail_here(stream, "something follows the end of the JSON");
	else if (stream->buffer[stream->start] != '{' && stream->buffer[stream->start] != '[')
		fail_here(stream, "expected JSON that begins with { or [");
}

/* A byte order mark is passed over; UTF-16 has one that tells it. */
static void check_encoding(struct json_stream *stream)
{
	const char *bytes = stream->buffer;

	if (stream->end >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		stream->start = 3;
	else if (stream->end >= 2 &&
		 (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0 ||
		  bytes[0] == '\0' || bytes[1] == '\0'))
		fail_here(stream, "this is UTF-16 or UTF-32: convert it with iconv -t UTF-8");
}

static void end_of_text(struct json_stream *stream)
{
	if (stream->handle != NULL)
		fail_here(stream, "the JSON ends too early: the file was cut off");
	else if (!stream->one_done && (stream->options & STREAM_EMBEDDED) == 0)
		fail_here(stream, "expected JSON, found nothing");
}

/* Works until there are events, trouble or the end. */
static bool fill_queue(struct json_stream *stream)
{
	bool first = stream->line == 0 && stream->column == 0 && stream->end == 0;

	stream->queue_count = stream->queue_next = 0;
	text_clear(&stream->pool);
	while (stream->queue_count == 0 && !stream->failed) {
		if (!fill_buffer(stream)) {
			end_of_text(stream);
			break;
		}
		if (first)
			check_encoding(stream);
		first = false;
		if (stream->handle == NULL && !stream->failed)
			find_document(stream);
		if (stream->handle != NULL && !stream->failed)
			document_feed(stream);
	}
	return stream->queue_count > 0;
}

struct json_stream *json_stream_open(json_stream_read read, void *context, int options)
{
	struct json_stream *stream = calloc(1, sizeof *stream);

	if (stream == NULL)
		arena_out_of_memory();
	stream->read = read;
	stream->context = context;
	stream->options = options;
	stream->word = WORD_NONE;
	return stream;
}

void json_stream_close(struct json_stream *stream)
{
	size_t i;

	if (stream == NULL)
		return;
	if (stream->handle != NULL)
		document_close(stream);
	for (i = 0; i < stream->level_capacity; i++) {
		key_set_release(&stream->levels[i].seen);
		text_release(&stream->levels[i].key);
	}
	free(stream->levels);
	free(stream->queue);
	text_release(&stream->pool);
	text_release(&stream->path);
	free(stream);
}

static const struct queued *next_queued(struct json_stream *stream)
{
	if (stream->queue_next == stream->queue_count && !fill_queue(stream))
		return NULL;
	return &stream->queue[stream->queue_next++];
}

/* The key that the event has, and where the stream then stands. */
static void take_place(struct json_stream *stream, struct json_event *event)
{
	struct level *inside;

	if (stream->depth > 0) {
		inside = level_at(stream, stream->depth - 1);
		if (inside->in_array)
			inside->index++;
		else
			event->key = text_string(&inside->key);
	}
	if (event->kind == EVENT_OBJECT || event->kind == EVENT_ARRAY) {
		inside = level_at(stream, stream->depth++);
		inside->in_array = event->kind == EVENT_ARRAY;
		inside->index = 0;
		text_clear(&inside->key);
	}
}

bool json_stream_next(struct json_stream *stream, struct json_event *event, struct error *err)
{
	const struct queued *item = next_queued(stream);

	*event = (struct json_event){ .text = "", .number = NAN, .line = stream->line + 1 };
	while (item != NULL && item->kind == QUEUED_KEY) {
		struct text *key = &level_at(stream, stream->depth - 1)->key;

		text_clear(key);
		text_add_bytes(key, stream->pool.bytes + item->text, item->length);
		event->key_repeated = item->flag;
		item = next_queued(stream);
	}
	if (item == NULL) {
		if (!stream->failed)
			return true;
		if (err != NULL)
			*err = stream->failure;
		return false;
	}
	event->kind = (enum json_event_kind)item->kind;
	event->line = item->line;
	event->boolean = item->flag;
	if (event->kind == EVENT_CLOSE) {
		stream->depth--;
		return true;
	}
	if (event->kind == EVENT_STRING || event->kind == EVENT_NUMBER) {
		event->text = stream->pool.bytes + item->text;
		event->length = item->length;
	}
	if (event->kind == EVENT_NUMBER) {
		event->number = item->decimal.number;
		event->quantum = item->decimal.quantum;
	}
	take_place(stream, event);
	return true;
}

size_t json_stream_depth(const struct json_stream *stream)
{
	return stream->depth;
}

const char *json_stream_path(struct json_stream *stream)
{
	enum { SHOWN_KEY = 60 };
	size_t i;

	text_clear(&stream->path);
	for (i = 0; i < stream->depth; i++) {
		struct level *level = &stream->levels[i];

		if (level->in_array && level->index > 0)
			text_printf(&stream->path, "[%zu]", level->index - 1);
		else if (!level->in_array && level->key.length > 0)
			text_printf(&stream->path, "%s%.*s", i == 0 ? "" : ".", SHOWN_KEY,
				    text_string(&level->key));
	}
	return text_string(&stream->path);
}
