/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_DEBUG_SPLIT_H
#define BINARY_DEBUG_SPLIT_H

#include "binary/debug/debug.h"

/* Looks for the split units of debug->dwarf, an object with addresses, that are not where the
 * object says: in debug directories (.dwo), and in a package beside the object or there (.dwp).
 * object_path is the object's own. What is found becomes part of debug->dwarf, which may be
 * another afterwards. */
void debug_split_gather(struct debug *debug, const char *object_path);

#endif
