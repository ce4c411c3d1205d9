/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole files in and out, and the directories and programs that a path may
 * mean. Writing replaces by rename(2), so that a reader sees the old bytes or
 * the new ones and a full disk costs nothing that was there; hard links to the
 * old file keep the old bytes.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/array.h"
#include "base/random.h"

static bool system_error(struct error *err, const char *doing, const char *path)
{
	return error_set(err, ERROR_SYSTEM, "cannot %s %s: %s", doing, path, strerror(errno));
}

/* Reads up to limit + 1 bytes behind length, so that the caller sees whether there is more. */
static bool read_all(struct arena *arena, int fd, size_t limit, size_t expected, char **bytes,
		     size_t *length)
{
	size_t capacity = expected + 2, used = 0;
	char *buffer = arena_alloc(arena, capacity, 1);

	for (;;) {
		ssize_t got;

		if (used + 1 == capacity)
			buffer = array_reserve(arena, buffer, used, used + 2, &capacity, 1);
		got = read(fd, buffer + used, capacity - used - 1);
		if (got < 0)
			return false;
		used += (size_t)got;
		if (got == 0 || used > limit)
			break;
	}
	buffer[used] = '\0';
	*bytes = buffer;
	*length = used;
	return true;
}

static bool read_descriptor(struct arena *arena, int fd, const char *name, size_t limit,
			    char **bytes, size_t *length, struct error *err)
{
	enum { FIRST_READ = 65536 };
	struct stat status;
	size_t expected = FIRST_READ;

	if (fstat(fd, &status) != 0)
		return system_error(err, "read", name);
	if (S_ISDIR(status.st_mode))
		return error_set(err, ERROR_INPUT, "%s is a directory: name a file in it", name);
	/* Files of /proc say 0. */
	if (S_ISREG(status.st_mode) && status.st_size > 0)
		expected = (uintmax_t)status.st_size < limit ? (size_t)status.st_size : limit;
	if (!read_all(arena, fd, limit, expected, bytes, length)) {
		if (errno == EINTR)
			return error_set(err, ERROR_INTERRUPTED, "interrupted while reading %s",
					 name);
		return system_error(err, "read", name);
	}
	if (*length > limit)
		return error_set(err, ERROR_INPUT, "%s is larger than the %zu bytes accepted here",
				 name, limit);
	return true;
}

bool file_read(struct arena *arena, const char *path, size_t limit, char **bytes, size_t *length,
	       struct error *err)
{
	bool done;
	int fd;

	if (strcmp(path, "-") == 0)
		return read_descriptor(arena, STDIN_FILENO, "standard input", limit, bytes, length,
				       err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return system_error(err, "open", *path == '\0' ? "a file without a name" : path);
	done = read_descriptor(arena, fd, path, limit, bytes, length, err);
	close(fd);
	return done;
}

/* "a/b" -> "a", "b" -> ".", "/b" -> "/". */
static char *parent_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return arena_strdup(arena, ".");
	return slash == path ? arena_strdup(arena, "/")
			     : arena_strndup(arena, path, (size_t)(slash - path));
}

/* The descriptor that a path names ("/dev/stdout", "/dev/fd/3"), or -1. Opening such a path would
 * start anew at the beginning of the file behind it, and fails for a socket. */
static int named_descriptor(const char *path)
{
	static const char *const directories[] = { "/dev/fd/", "/proc/self/fd/" };
	size_t i;

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (i = 0; i < sizeof directories / sizeof *directories; i++) {
		size_t length = strlen(directories[i]);
		long number;
		char *end;

		if (strncmp(path, directories[i], length) != 0 || path[length] < '0' ||
		    path[length] > '9')
			continue;
		errno = 0;
		number = strtol(path + length, &end, 10);
		if (*end == '\0' && errno == 0 && number <= INT_MAX)
			return (int)number;
	}
	return -1;
}

/* Where the bytes go. */
struct target {
	char *path;	 /* behind all symbolic links */
	char *directory; /* of path */
	int fd;		 /* not -1: to this descriptor */
	bool direct;	 /* a device, a FIFO or a file of /proc: written, not replaced */
	bool exists;
	struct stat status; /* where it exists */
};

