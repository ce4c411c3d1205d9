/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths out of git's index: see git_index.h. Every length is checked: it is a file as any other. */
#include "workloads/git_index.h"

#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"

enum {
	HEADER_BYTES = 12,
	ENTRY_BYTES = 62, /* up to and with the flags */
	MODE_OFFSET = 24,
	FLAGS_OFFSET = 60,
	EXTENDED = 0x4000, /* two more bytes of flags */
	KIND_MASK = 0170000,
	SUBMODULE = 0160000,
	INDEX_LIMIT = 1 << 30,
};

static uint32_t read_32(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

/* One entry at *offset, which moves on. */
static bool parse_entry(struct arena *arena, const unsigned char *bytes, size_t length,
			size_t *offset, const char **path, struct error *err)
{
	const unsigned char *entry = bytes + *offset, *end;
	size_t head = ENTRY_BYTES, name_length;

	*path = NULL;
	if (length - *offset < ENTRY_BYTES + 2 + 1)
		return error_set(err, ERROR_INPUT, "it ends inside an entry");
	if (((entry[FLAGS_OFFSET] << 8) & EXTENDED) != 0)
		head += 2;
	end = memchr(entry + head, '\0', length - *offset - head);
	if (end == NULL || end == entry + head)
		return error_set(err, ERROR_INPUT, "an entry has no path");
	name_length = (size_t)(end - entry) - head;
	if ((read_32(entry + MODE_OFFSET) & KIND_MASK) != SUBMODULE)
		*path = arena_strndup(arena, (const char *)entry + head, name_length);
	/* One to eight NULs, so that the next entry begins at a multiple of eight. */
	*offset += (head + name_length + 8) & ~(size_t)7;
	return *offset <= length || error_set(err, ERROR_INPUT, "it ends inside an entry");
}

bool git_index_parse(struct arena *arena, const char *name, const unsigned char *bytes,
		     size_t length, const char ***paths, size_t *count, struct error *err)
{
	size_t offset = HEADER_BYTES, capacity = 0;
	uint32_t version, entries, i;

	*paths = NULL;
	*count = 0;
	if (length < HEADER_BYTES || memcmp(bytes, "DIRC", 4) != 0)
		return error_set(err, ERROR_INPUT, "%s is no index of git", name);
	version = read_32(bytes + 4);
	entries = read_32(bytes + 8);
	if (version != 2 && version != 3)
		return error_set(err, ERROR_INPUT,
				 "%s has version %u, and 2 and 3 can be read; \"git update-index "
				 "--index-version 2\" rewrites it",
				 name, (unsigned)version);
	for (i = 0; i < entries; i++) {
		const char *path;

		if (!parse_entry(arena, bytes, length, &offset, &path, err))
			return error_prefix(err, "%s, entry %u", name, (unsigned)i + 1);
		if (path != NULL)
			*array_push(arena, *paths, *count, capacity) = path;
	}
	return *count > 0 || error_set(err, ERROR_INPUT, "%s lists no file", name);
}

bool git_index_read(struct arena *arena, const char *directory, const char ***paths, size_t *count,
		    struct error *err)
{
	const char *path = arena_printf(arena, "%s/.git/index", directory);
	size_t length;
	char *bytes;

	if (!file_read(arena, path, INDEX_LIMIT, &bytes, &length, err))
		return error_prefix(err, "--tree needs a git work tree with an index");
	return git_index_parse(arena, path, (const unsigned char *)bytes, length, paths, count,
			       err);
}
