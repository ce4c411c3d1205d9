/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_DEBUG_PACKAGE_H
#define BINARY_DEBUG_PACKAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* A package of split units (.dwp), from which each can be taken out again. */
struct debug_package;

/* NULL: there is none at path, or it is damaged. In the arena but for its handles. */
struct debug_package *debug_package_open(struct arena *arena, const char *path);
void debug_package_close(struct debug_package *package); /* NULL is accepted */

/* Writes the unit of that id as a .dwo file; false: the package has no such unit, or the file
 * cannot be written. All units together get no more than 64 times the size of the package: a
 * damaged one may give all of itself to each of thousands. */
bool debug_package_extract(struct debug_package *package, uint64_t id, const char *path);

#endif
