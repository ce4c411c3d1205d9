/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What else runs in a guest. A kernel's self tests can go on for as long as
 * there is virtual time (crypto's did, in 6.12), and then take their share of
 * every figure in a way that repeats exactly: only the accounts show it.
 * Elapsed time less idle time and interrupts must be the CPU time of whoever
 * was measured.
 */
#include "workloads/agent/load.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "workloads/clock.h"

/* A guest is idle when three windows in a row were at most a tenth busy. Sleeping costs nothing
 * where virtual time skips it. */
#define WINDOW_NS INT64_C(200000000)
#define BUSY_NS INT64_C(20000000)
enum { WINDOWS = 3 };

static int64_t tick_ns(void)
{
	return 1000000000 / sysconf(_SC_CLK_TCK);
}

static size_t read_small(const char *path, char *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return 0;
	length = read(fd, bytes, size - 1);
	close(fd);
	if (length < 0)
		return 0;
	bytes[length] = '\0';
	return (size_t)length;
}

/* cpu user nice system idle iowait irq softirq ... */
static bool read_processors(struct load *load)
{
	char bytes[512];
	unsigned long long at[7];

	if (read_small("/proc/stat", bytes, sizeof bytes) == 0 ||
	    sscanf(bytes, "cpu %llu %llu %llu %llu %llu %llu %llu", &at[0], &at[1], &at[2], &at[3],
		   &at[4], &at[5], &at[6]) != 7)
		return false;
	load->idle_ns = (int64_t)(at[3] + at[4]) * tick_ns();
	load->irq_ns = (int64_t)(at[5] + at[6]) * tick_ns();
	return true;
}

/* pid (name) state and eleven more fields, utime, stime; a name may hold anything. */
static bool read_task(const char *pid, struct load_task *task)
{
	char path[64], bytes[1024], *open_bracket, *close_bracket;
	unsigned long long user, system;

	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	if (read_small(path, bytes, sizeof bytes) == 0)
		return false;
	open_bracket = strchr(bytes, '(');
	close_bracket = strrchr(bytes, ')');
	if (open_bracket == NULL || close_bracket == NULL || close_bracket < open_bracket ||
	    sscanf(close_bracket + 1, " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu",
		   &user, &system) != 2)
		return false;
	task->pid = atoi(pid);
	task->ticks = user + system;
	snprintf(task->name, sizeof task->name, "%.*s", (int)(close_bracket - open_bracket - 1),
		 open_bracket + 1);
	return true;
}

static void read_tasks(struct load *load)
{
	DIR *directory = opendir("/proc");
	struct dirent *entry;

	load->task_count = 0;
	if (directory == NULL)
		return;
	while ((entry = readdir(directory)) != NULL && load->task_count < LOAD_TASKS_MAXIMUM)
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    read_task(entry->d_name, &load->tasks[load->task_count]))
			load->task_count++;
	closedir(directory);
}

static int64_t used_ns(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * INT64_C(1000000000) +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * INT64_C(1000);
}

bool load_read(struct load *load)
{
	read_tasks(load);
	if (!read_processors(load))
		return false;
	load->own_cpu_ns = used_ns(RUSAGE_SELF) + used_ns(RUSAGE_CHILDREN);
	load->now_ns = clock_ns();
	return true;
}

int64_t load_foreign_ns(const struct load *before, const struct load *after)
{
	return (after->now_ns - before->now_ns) - (after->idle_ns - before->idle_ns) -
	       (after->irq_ns - before->irq_ns) - (after->own_cpu_ns - before->own_cpu_ns);
}

static uint64_t ticks_before(const struct load *before, int pid)
{
	size_t i;

	for (i = 0; i < before->task_count; i++)
		if (before->tasks[i].pid == pid)
			return before->tasks[i].ticks;
	return 0;
}

const char *load_busiest(const struct load *before, const struct load *after)
{
	const char *name = NULL;
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < after->task_count; i++) {
		const struct load_task *task = &after->tasks[i];
		uint64_t earlier = ticks_before(before, task->pid);

		if (task->pid == getpid() || task->ticks <= earlier ||
		    task->ticks - earlier <= most)
			continue;
		most = task->ticks - earlier;
		name = task->name;
	}
	return name;
}

static void sleep_ns(int64_t ns)
{
	struct timespec time = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	nanosleep(&time, NULL);
}

bool load_await_idle(int64_t limit_ns, char name[LOAD_NAME_BYTES])
{
	struct load *loads = calloc(2, sizeof *loads);
	int64_t end_ns = clock_ns() + limit_ns;
	const char *busiest;
	int quiet = 0, at = 0;

	name[0] = '\0';
	if (loads == NULL || !load_read(&loads[0])) {
		free(loads);
		return false;
	}
	while (quiet < WINDOWS && clock_ns() < end_ns) {
		sleep_ns(WINDOW_NS);
		load_read(&loads[!at]);
		quiet = load_foreign_ns(&loads[at], &loads[!at]) <= BUSY_NS ? quiet + 1 : 0;
		busiest = load_busiest(&loads[at], &loads[!at]);
		if (busiest != NULL)
			snprintf(name, LOAD_NAME_BYTES, "%s", busiest);
		at = !at;
	}
	free(loads);
	return quiet >= WINDOWS;
}
