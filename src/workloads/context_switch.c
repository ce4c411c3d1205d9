/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring of tasks that hand a token on over pipes, each going through its
 * working set before it does: the shape of lmbench's lat_ctx. The cost of the
 * pipe and of the working set is part of the figure; what lmbench subtracts
 * for them is itself uncertain, and makes small results vanish.
 *
 *	this task -> member 0 -> member 1 -> ... -> this task
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "workloads/placement.h"
#include "workloads/tasks.h"
#include "workloads/timing.h"
#include "workloads/workload.h"

enum { TASKS_MAXIMUM = 4096 };

#define SET_MAXIMUM (UINT64_C(1) << 30)
#define QUIT UINT64_MAX

struct ring_settings {
	struct work_settings work;
	uint64_t tasks;
	bool threads;
	int placement;
	const char *working_set;
};

/* One place in the ring; in shared memory. */
struct place {
	int in, out; /* descriptors */
	uint64_t *set;
	size_t set_count;
	struct task task;
};

struct ring {
	size_t count; /* of places; the first is this task's */
	size_t bytes;
	struct place places[];
};

/* Every word is read and written, so that the lines move where the task moves. */
static void touch(struct place *place)
{
	volatile uint64_t *set = place->set;
	size_t i;

	for (i = 0; i < place->set_count; i += 8)
		set[i]++;
}

static bool receive(struct place *place, uint64_t *token, struct error *err)
{
	ssize_t got = read(place->in, token, sizeof *token);

	return got == sizeof *token ||
	       error_set(err, ERROR_SYSTEM, "taking the token: %s",
			 got < 0 ? strerror(errno) : "another task is gone");
}

static bool pass(struct place *place, uint64_t token, struct error *err)
{
	return write(place->out, &token, sizeof token) == sizeof token ||
	       error_set(err, ERROR_SYSTEM, "passing the token: %s", strerror(errno));
}

static bool member(void *context, struct error *err)
{
	struct place *place = context;
	uint64_t token;

	for (;;) {
		if (!receive(place, &token, err))
			return false;
		if (token == QUIT)
			return pass(place, token, err);
		touch(place);
		if (!pass(place, token + 1, err))
			return false;
	}
}

/* The token is handed on so often, which is whole rounds; everyone adds one to it. */
static bool go_round(void *context, uint64_t count, struct error *err)
{
	struct ring *ring = context;
	struct place *own = &ring->places[0];
	uint64_t rounds = count / ring->count, token = 0, i;

	for (i = 0; i < rounds; i++) {
		touch(own);
		if (!pass(own, token + 1, err) || !receive(own, &token, err))
			return false;
	}
	return token == count ||
	       error_set(err, ERROR_SYSTEM, "the token was handed on %llu times and not %llu",
			 (unsigned long long)token, (unsigned long long)count);
}

static bool measure(struct work *work, struct ring *ring, struct error *err)
{
	struct timing timing = {
		.name = "switch", .multiple = ring->count, .act = go_round, .context = ring
	};

	/* Once before, so that everyone runs when the clock starts. */
	return go_round(ring, ring->count, err) && timing_run(work, &timing, err);
}

/* Pipe i leads from place i to the next. */
static bool connect_places(struct ring *ring, struct error *err)
{
	size_t i;

	for (i = 0; i < ring->count; i++) {
		int ends[2];

		if (pipe2(ends, O_CLOEXEC) < 0)
			return error_set(err, ERROR_SYSTEM,
					 "cannot make pipe %zu of %zu: %s; allow more open files "
					 "(ulimit -n) or ask for fewer --tasks",
					 i + 1, ring->count, strerror(errno));
		ring->places[i].out = ends[1];
		ring->places[(i + 1) % ring->count].in = ends[0];
	}
	return true;
}

static bool start_members(struct ring *ring, const struct ring_settings *settings, int cpu,
			  struct error *err)
{
	size_t i;

	for (i = 1; i < ring->count; i++) {
		ring->places[i].task = (struct task){
			.thread = settings->threads,
			.cpu = cpu,
			.function = member,
			.context = &ring->places[i],
		};
		if (!task_start(&ring->places[i].task, err))
			return false;
	}
	return true;
}

static bool stop_members(struct ring *ring, struct error *err)
{
	uint64_t token;
	size_t i;

	if (!pass(&ring->places[0], QUIT, err) || !receive(&ring->places[0], &token, err))
		return false;
	for (i = 1; i < ring->count; i++)
		if (!task_join(&ring->places[i].task, err))
			return false;
	return true;
}

