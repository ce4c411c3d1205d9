/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole directories: see file.h. */
#include <ftw.h>
#include <stdio.h>
#include <sys/statvfs.h>

#include "base/file.h"

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status;
	(void)kind;
	(void)walk;
	remove(path);
	return 0;
}

void file_remove_tree(const char *path)
{
	enum { OPEN_DIRECTORIES = 16 };

	nftw(path, remove_entry, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

bool file_has_room(const char *path)
{
	enum { LEAST_BYTES = 64 << 10 };
	struct statvfs status;

	return statvfs(path, &status) != 0 || status.f_bavail * status.f_frsize >= LEAST_BYTES;
}
