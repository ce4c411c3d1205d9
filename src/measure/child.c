/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth's side of one child: the request into the shared area, then sleep
 * until the spawning process answers, emptying pipes meanwhile. Nothing here
 * lies inside the measured interval; that is the spawning process's alone.
 */
#include "measure/child.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/monotonic.h"
#include "measure/spawn_process.h"

_Static_assert((int)CHILD_EVENTS_MAXIMUM == (int)SPAWN_EVENTS, "one limit of events");
_Static_assert((int)CHILD_STRAYS_MAXIMUM == (int)SPAWN_STRAYS, "one limit of strays");
_Static_assert((int)CHILD_REPORT_FD == (int)SPAWN_REPORT_FD, "one number of the report");

struct child_request child_request(char *const *argv)
{
	struct child_request request = {
		.argv = argv,
		.stdin_fd = -1,
		.stdout_fd = -1,
		.stderr_fd = -1,
		.cpu = -1,
	};

	return request;
}

/* Fills the area from its front; a string that does not fit sets full. */
struct writer {
	char *area;
	size_t used;
	bool full;
};

static void *writer_take(struct writer *writer, size_t size, size_t alignment)
{
	size_t start = (writer->used + alignment - 1) & ~(alignment - 1);

	if (writer->full || size > SPAWN_AREA_BYTES - start) {
		writer->full = true;
		return NULL;
	}
	writer->used = start + size;
	return writer->area + start;
}

/* The offset of a copy of first and second joined. */
static uint64_t write_joined(struct writer *writer, const char *first, const char *second)
{
	size_t first_length = strlen(first), second_length = strlen(second);
	char *copy = writer_take(writer, first_length + second_length + 1, 1);

	if (copy == NULL)
		return 0;
	memcpy(copy, first, first_length);
	memcpy(copy + first_length, second, second_length + 1);
	return (uint64_t)(copy - writer->area);
}

static uint64_t write_string(struct writer *writer, const char *string)
{
	return string == NULL ? 0 : write_joined(writer, string, "");
}

static size_t count_strings(const char *const *strings)
{
	size_t count = 0;

	while (strings != NULL && strings[count] != NULL)
		count++;
	return count;
}

static uint64_t write_argv(struct writer *writer, char *const *argv)
{
	size_t count = count_strings((const char *const *)argv), i;
	uint64_t *offsets = writer_take(writer, (count + 1) * sizeof *offsets, sizeof *offsets);

	if (offsets == NULL)
		return 0;
	for (i = 0; i < count; i++)
		offsets[i] = write_string(writer, argv[i]);
	offsets[count] = 0;
	return (uint64_t)((char *)offsets - writer->area);
}

/* Both are NAME=VALUE. Nearly all names differ in their first letters, so this is a loop. */
static bool same_name(const char *first, const char *second)
{
	while (*first == *second && *first != '\0') {
		if (*first == '=')
			return true;
		first++;
		second++;
	}
	return false;
}

/* Whether the request, or worth itself, gives this variable another value. */
static bool is_replaced(const struct child_request *request, const char *variable)
{
	size_t i;

	if (same_name("WORTH_PAD=", variable) || same_name("WORTH_FD=", variable) ||
	    same_name("WORTH_ROUND=", variable))
		return true;
	for (i = 0; request->environment != NULL && request->environment[i] != NULL; i++)
		if (same_name(request->environment[i], variable))
			return true;
	return false;
}

static uint64_t write_padding(struct writer *writer, uint32_t bytes)
{
	static const char name[] = "WORTH_PAD=";
	char *variable = writer_take(writer, sizeof name + bytes, 1);

	if (variable == NULL)
		return 0;
	memcpy(variable, name, sizeof name - 1);
	memset(variable + sizeof name - 1, 'x', bytes);
	variable[sizeof name - 1 + bytes] = '\0';
	return (uint64_t)(variable - writer->area);
}

