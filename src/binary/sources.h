/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_SOURCES_H
#define BINARY_SOURCES_H

#include "base/arena.h"
#include "base/error.h"
#include "binary/debug/debug.h"
#include "model/code.h"

/* Fills symbol->source of symbols without a unit: the source file whose unit has their address, by
 * the ranges of units and the places of variables in the debug information. Where there is none,
 * image->stated says so. */
bool sources_read(struct arena *arena, const struct debug_settings *settings,
		  struct code_image *image, struct error *err);

#endif
