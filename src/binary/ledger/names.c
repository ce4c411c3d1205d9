/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who a function is. A header's inline function has a DIE of its own in every
 * unit; its linkage name and the file that declares it are what they share.
 * The line is left out, so that an edit above it changes nothing. Results are
 * remembered by the address of the origin DIE, which makes names free: a
 * kernel has 300,000 copies and 60,000 origins.
 *
 * dwarf_decl_file() is not used: it gives NULL for file 0 of DWARF 5 as clang
 * writes it, and aborts on split units of gcc (elfutils 0.188).
 */
#include <dwarf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "binary/ledger/book.h"

/* Longer names are cut: no compiler's name comes near it, but a damaged section may. */
enum { LONGEST_NAME_BYTES = 1 << 16, LONGEST_PATH_BYTES = 4096 };

void ledger_forget_origins(struct ledger *ledger)
{
	table_release(&ledger->by_origin);
	table_release(&ledger->by_file);
	line_files_release(&ledger->line_files);
	spans_release(&ledger->strings_in);
}

void ledger_note_sections(struct ledger *ledger, Dwarf *dwarf)
{
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *section = NULL;
	size_t names;

	if (elf == NULL || elf_getshdrstrndx(elf, &names) != 0)
		return;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;
		Elf_Data *data;
		const char *name;

		if (gelf_getshdr(section, &header) == NULL || header.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name == NULL ||
		    (strncmp(name, ".debug", 6) != 0 && strncmp(name, ".zdebug", 7) != 0))
			continue;
		data = elf_getdata(section, NULL);
		if (data != NULL && data->d_buf != NULL)
			spans_add(&ledger->strings_in, (uint64_t)(uintptr_t)data->d_buf,
				  (uint64_t)(uintptr_t)data->d_buf + data->d_size);
	}
}

/* libdw 0.188 gives pointers behind a section for offsets that are too large. Sections may be
 * neighbours in memory, so the list is not normalised. */
const char *ledger_string(struct ledger *ledger, const char *string)
{
	uint64_t address = (uint64_t)(uintptr_t)string;
	size_t most = 0, i;

	for (i = 0; i < ledger->strings_in.count && most == 0; i++) {
		const struct span *section = &ledger->strings_in.items[i];

		if (address >= section->low && address < section->high)
			most = section->high - address;
	}
	if (most == 0)
		return NULL;
	if (most > LONGEST_NAME_BYTES)
		most = LONGEST_NAME_BYTES;
	if (strnlen(string, most) == most)
		return arena_strndup(ledger->arena, string, most);
	return string;
}

static const char *string_of(struct ledger *ledger, Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute found;

	return ledger_string(ledger,
			     dwarf_formstring(dwarf_attr_integrate(die, attribute, &found)));
}

static uint32_t name_of(struct ledger *ledger, Dwarf_Die *die)
{
	const char *name = string_of(ledger, die, DW_AT_linkage_name);

	if (name == NULL)
		name = string_of(ledger, die, DW_AT_MIPS_linkage_name);
	if (name == NULL)
		name = string_of(ledger, die, DW_AT_name);
	return strings_intern(&ledger->strings, ledger->arena, name == NULL ? "" : name);
}

/* Appends one part of a path: "." and empty ones vanish, ".." takes the one before away. */
static size_t path_step(char *path, size_t length, const char *part, size_t part_length)
{
	if (part_length == 0 || (part_length == 1 && part[0] == '.'))
		return length;
	if (part_length == 2 && part[0] == '.' && part[1] == '.' && length > 0) {
		while (length > 0 && path[--length] != '/')
			;
		return length;
	}
	if (length + part_length + 2 > LONGEST_PATH_BYTES)
		return length;
	path[length++] = '/';
	memcpy(path + length, part, part_length);
	return length + part_length;
}

static size_t path_add(char *path, size_t length, const char *more)
{
	while (*more != '\0') {
		size_t part = strcspn(more, "/");

		length = path_step(path, length, more, part);
		more += part + (more[part] == '/');
	}
	return length;
}

/* Purely by the letters, since the files need not be here. */
uint32_t ledger_intern_path(struct ledger *ledger, const char *directory, const char *file)
{
	char path[LONGEST_PATH_BYTES];
	size_t length = 0;

	if (file[0] == '<') /* <built-in>, <artificial> */
		return strings_intern(&ledger->strings, ledger->arena, file);
	if (file[0] != '/' && directory != NULL)
		length = path_add(path, length, directory);
	length = path_add(path, length, file);
	path[length] = '\0';
	/* Relative to a directory that nobody knows. */
	if (file[0] != '/' && (directory == NULL || directory[0] != '/') && path[0] == '/')
		return strings_intern(&ledger->strings, ledger->arena, path + 1);
	return strings_intern(&ledger->strings, ledger->arena, path);
}

static uint32_t read_file_by_libdw(struct ledger *ledger, Dwarf_Die *unit, const char *base,
				   uint64_t index)
{
	Dwarf_Files *files;
	size_t count;
	const char *file;

	if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index >= count)
		return 0;
	file = dwarf_filesrc(files, index, NULL, NULL);
	if (file == NULL || strcmp(file, "???") == 0)
		return 0;
	return ledger_intern_path(ledger, base, file);
}

