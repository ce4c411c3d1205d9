/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sections: what each is for, and the totals that follow from their flags.
 * The Berkeley and GNU conventions are those of size.c of binutils 2.40: code
 * is text; what else is loaded and not writable is text in Berkeley's format
 * and data in GNU's; the rest is data with contents and bss without.
 */
#include <elf.h>
#include <gelf.h>
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "binary/machine.h"
#include "binary/reading.h"

static bool starts(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool one_of(const char *name, const char *const *prefixes)
{
	size_t i;

	for (i = 0; prefixes[i] != NULL; i++)
		if (starts(name, prefixes[i]))
			return true;
	return false;
}

/* What grows along with code without being run or read by it. */
static const char *const metadata_prefixes[] = {
	".eh_frame",
	".gcc_except_table",
	".BTF",
	".orc_",
	".ARM.ex",
	".note",
	".comment",
	".debug_frame",
	".sframe",
	".modinfo",
	"__bug_table",
	"__ex_table",
	".altinstructions",
	".smp_locks",
	"__mcount_loc",
	"__patchable_function_entries",
	".retpoline_sites",
	".return_sites",
	".call_sites",
	".ibt_endbr_seal",
	"__jump_table",
	".static_call_sites",
	".parainstructions",
	".llvm_addrsig",
	".stack_sizes",
	NULL,
};

static const char *const linking_prefixes[] = {
	".dyn", ".gnu.hash", ".hash",	  ".gnu.version", ".rela.",   ".rel.", ".relr.", ".interp",
	".got", ".plt",	     "__ksymtab", ".gnu.prelink", ".liblist", ".opd",  NULL,
};

static const char *const debug_prefixes[] = { ".debug",	    ".zdebug",	     ".stab", ".gdb_index",
					      ".gnu_debug", ".gnu.debuglto", NULL };

static const char *const cold_prefixes[] = { ".text.unlikely", ".text.cold", ".text.exit",
					     ".text.startup",  ".init.text", ".exit.text",
					     ".init",	       ".fini",	     NULL };

static bool is_linking_type(unsigned type)
{
	return type == SHT_DYNAMIC || type == SHT_DYNSYM || type == SHT_HASH ||
	       type == SHT_GNU_HASH || type == SHT_REL || type == SHT_RELA || type == SHT_RELR ||
	       type == SHT_GNU_versym || type == SHT_GNU_verdef || type == SHT_GNU_verneed ||
	       type == SHT_STRTAB;
}

static enum code_section_kind kind_of_loaded(const GElf_Shdr *header, const char *name)
{
	if (header->sh_flags & SHF_EXECINSTR)
		return CODE_SECTION_CODE;
	if (header->sh_flags & SHF_TLS)
		return CODE_SECTION_TLS;
	if (is_linking_type(header->sh_type) || one_of(name, linking_prefixes))
		return CODE_SECTION_LINKING;
	if (header->sh_type == SHT_NOTE || one_of(name, metadata_prefixes))
		return CODE_SECTION_METADATA;
	if (header->sh_type == SHT_NOBITS)
		return CODE_SECTION_BSS;
	/* In vmlinux .rodata is writable by its flags: the name says more. */
	if (!(header->sh_flags & SHF_WRITE) || starts(name, ".rodata") ||
	    starts(name, ".data.rel.ro"))
		return CODE_SECTION_READ_ONLY;
	return CODE_SECTION_DATA;
}

static enum code_section_kind kind_of(const GElf_Shdr *header, const char *name)
{
	if (header->sh_flags & SHF_ALLOC)
		return kind_of_loaded(header, name);
	if (one_of(name, debug_prefixes))
		return CODE_SECTION_DEBUG;
	if (header->sh_type == SHT_SYMTAB || header->sh_type == SHT_STRTAB ||
	    header->sh_type == SHT_SYMTAB_SHNDX || header->sh_type == SHT_REL ||
	    header->sh_type == SHT_RELA)
		return CODE_SECTION_SYMBOLS;
	return CODE_SECTION_OTHER;
}

static void fill_section(struct reading *reading, const struct elf_object *object,
			 struct code_section *section, const GElf_Shdr *header)
{
	const char *name = section->name;

	section->kind = kind_of(header, name);
	section->address = header->sh_addr;
	section->alignment = header->sh_addralign;
	section->loaded = (header->sh_flags & SHF_ALLOC) != 0;
	section->writable = (header->sh_flags & SHF_WRITE) != 0;
	section->executable = section->loaded && (header->sh_flags & SHF_EXECINSTR) != 0;
	section->compressed = (header->sh_flags & SHF_COMPRESSED) != 0 || starts(name, ".zdebug");
	section->address_bytes = section->loaded ? header->sh_size : 0;
	section->in_file = header->sh_type != SHT_NOBITS;
	section->file_bytes = section->in_file ? header->sh_size : 0;
	section->file_offset = object->offset + header->sh_offset;
	section->cold = one_of(name, cold_prefixes);
	if (section->in_file && header->sh_size > 0 &&
	    (header->sh_offset > object->bytes ||
	     header->sh_size > object->bytes - header->sh_offset))
		reading_partial(reading,
				"section %s reaches beyond the end of the file: it is truncated or "
				"damaged",
				text_clean(reading->arena, name, strlen(name)));
}

static struct code_section *push_section(struct reading *reading)
{
	struct code_image *image = reading->image;
	struct code_section *section;

	*array_push(reading->arena, reading->pieces, image->section_count,
		    reading->pieces_capacity) = (struct pieces){ 0 };
	image->section_count--;
	section = array_push(reading->arena, image->sections, image->section_count,
			     reading->section_capacity);
	*section = (struct code_section){ .member = image->member_count - 1 };
	return section;
}

/* A file without section headers still has segments: they stand for sections. */
static void segments_as_sections(struct reading *reading, const struct elf_object *object)
{
	size_t count = 0, i;
	GElf_Phdr segment;

	elf_getphdrnum(object->elf, &count);
	for (i = 0; i < count && gelf_getphdr(object->elf, (int)i, &segment) != NULL; i++) {
		struct code_section *section;
		GElf_Shdr header = {
			.sh_type = segment.p_filesz > 0 ? SHT_PROGBITS : SHT_NOBITS,
			.sh_flags = SHF_ALLOC | (segment.p_flags & PF_W ? SHF_WRITE : 0) |
				    (segment.p_flags & PF_X ? SHF_EXECINSTR : 0),
			.sh_addr = segment.p_vaddr,
			.sh_offset = segment.p_offset,
			.sh_size = segment.p_filesz > 0 ? segment.p_filesz : segment.p_memsz,
			.sh_addralign = segment.p_align,
		};

		if (segment.p_type != PT_LOAD)
			continue;
		section = push_section(reading);
		section->name = arena_printf(reading->arena, "segment %zu", i);
		section->elf_index = reading->image->section_count - reading->first_section;
		fill_section(reading, object, section, &header);
		if (segment.p_filesz == 0 || segment.p_memsz <= segment.p_filesz)
			continue;
		header.sh_type = SHT_NOBITS;
		header.sh_addr += segment.p_filesz;
		header.sh_size = segment.p_memsz - segment.p_filesz;
		section = push_section(reading);
		section->name = arena_printf(reading->arena, "segment %zu (zero)", i);
		section->elf_index = reading->image->section_count - reading->first_section;
		fill_section(reading, object, section, &header);
	}
	if (count > 0 && reading->image->stated == NULL)
		reading->image->stated =
		    "The file has no section headers; its segments stand for sections.";
}

/* Build id: the note of owner GNU and type 3. */
static void read_notes(struct reading *reading, struct code_member *member, Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t offset = 0, name_offset, bytes_offset;
	GElf_Nhdr note;

	while (data != NULL && data->d_type == ELF_T_NHDR && offset < data->d_size &&
	       (offset = gelf_getnote(data, offset, &note, &name_offset, &bytes_offset)) > 0) {
		const unsigned char *bytes = (unsigned char *)data->d_buf + bytes_offset;
		char *text;
		size_t i;

		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || note.n_descsz == 0 ||
		    note.n_descsz > 64 || memcmp((char *)data->d_buf + name_offset, "GNU", 4) != 0)
			continue;
		text = arena_alloc(reading->arena, note.n_descsz * 2 + 1, 1);
		for (i = 0; i < note.n_descsz; i++) {
			text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
			text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
		}
		member->build_id = text;
		return;
	}
}

