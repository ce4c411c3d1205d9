/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: the cursor leaves a node after it was given back. */
#include "specimens/lists/nodes.h"

static void delete (struct list_cursor *cursor, struct list_pool *pool)
{
	struct node *node = cursor->node;

	if (node->count > 1) {
		nodes_delete(cursor, pool, pool->nr);
		return;
	}
	node->count = 0;
	cursor->place = LIST_GAP;
	node_drop(cursor->list, node, pool, pool->nr);
	nodes_step_aside(cursor);
	if (((struct node_list *)cursor->list)->head == NULL)
		cursor->node = NULL;
}

struct list_kind list_broken_delete_reads_what_it_freed(void);

struct list_kind list_broken_delete_reads_what_it_freed(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: delete-reads-what-it-freed";
	kind.delete = delete;
	return kind;
}
