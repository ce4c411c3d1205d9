/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DWARF 5, section 6.2.4 (and DWARF 2 to 4, same section): the line number program header. */
#include "binary/debug/line_files.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* No unit has more files; a damaged count ends here. */
enum { MOST_ENTRIES = 1 << 20, MOST_FORMATS = 16 };

struct reader {
	const unsigned char *next, *end;
	bool big_endian, failed;
	unsigned offset_bytes;
};

void line_files_release(struct line_files *files)
{
	free(files->files);
	free(files->directories);
	*files = (struct line_files){ 0 };
}

static uint64_t read_fixed(struct reader *reader, unsigned bytes)
{
	uint64_t value = 0;
	unsigned i;

	if ((size_t)(reader->end - reader->next) < bytes) {
		reader->failed = true;
		return 0;
	}
	for (i = 0; i < bytes; i++)
		value |= (uint64_t)reader->next[i] << 8 * (reader->big_endian ? bytes - 1 - i : i);
	reader->next += bytes;
	return value;
}

static uint64_t read_variable(struct reader *reader)
{
	uint64_t value = 0;
	unsigned shift = 0;

	while (reader->next < reader->end) {
		unsigned char byte = *reader->next++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7F) << shift;
		shift += 7;
		if (!(byte & 0x80))
			return value;
	}
	reader->failed = true;
	return 0;
}

static const char *read_string(struct reader *reader)
{
	const unsigned char *string = reader->next;
	const unsigned char *nul = memchr(string, 0, (size_t)(reader->end - string));

	if (nul == NULL) {
		reader->failed = true;
		return "";
	}
	reader->next = nul + 1;
	return (const char *)string;
}

static const char *string_at(struct reader *reader, const unsigned char *section,
			     const unsigned char *end)
{
	uint64_t offset = read_fixed(reader, reader->offset_bytes);

	if (section == NULL || offset >= (uint64_t)(end - section) ||
	    memchr(section + offset, 0, (size_t)(end - section) - offset) == NULL) {
		reader->failed = true;
		return "";
	}
	return (const char *)section + offset;
}

/* Sections of a file whose bytes can be read as they are. */
static void find_sections(struct line_files *files, Dwarf *dwarf)
{
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *section = NULL;
	GElf_Ehdr file_header;
	size_t names;

	line_files_release(files);
	files->dwarf = dwarf;
	if (elf == NULL || gelf_getehdr(elf, &file_header) == NULL ||
	    file_header.e_type == ET_REL || elf_getshdrstrndx(elf, &names) != 0)
		return;
	files->big_endian = file_header.e_ident[EI_DATA] == ELFDATA2MSB;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;
		Elf_Data *data;
		const char *name;
		const unsigned char **start = NULL, **end = NULL;

		if (gelf_getshdr(section, &header) == NULL || header.sh_type == SHT_NOBITS ||
		    header.sh_flags & SHF_COMPRESSED)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name == NULL)
			continue;
		if (strcmp(name, ".debug_line") == 0) {
			start = &files->line;
			end = &files->line_end;
		} else if (strcmp(name, ".debug_line_str") == 0) {
			start = &files->line_strings;
			end = &files->line_strings_end;
		} else if (strcmp(name, ".debug_str") == 0) {
			start = &files->strings;
			end = &files->strings_end;
		}
		data = start == NULL ? NULL : elf_getdata(section, NULL);
		if (data != NULL && data->d_buf != NULL) {
			*start = data->d_buf;
			*end = *start + data->d_size;
		}
	}
	files->plain = files->line != NULL;
}

static void add_directory(struct line_files *files, const char *name)
{
	if (files->directory_count == files->directory_capacity) {
		files->directory_capacity =
		    files->directory_capacity == 0 ? 64 : files->directory_capacity * 2;
		files->directories = reallocarray(files->directories, files->directory_capacity,
						  sizeof *files->directories);
		if (files->directories == NULL)
			arena_out_of_memory();
	}
	files->directories[files->directory_count++] = name;
}

static void add_file(struct line_files *files, struct line_file file)
{
	if (files->file_count == files->file_capacity) {
		files->file_capacity = files->file_capacity == 0 ? 256 : files->file_capacity * 2;
		files->files =
		    reallocarray(files->files, files->file_capacity, sizeof *files->files);
		if (files->files == NULL)
			arena_out_of_memory();
	}
	files->files[files->file_count++] = file;
}

/* DWARF 2 to 4: directory 0 is the unit's own, file 0 does not exist. */
static void read_old_tables(struct line_files *files, struct reader *reader)
{
	const char *name;

	add_directory(files, NULL);
	while (!reader->failed && *(name = read_string(reader)) != '\0')
		add_directory(files, name);
	add_file(files, (struct line_file){ 0 });
	while (!reader->failed && *(name = read_string(reader)) != '\0') {
		struct line_file file = { .name = name, .directory = read_variable(reader) };

		read_variable(reader);
		read_variable(reader);
		add_file(files, file);
	}
}

