/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: marked slots are counted. */
#include "specimens/lists/nodes.h"

static size_t size(const void *list)
{
	const struct node_list *nodes = list;
	const struct node *node;
	size_t count = 0;

	for (node = nodes->head; node != NULL; node = node_after(nodes, node))
		count += node->count;
	return count;
}

struct list_kind list_broken_size_counts_marks(void);

struct list_kind list_broken_size_counts_marks(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: size-counts-marks";
	kind.size = size;
	return kind;
}
