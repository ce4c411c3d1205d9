/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where debug information lies when it is not in the object: the rules of gdb
 * ("Debugging Information in Separate Files"), without its network part. The
 * build id decides; a file of the right name and another build id is of
 * another build, and wrong data would be worse than none.
 */
#include "binary/debug/find.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "binary/elf/check.h"

static const char system_directory[] = "/usr/lib/debug";

struct search {
	struct arena *arena;
	const struct debug_settings *settings;
	const unsigned char *build_id;
	size_t build_id_length;
	bool has_checksum;
	uint32_t checksum;
	const char *own_path; /* resolved: an object is not its own debug file */
	const char *refused;  /* a file of the right name from another build */
};

/* The checksum of .gnu_debuglink: CRC-32 as in zlib, over the whole file. */
static bool file_checksum(int fd, uint32_t *checksum)
{
	static const size_t chunk = 1 << 16;
	unsigned char *bytes = malloc(chunk);
	uint32_t table[256], crc = ~UINT32_C(0), i, bit;
	ssize_t got;

	if (bytes == NULL)
		arena_out_of_memory();
	for (i = 0; i < 256; i++) {
		table[i] = i;
		for (bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? UINT32_C(0xEDB88320) : 0);
	}
	while ((got = read(fd, bytes, chunk)) > 0)
		for (i = 0; i < (uint32_t)got; i++)
			crc = table[(crc ^ bytes[i]) & 0xFF] ^ crc >> 8;
	free(bytes);
	*checksum = ~crc;
	return got == 0;
}

/* dwelf_elf_gnu_build_id() alone misses files without segments, as dwz writes them. */
static ssize_t read_build_id(Elf *elf, const void **id)
{
	ssize_t length = dwelf_elf_gnu_build_id(elf, id);
	Elf_Scn *section = NULL;

	if (length > 0)
		return length;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;
		GElf_Nhdr note;
		Elf_Data *data;
		size_t next = 0, name, description;

		if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(section, NULL);
		while (data != NULL &&
		       (next = gelf_getnote(data, next, &note, &name, &description)) > 0)
			if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
			    memcmp((char *)data->d_buf + name, "GNU", sizeof "GNU") == 0) {
				*id = (char *)data->d_buf + description;
				return note.n_descsz;
			}
	}
	return -1;
}

static bool is_right(const struct search *search, int fd)
{
	struct error ignored = { 0 };
	Elf *elf = elf_check_file(fd, &ignored) ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	const void *id;
	ssize_t length = elf == NULL ? -1 : read_build_id(elf, &id);
	bool right;
	uint32_t checksum;

	if (search->build_id_length > 0 && length > 0)
		right = (size_t)length == search->build_id_length &&
			memcmp(id, search->build_id, (size_t)length) == 0;
	else if (search->has_checksum)
		right = lseek(fd, 0, SEEK_SET) == 0 && file_checksum(fd, &checksum) &&
			checksum == search->checksum;
	else
		right = false;
	elf_end(elf);
	return right;
}

/* path itself if it is there and of this build. */
static char *try_path(struct search *search, char *path)
{
	struct stat status;
	char *resolved;
	bool right;
	int fd;

	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return NULL;
	resolved = realpath(path, NULL);
	right =
	    resolved != NULL && search->own_path != NULL && strcmp(resolved, search->own_path) == 0;
	free(resolved);
	if (right)
		return NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	right = is_right(search, fd);
	close(fd);
	if (!right)
		search->refused = path;
	return right ? path : NULL;
}

/* The debug directories in order, NULL behind the last. */
static const char *directory_at(const struct debug_settings *settings, size_t index)
{
	if (index < settings->directory_count)
		return settings->directories[index];
	return index == settings->directory_count ? system_directory : NULL;
}

static char *hexadecimal(struct arena *arena, const unsigned char *bytes, size_t length)
{
	char *text = arena_alloc(arena, 2 * length + 1, 1);
	size_t i;

	for (i = 0; i < length; i++) {
		text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	return text;
}

static char *find_by_build_id(struct search *search, const char *suffix)
{
	const char *id = hexadecimal(search->arena, search->build_id, search->build_id_length);
	const char *directory;
	size_t i;

	if (search->build_id_length < 3)
		return NULL;
	for (i = 0; (directory = directory_at(search->settings, i)) != NULL; i++) {
		char *found = try_path(search, arena_printf(search->arena, "%s/.build-id/%.2s/%s%s",
							    directory, id, id + 2, suffix));

		if (found != NULL)
			return found;
	}
	return NULL;
}

static const char *directory_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return ".";
	return slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
}

