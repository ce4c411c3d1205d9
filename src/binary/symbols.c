/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols, and through them the bytes of sections: every byte belongs to at
 * most one symbol. At one address the symbol that says most about the bytes
 * (sized before unsized, longer before shorter, function before label, global
 * before local) owns them and the others are its aliases; a symbol inside
 * another is an alias too; one that begins inside and ends outside keeps only
 * what is outside. Symbols without size, as assembler code has them, reach to
 * the next symbol, without the filler before that.
 */
#include <elf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "binary/descriptors.h"
#include "binary/extents.h"
#include "binary/names.h"
#include "binary/reading.h"
#include "binary/symbols_elsewhere.h"

/* Where the names of an object come from. */
struct names {
	char *bytes; /* in the arena, with a NUL at the end */
	size_t length;
};

/* The table that is read, and what its entries refer to. */
struct symbol_table {
	Elf_Data *symbols, *indices;
	size_t count;
	struct names names;
	uint64_t tls_address; /* of the template, in linked files */
	bool linked;	      /* addresses, not offsets into sections */
	unsigned machine;
	const struct elsewhere *elsewhere; /* the file that it is in; NULL: the object */
	struct descriptors descriptors;
};

static Elf_Scn *find_table(Elf *elf, unsigned type, GElf_Shdr *header)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, header) != NULL && header->sh_type == type)
			return scn;
	return NULL;
}

static Elf_Data *find_indices(Elf *elf, size_t table_index)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while ((scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, &header) != NULL && header.sh_type == SHT_SYMTAB_SHNDX &&
		    header.sh_link == table_index)
			return elf_getdata(scn, NULL);
	return NULL;
}

/* Strings are copied whole: symbols outlive libelf's handle, and one copy is cheaper than many. */
static bool read_names(struct reading *reading, Elf *elf, size_t section, struct names *names)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	Elf_Data *data = scn == NULL ? NULL : elf_rawdata(scn, NULL);

	if (data == NULL || data->d_buf == NULL || data->d_size == 0)
		return false;
	names->bytes = arena_alloc(reading->arena, data->d_size + 1, 1);
	memcpy(names->bytes, data->d_buf, data->d_size);
	names->length = data->d_size;
	return true;
}

static uint64_t tls_address(Elf *elf)
{
	size_t count = 0, i;
	GElf_Phdr segment;

	elf_getphdrnum(elf, &count);
	for (i = 0; i < count && gelf_getphdr(elf, (int)i, &segment) != NULL; i++)
		if (segment.p_type == PT_TLS)
			return segment.p_vaddr;
	return 0;
}

/* The table of that type in elf, which is the object or the file elsewhere that has its symbols.
 * False where there is nothing to read; damage is noted. */
static bool open_table(struct reading *reading, Elf *elf, unsigned type, Elf *object,
		       const struct code_member *member, struct symbol_table *table)
{
	GElf_Shdr header;
	Elf_Scn *scn = find_table(elf, type, &header);

	if (scn == NULL || header.sh_size == 0)
		return false;
	table->symbols = elf_getdata(scn, NULL);
	if (table->symbols == NULL || table->symbols->d_type != ELF_T_SYM ||
	    !read_names(reading, elf, header.sh_link, &table->names)) {
		reading_partial(reading, "its symbol table cannot be read");
		return false;
	}
	table->indices = find_indices(elf, elf_ndxscn(scn));
	table->count = table->symbols->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	table->linked = member->type != ET_REL;
	table->machine = member->machine;
	table->tls_address = table->linked ? tls_address(object) : 0;
	table->descriptors = descriptors_read(reading->arena, object);
	return true;
}

/* "$a", "$d.12", "$x": marks of Arm, AArch64 and RISC-V between code and data. */
static bool is_mapping(const struct symbol_table *table, const char *name)
{
	return name[0] == '$' && name[1] != '\0' && strchr("adtx", name[1]) != NULL &&
	       (name[2] == '\0' || name[2] == '.' ||
		(table->machine == EM_RISCV && name[1] == 'x')) &&
	       (table->machine == EM_ARM || table->machine == EM_AARCH64 ||
		table->machine == EM_RISCV || table->machine == EM_CSKY);
}

static enum code_symbol_kind kind_of(unsigned type, bool common)
{
	switch (type) {
	case STT_FUNC:
		return CODE_SYMBOL_FUNCTION;
	case STT_GNU_IFUNC:
		return CODE_SYMBOL_IFUNC;
	case STT_OBJECT:
		return common ? CODE_SYMBOL_COMMON : CODE_SYMBOL_OBJECT;
	case STT_COMMON:
		return CODE_SYMBOL_COMMON;
	case STT_TLS:
		return CODE_SYMBOL_TLS;
	default:
		return common ? CODE_SYMBOL_COMMON : CODE_SYMBOL_UNTYPED;
	}
}

