/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_KEY_SET_H
#define BASE_KEY_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Which keys an object has had, for one object after the other. Only hashes
 * are kept: one unlucky pair of keys in 2^64 is called a repetition.
 */
struct key_set {
	uint64_t *slots; /* open addressing; 0 is empty */
	size_t capacity, count;
};

void key_set_release(struct key_set *set);
/* Forget all: a new object begins. */
void key_set_clear(struct key_set *set);
/* False if the key is there already. */
bool key_set_add(struct key_set *set, const char *key, size_t length);

#endif
