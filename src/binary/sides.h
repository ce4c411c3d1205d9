/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_SIDES_H
#define BINARY_SIDES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Reads something of side 0 (baseline) or 1. Two sides may be read by two threads, so what one
 * call changes the other must not touch: each side has an arena of its own. */
typedef bool (*side_reader)(void *context, size_t side, struct error *err);

/* Calls read for each of count (1 or 2) sides, at once or one after the other, which takes half
 * the memory. Where both fail, err is the baseline's. */
bool sides_read(size_t count, bool at_once, side_reader read, void *context, struct error *err);

#endif