static void read_debug_link(struct reading *reading, struct code_member *member, Elf_Scn *scn)
{
	Elf_Data *data = elf_rawdata(scn, NULL);

	if (data != NULL && data->d_size > 0 && memchr(data->d_buf, '\0', data->d_size) != NULL)
		member->debug_link = arena_strdup(reading->arena, data->d_buf);
}

/* The type in a compressed section's own header: its first word. */
static bool is_zstd(Elf_Scn *scn)
{
	GElf_Chdr header;

	return gelf_getchdr(scn, &header) != NULL && header.ch_type == 2;
}

static void note_section(struct reading *reading, struct code_member *member, Elf_Scn *scn,
			 const GElf_Shdr *header, const char *name)
{
	if (header->sh_type == SHT_NOTE && member->build_id == NULL)
		read_notes(reading, member, scn);
	if (strcmp(name, ".gnu_debuglink") == 0 && header->sh_type == SHT_PROGBITS)
		read_debug_link(reading, member, scn);
	if (strcmp(name, ".debug_info") == 0 || strcmp(name, ".zdebug_info") == 0) {
		member->debug = header->sh_type != SHT_NOBITS;
		member->debug_zstd = (header->sh_flags & SHF_COMPRESSED) && is_zstd(scn);
	}
	if (header->sh_type == SHT_SYMTAB)
		member->stripped = false;
	if (starts(name, ".gnu.lto_") || strcmp(name, ".llvm.lto") == 0)
		member->no_code = "an LTO object";
}

