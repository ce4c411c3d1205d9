/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Round trips of one byte between two tasks that wait for each other: the loop
 * of lmbench's lat_pipe and of perf bench sched pipe, with threads as well as
 * processes, other carriers than a pipe, and the CPUs chosen. Two threads do
 * without the switch of the address space, so that changes to the pipe and to
 * wake-ups are a larger share of what is measured.
 *
 *	this task                partner
 *	write(there, n)    -->   read(there)
 *	read(back)         <--   write(back, n + 1)
 *
 * The first round trip is not timed: both run when the clock starts.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "workloads/futex.h"
#include "workloads/placement.h"
#include "workloads/tasks.h"
#include "workloads/timing.h"
#include "workloads/workload.h"
#include "workloads/limits.h"

enum token { TOKEN_PIPE, TOKEN_EVENTFD, TOKEN_SOCKETPAIR, TOKEN_FUTEX };

static const char *const token_names[] = { "pipe", "eventfd", "socketpair", "futex", NULL };

struct pipe_settings {
	struct work_settings work;
	bool threads;
	int token;
	int placement;
};

/* How the token travels, and what both tasks know; in shared memory. */
struct line {
	enum token token;
	int there[2]; /* for reading, for writing */
	int back[2];
	size_t size;	  /* of what is written: eventfd wants 8 bytes */
	uint64_t step;	  /* what the partner adds: eventfd cannot carry 0, so there it is none */
	int futex_flags;  /* FUTEX_PRIVATE_FLAG between threads */
	bool close_ends;  /* of the other side: processes have their own table */
	atomic_bool quit; /* set before the last token */
	_Atomic uint32_t turn;	/* futex: 0 is this task's, 1 the partner's */
	uint64_t echoed;	/* by the partner; read when it has ended */
	struct rusage usage[2]; /* of the partner: when it began, when it ended */
};

static bool broken(const char *what, ssize_t got, struct error *err)
{
	return error_set(err, ERROR_SYSTEM, "%s a token: %s", what,
			 got < 0    ? limits_reason()
			 : got == 0 ? "the other task is gone"
				    : "it was cut short");
}

static bool send_token(int fd, uint64_t value, size_t size, struct error *err)
{
	ssize_t wrote = write(fd, &value, size);

	return wrote == (ssize_t)size || broken("sending", wrote, err);
}

static bool take_token(int fd, uint64_t *value, size_t size, struct error *err)
{
	ssize_t got;

	*value = 0;
	got = read(fd, value, size);
	return got == (ssize_t)size || broken("receiving", got, err);
}

/* The next value of the token; one byte travels, or always 1 by eventfd. */
static uint64_t token_value(const struct line *line, uint64_t operation)
{
	return line->step == 0 ? 1 : operation & 0x7f;
}

static void futex_pass(struct line *line, uint32_t to)
{
	atomic_store(&line->turn, to);
	futex_wake(&line->turn, FUTEX_ONE, line->futex_flags);
}

static void futex_await(struct line *line, uint32_t mine)
{
	while (atomic_load(&line->turn) != mine)
		futex_sleep(&line->turn, mine ^ 1, line->futex_flags);
}

/* The partner's loops. */
static bool echo_by_futex(struct line *line)
{
	for (;;) {
		futex_await(line, 1);
		if (atomic_load_explicit(&line->quit, memory_order_relaxed))
			return true;
		line->echoed++;
		futex_pass(line, 0);
	}
}

static bool echo_by_fd(struct line *line, struct error *err)
{
	uint64_t value;

	for (;;) {
		if (!take_token(line->there[0], &value, line->size, err))
			return false;
		if (atomic_load_explicit(&line->quit, memory_order_relaxed))
			return true;
		line->echoed++;
		if (!send_token(line->back[1], value + line->step, line->size, err))
			return false;
	}
}

