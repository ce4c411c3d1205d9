/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several tasks that want the same lock: one of the C library (futex), that of
 * a directory in which they create and unlink (the load that showed the first
 * mutexes of the kernel), that of one page of a file, and mmap_lock. The work
 * is a pool, so how unequal the shares were shows how fair the lock is.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "workloads/placement.h"
#include "workloads/scratch.h"
#include "workloads/tasks.h"
#include "workloads/team.h"
#include "workloads/timing.h"
#include "workloads/workload.h"
#include "workloads/limits.h"

enum { TASKS_MAXIMUM = 1024, PAGE_BYTES = 4096 };

enum lock { LOCK_FUTEX, LOCK_CREATE, LOCK_PAGE, LOCK_MMAP };

static const char *const lock_names[] = { "futex", "create", "page-cache", "mmap", NULL };

struct contend_settings {
	struct work_settings work;
	int lock;
	uint64_t tasks;
	bool processes;
	struct placement_team placement;
	const char *directory;
};

/* In shared memory. */
struct arena_of_locks {
	pthread_mutex_t mutex;
	uint64_t counter; /* under the mutex */
	int fd;		  /* of the file with one page */
};

static bool with_futex(struct arena_of_locks *locks, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		pthread_mutex_lock(&locks->mutex);
		*(volatile uint64_t *)&locks->counter += 1;
		pthread_mutex_unlock(&locks->mutex);
	}
	return true;
}

static bool with_create(size_t index, uint64_t count, struct error *err)
{
	char name[32];
	uint64_t i;

	snprintf(name, sizeof name, "f%zu", index);
	for (i = 0; i < count; i++) {
		int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

		if (fd < 0 || close(fd) < 0 || unlink(name) < 0)
			return error_set(err, ERROR_SYSTEM, "creating and unlinking a file: %s",
					 limits_reason());
	}
	return true;
}

static bool with_page(const struct arena_of_locks *locks, uint64_t count, struct error *err)
{
	char bytes[64];
	uint64_t i;

	for (i = 0; i < count; i++)
		if (pread(locks->fd, bytes, sizeof bytes, 0) != sizeof bytes || bytes[0] != 'w')
			return error_set(err, ERROR_SYSTEM, "reading the page: %s",
					 limits_reason());
	return true;
}

static bool with_mmap(uint64_t count, struct error *err)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		char *page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (page == MAP_FAILED)
			return error_set(err, ERROR_SYSTEM, "mapping a page: %s", limits_reason());
		*(volatile char *)page = 1;
		munmap(page, PAGE_BYTES);
	}
	return true;
}

/* What members need. */
struct contest {
	enum lock lock;
	struct arena_of_locks *locks;
};

static bool member(struct team *team, size_t index, void *context, struct error *err)
{
	const struct contest *contest = context;
	uint64_t first, count;
	bool ok = true;

	while (ok && (count = team_take(team, index, &first)) > 0) {
		switch (contest->lock) {
		case LOCK_FUTEX:
			ok = with_futex(contest->locks, count);
			break;
		case LOCK_CREATE:
			ok = with_create(index, count, err);
			break;
		case LOCK_PAGE:
			ok = with_page(contest->locks, count, err);
			break;
		case LOCK_MMAP:
			ok = with_mmap(count, err);
			break;
		}
	}
	return ok;
}

static void report_fairness(struct work *work, void *team)
{
	report_value(work->report, "fairness", team_fairness(team), "-", REPORT_HIGHER);
}

static bool measure(struct work *work, const struct contest *contest, struct team *team,
		    struct error *err)
{
	struct timing timing = { .name = lock_names[contest->lock], .reported = report_fairness };

	if (!timing_run_team(work, &timing, team, err))
		return false;
	if (contest->lock == LOCK_FUTEX && contest->locks->counter != timing.done)
		return error_set(err, ERROR_SYSTEM,
				 "the counter under the mutex is %llu after %llu additions: it "
				 "did not exclude",
				 (unsigned long long)contest->locks->counter,
				 (unsigned long long)timing.done);
	return true;
}

static bool prepare(struct work *work, const struct contend_settings *settings,
		    struct arena_of_locks *locks, struct error *err)
{
	pthread_mutexattr_t shared;
	char page[PAGE_BYTES];
	ssize_t wrote;

