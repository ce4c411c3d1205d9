/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GLib's GPtrArray, where the build has GLib. */
#include "specimens/lists/list.h"

#ifdef SPECIMENS_GLIB

#include <assert.h>
#include <glib.h>
#include <string.h>

#include "specimens/lists/indexed.h"

/* An array is made with its first element, so that an empty list costs nothing. */
static GPtrArray **array_of(void *list)
{
	return list;
}

static GPtrArray *array_get(const void *list)
{
	return *(GPtrArray *const *)list;
}

static guint count_of(const void *list)
{
	return array_get(list) == NULL ? 0 : array_get(list)->len;
}

static void do_init(void *list)
{
	*array_of(list) = NULL;
}

static void do_release(void *list, struct list_pool *pool)
{
	(void)pool;
	if (array_get(list) != NULL)
		g_ptr_array_free(array_get(list), TRUE);
	do_init(list);
}

static bool do_append(void *list, struct list_pool *pool, void *element)
{
	(void)pool;
	assert(element != NULL);
	if (array_get(list) == NULL)
		*array_of(list) = g_ptr_array_new();
	g_ptr_array_add(array_get(list), element);
	return true;
}

static void *do_delete_last(void *list, struct list_pool *pool)
{
	(void)pool;
	return count_of(list) == 0 ? NULL
				   : g_ptr_array_remove_index(array_get(list), count_of(list) - 1);
}

static size_t do_size(const void *list)
{
	return count_of(list);
}

static void *do_first(const void *list)
{
	return count_of(list) == 0 ? NULL : g_ptr_array_index(array_get(list), 0);
}

static void *do_last(const void *list)
{
	return count_of(list) == 0 ? NULL : g_ptr_array_index(array_get(list), count_of(list) - 1);
}

static size_t do_linearise(const void *list, void **elements, size_t limit)
{
	size_t count = count_of(list) < limit ? count_of(list) : limit;

	if (count > 0)
		memcpy(elements, array_get(list)->pdata, count * sizeof *elements);
	return count;
}

/* GLib hands over pointers to the elements. */
struct order {
	list_compare compare;
};

static gint compare_pointed(gconstpointer left, gconstpointer right, gpointer order)
{
	return ((struct order *)order)->compare(*(void *const *)left, *(void *const *)right);
}

static bool do_sort(void *list, struct list_pool *pool, list_compare compare)
{
	struct order order = { .compare = compare };

	(void)pool;
	if (count_of(list) > 0)
		g_ptr_array_sort_with_data(array_get(list), compare_pointed, &order);
	return true;
}

static bool do_concatenate(void *list, void *other, struct list_pool *pool)
{
	assert(list != other);
	if (array_get(list) == NULL) {
		*array_of(list) = array_get(other);
		do_init(other);
	} else if (array_get(other) != NULL) {
		g_ptr_array_extend(array_get(list), array_get(other), NULL, NULL);
		do_release(other, pool);
	}
	return true;
}

static void do_start(void *list, struct list_cursor *cursor)
{
	indexed_start(list, cursor);
}

static void *const *elements_of(const struct list_cursor *cursor)
{
	return array_get(cursor->list) == NULL ? NULL : array_get(cursor->list)->pdata;
}

static void *do_next(struct list_cursor *cursor)
{
	return indexed_next(cursor, elements_of(cursor), count_of(cursor->list));
}

static void *do_previous(struct list_cursor *cursor)
{
	return indexed_previous(cursor, elements_of(cursor), count_of(cursor->list));
}

static bool do_insert(struct list_cursor *cursor, struct list_pool *pool, void *element)
{
	if (cursor->place == LIST_OUTSIDE)
		return do_append(cursor->list, pool, element);
	assert(element != NULL);
	g_ptr_array_insert(array_get(cursor->list), (gint)cursor->index, element);
	cursor->index++;
	return true;
}

static void do_delete(struct list_cursor *cursor, struct list_pool *pool)
{
	(void)pool;
	assert(cursor->place == LIST_ON);
	g_ptr_array_remove_index(array_get(cursor->list), (guint)cursor->index);
	cursor->place = LIST_GAP;
}

static void do_replace(struct list_cursor *cursor, void *element)
{
	assert(cursor->place == LIST_ON && element != NULL);
	g_ptr_array_index(array_get(cursor->list), cursor->index) = element;
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
	uintptr_t sum = 0;
	guint i;

	for (i = 0; i < count_of(list); i++)
		sum += (uintptr_t)g_ptr_array_index(array_get(list), i);
	return sum;
}

#define FUNCTIONS                                                                                  \
	.init = do_init, .release = do_release, .append = do_append,                               \
	.delete_last = do_delete_last, .size = do_size, .first = do_first, .last = do_last,        \
	.linearise = do_linearise, .sort = do_sort, .concatenate = do_concatenate,                 \
	.start = do_start, .next = do_next, .previous = do_previous, .insert = do_insert,          \
	.delete = do_delete, .replace = do_replace, .fill = do_fill, .sum = do_sum
#else
#define FUNCTIONS .absent = LIST_NO_GLIB
#endif

const struct list_kind list_peer_glib_array = {
	.name = "glib-array",
	.summary = "GPtrArray of GLib",
	.handle_bytes = sizeof(void *),
	.own_memory = true,
	FUNCTIONS,
};
