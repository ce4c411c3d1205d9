/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes and threads alike: see tasks.h. */
#include "workloads/tasks.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/give_up.h"
#include "workloads/limits.h"
#include "workloads/placement.h"

enum { DYING_NS = 50000000 };

void *tasks_share(size_t size, struct error *err)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory != MAP_FAILED)
		return memory;
	error_set(err, ERROR_SYSTEM, "cannot get %zu bytes of shared memory: %s", size,
		  limits_reason());
	return NULL;
}

void tasks_unshare(void *memory, size_t size)
{
	if (memory != NULL)
		munmap(memory, size);
}

/*
 * The others would wait for this one for ever, so the whole run ends: at once
 * if it is a thread, else by child_ended() in the parent. A process that finds
 * its pipe closed may only be seeing the workload die, an instant before it is
 * killed itself; that is no failure of its own.
 */
static _Noreturn void give_up(const struct task *task)
{
	struct timespec moment = { 0, DYING_NS };

	if (!task->thread)
		nanosleep(&moment, NULL);
	give_up_with(&task->err);
}

/* A task that ended before its time: the run cannot go on. Its own sentence may stand above. */
static void child_ended(int number, siginfo_t *info, void *unused)
{
	(void)number;
	(void)unused;
	if (info->si_code == CLD_EXITED && info->si_status == 0)
		return;
	if (info->si_code == CLD_EXITED && info->si_status == LIMITS_STATUS)
		limits_say();
	if (info->si_code == CLD_KILLED && info->si_status == SIGKILL)
		give_up_in_handler("a task was killed from outside, perhaps because memory ran "
				   "out; nothing that was measured is reported");
	if (info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED)
		give_up_in_handler("a task was ended by a signal; nothing that was measured is "
				   "reported");
	_exit(GIVE_UP_STATUS);
}

static void watch_children(void)
{
	struct sigaction action = { .sa_sigaction = child_ended,
				    .sa_flags = SA_SIGINFO | SA_RESTART | SA_NOCLDSTOP };

	sigaction(SIGCHLD, &action, NULL);
}

static void *run_task(void *argument)
{
	struct task *task = argument;

	task->failed =
	    !placement_enter(task->cpu, &task->err) || !task->function(task->context, &task->err);
	if (task->failed)
		give_up(task);
	return NULL;
}

static _Noreturn void run_process(struct task *task, pid_t parent)
{
	signal(SIGCHLD, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it died before the line above */
		_exit(1);
	limits_pass_on();
	run_task(task);
	_exit(0);
}

bool task_start(struct task *task, struct error *err)
{
	pid_t parent = getpid();
	int trouble;

	if (task->thread) {
		trouble = pthread_create(&task->handle, NULL, run_task, task);
	} else {
		pid_t pid;

		watch_children();
		pid = fork();
		if (pid == 0)
			run_process(task, parent);
		trouble = pid < 0 ? errno : 0;
		task->pid = pid; /* by the parent alone: the memory is the child's, too */
	}
	if (trouble != 0)
		return error_set(err, ERROR_SYSTEM,
				 "cannot start another %s: %s (see ulimit -u, ulimit -v and the "
				 "pids limit of the cgroup)",
				 task->thread ? "thread" : "process", strerror(trouble));
	return true;
}

static bool wait_for_process(struct task *task, struct error *err)
{
	int status;

	while (waitpid(task->pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(err, ERROR_SYSTEM, "waiting for a task: %s",
					 limits_reason());
	if (WIFSIGNALED(status))
		return error_set(err, ERROR_SYSTEM,
				 "a task was ended by signal %d (%s); nothing it did is counted",
				 WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) != 0)
		return error_set(err, ERROR_SYSTEM, "a task exited with status %d",
				 WEXITSTATUS(status));
	return true;
}

void task_kill(struct task *task)
{
	signal(SIGCHLD, SIG_DFL);
	kill(task->pid, SIGKILL);
	wait_for_process(task, NULL);
}

bool task_join(struct task *task, struct error *err)
{
	if (task->thread)
		pthread_join(task->handle, NULL);
	else if (!wait_for_process(task, err))
		return false;
	return true;
}
