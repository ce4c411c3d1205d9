/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tail queue of <sys/queue.h>, whose links are in entries of one element each. */
#include <sys/queue.h>

#include <assert.h>

#include "specimens/lists/linked.h"
#include "specimens/lists/list.h"

struct entry {
	TAILQ_ENTRY(entry) link;
	void *element;
};

TAILQ_HEAD(queue, entry);

#define QUEUE_FIRST(list) TAILQ_FIRST((struct queue *)(list))
#define QUEUE_LAST(list) TAILQ_LAST((struct queue *)(list), queue)
#define QUEUE_NEXT(entry) TAILQ_NEXT(entry, link)
#define QUEUE_PREVIOUS(entry) TAILQ_PREV(entry, queue, link)
LINKED_WALK(queue, struct entry, QUEUE_FIRST, QUEUE_LAST, QUEUE_NEXT, QUEUE_PREVIOUS)

static struct entry *entry_new(struct list_pool *pool, void *element)
{
	struct entry *entry;

	assert(element != NULL);
	entry = list_pool_get(pool, sizeof *entry);
	if (entry != NULL)
		entry->element = element;
	return entry;
}

static void *entry_drop(struct queue *queue, struct entry *entry, struct list_pool *pool)
{
	void *element = entry->element;

	TAILQ_REMOVE(queue, entry, link);
	list_pool_put(pool, entry, sizeof *entry);
	return element;
}

static void queue_init(void *list)
{
	TAILQ_INIT((struct queue *)list);
}

static void queue_release(void *list, struct list_pool *pool)
{
	while (QUEUE_FIRST(list) != NULL)
		entry_drop(list, QUEUE_FIRST(list), pool);
}

SPECIMEN_INLINE bool queue_add(struct queue *queue, struct list_pool *pool, void *element)
{
	struct entry *entry = entry_new(pool, element);

	if (entry == NULL)
		return false;
	TAILQ_INSERT_TAIL(queue, entry, link);
	return true;
}

static bool queue_append(void *list, struct list_pool *pool, void *element)
{
	return queue_add(list, pool, element);
}

static void *queue_delete_last(void *list, struct list_pool *pool)
{
	struct entry *entry = QUEUE_LAST(list);

	return entry == NULL ? NULL : entry_drop(list, entry, pool);
}

static size_t queue_size(const void *list)
{
	const struct entry *entry;
	size_t size = 0;

	for (entry = TAILQ_FIRST((const struct queue *)list); entry != NULL;
	     entry = QUEUE_NEXT(entry))
		size++;
	return size;
}

static void *queue_first(const void *list)
{
	const struct entry *entry = TAILQ_FIRST((const struct queue *)list);

	return entry == NULL ? NULL : entry->element;
}

static void *queue_last(const void *list)
{
	const struct queue *queue = list;
	const struct entry *entry = TAILQ_LAST(queue, queue);

	return entry == NULL ? NULL : entry->element;
}

static size_t queue_linearise(const void *list, void **elements, size_t limit)
{
	const struct entry *entry = TAILQ_FIRST((const struct queue *)list);
	size_t count = 0;

	for (; entry != NULL && count < limit; entry = QUEUE_NEXT(entry))
		elements[count++] = entry->element;
	return count;
}

static void merge(struct queue *earlier, struct queue *later, struct queue *into,
		  list_compare compare)
{
	for (;;) {
		struct entry *left = TAILQ_FIRST(earlier), *right = TAILQ_FIRST(later);
		struct queue *from =
		    right == NULL || (left != NULL && compare(left->element, right->element) <= 0)
			? earlier
			: later;
		struct entry *entry = TAILQ_FIRST(from);

		if (entry == NULL)
			return;
		TAILQ_REMOVE(from, entry, link);
		TAILQ_INSERT_TAIL(into, entry, link);
	}
}

