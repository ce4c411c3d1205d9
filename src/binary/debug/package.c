/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packages of split units. elfutils 0.188 knows none; it reads .dwo files. So a
 * unit's contributions to the package's sections are written as such a file.
 * The format: DWARF 5, 7.3.5, and before it https://gcc.gnu.org/wiki/DebugFissionDWP
 * (version 2). Strings are shared by all units of a package: only those that
 * the unit's table of offsets names are written.
 */
#include "binary/debug/package.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "binary/elf/check.h"
#include "binary/elf/sections.h"

enum {
	COLUMNS = 9, /* identifiers 1 to 8 */
	COLUMN_STRING_OFFSETS = 6,
	MOST_PROBES = 4096, /* a table that is two thirds full needs a dozen */
	MOST_GROWTH = 64,   /* strings are shared by units, and written for each */
	HEADER_BYTES = 16,
	OFFSETS_HEADER_BYTES = 8, /* of version 5, 32 bit */
};

static const char *const names_2[COLUMNS] = {
	NULL,
	".debug_info.dwo",
	NULL,
	".debug_abbrev.dwo",
	".debug_line.dwo",
	".debug_loc.dwo",
	".debug_str_offsets.dwo",
	".debug_macinfo.dwo",
	".debug_macro.dwo",
};
static const char *const names_5[COLUMNS] = {
	NULL,
	".debug_info.dwo",
	NULL,
	".debug_abbrev.dwo",
	".debug_line.dwo",
	".debug_loclists.dwo",
	".debug_str_offsets.dwo",
	".debug_macro.dwo",
	".debug_rnglists.dwo",
};

static const char strings_name[] = ".debug_str.dwo";

struct debug_package {
	Elf *elf;
	int fd;
	GElf_Ehdr header;
	bool big_endian;
	const char *const *names; /* of the columns' sections */
	const unsigned char *index;
	uint64_t columns, units, slots;
	Elf_Data *data[COLUMNS]; /* of the sections that columns are of; NULL: not there */
	Elf_Data *strings;
	uint64_t bytes_left; /* that may still be written */
};

static uint64_t number(const struct debug_package *package, const unsigned char *bytes,
		       size_t length)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < length; i++)
		value |= (uint64_t)bytes[i] << 8 * (package->big_endian ? length - 1 - i : i);
	return value;
}

static void put_word(const struct debug_package *package, unsigned char *bytes, uint32_t word)
{
	size_t i;

	for (i = 0; i < 4; i++)
		bytes[i] = (unsigned char)(word >> 8 * (package->big_endian ? 3 - i : i));
}

static Elf_Data *section_data(const struct debug_package *package, const char *name)
{
	GElf_Shdr header;
	Elf_Scn *section = name == NULL ? NULL : elf_section_named(package->elf, name, &header);
	Elf_Data *data = section == NULL || (header.sh_flags & SHF_COMPRESSED)
			     ? NULL
			     : elf_rawdata(section, NULL);

	return data == NULL || data->d_buf == NULL ? NULL : data;
}

/* Everything that is read later must lie in the index. */
static bool read_index(struct debug_package *package)
{
	Elf_Data *data = section_data(package, ".debug_cu_index");
	uint64_t size;

	if (data == NULL || data->d_size < HEADER_BYTES)
		return false;
	package->index = data->d_buf;
	size = data->d_size - HEADER_BYTES;
	if (number(package, package->index, 4) == 2)
		package->names = names_2;
	else if (number(package, package->index, 2) == 5)
		package->names = names_5;
	else
		return false;
	package->columns = number(package, package->index + 4, 4);
	package->units = number(package, package->index + 8, 4);
	package->slots = number(package, package->index + 12, 4);
	if (package->columns >= COLUMNS || package->slots > size / 12)
		return false;
	size -= package->slots * 12;
	return package->columns * 4 <= size &&
	       package->units * package->columns * 8 <= size - package->columns * 4;
}

