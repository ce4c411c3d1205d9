/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the debug information of one object. Objects with addresses go to
 * libdw directly; relocatable ones through libdwfl, because dwarf_begin() does
 * not apply relocations (elfutils 0.188: range lists then fail and names are
 * wrong). libdwfl lays the sections out at addresses of its own, which is why
 * the spans of code are read from the object it hands back.
 */
#include "binary/debug/debug.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "binary/debug/find.h"
#include "binary/debug/inflate.h"
#include "binary/debug/split.h"
#include "binary/elf/check.h"
#include "binary/elf/sections.h"

/* Maps over the code are allocated by its size. Code is in the file, except where debug
 * information was split off; that is larger than the code it describes, and -g1 not much smaller.
 */
static const uint64_t always_allowed_bytes = UINT64_C(1) << 20;
static const uint64_t allowed_factor = 16;

static bool open_memory(const struct debug_source *source, int *fd, struct error *err)
{
	size_t done = 0;
	int copy = memfd_create("worth-object", MFD_CLOEXEC);

	if (copy < 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a memory file: %s",
				 strerror(errno));
	while (done < source->length) {
		ssize_t put =
		    write(copy, (const char *)source->bytes + done, source->length - done);

		if (put <= 0 && errno != EINTR) {
			close(copy);
			return error_set(err, ERROR_SYSTEM, "cannot write a memory file: %s",
					 strerror(errno));
		}
		done += put > 0 ? (size_t)put : 0;
	}
	*fd = copy;
	return true;
}

static bool open_path(const char *path, int *fd, struct error *err)
{
	struct stat status;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0 || fstat(*fd, &status) != 0)
		return error_set(err, ERROR_SYSTEM, "cannot open it: %s", strerror(errno));
	if (!S_ISREG(status.st_mode))
		return error_set(err, ERROR_INPUT, "it is not a regular file");
	return true;
}

/* The ELF object behind *fd; zstd sections are inflated, which replaces *fd. */
static bool begin_elf(int *fd, Elf **elf, struct error *err)
{
	int inflated;

	/* libelf believes headers; they are held against the size of the file before it sees them.
	 */
	if (!elf_check_file(*fd, err))
		return false;
	*elf = elf_begin(*fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (*elf == NULL || elf_kind(*elf) != ELF_K_ELF)
		return error_set(err, ERROR_INPUT, "it is not an ELF object");
	switch (inflate_needed(*elf, err)) {
	case INFLATE_NOTHING:
		return true;
	case INFLATE_REFUSED:
		return false;
	case INFLATE_ZSTD:
		break;
	}
	if (!inflate_zstd(*elf, &inflated, err))
		return false;
	elf_end(*elf);
	close(*fd);
	*fd = inflated;
	*elf = elf_begin(*fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	return *elf != NULL || error_set(err, ERROR_INPUT, "it is not an ELF object");
}

static bool starts_with(const char *string, const char *prefix)
{
	return strncmp(string, prefix, strlen(prefix)) == 0;
}

/* Whether a section with contents has a name that starts so. */
static bool has_section(Elf *elf, const char *prefix)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) != NULL && header.sh_type != SHT_NOBITS &&
		    header.sh_size > 0 && starts_with(elf_section_name(elf, &header), prefix))
			return true;
	}
	return false;
}

static bool has_debug_info(Elf *elf)
{
	return has_section(elf, ".debug_info") || has_section(elf, ".zdebug_info");
}

/* Of gcc -flto: the program in gcc's own form, and neither code nor data. */
static bool is_slim_lto(Elf *elf)
{
	return has_section(elf, ".gnu.lto_") && !has_section(elf, ".text") &&
	       !has_section(elf, ".debug_info");
}

