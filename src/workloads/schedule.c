/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of senders and receivers: the load of hackbench (rt-tests 2.4, and
 * perf bench sched messaging). In each group every sender sends to every
 * receiver, so many tasks are ready and wake each other. hackbench's one
 * figure contains the start of all tasks; here they live through all batches.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "workloads/placement.h"
#include "workloads/tasks.h"
#include "workloads/team.h"
#include "workloads/timing.h"
#include "workloads/workload.h"

enum { GROUPS_MAXIMUM = 200, PAIRS_MAXIMUM = 100, BYTES_MAXIMUM = 4096 };

struct schedule_settings {
	struct work_settings work;
	uint64_t groups, pairs, bytes;
	bool threads, pipes;
};

/* One receiver's line. */
struct mailbox {
	int in, out;
};

/* In shared memory. */
struct crowd {
	size_t groups, pairs, message_bytes;
	size_t bytes;
	_Atomic uint64_t sent, received; /* checksums of all messages */
	struct mailbox boxes[];
};

/* How often each sender sends to each receiver in this batch. */
static uint64_t loops_of(const struct crowd *crowd, const struct team *team)
{
	return team_operations(team) / (crowd->groups * crowd->pairs * crowd->pairs);
}

static bool send_all(struct crowd *crowd, const struct mailbox *boxes, uint64_t loops,
		     unsigned char mark, struct error *err)
{
	unsigned char message[BYTES_MAXIMUM];
	uint64_t i;
	size_t k;

	memset(message, mark, crowd->message_bytes);
	for (i = 0; i < loops; i++)
		for (k = 0; k < crowd->pairs; k++) {
			ssize_t wrote = write(boxes[k].out, message, crowd->message_bytes);

			if (wrote != (ssize_t)crowd->message_bytes)
				return error_set(err, ERROR_SYSTEM, "sending a message: %s",
						 wrote < 0 ? strerror(errno) : "it was cut");
		}
	atomic_fetch_add(&crowd->sent, loops * crowd->pairs * mark);
	return true;
}

/* A stream may give less than a message. */
static bool receive_one(int fd, unsigned char *message, size_t bytes, struct error *err)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t got = read(fd, message + done, bytes - done);

		if (got <= 0)
			return error_set(err, ERROR_SYSTEM, "receiving a message: %s",
					 got < 0 ? strerror(errno) : "the senders are gone");
		done += (size_t)got;
	}
	return true;
}

static bool receive_all(struct crowd *crowd, int fd, uint64_t messages, struct error *err)
{
	unsigned char message[BYTES_MAXIMUM];
	uint64_t sum = 0, i;

	for (i = 0; i < messages; i++) {
		if (!receive_one(fd, message, crowd->message_bytes, err))
			return false;
		sum += message[0];
	}
	atomic_fetch_add(&crowd->received, sum);
	return true;
}

/* Of every group first the receivers, then the senders. */
static bool member(struct team *team, size_t index, void *context, struct error *err)
{
	struct crowd *crowd = context;
	size_t group = index / (2 * crowd->pairs), place = index % (2 * crowd->pairs);
	const struct mailbox *boxes = &crowd->boxes[group * crowd->pairs];
	uint64_t loops = loops_of(crowd, team);

	if (place < crowd->pairs)
		return receive_all(crowd, boxes[place].in, loops * crowd->pairs, err);
	return send_all(crowd, boxes, loops, (unsigned char)(index % 251 + 1), err);
}

static bool open_boxes(struct crowd *crowd, bool pipes, struct error *err)
{
	size_t count = crowd->groups * crowd->pairs, i;

	for (i = 0; i < count; i++) {
		int ends[2];
		int trouble = pipes ? pipe2(ends, O_CLOEXEC)
				    : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);

		if (trouble < 0)
			return error_set(err, ERROR_SYSTEM,
					 "cannot make %s %zu of %zu: %s; allow more open files "
					 "(ulimit -n) or ask for fewer --groups",
					 pipes ? "pipe" : "socketpair", i + 1, count,
					 strerror(errno));
		crowd->boxes[i] = (struct mailbox){ .in = ends[0], .out = ends[1] };
	}
	return true;
}

