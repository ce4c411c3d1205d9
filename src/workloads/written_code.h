/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_WRITTEN_CODE_H
#define WORKLOADS_WRITTEN_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"
#include "specimens/loops.h"

/*
 * Code that is written at run time: copies of a lock site as the compiler made
 * it, where a user's functions would have it, each with other code around it.
 *
 *	pass --> chunk 7: other code, site, other code
 *	     --> chunk 2: ...                            in an order of the layout's
 *
 * Order, instructions, their number and the padding between chunks come from
 * the layout's seed, the same for all locks. What a site calls out of line stays
 * where the linker put it. One layout proves nothing: take several, and the
 * layout as the unit of the sample.
 */

/* The memory that is written, and where in it; and the same memory where it is run. */
struct written_code {
	unsigned char *bytes;
	const unsigned char *place;
	size_t size, used;
	struct random random;
};

/* What a site is called with. */
struct written_operands {
	void *lock;
	struct lock_hold *hold;
	volatile uint64_t *counter;
};

/* How many sites there are, and how many are run in a pass; bytes of other code for each. */
struct written_extent {
	size_t gap, sites, calls;
};

/* False with a sentence where the sites of a lock cannot be copied. */
bool written_code_can(const struct lock_loops *loops, struct error *err);

/* The layout of this round of a comparison; false with a sentence where there are no rounds. */
bool written_code_round(uint64_t *layout, struct error *err);

/* Room for one pass of that extent; the caller unmaps it. */
bool written_code_map(struct written_code *code, const struct written_extent *extent, uint64_t seed,
		      struct error *err);
void written_code_unmap(struct written_code *code);

/* Writes the pass, a function of nothing; arena: for what is forgotten afterwards. */
const void *written_code_pass(struct arena *arena, struct written_code *code,
			      const struct lock_loops *loops,
			      const struct written_operands *operands,
			      const struct written_extent *extent);

#endif