/* libdw finds supplementary files only for objects that it opened by path. */
static void set_supplement(struct debug *debug)
{
	const char *name;
	const void *build_id;
	ssize_t length = dwelf_dwarf_gnu_debugaltlink(debug->dwarf, &name, &build_id);
	char *path;

	if (length <= 0)
		return;
	path = debug_find_supplement(debug->arena, debug->path, name, build_id, (size_t)length,
				     debug->settings);
	if (path != NULL && open_path(path, &debug->alt_fd, NULL) &&
	    begin_elf(&debug->alt_fd, &debug->alt_elf, NULL))
		debug->alt_dwarf = dwarf_begin_elf(debug->alt_elf, DWARF_C_READ, NULL);
	if (debug->alt_dwarf != NULL)
		dwarf_setalt(debug->dwarf, debug->alt_dwarf);
	else
		debug->missing = arena_printf(
		    debug->arena,
		    path == NULL ? "the supplementary debug file %s was not found, so some names "
				   "are missing: name its directory with --debug-dir"
				 : "the supplementary debug file %s cannot be read, so some names "
				   "are missing",
		    text_clean(debug->arena, path == NULL ? name : path,
			       strlen(path == NULL ? name : path)));
}

static bool open_placed(struct debug *debug, struct error *err)
{
	const char *object_path = debug->path;
	Elf *elf = debug->elf;

	if (!has_debug_info(elf)) {
		char *looked_for, *path = debug_find(debug->arena, elf, debug->path,
						     debug->settings, &looked_for);

		if (path == NULL) {
			debug->missing = looked_for;
			return true;
		}
		if (!open_path(path, &debug->other_fd, err) ||
		    !begin_elf(&debug->other_fd, &debug->other_elf, err))
			return error_prefix(err, "the debug file %s", path);
		elf = debug->other_elf;
		debug->path = path;
	}
	debug->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (debug->dwarf == NULL)
		debug->missing = arena_printf(
		    debug->arena, "its debug information cannot be read (%s)", dwarf_errmsg(-1));
	if (debug->dwarf != NULL) {
		debug_split_gather(debug, object_path);
		set_supplement(debug);
	}
	return true;
}

/* Called by libdwfl where a relocatable object has no debug information of its own. */
static int find_for_dwfl(Dwfl_Module *module, void **userdata, const char *module_name,
			 Dwarf_Addr base, const char *file_name, const char *link_name,
			 GElf_Word checksum, char **debug_path)
{
	struct debug *debug = *userdata;
	char *looked_for, *path;
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	int fd;

	(void)module_name, (void)base, (void)file_name, (void)link_name, (void)checksum;
	if (elf == NULL || debug == NULL || has_debug_info(elf))
		return -1;
	path = debug_find(debug->arena, elf, debug->path, debug->settings, &looked_for);
	if (path == NULL) {
		debug->missing = looked_for;
		return -1;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		debug->path = path;
		*debug_path = strdup(path);
	}
	return fd;
}

static const Dwfl_Callbacks dwfl_callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_for_dwfl,
	.section_address = dwfl_offline_section_address,
};

/* Why there is no debug information in a relocatable object. */
static const char *missing_sentence(struct debug *debug)
{
	if (!has_debug_info(debug->elf))
		return "no debug information: build with -g";
	return arena_printf(debug->arena, "its debug information cannot be relocated (libdwfl: %s)",
			    dwfl_errmsg(-1));
}

/* elfutils 0.188 has no backend for MIPS: the module opens, and has no units. */
static bool machine_is_unknown(Elf *elf)
{
	GElf_Ehdr header;

	return gelf_getehdr(elf, &header) != NULL && header.e_machine == EM_MIPS;
}

