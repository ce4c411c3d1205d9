/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* The whole of a regular file, FIFO or, for "-", stdin; at most limit bytes (an error says so).
 * The bytes end in a NUL that is not counted. Directories are refused with a sentence. */
bool file_read(struct arena *arena, const char *path, size_t limit, char **bytes, size_t *length,
	       struct error *err);

/* Check before a long measurement that path could be written later: its directory exists and is
 * writable (a temporary file is made there and removed), and path is not a directory. */
bool file_writable(const char *path, struct error *err);

/* Write path whole or not at all: a temporary file in the same directory, fsync, rename; the mode
 * of an existing file is kept, a symbolic link is followed, and devices and FIFOs (/dev/stdout)
 * are written directly. On failure an existing file is untouched and no temporary one is left. */
bool file_write(const char *path, const char *bytes, size_t length, struct error *err);

/* mkdir -p with the given mode for the directories that it creates. */
bool file_make_directory(const char *path, unsigned mode, struct error *err);
/* rm -rf, on this file system alone; what cannot be removed stays. */
void file_remove_tree(const char *path);
/* Whether a user may still write more than a few pages where path lies; true where that is unknown. */
bool file_has_room(const char *path);

/* $XDG_DATA_HOME/worth, $XDG_CACHE_HOME/worth (or ~/.local/share/worth, ~/.cache/worth); relative
 * values of the variables are ignored, as the XDG base directory specification says. */
bool file_data_directory(struct arena *arena, char **path, struct error *err);
bool file_cache_directory(struct arena *arena, char **path, struct error *err);

/* What execvp would run for word, seen from directory (NULL: here): found on PATH, regular and
 * executable; the error tells "not found" from "not executable" and "is a directory". */
bool file_find_program(struct arena *arena, const char *word, const char *directory, char **path,
		       struct error *err);

#endif
