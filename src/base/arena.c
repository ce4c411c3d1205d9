/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A chain of blocks, each twice the one before up to 1 MiB; a request larger
 * than a quarter of that gets a block of its own. Under AddressSanitizer
 * every request gets its own block, so that overruns inside an arena are seen.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_BLOCK_BYTES = 4096, LARGEST_BLOCK_BYTES = 1 << 20 };

#if defined(__SANITIZE_ADDRESS__)
#define BLOCK_PER_REQUEST 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BLOCK_PER_REQUEST 1
#endif
#endif
#ifndef BLOCK_PER_REQUEST
#define BLOCK_PER_REQUEST 0
#endif

struct block {
	struct block *previous;
	size_t used;
	size_t size;
	alignas(max_align_t) char bytes[];
};

struct arena {
	struct block *blocks;
	size_t next_block_bytes;
};

_Noreturn void arena_out_of_memory(void)
{
	static const char sentence[] = "worth: out of memory\n";
	ssize_t ignored = write(STDERR_FILENO, sentence, sizeof sentence - 1);

	(void)ignored;
	_exit(2);
}

struct arena *arena_open(void)
{
	struct arena *arena = calloc(1, sizeof *arena);

	if (arena == NULL)
		arena_out_of_memory();
	arena->next_block_bytes = FIRST_BLOCK_BYTES;
	return arena;
}

void arena_close(struct arena *arena)
{
	if (arena == NULL)
		return;
	while (arena->blocks != NULL) {
		struct block *block = arena->blocks;

		arena->blocks = block->previous;
		free(block);
	}
	free(arena);
}

static struct block *block_add(size_t size)
{
	struct block *block;

	if (size > SIZE_MAX - sizeof *block)
		arena_out_of_memory();
	block = calloc(1, sizeof *block + size);
	if (block == NULL)
		arena_out_of_memory();
	block->size = size;
	return block;
}

/* A block of its own goes behind the current one, which stays open for small requests. */
static void *alloc_alone(struct arena *arena, size_t size)
{
	struct block *block = block_add(size);

	block->used = size;
	if (arena->blocks == NULL) {
		arena->blocks = block;
	} else {
		block->previous = arena->blocks->previous;
		arena->blocks->previous = block;
	}
	return block->bytes;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
	size_t bytes, aligned;
	struct block *block = arena->blocks;
	void *result;

	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
		arena_out_of_memory();
	aligned = (bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (BLOCK_PER_REQUEST)
		return alloc_alone(arena, bytes);
	if (aligned > LARGEST_BLOCK_BYTES / 4)
		return alloc_alone(arena, aligned);
	if (block == NULL || block->size - block->used < aligned) {
		size_t block_bytes = arena->next_block_bytes;

		while (block_bytes < aligned)
			block_bytes *= 2;
		block = block_add(block_bytes);
		block->previous = arena->blocks;
		arena->blocks = block;
		if (arena->next_block_bytes < LARGEST_BLOCK_BYTES)
			arena->next_block_bytes *= 2;
	}
	result = block->bytes + block->used;
	block->used += aligned;
	return result;
}

void *arena_copy(struct arena *arena, const void *bytes, size_t size)
{
	void *copy = arena_alloc(arena, size, 1);

	if (size > 0)
		memcpy(copy, bytes, size);
	return copy;
}

char *arena_strndup(struct arena *arena, const char *bytes, size_t length)
{
	char *copy = arena_alloc(arena, length + 1, 1);

	if (length > 0)
		memcpy(copy, bytes, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *string)
{
	return arena_strndup(arena, string, strlen(string));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list arguments;
	int length;
	char *result;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length < 0)
		arena_out_of_memory();
	result = arena_alloc(arena, (size_t)length + 1, 1);
	va_start(arguments, format);
	vsnprintf(result, (size_t)length + 1, format, arguments);
	va_end(arguments);
	return result;
}