static char *find_by_name(struct search *search, const char *object_path, const char *name)
{
	const char *beside = directory_of(search->arena, object_path), *directory;
	const char *absolute =
	    search->own_path == NULL ? "" : directory_of(search->arena, search->own_path);
	struct arena *arena = search->arena;
	char *found = try_path(search, arena_printf(arena, "%s/%s", beside, name));
	size_t i;

	if (found == NULL)
		found = try_path(search, arena_printf(arena, "%s/.debug/%s", beside, name));
	for (i = 0; found == NULL; i++) {
		directory = directory_at(search->settings, i);
		if (directory == NULL)
			break;
		found = try_path(search, arena_printf(arena, "%s%s/%s", directory, absolute, name));
		if (found == NULL)
			found = try_path(search, arena_printf(arena, "%s/%s", directory, name));
	}
	return found;
}

static char *resolved_path(struct arena *arena, const char *path)
{
	char *resolved = realpath(path, NULL), *copy;

	copy = resolved == NULL ? NULL : arena_strdup(arena, resolved);
	free(resolved);
	return copy;
}

static char *failure_sentence(const struct search *search, const char *link)
{
	struct arena *arena = search->arena;

	if (search->refused != NULL)
		return arena_printf(arena, "%s is the debug file of another build",
				    text_clean(arena, search->refused, strlen(search->refused)));
	if (search->build_id_length > 0)
		return arena_printf(
		    arena,
		    "no debug information: build with -g, or name the directory of its debug "
		    "files with --debug-dir (build id %s)",
		    hexadecimal(arena, search->build_id, search->build_id_length));
	if (link != NULL)
		return arena_printf(arena,
				    "its debug file %s was not found: name its directory with "
				    "--debug-dir",
				    text_clean(arena, link, strlen(link)));
	return arena_strdup(arena, "no debug information: build with -g");
}

char *debug_find(struct arena *arena, Elf *elf, const char *object_path,
		 const struct debug_settings *settings, char **looked_for)
{
	struct search search = { .arena = arena, .settings = settings };
	const char *link;
	const void *id;
	ssize_t length = read_build_id(elf, &id);
	GElf_Word checksum;
	char *found = NULL;

	if (length > 0 && length <= 64) {
		search.build_id = id;
		search.build_id_length = (size_t)length;
	}
	search.own_path = resolved_path(arena, object_path);
	link = dwelf_elf_gnu_debuglink(elf, &checksum);
	if (search.build_id_length > 0)
		found = find_by_build_id(&search, ".debug");
	if (found == NULL && link != NULL) {
		search.has_checksum = true;
		search.checksum = checksum;
		found = find_by_name(&search, object_path, link);
	}
	*looked_for = found == NULL ? failure_sentence(&search, link) : NULL;
	return found;
}

char *debug_find_supplement(struct arena *arena, const char *path, const char *name,
			    const unsigned char *build_id, size_t build_id_length,
			    const struct debug_settings *settings)
{
	struct search search = { .arena = arena,
				 .settings = settings,
				 .build_id = build_id,
				 .build_id_length = build_id_length };
	const char *base = strrchr(name, '/') == NULL ? name : strrchr(name, '/') + 1;
	const char *real = resolved_path(arena, path), *directory;
	char *found;
	size_t i;

	if (name[0] == '/')
		found = try_path(&search, arena_strdup(arena, name));
	else
		found = try_path(
		    &search, arena_printf(arena, "%s/%s",
					  directory_of(arena, real == NULL ? path : real), name));
	for (i = 0; found == NULL; i++) {
		directory = directory_at(settings, i);
		if (directory == NULL)
			break;
		if (name[0] == '/')
			found = try_path(&search, arena_printf(arena, "%s%s", directory, name));
		if (found == NULL)
			found = try_path(&search, arena_printf(arena, "%s/%s", directory, base));
	}
	if (found == NULL)
		found = find_by_build_id(&search, ".debug");
	if (found == NULL)
		found = find_by_build_id(&search, "");
	return found;
}
