/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One function's instructions with addresses replaced by what they mean.
 * Decoding is Capstone's; names come from relocations in relocatable objects
 * and from symbols in linked ones. Printed numbers are scanned instead of
 * operands, since branches and absolute addresses print alike on all machines.
 */
#include "binary/disassembly.h"

#include <capstone/capstone.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "binary/elf/file.h"
#include "binary/names.h"

/* More is no function. */
static const uint64_t most_bytes = UINT64_C(16) << 20;
/* Sections of relocatable objects have no addresses; one that no immediate operand resembles. */
static const uint64_t relocatable_base = UINT64_C(0x40000000);

struct relocation {
	uint64_t offset;
	const char *name;
};

/* A part of the function, while it is decoded. */
struct part {
	struct arena *arena;
	const struct code_image *image;
	const struct code_symbol *symbol;
	const struct code_section *section;
	const unsigned char *bytes;
	uint64_t address;
	bool relocatable;
	struct relocation *relocations; /* by offset from the start of the part */
	size_t relocation_count, relocation_capacity;
};

struct decoder_kind {
	unsigned machine;
	cs_arch arch;
	unsigned mode;
};

static const struct decoder_kind kinds[] = {
	{ EM_386, CS_ARCH_X86, CS_MODE_32 },	   { EM_X86_64, CS_ARCH_X86, CS_MODE_64 },
	{ EM_ARM, CS_ARCH_ARM, CS_MODE_ARM },	   { EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM },
	{ EM_PPC, CS_ARCH_PPC, CS_MODE_32 },	   { EM_PPC64, CS_ARCH_PPC, CS_MODE_64 },
	{ EM_MIPS, CS_ARCH_MIPS, CS_MODE_MIPS32 }, { EM_S390, CS_ARCH_SYSZ, CS_MODE_BIG_ENDIAN },
	{ EM_SPARCV9, CS_ARCH_SPARC, CS_MODE_V9 }, { EM_68K, CS_ARCH_M68K, CS_MODE_M68K_040 },
};

static bool decoder_open(const struct code_member *member, csh *decoder)
{
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		unsigned mode = kinds[i].mode;

		if (kinds[i].machine != member->machine)
			continue;
		if (member->machine == EM_MIPS && member->wide)
			mode = CS_MODE_MIPS64;
		if (member->big_endian)
			mode |= (unsigned)CS_MODE_BIG_ENDIAN;
		if (cs_open(kinds[i].arch, (cs_mode)mode, decoder) != CS_ERR_OK)
			return false;
		if (kinds[i].arch == CS_ARCH_X86)
			cs_option(*decoder, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
		/* Data between instructions becomes .byte. */
		cs_option(*decoder, CS_OPT_SKIPDATA, CS_OPT_ON);
		return true;
	}
	return false;
}

/* The symbol that covers an address of a linked file. */
static const struct code_symbol *symbol_at(const struct part *part, uint64_t address)
{
	const struct code_image *image = part->image;
	size_t i;

	for (i = 0; i < image->symbol_count; i++) {
		const struct code_symbol *symbol = &image->symbols[i];

		if (symbol->member == part->symbol->member && symbol->section != CODE_NONE &&
		    symbol->kind != CODE_SYMBOL_TLS && address >= symbol->address &&
		    address - symbol->address < (symbol->bytes > 0 ? symbol->bytes : 1))
			return symbol;
	}
	return NULL;
}

static const struct code_section *section_at(const struct part *part, uint64_t address)
{
	size_t i;

	for (i = 0; i < part->image->section_count; i++) {
		const struct code_section *section = &part->image->sections[i];

		if (section->member == part->symbol->member && section->loaded &&
		    section->address != 0 && address >= section->address &&
		    address - section->address < section->address_bytes)
			return section;
	}
	return NULL;
}

