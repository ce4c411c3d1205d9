/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_FRAMES_H
#define BINARY_FRAMES_H

#include "base/arena.h"
#include "base/error.h"
#include "binary/debug/debug.h"
#include "model/code.h"

/*
 * Stack frames of an image's functions into image->frames: bytes as gcc
 * -fstack-usage counts them, with the return address where a call pushes it.
 * In order of trust: x.su beside x.o, call frame information (.eh_frame,
 * .debug_frame), and the first instructions of the function (x86-64 and
 * AArch64). Functions of which none of these tells anything have no frame in
 * the list. Global functions of an archive have its member as their unit.
 */
bool frames_read(struct arena *arena, const struct debug_settings *settings,
		 struct code_image *image, struct error *err);

/* diff->frames: every function with a frame on either side, largest change first. */
void frames_compare(struct arena *arena, const struct code_image *baseline,
		    const struct code_image *candidate, struct code_diff *diff);

#endif
