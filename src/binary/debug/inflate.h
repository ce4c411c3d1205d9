/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_DEBUG_INFLATE_H
#define BINARY_DEBUG_INFLATE_H

#include <libelf.h>
#include <stdbool.h>

#include "base/error.h"

/* What the compressed debug sections of an object ask for. */
enum inflate_need {
	INFLATE_NOTHING, /* none, or only such as libelf inflates itself */
	INFLATE_ZSTD,	 /* libelf cannot: use inflate_zstd */
	INFLATE_REFUSED, /* they claim sizes that no compiler's output has: a bomb; err says so */
};

enum inflate_need inflate_needed(Elf *elf, struct error *err);

/* A copy of the object, in a file without a name, whose zstd sections are inflated; its
 * descriptor in *fd, to be closed by the caller. */
bool inflate_zstd(Elf *elf, int *fd, struct error *err);

#endif
