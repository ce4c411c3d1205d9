/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of stripped files. The separate file has the same sections without
 * their contents (objcopy --only-keep-debug, eu-strip -f); numbers may differ,
 * so sections are matched by name, address and size. .gnu_debugdata is an xz
 * file of an ELF file with a .symtab ("MiniDebugInfo" in gdb's manual).
 */
#include "binary/symbols_elsewhere.h"

#include <fcntl.h>
#include <gelf.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "binary/debug/find.h"
#include "binary/elf/check.h"
#include "binary/elf/sections.h"

/* The first two: of a table of a hundred thousand symbols; more is a bomb. */
enum {
	MOST_SEARCHED_SECTIONS = 4096,
	MOST_INFLATED_BYTES = 64 << 20,
	MOST_DECODER_BYTES = 128 << 20
};

static bool is_same(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	GElf_Shdr other;

	return section != NULL && gelf_getshdr(section, &other) != NULL &&
	       (other.sh_flags & SHF_ALLOC) && other.sh_addr == header->sh_addr &&
	       other.sh_size == header->sh_size && strcmp(elf_section_name(elf, &other), name) == 0;
}

/* The section of elf that is the loaded section header, named name, most likely of this number;
 * 0: none. */
static size_t same_section(Elf *elf, const GElf_Shdr *header, const char *name, size_t likely)
{
	Elf_Scn *section = NULL;
	size_t count = 0;

	if (is_same(elf, elf_getscn(elf, likely), header, name))
		return likely;
	if (elf_getshdrnum(elf, &count) != 0 || count > MOST_SEARCHED_SECTIONS)
		return 0;
	while ((section = elf_nextscn(elf, section)) != NULL)
		if (is_same(elf, section, header, name))
			return elf_ndxscn(section);
	return 0;
}

/* False where no code of the object is in the other file: it is of something else. */
static bool match_sections(struct reading *reading, Elf *object, struct elsewhere *elsewhere)
{
	Elf_Scn *section = NULL;
	bool code = false;

	if (elf_getshdrnum(elsewhere->elf, &elsewhere->section_count) != 0)
		return false;
	elsewhere->sections =
	    arena_alloc(reading->arena, elsewhere->section_count + 1, sizeof *elsewhere->sections);
	while ((section = elf_nextscn(elsewhere->elf, section)) != NULL) {
		GElf_Shdr header;
		size_t same;

		if (gelf_getshdr(section, &header) == NULL || !(header.sh_flags & SHF_ALLOC))
			continue;
		same = same_section(object, &header, elf_section_name(elsewhere->elf, &header),
				    elf_ndxscn(section));
		elsewhere->sections[elf_ndxscn(section)] = same;
		code |= same != 0 && (header.sh_flags & SHF_EXECINSTR);
	}
	return code;
}

static bool has_table(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

static bool fits(struct reading *reading, Elf *object, struct elsewhere *elsewhere)
{
	return elsewhere->elf != NULL && elf_kind(elsewhere->elf) == ELF_K_ELF &&
	       gelf_getclass(elsewhere->elf) == gelf_getclass(object) &&
	       has_table(elsewhere->elf) && match_sections(reading, object, elsewhere);
}

static bool open_file(struct reading *reading, Elf *object, const struct debug_settings *settings,
		      struct elsewhere *elsewhere)
{
	struct error ignored = { 0 };
	char *looked_for;
	char *path =
	    debug_find(reading->arena, object, reading->image->path, settings, &looked_for);

	if (path == NULL)
		return false;
	elsewhere->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (elsewhere->fd < 0 || !elf_check_file(elsewhere->fd, &ignored))
		return false;
	elsewhere->elf = elf_begin(elsewhere->fd, ELF_C_READ, NULL);
	elsewhere->from = text_clean(reading->arena, path, strlen(path));
	elsewhere->complete = true;
	return fits(reading, object, elsewhere);
}

/* An xz file in memory, inflated; NULL: damaged, or too large to be a table of symbols. */
static char *inflate(const void *bytes, size_t length, size_t *inflated)
{
	uint64_t memory = MOST_DECODER_BYTES;
	size_t capacity = 1 << 20, from, to;

	for (; capacity <= MOST_INFLATED_BYTES; capacity *= 4) {
		char *room = malloc(capacity);
		lzma_ret result;

		if (room == NULL)
			arena_out_of_memory();
		from = to = 0;
		result = lzma_stream_buffer_decode(&memory, 0, NULL, bytes, &from, length,
						   (uint8_t *)room, &to, capacity);
		if (result == LZMA_OK) {
			*inflated = to;
			return room;
		}
		free(room);
		if (result != LZMA_BUF_ERROR || from >= length)
			break;
	}
	return NULL;
}

static bool open_section(struct reading *reading, Elf *object, struct elsewhere *elsewhere)
{
	struct error ignored = { 0 };
	GElf_Shdr header;
	Elf_Scn *section = elf_section_named(object, ".gnu_debugdata", &header);
	Elf_Data *data = section == NULL ? NULL : elf_rawdata(section, NULL);
	size_t length;

	if (data == NULL || data->d_buf == NULL)
		return false;
	elsewhere->bytes = inflate(data->d_buf, data->d_size, &length);
	if (elsewhere->bytes == NULL || !elf_check_memory(elsewhere->bytes, length, &ignored))
		return false;
	elsewhere->elf = elf_memory(elsewhere->bytes, length);
	elsewhere->from = ".gnu_debugdata";
	elsewhere->complete = false;
	return fits(reading, object, elsewhere);
}

bool elsewhere_find(struct reading *reading, const struct elf_object *object,
		    const struct debug_settings *settings, struct elsewhere *elsewhere)
{
	*elsewhere = (struct elsewhere){ .fd = -1 };
	if (open_file(reading, object->elf, settings, elsewhere))
		return true;
	elsewhere_close(elsewhere);
	if (open_section(reading, object->elf, elsewhere))
		return true;
	elsewhere_close(elsewhere);
	return false;
}

void elsewhere_close(struct elsewhere *elsewhere)
{
	elf_end(elsewhere->elf);
	free(elsewhere->bytes);
	if (elsewhere->fd >= 0)
		close(elsewhere->fd);
	*elsewhere = (struct elsewhere){ .fd = -1 };
}
