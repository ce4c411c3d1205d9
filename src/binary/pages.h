/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_PAGES_H
#define BINARY_PAGES_H

#include <stddef.h>

/*
 * Memory of a mapped file that was read through once: a kernel's .debug_info
 * alone is 160 MB, of which the walk needs one unit at a time. Pages given
 * back are read again from the page cache if someone looks at them later.
 */
struct pages {
	const char *start, *end; /* of the mapping; both NULL: none, and nothing is given back */
	const char *given_back;	 /* up to here */
};

/* If bytes..bytes+length are a private mapping of a file that was never written to. */
void pages_init(struct pages *pages, const void *bytes, size_t length);

/* The walk is at position now, and will rarely look at what is before it. */
void pages_pass(struct pages *pages, const void *position);

#endif
