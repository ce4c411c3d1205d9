/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_NAMES_H
#define BINARY_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* The name without what compilers append to clones and parts: "f" of "f.constprop.0.cold",
 * "cnt" of the function-local static "cnt.1", and the hash that Rust's first mangling gives each
 * build. The name itself where there is nothing to take off. */
const char *name_base(struct arena *arena, const char *name);

/* Whether a suffix says that this is the part of a function that rarely runs. */
bool name_is_cold(const char *name);

/* Demangled (C++, Rust) and clean; may be the name itself. */
const char *name_shown(struct arena *arena, const char *name);

/* Fit for a report; may be the string itself. */
const char *name_clean(struct arena *arena, const char *string);

/* The last component of a path, which is what two builds in different directories share. */
const char *name_of_file(const char *path);

#endif
