/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_GIT_INDEX_H
#define WORKLOADS_GIT_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The paths in the index of the git work tree in directory, relative to it.
 * Versions 2 to 4, with hashes of SHA-1 or SHA-256 (gitformat-index(5)); a split
 * index is refused with the git command that joins it. Submodules are left out,
 * and so are the directories that a sparse index has in place of their files.
 */
bool git_index_read(struct arena *arena, const char *directory, const char ***paths, size_t *count,
		    struct error *err);

/* The same from the bytes of an index; name is for errors. */
bool git_index_parse(struct arena *arena, const char *name, const unsigned char *bytes,
		     size_t length, const char ***paths, size_t *count, struct error *err);

#endif
