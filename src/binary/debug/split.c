/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Split units that are elsewhere. libdw looks for them itself, by the name in
 * the skeleton, in the directory of the file that it reads (elfutils 0.188,
 * __libdw_find_split_unit). So where some are missing, and were found, a copy
 * of the file is made in a directory of its own, with the units beside it
 * under the names that it asks for; once libdw has opened them the directory
 * is removed again.
 */
#include "binary/debug/split.h"

#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/array.h"
#include "binary/debug/package.h"
#include "binary/names.h"

enum { NAME_LIMIT = 4096 };

/* A skeleton whose unit libdw did not find. */
struct absent {
	const char *name; /* of its .dwo file, as it says */
	uint64_t id;
	const char *local; /* under which it is placed */
};

struct gathering {
	struct debug *debug;
	struct arena *arena;
	const char *object_path;
	struct absent *absent;
	size_t count, capacity;
	size_t placed;
	char *directory; /* NULL: not made yet */
	struct debug_package *package;
	bool failed;
};

static const char *name_of(Dwarf_Die *skeleton)
{
	Dwarf_Attribute found;
	const char *name = dwarf_formstring(dwarf_attr(skeleton, DW_AT_dwo_name, &found));

	return name != NULL ? name
			    : dwarf_formstring(dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &found));
}

/* Units are asked for their other half only if there is a skeleton at all. */
static void collect(struct gathering *gathering)
{
	Dwarf_CU *unit = NULL;
	uint8_t type;
	Dwarf_Die die, split;

	while (dwarf_get_units(gathering->debug->dwarf, unit, &unit, NULL, &type, &die, NULL) ==
	       0) {
		struct absent one = { 0 };

		if (type != DW_UT_skeleton ||
		    dwarf_cu_info(unit, NULL, NULL, NULL, &split, &one.id, NULL, NULL) != 0 ||
		    split.cu != NULL)
			continue;
		one.name = name_of(&die);
		if (one.name == NULL)
			continue;
		one.name = arena_strndup(gathering->arena, one.name, strnlen(one.name, NAME_LIMIT));
		*array_push(gathering->arena, gathering->absent, gathering->count,
			    gathering->capacity) = one;
	}
}

static bool is_file(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The absolute path of a unit's file; NULL: it is in none of the directories. */
static char *find_unit(const struct gathering *gathering, const char *name)
{
	const struct debug_settings *settings = gathering->debug->settings;
	char *path = NULL, *resolved, *copy;
	size_t i;

	for (i = 0; path == NULL && i < settings->directory_count; i++) {
		path = arena_printf(gathering->arena, "%s/%s", settings->directories[i], name);
		if (!is_file(path))
			path = arena_printf(gathering->arena, "%s/%s", settings->directories[i],
					    name_of_file(name));
		if (!is_file(path))
			path = NULL;
	}
	resolved = path == NULL ? NULL : realpath(path, NULL);
	copy = resolved == NULL ? NULL : arena_strdup(gathering->arena, resolved);
	free(resolved);
	return copy;
}

static void find_package(struct gathering *gathering)
{
	const struct debug_settings *settings = gathering->debug->settings;
	struct arena *arena = gathering->arena;
	size_t i;

	gathering->package =
	    debug_package_open(arena, arena_printf(arena, "%s.dwp", gathering->object_path));
	if (gathering->package == NULL)
		gathering->package = debug_package_open(
		    arena, arena_printf(arena, "%s.dwp", gathering->debug->path));
	for (i = 0; gathering->package == NULL && i < settings->directory_count; i++)
		gathering->package = debug_package_open(
		    arena, arena_printf(arena, "%s/%s.dwp", settings->directories[i],
					name_of_file(gathering->object_path)));
}

static bool make_directory(struct gathering *gathering)
{
	const char *base = getenv("TMPDIR");

	if (gathering->directory != NULL || gathering->failed)
		return !gathering->failed;
	gathering->directory = arena_printf(gathering->arena, "%s/worth-split-XXXXXX",
					    base == NULL || base[0] == '\0' ? "/tmp" : base);
	gathering->failed = mkdtemp(gathering->directory) == NULL;
	if (gathering->failed)
		gathering->directory = NULL;
	return !gathering->failed;
}

/* Whether the name can be placed below the directory as it is. */
static bool stays_below(const char *name)
{
	const char *part;

	if (name[0] == '/' || name[0] == '\0')
		return false;
	for (part = name; part != NULL; part = strchr(part, '/'), part = part ? part + 1 : NULL)
		if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
			return false;
	return true;
}

static void make_parents(const char *directory, char *path)
{
	char *slash = path + strlen(directory) + 1;

	while ((slash = strchr(slash, '/')) != NULL) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash++ = '/';
	}
}

