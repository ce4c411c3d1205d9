/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_OBJECTS_H
#define BINARY_OBJECTS_H

#include "base/arena.h"
#include "base/error.h"
#include "binary/debug/debug.h"
#include "model/code.h"

/* Called for the object that is member number member of the image. False: it cannot be read. */
typedef bool (*object_visitor)(void *context, const struct debug_source *source, size_t member,
			       struct error *err);

/* Hands every ELF object of the image's file to visit: the file itself, or the members of an
 * archive one after the other. A member that cannot be read is left out and said in *left_out
 * (clean, in the arena; NULL if there is none); a file that cannot be is the error. */
bool objects_visit(struct arena *arena, const struct code_image *image, object_visitor visit,
		   void *context, const char **left_out, struct error *err);

/* Where a symbol that has a section is, among the addresses of its object's debug information;
 * false: its section is gone. */
bool object_symbol_address(const struct debug *debug, const struct code_image *image,
			   const struct code_symbol *symbol, uint64_t *address);

#endif
