/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One file, read once from the front through a buffer that grows only for a long line. */
#include "formats/input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"

enum { PEEK_BYTES = 64 << 10, BUFFER_BYTES = 256 << 10 };

struct input {
	char *name;
	char *path; /* NULL: bytes in memory, or stdin */
	int fd;	    /* -1: a directory, or bytes in memory */
	bool directory;
	bool fifo;  /* nothing was read yet of one, which may have no writer yet */
	bool ended; /* nothing more comes from fd */
	char *buffer;
	size_t capacity;
	size_t begin, end; /* what is buffered and not yet handed out */
	size_t line_number;
};

static struct input *make(const char *name)
{
	struct input *input = calloc(1, sizeof *input);

	if (input == NULL)
		arena_out_of_memory();
	input->fd = -1;
	input->name = strdup(name);
	if (input->name == NULL)
		arena_out_of_memory();
	return input;
}

static void reserve(struct input *input, size_t capacity)
{
	char *grown = realloc(input->buffer, capacity);

	if (grown == NULL)
		arena_out_of_memory();
	input->buffer = grown;
	input->capacity = capacity;
}

/* Opening without O_NONBLOCK would wait for the writer of a FIFO; reading is to wait. */
static bool make_blocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

struct input *input_open(const char *path, struct error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct input *input;
	struct stat status;

	if (fd < 0 || fstat(fd, &status) != 0 || (!is_stdin && !make_blocking(fd))) {
		error_set(err, ERROR_SYSTEM, "cannot open %s: %s", path, strerror(errno));
		if (fd >= 0 && !is_stdin)
			close(fd);
		return NULL;
	}
	input = make(is_stdin ? "standard input" : path);
	input->directory = S_ISDIR(status.st_mode);
	input->fifo = S_ISFIFO(status.st_mode);
	input->fd = fd;
	input->ended = input->directory;
	if (!is_stdin) {
		input->path = strdup(path);
		if (input->path == NULL)
			arena_out_of_memory();
	}
	reserve(input, BUFFER_BYTES);
	return input;
}

struct input *input_from_bytes(const char *name, const char *bytes, size_t length)
{
	struct input *input = make(name);

	reserve(input, length + 1);
	memcpy(input->buffer, bytes, length);
	input->end = length;
	input->ended = true;
	return input;
}

void input_close(struct input *input)
{
	if (input == NULL)
		return;
	if (input->fd > STDIN_FILENO)
		close(input->fd);
	free(input->name);
	free(input->path);
	free(input->buffer);
	free(input);
}

const char *input_name(const struct input *input)
{
	return input->name;
}

const char *input_path(const struct input *input)
{
	return input->path;
}

bool input_is_directory(const struct input *input)
{
	return input->directory;
}

/* Whether there is something to read, or the writer has come and gone; waits for ever under -1.
 * A FIFO that no one has opened for writing yet is neither, where read() would see its end. */
static bool is_ready(const struct input *input, int timeout_ms)
{
	struct pollfd watched = { .fd = input->fd, .events = POLLIN };
	int got;

	do
		got = poll(&watched, 1, timeout_ms);
	while (got < 0 && errno == EINTR);
	return got != 0;
}

bool input_is_late(const struct input *input, int timeout_ms)
{
	return input->fd >= 0 && !input->ended && !is_ready(input, timeout_ms);
}

/* Read once more behind what is buffered. */
static bool fill(struct input *input, struct error *err)
{
	ssize_t got;

	if (input->begin > 0) {
		memmove(input->buffer, input->buffer + input->begin, input->end - input->begin);
		input->end -= input->begin;
		input->begin = 0;
	}
	if (input->fifo)
		is_ready(input, -1);
	input->fifo = false;
	if (input->end == input->capacity)
		reserve(input, 2 * input->capacity);
	do
		got = read(input->fd, input->buffer + input->end, input->capacity - input->end);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error_set(err, ERROR_SYSTEM, "cannot read %s: %s", input->name,
				 strerror(errno));
	input->ended = got == 0;
	input->end += (size_t)got;
	return true;
}

bool input_peek(struct input *input, const char **bytes, size_t *length, bool *whole,
		struct error *err)
{
	while (!input->ended && input->end - input->begin < PEEK_BYTES)
		if (!fill(input, err))
			return false;
	*bytes = input->buffer + input->begin;
	*length = input->end - input->begin;
	*whole = input->ended;
	if (*length > PEEK_BYTES) {
		*length = PEEK_BYTES;
		*whole = false;
	}
	return true;
}

bool input_read(struct input *input, const char **bytes, size_t *length, struct error *err)
{
	if (input->begin == input->end && !input->ended && !fill(input, err))
		return false;
	*bytes = input->buffer + input->begin;
	*length = input->end - input->begin;
	input->begin = input->end;
	return true;
}

static void take_line(struct input *input, size_t length, size_t with_end, struct line *line)
{
	line->text = input->buffer + input->begin;
	line->length = length;
	if (length > 0 && line->text[length - 1] == '\r')
		line->length--;
	line->number = ++input->line_number;
	input->begin += with_end;
}

bool input_line(struct input *input, struct line *line, struct error *err)
{
	size_t searched = 0;

	for (;;) {
		size_t have = input->end - input->begin;
		const char *begin = input->buffer + input->begin;
		const char *end =
		    have > searched ? memchr(begin + searched, '\n', have - searched) : NULL;

		if (end != NULL) {
			take_line(input, (size_t)(end - begin), (size_t)(end - begin) + 1, line);
			return true;
		}
		if (input->ended && have == 0)
			return false;
		if (have > INPUT_LINE_BYTES)
			return input_error(input, input->line_number + 1, err,
					   "the line is longer than 1 MiB; expected a file of "
					   "lines");
		if (input->ended) {
			take_line(input, have, have, line);
			return true;
		}
		searched = have;
		if (!fill(input, err))
			return false;
	}
}

bool input_each_line(struct input *input, input_visit visit, void *context, struct error *err)
{
	struct error own = { 0 };
	struct line line;
	bool good = true;

	while (good && input_line(input, &line, &own))
		good = visit(context, &line, &own);
	if (own.kind != ERROR_NONE && err != NULL)
		*err = own;
	return own.kind == ERROR_NONE;
}

bool input_error(const struct input *input, size_t line, struct error *err, const char *format, ...)
{
	char sentence[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	if (line == 0)
		error_set(err, ERROR_INPUT, "%s: %s", input->name, sentence);
	else
		error_set(err, ERROR_INPUT, "%s, line %zu: %s", input->name, line, sentence);
	return error_clean(err);
}

bool error_clean(struct error *err)
{
	struct arena *arena;

	if (err == NULL)
		return false;
	arena = arena_open();
	snprintf(err->sentence, sizeof err->sentence, "%s",
		 text_clean(arena, err->sentence, strlen(err->sentence)));
	arena_close(arena);
	return false;
}
