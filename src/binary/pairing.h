/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_PAIRING_H
#define BINARY_PAIRING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Things of two images that have a name and a file, of which other builds may know another path. */
struct pairing_item {
	const char *name, *file; /* file NULL: unknown */
	const void *what;	 /* the caller's */
};

struct pairing_side {
	struct pairing_item *items; /* sorted by pairing_run */
	size_t count;
	bool *used;
};

/* Room for count items, which the caller fills. */
struct pairing_side pairing_side(struct arena *arena, size_t count);

struct pairing {
	void *context;
	/* How well two of one name go together, 0: not at all. */
	unsigned (*likeness)(const struct pairing_item *first, const struct pairing_item *second);
	/* Called for each pair; NULL on the side that has none. */
	void (*pair)(void *context, const void *before, const void *after);
};

/* By their files: unknown 2, the same the most, else 2 more than the parts that their ends share.
 */
unsigned pairing_by_file(const struct pairing_item *first, const struct pairing_item *second);

/* Pairs what has one name and one file, then of what is left of that name the best, then none. */
void pairing_run(const struct pairing *pairing, struct pairing_side *baseline,
		 struct pairing_side *candidate);

#endif
