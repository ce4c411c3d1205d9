/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A place for files: see scratch.h. */
#include "workloads/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "workloads/limits.h"

#define PREFIX "worth-load."

enum {
	STALE_AFTER_S = 10, /* younger ones may be about to be locked */
	SWEPT_AT_ONCE = 3,  /* so that the guard has room for the own one, however long its path */
};

void scratch_file_system(char *name, size_t size)
{
	static const struct {
		unsigned long magic;
		const char *name;
	} known[] = {
		{ EXT4_SUPER_MAGIC, "ext4" },	      { TMPFS_MAGIC, "tmpfs" },
		{ XFS_SUPER_MAGIC, "xfs" },	      { BTRFS_SUPER_MAGIC, "btrfs" },
		{ OVERLAYFS_SUPER_MAGIC, "overlay" }, { NFS_SUPER_MAGIC, "nfs" },
		{ F2FS_SUPER_MAGIC, "f2fs" },	      { V9FS_MAGIC, "9p" },
		{ FUSE_SUPER_MAGIC, "fuse" },	      { RAMFS_MAGIC, "ramfs" },
	};
	struct statfs status;
	size_t i;

	if (statfs(".", &status) < 0) {
		snprintf(name, size, "an unknown file system");
		return;
	}
	for (i = 0; i < sizeof known / sizeof *known; i++)
		if ((unsigned long)status.f_type == known[i].magic) {
			snprintf(name, size, "%s", known[i].name);
			return;
		}
	snprintf(name, size, "file system 0x%lx", (unsigned long)status.f_type);
}

static bool check_space(const char *directory, uint64_t bytes, uint64_t files, struct error *err)
{
	struct statvfs status;
	double free_bytes, free_files;

	if (statvfs(directory, &status) < 0)
		return error_set(err, ERROR_SYSTEM, "cannot see how much is free in %s: %s",
				 directory, limits_reason());
	free_bytes = (double)status.f_bavail * (double)status.f_frsize;
	free_files = (double)status.f_favail;
	if ((double)bytes > 0.8 * free_bytes)
		return error_set(err, ERROR_SYSTEM,
				 "it needs %.1f MiB in %s, where %.1f MiB are free, of which it "
				 "leaves a fifth; ask for less, or use --directory",
				 (double)bytes / 0x1p20, directory, free_bytes / 0x1p20);
	if (status.f_files > 0 && (double)files > 0.8 * free_files)
		return error_set(err, ERROR_SYSTEM,
				 "it needs %llu files in %s, which has room for %.0f, of which it "
				 "leaves a fifth; ask for fewer, or use --directory",
				 (unsigned long long)files, directory, free_files);
	return true;
}

/* Whether nobody holds the lock of a directory of ours that is not new. */
static bool is_stale(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;
	struct timespec now;
	bool stale;

	if (fd < 0)
		return false;
	clock_gettime(CLOCK_REALTIME, &now);
	stale = fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
		now.tv_sec - status.st_ctim.tv_sec > STALE_AFTER_S &&
		flock(fd, LOCK_EX | LOCK_NB) == 0;
	close(fd);
	return stale;
}

static void sweep(struct work *work, const char *directory)
{
	DIR *stream = opendir(directory);
	struct dirent *entry;
	int swept = 0;

	if (stream == NULL)
		return;
	while (swept < SWEPT_AT_ONCE && (entry = readdir(stream)) != NULL)
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 &&
		    is_stale(dirfd(stream), entry->d_name))
			swept += guard_tell(
			    work->guard,
			    arena_printf(work->arena, "%s/%s", directory, entry->d_name), NULL);
	closedir(stream);
}

static bool make_and_enter(struct work *work, const char *path, struct error *err)
{
	int fd;

	if (!guard_tell(work->guard, path, err))
		return false;
	if (mkdir(path, 0700) < 0)
		return error_set(err, ERROR_SYSTEM,
				 "cannot make the directory %s: %s; use "
				 "--directory",
				 path, limits_reason());
	/* Stays open, and locked, until the process ends. */
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || chdir(path) < 0)
		return error_set(err, ERROR_SYSTEM, "cannot enter %s: %s", path, limits_reason());
	flock(fd, LOCK_EX | LOCK_NB); /* some network file systems have no locks */
	return true;
}

bool scratch_enter(struct work *work, const char *directory, uint64_t bytes, uint64_t files,
		   struct error *err)
{
	const char *wanted = directory;
	char name[64], whole[4096];
	char *path;

	if (wanted == NULL)
		wanted = getenv("TMPDIR");
	if (wanted == NULL || *wanted == '\0')
		wanted = "/tmp";
	if (realpath(wanted, whole) == NULL)
		return error_set(err, ERROR_SYSTEM, "%s: %s; name another with --directory", wanted,
				 limits_reason());
	if (!check_space(whole, bytes, files, err))
		return false;
	signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes becomes an error of write */
	sweep(work, whole);
	path = arena_printf(work->arena, "%s/" PREFIX "%d.%08x", whole, (int)getpid(),
			    (unsigned)random_seed());
	if (!make_and_enter(work, path, err))
		return false;
	setenv("TMPDIR", path, 1); /* a compiler that is killed leaves its temporary files, too */
	scratch_file_system(name, sizeof name);
	report_remark(work->report, "files in %s, on %s", whole, name);
	return true;
}