static uint64_t write_environment(struct writer *writer, const struct child_request *request)
{
	size_t inherited = count_strings((const char *const *)environ);
	size_t added = count_strings(request->environment);
	uint64_t *offsets =
	    writer_take(writer, (inherited + added + 4) * sizeof *offsets, sizeof *offsets);
	char report[24], round[32];
	size_t count = 0, i;

	if (offsets == NULL)
		return 0;
	for (i = 0; i < inherited; i++)
		if (!is_replaced(request, environ[i]))
			offsets[count++] = write_string(writer, environ[i]);
	for (i = 0; i < added; i++)
		offsets[count++] = write_string(writer, request->environment[i]);
	if (request->report.take != NULL) {
		snprintf(report, sizeof report, "WORTH_FD=%d", CHILD_REPORT_FD);
		offsets[count++] = write_string(writer, report);
	}
	/* Always as long as ever, or the stack would begin elsewhere in the tenth round. */
	if (request->round_number > 0) {
		snprintf(round, sizeof round, "WORTH_ROUND=%010u", request->round_number);
		offsets[count++] = write_string(writer, round);
	}
	if (request->padding_bytes > 0)
		offsets[count++] = write_padding(writer, request->padding_bytes);
	offsets[count] = 0;
	return (uint64_t)((char *)offsets - writer->area);
}

static uint8_t stdout_source(const struct child_request *request)
{
	if (request->stdout_to_stderr)
		return SPAWN_STDERR;
	if (request->output.take != NULL)
		return SPAWN_PIPE;
	return request->stdout_fd >= 0 ? SPAWN_PASSED : SPAWN_NOTHING;
}

static uint32_t strays_rule(const struct child_request *request)
{
	if (request->kind != CHILD_MEASURED)
		return SPAWN_STRAYS_IGNORE;
	return request->keep_strays ? SPAWN_STRAYS_KEEP : SPAWN_STRAYS_KILL;
}

static bool write_request(struct spawn_process *process, const struct child_request *request,
			  const char *program, struct error *err)
{
	struct spawn_request *spawn = &process->area->request;
	struct writer writer = { (char *)process->area, sizeof *process->area, false };

	assert(request->event_count <= CHILD_EVENTS_MAXIMUM);
	spawn->number = process->number + 1;
	spawn->timeout_ns = request->timeout_ns;
	spawn->cpu = request->cpu;
	spawn->stdin_source = request->stdin_fd >= 0 ? SPAWN_PASSED : SPAWN_NOTHING;
	spawn->stdout_source = stdout_source(request);
	spawn->stderr_source = request->stderr_fd >= 0 ? SPAWN_PASSED : SPAWN_PIPE;
	spawn->report_source = request->report.take != NULL ? SPAWN_PIPE : SPAWN_NOTHING;
	spawn->strays = strays_rule(request);
	spawn->event_count = (uint32_t)request->event_count;
	if (request->event_count > 0)
		memcpy(spawn->events, request->events,
		       request->event_count * sizeof *request->events);
	spawn->program = write_string(&writer, program);
	spawn->directory = write_string(&writer, request->directory);
	spawn->argv = write_argv(&writer, request->argv);
	spawn->environment = write_environment(&writer, request);
	if (writer.full)
		return error_set(err, ERROR_SYSTEM,
				 "%s: its arguments and environment are longer than the system "
				 "allows; shorten them",
				 request->argv[0]);
	return true;
}

static bool send_request(struct spawn_process *process, const struct child_request *request,
			 struct error *err)
{
	int fds[3];
	size_t count = 0;

	if (process->area->request.stdin_source == SPAWN_PASSED)
		fds[count++] = request->stdin_fd;
	if (process->area->request.stdout_source == SPAWN_PASSED)
		fds[count++] = request->stdout_fd;
	if (process->area->request.stderr_source == SPAWN_PASSED)
		fds[count++] = request->stderr_fd;
	return spawn_process_order(process, SPAWN_RUN, fds, count, err);
}

/* What is polled while a child runs: the reply, which must come first, the interrupt, the socket
 * for its end, the pipes in use, and those of other processes, where what hooks started may be
 * writing. */
enum {
	POLL_REPLY,
	POLL_INTERRUPT,
	POLL_SOCKET,
	POLL_PIPES,
	POLL_MAXIMUM = POLL_PIPES + CHILD_KINDS * 3
};

struct watch {
	struct pollfd polled[POLL_MAXIMUM];
	struct spawn_process *owners[POLL_MAXIMUM];
	int pipes[POLL_MAXIMUM]; /* index within the owner */
	size_t count;
};

static void watch_pipe(struct watch *watch, struct spawn_process *owner, int pipe)
{
	watch->owners[watch->count] = owner;
	watch->pipes[watch->count] = pipe;
	watch->polled[watch->count++] =
	    (struct pollfd){ .fd = owner->pipes[pipe], .events = POLLIN };
}

