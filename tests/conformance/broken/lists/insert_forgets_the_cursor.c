/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Broken: after an insertion the cursor is on the new element, and a walk meets the old one twice.
 */
#include "specimens/lists/nodes.h"

static bool insert(struct list_cursor *cursor, struct list_pool *pool, void *element)
{
	bool done = nodes_insert(cursor, pool, element, pool->nr);

	if (done && cursor->place == LIST_ON)
		cursor->index--;
	return done;
}

struct list_kind list_broken_insert_forgets_the_cursor(void);

struct list_kind list_broken_insert_forgets_the_cursor(void)
{
	struct list_kind kind = list_nodes;

	kind.name = "broken: insert-forgets-the-cursor";
	kind.insert = insert;
	return kind;
}
