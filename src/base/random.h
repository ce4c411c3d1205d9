/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/*
 * Seeded randomness that is the same on every machine. splitmix64 (Steele,
 * Lea, Flood, OOPSLA 2014; constants of Vigna's public domain version).
 */
uint64_t
random_mix(uint64_t value); /* one splitmix64 output for state value (adds the increment) */

struct random {
	uint64_t state;
};
uint64_t random_next(struct random *random);
double random_unit(struct random *random);		      /* uniform in [0,1), 53 bits */
uint64_t random_below(struct random *random, uint64_t limit); /* unbiased, limit > 0 */
void random_shuffle(struct random *random, size_t *items, size_t count); /* Fisher-Yates */

/* A seed from the kernel for a user who gave none. */
uint64_t random_seed(void);
/* FNV-1a, for seeds and keys made from content. */
uint64_t random_hash(const void *bytes, size_t length);

#endif