static bool open_elf(struct debug_package *package, const char *path)
{
	struct error ignored = { 0 };
	size_t bytes = 0, i;

	package->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (package->fd < 0 || !elf_check_file(package->fd, &ignored))
		return false;
	package->elf = elf_begin(package->fd, ELF_C_READ_MMAP, NULL);
	if (package->elf == NULL || gelf_getehdr(package->elf, &package->header) == NULL)
		return false;
	package->big_endian = package->header.e_ident[EI_DATA] == ELFDATA2MSB;
	if (!read_index(package))
		return false;
	package->strings = section_data(package, strings_name);
	for (i = 0; i < COLUMNS; i++)
		package->data[i] = section_data(package, package->names[i]);
	elf_rawfile(package->elf, &bytes);
	package->bytes_left = (uint64_t)bytes * MOST_GROWTH;
	return true;
}

struct debug_package *debug_package_open(struct arena *arena, const char *path)
{
	struct debug_package *package = arena_alloc(arena, 1, sizeof *package);

	package->fd = -1;
	if (open_elf(package, path))
		return package;
	debug_package_close(package);
	return NULL;
}

void debug_package_close(struct debug_package *package)
{
	if (package == NULL)
		return;
	elf_end(package->elf);
	if (package->fd >= 0)
		close(package->fd);
	package->elf = NULL;
	package->fd = -1;
}

/* Rows are counted from 1; 0: there is none. The hash table of DWARF 5, 7.3.5.3. */
static uint64_t find_row(const struct debug_package *package, uint64_t id)
{
	const unsigned char *hashes = package->index + HEADER_BYTES;
	const unsigned char *rows = hashes + package->slots * 8;
	uint64_t mask = package->slots - 1, slot = id & mask, step = (id >> 32 & mask) | 1, i;

	if (package->slots == 0 || (package->slots & mask) != 0)
		return 0;
	for (i = 0; i < package->slots && i < MOST_PROBES; i++) {
		uint64_t row = number(package, rows + slot * 4, 4);

		if (row == 0)
			return 0;
		if (number(package, hashes + slot * 8, 8) == id)
			return row <= package->units ? row : 0;
		slot = (slot + step) & mask;
	}
	return 0;
}

/* A file that is being written. */
struct extract {
	struct debug_package *package;
	struct arena *arena;
	Elf *elf;
	struct text names; /* of sections */
	bool good;
};

static void add_section(struct extract *extract, const char *name, void *bytes, size_t length,
			unsigned type)
{
	Elf_Scn *section = elf_newscn(extract->elf);
	Elf_Data *data = section == NULL ? NULL : elf_newdata(section);
	GElf_Shdr header;

	if (data == NULL || gelf_getshdr(section, &header) == NULL ||
	    length > extract->package->bytes_left) {
		extract->good = false;
		return;
	}
	extract->package->bytes_left -= length;
	header.sh_name = (GElf_Word)extract->names.length;
	header.sh_type = type;
	text_add_bytes(&extract->names, name, strlen(name) + 1);
	data->d_buf = bytes;
	data->d_size = length;
	data->d_type = ELF_T_BYTE;
	data->d_align = 1;
	extract->good &= gelf_update_shdr(section, &header) != 0;
}

/* The strings that offsets name, in their order, and the offsets to them there instead of those
 * into the package's. False where they are more than all strings of the package: many offsets lead
 * into one long string. */
static bool gather_strings(const struct debug_package *package, unsigned char *offsets,
			   size_t length, struct text *strings)
{
	const Elf_Data *all = package->strings;
	size_t at = package->names == names_5 ? OFFSETS_HEADER_BYTES : 0;

	for (; at + 4 <= length; at += 4) {
		uint64_t offset = number(package, offsets + at, 4);
		const char *string = (const char *)all->d_buf + offset;

		put_word(package, offsets + at, (uint32_t)strings->length);
		if (offset < all->d_size)
			text_add_bytes(strings, string, strnlen(string, all->d_size - offset));
		text_add_char(strings, '\0');
		if (strings->length > all->d_size)
			return false;
	}
	return true;
}

