/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: one element is lost, and another is there twice. */
#include "specimens/lists/nodes.h"

static void delete (struct list_cursor *cursor, struct list_pool *pool)
{
	struct node *node = cursor->node;

	if (cursor->index + 2 < node->count) /* one too many stays where it is */
		node->elements[node->count - 1] = node->elements[node->count - 2];
	nodes_delete(cursor, pool, pool->nr);
}

struct list_kind list_broken_delete_moves_too_few(void);

struct list_kind list_broken_delete_moves_too_few(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: delete-moves-too-few";
	kind.delete = delete;
	return kind;
}
