/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_LISTS_POOL_H
#define SPECIMENS_LISTS_POOL_H

#include <stddef.h>
#include <stdint.h>

/*
 * Where lists have their memory. An arena cuts blocks from fresh pages of the
 * kernel, one after the other, and never asks for huge ones: what lists cost is
 * exact in bytes, and in page faults. Blocks given back are kept for requests
 * of the same size; pages go back to the kernel all at once. This is how
 * compilers allocate. With malloc it costs what the C library makes of it.
 */
enum list_memory { LIST_MEMORY_ARENA, LIST_MEMORY_MALLOC };

/* Sizes that are multiples of 8 up to 1024, and powers of two above. */
enum { LIST_POOL_SMALL = 1024, LIST_POOL_CLASSES = LIST_POOL_SMALL / 8 + 1 + 40 };

struct list_pool {
	enum list_memory memory;
	uint32_t nr;	 /* pointers in a node, of lists whose nodes are not compiled for one */
	int64_t allowed; /* blocks that it may still give; negative: any number */
	uint64_t taken_bytes; /* of the arena so far, whether given back or not */
	uint64_t used_bytes;  /* in blocks that were not given back */
	char *next, *end;     /* of what is left of the newest chunk */
	void **chunks;
	size_t chunk_count;
	void *returned[LIST_POOL_CLASSES]; /* by size; each block begins with the next */
};

void list_pool_init(struct list_pool *pool, enum list_memory memory, uint32_t nr);
/* All pages of an arena go back to the kernel; blocks of malloc are the lists' to give back. */
void list_pool_reset(struct list_pool *pool);
void list_pool_release(struct list_pool *pool);

/*
 * A block of so many bytes (at least 8), not cleared, on a multiple of 8: in a
 * fresh arena blocks whose size is a power of two lie on multiples of it. NULL:
 * there is no memory.
 */
void *list_pool_get(struct list_pool *pool, size_t bytes);
/* The size is the one that was asked for. */
void list_pool_put(struct list_pool *pool, void *block, size_t bytes);

#endif
