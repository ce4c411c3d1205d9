/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_LAYOUTS_H
#define BINARY_LAYOUTS_H

#include "base/arena.h"
#include "base/error.h"
#include "binary/debug/debug.h"
#include "model/code.h"

/* Structures, classes and unions with a name, from DWARF: image->layouts, by name and file, each
 * once though every unit and member has it. Without debug information it succeeds and
 * coverage.partial says why. */
bool layouts_read(struct arena *arena, const struct debug_settings *settings,
		  struct code_image *image, struct error *err);

/* diff->layouts: all structures of both images, changed ones first; a structure changes if its
 * size, or a member's name, place or size does. */
void layouts_compare(struct arena *arena, const struct code_image *baseline,
		     const struct code_image *candidate, struct code_diff *diff);

#endif
