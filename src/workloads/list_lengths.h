/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_LIST_LENGTHS_H
#define WORKLOADS_LIST_LENGTHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * How long the lists of a workload are. What nodes of a size cost depends on
 * nothing so much, up to the sign, so there are three ways to say it:
 *
 *	"front-end"	what a C front end has (lengths.def)
 *	"1000"		all lists are that long
 *	a path		a file with a line "LENGTH LISTS" for each length: your own program's
 *
 * The lists come in a random order that is always the same.
 */
enum { LIST_LENGTH_MAXIMUM = 1 << 24 };

struct list_lengths {
	uint32_t *lengths; /* of each list, at least 1 */
	size_t count;
	uint64_t elements; /* of all of them */
	uint32_t longest;
};

/* At most limit elements in all. Of a front end's lists or a file's there are as many as it says.
 */
bool list_lengths_make(struct arena *arena, const char *word, uint64_t limit,
		       struct list_lengths *lengths, struct error *err);

#endif