/* In a relocatable object: another function of the same section, which needs no relocation. */
static const char *neighbour(const struct part *part, uint64_t address)
{
	const struct code_image *image = part->image;
	uint64_t offset = address - relocatable_base;
	size_t i;

	for (i = 0; i < image->symbol_count && address >= relocatable_base; i++) {
		const struct code_symbol *symbol = &image->symbols[i];

		if (symbol->section == part->symbol->section && offset >= symbol->offset &&
		    offset - symbol->offset < symbol->bytes)
			return arena_printf(part->arena, "<%s>",
					    name_shown(part->arena, symbol->name));
	}
	return NULL;
}

/* What an address means; NULL: it is only a number. *inside: into the function itself. */
static const char *meaning(const struct part *part, uint64_t address, bool *inside)
{
	const struct code_symbol *symbol;
	const struct code_section *section;

	*inside = address >= part->address && address - part->address < part->symbol->bytes;
	if (*inside)
		return arena_printf(part->arena, "+0x%llx",
				    (unsigned long long)(address - part->address));
	if (part->relocatable)
		return neighbour(part, address);
	if (address < 0x1000)
		return NULL;
	section = section_at(part, address);
	if (section == NULL)
		return NULL;
	symbol = symbol_at(part, address);
	if (symbol == NULL)
		return arena_printf(part->arena, "<%s>", section->name);
	if (address == symbol->address)
		return arena_printf(part->arena, "<%s>", name_shown(part->arena, symbol->name));
	return arena_printf(part->arena, "<%s+0x%llx>", name_shown(part->arena, symbol->name),
			    (unsigned long long)(address - symbol->address));
}

static const char *relocation_in(const struct part *part, uint64_t offset, uint64_t bytes)
{
	size_t i;

	for (i = 0; i < part->relocation_count; i++)
		if (part->relocations[i].offset >= offset &&
		    part->relocations[i].offset < offset + bytes)
			return part->relocations[i].name;
	return NULL;
}

/* Replaces one printed number that starts at word; returns what is behind it. */
static const char *replace_number(const struct part *part, const cs_insn *decoded, const char *word,
				  struct text *shown, struct text *key)
{
	static const char relative[] = "(%rip)";
	char *end;
	uint64_t value = strtoull(word, &end, 16);
	bool pc_relative = strncmp(end, relative, sizeof relative - 1) == 0, inside;
	bool negative = shown->length > 0 && shown->bytes[shown->length - 1] == '-';
	const char *name;

	if (pc_relative)
		value = decoded->address + decoded->size + (negative ? -value : value);
	name = meaning(part, value, &inside);
	if (name == NULL) {
		text_add_bytes(shown, word, (size_t)(end - word));
		text_add_bytes(key, word, (size_t)(end - word));
		return end;
	}
	if (pc_relative && negative) {
		shown->bytes[--shown->length] = '\0';
		key->bytes[--key->length] = '\0';
	}
	text_add(shown, name);
	text_add(key, inside ? "<here>" : name);
	return end;
}

/* Where the linker fills something in, the name stands for the number that is there now. */
static void add_relocated(const char *operands, const char *name, bool branch, struct text *text)
{
	const char *relative = strstr(operands, "(%rip)"), *start = relative;

	if (branch) {
		text_printf(text, "<%s>", name);
		return;
	}
	if (relative == NULL) {
		text_printf(text, "%s <%s>", operands, name);
		return;
	}
	while (start > operands &&
	       (start[-1] == '-' || start[-1] == 'x' || (start[-1] >= '0' && start[-1] <= '9') ||
		(start[-1] >= 'a' && start[-1] <= 'f')))
		start--;
	text_add_bytes(text, operands, (size_t)(start - operands));
	text_printf(text, "<%s>%s", name, relative);
}