static bool damaged_section(const struct elf_object *object, size_t index, struct error *err)
{
	(void)object;
	return error_set(err, ERROR_INPUT, "header of section %zu is damaged: %s", index,
			 elf_errmsg(-1));
}

/* An object of a slim LTO build has the compiler's own representation and no code. A fat one has
 * both. */
static void judge_lto(struct reading *reading, struct code_member *member)
{
	const struct code_image *image = reading->image;
	size_t i;

	if (member->no_code == NULL)
		return;
	member->no_code = "it is an LTO object, which has no machine code yet; link it first";
	for (i = reading->first_section; i < image->section_count; i++)
		if (image->sections[i].executable && image->sections[i].address_bytes > 0)
			member->no_code = NULL;
}

static void read_header(struct code_member *member, const struct elf_object *object)
{
	GElf_Ehdr header;

	if (gelf_getehdr(object->elf, &header) == NULL)
		return;
	member->machine = header.e_machine;
	member->machine_name = machine_name(header.e_machine);
	member->type = header.e_type;
	member->wide = header.e_ident[EI_CLASS] == ELFCLASS64;
	member->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
}

bool sections_read(struct reading *reading, const struct elf_object *object,
		   struct code_member *member, struct error *err)
{
	size_t strings = 0, index;
	Elf_Scn *scn = NULL;

	read_header(member, object);
	member->stripped = true;
	if (elf_getshdrstrndx(object->elf, &strings) != 0)
		strings = SHN_UNDEF;
	while ((scn = elf_nextscn(object->elf, scn)) != NULL) {
		struct code_section *section;
		GElf_Shdr header;
		const char *name;

		index = elf_ndxscn(scn);
		if (gelf_getshdr(scn, &header) == NULL)
			return damaged_section(object, index, err);
		section = push_section(reading);
		section->elf_index = index;
		name =
		    strings == SHN_UNDEF ? NULL : elf_strptr(object->elf, strings, header.sh_name);
		section->name = name == NULL ? arena_printf(reading->arena, "section %zu", index)
					     : arena_strdup(reading->arena, name);
		if (header.sh_type == SHT_NULL)
			continue;
		fill_section(reading, object, section, &header);
		note_section(reading, member, scn, &header, section->name);
	}
	if (reading->image->section_count == reading->first_section)
		segments_as_sections(reading, object);
	judge_lto(reading, member);
	return true;
}

void sections_sum(const struct code_image *image, struct code_totals *totals)
{
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		const struct code_section *section = &image->sections[i];
		uint64_t bytes = section->address_bytes;

		if (section->executable)
			totals->gnu_text_bytes += bytes;
		else if (section->in_file)
			totals->gnu_data_bytes += bytes;
		else
			totals->gnu_bss_bytes += bytes;
		if (section->executable || !section->writable)
			totals->text_bytes += bytes;
		else if (section->in_file)
			totals->data_bytes += bytes;
		else
			totals->bss_bytes += bytes;
	}
}
