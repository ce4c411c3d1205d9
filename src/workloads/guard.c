/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that cleans up: see guard.h. */
#include "workloads/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/clock.h"
#include "workloads/limits.h"

enum { PATHS_BYTES = 16384, TRIES = 50, TRY_NS = 10000000, OPEN_FILES = 8 };

/* What the guard knows. */
struct post {
	const char *name;
	pid_t workload;
	int64_t limit_ns;
	int64_t deadline_ns;
	char mark[64];
	char paths[PATHS_BYTES];
	size_t length;
};

static int delete_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)where;
	if (kind == FTW_DP)
		rmdir(path);
	else
		unlink(path);
	return 0;
}

/* A task that is about to die may still make a file, so this is tried for a while. */
static bool delete_tree(const char *path)
{
	struct timespec moment = { 0, TRY_NS };
	int i;

	for (i = 0; i < TRIES; i++) {
		nftw(path, delete_one, OPEN_FILES, FTW_DEPTH | FTW_PHYS);
		if (access(path, F_OK) != 0 && errno == ENOENT)
			return true;
		nanosleep(&moment, NULL);
	}
	return false;
}

/* Whether the environment that a process began with has the mark. */
static bool is_marked(const char *pid, const char *mark)
{
	char path[64], bytes[32768];
	size_t used = 0;
	ssize_t got = 0;
	int fd;

	snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	while (used < sizeof bytes && (got = read(fd, bytes + used, sizeof bytes - used)) > 0)
		used += (size_t)got;
	close(fd);
	return memmem(bytes, used, mark, strlen(mark) + 1) != NULL;
}

/* Programs that the workload ran, and theirs. */
static void kill_marked(const char *mark)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;

	if (processes == NULL)
		return;
	while ((entry = readdir(processes)) != NULL) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid > 1 && pid != getpid() && is_marked(entry->d_name, mark))
			kill(pid, SIGKILL);
	}
	closedir(processes);
}

/* Until the workload is gone, or its time is over. */
static void keep_watch(struct post *post, int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	for (;;) {
		int64_t left_ms = (post->deadline_ns - clock_ns()) / 1000000;
		ssize_t got;

		if (left_ms < 0) {
			dprintf(STDERR_FILENO,
				"worth-load: %s: not done after %.6g s, and ended; allow more with "
				"--limit, or ask for fewer --operations or less --time\n",
				post->name, (double)post->limit_ns / 1e9);
			kill(post->workload, SIGKILL);
			return;
		}
		if (poll(&wait, 1, left_ms > 1000000 ? 1000000 : (int)left_ms + 1) <= 0)
			continue;
		got = read(fd, post->paths + post->length, sizeof post->paths - post->length);
		if (got <= 0)
			return;
		post->length += (size_t)got;
	}
}

static _Noreturn void guard_main(struct post *post, int fd)
{
	const char *path;
	int status = 0;
	char ready = 1;

	setsid();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGXCPU, SIG_IGN); /* to delete much may take a while */
	prctl(PR_SET_NAME, "worth-load-end");
	if (write(fd, &ready, 1) != 1)
		_exit(1);
	keep_watch(post, fd);
	kill_marked(post->mark);
	for (path = post->paths; path < post->paths + post->length; path += strlen(path) + 1)
		if (!delete_tree(path))
			status = 1;
	_exit(status);
}

/* The workload's report and its input are not the guard's; stderr stays, for the watchdog. */
static void close_others(int keep)
{
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close_range(STDERR_FILENO + 1, (unsigned)keep - 1, 0);
	close_range((unsigned)keep + 1, ~0U, 0);
}

static bool is_realtime(void)
{
	int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;

	return policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_DEADLINE;
}

static bool check_realtime(struct error *err)
{
	struct rlimit limit;

	if (!is_realtime() ||
	    (getrlimit(RLIMIT_RTTIME, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY))
		return true;
	return error_set(err, ERROR_SYSTEM,
			 "it was started in a real-time class, where it could stop the machine; "
			 "limit it by RLIMIT_RTTIME: prlimit --rttime=1000000 chrt -f 1 ...");
}

/* A watchdog that waits behind what it watches is none; where this is refused, the limit remains.
 */
static void outrank(void)
{
	struct sched_param highest = { .sched_priority = sched_get_priority_max(SCHED_FIFO) };

	if (is_realtime())
		sched_setscheduler(0, SCHED_FIFO, &highest);
}

bool guard_start(struct guard *guard, const char *name, int64_t limit_ns, struct error *err)
{
	struct post post = { .name = name, .workload = getpid(), .limit_ns = limit_ns };
	int64_t now_ns = clock_ns();
	int ends[2];
	char ready;
	pid_t pid;

	if (!check_realtime(err))
		return false;
	/* The time makes the mark one of its own, however soon a pid comes again. */
	post.deadline_ns = limit_ns > INT64_MAX - now_ns ? INT64_MAX : now_ns + limit_ns;
	snprintf(post.mark, sizeof post.mark, GUARD_MARK "=%d.%lld", (int)getpid(),
		 (long long)now_ns);
	if (setenv(GUARD_MARK, strchr(post.mark, '=') + 1, 1) < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a socketpair: %s",
				 limits_reason());
	limits_speak();
	pid = fork();
	if (pid == 0) {
		close(ends[1]); /* by itself, too: Linux before 5.9 has no close_range */
		close_others(ends[0]);
		outrank();
		guard_main(&post, ends[0]);
	}
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return error_set(err, ERROR_SYSTEM,
				 "cannot start a second process, which cleans up: %s (see ulimit "
				 "-u)",
				 limits_reason());
	}
	*guard = (struct guard){ .fd = ends[1], .pid = pid };
	/* Until it has left the group, a signal to the group would end it, too. */
	if (read(ends[1], &ready, 1) == 1)
		return true;
	close(ends[1]);
	return error_set(err, ERROR_SYSTEM, "the process that cleans up did not start");
}

bool guard_tell(struct guard *guard, const char *path, struct error *err)
{
	size_t length = strlen(path) + 1;

	if (length > PATHS_BYTES - 1 - guard->told)
		return error_set(err, ERROR_SYSTEM, "too many paths are to be cleaned up");
	if (send(guard->fd, path, length, MSG_NOSIGNAL) != (ssize_t)length)
		return error_set(err, ERROR_SYSTEM,
				 "the process that cleans up is gone; nothing was made in %s",
				 path);
	guard->told += length;
	return true;
}

bool guard_end(struct guard *guard, struct error *err)
{
	int status = 0;

	close(guard->fd);
	signal(SIGCHLD, SIG_DFL); /* the guard's own status is looked at here */
	while (waitpid(guard->pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(err, ERROR_SYSTEM, "waiting for the clean-up: %s",
					 limits_reason());
	if (status != 0)
		return error_set(err, ERROR_SYSTEM,
				 "not everything in the scratch directory could be deleted; look "
				 "for worth-load.* in --directory or /tmp");
	return true;
}