static void watch_init(struct watch *watch, struct spawner *spawner,
		       const struct child_request *request, int interrupt_fd)
{
	struct spawn_process *process = &spawner->processes[request->kind];
	size_t kind;

	watch->polled[POLL_REPLY] = (struct pollfd){ .fd = process->replies, .events = POLLIN };
	watch->polled[POLL_SOCKET] = (struct pollfd){ .fd = process->socket, .events = 0 };
	watch->polled[POLL_INTERRUPT] = (struct pollfd){ .fd = interrupt_fd, .events = POLLIN };
	watch->count = POLL_PIPES;
	if (request->output.take != NULL)
		watch_pipe(watch, process, PIPE_STDOUT);
	if (request->report.take != NULL)
		watch_pipe(watch, process, PIPE_REPORT);
	if (request->stderr_fd < 0)
		watch_pipe(watch, process, PIPE_STDERR);
	for (kind = 0; kind < CHILD_KINDS; kind++)
		if (kind != request->kind && spawner->processes[kind].pid > 0)
			watch_pipe(watch, &spawner->processes[kind], PIPE_STDERR);
}

/* Empty what has something in it. A pipe that only hangs up is not looked at again. */
static void watch_drain(struct watch *watch, const struct child_request *request)
{
	static const struct child_sink nothing = { NULL, NULL };
	const struct child_sink *const sinks[PROCESS_PIPES] = {
		[PIPE_STDOUT] = &request->output,
		[PIPE_STDERR] = &nothing,
		[PIPE_REPORT] = &request->report,
	};
	size_t i;

	for (i = POLL_PIPES; i < watch->count; i++) {
		if (watch->polled[i].revents & POLLIN)
			spawn_process_drain(watch->owners[i], watch->pipes[i],
					    sinks[watch->pipes[i]]);
		else if (watch->polled[i].revents != 0)
			watch->polled[i].fd = -1;
	}
}

static void interrupt(const struct spawn_process *process)
{
	union sigval number = { .sival_int = (int)process->number };

	sigqueue(process->pid, SPAWN_SIGNAL_INTERRUPT, number);
}

/* For poll; -1: no deadline. Rounded up, so that the deadline has passed when poll returns. */
static int milliseconds_until(int64_t deadline_ns)
{
	int64_t left_ns = deadline_ns < 0 ? -1 : deadline_ns - monotonic_ns();

	if (deadline_ns < 0)
		return -1;
	return left_ns <= 0 ? 0 : (int)(left_ns / 1000000 + 1);
}

/* Returns when the reply is there and the pipes are empty. What a child wrote is in its pipe before
 * the reply is there, and poll looks at the reply first, so that one call shows both. */
static void wait_reply(struct spawner *spawner, const struct child_request *request,
		       int interrupt_fd)
{
	struct watch watch;
	int64_t deadline_ns = -1;

	watch_init(&watch, spawner, request, interrupt_fd);
	do {
		if (poll(watch.polled, watch.count, milliseconds_until(deadline_ns)) < 0)
			continue; /* EINTR: the interrupt has its descriptor */
		if (watch.polled[POLL_INTERRUPT].revents != 0) {
			deadline_ns = monotonic_ns() + request->patience_ns;
			watch.polled[POLL_INTERRUPT].fd = -1;
		}
		if (deadline_ns >= 0 && monotonic_ns() >= deadline_ns) {
			interrupt(&spawner->processes[request->kind]);
			deadline_ns = -1;
		}
		watch_drain(&watch, request);
	} while (watch.polled[POLL_REPLY].revents == 0 && watch.polled[POLL_SOCKET].revents == 0);
}

static void read_outcome(const struct spawn_result *result, size_t event_count,
			 struct child_outcome *outcome)
{
	size_t i;

	memset(outcome, 0, sizeof *outcome);
	outcome->started_ns = result->started_ns;
	outcome->wall_ns = result->wall_ns;
	outcome->wait_status = result->wait_status;
	outcome->exec_error = result->stage == STAGE_EXEC ? result->stage_error : 0;
	outcome->timed_out = result->timed_out;
	outcome->usage = result->usage;
	outcome->run_delay_ns = result->run_delay_ns;
	outcome->stray_count = result->stray_count;
	memcpy(outcome->stray_names, result->stray_names, sizeof outcome->stray_names);
	for (i = 0; i < event_count; i++) {
		const struct spawn_event *event = &result->events[i];

		outcome->events[i] = (struct child_event_value){
			.opened = event->open_error == 0,
			.open_error = event->open_error,
			.value = event->value,
			.enabled_ns = event->enabled_ns,
			.running_ns = event->running_ns,
		};
	}
}