static void skip_form(struct reader *reader, uint64_t form)
{
	uint64_t length = 0;

	switch (form) {
	case DW_FORM_data1:
		length = 1;
		break;
	case DW_FORM_data2:
		length = 2;
		break;
	case DW_FORM_data4:
		length = 4;
		break;
	case DW_FORM_data8:
		length = 8;
		break;
	case DW_FORM_data16:
		length = 16;
		break;
	case DW_FORM_udata:
		read_variable(reader);
		return;
	case DW_FORM_block:
		length = read_variable(reader);
		break;
	case DW_FORM_string:
		read_string(reader);
		return;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
		length = reader->offset_bytes;
		break;
	default:
		reader->failed = true;
	}
	if (length > (uint64_t)(reader->end - reader->next))
		reader->failed = true;
	else
		reader->next += length;
}

static const char *read_path(const struct line_files *files, struct reader *reader, uint64_t form)
{
	switch (form) {
	case DW_FORM_string:
		return read_string(reader);
	case DW_FORM_line_strp:
		return string_at(reader, files->line_strings, files->line_strings_end);
	case DW_FORM_strp:
		return string_at(reader, files->strings, files->strings_end);
	default:
		reader->failed = true;
		return "";
	}
}

static uint64_t read_index(struct reader *reader, uint64_t form)
{
	switch (form) {
	case DW_FORM_data1:
		return read_fixed(reader, 1);
	case DW_FORM_data2:
		return read_fixed(reader, 2);
	case DW_FORM_udata:
		return read_variable(reader);
	default:
		reader->failed = true;
		return 0;
	}
}

/* DWARF 5: one table of directories, one of files, each after a description of its columns. */
static void read_new_table(struct line_files *files, struct reader *reader, bool directories)
{
	uint64_t formats[2 * MOST_FORMATS], count, i;
	unsigned columns = (unsigned)read_fixed(reader, 1), column;

	if (columns > MOST_FORMATS) {
		reader->failed = true;
		return;
	}
	for (column = 0; column < 2 * columns; column++)
		formats[column] = read_variable(reader);
	count = read_variable(reader);
	if (count > MOST_ENTRIES || (columns == 0 && count > 0))
		reader->failed = true;
	for (i = 0; i < count && !reader->failed; i++) {
		struct line_file file = { 0 };

		for (column = 0; column < columns; column++) {
			uint64_t form = formats[2 * column + 1];

			if (formats[2 * column] == DW_LNCT_path)
				file.name = read_path(files, reader, form);
			else if (formats[2 * column] == DW_LNCT_directory_index)
				file.directory = read_index(reader, form);
			else
				skip_form(reader, form);
		}
		if (directories)
			add_directory(files, file.name);
		else
			add_file(files, file);
	}
}

static bool read_header(struct line_files *files, uint64_t offset)
{
	struct reader reader = { .next = files->line + offset,
				 .end = files->line_end,
				 .big_endian = files->big_endian,
				 .offset_bytes = 4 };
	uint64_t length;
	unsigned opcodes;

	if (offset >= (uint64_t)(files->line_end - files->line))
		return false;
	length = read_fixed(&reader, 4);
	if (length == 0xFFFFFFFF) {
		length = read_fixed(&reader, 8);
		reader.offset_bytes = 8;
	}
	if (length > (uint64_t)(reader.end - reader.next))
		return false;
	reader.end = reader.next + length;
	files->version = (unsigned)read_fixed(&reader, 2);
	if (files->version < 2 || files->version > 5)
		return false;
	if (files->version >= 5)
		read_fixed(&reader, 2); /* sizes of addresses and of segment selectors */
	read_fixed(&reader, reader.offset_bytes);
	/* Instruction length, statements, line base and range; since 4 operations, too. */
	read_fixed(&reader, files->version >= 4 ? 5 : 4);
	opcodes = (unsigned)read_fixed(&reader, 1);
	if (opcodes == 0 || (size_t)(reader.end - reader.next) < opcodes - 1)
		return false;
	reader.next += opcodes - 1;
	if (files->version >= 5) {
		read_new_table(files, &reader, true);
		read_new_table(files, &reader, false);
	} else {
		read_old_tables(files, &reader);
	}
	return !reader.failed;
}

bool line_files_find(struct line_files *files, Dwarf_Die *unit, uint64_t index, const char **name,
		     const char **directory)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(unit->cu);
	Dwarf_Attribute found;
	Dwarf_Word offset;
	struct line_file *file;

	if (files->dwarf != dwarf)
		find_sections(files, dwarf);
	if (!files->plain || dwarf_attr(unit, DW_AT_stmt_list, &found) == NULL ||
	    dwarf_formudata(&found, &offset) != 0)
		return false;
	if (!files->known || files->offset != offset) {
		files->file_count = files->directory_count = 0;
		files->offset = offset;
		files->known = read_header(files, offset);
	}
	if (!files->known || index >= files->file_count)
		return false;
	file = &files->files[index];
	if (file->name == NULL || file->directory >= files->directory_count)
		return false;
	*name = file->name;
	*directory = files->directories[file->directory];
	return true;
}
