/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth-spawn: the process between worth and the commands it measures (see
 * measure/spawner.h for why). It is a static program, so that it is small (the
 * peak memory of a child is never less than this process's) and needs no
 * dynamic linker. worth starts it with the numbers of a socket, of the shared
 * area and of itself; nobody else does.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/spawn/spawn.h"

enum { OWN_FD_MINIMUM = 10 };

static void descriptors_close(int *fds, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

/* Above all numbers that a child's descriptors get. */
static int move_up(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, OWN_FD_MINIMUM);

	close(fd);
	return moved;
}

static int given(const char *number)
{
	return move_up((int)strtol(number, NULL, 10));
}

/* The standard descriptors that come with a run, put where the request expects them. */
static void take_passed(struct spawn *spawn, const int *fds)
{
	const struct spawn_request *request = &spawn->area->request;
	size_t next = 0;

	if (request->stdin_source == SPAWN_PASSED)
		spawn->passed[0] = fds[next++];
	if (request->stdout_source == SPAWN_PASSED)
		spawn->passed[1] = fds[next++];
	if (request->stderr_source == SPAWN_PASSED)
		spawn->passed[2] = fds[next++];
}

/* What is left of the tree after the child's end, as the request wants it. */
static uint32_t after_child(struct spawn *spawn)
{
	const struct spawn_request *request = &spawn->area->request;
	struct spawn_result *result = &spawn->area->result;
	bool ended_by_us = result->timed_out || result->interrupted;

	if (request->strays == SPAWN_STRAYS_IGNORE && !ended_by_us)
		return 0;
	if (!strays_exist() || !strays_find(spawn))
		return 0;
	if (request->strays == SPAWN_STRAYS_KEEP && !ended_by_us) {
		spawn->kept_strays = true;
		return 0;
	}
	return strays_kill(spawn);
}

static uint32_t run(struct spawn *spawn)
{
	struct spawn_result *result = &spawn->area->result;
	int event_fds[SPAWN_EVENTS];
	bool ended;
	pid_t pid;
	size_t i;

	memset(result, 0, sizeof *result);
	result->run_delay_ns = -1;
	for (i = 0; i < SPAWN_EVENTS; i++)
		event_fds[i] = -1;
	pid = start_child(spawn, event_fds);
	if (pid < 0)
		return 0;
	ended = wait_child(spawn, pid);
	start_read_events(spawn, event_fds);
	if (!ended)
		return 1;
	return after_child(spawn);
}

static void serve(struct spawn *spawn)
{
	struct spawn_message message;
	int fds[SPAWN_PASSED_COUNT];

	while (orders_next(spawn, &message, fds)) {
		switch (message.order) {
		case SPAWN_RUN:
			take_passed(spawn, fds);
			message.unkillable = run(spawn);
			descriptors_close(spawn->passed, SPAWN_PASSED_COUNT);
			break;
		case SPAWN_PIPES:
			descriptors_close(spawn->pipes, SPAWN_PIPE_COUNT);
			memcpy(spawn->pipes, fds, sizeof spawn->pipes);
			break;
		default:
			message.unkillable = strays_kill(spawn);
		}
		orders_reply(spawn, &message);
	}
}

/* Standard descriptors are nobody's terminal, and the report's number is taken, so that no
 * descriptor that arrives gets one of them. */
static bool open_descriptors(struct spawn *spawn)
{
	int fd;

	spawn->null_fd = move_up(open("/dev/null", O_RDONLY));
	spawn->zero_fd = move_up(open("/dev/zero", O_WRONLY));
	if (spawn->null_fd < 0 || spawn->zero_fd < 0)
		return false;
	for (fd = 0; fd <= 2; fd++)
		dup2(spawn->null_fd, fd);
	if (fcntl(SPAWN_REPORT_FD, F_GETFD) < 0)
		dup3(spawn->null_fd, SPAWN_REPORT_FD, O_CLOEXEC);
	return true;
}

/* There only so that SIGCHLD ends a sleep. */
static void wake(int number)
{
	(void)number;
}

static void signals_init(struct spawn *spawn)
{
	struct sigaction waking = { .sa_handler = wake };
	int number;

	for (number = 1; number < NSIG; number++)
		signal(number,
		       SIG_DFL); /* what worth's caller ignored is not ignored in children */
	sigaction(SIGCHLD, &waking, NULL); /* exec makes it the default again */
	sigfillset(&spawn->signals);
	sigprocmask(SIG_BLOCK, &spawn->signals, NULL);
	prctl(PR_SET_PDEATHSIG, SIGHUP);
}

int main(int argc, char **argv)
{
	struct spawn spawn = { .pipes = { -1, -1, -1 }, .passed = { -1, -1, -1 } };
	struct spawn_message hello = { .number = 0 };
	int area_fd;

	if (argc != SPAWN_ARGUMENTS)
		return 2;
	spawn.worth = (pid_t)strtol(argv[SPAWN_WORTH], NULL, 10);
	signals_init(&spawn);
	spawn.allowed_known = sched_getaffinity(0, sizeof spawn.allowed, &spawn.allowed) == 0;
	spawn.socket = given(argv[SPAWN_SOCKET]);
	spawn.orders = given(argv[SPAWN_ORDERS]);
	spawn.replies = given(argv[SPAWN_REPLIES]);
	area_fd = given(argv[SPAWN_AREA]);
	spawn.area = mmap(NULL, SPAWN_AREA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, area_fd, 0);
	spawn.stack = mmap(NULL, SPAWN_STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (spawn.area == MAP_FAILED || spawn.stack == MAP_FAILED || !open_descriptors(&spawn))
		return 2;
	close(area_fd);
	setsid();
	prctl(PR_SET_NAME, "worth-spawn");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || getppid() != spawn.worth)
		return 2;
	orders_reply(&spawn, &hello);
	serve(&spawn);
	if (!spawn.kept_strays)
		strays_kill(&spawn);
	return 0;
}
