/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Round trips of one byte over two pipes between two threads, with so many
 * pairs of lock and unlock on each side of each: lat_pipe as it was run when
 * the kernel's mutexes were new, with the number of locks on its path made an
 * option. Two variants differ by a time for each pair; the percentage depends
 * on how many there are.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "specimens/mutexes/mutex.h"
#include "workloads/batches.h"
#include "workloads/clock.h"
#include "workloads/cycles.h"
#include "workloads/placement.h"
#include "workloads/tasks.h"
#include "workloads/workload.h"
#include "workloads/written_code.h"
#include "workloads/limits.h"

#include <math.h>

struct pipe_settings {
	struct work_settings work;
	const char *lock;
	uint64_t pairs;
	int placement;
	uint64_t layout; /* NO_LAYOUT: the loop that the compiler made */
	bool layouts;
};

/* One side: its own mutex, which nobody else wants. */
struct side {
	_Alignas(SPECIMEN_APART) unsigned char mutex[MUTEX_BYTES];
	struct lock_thread thread;
	struct lock_hold hold;
	uint64_t counter;
	struct written_code code;
	void (*pass)(void); /* all pairs, by copies of their code; NULL: by the loop */
};

struct line {
	const struct mutex *mutex;
	uint64_t pairs;
	int there[2], back[2];
	struct side sides[2];
	struct task task;
};

#define NO_LAYOUT UINT64_MAX

enum { LAST = 255, SITES_MOST = 1024 };

static bool pass(int fd, unsigned char byte, struct error *err)
{
	return write(fd, &byte, 1) == 1 ||
	       error_set(err, ERROR_SYSTEM, "writing to the pipe: %s", limits_reason());
}

static bool take(int fd, unsigned char *byte, struct error *err)
{
	return read(fd, byte, 1) == 1 ||
	       error_set(err, ERROR_SYSTEM, "reading from the pipe: %s", limits_reason());
}

static void lock_pairs(const struct line *line, struct side *side)
{
	if (side->pass != NULL)
		side->pass();
	else
		line->mutex->loops.pairs(side->mutex, &side->hold, &side->counter, line->pairs);
}

static bool partner(void *context, struct error *err)
{
	struct line *line = context;
	unsigned char byte;

	for (;;) {
		if (!take(line->there[0], &byte, err))
			return false;
		if (byte == LAST)
			return true;
		lock_pairs(line, &line->sides[1]);
		if (!pass(line->back[1], (unsigned char)(byte + 1), err))
			return false;
	}
}

static bool trips(struct line *line, uint64_t count, struct error *err)
{
	unsigned char sent, got;
	uint64_t i;

	for (i = 0; i < count; i++) {
		sent = i & 0x7f;
		lock_pairs(line, &line->sides[0]);
		if (!pass(line->there[1], sent, err) || !take(line->back[0], &got, err))
			return false;
		if (got != sent + 1)
			return error_set(err, ERROR_SYSTEM, "the byte %u came back as %u", sent,
					 got);
	}
	return true;
}

static bool timed_trips(struct work *work, struct line *line, uint64_t *done, struct error *err)
{
	struct batches batches;
	uint64_t count;

	batches_init(&batches, work);
	while ((count = batches_next(&batches)) > 0) {
		double cycle_ns = cycles_length_ns();
		int64_t start_ns = clock_ns(), elapsed_ns;
		double each_ns;

		if (!trips(line, count, err))
			return false;
		elapsed_ns = clock_ns() - start_ns;
		cycle_ns = (cycle_ns + cycles_length_ns()) / 2;
		each_ns = (double)elapsed_ns / (double)count;
		if (!batches_end(&batches, elapsed_ns))
			continue;
		report_value(work->report, "round-trip", each_ns, "ns", REPORT_LOWER);
		if (!isnan(cycle_ns))
			report_value(work->report, "round-trip-cycles", each_ns / cycle_ns,
				     "cycles", REPORT_LOWER);
	}
	*done = batches.done;
	return true;
}

static bool check_counters(const struct line *line, uint64_t done, struct error *err)
{
	uint64_t expected = (done + 1) * line->pairs;

	if (line->sides[0].counter == expected && line->sides[1].counter == expected)
		return true;
	return error_set(err, ERROR_SYSTEM,
			 "%llu and %llu pairs were counted, not %llu on each side",
			 (unsigned long long)line->sides[0].counter,
			 (unsigned long long)line->sides[1].counter, (unsigned long long)expected);
}

static bool measure(struct work *work, struct line *line, struct error *err)
{
	uint64_t done = 0;

	/* The first is not timed: both run when the clock starts. */
	if (!task_start(&line->task, err) || !trips(line, 1, err) ||
	    !timed_trips(work, line, &done, err) || !pass(line->there[1], LAST, err))
		return false;
	return task_join(&line->task, err) && check_counters(line, done, err);
}

static bool find_mutex(const char *name, const struct mutex **found, struct error *err)
{
	const struct mutex *const *mutex = mutexes;

	while (*mutex != NULL && strcmp((*mutex)->name, name) != 0)
		mutex++;
	*found = *mutex;
	if (*mutex == NULL)
		return error_set(err, ERROR_USAGE,
				 "there is no such mutex; \"worth workload mutex --lock list\" "
				 "names them");
	if ((*mutex)->absent != NULL)
		return error_set(err, ERROR_SYSTEM, "%s is not in this build: %s", name,
				 (*mutex)->absent);
	return true;
}

static void line_init(struct line *line, const struct pipe_settings *settings, int cpu)
{
	size_t i;

	line->pairs = settings->pairs;
	line->task =
	    (struct task){ .thread = true, .cpu = cpu, .function = partner, .context = line };
	for (i = 0; i < 2; i++) {
		lock_threads_init(&line->sides[i].thread, 1);
		line->sides[i].hold.thread = &line->sides[i].thread;
		line->mutex->init(line->sides[i].mutex);
	}
}

