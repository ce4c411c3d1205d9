/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_CODE_H
#define MODEL_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The machine code of a file as plain data, and what differs between two of
 * them. A file is one image; an archive is one image too, with a member for
 * each object in it, so that every list below is flat: a symbol names its
 * section by index, a section its member. binary/ fills these, report/ shows
 * them, nobody else changes them.
 *
 * "Bytes" are always bytes of the file's code or data, counted once: other
 * names of the same bytes are aliases. Strings are raw (as in the file) unless
 * the comment says clean. What is unknown is said so by a flag of its own, and
 * never by a 0.
 */

/* No index: a symbol without section, a byte range without symbol. */
#define CODE_NONE ((size_t)-1)

/* What a section is for. */
enum code_section_kind {
	CODE_SECTION_CODE,	/* executable */
	CODE_SECTION_READ_ONLY, /* constants, strings, jump tables */
	CODE_SECTION_METADATA,	/* unwind tables, BTF, ORC, notes: what grows along with code */
	CODE_SECTION_LINKING,	/* dynamic symbols, relocations, hash tables that are loaded */
	CODE_SECTION_DATA,	/* writable and initialised */
	CODE_SECTION_BSS,	/* writable, zero, not in the file */
	CODE_SECTION_TLS,	/* .tdata and .tbss */
	CODE_SECTION_DEBUG,	/* DWARF, not loaded */
	CODE_SECTION_SYMBOLS,	/* symbol and string tables, relocations; not loaded */
	CODE_SECTION_OTHER,	/* not loaded, nothing of the above */
	CODE_SECTION_KINDS,
};

struct code_section {
	const char *name;
	size_t member;	  /* index into members */
	size_t elf_index; /* number of the section in its object */
	enum code_section_kind kind;
	uint64_t address;	/* sh_addr; 0 in relocatable objects */
	uint64_t address_bytes; /* sh_size of a loaded section, else 0 */
	uint64_t file_offset;	/* from the start of the file (of the member in a thin archive) */
	uint64_t file_bytes;	/* what it takes in the file: 0 for .bss, compressed size */
	uint64_t alignment;
	bool loaded, writable, executable, compressed;
	bool in_file; /* not SHT_NOBITS */
	bool cold;    /* .text.unlikely and the like, .init.text, .exit.text */
	/* Of an executable section: covered by function symbols, and not. Add up to address_bytes.
	 */
	uint64_t function_bytes, unnamed_bytes, padding_bytes, hole_bytes;
	/* Of any loaded section: covered by symbols of any kind. */
	uint64_t symbol_bytes;
};

/* One ELF object: the file itself, or a member of an archive. */
struct code_member {
	const char *name;	  /* in its archive; NULL: the file itself */
	unsigned machine;	  /* EM_* */
	const char *machine_name; /* "x86-64", "PowerPC"; never NULL */
	unsigned type;		  /* ET_REL, ET_EXEC, ET_DYN, ET_CORE */
	bool wide;		  /* 64 bit */
	bool big_endian;
	const char *build_id;	  /* hexadecimal, or NULL */
	bool stripped;		  /* no .symtab; symbols come from .dynsym if there is one */
	const char *symbols_from; /* of a stripped object: where its symbols were, ".gnu_debugdata"
				     or a file; clean; NULL: they are the dynamic ones */
	bool debug;		  /* has .debug_info itself */
	bool debug_zstd;	  /* with sections compressed by zstd */
	const char *debug_link;	  /* file name in .gnu_debuglink, or NULL */
	uint64_t file_offset;	  /* of the object in the archive */
	uint64_t file_bytes;
	const char *no_code; /* why it has none: "an LTO object: link first"; clean; or NULL */
};

