/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_EXTENTS_H
#define BINARY_EXTENTS_H

#include "binary/reading.h"

/* The entries of one object's symbol table that name bytes, in the table's order. */
struct extents {
	struct arena *arena; /* for the work; closed after it */
	struct code_symbol *items;
	size_t count, capacity;
};

/*
 * Gives every byte to at most one of the symbols and adds those that got some
 * to the image, ordered by section and offset; the others become aliases.
 * Divides the object's executable sections into pieces.
 */
void extents_divide(struct extents *extents, struct reading *reading,
		    const struct elf_object *object, const struct code_member *member);

#endif
