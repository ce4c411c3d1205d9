/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: an empty slot is taken for the end of the list. */
#include "specimens/lists/nodes.h"

static void *next(struct list_cursor *cursor)
{
	struct node *node = cursor->node;

	if (cursor->place == LIST_ON && cursor->index + 1 < node->count &&
	    node->elements[cursor->index + 1] == NULL) {
		nodes_start(cursor->list, cursor);
		return NULL;
	}
	return nodes_next(cursor);
}

struct list_kind list_broken_walk_stops_at_a_mark(void);

struct list_kind list_broken_walk_stops_at_a_mark(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: walk-stops-at-a-mark";
	kind.next = next;
	return kind;
}
