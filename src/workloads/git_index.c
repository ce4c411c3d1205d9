/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths out of git's index: see git_index.h. Every length is checked: it is a
 * file as any other.
 *
 *	"DIRC" version count | entries | extensions: name, length, bytes | hash
 *
 * Nothing in it says whether hashes have 20 bytes or 32. The extensions must
 * end where the last hash begins, which is true of one of them only.
 */
#include "workloads/git_index.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/file.h"

enum {
	HEADER_BYTES = 12,
	MODE_OFFSET = 24,
	HASH_OFFSET = 40, /* after it the flags, then the path */
	EXTENDED = 0x40,  /* in the first byte of the flags: two more bytes of them */
	EXTENSION_BYTES = 8,
	KIND_MASK = 0170000,
	SUBMODULE = 0160000,
	DIRECTORY = 0040000, /* a directory that a sparse index does not list */
	VERSION_LEAST = 2,
	VERSION_PREFIXED = 4, /* paths share a beginning with the one before */
	PATH_LIMIT = 1 << 16,
	INDEX_LIMIT = 1 << 30,
	GITFILE_LIMIT = 1 << 16,
};

/* What is read, from where. */
struct scan {
	struct arena *arena;
	const unsigned char *bytes;
	size_t length; /* without the hash at the end */
	size_t offset;
	size_t hash_bytes;
	uint32_t version;
	char *path; /* of the entry before, for version 4 */
	size_t path_length;
};

