/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: marks do not go with the slots that a split moves, and NULLs are met (sparse, section of
 * split). */
#include "specimens/lists/nodes.h"

/* A split that moves the slots and leaves the number of marks where it was. */
static void split(struct list_cursor *cursor, struct list_pool *pool)
{
	struct node *node = cursor->node, *upper = node_split(node, pool->nr / 2, pool, pool->nr);

	if (upper == NULL)
		return;
	node->marked += upper->marked;
	upper->marked = 0;
	if (cursor->index >= node->count) {
		cursor->index -= node->count;
		cursor->node = upper;
	}
}

/* A node without marks is walked without looking for them, as in the original. */
static void *next(struct list_cursor *cursor)
{
	struct node_list *list = cursor->list;
	struct node *node = cursor->node;

	if (cursor->place == LIST_OUTSIDE || node == NULL || node->marked > 0 ||
	    cursor->index + 1 >= node->count || cursor->place == LIST_GAP)
		return list == NULL ? NULL : nodes_next(cursor);
	return node->elements[++cursor->index];
}

static bool insert(struct list_cursor *cursor, struct list_pool *pool, void *element)
{
	if (nodes_settle(cursor) && ((struct node *)cursor->node)->count == pool->nr)
		split(cursor, pool);
	return nodes_insert(cursor, pool, element, pool->nr);
}

/* The structure's own rules would find it at once; that the walk does is to be seen. */

struct list_kind list_broken_split_ignores_marks(void);

struct list_kind list_broken_split_ignores_marks(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: split-ignores-marks";
	kind.insert = insert;
	kind.next = next;
	kind.check = NULL;
	return kind;
}