static void add_instruction(const struct part *part, struct disassembly *disassembly,
			    const cs_insn *decoded)
{
	uint64_t offset = decoded->address - part->address;
	const char *name = relocation_in(part, offset, decoded->size), *next = decoded->op_str;
	struct text shown = { 0 }, key = { 0 };
	bool branch = strncmp(decoded->mnemonic, "call", 4) == 0 || decoded->mnemonic[0] == 'j' ||
		      strcmp(decoded->mnemonic, "bl") == 0 || strcmp(decoded->mnemonic, "b") == 0;

	text_printf(&shown, "%-7s ", decoded->mnemonic);
	text_printf(&key, "%s ", decoded->mnemonic);
	if (name != NULL) {
		add_relocated(next, name, branch, &shown);
		add_relocated(next, name, branch, &key);
		next = "";
	}
	while (*next != '\0') {
		if (strncmp(next, "0x", 2) == 0) {
			next = replace_number(part, decoded, next, &shown, &key);
		} else {
			text_add_char(&shown, *next);
			text_add_char(&key, *next++);
		}
	}
	while (shown.length > 0 && shown.bytes[shown.length - 1] == ' ')
		shown.bytes[--shown.length] = '\0';
	*array_push(part->arena, disassembly->items, disassembly->count, disassembly->capacity) =
	    (struct instruction){ offset, text_clean(part->arena, shown.bytes, shown.length),
				  arena_strdup(part->arena, text_string(&key)) };
	text_release(&shown);
	text_release(&key);
}

static void add_hexadecimal(const struct part *part, struct disassembly *disassembly)
{
	uint64_t offset, i;

	for (offset = 0; offset < part->symbol->bytes; offset += 8) {
		char words[3 * 8 + 1] = "";

		for (i = offset; i < offset + 8 && i < part->symbol->bytes; i++)
			sprintf(words + 3 * (i - offset), "%02x ", part->bytes[i]);
		*array_push(part->arena, disassembly->items, disassembly->count,
			    disassembly->capacity) =
		    (struct instruction){ offset, arena_strdup(part->arena, words),
					  arena_strdup(part->arena, words) };
	}
}

static void decode(const struct part *part, size_t most, struct disassembly *disassembly)
{
	const struct code_member *member = &part->image->members[part->symbol->member];
	const uint8_t *next = part->bytes;
	size_t left = part->symbol->bytes;
	uint64_t address = part->address;
	cs_insn *decoded;
	csh decoder;

	if (!decoder_open(member, &decoder)) {
		disassembly->stated =
		    arena_printf(part->arena,
				 "%s is not among the machines that Capstone knows: the code is "
				 "in hexadecimal",
				 member->machine_name);
		add_hexadecimal(part, disassembly);
		return;
	}
	decoded = cs_malloc(decoder);
	while (decoded != NULL && disassembly->count < most &&
	       cs_disasm_iter(decoder, &next, &left, &address, decoded))
		add_instruction(part, disassembly, decoded);
	if (decoded != NULL)
		cs_free(decoded, 1);
	cs_close(&decoder);
}

static const char *relocation_name(const struct part *part, Elf *elf, Elf_Data *symbols,
				   size_t strings, size_t index)
{
	GElf_Sym symbol;
	GElf_Shdr header;
	Elf_Scn *section;
	size_t names;
	const char *name = NULL;

	if (symbols == NULL || gelf_getsym(symbols, (int)index, &symbol) == NULL)
		return "?";
	if (GELF_ST_TYPE(symbol.st_info) != STT_SECTION)
		name = elf_strptr(elf, strings, symbol.st_name);
	else if ((section = elf_getscn(elf, symbol.st_shndx)) != NULL &&
		 gelf_getshdr(section, &header) != NULL && elf_getshdrstrndx(elf, &names) == 0)
		name = elf_strptr(elf, names, header.sh_name);
	return name == NULL ? "?" : text_clean(part->arena, name, strlen(name));
}

static void add_relocations(struct part *part, Elf *elf, Elf_Scn *table, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(table, NULL);
	Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
	Elf_Data *symbol_data = symbols == NULL ? NULL : elf_getdata(symbols, NULL);
	GElf_Shdr symbol_header;
	size_t count, i;

	if (data == NULL || header->sh_entsize == 0 || symbols == NULL ||
	    gelf_getshdr(symbols, &symbol_header) == NULL)
		return;
	count = data->d_size / header->sh_entsize;
	for (i = 0; i < count; i++) {
		GElf_Rela with;
		GElf_Rel without;
		uint64_t offset, info;

		if (header->sh_type == SHT_RELA ? gelf_getrela(data, (int)i, &with) == NULL
						: gelf_getrel(data, (int)i, &without) == NULL)
			return;
		offset = header->sh_type == SHT_RELA ? with.r_offset : without.r_offset;
		info = header->sh_type == SHT_RELA ? with.r_info : without.r_info;
		if (offset < part->symbol->offset ||
		    offset - part->symbol->offset >= part->symbol->bytes)
			continue;
		*array_push(part->arena, part->relocations, part->relocation_count,
			    part->relocation_capacity) = (struct relocation){
			offset - part->symbol->offset,
			relocation_name(part, elf, symbol_data, symbol_header.sh_link,
					GELF_R_SYM(info)),
		};
	}
}

