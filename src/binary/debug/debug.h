/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_DEBUG_DEBUG_H
#define BINARY_DEBUG_DEBUG_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "base/arena.h"
#include "base/error.h"
#include "binary/spans.h"

/*
 * The debug information of one ELF object, wherever it is: in the object, in a
 * file named by its build id or .gnu_debuglink, with a supplementary file
 * (.gnu_debugaltlink, dwz), compressed, relocated or split.
 */

/* Where an ELF object is. */
struct debug_source {
	const char *path;  /* of the file; for messages and for what lies beside it */
	const char *name;  /* of the member in an archive; NULL: the file itself */
	const void *bytes; /* the object in memory (an archive's member); NULL: open path */
	size_t length;
};

struct debug_settings {
	const char *const *directories; /* --debug-dir; /usr/lib/debug is always looked into last */
	size_t directory_count;
};

struct debug {
	Dwarf *dwarf;	     /* NULL: none was found; then missing says why */
	Elf *elf;	     /* the object itself; laid out at addresses if relocatable */
	uint64_t elf_bias;   /* added to an address of elf gives one of dwarf */
	const char *path;    /* of the file that dwarf is in */
	const char *missing; /* what was looked for, and what to do; clean; NULL: nothing */
	bool relocatable;
	struct spans code; /* addresses of executable sections, normalised */
	struct spans cold; /* of cold sections and parts (.text.unlikely, f.cold, .init.text) */
	struct spans functions; /* of function symbols, inside of code, normalised */
	/* What must live as long as dwarf does. */
	Dwfl *dwfl;
	Dwfl_Module *module;  /* of a relocatable object */
	uint64_t module_bias; /* added to an address of dwarf gives one of the module */
	Elf *other_elf;
	Dwarf *alt_dwarf;
	Elf *alt_elf;
	int fd, other_fd, alt_fd;
	const struct debug_settings *settings;
	struct arena *arena;
};

/* False only where the object itself cannot be read; an object without debug information is no
 * failure. Strings go into the arena, which must outlive debug. */
bool debug_open(struct arena *arena, const struct debug_source *source,
		const struct debug_settings *settings, struct debug *debug, struct error *err);
void debug_close(struct debug *debug);

#endif