static uint32_t read_32(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

static size_t left(const struct scan *scan)
{
	return scan->length - scan->offset;
}

static bool cut(struct error *err)
{
	return error_set(err, ERROR_INPUT, "it ends inside an entry");
}

/* How much of the path before does not stand in this one: git's numbers of variable length. */
static bool parse_strip(struct scan *scan, size_t *strip, struct error *err)
{
	unsigned char byte;

	*strip = 0;
	do {
		if (left(scan) == 0)
			return cut(err);
		byte = scan->bytes[scan->offset++];
		*strip = *strip << 7 | (byte & 0x7f);
		if (*strip > PATH_LIMIT)
			return error_set(err, ERROR_INPUT, "an entry has no path");
		*strip += (byte & 0x80) != 0;
	} while ((byte & 0x80) != 0);
	return *strip <= scan->path_length ||
	       error_set(err, ERROR_INPUT,
			 "an entry shares more of the path before than there is of it");
}

/* The path at scan->offset, which moves behind it; head bytes of the entry stand before. */
static bool parse_path(struct scan *scan, size_t head, struct error *err)
{
	size_t shared = 0, strip, length;
	const unsigned char *end, *start;
	char *path;

	if (scan->version == VERSION_PREFIXED) {
		if (!parse_strip(scan, &strip, err))
			return false;
		shared = scan->path_length - strip;
	}
	start = scan->bytes + scan->offset;
	end = memchr(start, '\0', left(scan));
	if (end == NULL)
		return cut(err);
	length = (size_t)(end - start);
	if (shared + length == 0 || shared + length > PATH_LIMIT)
		return error_set(err, ERROR_INPUT, "an entry has no path");
	path = arena_alloc(scan->arena, shared + length + 1, 1);
	if (shared > 0)
		memcpy(path, scan->path, shared);
	memcpy(path + shared, start, length);
	scan->path = path;
	scan->path_length = shared + length;
	/* One NUL, or one to eight, so that the next entry begins at a multiple of eight. */
	scan->offset += scan->version == VERSION_PREFIXED
			    ? length + 1
			    : ((head + length + 8) & ~(size_t)7) - head;
	return scan->offset <= scan->length || cut(err);
}

/* *path is NULL for what is no file of the work tree. */
static bool parse_entry(struct scan *scan, const char **path, struct error *err)
{
	const unsigned char *entry = scan->bytes + scan->offset;
	size_t head = HASH_OFFSET + scan->hash_bytes + 2;
	uint32_t kind;

	*path = NULL;
	if (left(scan) < head + 2)
		return cut(err);
	if ((entry[head - 2] & EXTENDED) != 0) {
		if (scan->version < 3)
			return error_set(err, ERROR_INPUT, "an entry has flags of version 3");
		head += 2;
	}
	kind = read_32(entry + MODE_OFFSET) & KIND_MASK;
	scan->offset += head;
	if (!parse_path(scan, head, err))
		return false;
	if (kind != SUBMODULE && kind != DIRECTORY)
		*path = scan->path;
	return true;
}

/* They must end where the hash begins. */
static bool parse_extensions(struct scan *scan, struct error *err)
{
	while (left(scan) >= EXTENSION_BYTES) {
		const unsigned char *extension = scan->bytes + scan->offset;
		uint32_t length = read_32(extension + 4);

		if (length > left(scan) - EXTENSION_BYTES)
			break;
		if (memcmp(extension, "link", 4) == 0)
			return error_set(err, ERROR_INPUT,
					 "it is a split index; \"git update-index "
					 "--no-split-index\" joins it");
		scan->offset += EXTENSION_BYTES + length;
	}
	return left(scan) == 0 ||
	       error_set(err, ERROR_INPUT, "it does not end where its last part does");
}

static bool parse_all(struct scan *scan, uint32_t entries, const char ***paths, size_t *count,
		      struct error *err)
{
	size_t capacity = 0;
	uint32_t i;

	*paths = NULL;
	*count = 0;
	for (i = 0; i < entries; i++) {
		const char *path;

		if (!parse_entry(scan, &path, err))
			return error_prefix(err, "entry %u", (unsigned)i + 1);
		if (path != NULL)
			*array_push(scan->arena, *paths, *count, capacity) = path;
	}
	return parse_extensions(scan, err);
}

bool git_index_parse(struct arena *arena, const char *name, const unsigned char *bytes,
		     size_t length, const char ***paths, size_t *count, struct error *err)
{
	static const size_t hash_bytes[] = { 32, 20 };
	struct scan scan;
	uint32_t version;
	bool ok = false;
	size_t i;

	*paths = NULL;
	*count = 0;
	if (length < HEADER_BYTES || memcmp(bytes, "DIRC", 4) != 0)
		return error_set(err, ERROR_INPUT, "%s is no index of git", name);
	version = read_32(bytes + 4);
	if (version < VERSION_LEAST || version > VERSION_PREFIXED)
		return error_set(err, ERROR_INPUT,
				 "%s has version %u, and 2 to 4 can be read; \"git update-index "
				 "--index-version 4\" rewrites it",
				 name, (unsigned)version);
	/* The usual length last: what is wrong with a broken one is told of that. */
	for (i = 0; i < 2 && !ok; i++) {
		if (length < HEADER_BYTES + hash_bytes[i])
			continue;
		scan = (struct scan){ .arena = arena,
				      .bytes = bytes,
				      .length = length - hash_bytes[i],
				      .offset = HEADER_BYTES,
				      .hash_bytes = hash_bytes[i],
				      .version = version };
		ok = parse_all(&scan, read_32(bytes + 8), paths, count, err);
	}
	if (i == 2 && length < HEADER_BYTES + hash_bytes[1])
		return error_set(err, ERROR_INPUT, "%s ends inside its header", name);
	if (!ok)
		return error_prefix(err, "%s", name);
	return *count > 0 || error_set(err, ERROR_INPUT, "%s lists no file", name);
}

/* .git is a directory, or in a linked work tree and a submodule a file that names one. */
static bool find_git(struct arena *arena, const char *directory, const char **git,
		     struct error *err)
{
	static const char word[] = "gitdir: ";
	struct stat status;
	size_t length;
	char *bytes;

	*git = arena_printf(arena, "%s/.git", directory);
	if (stat(*git, &status) < 0)
		return error_set(err, ERROR_SYSTEM, "cannot look at %s: %s", *git, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return true;
	if (!file_read(arena, *git, GITFILE_LIMIT, &bytes, &length, err))
		return false;
	if (length <= strlen(word) || memcmp(bytes, word, strlen(word)) != 0)
		return error_set(err, ERROR_INPUT, "%s names no directory", *git);
	bytes += strlen(word);
	bytes[strcspn(bytes, "\n")] = '\0';
	*git = *bytes == '/' ? bytes : arena_printf(arena, "%s/%s", directory, bytes);
	return true;
}

bool git_index_read(struct arena *arena, const char *directory, const char ***paths, size_t *count,
		    struct error *err)
{
	const char *git, *path;
	size_t length;
	char *bytes;

	if (!find_git(arena, directory, &git, err))
		return error_prefix(err, "--tree needs a git work tree");
	path = arena_printf(arena, "%s/index", git);
	if (!file_read(arena, path, INDEX_LIMIT, &bytes, &length, err))
		return error_prefix(err, "--tree needs a git work tree with an index");
	return git_index_parse(arena, path, (const unsigned char *)bytes, length, paths, count,
			       err);
}
