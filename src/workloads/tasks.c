/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes and threads alike: see tasks.h. */
#include "workloads/tasks.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/placement.h"

void *tasks_share(size_t size, struct error *err)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory != MAP_FAILED)
		return memory;
	error_set(err, ERROR_SYSTEM, "cannot get %zu bytes of shared memory: %s", size,
		  strerror(errno));
	return NULL;
}

void tasks_unshare(void *memory, size_t size)
{
	if (memory != NULL)
		munmap(memory, size);
}

static void *run_task(void *argument)
{
	struct task *task = argument;

	task->failed =
	    !placement_enter(task->cpu, &task->err) || !task->function(task->context, &task->err);
	return NULL;
}

static _Noreturn void run_process(struct task *task, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it died before the line above */
		_exit(1);
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
		task->pid = fork();
		if (task->pid == 0)
			run_process(task, parent);
		trouble = task->pid < 0 ? errno : 0;
	}
	if (trouble != 0)
		return error_set(err, ERROR_SYSTEM,
				 "cannot start another %s: %s (see ulimit -u and the pids limit of "
				 "the cgroup)",
				 task->thread ? "thread" : "process", strerror(trouble));
	return true;
}

static bool wait_for_process(struct task *task, struct error *err)
{
	int status;

	while (waitpid(task->pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(err, ERROR_SYSTEM, "waiting for a task: %s",
					 strerror(errno));
	if (WIFSIGNALED(status))
		return error_set(err, ERROR_SYSTEM,
				 "a task was ended by signal %d (%s); nothing it did is counted",
				 WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) != 0)
		return error_set(err, ERROR_SYSTEM, "a task exited with status %d",
				 WEXITSTATUS(status));
	return true;
}

bool task_join(struct task *task, struct error *err)
{
	if (task->thread)
		pthread_join(task->handle, NULL);
	else if (!wait_for_process(task, err))
		return false;
	if (task->failed && err != NULL)
		*err = task->err;
	return !task->failed;
}
