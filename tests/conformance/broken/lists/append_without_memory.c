/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: where there is no memory the last element is lost. */
#include "specimens/lists/nodes.h"

static bool append(void *list, struct list_pool *pool, void *element)
{
	struct node_list *nodes = list;
	struct node *tail = nodes->head == NULL ? NULL : nodes->head->previous;

	if (tail != NULL && tail->count == pool->nr && pool->allowed == 0) {
		tail->elements[tail->count - 1] = element;
		return true;
	}
	return nodes_append(nodes, pool, element, pool->nr);
}

struct list_kind list_broken_append_without_memory(void);

struct list_kind list_broken_append_without_memory(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: append-without-memory";
	kind.append = append;
	return kind;
}
