/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPERIMENT_SNAPSHOT_H
#define EXPERIMENT_SNAPSHOT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* What a directory holds now, as the one commit of a repository of its own. */
struct snapshot {
	char *repository; /* bare, below the cache directory */
	char *commit;	  /* in full; the same content has the same one */
};

/*
 * The files of directory, whether a repository or not, changes that are in no
 * commit included, but those that match one of the patterns in left_out (as in a
 * .gitignore, NULL-terminated; the directory's own .gitignore files may leave
 * out sources, so that they do not count). The directory is only read. A later
 * snapshot of it reads the files that have changed.
 * ERROR_INTERRUPTED when interrupt_fd (-1: none) became readable. Everything is
 * made in arena.
 */
bool snapshot_make(struct arena *arena, const char *directory, const char *const *left_out,
		   int interrupt_fd, struct snapshot *snapshot, struct error *err);

#endif
