/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading the small text files of /proc and /sys. They report a size of 0 and may be absent on any
 * given machine (an option of the kernel, a container, another processor), so everything here
 * answers with NULL and nothing is an error.
 */
#include "measure/proc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

enum { PROC_CHUNK_BYTES = 4096, PROC_BYTES_MAXIMUM = 1024 * 1024 };

static bool proc_path(char full[PATH_MAX], const char *root, const char *path)
{
	int length = snprintf(full, PATH_MAX, "%s%s", root, path);

	return length > 0 && length < PATH_MAX;
}

/* All that fd gives, up to the limit; false if reading failed. */
static bool read_all(struct arena *arena, int fd, char **bytes, size_t *length)
{
	size_t capacity = 0;

	*bytes = NULL;
	*length = 0;
	while (*length < PROC_BYTES_MAXIMUM) {
		ssize_t got;

		*bytes =
		    array_reserve(arena, *bytes, *length, *length + PROC_CHUNK_BYTES, &capacity, 1);
		got = read(fd, *bytes + *length, PROC_CHUNK_BYTES);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0;
		*length += (size_t)got;
	}
	return true;
}

char *proc_read(struct arena *arena, const char *root, const char *path)
{
	char full[PATH_MAX], *bytes;
	size_t length;
	size_t i;
	bool whole;
	int fd;

	if (!proc_path(full, root, path))
		return NULL;
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return NULL;
	whole = read_all(arena, fd, &bytes, &length);
	close(fd);
	for (i = 0; i < length; i++)
		if (bytes[i] == '\0')
			bytes[i] = '\n';
	return whole ? arena_strndup(arena, bytes, length) : NULL;
}

/* A copy of bytes[0..length) without blanks at either end. */
static char *trimmed(struct arena *arena, const char *bytes, size_t length)
{
	while (length > 0 && isspace((unsigned char)*bytes)) {
		bytes++;
		length--;
	}
	while (length > 0 && isspace((unsigned char)bytes[length - 1]))
		length--;
	return arena_strndup(arena, bytes, length);
}

char *proc_line(struct arena *arena, const char *root, const char *path)
{
	const char *text = proc_read(arena, root, path);
	char *line;

	if (text == NULL)
		return NULL;
	line = trimmed(arena, text, strcspn(text, "\n"));
	return *line == '\0' ? NULL : line;
}

char *proc_field(struct arena *arena, const char *text, const char *key)
{
	size_t key_length = strlen(key);

	while (text != NULL && *text != '\0') {
		size_t length = strcspn(text, "\n");

		if (strncmp(text, key, key_length) == 0) {
			const char *rest = text + key_length;

			if (strchr(" \t:=", *rest) != NULL && *rest != '\0') {
				rest += strspn(rest, " \t");
				if (*rest == ':' || *rest == '=')
					rest++;
				return trimmed(arena, rest, length - (size_t)(rest - text));
			}
		}
		text += length;
		text += *text == '\n';
	}
	return NULL;
}

bool proc_number(const char *word, long long *number)
{
	char *end;

	if (word == NULL || *word == '\0' || isspace((unsigned char)*word))
		return false;
	errno = 0;
	*number = strtoll(word, &end, 10);
	return errno == 0 && *end == '\0';
}

bool proc_exists(const char *root, const char *path)
{
	char full[PATH_MAX];

	return proc_path(full, root, path) && access(full, F_OK) == 0;
}

bool proc_has_word(const char *list, const char *word)
{
	size_t word_length = strlen(word);

	while (list != NULL && *list != '\0') {
		size_t length = strcspn(list, " \t\n,");

		if (length == word_length && strncmp(list, word, length) == 0)
			return true;
		list += length;
		list += strspn(list, " \t\n,");
	}
	return false;
}

size_t proc_cpu_count(const char *list)
{
	size_t count = 0;

	while (list != NULL && isdigit((unsigned char)*list)) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (last < first)
			return 0;
		count += last - first + 1;
		list = *end == ',' ? end + 1 : end;
	}
	return list == NULL || *list != '\0' ? 0 : count;
}
