/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: the size says one thing, and the array has NULLs among its elements. */
#include "specimens/lists/nodes.h"

static size_t linearise(const void *list, void **elements, size_t limit)
{
	const struct node_list *nodes = list;
	const struct node *node;
	size_t count = 0, i;

	for (node = nodes->head; node != NULL; node = node_after(nodes, node))
		for (i = 0; i < node->count && count < limit; i++)
			elements[count++] = node->elements[i];
	return count;
}

struct list_kind list_broken_linearise_copies_marks(void);

struct list_kind list_broken_linearise_copies_marks(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: linearise-copies-marks";
	kind.linearise = linearise;
	return kind;
}
