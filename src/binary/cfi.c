/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call frame information. In relocatable objects the start of each function in
 * .eh_frame is a relocation, and libdwfl (elfutils 0.188) applies those of
 * debug sections only; so they are applied here, to the private mapping that
 * libdwfl has of the file. All machines' assemblers use one relocation for it,
 * the 32-bit distance; RISC-V has two forms of that. What cannot be relocated
 * stays at a distance that leads to no function.
 */
#include "binary/cfi.h"

#include <gelf.h>
#include <string.h>

#include "binary/elf/sections.h"

/* The relocation that is the distance from its own place, 32 bits wide. */
static bool is_distance(unsigned machine, uint64_t type)
{
	switch (machine) {
	case EM_X86_64:
		return type == R_X86_64_PC32;
	case EM_386:
		return type == R_386_PC32;
	case EM_AARCH64:
		return type == R_AARCH64_PREL32;
	case EM_ARM:
		return type == R_ARM_REL32;
	case EM_RISCV:
		return type == R_RISCV_32_PCREL;
	case EM_PPC:
		return type == R_PPC_REL32;
	case EM_PPC64:
		return type == R_PPC64_REL32;
	case EM_S390:
		return type == R_390_PC32;
	default:
		return false;
	}
}

struct relocating {
	Elf *elf;
	unsigned machine;
	bool big_endian;
	Elf_Data *frames; /* to be changed */
	uint64_t address; /* of the section */
	Elf_Data *symbols;
};

static void put_word(const struct relocating *relocating, uint64_t offset, uint32_t word)
{
	unsigned char *bytes = (unsigned char *)relocating->frames->d_buf + offset;
	size_t i;

	for (i = 0; i < 4; i++)
		bytes[i] = (unsigned char)(word >> 8 * (relocating->big_endian ? 3 - i : i));
}

static uint32_t get_word(const struct relocating *relocating, uint64_t offset)
{
	const unsigned char *bytes = (unsigned char *)relocating->frames->d_buf + offset;
	uint32_t word = 0;
	size_t i;

	for (i = 0; i < 4; i++)
		word |= (uint32_t)bytes[i] << 8 * (relocating->big_endian ? 3 - i : i);
	return word;
}

/* Where a symbol is in the layout that libdwfl made. */
static bool symbol_address(const struct relocating *relocating, size_t index, uint64_t *address)
{
	GElf_Sym symbol;
	GElf_Shdr header;
	Elf_Scn *section;

	if (gelf_getsym(relocating->symbols, (int)index, &symbol) == NULL ||
	    symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE)
		return false;
	section = elf_getscn(relocating->elf, symbol.st_shndx);
	if (section == NULL || gelf_getshdr(section, &header) == NULL)
		return false;
	*address = header.sh_addr + symbol.st_value;
	return true;
}

static void apply(const struct relocating *relocating, const GElf_Rela *entry, bool with_addend)
{
	uint64_t address, addend = (uint64_t)entry->r_addend;

	if (relocating->frames->d_size < 4 || entry->r_offset > relocating->frames->d_size - 4 ||
	    !is_distance(relocating->machine, GELF_R_TYPE(entry->r_info)) ||
	    !symbol_address(relocating, GELF_R_SYM(entry->r_info), &address))
		return;
	if (!with_addend)
		addend = (uint64_t)(int64_t)(int32_t)get_word(relocating, entry->r_offset);
	put_word(relocating, entry->r_offset,
		 (uint32_t)(address + addend - relocating->address - entry->r_offset));
}

static void apply_table(struct relocating *relocating, Elf_Scn *table, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(table, NULL);
	Elf_Scn *symbols = elf_getscn(relocating->elf, header->sh_link);
	size_t entry =
		   gelf_fsize(relocating->elf, header->sh_type == SHT_RELA ? ELF_T_RELA : ELF_T_REL,
			      1, EV_CURRENT),
	       i;

	relocating->symbols = symbols == NULL ? NULL : elf_getdata(symbols, NULL);
	if (data == NULL || relocating->symbols == NULL || entry == 0)
		return;
	for (i = 0; i < data->d_size / entry; i++) {
		GElf_Rela with = { 0 };
		GElf_Rel without;

		if (header->sh_type == SHT_RELA) {
			if (gelf_getrela(data, (int)i, &with) == NULL)
				return;
		} else {
			if (gelf_getrel(data, (int)i, &without) == NULL)
				return;
			with.r_offset = without.r_offset;
			with.r_info = without.r_info;
		}
		apply(relocating, &with, header->sh_type == SHT_RELA);
	}
}

static void relocate_frames(Elf *elf)
{
	struct relocating relocating = { .elf = elf };
	Elf_Scn *frames, *other = NULL;
	GElf_Shdr header;
	GElf_Ehdr file;

	frames = elf_section_named(elf, ".eh_frame", &header);
	if (frames == NULL || gelf_getehdr(elf, &file) == NULL)
		return;
	relocating.machine = file.e_machine;
	relocating.big_endian = file.e_ident[EI_DATA] == ELFDATA2MSB;
	relocating.address = header.sh_addr;
	relocating.frames = elf_rawdata(frames, NULL);
	if (relocating.frames == NULL || relocating.frames->d_buf == NULL)
		return;
	while ((other = elf_nextscn(elf, other)) != NULL)
		if (gelf_getshdr(other, &header) != NULL &&
		    (header.sh_type == SHT_RELA || header.sh_type == SHT_REL) &&
		    header.sh_info == elf_ndxscn(frames))
			apply_table(&relocating, other, &header);
}

struct cfi cfi_open(struct debug *debug)
{
	struct cfi cfi = { 0 };
	Dwarf_Addr bias = 0;

	if (debug->module != NULL) {
		relocate_frames(debug->elf);
		cfi.cfi = dwfl_module_eh_cfi(debug->module, &bias);
		if (cfi.cfi == NULL)
			cfi.cfi = dwfl_module_dwarf_cfi(debug->module, &bias);
		/* Addresses of debug are those of its DWARF, which has its own bias. */
		cfi.bias = debug->module_bias - bias;
		return cfi;
	}
	cfi.cfi = dwarf_getcfi_elf(debug->elf);
	cfi.owned = cfi.cfi != NULL;
	if (cfi.cfi == NULL && debug->dwarf != NULL)
		cfi.cfi = dwarf_getcfi(debug->dwarf);
	return cfi;
}

void cfi_close(struct cfi *cfi)
{
	if (cfi->owned)
		dwarf_cfi_end(cfi->cfi);
	*cfi = (struct cfi){ 0 };
}
