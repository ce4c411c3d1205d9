/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking orders from worth: by the bell while awake, by message while asleep. See area.h. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure/spawn/spawn.h"

/* What hooks left running may lose children for hours; they are reaped as they come. True: by a
 * message or worth's end, false: by the orders' eventfd alone. */
static bool sleep_until_called(const struct spawn *spawn)
{
	struct pollfd polled[] = { { .fd = spawn->socket, .events = POLLIN },
				   { .fd = spawn->orders, .events = POLLIN } };
	sigset_t deaf = spawn->signals;
	uint64_t count;

	sigdelset(&deaf, SIGCHLD);
	while (ppoll(polled, 2, NULL, &deaf) < 0 && errno == EINTR)
		strays_exist();
	if (polled[1].revents & POLLIN && read(spawn->orders, &count, sizeof count) < 0)
		return true;
	return polled[0].revents != 0;
}

/* The next message; false at the end. */
static bool receive(struct spawn *spawn, struct spawn_message *message, int *fds)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(SPAWN_PASSED_COUNT * sizeof(int))];
	} control;
	struct iovec content = { message, sizeof *message };
	struct msghdr envelope = {
		.msg_iov = &content,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control,
	};
	struct cmsghdr *header;
	ssize_t length;

	length = recvmsg(spawn->socket, &envelope, MSG_CMSG_CLOEXEC);
	if (length != (ssize_t)sizeof *message)
		return false;
	header = CMSG_FIRSTHDR(&envelope);
	if (header != NULL && header->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
	return true;
}

static bool is_ringing(const struct spawn *spawn)
{
	return atomic_load(&spawn->area->bell) > spawn->done;
}

/* Look at the bell for a moment, but not on the processor that worth needs to ring it. Yielding
 * instead would hand the processor to whoever else wants it, for milliseconds. */
static void listen_awake(const struct spawn *spawn)
{
	int64_t limit_ns = spawn_now_ns() + SPAWN_LISTEN_NS;

	while (!is_ringing(spawn) && sched_getcpu() != spawn->area->worth_cpu &&
	       spawn_now_ns() < limit_ns)
		continue;
}

/* The order that the bell rang for, if it does not come by message. */
static bool take_bell(struct spawn *spawn, struct spawn_message *message)
{
	if (!is_ringing(spawn) || spawn->area->by_message)
		return false;
	message->number = atomic_load(&spawn->area->bell);
	message->order = SPAWN_RUN;
	return true;
}

/* The next order from sleep. A call may be left over from a bell that was heard. */
static bool sleep_until_order(struct spawn *spawn, struct spawn_message *message, int *fds)
{
	/* Either this sees the bell, or worth sees that nobody hears it. */
	while (!take_bell(spawn, message)) {
		if (!sleep_until_called(spawn))
			continue;
		if (!receive(spawn, message, fds))
			return false;
		if (message->number > spawn->done)
			return true;
	}
	return true;
}

bool orders_next(struct spawn *spawn, struct spawn_message *message, int *fds)
{
	size_t i;

	for (i = 0; i < SPAWN_PASSED_COUNT; i++)
		fds[i] = -1;
	listen_awake(spawn);
	if (!take_bell(spawn, message)) {
		atomic_store(&spawn->area->asleep, 1);
		if (!sleep_until_order(spawn, message, fds))
			return false;
		atomic_store(&spawn->area->asleep, 0);
	}
	spawn->done = message->number;
	message->unkillable = 0;
	return true;
}

void orders_reply(struct spawn *spawn, const struct spawn_message *message)
{
	uint64_t one = 1;

	spawn->area->reply = *message;
	if (write(spawn->replies, &one, sizeof one) < 0) {
		strays_kill(spawn);
		_exit(0);
	}
}
