/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FUZZ_PAIR_H
#define TESTS_FUZZ_PAIR_H

/* What the targets share whose input is an object and a file that belongs to it: four bytes, little
 * endian, have the object's length, then come both. tests/fuzz/make_pairs.py makes such inputs. */
#include <fcntl.h>
#include <sys/stat.h>

#include "fuzz_ledger.h"

static inline void fuzz_write(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	FUZZ_CHECK(fd >= 0);
	FUZZ_CHECK(write(fd, data, size) == (ssize_t)size);
	close(fd);
}

/* Writes DIRECTORY/object and DIRECTORY/other and returns DIRECTORY, below which everything else is
 * made, too. */
static inline char *fuzz_pair_write(struct arena *arena, const uint8_t *data, size_t size,
				    const char *other)
{
	char *directory = arena_strdup(arena, access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-XXXXXX"
									    : "/tmp/fuzz-XXXXXX");
	size_t length = 0, i;

	FUZZ_CHECK(mkdtemp(directory) != NULL);
	setenv("TMPDIR", directory, 1);
	for (i = 0; i < 4 && i < size; i++)
		length |= (size_t)data[i] << 8 * i;
	data += i;
	size -= i;
	length = length < size ? length : size;
	fuzz_write(arena_printf(arena, "%s/object", directory), data, length);
	fuzz_write(arena_printf(arena, "%s/%s", directory, other), data + length, size - length);
	return directory;
}

/* Both files and their directory, which must be empty then: nothing else was left in it. */
static inline void fuzz_pair_remove(struct arena *arena, const char *directory, const char *other)
{
	unlink(arena_printf(arena, "%s/object", directory));
	unlink(arena_printf(arena, "%s/%s", directory, other));
	FUZZ_CHECK(rmdir(directory) == 0);
}

#endif
