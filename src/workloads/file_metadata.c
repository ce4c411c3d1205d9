/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Create, stat and delete many files, as bonnie++ does: in the order of their
 * names, or in a random one. Each phase ends with syncfs of this file system
 * alone where that is asked for; bonnie++'s sync() also writes what others left.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "workloads/batches.h"
#include "workloads/clock.h"
#include "workloads/scratch.h"
#include "workloads/timing.h"
#include "workloads/workload.h"
#include "workloads/limits.h"

enum { FILES_MAXIMUM = 10000000, DIRECTORIES_MAXIMUM = 10000, NAME_BYTES = 64 };

enum order { ORDER_SEQUENTIAL, ORDER_RANDOM };

static const char *const order_names[] = { "sequential", "random", NULL };

struct metadata_settings {
	struct work_settings work;
	uint64_t files, directories, bytes;
	int order;
	bool sync;
	const char *directory;
};

/* The files of one batch. */
struct herd {
	const struct metadata_settings *settings;
	size_t count;
	char (*names)[NAME_BYTES];
	size_t *order; /* of stat and delete */
	int root_fd;
};

static bool failed(const char *what, const char *name, struct error *err)
{
	return error_set(err, ERROR_SYSTEM, "%s %s: %s", what, name, limits_reason());
}

static bool create(struct herd *herd, size_t i, struct error *err)
{
	static const char zeros[4096];
	uint64_t left = herd->settings->bytes;
	int fd = open(herd->names[i], O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	ssize_t wrote = 0;

	if (fd < 0)
		return failed("creating", herd->names[i], err);
	while (left > 0 && wrote >= 0) {
		wrote = write(fd, zeros, left < sizeof zeros ? left : sizeof zeros);
		left -= wrote > 0 ? (uint64_t)wrote : 0;
	}
	if (close(fd) < 0 || wrote < 0)
		return failed("writing", herd->names[i], err);
	return true;
}

static bool look(struct herd *herd, size_t i, struct error *err)
{
	struct stat status;

	if (stat(herd->names[i], &status) < 0)
		return failed("stat of", herd->names[i], err);
	return (uint64_t)status.st_size == herd->settings->bytes ||
	       error_set(err, ERROR_SYSTEM, "%s has %lld bytes and not %llu", herd->names[i],
			 (long long)status.st_size, (unsigned long long)herd->settings->bytes);
}

static bool erase(struct herd *herd, size_t i, struct error *err)
{
	return unlink(herd->names[i]) == 0 || failed("deleting", herd->names[i], err);
}

/* One phase over all files, and its sync; the time of both, or -1. */
static int64_t phase(struct herd *herd, bool in_order, size_t count,
		     bool (*act)(struct herd *, size_t, struct error *), struct error *err)
{
	int64_t start_ns = clock_ns();
	size_t i;

	for (i = 0; i < count; i++)
		if (!act(herd, in_order ? i : herd->order[i], err))
			return -1;
	if (herd->settings->sync && syncfs(herd->root_fd) < 0) {
		failed("syncing", "the file system", err);
		return -1;
	}
	return clock_ns() - start_ns;
}

/* New names for every batch; in random order they do not grow with the time of creation. */
static void herd_name(struct herd *herd, uint64_t batch, size_t count)
{
	const struct metadata_settings *settings = herd->settings;
	struct random random = { random_mix(batch) };
	size_t i;

	for (i = 0; i < count; i++) {
		uint64_t number = settings->order == ORDER_RANDOM ? random_next(&random) >> 24 : i;

		snprintf(herd->names[i], NAME_BYTES, "d%llu/%010llx-%zu",
			 (unsigned long long)(i % settings->directories),
			 (unsigned long long)number, i);
		herd->order[i] = i;
	}
	if (settings->order == ORDER_RANDOM)
		random_shuffle(&random, herd->order, count);
}

static bool measure(struct work *work, struct herd *herd, struct error *err)
{
	static const char *const names[] = { "create", "stat", "delete" };
	static bool (*const acts[])(struct herd *, size_t, struct error *) = { create, look,
									       erase };
	struct batches batches;
	uint64_t count, batch = 0;
	size_t k;

	batches_init(&batches, work);
	batches.count = herd->count;
	while ((count = batches_next(&batches)) > 0) {
		int64_t elapsed_ns[3], sum_ns = 0;

		if (count > herd->count)
			count = batches.count = herd->count;
		herd_name(herd, batch++, count);
		for (k = 0; k < 3; k++) {
			elapsed_ns[k] = phase(herd, k == 0, count, acts[k], err);
			if (elapsed_ns[k] < 0)
				return false;
			sum_ns += elapsed_ns[k];
		}
		batches.grown = true; /* a batch has the number of files that was asked for */
		if (batches_end(&batches, sum_ns))
			for (k = 0; k < 3; k++)
				report_value(work->report, names[k],
					     (double)elapsed_ns[k] / (double)count, "ns",
					     REPORT_LOWER);
	}
	timing_remark_loop(work, herd->count);
	return true;
}

static bool make_directories(uint64_t count, struct error *err)
{
	char name[32];
	uint64_t i;

	for (i = 0; i < count; i++) {
		snprintf(name, sizeof name, "d%llu", (unsigned long long)i);
		if (mkdir(name, 0700) < 0)
			return failed("making the directory", name, err);
	}
	return true;
}

/* Directories that still hold something cannot be removed: every delete did what it said. */
static bool remove_directories(uint64_t count, struct error *err)
{
	char name[32];
	uint64_t i;

	for (i = 0; i < count; i++) {
		snprintf(name, sizeof name, "d%llu", (unsigned long long)i);
		if (rmdir(name) < 0)
			return failed("removing the directory", name, err);
	}
	return true;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct metadata_settings *settings = pointer;
	uint64_t operations = work->operations;
	struct herd herd = { .settings = settings, .root_fd = -1 };
	uint64_t blocks = (settings->bytes + 4095) / 4096;
	bool ok;

	herd.count = settings->files < operations ? settings->files : operations;
	if (!scratch_enter(work, settings->directory, herd.count * blocks * 4096,
			   herd.count + settings->directories + 1, err))
		return false;
	report_remark(work->report, "%zu files of %llu bytes in %llu directories, %s order%s",
		      herd.count, (unsigned long long)settings->bytes,
		      (unsigned long long)settings->directories, order_names[settings->order],
		      settings->sync ? ", syncfs after each phase" : ", never synced");
	herd.names = arena_alloc(work->arena, herd.count, sizeof *herd.names);
	herd.order = arena_alloc(work->arena, herd.count, sizeof *herd.order);
	herd.root_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok = make_directories(settings->directories, err) && measure(work, &herd, err) &&
	     remove_directories(settings->directories, err);
	if (herd.root_fd >= 0)
		close(herd.root_fd);
	return ok;
}

static const struct metadata_settings defaults = { .files = 1000, .directories = 1 };

static const struct option options[] = {
	{ .kind = OPTION_COUNT,
	  .name = "files",
	  .value = "N",
	  .help = "files of a batch (1000)",
	  .offset = offsetof(struct metadata_settings, files),
	  .minimum = 1,
	  .maximum = FILES_MAXIMUM },
	{ .kind = OPTION_COUNT,
	  .name = "directories",
	  .value = "D",
	  .help = "over so many directories (1)",
	  .offset = offsetof(struct metadata_settings, directories),
	  .minimum = 1,
	  .maximum = DIRECTORIES_MAXIMUM },
	{ .kind = OPTION_COUNT,
	  .name = "bytes",
	  .value = "B",
	  .help = "that are written into each (0)",
	  .offset = offsetof(struct metadata_settings, bytes),
	  .maximum = 1 << 30 },
	{ .kind = OPTION_CHOICE,
	  .name = "order",
	  .value = "ORDER",
	  .help = "of the names, and of stat and delete",
	  .offset = offsetof(struct metadata_settings, order),
	  .choices = order_names },
	{ OPTION_FLAG, "sync", 0, NULL, "syncfs after each phase, in its time",
	  offsetof(struct metadata_settings, sync) },
	SCRATCH_OPTION(struct metadata_settings, directory),
	WORK_OPTIONS(struct metadata_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_file_metadata = {
	.name = "file-metadata",
	.summary = "create, stat and delete many files",
	.operation = "one file created, looked at and deleted; each has its own figure",
	.exercises = "directories, inodes and the journal of a file system; without --sync mostly "
		     "in memory",
	.verified = "every file has the size it must have, and the directories are empty at the "
		    "end",
	.needs = "room for the files",
	.examples = "# One directory against a hundred\n"
		    "$ worth 'workload:file-metadata --files 10000' \\\n"
		    "        'workload:file-metadata --files 10000 --directories 100'\n",
	.options = options,
	.settings_size = sizeof(struct metadata_settings),
	.defaults = &defaults,
	.operations = 5000,
	.run = run,
};
