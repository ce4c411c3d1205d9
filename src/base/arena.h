/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

/*
 * An arena per lifetime: everything made in it dies with it, nothing is freed
 * one by one. Out of memory and size overflow end the program with a sentence
 * on stderr (exit 2), so no caller checks for NULL.
 */
struct arena;

struct arena *arena_open(void);
void arena_close(struct arena *arena); /* NULL is accepted */

/* count * size zeroed bytes, aligned for any type; count or size 0 gives a valid pointer. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* Copies; the strings end in NUL. */
void *arena_copy(struct arena *arena, const void *bytes, size_t size);
char *arena_strdup(struct arena *arena, const char *string);
char *arena_strndup(struct arena *arena, const char *bytes, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the program for want of memory; for the few who call malloc themselves. */
_Noreturn void arena_out_of_memory(void);

#endif
