/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_DISASSEMBLY_H
#define BINARY_DISASSEMBLY_H

#include <libelf.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/code.h"

/* An instruction, or some bytes in hexadecimal. */
struct instruction {
	uint64_t offset;  /* from the start of its part of the function */
	const char *text; /* for people, clean */
	const char *key;  /* what makes it the same as another: text without offsets */
};

struct disassembly {
	struct instruction *items;
	size_t count, capacity;
	uint64_t bytes;
	const char *stated; /* why it is in hexadecimal; or NULL */
};

/*
 * The instructions of a function with all its parts and clones. Addresses are
 * replaced by what they mean: a name, a name and an offset, a section, or an
 * offset into the function itself, so that a function that only moved has the
 * same keys. An image without such a function gives a count of 0.
 *
 * Machines that Capstone 4 lacks (RISC-V, LoongArch, ...) give hexadecimal.
 */
bool disassemble(struct arena *arena, const struct code_image *image, const char *function,
		 struct disassembly *disassembly, struct error *err);

/* At most so many instructions from the start of one symbol's code; elf is the object that has
 * it, open already. */
bool disassemble_symbol(struct arena *arena, const struct code_image *image,
			const struct code_symbol *symbol, Elf *elf, size_t most,
			struct disassembly *disassembly);

/* Aligns two disassemblies; candidate may be NULL. */
void listing_make(struct arena *arena, const char *function, const struct disassembly *baseline,
		  const struct disassembly *candidate, struct code_listing *listing);

#endif
