/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_PROC_H
#define MEASURE_PROC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * Small text files of /proc and /sys. root is put in front of every path: ""
 * is this machine, a directory with copies of such files is a fixture. What is
 * absent or unreadable gives NULL: the caller then leaves its fact out.
 */

/* The whole file, at most 1 MiB of it, ending in NUL. A NUL within (as in environ) reads as a
 * newline. */
char *proc_read(struct arena *arena, const char *root, const char *path);
/* Its first line without the newline and without blanks at either end; NULL also when empty. */
char *proc_line(struct arena *arena, const char *root, const char *path);
/* The value after "KEY<blanks>:" or "KEY " or "KEY=" at the start of a line of text, trimmed;
 * NULL if no line has that key. The first one wins. */
char *proc_field(struct arena *arena, const char *text, const char *key);
/* A whole decimal number (with sign) in all of word; false for anything else. */
bool proc_number(const char *word, long long *number);
bool proc_exists(const char *root, const char *path);
/* Whether a list such as "0-3,8" or "a b c" or "a,b" has word as one of its items. */
bool proc_has_word(const char *list, const char *word);
/* How many processors a list such as "0-3,8" names; 0 if it cannot be read. */
size_t proc_cpu_count(const char *list);

#endif
