/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_MERGE_H
#define BINARY_MERGE_H

#include <stdbool.h>
#include <stddef.h>

/* Two arrays sorted by the same order, of which what is equal is met at the same time. */
struct merge {
	const void *baseline, *candidate;
	size_t baseline_count, candidate_count;
	size_t size; /* of an item */
	int (*order)(const void *, const void *);
	size_t i, j; /* 0 to start */
};

/* The next pair, either of them NULL where its list has no equal; false after the last. */
bool merge_next(struct merge *merge, const void **before, const void **after);

#endif