static uint32_t read_file(struct ledger *ledger, Dwarf_CU *unit, uint64_t index)
{
	Dwarf_Die die;
	Dwarf_Attribute found;
	const char *name, *directory, *base;
	char path[LONGEST_PATH_BYTES];

	if (dwarf_cu_die(unit, &die, NULL, NULL, NULL, NULL, NULL, NULL) == NULL)
		return 0;
	base = ledger_string(ledger, dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &found)));
	if (!line_files_find(&ledger->line_files, &die, index, &name, &directory))
		return read_file_by_libdw(ledger, &die, base, index);
	if (directory == NULL || name[0] == '/')
		return ledger_intern_path(ledger, base, name);
	if (directory[0] == '/' || base == NULL)
		return ledger_intern_path(ledger, directory, name);
	/* In DWARF 5 directory 0 is the unit's own, and may be as relative as that is. */
	if (strcmp(directory, base) == 0)
		return ledger_intern_path(ledger, base, name);
	if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
		return 0;
	return ledger_intern_path(ledger, base, path);
}

uint32_t ledger_file_of(struct ledger *ledger, Dwarf_Die *die)
{
	Dwarf_Attribute found;
	Dwarf_Word index;
	uint32_t *known;
	bool added;
	uint64_t key;

	if (dwarf_attr_integrate(die, DW_AT_decl_file, &found) == NULL ||
	    dwarf_formudata(&found, &index) != 0)
		return 0;
	/* Units are at least 16 bytes apart in memory; file indices stay below their size. */
	key = (uint64_t)(uintptr_t)found.cu ^ index << 44 ^ index << 4;
	known = table_at(&ledger->by_file, key, &added);
	if (added) {
		uint32_t file = read_file(ledger, found.cu, index);

		/* Nothing was added to by_file meanwhile. */
		*known = file + 1;
	}
	return *known - 1;
}

static bool is_external(Dwarf_Die *die)
{
	Dwarf_Attribute found;
	bool external = false;

	return dwarf_attr_integrate(die, DW_AT_external, &found) != NULL &&
	       dwarf_formflag(&found, &external) == 0 && external;
}

static uint32_t function_at(struct ledger *ledger, uint32_t name, uint32_t file, bool external)
{
	bool added;
	uint32_t *known =
	    table_at(&ledger->by_identity, (uint64_t)name << 32 | (file + UINT64_C(1)), &added);

	if (added) {
		*array_push(ledger->arena, ledger->functions, ledger->function_count,
			    ledger->function_capacity) =
		    (struct ledger_function){ .name = name, .file = file, .external = external };
		*known = (uint32_t)ledger->function_count;
	}
	ledger->functions[*known - 1].external |= external;
	return *known - 1;
}

uint32_t ledger_function_of(struct ledger *ledger, Dwarf_Die *die)
{
	bool added;
	uint64_t key = (uint64_t)(uintptr_t)die->addr;
	uint32_t *known = table_at(&ledger->by_origin, key, &added);

	if (added)
		*known = function_at(ledger, name_of(ledger, die), ledger_file_of(ledger, die),
				     is_external(die)) +
			 1;
	return *known - 1;
}

bool ledger_origin_of(struct ledger *ledger, Dwarf_Die *die, unsigned attribute, uint32_t *function)
{
	Dwarf_Attribute found;
	Dwarf_Die origin;

	if (dwarf_attr(die, attribute, &found) == NULL ||
	    dwarf_formref_die(&found, &origin) == NULL)
		return false;
	*function = ledger_function_of(ledger, &origin);
	return true;
}

void ledger_note_directory(struct ledger *ledger, Dwarf_Die *unit)
{
	Dwarf_Attribute found;
	const char *directory =
	    ledger_string(ledger, dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &found)));
	uint32_t path;
	bool added;

	if (directory == NULL)
		return;
	path = ledger_intern_path(ledger, NULL, directory);
	if (path != 0)
		++*table_at(&ledger->directories, path, &added);
}

/* The number of the directory that most units were compiled in. */
static uint32_t main_directory(const struct ledger *ledger)
{
	const struct table *directories = &ledger->directories;
	uint32_t most = 0, best = 0;
	size_t i;

	for (i = 0; i < directories->capacity; i++) {
		uint32_t directory = (uint32_t)directories->keys[i];

		if (directories->values[i] > most ||
		    (most > 0 && directories->values[i] == most && directory < best)) {
			most = directories->values[i];
			best = directory;
		}
	}
	return best;
}

/* How many bytes of the first path, in whole parts, the two have in common. */
static size_t common_parts(const char *first, size_t length, const char *second)
{
	size_t common = 0, parts = 0;

	while (common < length && first[common] == second[common]) {
		if (first[common] == '/')
			parts = common;
		common++;
	}
	if ((common == length || first[common] == '/') &&
	    (second[common] == '\0' || second[common] == '/'))
		parts = common;
	return parts;
}

void shortener_init(struct file_shortener *shortener, const struct ledger *ledger)
{
	size_t i;

	shortener->prefix = ledger->strings.items[main_directory(ledger)];
	shortener->length = strlen(shortener->prefix);
	for (i = 0; i < ledger->directories.capacity; i++) {
		size_t common;

		if (ledger->directories.keys[i] == 0)
			continue;
		common = common_parts(shortener->prefix, shortener->length,
				      ledger->strings.items[ledger->directories.keys[i]]);
		/* Two directories deep at least: a library's units under /usr or /build are of
		 * another project. */
		if (common > 1 && memchr(shortener->prefix + 1, '/', common - 1) != NULL)
			shortener->length = common;
	}
}

const char *shortener_apply(const struct file_shortener *shortener, const struct ledger *ledger,
			    uint32_t file)
{
	const char *path = ledger->strings.items[file];
	size_t length = shortener->length;

	if (length > 1 && strncmp(path, shortener->prefix, length) == 0 && path[length] == '/')
		return path + length + 1;
	return path;
}