/* Every byte of the file, and every byte of the memory image, has exactly one of these. */
enum code_label {
	CODE_LABEL_FUNCTION,  /* of a function symbol */
	CODE_LABEL_UNNAMED,   /* code that no symbol covers */
	CODE_LABEL_PADDING,   /* filler between functions, up to an alignment of 64 */
	CODE_LABEL_HOLE,      /* longer filler, made by a linker script (2 MiB in vmlinux) */
	CODE_LABEL_READ_ONLY, /* from here on by kind of section */
	CODE_LABEL_METADATA,
	CODE_LABEL_LINKING,
	CODE_LABEL_DATA,
	CODE_LABEL_BSS,
	CODE_LABEL_COMMON, /* common symbols of relocatable objects: no section yet */
	CODE_LABEL_TLS,
	CODE_LABEL_DEBUG,
	CODE_LABEL_SYMBOLS,
	CODE_LABEL_OTHER,
	CODE_LABEL_HEADERS, /* of ELF, its segments and sections, and of the archive */
	CODE_LABEL_GAP,	    /* in no section */
	CODE_LABELS,
};

struct code_map {
	uint64_t file_bytes[CODE_LABELS];
	uint64_t memory_bytes[CODE_LABELS];
	uint64_t file_total;   /* size of the file; the sum of file_bytes */
	uint64_t memory_total; /* loaded segments, or loaded sections where there are none, and
				  common symbols; the sum of memory_bytes */
};

/* The same bytes counted by three habits. */
struct code_totals {
	uint64_t text_bytes, data_bytes, bss_bytes;		/* size: read-only data is text */
	uint64_t gnu_text_bytes, gnu_data_bytes, gnu_bss_bytes; /* size -G: it is data */
	uint64_t function_bytes;				/* of functions alone */
	uint64_t common_bytes;					/* in none of the above */
};

enum code_symbol_kind {
	CODE_SYMBOL_FUNCTION,
	CODE_SYMBOL_IFUNC, /* the resolver's bytes */
	CODE_SYMBOL_OBJECT,
	CODE_SYMBOL_COMMON,
	CODE_SYMBOL_TLS,
	CODE_SYMBOL_UNTYPED, /* assembler labels in code or data */
	CODE_SYMBOL_KINDS,
};

enum code_binding { CODE_LOCAL, CODE_GLOBAL, CODE_WEAK, CODE_UNIQUE };

struct code_symbol {
	const char *name;  /* as in the symbol table */
	const char *base;  /* name without clone suffixes: "f" of "f.constprop.0", "f.cold" */
	const char *unit;  /* STT_FILE before a local symbol; in an archive its member; or NULL */
	const char *source; /* of a symbol without unit: the unit that debug information says, where
			       it was read for that; or NULL */
	size_t unit_index; /* which of the units of its object: tells those of one name apart;
			      CODE_NONE: no unit */
	size_t member;	   /* index into members */
	size_t section;	   /* index into sections; CODE_NONE: common or absolute */
	uint64_t address;  /* as in the symbol table without the Thumb bit: an offset in
			      relocatable objects; in TLS from the start of the template */
	uint64_t offset;   /* from the start of its section */
	uint64_t bytes;	   /* never another symbol's: see binary/symbols.h */
	uint64_t stated_bytes; /* st_size; differs where bytes are inferred or overlap */
	enum code_symbol_kind kind;
	enum code_binding binding;
	bool inferred; /* st_size is 0: bytes reach to the next symbol or the section's end */
	bool cold;     /* in a cold section, or a .cold part */
	const char **aliases; /* raw other names of the same bytes, in file order */
	size_t alias_count;
};

/* One function into which another was inlined. */
struct code_caller {
	const char *name; /* shown, clean */
	const char *file; /* of the caller, normalised; or NULL */
	uint64_t copies;
	uint64_t bytes; /* exclusive */
};

/* A function that was inlined somewhere: all its copies in the image. */
struct code_inlined {
	const char *name;  /* linkage name, else name: with file the identity in both builds */
	const char *shown; /* demangled, clean */
	const char *file;  /* where it is declared, normalised and clean; NULL: unknown */
	uint64_t copies;
	uint64_t copies_with_code; /* at least one byte */
	uint64_t exclusive_bytes;  /* without what is inlined into the copies */
	uint64_t
	    inclusive_bytes; /* with it; only outermost copies, so that recursion counts once */
	uint64_t least_bytes, most_bytes; /* exclusive, of copies with code; the mean is
					     exclusive_bytes / copies_with_code */
	uint64_t cold_bytes;		  /* of exclusive_bytes, in cold sections or .cold parts */
	uint64_t bodies;		  /* out of line */
	uint64_t body_bytes;
	uint64_t calls;		     /* call sites of the bodies, where DWARF lists them */
	struct code_caller *callers; /* most bytes first */
	size_t caller_count;
};

