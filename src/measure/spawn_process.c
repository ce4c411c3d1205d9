/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worth's end of a spawning process: starting it, talking to it, reading its pipes. */
#include "measure/spawn_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	CHUNK_BYTES = 64 << 10,
	CHUNKS_MAXIMUM = 64,	     /* in one go: more than a pipe holds */
	STDOUT_PIPE_BYTES = 1 << 20, /* fewer wake-ups while a child writes much */
};

/* Between vfork and exec, in the child: only calls that are safe there. */
static _Noreturn void exec_image(int image_fd, const int *given, char *const *argv,
				 volatile int *exec_error)
{
	static char *const environment[] = { NULL };
	sigset_t all;
	int i;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL); /* survives exec: no signal ends it early */
	for (i = SPAWN_SOCKET; i <= SPAWN_REPLIES; i++)
		fcntl(given[i], F_SETFD, 0);
	syscall(SYS_execveat, image_fd, "", argv, environment, 0x1000 /* AT_EMPTY_PATH */);
	*exec_error = errno;
	_exit(127);
}

/* A descriptor above those that children get, so that it never is one of 0 to 2. */
static int above_standard(int fd)
{
	int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 10);

	if (fd >= 0)
		close(fd);
	return moved;
}

/* given: by spawn_argument; the pid is filled in here. */
static bool start_image(struct spawn_process *process, int image_fd, int *given, struct error *err)
{
	char numbers[SPAWN_ARGUMENTS][16] = { "worth-spawn" };
	char *argv[SPAWN_ARGUMENTS + 1] = { numbers[0] };
	volatile int exec_error = 0;
	pid_t pid;
	int i;

	given[SPAWN_WORTH] = (int)getpid();
	for (i = 1; i < SPAWN_ARGUMENTS; i++) {
		snprintf(numbers[i], sizeof numbers[i], "%d", given[i]);
		argv[i] = numbers[i];
	}
	pid = vfork();
	if (pid == 0)
		exec_image(image_fd, given, argv, &exec_error);
	if (pid < 0)
		return error_set(err, ERROR_SYSTEM, "cannot start a process: %s", strerror(errno));
	if (exec_error != 0) {
		waitpid(pid, NULL, 0);
		return error_set(err, ERROR_SYSTEM,
				 "cannot execute worth's own helper from memory: %s; if the sysctl "
				 "vm.memfd_noexec is set, it must be below 2",
				 strerror(exec_error));
	}
	process->pid = pid;
	return true;
}

/* Whether a call that gives a descriptor did, and the descriptor above those that children get. */
static bool make(int fd, int *made)
{
	*made = above_standard(fd);
	return *made >= 0;
}

/* The socket pair, the area and the eventfds; the other end's numbers in given. */
static bool make_channel(struct spawn_process *process, int *given, struct error *err)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a socket: %s", strerror(errno));
	process->socket = above_standard(pair[0]);
	given[SPAWN_SOCKET] = above_standard(pair[1]);
	if (process->socket < 0 || given[SPAWN_SOCKET] < 0 ||
	    !make(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), &process->orders) ||
	    !make(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), &process->replies) ||
	    !make(memfd_create("worth-area", MFD_CLOEXEC), &given[SPAWN_AREA]) ||
	    ftruncate(given[SPAWN_AREA], SPAWN_AREA_BYTES) != 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a channel: %s", strerror(errno));
	given[SPAWN_ORDERS] = process->orders;
	given[SPAWN_REPLIES] = process->replies;
	process->area =
	    mmap(NULL, SPAWN_AREA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, given[SPAWN_AREA], 0);
	if (process->area == MAP_FAILED) {
		process->area = NULL;
		return error_set(err, ERROR_SYSTEM, "cannot map memory: %s", strerror(errno));
	}
	return true;
}

