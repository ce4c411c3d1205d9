/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: a list that lost all its elements still has nodes. */
#include "specimens/lists/nodes.h"

static void delete (struct list_cursor *cursor, struct list_pool *pool)
{
	struct node *node = cursor->node;

	(void)pool;
	node->count--;
	memmove(node->elements + cursor->index, node->elements + cursor->index + 1,
		(node->count - cursor->index) * sizeof *node->elements);
	cursor->place = LIST_GAP;
}

struct list_kind list_broken_delete_leaves_empty_nodes(void);

struct list_kind list_broken_delete_leaves_empty_nodes(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: delete-leaves-empty-nodes";
	kind.delete = delete;
	return kind;
}
