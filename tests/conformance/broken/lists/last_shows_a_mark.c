/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: the last element is looked for in the last slot, which may be marked. */
#include "specimens/lists/nodes.h"

static void *last(const void *list)
{
	const struct node *head = ((const struct node_list *)list)->head;

	return head == NULL ? NULL : head->previous->elements[head->previous->count - 1];
}

struct list_kind list_broken_last_shows_a_mark(void);

struct list_kind list_broken_last_shows_a_mark(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: last-shows-a-mark";
	kind.last = last;
	return kind;
}
