/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GLib's GList, with the tail that a GQueue keeps, where the build has GLib. */
#include "specimens/lists/list.h"

#ifdef SPECIMENS_GLIB

#include <assert.h>
#include <glib.h>

#include "specimens/lists/linked.h"

#define GLIST_FIRST(list) (((GQueue *)(list))->head)
#define GLIST_LAST(list) (((GQueue *)(list))->tail)
#define GLIST_NEXT(link) ((link)->next)
#define GLIST_PREVIOUS(link) ((link)->prev)
LINKED_WALK(queue, GList, GLIST_FIRST, GLIST_LAST, GLIST_NEXT, GLIST_PREVIOUS)

static void do_init(void *list)
{
	g_queue_init(list);
}

static void do_release(void *list, struct list_pool *pool)
{
	(void)pool;
	g_queue_clear(list);
}

static bool do_append(void *list, struct list_pool *pool, void *element)
{
	(void)pool;
	assert(element != NULL);
	g_queue_push_tail(list, element);
	return true;
}

static void *do_delete_last(void *list, struct list_pool *pool)
{
	(void)pool;
	return g_queue_pop_tail(list);
}

static size_t do_size(const void *list)
{
	return ((const GQueue *)list)->length;
}

static void *do_first(const void *list)
{
	const GList *link = ((const GQueue *)list)->head;

	return link == NULL ? NULL : link->data;
}

static void *do_last(const void *list)
{
	const GList *link = ((const GQueue *)list)->tail;

	return link == NULL ? NULL : link->data;
}

static size_t do_linearise(const void *list, void **elements, size_t limit)
{
	const GList *link = ((const GQueue *)list)->head;
	size_t count = 0;

	for (; link != NULL && count < limit; link = link->next)
		elements[count++] = link->data;
	return count;
}

/* g_queue_sort would hand over data for compare, which needs none. */
static bool do_sort(void *list, struct list_pool *pool, list_compare compare)
{
	GQueue *queue = list;

	(void)pool;
	queue->head = g_list_sort(queue->head, compare);
	queue->tail = g_list_last(queue->head);
	return true;
}

static bool do_concatenate(void *list, void *other_list, struct list_pool *pool)
{
	GQueue *queue = list, *other = other_list;

	(void)pool;
	assert(queue != other);
	queue->head = g_list_concat(queue->head, other->head);
	if (other->tail != NULL)
		queue->tail = other->tail;
	queue->length += other->length;
	g_queue_init(other);
	return true;
}

static void do_start(void *list, struct list_cursor *cursor)
{
	linked_start(list, cursor);
}

static void *do_next(struct list_cursor *cursor)
{
	GList *link = queue_link_after(cursor);

	return linked_stand(cursor, link) ? link->data : NULL;
}

static void *do_previous(struct list_cursor *cursor)
{
	GList *link = queue_link_before(cursor);

	return linked_stand(cursor, link) ? link->data : NULL;
}

static bool do_insert(struct list_cursor *cursor, struct list_pool *pool, void *element)
{
	GQueue *queue = cursor->list;

	if (cursor->place == LIST_OUTSIDE)
		return do_append(queue, pool, element);
	assert(element != NULL);
	if (cursor->place == LIST_ON) {
		g_queue_insert_before(queue, cursor->node, element);
		return true;
	}
	if (cursor->node == NULL)
		g_queue_push_head(queue, element);
	else
		g_queue_insert_after(queue, cursor->node, element);
	cursor->node = cursor->node == NULL ? queue->head : ((GList *)cursor->node)->next;
	return true;
}

static void do_delete(struct list_cursor *cursor, struct list_pool *pool)
{
	GList *link = cursor->node;

	(void)pool;
	assert(cursor->place == LIST_ON);
	cursor->node = link->prev;
	cursor->place = LIST_GAP;
	g_queue_delete_link(cursor->list, link);
}

static void do_replace(struct list_cursor *cursor, void *element)
{
	assert(cursor->place == LIST_ON && element != NULL);
	((GList *)cursor->node)->data = element;
}

static bool do_fill(void *list, struct list_pool *pool, void *const *elements, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		do_append(list, pool, elements[i]);
	return true;
}

static uintptr_t do_sum(void *list)
{
	const GList *link;
	uintptr_t sum = 0;

	for (link = ((const GQueue *)list)->head; link != NULL; link = link->next)
		sum += (uintptr_t)link->data;
	return sum;
}

#define FUNCTIONS                                                                                  \
	.handle_bytes = sizeof(GQueue), .init = do_init, .release = do_release,                    \
	.append = do_append, .delete_last = do_delete_last, .size = do_size, .first = do_first,    \
	.last = do_last, .linearise = do_linearise, .sort = do_sort,                               \
	.concatenate = do_concatenate, .start = do_start, .next = do_next,                         \
	.previous = do_previous, .insert = do_insert, .delete = do_delete, .replace = do_replace,  \
	.fill = do_fill, .sum = do_sum
#else
#define FUNCTIONS .absent = LIST_NO_GLIB
#endif

const struct list_kind list_peer_glib_list = {
	.name = "glib-list",
	.summary = "GList of GLib, with the tail that its GQueue keeps",
	.own_memory = true,
	FUNCTIONS,
};
