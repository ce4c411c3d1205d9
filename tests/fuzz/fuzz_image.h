/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FUZZ_IMAGE_H
#define TESTS_FUZZ_IMAGE_H

/* What the targets share that take any bytes as a file of machine code. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "binary/image.h"
#include "fuzz.h"

/* A sentence or name that is fit to be printed. */
static inline void fuzz_check_text(struct arena *arena, const char *text)
{
	FUZZ_CHECK(text[0] != '\0' && strchr(text, '\n') == NULL);
	FUZZ_CHECK(strcmp(text_clean(arena, text, strlen(text)), text) == 0);
}

/* The bytes as a file without a name; *path names it while the descriptor is open. */
static inline int fuzz_file(struct arena *arena, const uint8_t *data, size_t size, char **path)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	FUZZ_CHECK(fd >= 0);
	FUZZ_CHECK(write(fd, data, size) == (ssize_t)size);
	*path = arena_printf(arena, "/proc/self/fd/%d", fd);
	return fd;
}

#endif
