/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a request to a running child, as cheaply as the kernel can: clone with
 * CLONE_VM and CLONE_VFORK copies nothing, and this process sleeps until the
 * child has its own memory.
 *
 * Counters are opened by the child on itself, just before exec, with
 * enable_on_exec: no instruction of ours is counted, and no handshake is
 * needed. CLONE_FILES makes the new descriptors appear in this process too; the
 * child leaves the shared table (unshare) before it moves its standard
 * descriptors.
 *
 * The first event of a kind makes the kernel patch its own code on all
 * processors, and the last one that goes undoes it (perf_event.c:
 * perf_sched_events, perf_swevent_enabled; Linux 6.1). This process therefore
 * holds one event of each kind open from run to run, its anchors.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure/spawn/spawn.h"

/* What the child reads and writes while it shares this process's memory. */
struct start {
	struct spawn *spawn;
	int *event_fds;
	char **argv, **environment;
};

static int event_open(const struct perf_event_attr *attributes)
{
	return (int)syscall(SYS_perf_event_open, attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void *at(const struct spawn *spawn, uint64_t offset)
{
	return offset == 0 ? NULL : (char *)spawn->area + offset;
}

/* An array of offsets becomes one of pointers, in place. */
static char **strings(struct spawn *spawn, uint64_t offset)
{
	uint64_t *offsets = at(spawn, offset);
	char **pointers = (char **)offsets;
	size_t i;

	_Static_assert(sizeof(uint64_t) >= sizeof(char *), "offsets have room for pointers");
	for (i = 0; offsets[i] != 0; i++)
		pointers[i] = at(spawn, offsets[i]);
	pointers[i] = NULL;
	return pointers;
}

static void anchors_release(struct spawn *spawn)
{
	size_t i;

	for (i = 0; i < spawn->anchor_count; i++)
		if (spawn->anchors[i] >= 0)
			close(spawn->anchors[i]);
	spawn->anchor_count = 0;
}

/* One idle event on this process per event of the request. */
static void anchors_update(struct spawn *spawn)
{
	const struct spawn_request *request = &spawn->area->request;
	size_t size = request->event_count * sizeof *request->events;
	size_t i;

	if (request->event_count == spawn->anchor_count &&
	    memcmp(request->events, spawn->anchor_events, size) == 0)
		return;
	anchors_release(spawn);
	for (i = 0; i < request->event_count; i++) {
		struct perf_event_attr attributes = request->events[i];

		attributes.disabled = 1;
		attributes.inherit = 0;
		attributes.enable_on_exec = 0;
		spawn->anchors[i] = event_open(&attributes);
	}
	memcpy(spawn->anchor_events, request->events, size);
	spawn->anchor_count = request->event_count;
}

static void open_events(const struct start *start)
{
	struct spawn_area *area = start->spawn->area;
	size_t i;

	for (i = 0; i < area->request.event_count; i++) {
		start->event_fds[i] = event_open(&area->request.events[i]);
		area->result.events[i].open_error = start->event_fds[i] < 0 ? errno : 0;
	}
	if (area->request.event_count > 0)
		unshare(CLONE_FILES);
}

static int source_fd(const struct spawn *spawn, int source, int index, int otherwise)
{
	switch (source) {
	case SPAWN_PIPE:
		return index == STDOUT_FILENO ? spawn->pipes[0] : spawn->pipes[1];
	case SPAWN_PASSED:
		return spawn->passed[index];
	case SPAWN_STDERR:
		return STDERR_FILENO;
	default:
		return otherwise;
	}
}

/* dup2 takes the close-on-exec flag away. None of the sources is a target: main.c holds 0 to 2 and
 * the report's number itself. */
static void set_descriptors(const struct spawn *spawn)
{
	const struct spawn_request *request = &spawn->area->request;

	dup2(source_fd(spawn, request->stdin_source, STDIN_FILENO, spawn->null_fd), STDIN_FILENO);
	dup2(source_fd(spawn, request->stderr_source, STDERR_FILENO, spawn->zero_fd),
	     STDERR_FILENO);
	dup2(source_fd(spawn, request->stdout_source, STDOUT_FILENO, spawn->zero_fd),
	     STDOUT_FILENO);
	if (request->report_source == SPAWN_PIPE)
		dup2(spawn->pipes[2], SPAWN_REPORT_FD);
}

/* Returns at the first thing that fails, with errno; the result says how far it came. */
static void become_program(const struct start *start)
{
	struct spawn_area *area = start->spawn->area;
	const char *directory = at(start->spawn, area->request.directory);
	cpu_set_t cpus;
	sigset_t none;

	area->result.stage = STAGE_CPU;
	if (area->request.cpu >= 0) {
		CPU_ZERO(&cpus);
		CPU_SET(area->request.cpu, &cpus);
		if (sched_setaffinity(0, sizeof cpus, &cpus) != 0)
			return;
	}
	/* measure/together.h: where this process is kept says nothing about its children. */
	if (area->request.cpu < 0 && area->held && start->spawn->allowed_known)
		sched_setaffinity(0, sizeof start->spawn->allowed, &start->spawn->allowed);
	area->result.stage = STAGE_DIRECTORY;
	if (directory != NULL && chdir(directory) != 0)
		return;
	area->result.stage = STAGE_EXEC;
	set_descriptors(start->spawn);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(at(start->spawn, area->request.program), start->argv, start->environment);
}

/* The child, in memory that is the parent's: it must only write what the parent expects. */
static int child_main(void *argument)
{
	const struct start *start = argument;

	start->spawn->area->result.pid = getpid();
	open_events(start);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* in case this process is killed itself */
	become_program(start);
	start->spawn->area->result.stage_error = errno;
	_exit(127);
}

/* A program may have made the pipes non-blocking, for all that come after it. */
static void pipes_reset(const struct spawn *spawn)
{
	const struct spawn_request *request = &spawn->area->request;

	if (request->stdout_source == SPAWN_PIPE)
		fcntl(spawn->pipes[0], F_SETFL, 0);
	if (request->stderr_source == SPAWN_PIPE)
		fcntl(spawn->pipes[1], F_SETFL, 0);
	if (request->report_source == SPAWN_PIPE)
		fcntl(spawn->pipes[2], F_SETFL, 0);
}

pid_t start_child(struct spawn *spawn, int *event_fds)
{
	struct spawn_request *request = &spawn->area->request;
	struct spawn_result *result = &spawn->area->result;
	int flags = CLONE_VM | CLONE_VFORK | (request->event_count > 0 ? CLONE_FILES : 0) | SIGCHLD;
	struct start start = { .spawn = spawn, .event_fds = event_fds };
	pid_t pid;

	start.argv = strings(spawn, request->argv);
	start.environment = strings(spawn, request->environment);
	anchors_update(spawn);
	pipes_reset(spawn);
	result->started_ns = spawn_now_ns();
	pid = clone(child_main, spawn->stack + SPAWN_STACK_BYTES, flags, &start);
	if (pid < 0) {
		result->stage = STAGE_CLONE;
		result->stage_error = errno;
		return -1;
	}
	if (result->stage_error == 0)
		result->stage = STAGE_RUNNING;
	return pid;
}

void start_read_events(struct spawn *spawn, int *event_fds)
{
	size_t i;

	for (i = 0; i < spawn->area->request.event_count; i++) {
		struct spawn_event *event = &spawn->area->result.events[i];
		uint64_t
		    values[3]; /* value, time enabled, time running: the read format asked for */

		if (event_fds[i] < 0)
			continue;
		if (read(event_fds[i], values, sizeof values) == (ssize_t)sizeof values) {
			event->value = values[0];
			event->enabled_ns = values[1];
			event->running_ns = values[2];
		} else {
			event->open_error = EIO;
		}
		close(event_fds[i]);
		event_fds[i] = -1;
	}
}