static bool measure(struct work *work, struct crowd *crowd, struct team *team, struct error *err)
{
	struct timing timing = { .name = "message",
				 .multiple = crowd->groups * crowd->pairs * crowd->pairs };

	if (!timing_run_team(work, &timing, team, err))
		return false;
	return crowd->sent == crowd->received ||
	       error_set(err, ERROR_SYSTEM, "what was received is not what was sent");
}

static bool run_crowd(struct work *work, const struct schedule_settings *settings,
		      struct crowd *crowd, struct error *err)
{
	struct team_plan plan = { .count = 2 * settings->groups * settings->pairs,
				  .threads = settings->threads,
				  .function = member,
				  .context = crowd,
				  .share = TEAM_WHOLE };
	struct team *team;
	bool ok;

	if (!open_boxes(crowd, settings->pipes, err))
		return false;
	team = team_start(&plan, err);
	if (team == NULL)
		return false;
	ok = measure(work, crowd, team, err);
	return team_end(team, ok ? err : NULL) && ok;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct schedule_settings *settings = pointer;
	size_t bytes =
	    sizeof(struct crowd) + settings->groups * settings->pairs * sizeof(struct mailbox);
	struct crowd *crowd = tasks_share(bytes, err);
	int cpus[PLACEMENT_CPUS];
	bool ok;

	if (crowd == NULL)
		return false;
	crowd->bytes = bytes;
	crowd->groups = settings->groups;
	crowd->pairs = settings->pairs;
	crowd->message_bytes = settings->bytes;
	report_remark(work->report,
		      "%llu groups of %llu senders and %llu receivers, %s, over %s; placement "
		      "free on %zu CPUs",
		      (unsigned long long)settings->groups, (unsigned long long)settings->pairs,
		      (unsigned long long)settings->pairs,
		      settings->threads ? "threads" : "processes",
		      settings->pipes ? "pipes" : "socketpairs", placement_allowed(cpus));
	ok = run_crowd(work, settings, crowd, err);
	tasks_unshare(crowd, bytes);
	return ok;
}

static const struct schedule_settings defaults = { .groups = 2, .pairs = 20, .bytes = 100 };

static const struct option options[] = {
	{ .kind = OPTION_COUNT,
	  .name = "groups",
	  .value = "G",
	  .help = "groups (2)",
	  .offset = offsetof(struct schedule_settings, groups),
	  .minimum = 1,
	  .maximum = GROUPS_MAXIMUM },
	{ .kind = OPTION_COUNT,
	  .name = "pairs",
	  .value = "P",
	  .help = "senders, and as many receivers, of a group (20)",
	  .offset = offsetof(struct schedule_settings, pairs),
	  .minimum = 1,
	  .maximum = PAIRS_MAXIMUM },
	{ .kind = OPTION_COUNT,
	  .name = "bytes",
	  .value = "B",
	  .help = "length of a message (100)",
	  .offset = offsetof(struct schedule_settings, bytes),
	  .minimum = 1,
	  .maximum = BYTES_MAXIMUM },
	{ OPTION_FLAG, "threads", 0, NULL, "threads of one process instead of processes",
	  offsetof(struct schedule_settings, threads) },
	{ OPTION_FLAG, "pipes", 0, NULL, "over pipes instead of socketpairs",
	  offsetof(struct schedule_settings, pipes) },
	WORK_OPTIONS(struct schedule_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_schedule = {
	.name = "schedule",
	.summary = "groups of senders and receivers, as in hackbench",
	.operation = "one message sent and received",
	.exercises = "the scheduler with many ready tasks: wake-ups, load balancing, run queues; "
		     "and the socket's or pipe's locks",
	.verified = "the sum over all messages received is that over those sent",
	.examples = "# Threads against processes\n"
		    "$ worth workload:schedule 'workload:schedule --threads'\n",
	.options = options,
	.settings_size = sizeof(struct schedule_settings),
	.defaults = &defaults,
	.operations = 900000,
	.batch_ns = 300000000, /* to wake all tasks, and await them, takes 100 us with 80 of them */
	.run = run,
};