static enum code_binding binding_of(unsigned binding)
{
	switch (binding) {
	case STB_LOCAL:
		return CODE_LOCAL;
	case STB_WEAK:
		return CODE_WEAK;
	case STB_GNU_UNIQUE:
		return CODE_UNIQUE;
	default:
		return CODE_GLOBAL;
	}
}

/* Index of the loaded section of the object that has the address; CODE_NONE: none. */
static size_t section_at(const struct reading *reading, uint64_t address)
{
	const struct code_image *image = reading->image;
	size_t i;

	for (i = reading->first_section; i < image->section_count; i++)
		if (image->sections[i].executable && address >= image->sections[i].address &&
		    address - image->sections[i].address < image->sections[i].address_bytes)
			return i;
	return CODE_NONE;
}

/* From the descriptor that a function's symbol names to its code. What leads to no code is the
 * descriptor itself, an object. */
static void follow(struct reading *reading, const struct symbol_table *table,
		   struct code_symbol *symbol, uint64_t *address)
{
	const struct code_section *opd = &reading->image->sections[symbol->section];
	const struct descriptor *found =
	    descriptors_find(&table->descriptors, *address - (table->linked ? opd->address : 0));
	size_t section = CODE_NONE;

	if (found != NULL && table->linked)
		section = section_at(reading, found->address);
	else if (found != NULL &&
		 found->section <= reading->image->section_count - reading->first_section)
		section = reading->first_section + found->section - 1;
	if (section != CODE_NONE && reading->image->sections[section].executable) {
		symbol->section = section;
		*address = found->address;
	} else {
		symbol->kind = CODE_SYMBOL_OBJECT;
		symbol->stated_bytes = 0;
	}
}

/* The section and the place in it; false for symbols that name no bytes of this object. */
static bool place(struct reading *reading, const struct symbol_table *table, const GElf_Sym *entry,
		  size_t elf_section, struct code_symbol *symbol)
{
	const struct code_section *section;
	uint64_t base, address = entry->st_value;

	if (elf_section == SHN_COMMON) {
		symbol->section = CODE_NONE;
		symbol->bytes = entry->st_size;
		return true;
	}
	if (elf_section == 0 ||
	    elf_section > reading->image->section_count - reading->first_section)
		return false;
	symbol->section = reading->first_section + elf_section - 1;
	section = &reading->image->sections[symbol->section];
	if (!section->loaded)
		return false;
	if (table->machine == EM_PPC64 && symbol->kind == CODE_SYMBOL_FUNCTION &&
	    strcmp(section->name, ".opd") == 0)
		follow(reading, table, symbol, &address);
	section = &reading->image->sections[symbol->section];
	symbol->address = address;
	if (table->machine == EM_ARM && symbol->kind == CODE_SYMBOL_FUNCTION)
		symbol->address &= ~(uint64_t)1;
	base = table->linked ? section->address : 0;
	if (symbol->kind == CODE_SYMBOL_TLS)
		base = table->linked ? section->address - table->tls_address : 0;
	symbol->offset = symbol->address - base;
	/* Marks at the end of a section (_end) have no bytes; others there are damage. */
	if (symbol->offset >= section->address_bytes) {
		reading->stray_symbols +=
		    entry->st_size > 0 && symbol->offset != section->address_bytes;
		return false;
	}
	return true;
}

/* The section of an entry: SHN_COMMON, or an index of sections, or 0 for none. */
static size_t section_of(const struct symbol_table *table, const GElf_Sym *entry,
			 Elf32_Word extended)
{
	const struct elsewhere *elsewhere = table->elsewhere;
	size_t section = entry->st_shndx >= SHN_LORESERVE ? 0 : entry->st_shndx;

	if (entry->st_shndx == SHN_XINDEX)
		section = extended;
	else if (entry->st_shndx == SHN_COMMON || GELF_ST_TYPE(entry->st_info) == STT_COMMON)
		return SHN_COMMON;
	if (elsewhere == NULL)
		return section;
	return section < elsewhere->section_count ? elsewhere->sections[section] : 0;
}

/* Units are files named before their local symbols. */
struct unit {
	const char *name; /* NULL: none */
	size_t index;
};