/* An out-of-line function that exists more than once under one identity. */
struct code_duplicate {
	const char *name, *shown, *file;
	uint64_t bodies, body_bytes;
	bool folded; /* one body for several functions */
	bool dead;   /* a weak body that another definition overrides */
};

/* How much of the functions the debug information speaks of, and whether its sums agree. */
struct code_coverage {
	bool read; /* debug information was looked for and found */
	uint64_t
	    function_bytes; /* of function symbols, or of DWARF's functions in stripped files */
	uint64_t described_bytes;  /* of those, in functions that DWARF describes */
	uint64_t exclusive_bytes;  /* sum over all copies */
	uint64_t outermost_bytes;  /* sum of inclusive bytes of the outermost copies */
	uint64_t clipped_bytes;	   /* ranges outside executable sections or their function */
	uint64_t instances;	   /* copies, with and without code */
	uint64_t unreadable_units; /* whose DWARF could not be followed */
	const char *partial;	   /* what is missing and why, clean; NULL: nothing */
};

/* Stack used by one function's frame. */
struct code_frame {
	const char *function; /* linkage name or name */
	const char *shown;
	const char *unit;   /* or NULL */
	uint64_t bytes;	    /* static part */
	bool dynamic;	    /* grows at run time beyond bytes */
	bool bounded;	    /* ... by a bound known to the compiler */
	const char *origin; /* "stack-usage", "CFI", "prologue" */
};

struct code_layout_member {
	const char *name, *type;
	uint64_t offset_bytes, bytes;
	uint64_t hole_bytes; /* after it */
	bool bits;	     /* a bit field */
};

/* A structure's layout. */
struct code_layout {
	const char *name;
	const char *file; /* where it is declared, normalised */
	uint64_t bytes;
	uint64_t hole_bytes, padding_bytes; /* between members; at the end */
	size_t holes;
	struct code_layout_member *members;
	size_t member_count;
};

struct code_image {
	const char *path; /* as given */
	bool archive, thin;
	struct code_member *members;
	size_t member_count;
	struct code_section *sections;
	size_t section_count;
	struct code_symbol *symbols; /* by member, section, offset */
	size_t symbol_count;
	struct code_totals totals;
	struct code_map map;
	const char *partial; /* why figures cover only a part of the file, clean; NULL: whole */
	const char *stated;  /* what a reader should know though nothing is missing; or NULL */

	/* Filled only where asked for. */
	struct code_coverage coverage;
	struct code_inlined *inlines; /* most exclusive bytes first */
	size_t inline_count;
	struct code_duplicate *duplicates;
	size_t duplicate_count;
	struct code_frame *frames;
	size_t frame_count;
	struct code_layout *layouts;
	size_t layout_count;
};

enum code_change_kind {
	CODE_SAME,
	CODE_ADDED,
	CODE_REMOVED,
	CODE_GROWN,
	CODE_SHRUNK,
	CODE_MOVED,   /* same bytes, other section */
	CODE_CHANGED, /* same bytes in sum, parts of other sizes */
};

/* One section name in both images (in archives: in paired members). */
struct code_section_change {
	const char *name;   /* clean */
	const char *member; /* clean, NULL outside of archives */
	enum code_section_kind section_kind;
	enum code_change_kind kind;
	uint64_t baseline_bytes, candidate_bytes; /* in memory, or in the file where not loaded */
	uint64_t baseline_function_bytes, candidate_function_bytes;
	uint64_t baseline_padding_bytes, candidate_padding_bytes; /* padding and holes */
	uint64_t baseline_unnamed_bytes, candidate_unnamed_bytes;
	/* The section's delta and that of its functions differ in sign, or one is 0 and the other
	 * is not: padding or something else absorbed it. */
	bool disagrees;
};