static void add_strings(struct extract *extract, void *bytes, size_t length)
{
	const struct debug_package *package = extract->package;
	unsigned char *offsets = arena_copy(extract->arena, bytes, length);
	struct text strings = { 0 };

	if (gather_strings(package, offsets, length, &strings)) {
		add_section(extract, package->names[COLUMN_STRING_OFFSETS], offsets, length,
			    SHT_PROGBITS);
		add_section(extract, strings_name,
			    arena_copy(extract->arena, text_string(&strings), strings.length + 1),
			    strings.length, SHT_PROGBITS);
	} else {
		add_section(extract, package->names[COLUMN_STRING_OFFSETS], bytes, length,
			    SHT_PROGBITS);
		add_section(extract, strings_name, package->strings->d_buf,
			    package->strings->d_size, SHT_PROGBITS);
	}
	text_release(&strings);
}

/* What a unit contributed to one section. */
static void add_contribution(struct extract *extract, uint64_t row, uint64_t column)
{
	const struct debug_package *package = extract->package;
	const unsigned char *ids = package->index + HEADER_BYTES + package->slots * 12;
	const unsigned char *cell = ids + (row * package->columns + column) * 4;
	uint64_t id = number(package, ids + column * 4, 4);
	uint64_t offset = number(package, cell, 4);
	uint64_t length = number(package, cell + package->units * package->columns * 4, 4);
	Elf_Data *data = id >= COLUMNS ? NULL : package->data[id];
	unsigned char *bytes;

	if (data == NULL || length == 0 || offset > data->d_size || length > data->d_size - offset)
		return;
	bytes = (unsigned char *)data->d_buf + offset;
	if (id == COLUMN_STRING_OFFSETS && package->strings != NULL &&
	    number(package, bytes, length < 4 ? length : 4) != UINT32_MAX)
		add_strings(extract, bytes, length);
	else
		add_section(extract, package->names[id], bytes, length, SHT_PROGBITS);
}

/* The section of names, whose own name is in it. */
static void add_names(struct extract *extract)
{
	static const char name[] = ".shstrtab";
	size_t length = extract->names.length + sizeof name;
	char *bytes = arena_alloc(extract->arena, length, 1);

	memcpy(bytes, extract->names.bytes, extract->names.length);
	memcpy(bytes + extract->names.length, name, sizeof name);
	add_section(extract, name, bytes, length, SHT_STRTAB);
}

static bool write_unit(struct extract *extract, uint64_t row)
{
	const struct debug_package *package = extract->package;
	GElf_Ehdr header;
	uint64_t column;
	size_t last;

	if (gelf_newehdr(extract->elf, gelf_getclass(package->elf)) == NULL ||
	    gelf_getehdr(extract->elf, &header) == NULL)
		return false;
	header.e_ident[EI_DATA] = package->header.e_ident[EI_DATA];
	header.e_machine = package->header.e_machine;
	header.e_type = ET_REL;
	header.e_version = EV_CURRENT;
	gelf_update_ehdr(extract->elf, &header);
	text_add_char(&extract->names, '\0');
	for (column = 0; column < package->columns; column++)
		add_contribution(extract, row, column);
	add_names(extract);
	if (elf_getshdrnum(extract->elf, &last) != 0 || gelf_getehdr(extract->elf, &header) == NULL)
		return false;
	header.e_shstrndx = (GElf_Half)(last - 1);
	gelf_update_ehdr(extract->elf, &header);
	return extract->good && elf_update(extract->elf, ELF_C_WRITE) > 0;
}

bool debug_package_extract(struct debug_package *package, uint64_t id, const char *path)
{
	struct extract extract = { .package = package, .good = true };
	uint64_t row = find_row(package, id);
	int fd = row == 0 ? -1 : open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool good;

	if (fd < 0)
		return false;
	extract.arena = arena_open();
	extract.elf = elf_begin(fd, ELF_C_WRITE, NULL);
	good = extract.elf != NULL && write_unit(&extract, row);
	elf_end(extract.elf);
	close(fd);
	if (!good)
		unlink(path);
	text_release(&extract.names);
	arena_close(extract.arena);
	return good;
}
