/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_INPUT_SEPARATED_H
#define FORMATS_INPUT_SEPARATED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* A line of fields with one character between them. */
struct separated {
	char **fields; /* each ends in NUL */
	size_t count, capacity;
};

/* Cut at every separator, whatever stands around. Fields live in arena. */
void separated_cut(struct arena *arena, const char *line, size_t length, char separator,
		   struct separated *separated);
/* As RFC 4180: a field in double quotes may hold separators, and "" for a quote. */
void separated_csv(struct arena *arena, const char *line, size_t length,
		   struct separated *separated);
/* Which field has this name; separated->count if none. */
size_t separated_find(const struct separated *separated, const char *name);

#endif
