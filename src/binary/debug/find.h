/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_DEBUG_FIND_H
#define BINARY_DEBUG_FIND_H

#include <libelf.h>

#include "base/arena.h"
#include "binary/debug/debug.h"

/* Finds the file that has the debug information of an object: by build id, then by the name in
 * .gnu_debuglink, beside the object and below the debug directories. A file found by name is
 * taken only if its build id, or its checksum where it has none, is the right one. NULL: there is
 * none, and *looked_for is a sentence about it. */
char *debug_find(struct arena *arena, Elf *elf, const char *object_path,
		 const struct debug_settings *settings, char **looked_for);

/* The supplementary file (dwz) of a file at path with this name and build id in its
 * .gnu_debugaltlink; NULL: there is none. */
char *debug_find_supplement(struct arena *arena, const char *path, const char *name,
			    const unsigned char *build_id, size_t build_id_length,
			    const struct debug_settings *settings);

#endif