static void close_all(const int *fds, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

bool spawn_process_start(struct spawn_process *process, int image_fd, struct error *err)
{
	int given[SPAWN_ARGUMENTS] = { [SPAWN_SOCKET] = -1, [SPAWN_AREA] = -1 };
	struct spawn_message hello;
	bool done;
	size_t i;

	memset(process, 0, sizeof *process);
	process->socket = process->orders = process->replies = -1;
	for (i = 0; i < PROCESS_PIPES; i++)
		process->pipes[i] = -1;
	done = make_channel(process, given, err) && start_image(process, image_fd, given, err);
	close_all(given + SPAWN_SOCKET, 1);
	close_all(given + SPAWN_AREA, 1);
	if (done && spawn_process_reply(process, &hello, err) &&
	    spawn_process_renew_pipes(process, err))
		return true;
	spawn_process_stop(process);
	return false;
}

void spawn_process_stop(struct spawn_process *process)
{
	if (process->area == NULL && process->pid == 0)
		return;
	close_all(&process->socket, 1); /* the end of its socket is its end */
	close_all(&process->orders, 1);
	close_all(&process->replies, 1);
	if (process->pid > 0)
		while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	close_all(process->pipes, PROCESS_PIPES);
	if (process->area != NULL)
		munmap(process->area, SPAWN_AREA_BYTES);
	memset(process, 0, sizeof *process);
}

bool spawn_process_renew_pipes(struct spawn_process *process, struct error *err)
{
	struct spawn_message message;
	int writers[PROCESS_PIPES] = { -1, -1, -1 };
	bool done = true;
	size_t i;

	close_all(process->pipes, PROCESS_PIPES);
	for (i = 0; i < PROCESS_PIPES; i++) {
		int pair[2] = { -1, -1 };

		if (pipe2(pair, O_CLOEXEC) != 0)
			done =
			    error_set(err, ERROR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
		process->pipes[i] = above_standard(pair[0]);
		writers[i] = pair[1];
	}
	if (done) {
		fcntl(writers[PIPE_STDOUT], F_SETPIPE_SZ, STDOUT_PIPE_BYTES); /* if it may */
		for (i = 0; i < PROCESS_PIPES; i++)
			fcntl(process->pipes[i], F_SETFL, O_NONBLOCK);
		done = spawn_process_order(process, SPAWN_PIPES, writers, PROCESS_PIPES, err) &&
		       spawn_process_reply(process, &message, err);
	}
	close_all(writers, PROCESS_PIPES);
	process->pipes_shared = false;
	return done;
}

/* The helper ended although nobody told it to. What it ran last is ended as far as it can be. */
static bool helper_died(struct spawn_process *process, struct error *err)
{
	pid_t pid = process->area != NULL ? process->area->result.pid : 0;

	if (pid > 0)
		kill(-pid, SIGKILL);
	return error_set(err, ERROR_SYSTEM,
			 "worth's helper process, which starts the commands, ended unexpectedly; "
			 "was it killed?");
}

static bool send_message(struct spawn_process *process, const struct spawn_message *message,
			 const int *fds, size_t count, struct error *err)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(PROCESS_PIPES * sizeof(int))];
	} control = { .bytes = { 0 } };
	struct iovec content = { (void *)message, sizeof *message };
	struct msghdr envelope = { .msg_iov = &content, .msg_iovlen = 1 };

	if (count > 0) {
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(count * sizeof *fds);
		memcpy(CMSG_DATA(&control.header), fds, count * sizeof *fds);
		envelope.msg_control = &control;
		envelope.msg_controllen = CMSG_SPACE(count * sizeof *fds);
	}
	while (sendmsg(process->socket, &envelope, MSG_NOSIGNAL) < 0) {
		if (errno == EINTR)
			continue;
		if (errno == EBADF)
			return error_set(err, ERROR_SYSTEM,
					 "cannot give a descriptor to a command: %s",
					 strerror(errno));
		return helper_died(process, err);
	}
	return true;
}

/* Wakes it for the bell. */
static bool call(struct spawn_process *process, struct error *err)
{
	uint64_t one = 1;

	return write(process->orders, &one, sizeof one) == (ssize_t)sizeof one ||
	       helper_died(process, err);
}

bool spawn_process_order(struct spawn_process *process, enum spawn_order order, const int *fds,
			 size_t count, struct error *err)
{
	struct spawn_message message = { .number = process->number + 1, .order = order };
	bool by_message = order != SPAWN_RUN || count > 0;

	if (by_message && !send_message(process, &message, fds, count, err))
		return false;
	process->number++;
	process->area->by_message = by_message;
	process->area->worth_cpu = sched_getcpu();
	atomic_store(&process->area->bell, message.number);
	return by_message || !atomic_load(&process->area->asleep) || call(process, err);
}

/* Until there is a reply; false: it ended instead. */
static bool await_reply(const struct spawn_process *process)
{
	struct pollfd polled[] = { { .fd = process->replies, .events = POLLIN },
				   { .fd = process->socket, .events = 0 } };

	while (poll(polled, 2, -1) < 0 && errno == EINTR)
		continue;
	return polled[0].revents != 0;
}

bool spawn_process_reply(struct spawn_process *process, struct spawn_message *message,
			 struct error *err)
{
	uint64_t count;

	while (read(process->replies, &count, sizeof count) < 0)
		if (errno != EAGAIN || !await_reply(process))
			return helper_died(process, err);
	*message = process->area->reply;
	return message->number == process->number || helper_died(process, err);
}

/* The tail's buffer is twice its size, so that bytes move only once per 4 KiB. */
static void tail_add(struct spawn_process *process, const char *bytes, size_t length)
{
	if (length >= CHILD_TAIL_BYTES) {
		memcpy(process->tail, bytes + length - CHILD_TAIL_BYTES, CHILD_TAIL_BYTES);
		process->tail_length = CHILD_TAIL_BYTES;
		return;
	}
	if (process->tail_length + length > sizeof process->tail) {
		memmove(process->tail, process->tail + process->tail_length - CHILD_TAIL_BYTES,
			CHILD_TAIL_BYTES);
		process->tail_length = CHILD_TAIL_BYTES;
	}
	memcpy(process->tail + process->tail_length, bytes, length);
	process->tail_length += length;
}

void spawn_process_drain(struct spawn_process *process, int pipe, const struct child_sink *sink)
{
	char chunk[CHUNK_BYTES];
	int chunks;

	for (chunks = 0; chunks < CHUNKS_MAXIMUM; chunks++) {
		ssize_t length = read(process->pipes[pipe], chunk, sizeof chunk);

		if (length <= 0)
			return;
		if (pipe == PIPE_STDERR)
			tail_add(process, chunk, (size_t)length);
		else if (sink->take != NULL)
			sink->take(sink->context, chunk, (size_t)length);
	}
}
