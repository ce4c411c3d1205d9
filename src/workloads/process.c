/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starting something and waiting for its end: fork, vfork and posix_spawn of a
 * program, a thread, a shell (the kinds of lmbench's lat_proc). The program is
 * worth-load itself, which ends at once with a status of its own, so that what
 * ran is known.
 */
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/units.h"
#include "workloads/nothing.h"
#include "workloads/programs.h"
#include "workloads/timing.h"
#include "workloads/workload.h"
#include "workloads/limits.h"

#define OWN_PROGRAM "/proc/self/exe"
#define SHELL "/bin/sh"

enum kind { KIND_FORK, KIND_VFORK, KIND_SPAWN, KIND_THREAD, KIND_SHELL };

static const char *const kind_names[] = { "fork",   "vfork-exec", "posix-spawn",
					  "thread", "shell",	  NULL };

struct process_settings {
	struct work_settings work;
	int kind;
	const char *memory;
};

static bool not_started(enum kind kind, int number, struct error *err)
{
	return error_set(err, ERROR_SYSTEM,
			 "cannot start by %s: %s (see ulimit -u and the pids limit of the cgroup)",
			 kind_names[kind], strerror(number));
}

static bool await_nothing(pid_t pid, struct error *err)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return error_set(err, ERROR_SYSTEM, "waiting for a child: %s", limits_reason());
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOTHING_STATUS)
		return true;
	return error_set(err, ERROR_SYSTEM,
			 "a child ended with wait status 0x%x and not with exit status %d", status,
			 NOTHING_STATUS);
}

static bool by_fork(struct error *err)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(NOTHING_STATUS);
	return pid < 0 ? not_started(KIND_FORK, errno, err) : await_nothing(pid, err);
}

static bool by_vfork(struct error *err)
{
	static const char *const argv[] = { "worth-load", NOTHING_WORD, NULL };
	pid_t pid = vfork();

	if (pid == 0) {
		execve(OWN_PROGRAM, (char **)argv, environ);
		_exit(127);
	}
	return pid < 0 ? not_started(KIND_VFORK, errno, err) : await_nothing(pid, err);
}

static bool spawn(enum kind kind, const char *path, const char *const *argv, struct error *err)
{
	pid_t pid;
	int trouble = posix_spawn(&pid, path, NULL, NULL, (char **)argv, environ);

	return trouble != 0 ? not_started(kind, trouble, err) : await_nothing(pid, err);
}

static bool by_spawn(struct error *err)
{
	static const char *const argv[] = { "worth-load", NOTHING_WORD, NULL };

	return spawn(KIND_SPAWN, OWN_PROGRAM, argv, err);
}

static bool by_shell(struct error *err)
{
	static const char *const argv[] = { "sh", "-c", "exit " NOTHING_STATUS_WORD, NULL };

	return spawn(KIND_SHELL, SHELL, argv, err);
}

static void *thread_main(void *argument)
{
	*(int *)argument = NOTHING_STATUS;
	return NULL;
}

static bool by_thread(struct error *err)
{
	pthread_t thread;
	int status = 0;
	int trouble = pthread_create(&thread, NULL, thread_main, &status);

	if (trouble == 0)
		trouble = pthread_join(thread, NULL);
	if (trouble != 0)
		return not_started(KIND_THREAD, trouble, err);
	return status == NOTHING_STATUS ||
	       error_set(err, ERROR_SYSTEM, "a thread was joined that had not run");
}

static bool start_all(void *context, uint64_t count, struct error *err)
{
	static bool (*const starts[])(struct error *) = { by_fork, by_vfork, by_spawn, by_thread,
							  by_shell };
	bool (*start)(struct error *) = starts[*(const enum kind *)context];
	uint64_t i;

	for (i = 0; i < count; i++)
		if (!start(err))
			return false;
	return true;
}

static bool measure(struct work *work, enum kind kind, struct error *err)
{
	struct timing timing = { .name = kind_names[kind], .act = start_all, .context = &kind };

	return timing_run(work, &timing, err);
}

/* Memory that this process has written to: a fork copies its page tables. */
static bool fill_memory(struct work *work, const char *word, struct error *err)
{
	uint64_t bytes;
	void *memory;

	if (word == NULL)
		return true;
	if (!units_parse_bytes(word, &bytes, err))
		return error_prefix(err, "--memory");
	if (bytes == 0)
		return true;
	memory = bytes > SIZE_MAX / 2 ? MAP_FAILED
				      : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
					     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED ||
	    bytes / (uint64_t)sysconf(_SC_PAGESIZE) > (uint64_t)sysconf(_SC_AVPHYS_PAGES))
		return error_set(err, ERROR_SYSTEM, "--memory %s is more than is free", word);
	memset(memory, 1, bytes);
	report_remark(work->report, "the process that starts them has written to %s of memory",
		      word);
	return true;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct process_settings *settings = pointer;
	enum kind kind = (enum kind)settings->kind;
	static const uint64_t operations[] = { 5000, 2000, 2000, 20000, 500 };
	bool own = kind == KIND_VFORK || kind == KIND_SPAWN;

	if (own && access(OWN_PROGRAM, X_OK) != 0)
		return error_set(err, ERROR_SYSTEM, "%s is missing: it needs /proc", OWN_PROGRAM);
	if (kind == KIND_SHELL && access(SHELL, X_OK) != 0)
		return error_set(err, ERROR_SYSTEM, "there is no %s", SHELL);
	if (kind == KIND_SHELL && !programs_possible(err))
		return false;
	if (work->is_default)
		work->operations = operations[kind];
	return fill_memory(work, settings->memory, err) && measure(work, kind, err);
}

static const struct process_settings defaults = { .kind = KIND_FORK };

static const struct option options[] = {
	{ .kind = OPTION_CHOICE,
	  .name = "kind",
	  .value = "KIND",
	  .help = "what is started",
	  .offset = offsetof(struct process_settings, kind),
	  .choices = kind_names },
	{ OPTION_TEXT, "memory", 0, "SIZE", "memory that the starting process has in use (64M)",
	  offsetof(struct process_settings, memory) },
	WORK_OPTIONS(struct process_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_process = {
	.name = "process",
	.summary = "start a process, program, thread or shell, and wait",
	.operation = "one start, with the wait for its end",
	.exercises = "making and ending tasks and address spaces, execve of a small static "
		     "program, and for a shell the dynamic linker, too",
	.verified = "every child ends with the exit status it was told",
	.needs = "/proc for vfork-exec, posix-spawn and shell, /bin/sh for shell",
	.examples = "# What 256 MiB in use make a fork cost\n"
		    "$ worth 'workload:process' 'workload:process --memory 256M'\n",
	.options = options,
	.settings_size = sizeof(struct process_settings),
	.defaults = &defaults,
	.run = run,
};