static struct ring *ring_make(const struct ring_settings *settings, size_t set_bytes,
			      struct error *err)
{
	size_t count = settings->tasks;
	size_t head = sizeof(struct ring) + count * sizeof(struct place);
	size_t stride = (set_bytes + 4095) & ~(size_t)4095; /* own pages each */
	struct ring *ring;
	char *sets;
	size_t i;

	head = (head + 4095) & ~(size_t)4095;
	ring = tasks_share(head + count * stride, err);
	if (ring == NULL)
		return NULL;
	ring->bytes = head + count * stride;
	ring->count = count;
	sets = (char *)ring + head;
	for (i = 0; i < count; i++) {
		ring->places[i].set = (uint64_t *)(void *)(sets + i * stride);
		ring->places[i].set_count = set_bytes / sizeof(uint64_t);
	}
	return ring;
}

static bool parse_set(const char *word, uint64_t tasks, uint64_t *bytes, struct error *err)
{
	*bytes = 0;
	if (word == NULL)
		return true;
	if (!units_parse_bytes(word, bytes, err))
		return error_prefix(err, "--working-set");
	if (*bytes > SET_MAXIMUM || *bytes * tasks > SET_MAXIMUM)
		return error_set(err, ERROR_USAGE,
				 "--working-set %s for each of %llu tasks is more than 1 GiB in "
				 "all; ask for less",
				 word, (unsigned long long)tasks);
	return true;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct ring_settings *settings = pointer;
	struct ring *ring;
	char label[128];
	uint64_t set_bytes;
	int cpus[2];
	bool ok;

	if (!parse_set(settings->working_set, settings->tasks, &set_bytes, err) ||
	    !placement_pair(settings->placement == 0 ? PLACEMENT_ONE : PLACEMENT_FREE, cpus, label,
			    sizeof label, err) ||
	    !placement_enter(cpus[0], err))
		return false;
	report_remark(work->report, "%llu %s with %llu bytes each; placement %s",
		      (unsigned long long)settings->tasks,
		      settings->threads ? "threads" : "processes", (unsigned long long)set_bytes,
		      label);
	ring = ring_make(settings, set_bytes, err);
	if (ring == NULL)
		return false;
	ok = connect_places(ring, err) && start_members(ring, settings, cpus[0], err) &&
	     measure(work, ring, err) && stop_members(ring, err);
	if (ok)
		tasks_unshare(ring, ring->bytes);
	return ok;
}

static const char *const ring_placements[] = { "one-cpu", "free", NULL };

static const struct ring_settings defaults = { .tasks = 2 };

static const struct option options[] = {
	{ .kind = OPTION_COUNT,
	  .name = "tasks",
	  .value = "K",
	  .help = "tasks in the ring (2)",
	  .offset = offsetof(struct ring_settings, tasks),
	  .minimum = 2,
	  .maximum = TASKS_MAXIMUM },
	{ OPTION_FLAG, "threads", 0, NULL, "threads of one process instead of processes",
	  offsetof(struct ring_settings, threads) },
	{ OPTION_TEXT, "working-set", 0, "SIZE",
	  "memory that each goes through when it has the token (64k)",
	  offsetof(struct ring_settings, working_set) },
	{ .kind = OPTION_CHOICE,
	  .name = "placement",
	  .value = "WHERE",
	  .help = "all tasks pinned to one CPU, or none",
	  .offset = offsetof(struct ring_settings, placement),
	  .choices = ring_placements },
	WORK_OPTIONS(struct ring_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_context_switch = {
	.name = "context-switch",
	.summary = "a token in a ring of tasks with working sets",
	.operation = "one handing on: a write, a switch, a read, and going through the working set",
	.exercises = "the scheduler with several tasks ready in turn, and the caches and TLB that "
		     "they take from each other",
	.verified = "each adds one to the token, which comes back with their number",
	.examples = "# What 256 KiB of each task add to a switch\n"
		    "$ worth 'workload:context-switch --tasks 8' \\\n"
		    "        'workload:context-switch --tasks 8 --working-set 256k'\n",
	.options = options,
	.settings_size = sizeof(struct ring_settings),
	.defaults = &defaults,
	.operations = 200000,
	.run = run,
};
