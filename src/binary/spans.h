/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_SPANS_H
#define BINARY_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sets of addresses: half-open spans, in lists that are sorted and disjoint
 * after spans_normalise; and a bitmap over such a list, for what is taken byte
 * by byte. Memory is malloc'd, since these live shorter than an arena; out of
 * memory ends the program as everywhere.
 */
struct span {
	uint64_t low, high; /* low <= address < high */
};

/* Zero it to start. */
struct spans {
	struct span *items;
	size_t count, capacity;
};

void spans_release(struct spans *spans);
/* Adds a span; an empty or backward one is left out. */
void spans_add(struct spans *spans, uint64_t low, uint64_t high);
/* Sorts, and joins spans that overlap or touch. */
void spans_normalise(struct spans *spans);
/* Of a normalised list, or of any list without overlaps. */
uint64_t spans_bytes(const struct span *items, size_t count);
/* Appends to result what low..high has in common with the normalised list items. */
void spans_clip(const struct span *items, size_t count, uint64_t low, uint64_t high,
		struct spans *result);
/* Bytes that low..high has in common with the normalised list. */
uint64_t spans_common(const struct span *items, size_t count, uint64_t low, uint64_t high);

/* One bit for each byte of a normalised list of spans. */
struct taken {
	uint64_t *words;
};

/* Where each span of a list begins in a bitmap over it. */
struct taken_index {
	const struct spans *spans; /* borrowed, normalised */
	uint64_t *first_bits;
	uint64_t bits;
};

void taken_index_init(struct taken_index *index, const struct spans *spans);
void taken_index_release(struct taken_index *index);
void taken_init(struct taken *taken, const struct taken_index *index);
void taken_release(struct taken *taken);
/* Takes low..high, which must lie inside one span of the index, and appends to result the parts
 * that were free until now. */
void taken_add(struct taken *taken, const struct taken_index *index, uint64_t low, uint64_t high,
	       struct spans *result);
/* How many bytes of low..high, inside one span of the index, are taken. */
uint64_t taken_bytes(const struct taken *taken, const struct taken_index *index, uint64_t low,
		     uint64_t high);

#endif