static bool is_in_proc(const char *directory)
{
	struct statfs status;

	return statfs(directory, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

/* The path that the symbolic link at path stands for. */
static char *follow(struct arena *arena, const char *path)
{
	char *name = arena_alloc(arena, PATH_MAX, 1);
	ssize_t length = readlink(path, name, PATH_MAX - 1);

	if (length < 0)
		return NULL;
	name[length] = '\0';
	if (name[0] == '/' || strchr(path, '/') == NULL)
		return name;
	return arena_printf(arena, "%s/%s", parent_of(arena, path), name);
}

/* Goes behind symbolic links, also to a file that is not there yet, as open(2) would. */
static bool find_target(struct arena *arena, const char *path, struct target *target,
			struct error *err)
{
	enum { MOST_LINKS = 40 }; /* as the kernel's MAXSYMLINKS */
	int links;

	*target = (struct target){ .path = arena_strdup(arena, path), .fd = -1 };
	for (links = 0; links < MOST_LINKS; links++) {
		struct stat status;

		target->fd = named_descriptor(target->path);
		target->directory = parent_of(arena, target->path);
		if (target->fd >= 0)
			return true;
		if (lstat(target->path, &status) != 0) {
			if (errno == ENOENT)
				return true;
			return system_error(err, "write", path);
		}
		/* A link of /proc opens what it stands for; its text need not be a path. */
		if (!S_ISLNK(status.st_mode) || is_in_proc(target->directory)) {
			if (stat(target->path, &target->status) != 0)
				return system_error(err, "write", path);
			target->exists = true;
			target->direct =
			    !S_ISREG(target->status.st_mode) || is_in_proc(target->directory);
			return true;
		}
		target->path = follow(arena, target->path);
		if (target->path == NULL)
			return system_error(err, "write", path);
	}
	errno = ELOOP;
	return system_error(err, "write", path);
}

static bool may(const char *path, int how)
{
	return faccessat(AT_FDCWD, path, how, AT_EACCESS) == 0;
}

static bool descriptor_writable(const char *path, int fd, struct error *err)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0)
		return system_error(err, "write", path);
	if ((flags & O_ACCMODE) == O_RDONLY)
		return error_set(err, ERROR_SYSTEM, "cannot write %s: it is open for reading only",
				 path);
	return true;
}

/* Also refuses a name that ends in a slash: it can only be a directory. */
static bool refuse_directory(const char *path, const struct target *target, struct error *err)
{
	if (*path == '\0')
		return error_set(err, ERROR_USAGE, "the name of the output file is empty");
	if (path[strlen(path) - 1] == '/' || (target->exists && S_ISDIR(target->status.st_mode)))
		return error_set(err, ERROR_USAGE,
				 "cannot write %s: it is a directory, name a file in it", path);
	return true;
}

static bool check_target(struct arena *arena, const char *path, struct target *target,
			 struct error *err)
{
	if (!find_target(arena, path, target, err))
		return false;
	if (target->fd >= 0)
		return descriptor_writable(path, target->fd, err);
	if (!refuse_directory(path, target, err))
		return false;
	if (target->exists && !may(target->path, W_OK))
		return system_error(err, "write", path);
	if (target->direct || may(target->directory, W_OK | X_OK))
		return true;
	return error_set(err, ERROR_SYSTEM, "cannot write %s: directory %s: %s", path,
			 target->directory, strerror(errno));
}

/* The new file, under a name of its own beside its target until it is whole. What replaces another
 * begins private, whatever the mode that it will take over. */
static int open_temporary(struct arena *arena, const struct target *target, char **temporary)
{
	*temporary = arena_printf(arena, "%s/.worth-%016" PRIx64, target->directory, random_seed());
	return open(*temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    target->exists ? 0600 : 0666);
}

/* Permissions do not tell everything: not for root, in /proc, or on a file system without inodes
 * left. */
static bool try_temporary(struct arena *arena, const char *path, const struct target *target,
			  struct error *err)
{
	char *temporary;
	int fd = open_temporary(arena, target, &temporary);

	if (fd < 0)
		return error_set(err, ERROR_SYSTEM,
				 "cannot write %s: no file can be made in directory %s: %s", path,
				 target->directory, strerror(errno));
	close(fd);
	unlink(temporary);
	return true;
}

bool file_writable(const char *path, struct error *err)
{
	struct arena *arena = arena_open();
	struct target target;
	bool writable = check_target(arena, path, &target, err);

	if (writable && target.fd < 0 && !target.direct)
		writable = try_temporary(arena, path, &target, err);
	arena_close(arena);
	return writable;
}