static bool open_relocatable(struct debug *debug, struct error *err)
{
	Dwfl_Module *module;
	Dwarf_Addr dwarf_bias = 0, elf_bias = 0;
	void **userdata;
	int fd = dup(debug->fd);

	elf_end(debug->elf);
	debug->elf = NULL;
	debug->dwfl = dwfl_begin(&dwfl_callbacks);
	if (debug->dwfl == NULL || fd < 0) {
		close(fd);
		return error_set(err, ERROR_SYSTEM, "libdwfl: %s", dwfl_errmsg(-1));
	}
	/* On success libdwfl owns the descriptor. */
	module = dwfl_report_offline(debug->dwfl, "object", debug->path, fd);
	if (module == NULL) {
		close(fd);
		return error_set(err, ERROR_INPUT, "libdwfl: %s", dwfl_errmsg(-1));
	}
	dwfl_report_end(debug->dwfl, NULL, NULL);
	dwfl_module_info(module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
	*userdata = debug;
	debug->module = module;
	debug->elf = dwfl_module_getelf(module, &elf_bias);
	if (debug->elf == NULL)
		return error_set(err, ERROR_INPUT, "libdwfl: %s", dwfl_errmsg(-1));
	if (is_slim_lto(debug->elf)) {
		debug->missing = "it is an object for link-time optimisation and has no code yet: "
				 "link it first";
		return true;
	}
	if (machine_is_unknown(debug->elf)) {
		debug->missing = "the relocations of MIPS objects are unknown to libdw: link the "
				 "object first, or compare symbols only";
		return true;
	}
	debug->dwarf = dwfl_module_getdwarf(module, &dwarf_bias);
	if (debug->dwarf == NULL && debug->missing == NULL)
		debug->missing = missing_sentence(debug);
	debug->elf_bias = debug->dwarf == NULL ? 0 : elf_bias - dwarf_bias;
	debug->module_bias = debug->dwarf == NULL ? elf_bias : dwarf_bias;
	return true;
}

/* Run rarely or once: costs size, not speed. */
static bool is_cold_section(const char *name)
{
	return starts_with(name, ".text.unlikely") || starts_with(name, ".text.exit") ||
	       starts_with(name, ".text.startup") || starts_with(name, ".init") ||
	       starts_with(name, ".exit") || starts_with(name, ".fini") ||
	       starts_with(name, ".meminit") || starts_with(name, ".cpuinit") ||
	       strcmp(name, ".text.cold") == 0;
}

static bool is_cold_symbol(const char *name)
{
	const char *part = strstr(name, ".cold");

	return part != NULL && (part[5] == '\0' || part[5] == '.');
}

static bool read_sections(struct debug *debug, Elf_Scn **symbols, struct error *err)
{
	Elf_Scn *section = NULL;
	size_t file_bytes = 0;

	while ((section = elf_nextscn(debug->elf, section)) != NULL) {
		GElf_Shdr header;
		uint64_t low, high;

		if (gelf_getshdr(section, &header) == NULL)
			return error_set(err, ERROR_INPUT, "its section headers are damaged");
		if (header.sh_type == SHT_SYMTAB)
			*symbols = section;
		else if (header.sh_type == SHT_DYNSYM && *symbols == NULL)
			*symbols = section;
		if (!(header.sh_flags & SHF_ALLOC) || !(header.sh_flags & SHF_EXECINSTR))
			continue;
		low = header.sh_addr + debug->elf_bias;
		if (__builtin_add_overflow(low, header.sh_size, &high))
			return error_set(err, ERROR_INPUT,
					 "a section reaches past the end of "
					 "the address space");
		spans_add(&debug->code, low, high);
		if (is_cold_section(elf_section_name(debug->elf, &header)))
			spans_add(&debug->cold, low, high);
	}
	spans_normalise(&debug->code);
	elf_rawfile(debug->elf, &file_bytes);
	if (spans_bytes(debug->code.items, debug->code.count) >
	    always_allowed_bytes + allowed_factor * file_bytes)
		return error_set(err, ERROR_INPUT,
				 "its executable sections claim more code than a file of its size "
				 "can have: it is truncated or damaged");
	return true;
}

/* The address of a symbol's section is in its value, except in relocatable objects. */
static bool symbol_address(struct debug *debug, const GElf_Sym *symbol, uint64_t *address)
{
	GElf_Shdr header;
	GElf_Ehdr file_header;
	Elf_Scn *section;

	if (gelf_getehdr(debug->elf, &file_header) == NULL)
		return false;
	*address = symbol->st_value;
	/* Thumb functions have bit 0 set. */
	if (file_header.e_machine == EM_ARM)
		*address &= ~UINT64_C(1);
	*address += debug->elf_bias;
	if (!debug->relocatable)
		return true;
	section = elf_getscn(debug->elf, symbol->st_shndx);
	if (symbol->st_shndx >= SHN_LORESERVE || section == NULL ||
	    gelf_getshdr(section, &header) == NULL)
		return false;
	*address += header.sh_addr;
	return true;
}

static void read_symbols(struct debug *debug, Elf *elf, Elf_Scn *section)
{
	Elf_Data *data = section == NULL ? NULL : elf_getdata(section, NULL);
	GElf_Shdr header;
	size_t count, i;

	if (data == NULL || gelf_getshdr(section, &header) == NULL || header.sh_entsize == 0)
		return;
	count = data->d_size / header.sh_entsize;
	for (i = 0; i < count; i++) {
		GElf_Sym symbol;
		uint64_t low;
		int type;
		const char *name;

		if (gelf_getsym(data, (int)i, &symbol) == NULL)
			break;
		type = GELF_ST_TYPE(symbol.st_info);
		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_size == 0 ||
		    symbol.st_shndx == SHN_UNDEF || !symbol_address(debug, &symbol, &low))
			continue;
		spans_clip(debug->code.items, debug->code.count, low,
			   low > UINT64_MAX - symbol.st_size ? UINT64_MAX : low + symbol.st_size,
			   &debug->functions);
		name = elf_strptr(elf, header.sh_link, symbol.st_name);
		if (name != NULL && is_cold_symbol(name))
			spans_add(&debug->cold, low, low + symbol.st_size);
	}
}

