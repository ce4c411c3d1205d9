/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for a child. Signals are blocked and taken by sigtimedwait, so that
 * one call waits for the child's end (SIGCHLD), for worth's word, for worth's
 * death and for the time limit, without a race and without a descriptor.
 *
 *	running --limit, interrupt or a stop--> SIGTERM --200 ms--> SIGKILL --10 s--> given up
 *	   \______________________________\____________________\____ ended: meters, reaped
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure/spawn/spawn.h"

#define MS_NS INT64_C(1000000)
#define FOREVER INT64_MAX

enum {
	GIVE_UP_MS = 10000,
	/* Reading schedstat takes 10 us. Shorter runs that nobody preempted do without; one switch
	 * is the kernel's own, when exec moves the child to an idle processor. */
	RUN_DELAY_WALL_MS = 2,
	RUN_DELAY_SWITCHES = 2,
};

int64_t spawn_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int spawn_wait_signal(struct spawn *spawn, int64_t timeout_ns, siginfo_t *info)
{
	struct timespec timeout = { timeout_ns / 1000000000, timeout_ns % 1000000000 };
	int number = sigtimedwait(&spawn->signals, info, timeout_ns < 0 ? NULL : &timeout);

	if (number > 0 && getppid() != spawn->worth) {
		strays_kill(spawn);
		_exit(0);
	}
	return number < 0 ? 0 : number;
}

/* Dead, but not yet reaped: /proc still knows it. The system call also gives the usage, which the
 * library's waitid does not pass on. */
static bool has_ended(pid_t pid, struct rusage *usage)
{
	siginfo_t info;

	info.si_pid = 0;
	return syscall(SYS_waitid, P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT, usage) == 0 &&
	       info.si_pid == pid;
}

/* Who has stopped itself, or wanted the terminal, goes on when somebody tells it to, and nobody
 * will. The signal; 0: it runs. */
static int stopped_by(pid_t pid)
{
	siginfo_t info;

	info.si_pid = 0;
	return waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
		       info.si_pid == pid
		   ? info.si_status
		   : 0;
}

/* The second figure of schedstat: ns on a run queue without running. */
static int64_t run_delay_ns(pid_t pid)
{
	char path[40], line[96];
	ssize_t length;
	char *delay;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	length = read(fd, line, sizeof line - 1);
	close(fd);
	if (length <= 0)
		return -1;
	line[length] = '\0';
	delay = strchr(line, ' ');
	return delay == NULL ? -1 : strtoll(delay, NULL, 10);
}

/* The child's ending, one step further; the time of the next step. */
static int64_t end_further(pid_t pid, int *steps)
{
	int number = *steps == 0 ? SIGTERM : SIGKILL;

	if (*steps < 2) {
		kill(-pid, number);
		kill(pid, number); /* in case it left its group */
		if (number == SIGTERM)
			kill(-pid, SIGCONT); /* a stopped one does not hear SIGTERM */
	}
	(*steps)++;
	return spawn_now_ns() + MS_NS * (*steps == 1 ? SPAWN_GRACE_MS : GIVE_UP_MS);
}

/* Sleep until the child has ended; the time of its end, or -1 if nothing ends it. *stopped: the
 * signal that stopped it, for which it was ended; 0: none. */
static int64_t wait_end(struct spawn *spawn, pid_t pid, int *stopped)
{
	const struct spawn_request *request = &spawn->area->request;
	struct spawn_result *result = &spawn->area->result;
	int64_t limit_ns =
	    request->timeout_ns > 0 ? result->started_ns + request->timeout_ns : FOREVER;
	int steps = 0;

	*stopped = 0;
	while (steps < 3) {
		siginfo_t info;
		int64_t left_ns = limit_ns == FOREVER ? -1 : limit_ns - spawn_now_ns();
		int number = spawn_wait_signal(
		    spawn, limit_ns != FOREVER && left_ns < 0 ? 0 : left_ns, &info);
		int64_t now_ns = spawn_now_ns();

		if (number == SIGCHLD && has_ended(pid, &result->usage))
			return now_ns;
		if (number == SIGCHLD && steps == 0 && (*stopped = stopped_by(pid)) != 0) {
			limit_ns = end_further(pid, &steps);
			continue;
		}
		if (number == SPAWN_SIGNAL_INTERRUPT && steps == 0 &&
		    info.si_value.sival_int == (int)request->number) {
			result->interrupted = 1;
			limit_ns = end_further(pid, &steps);
		} else if (now_ns >= limit_ns) {
			if (steps == 0)
				result->timed_out = 1;
			limit_ns = end_further(pid, &steps);
		}
	}
	return -1;
}

bool wait_child(struct spawn *spawn, pid_t pid)
{
	struct spawn_result *result = &spawn->area->result;
	int stopped;
	int64_t ended_ns = wait_end(spawn, pid, &stopped);

	if (ended_ns < 0)
		return false;
	result->wall_ns = ended_ns - result->started_ns;
	if (result->wall_ns >= RUN_DELAY_WALL_MS * MS_NS ||
	    result->usage.ru_nivcsw > RUN_DELAY_SWITCHES)
		result->run_delay_ns = run_delay_ns(pid);
	if (wait4(pid, &result->wait_status, 0, &result->usage) != pid)
		return false;
	if (stopped != 0)
		result->wait_status = stopped; /* as if that had ended it, which it has */
	return true;
}
