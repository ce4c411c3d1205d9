/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_CONTENT_H
#define BINARY_CONTENT_H

#include "binary/elf/file.h"

/*
 * The bytes of one section through a window: gaps between functions are asked
 * for in rising order and are short, so that a window serves many of them, and
 * what no one asks for (60 MB of code in a stripped library) is never read.
 */
enum { CONTENT_WINDOW_BYTES = 1 << 18 };

struct content {
	const struct elf_object *object;
	uint64_t base; /* of the section in the object */
	uint64_t bytes;
	unsigned char *window;	/* NULL: nothing was read yet; content_release frees it */
	uint64_t start, length; /* what the window holds */
};

/* length (at most a window) bytes from offset, good until the next call; NULL if they cannot be
 * read. */
const unsigned char *content_at(struct content *content, uint64_t offset, uint64_t length);
void content_release(struct content *content);

/* How many bytes at the start of [offset, offset + length), and at its end, are filler of the
 * machine (see filler.h); however long it is. */
uint64_t content_filler_at_start(struct content *content, unsigned machine, uint64_t offset,
				 uint64_t length);
uint64_t content_filler_at_end(struct content *content, unsigned machine, uint64_t offset,
			       uint64_t length);

#endif
