/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: sorts, and is not stable. */
#include "specimens/lists/nodes.h"

/* By insertion, which passes elements that are equal. */
static bool sort(void *list, struct list_pool *pool, list_compare compare)
{
	enum { LIMIT = 2000 };
	void *elements[LIMIT];
	struct list_cursor cursor;
	size_t count = nodes_linearise(list, elements, LIMIT), i, j;

	(void)pool;
	for (i = 1; i < count; i++) {
		void *element = elements[i];

		for (j = i; j > 0 && compare(elements[j - 1], element) >= 0; j--)
			elements[j] = elements[j - 1];
		elements[j] = element;
	}
	nodes_start(list, &cursor);
	for (i = 0; i < count && nodes_next(&cursor) != NULL; i++)
		nodes_replace(&cursor, elements[i]);
	return true;
}

struct list_kind list_broken_sort_turns_equals_round(void);

struct list_kind list_broken_sort_turns_equals_round(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: sort-turns-equals-round";
	kind.sort = sort;
	return kind;
}