/* Each pair has a place of its own, as in a program; beyond so many they are run again. */
static bool write_side(struct work *work, const struct line *line, struct side *side,
		       uint64_t layout, struct error *err)
{
	struct written_extent extent = { .sites =
					     line->pairs < SITES_MOST ? line->pairs : SITES_MOST,
					 .calls = line->pairs };
	struct written_operands operands = { side->mutex, &side->hold, &side->counter };
	union {
		const void *bytes;
		void (*function)(void);
	} pass;

	if (!written_code_map(&side->code, &extent, layout, err))
		return false;
	pass.bytes =
	    written_code_pass(work->arena, &side->code, &line->mutex->loops, &operands, &extent);
	side->pass = pass.function;
	return true;
}

/* The layout that settings choose, each side in memory of its own. */
static bool write_sides(struct work *work, struct line *line, const struct pipe_settings *settings,
			struct error *err)
{
	uint64_t layout = settings->layout;

	if (settings->layouts && !written_code_round(&layout, err))
		return false;
	if (layout == NO_LAYOUT)
		return true;
	report_remark(work->report, "the pairs lie in layout %llu", (unsigned long long)layout);
	return written_code_can(&line->mutex->loops, err) &&
	       write_side(work, line, &line->sides[0], layout, err) &&
	       write_side(work, line, &line->sides[1], ~layout, err);
}

/* What a place that locks and unlocks takes of the text; unknown where code is not copyable. */
static void report_site(struct work *work, const struct mutex *mutex)
{
	if (mutex->loops.site != NULL)
		report_value(work->report, "site-bytes",
			     (double)(mutex->loops.site_end - mutex->loops.site), "B",
			     REPORT_LOWER);
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct pipe_settings *settings = pointer;
	const struct mutex *mutex;
	struct line *line;
	char label[128];
	int cpus[2];
	size_t i;
	bool ok;

	if (!find_mutex(settings->lock, &mutex, err) ||
	    !placement_pair((enum placement)settings->placement, cpus, label, sizeof label, err) ||
	    !placement_enter(cpus[0], err))
		return false;
	line = tasks_share(sizeof *line, err);
	if (line == NULL)
		return false;
	line->mutex = mutex;
	line_init(line, settings, cpus[1]);
	report_remark(work->report, "two threads, %llu pairs of %s a side; placement %s",
		      (unsigned long long)settings->pairs, mutex->name, label);
	report_site(work, mutex);
	ok = (pipe2(line->there, O_CLOEXEC) == 0 && pipe2(line->back, O_CLOEXEC) == 0) ||
	     error_set(err, ERROR_SYSTEM, "cannot make a pipe: %s", limits_reason());
	ok = ok && write_sides(work, line, settings, err) && measure(work, line, err);
	/* After an error the partner may still be in it. */
	for (i = 0; ok && i < 2; i++)
		if (line->sides[i].pass != NULL)
			written_code_unmap(&line->sides[i].code);
	tasks_unshare(line, sizeof *line);
	return ok;
}

static const struct pipe_settings defaults = {
	.lock = "futex-inline", .pairs = 4, .placement = PLACEMENT_ONE, .layout = NO_LAYOUT
};

static const struct option options[] = {
	{ .kind = OPTION_TEXT,
	  .name = "lock",
	  .value = "NAME",
	  .help = "which mutex, as of the workload mutex",
	  .offset = offsetof(struct pipe_settings, lock) },
	{ .kind = OPTION_COUNT,
	  .name = "pairs",
	  .value = "K",
	  .help = "pairs of lock and unlock on each side of a round trip (4)",
	  .offset = offsetof(struct pipe_settings, pairs),
	  .maximum = 1e6 },
	{ .kind = OPTION_CHOICE,
	  .name = "placement",
	  .value = "WHERE",
	  .help = "both threads pinned to one CPU (the default), each to its own, or neither",
	  .offset = offsetof(struct pipe_settings, placement),
	  .choices = placement_names },
	{ .kind = OPTION_COUNT,
	  .name = "layout",
	  .value = "SEED",
	  .help = "each pair is a copy of its code, at a place that the seed says",
	  .offset = offsetof(struct pipe_settings, layout),
	  .maximum = 1e15 },
	{ .kind = OPTION_FLAG,
	  .name = "layouts",
	  .help = "in each round of a comparison a layout of its own, the same for all variants",
	  .offset = offsetof(struct pipe_settings, layouts) },
	WORK_OPTIONS(struct pipe_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_mutex_pipe = {
	.name = "mutex-pipe",
	.summary = "round trips over a pipe with mutexes on the way",
	.operation = "one round trip: two writes, two reads, two wake-ups, and K pairs of lock and "
		     "unlock on each side, of a mutex that no other wants",
	.exercises = "a mutex's fast path, diluted by what surrounds it. Figures: round-trip (ns) "
		     "and round-trip-cycles; site-bytes (a function that locks, adds 1 and "
		     "unlocks). Divide the difference of two variants by 2 K for the time of a "
		     "pair",
	.verified = "every byte comes back with the value it must have, and the pairs are counted",
	.needs = "two CPUs for --placement two-cpus; x86-64 for the figures in cycles "
		 "and for layouts",
	.examples = "# What inlining the fast path gains at 16 pairs a side\n"
		    "$ worth 'workload:mutex-pipe --lock futex-outline --pairs 16' \\\n"
		    "        'workload:mutex-pipe --lock futex-inline --pairs 16'\n",
	.options = options,
	.settings_size = sizeof(struct pipe_settings),
	.defaults = &defaults,
	.operations = 150000,
	.run = run,
};
