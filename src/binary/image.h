/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_IMAGE_H
#define BINARY_IMAGE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/code.h"

struct debug_settings;

/*
 * A file's code image: members, sections, symbols, totals and map. What only
 * DWARF knows (inlined copies, frames, layouts) is not in it; see ledger.h,
 * frames.h and layouts.h.
 *
 * False, with a sentence, for what cannot be read at all. What is damaged in
 * part (an archive that ends inside a member, a section that reaches beyond
 * the end of the file) gives true and image->partial, and the figures are of
 * the part that could be read. Everything lives in the arena; image->path is
 * the caller's.
 *
 * debug says where separate files are that may have the symbols of a stripped
 * file, and that it is to be looked for them; NULL: it is not.
 */
bool image_read(struct arena *arena, const char *path, const struct debug_settings *debug,
		struct code_image *image, struct error *err);

/* Sections and totals alone, without function_bytes: section headers are all that is read, so it
 * takes well under a millisecond. Fails on what is partial, too. */
bool image_totals(const char *path, struct code_totals *totals, struct error *err);

#endif