static bool write_all(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t done = write(fd, bytes, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		bytes += done;
		length -= (size_t)done;
	}
	return true;
}

static bool write_direct(const char *path, const struct target *target, const char *bytes,
			 size_t length, struct error *err)
{
	int fd = target->fd >= 0 ? target->fd : open(target->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	bool done = fd >= 0 && write_all(fd, bytes, length);

	if (!done)
		system_error(err, "write", path);
	if (fd >= 0 && fd != target->fd && close(fd) != 0 && done)
		done = system_error(err, "write", path);
	return done;
}

/* The new file takes over owner and mode. Only root can give a file away; for others the owner is
 * the same, or the file becomes theirs. */
static bool keep_attributes(int fd, const struct stat *status)
{
	if (fchown(fd, status->st_uid, status->st_gid) != 0 && errno != EPERM)
		return false;
	return fchmod(fd, status->st_mode & 07777) == 0;
}

static bool fill(int fd, const struct target *target, const char *bytes, size_t length)
{
	if (target->exists && !keep_attributes(fd, &target->status))
		return false;
	return write_all(fd, bytes, length) && fsync(fd) == 0;
}

/* The rename itself must survive a power cut too. Some file systems cannot sync a directory;
 * the file is whole all the same. */
static void sync_directory(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static bool replace(struct arena *arena, const char *path, const struct target *target,
		    const char *bytes, size_t length, struct error *err)
{
	char *temporary;
	int fd = open_temporary(arena, target, &temporary);
	bool done;

	if (fd < 0)
		return system_error(err, "write", path);
	done = fill(fd, target, bytes, length);
	if (!done)
		system_error(err, "write", path);
	if (close(fd) != 0 && done)
		done = system_error(err, "write", path);
	if (done && rename(temporary, target->path) != 0)
		done = system_error(err, "write", path);
	if (!done)
		unlink(temporary);
	else
		sync_directory(target->directory);
	return done;
}

bool file_write(const char *path, const char *bytes, size_t length, struct error *err)
{
	struct arena *arena = arena_open();
	struct target target;
	bool done = check_target(arena, path, &target, err);

	if (done && (target.fd >= 0 || target.direct))
		done = write_direct(path, &target, bytes, length, err);
	else if (done)
		done = replace(arena, path, &target, bytes, length, err);
	arena_close(arena);
	return done;
}

/* One directory, which may be there already. */
static bool make_one(const char *path, unsigned mode, struct error *err)
{
	struct stat status;

	if (mkdir(path, mode) == 0)
		return true;
	/* mkdir on what exists may also say EROFS or EACCES, so it is what exists that counts. */
	if (errno == EEXIST || errno == EROFS || errno == EACCES || errno == EPERM) {
		int why = errno;

		if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
			return true;
		errno = why == EEXIST ? ENOTDIR : why;
	}
	return system_error(err, "make the directory", path);
}

bool file_make_directory(const char *path, unsigned mode, struct error *err)
{
	struct arena *arena = arena_open();
	char *part = arena_strdup(arena, path), *at = part;
	bool done = true;

	while (done) {
		char *end;

		at += strspn(at, "/");
		end = at + strcspn(at, "/");
		if (*end == '\0')
			break;
		*end = '\0';
		done = make_one(part, mode, err);
		*end = '/';
		at = end;
	}
	/* What is left is the last name, or nothing behind a last slash. */
	done = done && (*at == '\0' && at > part ? true : make_one(part, mode, err));
	arena_close(arena);
	return done;
}

/* $variable/worth, or $HOME/under_home/worth. */
static bool xdg_directory(struct arena *arena, const char *variable, const char *under_home,
			  char **path, struct error *err)
{
	const char *base = getenv(variable), *home = getenv("HOME");

	if (base != NULL && base[0] == '/')
		*path = arena_printf(arena, "%s/worth", base);
	else if (home != NULL && home[0] == '/')
		*path = arena_printf(arena, "%s/%s/worth", home, under_home);
	else
		return error_set(
		    err, ERROR_SYSTEM,
		    "no place for files: neither %s nor HOME is set to an absolute path", variable);
	return true;
}

bool file_data_directory(struct arena *arena, char **path, struct error *err)
{
	return xdg_directory(arena, "XDG_DATA_HOME", ".local/share", path, err);
}

bool file_cache_directory(struct arena *arena, char **path, struct error *err)
{
	return xdg_directory(arena, "XDG_CACHE_HOME", ".cache", path, err);
}
