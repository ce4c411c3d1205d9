/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Seeded randomness: see random.h. */
#include "base/random.h"

#include <assert.h>
#include <sys/random.h>
#include <time.h>

uint64_t random_mix(uint64_t value)
{
	value += 0x9e3779b97f4a7c15U;
	value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
	value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
	return value ^ (value >> 31);
}

uint64_t random_next(struct random *random)
{
	uint64_t result = random_mix(random->state);

	random->state += 0x9e3779b97f4a7c15U;
	return result;
}

double random_unit(struct random *random)
{
	return (double)(random_next(random) >> 11) * 0x1p-53;
}

/* Draws above the largest multiple of limit are thrown away. */
uint64_t random_below(struct random *random, uint64_t limit)
{
	uint64_t unfair, drawn;

	assert(limit > 0);
	unfair = -limit % limit; /* 2^64 mod limit */
	do {
		drawn = random_next(random);
	} while (drawn < unfair);
	return drawn % limit;
}

void random_shuffle(struct random *random, size_t *items, size_t count)
{
	size_t i;

	for (i = count; i > 1; i--) {
		size_t other = random_below(random, i);
		size_t item = items[i - 1];

		items[i - 1] = items[other];
		items[other] = item;
	}
}

uint64_t random_seed(void)
{
	uint64_t seed;
	struct timespec now;

	if (getrandom(&seed, sizeof seed, 0) == (ssize_t)sizeof seed)
		return seed;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return random_mix((uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec);
}

uint64_t random_hash(const void *bytes, size_t length)
{
	const unsigned char *byte = bytes;
	uint64_t hash = 0xcbf29ce484222325U;

	while (length-- > 0)
		hash = (hash ^ *byte++) * 0x100000001b3U;
	return hash;
}