	pthread_mutexattr_init(&shared);
	pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&locks->mutex, &shared);
	pthread_mutexattr_destroy(&shared);
	if (settings->lock != LOCK_CREATE && settings->lock != LOCK_PAGE)
		return true;
	if (!scratch_enter(work, settings->directory, PAGE_BYTES, settings->tasks + 1, err))
		return false;
	if (settings->lock == LOCK_CREATE)
		return true;
	memset(page, 'w', sizeof page);
	locks->fd = open("page", O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	wrote = locks->fd < 0 ? -1 : write(locks->fd, page, sizeof page);
	return wrote == sizeof page ||
	       error_set(err, ERROR_SYSTEM, "cannot write a page to a file: %s",
			 limits_transfer_reason(wrote));
}

static bool contend(struct work *work, const struct contend_settings *settings, const int *cpus,
		    struct arena_of_locks *locks, struct error *err)
{
	/* So large that taking one is no contention of its own, and a batch has many. */
	static const uint64_t shares[] = { 256, 32, 256, 32 };
	struct contest contest = { .lock = (enum lock)settings->lock, .locks = locks };
	struct team_plan plan = { .count = settings->tasks,
				  .threads = !settings->processes,
				  .cpus = cpus,
				  .function = member,
				  .context = &contest,
				  .share = shares[settings->lock] };
	struct team *team;
	bool ok;

	if (!prepare(work, settings, locks, err))
		return false;
	team = team_start(&plan, err);
	if (team == NULL)
		return false;
	ok = measure(work, &contest, team, err);
	return team_end(team, ok ? err : NULL) && ok;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct contend_settings *settings = pointer;
	static const uint64_t operations[] = { 4000000, 20000, 1000000, 100000 };
	struct arena_of_locks *locks;
	const char *label;
	const int *cpus;
	bool ok;

	if (settings->processes && settings->lock == LOCK_MMAP)
		return error_set(err, ERROR_USAGE,
				 "processes have each its own mmap_lock; leave out --processes");
	if (!placement_team(work->arena, &settings->placement, settings->tasks, &cpus, &label, err))
		return false;
	if (work->is_default)
		work->operations = operations[settings->lock];
	locks = tasks_share(sizeof *locks, err);
	if (locks == NULL)
		return false;
	report_remark(work->report, "%llu %s; placement %s", (unsigned long long)settings->tasks,
		      settings->processes ? "processes" : "threads", label);
	ok = contend(work, settings, cpus, locks, err);
	tasks_unshare(locks, sizeof *locks);
	return ok;
}

static const struct contend_settings defaults = { .tasks = 2 };

static const struct option options[] = {
	{ .kind = OPTION_CHOICE,
	  .name = "lock",
	  .value = "LOCK",
	  .help = "what they want at the same time",
	  .offset = offsetof(struct contend_settings, lock),
	  .choices = lock_names },
	{ .kind = OPTION_COUNT,
	  .name = "tasks",
	  .value = "K",
	  .help = "how many (2)",
	  .offset = offsetof(struct contend_settings, tasks),
	  .minimum = 1,
	  .maximum = TASKS_MAXIMUM },
	{ OPTION_FLAG, "processes", 0, NULL, "processes instead of threads",
	  offsetof(struct contend_settings, processes) },
	PLACEMENT_TEAM_OPTIONS(struct contend_settings, placement),
	SCRATCH_OPTION(struct contend_settings, directory),
	WORK_OPTIONS(struct contend_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_lock_contend = {
	.name = "lock-contend",
	.summary = "several tasks that want the same lock",
	.operation = "one taking of the lock, with the little that is done under it: an addition, "
		     "create and unlink, a read of 64 bytes, or map, touch and unmap of a page",
	.exercises = "futexes; the lock of a directory; the page cache; mmap_lock. The time is of "
		     "the whole team: with two tasks that do not hinder each other it is half of "
		     "that of one",
	.verified = "the counter under the mutex has the number of additions; files and pages are "
		    "what they must be",
	.needs = "as many cores as tasks, unless --smt or --free says otherwise",
	.examples = "# How a directory's lock scales from one task to two\n"
		    "$ worth 'workload:lock-contend --lock create --tasks 1' \\\n"
		    "        'workload:lock-contend --lock create --tasks 2'\n",
	.options = options,
	.settings_size = sizeof(struct contend_settings),
	.defaults = &defaults,
	.run = run,
};
