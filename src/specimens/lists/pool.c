/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of lists: see pool.h. A block in the list of returned ones begins with the next. */
#include "specimens/lists/pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Much larger than a page, so that the calls of mmap do not count. */
enum { CHUNK_BYTES = 1 << 20 };

void list_pool_init(struct list_pool *pool, enum list_memory memory, uint32_t nr)
{
	memset(pool, 0, sizeof *pool);
	pool->memory = memory;
	pool->nr = nr;
	pool->allowed = -1;
}

/* The size that is really given: blocks can be exchanged within a class. */
static size_t class_bytes(size_t bytes)
{
	size_t power = 2 * LIST_POOL_SMALL;

	if (bytes <= LIST_POOL_SMALL)
		return (bytes + 7) / 8 * 8;
	while (power < bytes)
		power *= 2;
	return power;
}

static size_t class_of(size_t bytes)
{
	size_t class;

	if (bytes <= LIST_POOL_SMALL)
		return bytes / 8;
	for (class = LIST_POOL_SMALL / 8 + 1; bytes > 2 * LIST_POOL_SMALL; class ++)
		bytes /= 2;
	return class;
}

/* Remembers a chunk, or unmaps it. */
static char *keep_chunk(struct list_pool *pool, void *chunk, size_t bytes)
{
	void **chunks = realloc(pool->chunks, 2 * (pool->chunk_count + 1) * sizeof *chunks);

	if (chunks == NULL) {
		munmap(chunk, bytes);
		return NULL;
	}
	pool->chunks = chunks;
	chunks[2 * pool->chunk_count] = chunk;
	chunks[2 * pool->chunk_count++ + 1] = (char *)chunk + bytes;
	return chunk;
}

/* Fresh pages; huge ones would hide what smaller nodes save. */
static char *new_chunk(struct list_pool *pool, size_t bytes)
{
	void *chunk = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (chunk == MAP_FAILED)
		return NULL;
	madvise(chunk, bytes, MADV_NOHUGEPAGE);
	return keep_chunk(pool, chunk, bytes);
}

/* What does not fit into what is left of a chunk leaves that unused. */
static void *cut(struct list_pool *pool, size_t bytes)
{
	void *block;

	if ((size_t)(pool->end - pool->next) < bytes) {
		size_t whole = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
		char *chunk = new_chunk(pool, whole);

		if (chunk == NULL)
			return NULL;
		pool->next = chunk;
		pool->end = chunk + whole;
	}
	block = pool->next;
	pool->next += bytes;
	pool->taken_bytes += bytes;
	return block;
}

static void *from_arena(struct list_pool *pool, size_t bytes)
{
	void **returned = &pool->returned[class_of(bytes)];
	void *block = *returned;

	if (block == NULL)
		return cut(pool, bytes);
	memcpy(returned, block, sizeof *returned);
	return block;
}

void *list_pool_get(struct list_pool *pool, size_t bytes)
{
	void *block;

	if (pool->allowed == 0)
		return NULL;
	pool->allowed -= pool->allowed > 0;
	bytes = class_bytes(bytes);
	block = pool->memory == LIST_MEMORY_MALLOC ? malloc(bytes) : from_arena(pool, bytes);
	if (block != NULL)
		pool->used_bytes += bytes;
	return block;
}

void list_pool_put(struct list_pool *pool, void *block, size_t bytes)
{
	void **returned;

	if (block == NULL)
		return;
	bytes = class_bytes(bytes);
	assert(pool->used_bytes >= bytes);
	pool->used_bytes -= bytes;
	if (pool->memory == LIST_MEMORY_MALLOC) {
		free(block);
		return;
	}
	returned = &pool->returned[class_of(bytes)];
	memcpy(block, returned, sizeof *returned);
	*returned = block;
}

void list_pool_reset(struct list_pool *pool)
{
	size_t i;

	if (pool->memory == LIST_MEMORY_MALLOC)
		return;
	for (i = 0; i < pool->chunk_count; i++)
		munmap(pool->chunks[2 * i],
		       (size_t)((char *)pool->chunks[2 * i + 1] - (char *)pool->chunks[2 * i]));
	memset(pool->returned, 0, sizeof pool->returned);
	pool->chunk_count = 0;
	pool->taken_bytes = pool->used_bytes = 0;
	pool->next = pool->end = NULL;
}

void list_pool_release(struct list_pool *pool)
{
	list_pool_reset(pool);
	free(pool->chunks);
	pool->chunks = NULL;
}
