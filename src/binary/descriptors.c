/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function descriptors: in the first ABI of 64-bit PowerPC (ELF V1, "64-bit
 * PowerPC ELF Application Binary Interface Supplement 1.9", 3.2.5) a function's
 * symbol names three words in .opd, of which the first is the address of its
 * code; the symbol's size is the code's. In relocatable objects that word is a
 * relocation.
 */
#include "binary/descriptors.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "binary/elf/sections.h"

enum { WORD = 8 };

struct collecting {
	struct arena *arena;
	struct descriptors found;
	size_t capacity;
};

static void add(struct collecting *collecting, struct descriptor descriptor)
{
	*array_push(collecting->arena, collecting->found.items, collecting->found.count,
		    collecting->capacity) = descriptor;
}

/* Every word is taken for an address: compilers overlap descriptors that have no environment. */
static void read_words(struct collecting *collecting, Elf_Scn *section, bool big_endian)
{
	Elf_Data *data = elf_rawdata(section, NULL);
	size_t offset, i;

	if (data == NULL || data->d_buf == NULL)
		return;
	for (offset = 0; offset + WORD <= data->d_size; offset += WORD) {
		const unsigned char *bytes = (const unsigned char *)data->d_buf + offset;
		uint64_t address = 0;

		for (i = 0; i < WORD; i++)
			address |= (uint64_t)bytes[i] << 8 * (big_endian ? WORD - 1 - i : i);
		add(collecting, (struct descriptor){ offset, address, 0 });
	}
}

static void read_relocations(struct collecting *collecting, Elf *elf, Elf_Scn *table,
			     const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(table, NULL);
	Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
	Elf_Data *symbol_data = symbols == NULL ? NULL : elf_getdata(symbols, NULL);
	size_t size = gelf_fsize(elf, ELF_T_RELA, 1, EV_CURRENT), i;

	if (data == NULL || symbol_data == NULL || size == 0)
		return;
	for (i = 0; i < data->d_size / size; i++) {
		GElf_Rela entry;
		GElf_Sym symbol;

		if (gelf_getrela(data, (int)i, &entry) != NULL &&
		    GELF_R_TYPE(entry.r_info) == R_PPC64_ADDR64 &&
		    gelf_getsym(symbol_data, (int)GELF_R_SYM(entry.r_info), &symbol) != NULL &&
		    symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE)
			add(collecting,
			    (struct descriptor){ entry.r_offset,
						 symbol.st_value + (uint64_t)entry.r_addend,
						 symbol.st_shndx });
	}
}

static int by_offset(const void *left, const void *right)
{
	const struct descriptor *first = left, *second = right;

	return first->offset < second->offset ? -1 : first->offset > second->offset;
}

struct descriptors descriptors_read(struct arena *arena, Elf *elf)
{
	struct collecting collecting = { .arena = arena };
	Elf_Scn *section, *table = NULL;
	GElf_Ehdr file;
	GElf_Shdr header;

	if (gelf_getehdr(elf, &file) == NULL || file.e_machine != EM_PPC64 ||
	    (section = elf_section_named(elf, ".opd", &header)) == NULL)
		return collecting.found;
	if (file.e_type != ET_REL)
		read_words(&collecting, section, file.e_ident[EI_DATA] == ELFDATA2MSB);
	while (file.e_type == ET_REL && (table = elf_nextscn(elf, table)) != NULL)
		if (gelf_getshdr(table, &header) != NULL && header.sh_type == SHT_RELA &&
		    header.sh_info == elf_ndxscn(section))
			read_relocations(&collecting, elf, table, &header);
	if (collecting.found.count > 1)
		qsort(collecting.found.items, collecting.found.count,
		      sizeof *collecting.found.items, by_offset);
	return collecting.found;
}

const struct descriptor *descriptors_find(const struct descriptors *descriptors, uint64_t offset)
{
	struct descriptor key = { .offset = offset };

	return descriptors->count == 0 ? NULL
				       : bsearch(&key, descriptors->items, descriptors->count,
						 sizeof *descriptors->items, by_offset);
}
