/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_LISTS_INDEXED_H
#define SPECIMENS_LISTS_INDEXED_H

#include "specimens/lists/list.h"
#include "specimens/step.h"

/* Walking where elements lie one after the other: the cursor is an index. */
SPECIMEN_INLINE void indexed_start(void *list, struct list_cursor *cursor)
{
	*cursor = (struct list_cursor){ .list = list, .place = LIST_OUTSIDE };
}

SPECIMEN_INLINE void *indexed_next(struct list_cursor *cursor, void *const *elements, size_t count)
{
	size_t index = cursor->index + (cursor->place == LIST_ON);

	if (index >= count) {
		indexed_start(cursor->list, cursor);
		return NULL;
	}
	cursor->index = index;
	cursor->place = LIST_ON;
	return elements[index];
}

SPECIMEN_INLINE void *indexed_previous(struct list_cursor *cursor, void *const *elements,
				       size_t count)
{
	size_t index = cursor->place == LIST_OUTSIDE ? count : cursor->index;

	if (index == 0) {
		indexed_start(cursor->list, cursor);
		return NULL;
	}
	cursor->index = index - 1;
	cursor->place = LIST_ON;
	return elements[index - 1];
}

#endif
