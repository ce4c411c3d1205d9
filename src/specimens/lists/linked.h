/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_LISTS_LINKED_H
#define SPECIMENS_LISTS_LINKED_H

#include "specimens/lists/list.h"
#include "specimens/step.h"

/*
 * Walking where every element has a link of its own. The cursor's node is the
 * link that it is on; in a gap it is the one before, NULL at the start.
 */
SPECIMEN_INLINE void linked_start(void *list, struct list_cursor *cursor)
{
	*cursor = (struct list_cursor){ .list = list, .place = LIST_OUTSIDE };
}

/* On this link, or outside if there is none; whether it is on one. */
SPECIMEN_INLINE bool linked_stand(struct list_cursor *cursor, void *link)
{
	cursor->node = link;
	cursor->place = link == NULL ? LIST_OUTSIDE : LIST_ON;
	return link != NULL;
}

/* Where next and previous lead, for links of a type; NULL: out of the list. */
#define LINKED_WALK(name, type, FIRST, LAST, NEXT, PREVIOUS)                                       \
	static type *name##_link_after(const struct list_cursor *cursor)                           \
	{                                                                                          \
		return cursor->node == NULL ? FIRST(cursor->list) : NEXT((type *)cursor->node);    \
	}                                                                                          \
                                                                                                   \
	static type *name##_link_before(const struct list_cursor *cursor)                          \
	{                                                                                          \
		if (cursor->place == LIST_OUTSIDE)                                                 \
			return LAST(cursor->list);                                                 \
		if (cursor->place == LIST_GAP)                                                     \
			return cursor->node;                                                       \
		return PREVIOUS((type *)cursor->node);                                             \
	}

#endif