/* The part's bytes and relocations, from the object that it is in. */
static bool read_object(struct part *part, Elf *elf)
{
	Elf_Scn *section = elf_getscn(elf, part->section->elf_index), *other = NULL;
	Elf_Data *data = section == NULL ? NULL : elf_rawdata(section, NULL);
	GElf_Shdr header;

	if (data == NULL || data->d_buf == NULL || part->symbol->offset > data->d_size ||
	    part->symbol->bytes > data->d_size - part->symbol->offset)
		return false;
	part->bytes = arena_copy(part->arena, (const char *)data->d_buf + part->symbol->offset,
				 part->symbol->bytes);
	while (part->relocatable && (other = elf_nextscn(elf, other)) != NULL)
		if (gelf_getshdr(other, &header) != NULL &&
		    (header.sh_type == SHT_RELA || header.sh_type == SHT_REL) &&
		    header.sh_info == part->section->elf_index)
			add_relocations(part, elf, other, &header);
	return true;
}

static bool read_part(struct part *part, struct error *err)
{
	struct elf_file *file;
	struct elf_object object;
	size_t member = 0;
	bool more = true, found = false;

	if (!elf_file_open(part->arena, part->image->path, &file, err))
		return false;
	while (!found && elf_file_next(file, &object, &more, err) && more)
		if (member++ == part->symbol->member)
			found = object.elf != NULL && read_object(part, object.elf);
	elf_file_close(file);
	return found || error_set(err, ERROR_INPUT, "%s: the code of %s is not in the file",
				  part->image->path, name_shown(part->arena, part->symbol->name));
}

static void part_place(struct part *part)
{
	part->section = &part->image->sections[part->symbol->section];
	part->relocatable = part->image->members[part->symbol->member].type == ET_REL;
	part->address =
	    part->relocatable ? relocatable_base + part->symbol->offset : part->symbol->address;
}

static bool is_wanted(struct arena *arena, const struct code_symbol *symbol, const char *function)
{
	return (symbol->kind == CODE_SYMBOL_FUNCTION || symbol->kind == CODE_SYMBOL_IFUNC) &&
	       symbol->section != CODE_NONE && symbol->bytes > 0 && symbol->bytes <= most_bytes &&
	       (strcmp(symbol->name, function) == 0 || strcmp(symbol->base, function) == 0 ||
		strcmp(name_shown(arena, symbol->name), function) == 0);
}

bool disassemble_symbol(struct arena *arena, const struct code_image *image,
			const struct code_symbol *symbol, Elf *elf, size_t most,
			struct disassembly *disassembly)
{
	struct part part = { .arena = arena, .image = image, .symbol = symbol };

	*disassembly = (struct disassembly){ 0 };
	part_place(&part);
	if (symbol->bytes > most_bytes || !read_object(&part, elf))
		return false;
	disassembly->bytes = symbol->bytes;
	decode(&part, most, disassembly);
	return true;
}

bool disassemble(struct arena *arena, const struct code_image *image, const char *function,
		 struct disassembly *disassembly, struct error *err)
{
	size_t i;

	*disassembly = (struct disassembly){ 0 };
	for (i = 0; i < image->symbol_count; i++) {
		struct part part = { .arena = arena, .image = image, .symbol = &image->symbols[i] };

		if (!is_wanted(arena, part.symbol, function))
			continue;
		part_place(&part);
		if (!read_part(&part, err))
			return false;
		disassembly->bytes += part.symbol->bytes;
		decode(&part, SIZE_MAX, disassembly);
	}
	return true;
}
