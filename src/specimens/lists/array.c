/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plain array that doubles when it is full: what most people would write. */
#include <assert.h>
#include <string.h>

#include "specimens/lists/indexed.h"
#include "specimens/lists/list.h"

enum { FIRST_CAPACITY = 4 };

struct array {
	void **elements;
	uint32_t count, capacity;
};

static size_t bytes_of(size_t capacity)
{
	return capacity * sizeof(void *);
}

static void array_init(void *list)
{
	*(struct array *)list = (struct array){ 0 };
}

static void array_release(void *list, struct list_pool *pool)
{
	struct array *array = list;

	list_pool_put(pool, array->elements, bytes_of(array->capacity));
	array_init(array);
}

static bool array_reserve(struct array *array, struct list_pool *pool, uint32_t count)
{
	uint32_t capacity = array->capacity == 0 ? FIRST_CAPACITY : array->capacity;
	void **elements;

	if (count <= array->capacity)
		return true;
	while (capacity < count)
		capacity *= 2;
	elements = list_pool_get(pool, bytes_of(capacity));
	if (elements == NULL)
		return false;
	if (array->count > 0)
		memcpy(elements, array->elements, bytes_of(array->count));
	list_pool_put(pool, array->elements, bytes_of(array->capacity));
	array->elements = elements;
	array->capacity = capacity;
	return true;
}

SPECIMEN_INLINE bool array_add(struct array *array, struct list_pool *pool, void *element)
{
	assert(element != NULL);
	if (array->count == array->capacity && !array_reserve(array, pool, array->count + 1))
		return false;
	array->elements[array->count++] = element;
	return true;
}

static bool array_append(void *list, struct list_pool *pool, void *element)
{
	return array_add(list, pool, element);
}

static void *array_delete_last(void *list, struct list_pool *pool)
{
	struct array *array = list;

	(void)pool;
	return array->count == 0 ? NULL : array->elements[--array->count];
}

static size_t array_size(const void *list)
{
	return ((const struct array *)list)->count;
}

static void *array_first(const void *list)
{
	const struct array *array = list;

	return array->count == 0 ? NULL : array->elements[0];
}

static void *array_last(const void *list)
{
	const struct array *array = list;

	return array->count == 0 ? NULL : array->elements[array->count - 1];
}

static size_t array_linearise(const void *list, void **elements, size_t limit)
{
	const struct array *array = list;
	size_t count = array->count < limit ? array->count : limit;

	if (count > 0)
		memcpy(elements, array->elements, bytes_of(count));
	return count;
}

/* Of neighbouring runs of so many elements, from one array to the other. */
static void merge_runs(void *const *from, void **to, size_t count, size_t width,
		       list_compare compare)
{
	size_t start, i;

	for (start = 0; start < count; start += 2 * width) {
		size_t middle = start + width < count ? start + width : count;
		size_t end = middle + width < count ? middle + width : count;
		size_t left = start, right = middle;

		for (i = start; i < end; i++)
			to[i] =
			    left < middle && (right == end || compare(from[left], from[right]) <= 0)
				? from[left++]
				: from[right++];
	}
}

static bool array_sort(void *list, struct list_pool *pool, list_compare compare)
{
	struct array *array = list;
	size_t bytes = bytes_of(array->capacity), width;
	void **other;

	if (array->count == 0)
		return true;
	other = list_pool_get(pool, bytes);
	if (other == NULL)
		return false;
	for (width = 1; width < array->count; width *= 2) {
		void **sorted = other;

		merge_runs(array->elements, sorted, array->count, width, compare);
		other = array->elements;
		array->elements = sorted;
	}
	list_pool_put(pool, other, bytes);
	return true;
}

static bool array_concatenate(void *list, void *other_list, struct list_pool *pool)
{
	struct array *array = list, *other = other_list;

	assert(array != other);
	if (!array_reserve(array, pool, array->count + other->count))
		return false;
	if (other->count > 0)
		memcpy(array->elements + array->count, other->elements, bytes_of(other->count));
	array->count += other->count;
	array_release(other, pool);
	return true;
}

static void array_start(void *list, struct list_cursor *cursor)
{
	indexed_start(list, cursor);
}

static void *array_next(struct list_cursor *cursor)
{
	const struct array *array = cursor->list;

	return indexed_next(cursor, array->elements, array->count);
}

static void *array_previous(struct list_cursor *cursor)
{
	const struct array *array = cursor->list;

	return indexed_previous(cursor, array->elements, array->count);
}

static bool array_insert(struct list_cursor *cursor, struct list_pool *pool, void *element)
{
	struct array *array = cursor->list;
	void **at;

	if (cursor->place == LIST_OUTSIDE)
		return array_add(array, pool, element);
	assert(element != NULL);
	if (!array_reserve(array, pool, array->count + 1))
		return false;
	at = array->elements + cursor->index;
	memmove(at + 1, at, bytes_of(array->count - cursor->index));
	*at = element;
	array->count++;
	cursor->index++;
	return true;
}

static void array_delete(struct list_cursor *cursor, struct list_pool *pool)
{
	struct array *array = cursor->list;
	void **at = array->elements + cursor->index;

	(void)pool;
	assert(cursor->place == LIST_ON);
	array->count--;
	memmove(at, at + 1, bytes_of(array->count - cursor->index));
	cursor->place = LIST_GAP;
}

static void array_replace(struct list_cursor *cursor, void *element)
{
	assert(cursor->place == LIST_ON && element != NULL);
	((struct array *)cursor->list)->elements[cursor->index] = element;
}

static const char *array_check(const void *list, const struct list_pool *pool)
{
	const struct array *array = list;

	(void)pool;
	return array->count <= array->capacity ? NULL : "more elements than there is room for";
}

static bool array_fill(void *list, struct list_pool *pool, void *const *elements, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!array_add(list, pool, elements[i]))
			return false;
	return true;
}

static uintptr_t array_sum(void *list)
{
	const struct array *array = list;
	uintptr_t sum = 0;
	size_t i;

	for (i = 0; i < array->count; i++)
		sum += (uintptr_t)array->elements[i];
	return sum;
}

const struct list_kind list_array = {
	.name = "array",
	.summary = "an array that doubles when it is full, 4 at first",
	.handle_bytes = sizeof(struct array),
	.init = array_init,
	.release = array_release,
	.append = array_append,
	.delete_last = array_delete_last,
	.size = array_size,
	.first = array_first,
	.last = array_last,
	.linearise = array_linearise,
	.sort = array_sort,
	.concatenate = array_concatenate,
	.start = array_start,
	.next = array_next,
	.previous = array_previous,
	.insert = array_insert,
	.delete = array_delete,
	.replace = array_replace,
	.check = array_check,
	.fill = array_fill,
	.sum = array_sum,
};