static bool partner(void *context, struct error *err)
{
	struct line *line = context;
	bool ok;

	if (line->close_ends && line->there[1] != line->there[0]) {
		close(line->there[1]);
		close(line->back[0]);
	}
	getrusage(RUSAGE_THREAD, &line->usage[0]);
	ok = line->token == TOKEN_FUTEX ? echo_by_futex(line) : echo_by_fd(line, err);
	getrusage(RUSAGE_THREAD, &line->usage[1]);
	return ok;
}

/* This task's loops. */
static bool trips_by_futex(struct line *line, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		futex_pass(line, 1);
		futex_await(line, 0);
	}
	return true;
}

static bool trips_by_fd(struct line *line, uint64_t count, struct error *err)
{
	uint64_t value, i;

	for (i = 0; i < count; i++) {
		if (!send_token(line->there[1], token_value(line, i), line->size, err) ||
		    !take_token(line->back[0], &value, line->size, err))
			return false;
		if (value != token_value(line, i) + line->step)
			return error_set(err, ERROR_SYSTEM,
					 "the token came back as %llu and not as %llu: the kernel "
					 "lost or changed a byte",
					 (unsigned long long)value,
					 (unsigned long long)(token_value(line, i) + line->step));
	}
	return true;
}

static bool trips(void *context, uint64_t count, struct error *err)
{
	struct line *line = context;

	return line->token == TOKEN_FUTEX ? trips_by_futex(line, count)
					  : trips_by_fd(line, count, err);
}

static bool line_open(struct line *line, const struct pipe_settings *settings, struct error *err)
{
	bool ok = true;

	line->token = (enum token)settings->token;
	line->close_ends = !settings->threads;
	line->futex_flags = settings->threads ? FUTEX_PRIVATE_FLAG : 0;
	line->size = line->token == TOKEN_EVENTFD ? sizeof(uint64_t) : 1;
	line->step = line->token == TOKEN_EVENTFD ? 0 : 1;
	if (line->token == TOKEN_PIPE)
		ok = pipe2(line->there, O_CLOEXEC) == 0 && pipe2(line->back, O_CLOEXEC) == 0;
	if (line->token == TOKEN_EVENTFD) {
		line->there[0] = line->there[1] = eventfd(0, EFD_CLOEXEC);
		line->back[0] = line->back[1] = eventfd(0, EFD_CLOEXEC);
		ok = line->there[0] >= 0 && line->back[0] >= 0;
	}
	if (line->token == TOKEN_SOCKETPAIR) {
		ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line->there) == 0 &&
		     socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line->back) == 0;
	}
	return ok || error_set(err, ERROR_SYSTEM, "cannot make the %s: %s",
			       token_names[line->token], limits_reason());
}

/* What was timed, in numbers of the kernel. */
struct switches {
	double voluntary; /* of both tasks, a round trip */
	double all;
};

static long switches_of(const struct rusage *from, const struct rusage *to, bool all)
{
	return to->ru_nvcsw - from->ru_nvcsw + (all ? to->ru_nivcsw - from->ru_nivcsw : 0);
}

/*
 * On one CPU a task must leave it for the other to answer: two switches a round
 * trip, of whatever kind. Fewer are possible only where the tasks were not where
 * they should have been. Half of them can be involuntary, where the one that is
 * woken takes the CPU at once. On two CPUs an answer may come before the wait.
 */
static bool check_switches(const struct work *work, const struct switches *switches,
			   enum placement placement, struct error *err)
{
	report_remark(work->report, "%.2f switches a round trip, %.2f of them voluntary",
		      switches->all, switches->voluntary);
	if (placement == PLACEMENT_ONE && switches->all < 1.95)
		return error_set(err, ERROR_SYSTEM,
				 "only %.2f switches a round trip on one CPU, where 2 are the "
				 "least: the tasks were not on one CPU, or this kernel does not "
				 "count them",
				 switches->all);
	return true;
}

/* Lets the partner go, also after an error. */
static bool finish(struct line *line, struct task *task, struct error *err)
{
	atomic_store(&line->quit, true);
	if (line->token == TOKEN_FUTEX)
		futex_pass(line, 1);
	else if (!send_token(line->there[1], 1, line->size, err))
		return false;
	return task_join(task, err);
}

