/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

/*
 * A machine's /proc and /sys in one file of tests/data: a line "== /PATH" opens
 * a file, the lines up to the next such line are its content. tree_unpack makes
 * the files below a fresh temporary directory, tree_remove deletes that.
 */
#include <assert.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The directory of fixtures, set by meson. */
static inline const char *data_directory(void)
{
	const char *directory = getenv("WORTH_TEST_DATA");

	return directory == NULL ? "tests/data" : directory;
}

static inline void tree_make_parents(char *path)
{
	char *slash;

	for (slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

/* Open root/path for writing, with its directories. */
static inline FILE *tree_create(const char *root, const char *path)
{
	char full[8192];
	FILE *file;

	snprintf(full, sizeof full, "%s%s", root, path);
	tree_make_parents(full);
	file = fopen(full, "w");
	assert(file != NULL);
	return file;
}

/* name is "environment/laptop"; root gets the directory made, without a slash at its end. */
static inline void tree_unpack(const char *name, char root[64])
{
	char path[PATH_MAX], line[8192];
	FILE *from, *to = NULL;

	snprintf(root, 64, "/tmp/worth-tree-XXXXXX");
	assert(mkdtemp(root) != NULL);
	if (name == NULL)
		return;
	snprintf(path, sizeof path, "%s/%s.tree", data_directory(), name);
	from = fopen(path, "r");
	assert(from != NULL);
	while (fgets(line, sizeof line, from) != NULL) {
		if (strncmp(line, "== ", 3) == 0) {
			if (to != NULL)
				fclose(to);
			line[strcspn(line, "\n")] = '\0';
			to = tree_create(root, line + 3);
		} else if (to != NULL) {
			fputs(line, to);
		}
	}
	if (to != NULL)
		fclose(to);
	fclose(from);
}

static inline void tree_write(const char *root, const char *path, const char *content)
{
	FILE *file = tree_create(root, path);

	fputs(content, file);
	fclose(file);
}

static inline int tree_unlink(const char *path, const struct stat *status, int type,
			      struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static inline void tree_remove(const char *root)
{
	nftw(root, tree_unlink, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
