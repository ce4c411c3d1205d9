/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Address sets: see spans.h. A bitmap costs one bit a byte of code and is
 * touched only where something is taken; a list with insertions in the middle
 * would be quadratic in functions with many copies.
 */
#include "binary/spans.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"

void spans_release(struct spans *spans)
{
	free(spans->items);
	*spans = (struct spans){ 0 };
}

void spans_add(struct spans *spans, uint64_t low, uint64_t high)
{
	if (low >= high)
		return;
	if (spans->count == spans->capacity) {
		spans->capacity = spans->capacity < 8 ? 8 : spans->capacity * 2;
		spans->items = reallocarray(spans->items, spans->capacity, sizeof *spans->items);
		if (spans->items == NULL)
			arena_out_of_memory();
	}
	spans->items[spans->count++] = (struct span){ low, high };
}

static int by_low(const void *left, const void *right)
{
	const struct span *first = left, *second = right;

	return first->low < second->low ? -1 : first->low > second->low;
}

static bool is_sorted(const struct spans *spans)
{
	size_t i;

	for (i = 1; i < spans->count; i++)
		if (spans->items[i - 1].low > spans->items[i].low)
			return false;
	return true;
}

void spans_normalise(struct spans *spans)
{
	size_t kept = 0, i;

	if (spans->count < 2)
		return;
	if (!is_sorted(spans))
		qsort(spans->items, spans->count, sizeof *spans->items, by_low);
	for (i = 1; i < spans->count; i++) {
		struct span *last = &spans->items[kept], next = spans->items[i];

		if (next.low > last->high)
			spans->items[++kept] = next;
		else if (next.high > last->high)
			last->high = next.high;
	}
	spans->count = kept + 1;
}

uint64_t spans_bytes(const struct span *items, size_t count)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < count; i++)
		bytes += items[i].high - items[i].low;
	return bytes;
}

/* The first span of a normalised list that ends behind the address. */
static size_t first_behind(const struct span *items, size_t count, uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (items[middle].high <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void spans_clip(const struct span *items, size_t count, uint64_t low, uint64_t high,
		struct spans *result)
{
	size_t i;

	for (i = first_behind(items, count, low); i < count && items[i].low < high; i++)
		spans_add(result, items[i].low > low ? items[i].low : low,
			  items[i].high < high ? items[i].high : high);
}

uint64_t spans_common(const struct span *items, size_t count, uint64_t low, uint64_t high)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = first_behind(items, count, low); i < count && items[i].low < high; i++)
		bytes += (items[i].high < high ? items[i].high : high) -
			 (items[i].low > low ? items[i].low : low);
	return bytes;
}

void taken_index_init(struct taken_index *index, const struct spans *spans)
{
	size_t i;

	index->spans = spans;
	index->bits = 0;
	index->first_bits = calloc(spans->count + 1, sizeof *index->first_bits);
	if (index->first_bits == NULL)
		arena_out_of_memory();
	for (i = 0; i < spans->count; i++) {
		index->first_bits[i] = index->bits;
		index->bits += spans->items[i].high - spans->items[i].low;
	}
}

void taken_index_release(struct taken_index *index)
{
	free(index->first_bits);
	*index = (struct taken_index){ 0 };
}

void taken_init(struct taken *taken, const struct taken_index *index)
{
	taken->words = calloc(index->bits / 64 + 1, sizeof *taken->words);
	if (taken->words == NULL)
		arena_out_of_memory();
}

void taken_release(struct taken *taken)
{
	free(taken->words);
	*taken = (struct taken){ 0 };
}

/* The bits first..last (both included) of one word. */
static uint64_t word_mask(unsigned first, unsigned last)
{
	return (~UINT64_C(0) << first) & (~UINT64_C(0) >> (63 - last));
}

/* The first bit in from..to that is set or clear, as wanted; to if there is none. */
static uint64_t next_bit(const struct taken *taken, uint64_t from, uint64_t to, bool set)
{
	uint64_t bit = from;

	while (bit < to) {
		uint64_t word = taken->words[bit / 64];

		word = (set ? word : ~word) & word_mask(bit % 64, 63);
		if (word != 0) {
			bit = bit / 64 * 64 + (unsigned)__builtin_ctzll(word);
			return bit < to ? bit : to;
		}
		bit = (bit / 64 + 1) * 64;
	}
	return to;
}

static void take(struct taken *taken, uint64_t from, uint64_t to)
{
	uint64_t bit = from;

	while (bit < to) {
		unsigned first = bit % 64;
		unsigned last = to - bit + first > 64 ? 63 : (unsigned)(to - bit + first - 1);

		taken->words[bit / 64] |= word_mask(first, last);
		bit += last - first + 1;
	}
}

static uint64_t bit_of(const struct taken_index *index, uint64_t address)
{
	size_t i = first_behind(index->spans->items, index->spans->count, address);

	assert(i < index->spans->count && index->spans->items[i].low <= address);
	return index->first_bits[i] + (address - index->spans->items[i].low);
}

void taken_add(struct taken *taken, const struct taken_index *index, uint64_t low, uint64_t high,
	       struct spans *result)
{
	uint64_t from = bit_of(index, low), to = from + (high - low), start = from;

	while (start < to) {
		uint64_t end;

		start = next_bit(taken, start, to, false);
		end = next_bit(taken, start, to, true);
		if (start < end) {
			spans_add(result, low + (start - from), low + (end - from));
			take(taken, start, end);
		}
		start = end;
	}
}

uint64_t taken_bytes(const struct taken *taken, const struct taken_index *index, uint64_t low,
		     uint64_t high)
{
	uint64_t from = bit_of(index, low), to = from + (high - low), bytes = 0, start = from;

	while (start < to) {
		uint64_t end;

		start = next_bit(taken, start, to, true);
		end = next_bit(taken, start, to, false);
		bytes += end - start;
		start = end;
	}
	return bytes;
}