/* One function or object with all its clones and parts, in both images. */
struct code_symbol_change {
	const char *name;    /* the base's, demangled, clean */
	const char *raw;     /* the base's name in the file */
	const char *unit;    /* clean; NULL: global */
	const char *section; /* of the largest part, candidate before baseline; clean; or NULL */
	const char *baseline_section; /* differs from section where kind is CODE_MOVED */
	enum code_symbol_kind symbol_kind;
	enum code_change_kind kind;
	uint64_t baseline_bytes, candidate_bytes;
	size_t *baseline_parts, *candidate_parts; /* indices of symbols */
	size_t baseline_part_count, candidate_part_count;
	const char *note; /* "+2 aliases", "inferred size", "f.cold 12 -> 30"; clean; or NULL */
};

/* One inlined function in both images; a side is NULL where it has no copy. */
struct code_inline_change {
	const char *shown, *file; /* as in struct code_inlined */
	enum code_change_kind kind;
	const struct code_inlined *baseline, *candidate;
	/* candidate - baseline of exclusive bytes = by_copies + by_size: change of copies x
	 * average of the two means, and change of the mean x average of the two numbers of
	 * copies. All of it is by_copies where one side has none. */
	int64_t delta_bytes;
	double by_copies_bytes, by_size_bytes;
	bool became_body; /* fewer copies, and a body where there was none or fewer */
	bool became_copies;
	int64_t body_delta_bytes;
	const char *sentence; /* "183 copies, 5,133 B -> 1 body, 66 B, 181 call sites"; or NULL */
};

struct code_frame_change {
	const char *function, *unit;
	enum code_change_kind kind;
	const struct code_frame *baseline, *candidate; /* NULL: none */
};

struct code_layout_change {
	const char *name, *file;
	enum code_change_kind kind;
	const struct code_layout *baseline, *candidate; /* NULL: none */
};

/* What out-of-lining one function would give back, as a range. */
struct code_candidate {
	const struct code_inlined *inlined;
	double low_bytes, central_bytes, high_bytes;
	const char *rule; /* "a body exists", "a body is added"; clean */
};

/* Two images, or one alone (candidate NULL: no deltas, every row is CODE_SAME). */
struct code_diff {
	const struct code_image *baseline, *candidate;
	struct code_section_change
	    *sections; /* largest |delta| first, changed ones before others */
	size_t section_count;
	struct code_symbol_change *symbols; /* the same; unchanged ones in no order */
	size_t symbol_count;
	struct code_inline_change *inlines;
	size_t inline_count;
	struct code_frame_change *frames;
	size_t frame_count;
	struct code_layout_change *layouts;
	size_t layout_count;
	struct code_candidate *candidates; /* of the candidate image, or the one alone */
	size_t candidate_count;
	const char *calibration; /* what the estimates are from and how wrong they are; clean */
	const char **sentences; /* what a reader must know; clean, full sentences */
	size_t sentence_count, sentence_capacity;
};

/* One function's code in both images, aligned: as diff -u shows text. */
struct code_line {
	char mark;	  /* ' ' in both, '-' in the baseline alone, '+' in the candidate alone */
	uint64_t offset;  /* from the start of its part; of the candidate where it is in both */
	const char *text; /* clean; addresses are names, or offsets into the function */
};

struct code_listing {
	const char *function; /* as asked for, clean */
	struct code_line *lines;
	size_t line_count;
	size_t baseline_count, candidate_count; /* instructions */
	uint64_t baseline_bytes, candidate_bytes;
	bool pair;	    /* two images, not one alone */
	const char *stated; /* why it is in hexadecimal, or what was not aligned; clean; or NULL */
};

const char *code_section_kind_name(enum code_section_kind kind); /* "code", "read-only data" */
const char *code_label_name(enum code_label label);		 /* "functions", "padding" */
const char *code_symbol_kind_name(enum code_symbol_kind kind);	 /* "function", "object" */
const char *code_change_kind_name(enum code_change_kind kind);	 /* "added", "grown" */

#endif