static void place(struct gathering *gathering, size_t index)
{
	struct absent *one = &gathering->absent[index];
	char *unit = find_unit(gathering, one->name), *path;

	if ((unit == NULL && gathering->package == NULL) || !make_directory(gathering))
		return;
	/* Names that lead out are replaced by shorter ones in the memory of libdw. */
	one->local =
	    stays_below(one->name) ? one->name : arena_printf(gathering->arena, "w%zu", index);
	if (strlen(one->local) > strlen(one->name))
		return;
	path = arena_printf(gathering->arena, "%s/%s", gathering->directory, one->local);
	make_parents(gathering->directory, path);
	if ((gathering->package != NULL &&
	     debug_package_extract(gathering->package, one->id, path)) ||
	    (unit != NULL && symlink(unit, path) == 0))
		gathering->placed++;
	else
		one->local = NULL;
}

static bool copy_file(int from, const char *path, int *to)
{
	static const size_t most = 1 << 30;
	loff_t offset = 0;
	struct stat status;
	ssize_t done = 1;

	*to = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (*to < 0 || fstat(from, &status) != 0)
		return false;
	while (offset < status.st_size && done > 0)
		done = copy_file_range(from, &offset, *to, NULL, most, 0);
	if (offset == 0) { /* two file systems that cannot, or a memory file */
		char *bytes = malloc(1 << 16);

		while (bytes != NULL && (done = pread(from, bytes, 1 << 16, offset)) > 0 &&
		       write(*to, bytes, (size_t)done) == done)
			offset += done;
		free(bytes);
	}
	return offset == status.st_size;
}

/* Tells libdw the names that were replaced, in its private mapping of the copy. */
static void rename_units(const struct gathering *gathering, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	uint8_t type;
	Dwarf_Die die;
	uint64_t id;
	size_t i;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, NULL) == 0) {
		const char *name = type == DW_UT_skeleton ? name_of(&die) : NULL;

		if (name == NULL || dwarf_cu_info(unit, NULL, NULL, NULL, NULL, &id, NULL, NULL))
			continue;
		for (i = 0; i < gathering->count; i++) {
			const struct absent *one = &gathering->absent[i];

			if (one->id == id && one->local != NULL && one->local != one->name &&
			    strcmp(one->name, name) == 0)
				memcpy((char *)(uintptr_t)name, one->local, strlen(one->local) + 1);
		}
	}
}

/* libdw opens each unit's file when it is asked for, and needs it no more after that. */
static void open_units(Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, split;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, &split) == 0)
		continue;
}

static void open_copy(struct gathering *gathering)
{
	struct debug *debug = gathering->debug;
	int from = debug->other_fd >= 0 ? debug->other_fd : debug->fd, to = -1;
	const char *path = arena_printf(gathering->arena, "%s/worth-object", gathering->directory);
	Elf *elf = NULL;
	Dwarf *dwarf = NULL;

	if (copy_file(from, path, &to))
		elf = elf_begin(to, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (elf != NULL)
		dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (dwarf == NULL) {
		elf_end(elf);
		if (to >= 0)
			close(to);
		return;
	}
	rename_units(gathering, dwarf);
	open_units(dwarf);
	dwarf_end(debug->dwarf);
	elf_end(debug->other_elf);
	if (debug->other_fd >= 0)
		close(debug->other_fd);
	debug->dwarf = dwarf;
	debug->other_elf = elf;
	debug->other_fd = to;
}

void debug_split_gather(struct debug *debug, const char *object_path)
{
	struct gathering gathering = { .debug = debug,
				       .arena = arena_open(),
				       .object_path = object_path };
	size_t i;

	collect(&gathering);
	if (gathering.count > 0)
		find_package(&gathering);
	for (i = 0; i < gathering.count; i++)
		place(&gathering, i);
	if (gathering.placed > 0)
		open_copy(&gathering);
	if (gathering.directory != NULL)
		file_remove_tree(gathering.directory);
	debug_package_close(gathering.package);
	arena_close(gathering.arena);
}
