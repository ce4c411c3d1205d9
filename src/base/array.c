/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing arrays: see array.h. */
#include "base/array.h"

#include <string.h>

void *array_reserve(struct arena *arena, void *items, size_t count, size_t wanted, size_t *capacity,
		    size_t item_size)
{
	size_t grown = *capacity < 8 ? 8 : *capacity;
	void *copy;

	if (items != NULL && wanted <= *capacity)
		return items;
	while (grown < wanted)
		grown *= 2;
	copy = arena_alloc(arena, grown, item_size);
	if (count > 0)
		memcpy(copy, items, count * item_size);
	*capacity = grown;
	return copy;
}