static bool measure(struct work *work, const struct pipe_settings *settings, struct line *line,
		    struct task *task, struct error *err)
{
	struct rusage usage[2];
	struct switches switches;
	struct timing timing = { .name = "round-trip", .act = trips, .context = line };
	bool ok;

	if (!task_start(task, err))
		return false;
	if (!trips(line, 1, err))
		return false;
	getrusage(RUSAGE_THREAD, &usage[0]);
	ok = timing_run(work, &timing, err);
	getrusage(RUSAGE_THREAD, &usage[1]);
	if (!ok || !finish(line, task, err))
		return false;
	if (line->echoed != timing.done + 1)
		return error_set(
		    err, ERROR_SYSTEM, "%llu round trips were made and %llu tokens echoed",
		    (unsigned long long)timing.done + 1, (unsigned long long)line->echoed);
	switches.voluntary = (double)(switches_of(&usage[0], &usage[1], false) +
				      switches_of(&line->usage[0], &line->usage[1], false)) /
			     (double)timing.done;
	switches.all = (double)(switches_of(&usage[0], &usage[1], true) +
				switches_of(&line->usage[0], &line->usage[1], true)) /
		       (double)timing.done;
	return check_switches(work, &switches, (enum placement)settings->placement, err);
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct pipe_settings *settings = pointer;
	struct shared {
		struct line line;
		struct task task;
	} * shared;
	char label[128];
	int cpus[2];
	bool ok;

	if (!placement_pair((enum placement)settings->placement, cpus, label, sizeof label, err) ||
	    !placement_enter(cpus[0], err))
		return false;
	shared = tasks_share(sizeof *shared, err);
	if (shared == NULL)
		return false;
	shared->task = (struct task){
		.thread = settings->threads,
		.cpu = cpus[1],
		.function = partner,
		.context = &shared->line,
	};
	report_remark(work->report, "two %s, token over %s; placement %s",
		      settings->threads ? "threads" : "processes", token_names[settings->token],
		      label);
	ok = line_open(&shared->line, settings, err) &&
	     measure(work, settings, &shared->line, &shared->task, err);
	tasks_unshare(shared, sizeof *shared);
	return ok;
}

static const struct pipe_settings defaults = { .placement = PLACEMENT_ONE };

static const struct option options[] = {
	{ OPTION_FLAG, "threads", 0, NULL,
	  "two threads instead of two processes: no switch of the address space",
	  offsetof(struct pipe_settings, threads) },
	{ .kind = OPTION_CHOICE,
	  .name = "token",
	  .value = "CARRIER",
	  .help = "what carries the byte",
	  .offset = offsetof(struct pipe_settings, token),
	  .choices = token_names },
	{ .kind = OPTION_CHOICE,
	  .name = "placement",
	  .value = "WHERE",
	  .help = "both tasks pinned to one CPU (the default), each to its own, or neither",
	  .offset = offsetof(struct pipe_settings, placement),
	  .choices = placement_names },
	WORK_OPTIONS(struct pipe_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_pipe_latency = {
	.name = "pipe-latency",
	.summary = "round trips of one byte between two tasks",
	.operation = "one round trip: two writes, two reads, two sleeps and wake-ups",
	.exercises = "the scheduler's wake-up path, the switch of tasks and of address spaces, "
		     "and the pipe's (eventfd's, socket's) locking",
	.verified = "every byte comes back with the value it must have, the partner counted as "
		    "many as were sent, and on one CPU there were two switches a round trip",
	.needs = "two CPUs for --placement two-cpus",
	.examples = "# What the switch of the address space costs\n"
		    "$ worth workload:pipe-latency 'workload:pipe-latency --threads'\n",
	.options = options,
	.settings_size = sizeof(struct pipe_settings),
	.defaults = &defaults,
	.operations = 100000,
	.run = run,
};
