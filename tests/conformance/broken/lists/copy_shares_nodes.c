/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: who copies into an empty list gets the nodes of the other (sparse adopts them). */
#include "specimens/lists/nodes.h"

static bool copy(void *list, const void *other, struct list_pool *pool)
{
	struct node_list *into = list;

	if (into->head == NULL) {
		into->head = ((const struct node_list *)other)->head;
		return true;
	}
	return nodes_copy(into, other, pool, pool->nr);
}

struct list_kind list_broken_copy_shares_nodes(void);

struct list_kind list_broken_copy_shares_nodes(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: copy-shares-nodes";
	kind.copy = copy;
	return kind;
}
