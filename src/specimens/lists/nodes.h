/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_LISTS_NODES_H
#define SPECIMENS_LISTS_NODES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "specimens/lists/list.h"
#include "specimens/step.h"

/*
 * A ring of nodes, each with room for nr pointers. A list is a pointer to its
 * first node and NULL when empty; the node before the first is the last. The
 * semantics are those of the pointer lists of sparse, the C front end; where
 * they had defects, docs/specimens.md says what is otherwise here.
 *
 *	head -> [count marked | e e e - ] <-> [count marked | e 0 e e ] <-> (head)
 *	                            ^ free              ^ marked
 *
 * Elements fill a node from its start. A new node comes when the last is full;
 * holes in others are not filled. A marked slot is NULL and counts in marked.
 * No node is without slots in use; only its marks may be all that it has.
 *
 * nr is the last parameter of what depends on it. All is inlined, so that with
 * a constant it is as if compiled for that size, and with a variable it is the
 * same code for any size.
 */
struct node {
	struct node *previous, *next;
	uint8_t count;	/* slots in use, marked ones too */
	uint8_t marked; /* of them */
	void *elements[];
};

struct node_list {
	struct node *head;
};

SPECIMEN_INLINE size_t node_bytes(uint32_t nr)
{
	return sizeof(struct node) + nr * sizeof(void *);
}

/* The node after this one, NULL after the last. */
SPECIMEN_INLINE struct node *node_after(const struct node_list *list, const struct node *node)
{
	return node->next == list->head ? NULL : node->next;
}

SPECIMEN_INLINE struct node *node_before(const struct node_list *list, const struct node *node)
{
	return node == list->head ? NULL : node->previous;
}

/* A node that is in no ring. */
SPECIMEN_INLINE struct node *node_new(struct list_pool *pool, uint32_t nr)
{
	struct node *node = list_pool_get(pool, node_bytes(nr));

	if (node != NULL)
		node->count = node->marked = 0;
	return node;
}

SPECIMEN_INLINE void node_link(struct node *node, struct node *previous, struct node *next)
{
	node->previous = previous;
	node->next = next;
	previous->next = node;
	next->previous = node;
}

/* At the end of the ring, which may be none. */
SPECIMEN_INLINE void node_link_last(struct node_list *list, struct node *node)
{
	if (list->head == NULL) {
		node->previous = node->next = node;
		list->head = node;
	} else {
		node_link(node, list->head->previous, list->head);
	}
}

/* Out of the ring and back to the pool. */
SPECIMEN_INLINE void node_drop(struct node_list *list, struct node *node, struct list_pool *pool,
			       uint32_t nr)
{
	if (node->next == node) {
		list->head = NULL;
	} else {
		node->previous->next = node->next;
		node->next->previous = node->previous;
		if (list->head == node)
			list->head = node->next;
	}
	list_pool_put(pool, node, node_bytes(nr));
}

SPECIMEN_INLINE uint8_t node_count_marks(void *const *elements, size_t count)
{
	uint8_t marked = 0;
	size_t i;

	for (i = 0; i < count; i++)
		marked += elements[i] == NULL;
	return marked;
}

/*
 * The slots from index on move to a new node after this one, and their marks
 * with them: a mark that stayed behind would let a NULL be seen. The new node;
 * NULL: no memory.
 */
SPECIMEN_INLINE struct node *node_split(struct node *node, size_t index, struct list_pool *pool,
					uint32_t nr)
{
	struct node *upper = node_new(pool, nr);
	size_t count = node->count - index;

	if (upper == NULL)
		return NULL;
	memcpy(upper->elements, node->elements + index, count * sizeof *upper->elements);
	upper->count = (uint8_t)count;
	upper->marked = node->marked == 0 ? 0 : node_count_marks(upper->elements, count);
	node->count = (uint8_t)index;
	node->marked -= upper->marked;
	node_link(upper, node, node->next);
	return upper;
}

SPECIMEN_INLINE bool nodes_append(struct node_list *list, struct list_pool *pool, void *element,
				  uint32_t nr)
{
	struct node *tail = list->head == NULL ? NULL : list->head->previous;

	assert(element != NULL);
	if (tail == NULL || tail->count == nr) {
		tail = node_new(pool, nr);
		if (tail == NULL)
			return false;
		node_link_last(list, tail);
	}
	tail->elements[tail->count++] = element;
	return true;
}

SPECIMEN_INLINE void nodes_start(struct node_list *list, struct list_cursor *cursor)
{
	*cursor = (struct list_cursor){ .list = list, .place = LIST_OUTSIDE };
}

SPECIMEN_INLINE void *nodes_stand_on(struct list_cursor *cursor, struct node *node, size_t index)
{
	cursor->node = node;
	cursor->index = index;
	cursor->place = LIST_ON;
	return node->elements[index];
}

/* A gap without a node is before all elements. */
SPECIMEN_INLINE void *nodes_next(struct list_cursor *cursor)
{
	struct node_list *list = cursor->list;
	struct node *node = cursor->node;
	size_t index = cursor->index + (cursor->place == LIST_ON);

	if (node == NULL) {
		node = list->head;
		index = 0;
	}
	while (node != NULL) {
		for (; index < node->count; index++)
			if (node->elements[index] != NULL)
				return nodes_stand_on(cursor, node, index);
		node = node_after(list, node);
		index = 0;
	}
	nodes_start(list, cursor);
	return NULL;
}

