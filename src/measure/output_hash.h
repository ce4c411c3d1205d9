/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_OUTPUT_HASH_H
#define MEASURE_OUTPUT_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * A 64-bit hash of a stream, for --same-output: eight bytes at a time through
 * splitmix64's mixing function, and the length. It tells equal streams from
 * different ones; it is no defence against someone who makes two of equal hash.
 */
struct output_hash {
	uint64_t state;
	uint64_t length;
	unsigned char rest[8]; /* bytes that do not fill a word yet */
};

void output_hash_init(struct output_hash *hash);
/* A child_sink; context is the struct output_hash. How the stream is cut makes no difference. */
void output_hash_take(void *context, const char *bytes, size_t length);
uint64_t output_hash_value(const struct output_hash *hash); /* never 0 */

/* Of a file from its beginning. */
bool output_hash_file(const char *path, uint64_t *value, struct error *err);

#endif
