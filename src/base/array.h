/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

#include "base/arena.h"

/*
 * Growing arrays in an arena. An array is three variables of the owner: items,
 * count, capacity. Growing doubles the capacity and copies; the old copy stays
 * in the arena until that closes, so an array costs at most twice its size.
 *
 *	*array_push(arena, names, name_count, name_capacity) = name;
 */
#define array_push(arena, items, count, capacity)                                                  \
	((items) =                                                                                 \
	     array_reserve((arena), (items), (count), (count) + 1, &(capacity), sizeof *(items)),  \
	 &(items)[(count)++])

/* Room for wanted items; returns the (perhaps moved) array, the new part zeroed. */
void *array_reserve(struct arena *arena, void *items, size_t count, size_t wanted, size_t *capacity,
		    size_t item_size);

#endif