static bool make_symbol(struct reading *reading, const struct symbol_table *table,
			const GElf_Sym *entry, Elf32_Word extended, const struct unit *unit,
			const char *name, struct code_symbol *symbol)
{
	unsigned type = GELF_ST_TYPE(entry->st_info);
	size_t section = section_of(table, entry, extended);

	if (type == STT_SECTION || name[0] == '\0' || is_mapping(table, name))
		return false;
	/* The same function's code, named by itself, as older compilers do. */
	if (table->descriptors.count > 0 && name[0] == '.' && name[1] != '\0')
		name++;
	*symbol = (struct code_symbol){
		.name = name,
		.unit_index = CODE_NONE,
		.member = reading->image->member_count - 1,
		.stated_bytes = entry->st_size,
		.kind = kind_of(type, section == SHN_COMMON),
		.binding = binding_of(GELF_ST_BIND(entry->st_info)),
	};
	if (symbol->binding == CODE_LOCAL) {
		symbol->unit = unit->name;
		symbol->unit_index = unit->name == NULL ? CODE_NONE : unit->index;
	}
	return place(reading, table, entry, section, symbol);
}

/* All entries that name bytes, in the order of the table. */
static void collect(struct reading *reading, const struct symbol_table *table,
		    struct extents *extents)
{
	struct unit unit = { NULL, 0 };
	size_t i;

	/* One piece of memory: growing by halves costs a library of 60,000 symbols a tenth. */
	extents->items = array_reserve(extents->arena, extents->items, extents->count,
				       extents->count + table->count, &extents->capacity,
				       sizeof *extents->items);
	for (i = 1; i < table->count; i++) {
		Elf32_Word extended = 0;
		struct code_symbol symbol;
		GElf_Sym entry;
		const char *name;

		if (gelf_getsymshndx(table->symbols, table->indices, (int)i, &entry, &extended) ==
		    NULL)
			break;
		name =
		    entry.st_name < table->names.length ? table->names.bytes + entry.st_name : "";
		if (GELF_ST_TYPE(entry.st_info) == STT_FILE) {
			unit.name = name[0] == '\0' ? NULL : name;
			unit.index++;
		} else if (entry.st_shndx != SHN_UNDEF &&
			   make_symbol(reading, table, &entry, extended, &unit, name, &symbol)) {
			*array_push(extents->arena, extents->items, extents->count,
				    extents->capacity) = symbol;
		}
	}
}

static bool in_cold_section(const struct code_image *image, const struct code_symbol *symbol)
{
	return symbol->section != CODE_NONE && image->sections[symbol->section].executable &&
	       image->sections[symbol->section].cold;
}

static void name_symbols(struct reading *reading, size_t first)
{
	const struct code_image *image = reading->image;
	size_t i;

	for (i = first; i < image->symbol_count; i++) {
		struct code_symbol *symbol = &image->symbols[i];

		symbol->base = name_base(reading->arena, symbol->name);
		symbol->cold = in_cold_section(image, symbol) || name_is_cold(symbol->name);
		if (image->archive && symbol->unit == NULL && symbol->binding == CODE_LOCAL)
			symbol->unit = image->members[symbol->member].name;
	}
}

/* Of a stripped object: the symbols of a file elsewhere instead of the dynamic ones, or beside
 * them. */
static void read_elsewhere(struct reading *reading, const struct elf_object *object,
			   struct code_member *member, struct extents *extents)
{
	struct symbol_table table = { 0 };
	struct elsewhere elsewhere = { .fd = -1 };
	bool found = reading->debug != NULL && object->name == NULL &&
		     elsewhere_find(reading, object, reading->debug, &elsewhere);

	if ((!found || !elsewhere.complete) &&
	    open_table(reading, object->elf, SHT_DYNSYM, object->elf, member, &table))
		collect(reading, &table, extents);
	table.elsewhere = &elsewhere;
	if (found && open_table(reading, elsewhere.elf, SHT_SYMTAB, object->elf, member, &table)) {
		collect(reading, &table, extents);
		member->symbols_from = elsewhere.from;
	}
	elsewhere_close(&elsewhere);
}

bool symbols_read(struct reading *reading, const struct elf_object *object,
		  struct code_member *member, struct error *err)
{
	struct symbol_table table = { 0 };
	struct extents extents = { .arena = arena_open() };
	size_t first = reading->image->symbol_count;

	(void)err;
	if (member->stripped)
		read_elsewhere(reading, object, member, &extents);
	else if (open_table(reading, object->elf, SHT_SYMTAB, object->elf, member, &table))
		collect(reading, &table, &extents);
	extents_divide(&extents, reading, object, member);
	name_symbols(reading, first);
	arena_close(extents.arena);
	return true;
}
