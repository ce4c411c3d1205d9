/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is done with whole lists of nodes: see nodes.h. None of it is in a
 * measured loop, so it is compiled once for all sizes.
 */
#include "specimens/lists/nodes.h"

void nodes_release(struct node_list *list, struct list_pool *pool, uint32_t nr)
{
	while (list->head != NULL)
		node_drop(list, list->head->previous, pool, nr);
}

/* Marks at the end go with it. */
void *nodes_delete_last(struct node_list *list, struct list_pool *pool, uint32_t nr)
{
	void *element = NULL;

	while (element == NULL && list->head != NULL) {
		struct node *tail = list->head->previous;

		element = tail->elements[--tail->count];
		tail->marked -= element == NULL;
		if (tail->count == 0)
			node_drop(list, tail, pool, nr);
	}
	return element;
}

size_t nodes_size(const struct node_list *list)
{
	const struct node *node;
	size_t size = 0;

	for (node = list->head; node != NULL; node = node_after(list, node))
		size += (size_t)(node->count - node->marked);
	return size;
}

void *nodes_first(const struct node_list *list)
{
	struct node_list same = *list;
	struct list_cursor cursor;

	nodes_start(&same, &cursor);
	return nodes_next(&cursor);
}

void *nodes_last(const struct node_list *list)
{
	struct node_list same = *list;
	struct list_cursor cursor;

	nodes_start(&same, &cursor);
	return nodes_previous(&cursor);
}

size_t nodes_linearise(const struct node_list *list, void **elements, size_t limit)
{
	const struct node *node;
	size_t count = 0, i;

	for (node = list->head; node != NULL; node = node_after(list, node))
		for (i = 0; i < node->count && count < limit; i++)
			if (node->elements[i] != NULL)
				elements[count++] = node->elements[i];
	return count;
}

static void node_pack(struct node *node)
{
	uint8_t count = 0, i;

	for (i = 0; i < node->count; i++)
		if (node->elements[i] != NULL)
			node->elements[count++] = node->elements[i];
	node->count = count;
	node->marked = 0;
}

/* Backwards, so that a head that goes is the last to be looked at. */
void nodes_pack(struct node_list *list, struct list_pool *pool, uint32_t nr)
{
	struct node *node = list->head == NULL ? NULL : list->head->previous;

	while (node != NULL) {
		struct node *before = node_before(list, node);

		if (node->marked > 0)
			node_pack(node);
		if (node->count == 0)
			node_drop(list, node, pool, nr);
		node = before;
	}
}

/* Links the two rings into one; no element moves, and nothing depends on which list was empty. */
void nodes_concatenate(struct node_list *list, struct node_list *other)
{
	struct node *head = list->head, *other_head = other->head;

	assert(list != other);
	other->head = NULL;
	if (head == NULL) {
		list->head = other_head;
	} else if (other_head != NULL) {
		struct node *tail = head->previous, *other_tail = other_head->previous;

		tail->next = other_head;
		other_head->previous = tail;
		other_tail->next = head;
		head->previous = other_tail;
	}
}

/* As many as there were at the start: the list may be copied onto itself. */
bool nodes_copy(struct node_list *list, const struct node_list *other, struct list_pool *pool,
		uint32_t nr)
{
	size_t size = nodes_size(other), count;
	struct node_list same = *other;
	struct list_cursor cursor;

	nodes_start(&same, &cursor);
	for (count = 0; count < size; count++)
		if (!nodes_append(list, pool, nodes_next(&cursor), nr))
			break;
	if (count == size)
		return true;
	for (; count > 0; count--)
		nodes_delete_last(list, pool, nr);
	return false;
}

/* The first node of what is to go, made by a split if the cursor is inside one; false: no memory.
 */
static bool node_to_cut(struct list_cursor *cursor, struct list_pool *pool, uint32_t nr,
			struct node **first)
{
	struct node *node = cursor->node;

	if (!nodes_settle(cursor)) {
		*first = NULL;
		return true;
	}
	node = cursor->node;
	if (cursor->index == 0)
		*first = node;
	else if (cursor->index >= node->count)
		*first = node_after(cursor->list, node);
	else
		*first = node_split(node, cursor->index, pool, nr);
	return *first != NULL || cursor->index >= node->count;
}

bool nodes_split(struct list_cursor *cursor, struct list_pool *pool, struct node_list *rest,
		 uint32_t nr)
{
	struct node_list *list = cursor->list;
	struct node *first, *tail;

	assert(rest->head == NULL && rest != list);
	if (!node_to_cut(cursor, pool, nr, &first))
		return false;
	nodes_start(list, cursor);
	rest->head = first;
	if (first == list->head)
		list->head = NULL;
	if (first == NULL || list->head == NULL)
		return true;
	tail = list->head->previous;
	first->previous->next = list->head;
	list->head->previous = first->previous;
	first->previous = tail;
	tail->next = first;
	return true;
}

const char *nodes_check(const struct node_list *list, uint32_t nr)
{
	const struct node *node;

	for (node = list->head; node != NULL; node = node_after(list, node)) {
		if (node->next->previous != node || node->previous->next != node)
			return "a node is not its neighbours' neighbour";
		if (node->count == 0)
			return "there is a node without slots in use";
		if (node->count > nr)
			return "a node has more slots in use than there are";
		if (node->marked != node_count_marks(node->elements, node->count))
			return "a node has not as many empty slots as marks";
	}
	return NULL;
}
