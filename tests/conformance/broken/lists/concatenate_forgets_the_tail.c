/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: the ring is not closed backwards, so that the next append loses elements. */
#include "specimens/lists/nodes.h"

static bool concatenate(void *list, void *other, struct list_pool *pool)
{
	struct node_list *into = list, *from = other;
	struct node *head = into->head, *tail;

	(void)pool;
	if (head == NULL || from->head == NULL) {
		nodes_concatenate(into, from);
		return true;
	}
	tail = from->head->previous;
	head->previous->next = from->head;
	from->head->previous = head->previous;
	tail->next = head;
	from->head = NULL;
	return true;
}

struct list_kind list_broken_concatenate_forgets_the_tail(void);

struct list_kind list_broken_concatenate_forgets_the_tail(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: concatenate-forgets-the-tail";
	kind.concatenate = concatenate;
	return kind;
}
