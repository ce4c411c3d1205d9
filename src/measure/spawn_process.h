/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_SPAWN_PROCESS_H
#define MEASURE_SPAWN_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "measure/child.h"
#include "measure/spawn/area.h"

enum { PROCESS_PIPES = 3, PIPE_STDOUT = 0, PIPE_STDERR = 1, PIPE_REPORT = 2 };

/* worth's end of one spawning process. Zeroed: not started. */
struct spawn_process {
	pid_t pid; /* 0: not started */
	int socket;
	int orders, replies; /* eventfds */
	struct spawn_area *area;
	int pipes[PROCESS_PIPES]; /* reading ends, non-blocking */
	bool pipes_shared;	  /* processes that were kept may still write to them */
	uint64_t number;	  /* of the latest order */
	char tail[2 * CHILD_TAIL_BYTES];
	size_t tail_length;
};

/* What child.c and spawner.c share: one process for each kind of child, started when it is needed.
 */
struct spawner {
	int image_fd; /* the program, in memory */
	struct spawn_process processes[CHILD_KINDS];
};

bool spawn_process_start(struct spawn_process *process, int image_fd, struct error *err);
void spawn_process_stop(struct spawn_process *process); /* zeroed is accepted */

/* New pipes, whose writing ends it gets. */
bool spawn_process_renew_pipes(struct spawn_process *process, struct error *err);

/* Give an order, with count descriptors; and take the reply, for which it waits. */
bool spawn_process_order(struct spawn_process *process, enum spawn_order order, const int *fds,
			 size_t count, struct error *err);
bool spawn_process_reply(struct spawn_process *process, struct spawn_message *message,
			 struct error *err);

/* Read what a pipe holds, without waiting: stderr into the tail, another to its sink. At most a few
 * MiB, more than a pipe holds, so that a writer who never stops is no trap. */
void spawn_process_drain(struct spawn_process *process, int pipe, const struct child_sink *sink);

#endif
