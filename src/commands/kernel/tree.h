/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_KERNEL_TREE_H
#define COMMANDS_KERNEL_TREE_H

#include "base/options.h"
#include "commands/measured.h"

/* "git:REVISION", or "git:DIRECTORY@REVISION" for a repository that is not the one here. */
#define KERNEL_TREE "git:"

/*
 * Kernels from sources: revisions, and directories as they are now. Each word of operands that
 * begins with git: or names a directory is built, in a tree of its own below the cache, never in
 * the user's, and paths[i] becomes the image; others are left alone.
 * config: "tiny" for the bundled smallest one, or a file that becomes .config;
 * NULL is an error where there is such a word. Builds are kept by tree,
 * configuration and compilers, go through ccache where that is on PATH, and
 * leave a log where they fail.
 */
bool kernel_trees_build(struct measuring *measuring, const struct operands *operands,
			const char *config, const char **paths, struct error *err);

#endif