/* What kept the child from being what was asked for, apart from the program itself. */
static bool check_start(const struct spawn_result *result, const struct child_request *request,
			struct error *err)
{
	const char *reason = strerror(result->stage_error);

	switch (result->stage) {
	case STAGE_CLONE:
		return error_set(err, ERROR_SYSTEM, "%s: cannot start a process: %s",
				 request->argv[0], reason);
	case STAGE_CPU:
		return error_set(err, ERROR_SYSTEM,
				 "%s: cannot be pinned to processor %d: %s; choose one that is "
				 "online and allowed (nproc, taskset -p $$)",
				 request->argv[0], request->cpu, reason);
	case STAGE_DIRECTORY:
		return error_set(err, ERROR_SYSTEM, "%s: cannot change to the directory %s: %s",
				 request->argv[0], request->directory, reason);
	default:
		return true;
	}
}

static bool finish(struct spawn_process *process, const struct child_request *request,
		   struct child_outcome *outcome, struct error *err)
{
	const struct spawn_result *result = &process->area->result;
	struct spawn_message message;

	if (!spawn_process_reply(process, &message, err))
		return false;
	read_outcome(result, request->event_count, outcome);
	if (result->stray_count > 0 && request->keep_strays)
		process->pipes_shared = true;
	if (message.unkillable > 0)
		return error_set(err, ERROR_SYSTEM,
				 "%s: %u of its processes did not end within 10 s of SIGKILL; see "
				 "ps -o pid,stat,wchan,comm for what they wait for",
				 request->argv[0], message.unkillable);
	if (result->interrupted)
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	return check_start(result, request, err);
}

static bool process_ready(struct spawner *spawner, enum child_kind kind, struct error *err)
{
	struct spawn_process *process = &spawner->processes[kind];

	if (process->pid == 0 && !spawn_process_start(process, spawner->image_fd, err))
		return error_prefix(err, "starting the process that runs the hooks");
	if (process->pipes_shared && !spawn_process_renew_pipes(process, err))
		return false;
	process->tail_length = 0;
	return true;
}

static bool run_program(struct spawner *spawner, const struct child_request *request,
			const char *program, int interrupt_fd, struct child_outcome *outcome,
			struct error *err)
{
	struct spawn_process *process = &spawner->processes[request->kind];

	if (!write_request(process, request, program, err) || !send_request(process, request, err))
		return false;
	wait_reply(spawner, request, interrupt_fd);
	return finish(process, request, outcome, err);
}

bool child_run(struct spawner *spawner, const struct child_request *request, int interrupt_fd,
	       struct child_outcome *outcome, struct error *err)
{
	struct arena *arena;
	char *program;
	bool done;

	memset(outcome, 0, sizeof *outcome);
	if (!process_ready(spawner, request->kind, err))
		return false;
	if (request->program != NULL)
		return run_program(spawner, request, request->program, interrupt_fd, outcome, err);
	arena = arena_open();
	done = file_find_program(arena, request->argv[0], request->directory, &program, err) &&
	       run_program(spawner, request, program, interrupt_fd, outcome, err);
	arena_close(arena);
	return done;
}

bool child_end_hooks(struct spawner *spawner, enum child_kind kind, struct error *err)
{
	struct spawn_process *process = &spawner->processes[kind];
	struct spawn_message message;

	if (process->pid == 0)
		return true;
	if (!spawn_process_order(process, SPAWN_KILL, NULL, 0, err) ||
	    !spawn_process_reply(process, &message, err))
		return false;
	if (message.unkillable > 0)
		return error_set(err, ERROR_SYSTEM,
				 "%u processes that a hook left running did not end within 10 s "
				 "of SIGKILL",
				 message.unkillable);
	return true;
}

const char *child_stderr_tail(const struct spawner *spawner, enum child_kind kind, size_t *length)
{
	const struct spawn_process *process = &spawner->processes[kind];
	size_t extra =
	    process->tail_length > CHILD_TAIL_BYTES ? process->tail_length - CHILD_TAIL_BYTES : 0;

	*length = process->tail_length - extra;
	return process->tail + extra;
}
