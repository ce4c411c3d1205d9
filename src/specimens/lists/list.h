/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_LISTS_LIST_H
#define SPECIMENS_LISTS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "specimens/lists/pool.h"

/*
 * Lists of pointers: nodes of NR pointers in a ring, and what people use
 * instead. The elements belong to the user and are never NULL; their two low
 * bits may be a tag (list_tagged), which the list keeps and never looks at.
 *
 * One rule for all: what a list holds are the elements that were put in and
 * not taken out, in order. Size, first, last, both directions, copies and
 * linearising all show exactly these. A list is used by one thread at a time.
 *
 * A list is handle_bytes of the user's memory. What needs memory returns
 * false if there is none, and then nothing has changed.
 */

/*
 * A place in a list. It stands outside the list (before the first and after
 * the last, as in a ring), on an element, or in the gap that one left:
 *
 *	        delete, mark
 *	   ON -----------------> GAP
 *	    ^ \                 / |      outside: next is the first,
 *	    |  next, previous  /  |      previous the last
 *	    +-----------------+   |
 *	       at the end: OUTSIDE
 *
 * An element is inserted before the cursor, which stays where it is: a walk
 * forward does not meet it, a walk backward does, and neither meets the current
 * element twice. A change through a cursor keeps that one. Appending and marking
 * keep all others too; any other change ends them.
 */
enum list_place { LIST_OUTSIDE, LIST_ON, LIST_GAP };

struct list_cursor {
	void *list;
	void *node;   /* the variant's; NULL outside */
	size_t index; /* in the node, or in the array */
	enum list_place place;
};

/* The order that sorting makes; as of qsort. It does not use the list. */
typedef int (*list_compare)(const void *element, const void *other);

struct list_kind {
	const char *name;    /* "nodes" */
	const char *summary; /* how it is made */
	const char *absent;  /* why this build does not have it; NULL: it does */
	size_t handle_bytes;
	uint32_t nr;	 /* pointers in a node, compiled in; 0: the pool's, or there are none */
	bool own_memory; /* its library's malloc, not the pool */

	void (*init)(void *list);
	void (*release)(void *list, struct list_pool *pool); /* empty again */
	bool (*append)(void *list, struct list_pool *pool, void *element);
	void *(*delete_last)(void *list, struct list_pool *pool); /* NULL: it is empty */
	size_t (*size)(const void *list);
	void *(*first)(const void *list); /* NULL: it is empty */
	void *(*last)(const void *list);
	/* The first elements, at most limit of them; how many. */
	size_t (*linearise)(const void *list, void **elements, size_t limit);
	/* Stable. */
	bool (*sort)(void *list, struct list_pool *pool, list_compare compare);
	/* All of other, which is another list, behind the elements of list; other is then empty. */
	bool (*concatenate)(void *list, void *other, struct list_pool *pool);

	void (*start)(void *list, struct list_cursor *cursor); /* outside */
	void *(*next)(struct list_cursor *cursor);	       /* NULL: outside again */
	void *(*previous)(struct list_cursor *cursor);
	/* Before the cursor; outside it is an append. */
	bool (*insert)(struct list_cursor *cursor, struct list_pool *pool, void *element);
	void (*delete)(struct list_cursor *cursor, struct list_pool *pool); /* it is on one */
	void (*replace)(struct list_cursor *cursor, void *element);	    /* it is on one */

	/* NULL where a variant does not have it. */
	/* Deletes without moving anything: the slots of all others stay where they are. */
	void (*mark)(struct list_cursor *cursor); /* it is on one */
	/* Removes marked slots; no node is empty then, and no list without elements has any. */
	void (*pack)(void *list, struct list_pool *pool);
	/* Appends copies of all elements of other, which may be the same list. */
	bool (*copy)(void *list, const void *other, struct list_pool *pool);
	/* What is at and after the cursor goes to rest, an empty list; the cursor is outside. */
	bool (*split)(struct list_cursor *cursor, struct list_pool *pool, void *rest);
	/* Which rule of its own structure does not hold, as a sentence; NULL: all do. */
	const char *(*check)(const void *list, const struct list_pool *pool);

	/* What is measured, compiled in the variant's file, as in a user's. */
	bool (*fill)(void *list, struct list_pool *pool, void *const *elements, size_t count);
	uintptr_t (*sum)(void *list); /* of the elements as numbers, first to last */
};

/* All, in the order of list.def; ends with NULL. Nodes are there once, with the pool's NR. */
extern const struct list_kind *const list_kinds[];
/* That one; what conformance breaks. */
extern const struct list_kind list_nodes;

/* The NR that nodes may have, and the sizes that are compiled in (sizes.def); 0 at the end. */
enum { LIST_NR_MINIMUM = 3, LIST_NR_MAXIMUM = 125 };
extern const uint32_t list_node_sizes[];
/* Lists with nodes of nr pointers, compiled for that number; NULL: there are none. */
const struct list_kind *list_nodes_of(uint32_t nr);
/* Bytes of such a node. */
size_t list_node_bytes(uint32_t nr);

/* What the peers from GLib say where SPECIMENS_GLIB is not defined. */
#define LIST_NO_GLIB "this program is built without GLib; bench/worth-load-peers has it"

/* Tags: 0 to 3 in the low bits of a pointer to something on a multiple of 4. */
enum { LIST_TAG_MASK = 3 };

static inline void *list_tagged(void *pointer, unsigned tag)
{
	return (void *)((uintptr_t)pointer | (tag & LIST_TAG_MASK));
}

static inline unsigned list_tag(const void *element)
{
	return (unsigned)((uintptr_t)element & LIST_TAG_MASK);
}

static inline void *list_untagged(const void *element)
{
	return (void *)((uintptr_t)element & ~(uintptr_t)LIST_TAG_MASK);
}

#endif
