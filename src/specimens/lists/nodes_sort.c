/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting of a ring of nodes, in place and stable: by insertion in each node,
 * then runs of nodes are merged, two of the same length at a time as in a
 * binary counter, so that few are kept (the scheme of Linux's list_sort).
 *
 * Merging writes full nodes. It takes them from a few spare ones and from
 * those that it has read: at any time what was read fills all nodes that are
 * done with and lacks at most nr - 1 elements in each of the two being read,
 * so two spare nodes are enough, whatever the lengths.
 */
#include "specimens/lists/nodes.h"

enum { RUNS = 64, SPARES = 2 };

/* Nodes by next alone, NULL at the end. */
struct sorting {
	list_compare compare;
	uint32_t nr;
	struct node *spares;
};

/* What a merge reads: the next element of a run. */
struct reading {
	struct node *node;
	uint8_t index;
};

static void spare(struct sorting *sorting, struct node *node)
{
	node->count = node->marked = 0;
	node->next = sorting->spares;
	sorting->spares = node;
}

static struct node *take_spare(struct sorting *sorting)
{
	struct node *node = sorting->spares;

	assert(node != NULL);
	sorting->spares = node->next;
	node->next = NULL;
	return node;
}

/* Quadratic in nr, and the quickest for few. */
static void sort_node(const struct sorting *sorting, struct node *node)
{
	uint8_t i, j;

	for (i = 1; i < node->count; i++) {
		void *element = node->elements[i];

		for (j = i; j > 0 && sorting->compare(node->elements[j - 1], element) > 0; j--)
			node->elements[j] = node->elements[j - 1];
		node->elements[j] = element;
	}
}

/* A node that was read is spare. */
static void *read_element(struct sorting *sorting, struct reading *reading)
{
	struct node *node = reading->node;
	void *element = node->elements[reading->index++];

	if (reading->index == node->count) {
		reading->node = node->next;
		reading->index = 0;
		spare(sorting, node);
	}
	return element;
}

static void *peek(const struct reading *reading)
{
	return reading->node->elements[reading->index];
}

/* Of equal elements the earlier run's come first. */
static struct node *merge(struct sorting *sorting, struct node *earlier, struct node *later)
{
	struct reading left = { .node = earlier }, right = { .node = later };
	struct node *first = NULL, **end = &first, *node = NULL;

	while (left.node != NULL || right.node != NULL) {
		bool from_right =
		    left.node == NULL ||
		    (right.node != NULL && sorting->compare(peek(&left), peek(&right)) > 0);
		void *element = read_element(sorting, from_right ? &right : &left);

		if (node == NULL || node->count == sorting->nr) {
			node = take_spare(sorting);
			*end = node;
			end = &node->next;
		}
		node->elements[node->count++] = element;
	}
	return first;
}

/* All nodes as one run. */
static struct node *sort_nodes(struct sorting *sorting, struct node *node)
{
	struct node *runs[RUNS] = { NULL }, *next, *all = NULL;
	size_t i;

	for (; node != NULL; node = next) {
		next = node->next;
		node->next = NULL;
		sort_node(sorting, node);
		for (i = 0; runs[i] != NULL; i++) {
			node = merge(sorting, runs[i], node);
			runs[i] = NULL;
		}
		runs[i] = node;
	}
	for (i = 0; i < RUNS; i++)
		if (runs[i] != NULL)
			all = all == NULL ? runs[i] : merge(sorting, runs[i], all);
	return all;
}

static void put_spares(struct sorting *sorting, struct list_pool *pool)
{
	while (sorting->spares != NULL)
		list_pool_put(pool, take_spare(sorting), node_bytes(sorting->nr));
}

static void make_ring(struct node_list *list, struct node *first)
{
	struct node *node, *next;

	list->head = NULL;
	for (node = first; node != NULL; node = next) {
		next = node->next;
		node_link_last(list, node);
	}
}

bool nodes_sort(struct node_list *list, struct list_pool *pool, list_compare compare, uint32_t nr)
{
	struct sorting sorting = { .compare = compare, .nr = nr };
	int i;

	for (i = 0; i < SPARES; i++) {
		struct node *node = node_new(pool, nr);

		if (node == NULL) {
			put_spares(&sorting, pool);
			return false;
		}
		spare(&sorting, node);
	}
	nodes_pack(list, pool, nr);
	if (list->head != NULL) {
		list->head->previous->next = NULL;
		make_ring(list, sort_nodes(&sorting, list->head));
	}
	put_spares(&sorting, pool);
	return true;
}