SPECIMEN_INLINE void *nodes_previous(struct list_cursor *cursor)
{
	struct node_list *list = cursor->list;
	struct node *node = cursor->node;
	size_t index = cursor->index;

	if (cursor->place == LIST_OUTSIDE && list->head != NULL) {
		node = list->head->previous;
		index = node->count;
	}
	while (node != NULL) {
		while (index-- > 0)
			if (node->elements[index] != NULL)
				return nodes_stand_on(cursor, node, index);
		node = node_before(list, node);
		if (node != NULL)
			index = node->count;
	}
	nodes_start(list, cursor);
	return NULL;
}

/* Where the cursor is in a node; false: there is none, it is the end. */
SPECIMEN_INLINE bool nodes_settle(struct list_cursor *cursor)
{
	struct node_list *list = cursor->list;

	if (cursor->node == NULL && cursor->place == LIST_GAP) {
		cursor->node = list->head;
		cursor->index = 0;
	}
	return cursor->node != NULL;
}

/* Makes room in a full node; the cursor is then in the half where its element is. */
SPECIMEN_INLINE bool nodes_make_room(struct list_cursor *cursor, struct list_pool *pool,
				     uint32_t nr)
{
	struct node *node = cursor->node, *upper;

	if (node->count < nr)
		return true;
	upper = node_split(node, nr / 2, pool, nr);
	if (upper == NULL)
		return false;
	if (cursor->index >= node->count) {
		cursor->index -= node->count;
		cursor->node = upper;
	}
	return true;
}

/* In a list that lost its last element the gap is behind what is put there. */
SPECIMEN_INLINE bool nodes_insert_last(struct list_cursor *cursor, struct list_pool *pool,
				       void *element, uint32_t nr)
{
	struct node_list *list = cursor->list;

	if (!nodes_append(list, pool, element, nr))
		return false;
	if (cursor->place == LIST_GAP) {
		cursor->node = list->head;
		cursor->index = 1;
	}
	return true;
}

SPECIMEN_INLINE bool nodes_insert(struct list_cursor *cursor, struct list_pool *pool, void *element,
				  uint32_t nr)
{
	struct node *node;

	assert(element != NULL);
	if (!nodes_settle(cursor))
		return nodes_insert_last(cursor, pool, element, nr);
	if (!nodes_make_room(cursor, pool, nr))
		return false;
	node = cursor->node;
	memmove(node->elements + cursor->index + 1, node->elements + cursor->index,
		(node->count - cursor->index) * sizeof *node->elements);
	node->elements[cursor->index++] = element;
	node->count++;
	return true;
}

/* Out of a node that is about to go. */
SPECIMEN_INLINE void nodes_step_aside(struct list_cursor *cursor)
{
	struct node_list *list = cursor->list;
	struct node *node = cursor->node, *before = node_before(list, node);

	cursor->node = before != NULL ? before : node_after(list, node);
	cursor->index = before != NULL ? before->count : 0;
}

/* A node that loses its last slot goes, so that an empty list is NULL and has no nodes. */
SPECIMEN_INLINE void nodes_delete(struct list_cursor *cursor, struct list_pool *pool, uint32_t nr)
{
	struct node *node = cursor->node;

	assert(cursor->place == LIST_ON);
	cursor->place = LIST_GAP;
	node->count--;
	memmove(node->elements + cursor->index, node->elements + cursor->index + 1,
		(node->count - cursor->index) * sizeof *node->elements);
	if (node->count > 0)
		return;
	nodes_step_aside(cursor);
	node_drop(cursor->list, node, pool, nr);
}

SPECIMEN_INLINE void nodes_mark(struct list_cursor *cursor)
{
	struct node *node = cursor->node;

	assert(cursor->place == LIST_ON);
	cursor->place = LIST_GAP;
	node->elements[cursor->index] = NULL;
	node->marked++;
}

SPECIMEN_INLINE void nodes_replace(struct list_cursor *cursor, void *element)
{
	struct node *node = cursor->node;

	assert(cursor->place == LIST_ON && element != NULL);
	node->elements[cursor->index] = element;
}

/* What does not depend on speed: nodes_whole.c. As of struct list_kind. */
void nodes_release(struct node_list *list, struct list_pool *pool, uint32_t nr);
void *nodes_delete_last(struct node_list *list, struct list_pool *pool, uint32_t nr);
size_t nodes_size(const struct node_list *list);
void *nodes_first(const struct node_list *list);
void *nodes_last(const struct node_list *list);
size_t nodes_linearise(const struct node_list *list, void **elements, size_t limit);
void nodes_pack(struct node_list *list, struct list_pool *pool, uint32_t nr);
void nodes_concatenate(struct node_list *list, struct node_list *other);
bool nodes_copy(struct node_list *list, const struct node_list *other, struct list_pool *pool,
		uint32_t nr);
bool nodes_split(struct list_cursor *cursor, struct list_pool *pool, struct node_list *rest,
		 uint32_t nr);
const char *nodes_check(const struct node_list *list, uint32_t nr);
/* nodes_sort.c */
bool nodes_sort(struct node_list *list, struct list_pool *pool, list_compare compare, uint32_t nr);

#endif