/* The table that a stripped file left in its debug file says more than the dynamic one. */
static Elf *find_table(const struct debug *debug, Elf_Scn **symbols)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (debug->other_elf == NULL ||
	    (*symbols != NULL && gelf_getshdr(*symbols, &header) != NULL &&
	     header.sh_type == SHT_SYMTAB))
		return debug->elf;
	while ((section = elf_nextscn(debug->other_elf, section)) != NULL)
		if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_SYMTAB) {
			*symbols = section;
			return debug->other_elf;
		}
	return debug->elf;
}

static bool open_source(const struct debug_source *source, struct debug *debug, struct error *err)
{
	GElf_Ehdr header;
	Elf_Scn *symbols = NULL;
	Elf *elf;

	if (source->bytes != NULL ? !open_memory(source, &debug->fd, err)
				  : !open_path(source->path, &debug->fd, err))
		return false;
	if (!begin_elf(&debug->fd, &debug->elf, err))
		return false;
	if (gelf_getehdr(debug->elf, &header) == NULL)
		return error_set(err, ERROR_INPUT, "its ELF header is damaged");
	debug->relocatable = header.e_type == ET_REL;
	if (debug->relocatable ? !open_relocatable(debug, err) : !open_placed(debug, err))
		return false;
	if (!read_sections(debug, &symbols, err))
		return false;
	elf = find_table(debug, &symbols);
	read_symbols(debug, elf, symbols);
	spans_normalise(&debug->functions);
	spans_normalise(&debug->cold);
	return true;
}

bool debug_open(struct arena *arena, const struct debug_source *source,
		const struct debug_settings *settings, struct debug *debug, struct error *err)
{
	*debug = (struct debug){ .fd = -1,
				 .other_fd = -1,
				 .alt_fd = -1,
				 .path = source->path,
				 .settings = settings,
				 .arena = arena };
	elf_version(EV_CURRENT);
	if (open_source(source, debug, err))
		return true;
	debug_close(debug);
	return source->name == NULL ? error_prefix(err, "%s", source->path)
				    : error_prefix(err, "%s(%s)", source->path, source->name);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void debug_close(struct debug *debug)
{
	if (debug->dwfl != NULL) {
		/* elf and dwarf are its own, once it has handed them out. */
		dwfl_end(debug->dwfl);
	} else {
		dwarf_end(debug->dwarf);
		elf_end(debug->elf);
	}
	dwarf_end(debug->alt_dwarf);
	elf_end(debug->other_elf);
	elf_end(debug->alt_elf);
	close_fd(&debug->fd);
	close_fd(&debug->other_fd);
	close_fd(&debug->alt_fd);
	spans_release(&debug->code);
	spans_release(&debug->cold);
	spans_release(&debug->functions);
	*debug = (struct debug){ .fd = -1, .other_fd = -1, .alt_fd = -1 };
}
