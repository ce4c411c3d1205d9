/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descendants that outlive the child. This process is a subreaper: when a
 * process in its tree loses its parent, the kernel gives it this one. So "no
 * child left" means "no descendant left", one system call says so, and setsid
 * or a double fork is no way out.
 *
 * Only own children are killed, whose pids cannot be reused before they are
 * reaped, and their whole process groups (which the kernel kills at one
 * moment, so that a member cannot fork past it). Their children then become own
 * ones. Repeated until none is left, that ends fork bombs too.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/spawn/spawn.h"

#define MS_NS INT64_C(1000000)

enum {
	LEAVING_MS = 2, /* for those that are about to end by themselves */
	KILL_MS = 10000,
};

static void reap_dead(void)
{
	while (waitpid(-1, NULL, WNOHANG | __WALL) > 0)
		continue;
}

bool strays_exist(void)
{
	int pid;

	do {
		pid = waitpid(-1, NULL, WNOHANG | __WALL);
	} while (pid > 0);
	return pid == 0;
}

/* The whole of a small file of /proc, as a string; its length, or -1. */
static ssize_t read_small(const char *path, char *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t got = 0;

	if (fd < 0)
		return -1;
	while (used < size - 1 && (got = read(fd, bytes + used, size - 1 - used)) > 0)
		used += (size_t)got;
	close(fd);
	bytes[used] = '\0';
	return got < 0 ? -1 : (ssize_t)used;
}

/* From the kernel's own list (CONFIG_PROC_CHILDREN); -1 if there is no such list. */
static int list_by_kernel(pid_t *pids)
{
	char text[SPAWN_LISTED_MAXIMUM * 8];
	char path[64];
	char *next = text;
	int count = 0;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	if (read_small(path, text, sizeof text) < 0)
		return -1;
	while (count < SPAWN_LISTED_MAXIMUM) {
		char *end;
		long pid = strtol(next, &end, 10);

		/* A number that touches the end may be cut off. */
		if (end == next || *end == '\0')
			break;
		pids[count++] = (pid_t)pid;
		next = end;
	}
	return count;
}

static pid_t parent_of(pid_t pid)
{
	char path[32], text[512];
	const char *name_end;
	int parent = -1;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	if (read_small(path, text, sizeof text) < 0)
		return -1;
	name_end = strrchr(text, ')'); /* a name may hold anything, also ')' */
	if (name_end == NULL || sscanf(name_end + 1, " %*c %d", &parent) != 1)
		return -1;
	return parent;
}

/* By asking every process for its parent. */
static int list_by_search(pid_t *pids)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	if (processes == NULL)
		return 0;
	while (count < SPAWN_LISTED_MAXIMUM && (entry = readdir(processes)) != NULL) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid > 0 && parent_of(pid) == getpid())
			pids[count++] = pid;
	}
	closedir(processes);
	return count;
}

static int list_children(pid_t *pids)
{
	int count = list_by_kernel(pids);

	return count < 0 ? list_by_search(pids) : count;
}

static void add_name(struct spawn_result *result, pid_t pid)
{
	char path[32], name[20];
	char *newline;

	if (result->stray_count++ >= SPAWN_STRAYS)
		return;
	snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
	if (read_small(path, name, sizeof name) <= 0)
		strcpy(name, "?");
	newline = strchr(name, '\n');
	if (newline != NULL)
		*newline = '\0';
	snprintf(result->stray_names[result->stray_count - 1], SPAWN_NAME_BYTES, "%s (pid %d)",
		 name, (int)pid);
}

/* Kept ones are told from new ones by a list; it is bounded, as is a user's patience with thousands
 * of daemons. */
static bool is_known(struct spawn *spawn, pid_t pid)
{
	size_t i;

	for (i = 0; i < spawn->kept_count; i++)
		if (spawn->kept[i] == pid)
			return true;
	if (spawn->kept_count < SPAWN_LISTED_MAXIMUM)
		spawn->kept[spawn->kept_count++] = pid;
	return false;
}

bool strays_find(struct spawn *spawn)
{
	pid_t pids[SPAWN_LISTED_MAXIMUM];
	int64_t limit_ns = spawn_now_ns() + LEAVING_MS * MS_NS;
	int64_t left_ns = LEAVING_MS * MS_NS;
	bool keep = spawn->area->request.strays == SPAWN_STRAYS_KEEP;
	siginfo_t info;
	int count, i;

	while (strays_exist()) {
		if (left_ns <= 0) {
			count = list_children(pids);
			for (i = 0; i < count; i++)
				if (!keep || !is_known(spawn, pids[i]))
					add_name(&spawn->area->result, pids[i]);
			return true;
		}
		spawn_wait_signal(spawn, left_ns, &info);
		left_ns = limit_ns - spawn_now_ns();
	}
	return false;
}

/* A group of its own or of its session; never the one of this process. */
static void kill_with_group(pid_t pid)
{
	pid_t group = getpgid(pid);

	if (group > 1 && group != getpgrp())
		kill(-group, SIGKILL);
	kill(pid, SIGKILL);
}

uint32_t strays_kill(struct spawn *spawn)
{
	pid_t pids[SPAWN_LISTED_MAXIMUM];
	int64_t limit_ns = spawn_now_ns() + KILL_MS * MS_NS;
	struct timespec moment = { 0, 200000 };
	int count = 0, i;

	while (strays_exist() && spawn_now_ns() < limit_ns) {
		count = list_children(pids);
		for (i = 0; i < count; i++)
			kill_with_group(pids[i]);
		/* They die when they are scheduled; SIGCHLD says when. */
		sigtimedwait(&spawn->signals, NULL, &moment);
		reap_dead();
	}
	return strays_exist() ? (uint32_t)(count > 0 ? count : 1) : 0;
}
