/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPERIMENT_REPOSITORY_H
#define EXPERIMENT_REPOSITORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* Questions to git about somebody's repository; it is only read. */

/* The repository that directory is in: its top directory. */
bool repository_find(struct arena *arena, const char *directory, char **top, struct error *err);
/* The commit and the tree that a revision names, in full. */
bool repository_resolve(struct arena *arena, const char *top, const char *revision, char **commit,
			char **tree, struct error *err);
/* Commits of "BASE..TOPIC" in the order in which they were made, on the first parents' line, the
 * base itself not among them. */
bool repository_range(struct arena *arena, const char *top, const char *range, char ***commits,
		      size_t *count, struct error *err);
/* Whether files that git knows have changes that are in no commit. */
bool repository_is_dirty(struct arena *arena, const char *top, bool *dirty, struct error *err);
/* "1a2b3c4 subject of the commit", cleaned. */
bool repository_describe(struct arena *arena, const char *top, const char *commit, char **words,
			 struct error *err);

#endif
