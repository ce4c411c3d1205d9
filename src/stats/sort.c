/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting for ranks. A few values go through qsort; many through a radix sort
 * over the bits of the doubles, least significant digit first: judging a
 * million pairs ranks them seven times, and a comparison sort takes half of the
 * time of the whole. The bits of a double order as a whole number does once
 * negative ones are turned round and the sign is flipped.
 */
#include "stats/sort.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum {
	RADIX_LEAST = 4096, /* below, clearing the counters costs more than comparing */
	DIGIT_BITS = 11,
	DIGITS = 6, /* 66 bits cover 64 */
	BUCKETS = 1 << DIGIT_BITS,
};

static int compare_values(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static int compare_items(const void *left, const void *right)
{
	const struct sort_item *a = left, *b = right;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static uint64_t key_of(double value)
{
	const uint64_t sign = UINT64_C(1) << 63;
	uint64_t bits;

	value += 0.0; /* -0 becomes 0 */
	memcpy(&bits, &value, sizeof bits);
	return bits & sign ? ~bits : bits | sign;
}

static size_t digit_of(double value, int digit)
{
	return (size_t)(key_of(value) >> (digit * DIGIT_BITS)) & (BUCKETS - 1);
}

/* How often each digit has each value; items are of size bytes and begin with their value. */
static void count_digits(const void *items, size_t n, size_t size, size_t (*counts)[BUCKETS])
{
	const char *item = items;
	size_t i;
	int digit;

	for (i = 0; i < n; i++, item += size) {
		double value;
		uint64_t key;

		memcpy(&value, item, sizeof value);
		key = key_of(value);
		for (digit = 0; digit < DIGITS; digit++)
			counts[digit][key >> (digit * DIGIT_BITS) & (BUCKETS - 1)]++;
	}
}

/* Where each digit's items begin. false: all have the same digit, so nothing moves. */
static bool places_make(size_t *counts, size_t n)
{
	size_t place = 0, i;

	for (i = 0; i < BUCKETS; i++) {
		size_t count = counts[i];

		if (count == n)
			return false;
		counts[i] = place;
		place += count;
	}
	return true;
}

static void move_values(const double *from, double *to, size_t n, int digit, size_t *places)
{
	size_t i;

	for (i = 0; i < n; i++)
		to[places[digit_of(from[i], digit)]++] = from[i];
}

static void move_items(const struct sort_item *from, struct sort_item *to, size_t n, int digit,
		       size_t *places)
{
	size_t i;

	for (i = 0; i < n; i++)
		to[places[digit_of(from[i].value, digit)]++] = from[i];
}

/* Items of size bytes: plain values or struct sort_item. */
static void sort_by_digits(void *items, size_t n, size_t size)
{
	struct arena *arena = arena_open();
	void *from = items, *to = arena_alloc(arena, n, size);
	size_t(*counts)[BUCKETS] = arena_alloc(arena, DIGITS, sizeof *counts);
	int digit;

	count_digits(items, n, size, counts);
	for (digit = 0; digit < DIGITS; digit++) {
		void *swapped = from;

		if (!places_make(counts[digit], n))
			continue;
		if (size == sizeof(double))
			move_values(from, to, n, digit, counts[digit]);
		else
			move_items(from, to, n, digit, counts[digit]);
		from = to;
		to = swapped;
	}
	if (from != items)
		memcpy(items, from, n * size);
	arena_close(arena);
}

void sort_items(struct sort_item *items, size_t n)
{
	if (n < RADIX_LEAST)
		qsort(items, n, sizeof *items, compare_items);
	else
		sort_by_digits(items, n, sizeof *items);
}

void sort_values(double *values, size_t n)
{
	if (n < RADIX_LEAST)
		qsort(values, n, sizeof *values, compare_values);
	else
		sort_by_digits(values, n, sizeof *values);
}