/* By halves; the depth is the logarithm of the size. */
static void sort_queue(struct queue *queue, size_t size, list_compare compare)
{
	struct queue first, second;
	size_t i;

	if (size < 2)
		return;
	TAILQ_INIT(&first);
	TAILQ_INIT(&second);
	for (i = 0; i < size / 2; i++) {
		struct entry *entry = TAILQ_FIRST(queue);

		TAILQ_REMOVE(queue, entry, link);
		TAILQ_INSERT_TAIL(&first, entry, link);
	}
	TAILQ_CONCAT(&second, queue, link);
	sort_queue(&first, size / 2, compare);
	sort_queue(&second, size - size / 2, compare);
	merge(&first, &second, queue, compare);
}

static bool queue_sort(void *list, struct list_pool *pool, list_compare compare)
{
	(void)pool;
	sort_queue(list, queue_size(list), compare);
	return true;
}

static bool queue_concatenate(void *list, void *other, struct list_pool *pool)
{
	(void)pool;
	assert(list != other);
	TAILQ_CONCAT((struct queue *)list, (struct queue *)other, link);
	return true;
}

static void queue_start(void *list, struct list_cursor *cursor)
{
	linked_start(list, cursor);
}

static void *queue_next(struct list_cursor *cursor)
{
	struct entry *entry = queue_link_after(cursor);

	return linked_stand(cursor, entry) ? entry->element : NULL;
}

static void *queue_previous(struct list_cursor *cursor)
{
	struct entry *entry = queue_link_before(cursor);

	return linked_stand(cursor, entry) ? entry->element : NULL;
}

static bool queue_insert(struct list_cursor *cursor, struct list_pool *pool, void *element)
{
	struct queue *queue = cursor->list;
	struct entry *entry = entry_new(pool, element);

	if (entry == NULL)
		return false;
	if (cursor->place == LIST_OUTSIDE)
		TAILQ_INSERT_TAIL(queue, entry, link);
	else if (cursor->place == LIST_ON)
		TAILQ_INSERT_BEFORE((struct entry *)cursor->node, entry, link);
	else if (cursor->node == NULL)
		TAILQ_INSERT_HEAD(queue, entry, link);
	else
		TAILQ_INSERT_AFTER(queue, (struct entry *)cursor->node, entry, link);
	if (cursor->place == LIST_GAP)
		cursor->node = entry;
	return true;
}

static void queue_delete(struct list_cursor *cursor, struct list_pool *pool)
{
	struct entry *entry = cursor->node;

	assert(cursor->place == LIST_ON);
	cursor->node = QUEUE_PREVIOUS(entry);
	cursor->place = LIST_GAP;
	entry_drop(cursor->list, entry, pool);
}

static void queue_replace(struct list_cursor *cursor, void *element)
{
	assert(cursor->place == LIST_ON && element != NULL);
	((struct entry *)cursor->node)->element = element;
}

static bool queue_fill(void *list, struct list_pool *pool, void *const *elements, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!queue_add(list, pool, elements[i]))
			return false;
	return true;
}

static uintptr_t queue_sum(void *list)
{
	const struct entry *entry;
	uintptr_t sum = 0;

	for (entry = QUEUE_FIRST(list); entry != NULL; entry = QUEUE_NEXT(entry))
		sum += (uintptr_t)entry->element;
	return sum;
}

const struct list_kind list_tailq = {
	.name = "tailq",
	.summary = "the tail queue of <sys/queue.h>, an entry of 24 bytes each",
	.handle_bytes = sizeof(struct queue),
	.init = queue_init,
	.release = queue_release,
	.append = queue_append,
	.delete_last = queue_delete_last,
	.size = queue_size,
	.first = queue_first,
	.last = queue_last,
	.linearise = queue_linearise,
	.sort = queue_sort,
	.concatenate = queue_concatenate,
	.start = queue_start,
	.next = queue_next,
	.previous = queue_previous,
	.insert = queue_insert,
	.delete = queue_delete,
	.replace = queue_replace,
	.fill = queue_fill,
	.sum = queue_sum,
};
