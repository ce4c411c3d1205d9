/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lists of nodes (nodes.h) as variants: one for each size in sizes.def,
 * with the size as a constant, and one for any size, which is the pool's.
 */
#include "specimens/lists/nodes.h"

static void do_init(void *list)
{
	((struct node_list *)list)->head = NULL;
}

static size_t do_size(const void *list)
{
	return nodes_size(list);
}

static void *do_first(const void *list)
{
	return nodes_first(list);
}

static void *do_last(const void *list)
{
	return nodes_last(list);
}

static size_t do_linearise(const void *list, void **elements, size_t limit)
{
	return nodes_linearise(list, elements, limit);
}

static bool do_concatenate(void *list, void *other, struct list_pool *pool)
{
	(void)pool;
	nodes_concatenate(list, other);
	return true;
}

static void do_start(void *list, struct list_cursor *cursor)
{
	nodes_start(list, cursor);
}

static void *do_next(struct list_cursor *cursor)
{
	return nodes_next(cursor);
}

static void *do_previous(struct list_cursor *cursor)
{
	return nodes_previous(cursor);
}

static void do_replace(struct list_cursor *cursor, void *element)
{
	nodes_replace(cursor, element);
}

static void do_mark(struct list_cursor *cursor)
{
	nodes_mark(cursor);
}

static uintptr_t do_sum(void *list)
{
	struct list_cursor cursor;
	uintptr_t sum = 0;
	void *element;

	nodes_start(list, &cursor);
	while ((element = nodes_next(&cursor)) != NULL)
		sum += (uintptr_t)element;
	return sum;
}

/* What depends on the size, given as an expression. */
#define NODES_FUNCTIONS(id, nr)                                                                    \
	static void release_##id(void *list, struct list_pool *pool)                               \
	{                                                                                          \
		nodes_release(list, pool, nr);                                                     \
	}                                                                                          \
                                                                                                   \
	static bool append_##id(void *list, struct list_pool *pool, void *element)                 \
	{                                                                                          \
		return nodes_append(list, pool, element, nr);                                      \
	}                                                                                          \
                                                                                                   \
	static void *delete_last_##id(void *list, struct list_pool *pool)                          \
	{                                                                                          \
		return nodes_delete_last(list, pool, nr);                                          \
	}                                                                                          \
                                                                                                   \
	static bool sort_##id(void *list, struct list_pool *pool, list_compare compare)            \
	{                                                                                          \
		return nodes_sort(list, pool, compare, nr);                                        \
	}                                                                                          \
                                                                                                   \
	static bool insert_##id(struct list_cursor *cursor, struct list_pool *pool, void *element) \
	{                                                                                          \
		return nodes_insert(cursor, pool, element, nr);                                    \
	}                                                                                          \
                                                                                                   \
	static void delete_##id(struct list_cursor *cursor, struct list_pool *pool)                \
	{                                                                                          \
		nodes_delete(cursor, pool, nr);                                                    \
	}                                                                                          \
                                                                                                   \
	static void pack_##id(void *list, struct list_pool *pool)                                  \
	{                                                                                          \
		nodes_pack(list, pool, nr);                                                        \
	}                                                                                          \
                                                                                                   \
	static bool copy_##id(void *list, const void *other, struct list_pool *pool)               \
	{                                                                                          \
		return nodes_copy(list, other, pool, nr);                                          \
	}                                                                                          \
                                                                                                   \
	static bool split_##id(struct list_cursor *cursor, struct list_pool *pool, void *rest)     \
	{                                                                                          \
		return nodes_split(cursor, pool, rest, nr);                                        \
	}                                                                                          \
                                                                                                   \
	static const char *check_##id(const void *list, const struct list_pool *pool)              \
	{                                                                                          \
		(void)pool;                                                                        \
		return nodes_check(list, nr);                                                      \
	}                                                                                          \
                                                                                                   \
	static bool fill_##id(void *list, struct list_pool *pool, void *const *elements,           \
			      size_t count)                                                        \
	{                                                                                          \
		size_t i;                                                                          \
                                                                                                   \
		for (i = 0; i < count; i++)                                                        \
			if (!nodes_append(list, pool, elements[i], nr))                            \
				return false;                                                      \
		return true;                                                                       \
	}

#define NODES_KIND(id)                                                                             \
	.summary = "a ring of nodes of NR pointers", .handle_bytes = sizeof(struct node_list),     \
	.init = do_init, .release = release_##id, .append = append_##id,                           \
	.delete_last = delete_last_##id, .size = do_size, .first = do_first, .last = do_last,      \
	.linearise = do_linearise, .sort = sort_##id, .concatenate = do_concatenate,               \
	.start = do_start, .next = do_next, .previous = do_previous, .insert = insert_##id,        \
	.delete = delete_##id, .replace = do_replace, .mark = do_mark, .pack = pack_##id,          \
	.copy = copy_##id, .split = split_##id, .check = check_##id, .fill = fill_##id,            \
	.sum = do_sum

#define SIZE(nr) NODES_FUNCTIONS(nr, nr)
#include "specimens/lists/sizes.def"
#undef SIZE
NODES_FUNCTIONS(any, pool->nr)

const uint32_t list_node_sizes[] = {
#define SIZE(nr) nr,
#include "specimens/lists/sizes.def"
#undef SIZE
	0
};

const struct list_kind *list_nodes_of(uint32_t size)
{
	static const struct list_kind kinds[] = {
#define SIZE(number) { .name = "nodes-" #number, .nr = number, NODES_KIND(number) },
#include "specimens/lists/sizes.def"
#undef SIZE
	};
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].nr == size)
			return &kinds[i];
	return NULL;
}

size_t list_node_bytes(uint32_t nr)
{
	return node_bytes(nr);
}

const struct list_kind list_nodes = { .name = "nodes", NODES_KIND(any) };
