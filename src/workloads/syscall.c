/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One system call in a loop, as in lmbench's lat_syscall and perf bench
 * syscall: the way into the kernel and back (getppid), and short paths through
 * its file layer. Each call has a loop of its own, so that no choice is made
 * while it is timed.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workloads/timing.h"
#include "workloads/workload.h"
#include "workloads/limits.h"

#define ZERO_FILE "/dev/zero"
#define NULL_FILE "/dev/null"

enum call { CALL_GETPPID, CALL_READ, CALL_WRITE, CALL_STAT, CALL_FSTAT, CALL_OPEN };

static const char *const call_names[] = { "getppid", "read",	   "write", "stat",
					  "fstat",   "open-close", NULL };

struct syscall_settings {
	struct work_settings work;
	int call;
};

/* What the loops work on. */
struct ground {
	int zero_fd, null_fd;
	pid_t parent;
	struct stat zero; /* of ZERO_FILE */
};

static bool wrong(const char *call, struct error *err)
{
	return error_set(err, ERROR_SYSTEM, "%s gave something else than the first time (%s)", call,
			 limits_reason());
}

/* By number: what a C library might add or remember is not the question. */
static bool loop_getppid(void *context, uint64_t count, struct error *err)
{
	const struct ground *ground = context;
	bool right = true;
	uint64_t i;

	for (i = 0; i < count; i++)
		right &= syscall(SYS_getppid) == ground->parent;
	return right || wrong("getppid", err);
}

static bool loop_read(void *context, uint64_t count, struct error *err)
{
	const struct ground *ground = context;
	uint64_t i;
	char byte;

	for (i = 0; i < count; i++) {
		byte = 1;
		if (read(ground->zero_fd, &byte, 1) != 1 || byte != 0)
			return wrong("reading a byte of " ZERO_FILE, err);
	}
	return true;
}

static bool loop_write(void *context, uint64_t count, struct error *err)
{
	const struct ground *ground = context;
	uint64_t i;
	char byte = 0;

	for (i = 0; i < count; i++)
		if (write(ground->null_fd, &byte, 1) != 1)
			return wrong("writing a byte to " NULL_FILE, err);
	return true;
}

static bool loop_stat(void *context, uint64_t count, struct error *err)
{
	const struct ground *ground = context;
	struct stat status;
	uint64_t i;

	for (i = 0; i < count; i++)
		if (stat(ZERO_FILE, &status) < 0 || status.st_ino != ground->zero.st_ino)
			return wrong("stat of " ZERO_FILE, err);
	return true;
}

static bool loop_fstat(void *context, uint64_t count, struct error *err)
{
	const struct ground *ground = context;
	struct stat status;
	uint64_t i;

	for (i = 0; i < count; i++)
		if (fstat(ground->zero_fd, &status) < 0 || status.st_ino != ground->zero.st_ino)
			return wrong("fstat of " ZERO_FILE, err);
	return true;
}

static bool loop_open(void *context, uint64_t count, struct error *err)
{
	uint64_t i;

	(void)context;
	for (i = 0; i < count; i++) {
		int fd = open(ZERO_FILE, O_RDONLY | O_CLOEXEC);

		if (fd < 0 || close(fd) < 0)
			return wrong("opening and closing " ZERO_FILE, err);
	}
	return true;
}

/* A device of this name must be one: in a bare guest, it may be a file that someone wrote. */
static bool open_device(const char *path, int flags, int *fd, struct stat *status,
			struct error *err)
{
	*fd = open(path, flags | O_CLOEXEC);
	if (*fd < 0)
		return error_set(err, ERROR_SYSTEM, "cannot open %s: %s; it needs a /dev", path,
				 limits_reason());
	if (fstat(*fd, status) < 0 || !S_ISCHR(status->st_mode))
		return error_set(err, ERROR_SYSTEM, "%s is no device; it needs a real /dev", path);
	return true;
}

static bool measure(struct work *work, struct ground *ground, enum call call, struct error *err)
{
	static const timing_act loops[] = {
		loop_getppid, loop_read, loop_write, loop_stat, loop_fstat, loop_open,
	};
	struct timing timing = { .name = call_names[call], .act = loops[call], .context = ground };

	return timing_run(work, &timing, err);
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct syscall_settings *settings = pointer;
	struct ground ground = { .zero_fd = -1, .null_fd = -1, .parent = getppid() };
	static const uint64_t operations[] = { 2000000, 2000000, 2000000, 500000, 2000000, 300000 };
	struct stat unused;
	bool ok;

	if (work->is_default)
		work->operations = operations[settings->call];
	ok = settings->call == CALL_GETPPID ||
	     (open_device(ZERO_FILE, O_RDONLY, &ground.zero_fd, &ground.zero, err) &&
	      open_device(NULL_FILE, O_WRONLY, &ground.null_fd, &unused, err));
	ok = ok && measure(work, &ground, (enum call)settings->call, err);
	if (ground.zero_fd >= 0)
		close(ground.zero_fd);
	if (ground.null_fd >= 0)
		close(ground.null_fd);
	return ok;
}

static const struct syscall_settings defaults = { .call = CALL_GETPPID };

static const struct option options[] = {
	{ .kind = OPTION_CHOICE,
	  .name = "call",
	  .value = "CALL",
	  .help = "which one: read and write move one byte",
	  .offset = offsetof(struct syscall_settings, call),
	  .choices = call_names },
	WORK_OPTIONS(struct syscall_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_syscall = {
	.name = "syscall",
	.summary = "one short system call in a loop",
	.operation = "one system call (open-close: two)",
	.exercises = "the way into the kernel and back, with what mitigations add to it; except "
		     "for getppid, the file layer, too",
	.verified = "every call gives what it gave the first time",
	.needs = "a /dev, except for getppid",
	.examples = "# What a path walk adds to the file layer\n"
		    "$ worth 'workload:syscall --call fstat' 'workload:syscall --call stat'\n",
	.options = options,
	.settings_size = sizeof(struct syscall_settings),
	.defaults = &defaults,
	.run = run,
};
