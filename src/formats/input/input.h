/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_INPUT_INPUT_H
#define FORMATS_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * A file that is read once from the front, in constant memory: as pieces, for
 * streaming parsers, or as lines. What has been peeked at is read again.
 * Errors begin with the file's name.
 */
struct input;

/* "-" is stdin. A directory opens too; its bytes are none. A FIFO opens at once and is read when
 * somebody writes to it. */
struct input *input_open(const char *path, struct error *err);
/* Whether nothing has come for so long from what is no file: a FIFO, a pipe, a terminal. Only
 * before reading. */
bool input_is_late(const struct input *input, int timeout_ms);
/* Bytes in memory, for tests and fuzzers; they must outlive the input. */
struct input *input_from_bytes(const char *name, const char *bytes, size_t length);
void input_close(struct input *input); /* NULL is accepted */

const char *input_name(const struct input *input); /* the path as given, "standard input" for "-" */
const char *input_path(const struct input *input); /* NULL where there is none */
bool input_is_directory(const struct input *input);

/* The first bytes, at most 64 KiB; *whole if there are no more. Only before reading. */
bool input_peek(struct input *input, const char **bytes, size_t *length, bool *whole,
		struct error *err);

/* The next piece, good until the next call; *length 0 at the end. */
bool input_read(struct input *input, const char **bytes, size_t *length, struct error *err);

enum { INPUT_LINE_BYTES = 1 << 20 };

struct line {
	const char
	    *text; /* without its end (LF or CR LF); not NUL-terminated; good until the next */
	size_t length;
	size_t number; /* 1-based */
};

/* The next line: false with err->kind ERROR_NONE at the end, or with a sentence (reading failed, a
 * line longer than INPUT_LINE_BYTES). err must not be NULL and must be clear. */
bool input_line(struct input *input, struct line *line, struct error *err);

/* Each line with visit, until one returns false. err may be NULL. */
typedef bool (*input_visit)(void *context, const struct line *line, struct error *err);
bool input_each_line(struct input *input, input_visit visit, void *context, struct error *err);

/* Sentences may quote the file: makes control characters and the like escapes. Returns false. */
bool error_clean(struct error *err);

/* "FILE, line N: sentence" as ERROR_INPUT, cleaned; line 0 leaves the number out. Returns false. */
bool input_error(const struct input *input, size_t line, struct error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
