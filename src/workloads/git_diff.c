/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real "git diff" on a clean work tree that is in the caches, with its
 * threads that look at the files ahead (core.preloadIndex) or without. The
 * files' times lie in the past, so that git need not read them: an index that
 * is as old as a file proves nothing about it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "workloads/clock.h"
#include "workloads/programs.h"
#include "workloads/scratch.h"
#include "workloads/timing.h"
#include "workloads/workload.h"
#include "workloads/limits.h"

enum {
	FILES_MAXIMUM = 1000000,
	FILES_USUAL = 5000,
	FILES_A_DIRECTORY = 100,
	PAST_S = 1000000000,
	TRACE_LIMIT = 1 << 20,
	/* THREAD_COST and MAX_PARALLEL of git 2.39's preload-index.c; under two there are none. */
	FILES_A_THREAD = 500,
	THREADS_MOST = 20,
};

/* The same in all files: git then stores it once, which takes a fortieth of the time. */
#define CONTENT "clean\n"

/* The setting of core.preloadIndex stands in the words that are run. */
#define GIT(setting, ...)                                                                          \
	{                                                                                          \
		(char *)"git", (char *)"-c", (char *)"core.preloadIndex=" setting, __VA_ARGS__,    \
		    NULL                                                                           \
	}

static const char *const preload_names[] = { "on", "off", NULL };

struct diff_settings {
	struct work_settings work;
	uint64_t files;	  /* 0: not said */
	uint64_t threads; /* 0: not said */
	int preload;
	const char *directory;
};

static bool make_file(uint64_t i, struct error *err)
{
	struct timespec times[2] = { { .tv_sec = PAST_S }, { .tv_sec = PAST_S } };
	char path[64];
	int fd;

	snprintf(path, sizeof path, "d%llu", (unsigned long long)i / FILES_A_DIRECTORY);
	if (i % FILES_A_DIRECTORY == 0 && mkdir(path, 0700) < 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a directory: %s", limits_reason());
	snprintf(path + strlen(path), sizeof path - strlen(path), "/f%llu", (unsigned long long)i);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, CONTENT, strlen(CONTENT)) != (ssize_t)strlen(CONTENT) ||
	    futimens(fd, times) < 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a file: %s", limits_reason());
	close(fd);
	return true;
}

static bool make_repository(uint64_t files, struct error *err)
{
	char *init[] = GIT("true", (char *)"init", (char *)"-q");
	char *add[] = GIT("true", (char *)"add", (char *)".");
	uint64_t i;

	/* The user's own settings are not what is measured. */
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_OPTIONAL_LOCKS", "0", 1);
	unsetenv("GIT_DIR");
	unsetenv("GIT_WORK_TREE");
	unsetenv("GIT_INDEX_FILE");
	if (!program_run(init, 0, err))
		return false;
	for (i = 0; i < files; i++)
		if (!make_file(i, err))
			return false;
	return program_run(add, 0, err);
}

/* A changed file must be seen, or the clean answers before meant nothing. */
static bool check_difference(char *const *diff, struct error *err)
{
	int fd = open("d0/f0", O_WRONLY | O_APPEND | O_CLOEXEC);

	if (fd < 0 || write(fd, "changed\n", 8) != 8)
		return error_set(err, ERROR_SYSTEM, "cannot change a file: %s", limits_reason());
	close(fd);
	return program_run(diff, 1, err);
}

static bool run_diffs(void *context, uint64_t count, struct error *err)
{
	char *const *diff = context;
	uint64_t i;

	for (i = 0; i < count; i++)
		if (!program_run(diff, 0, err))
			return false;
	return true;
}

static bool measure(struct work *work, char **diff, struct error *err)
{
	struct timing timing = { .name = "git-diff", .act = run_diffs, .context = diff };

	return timing_run(work, &timing, err) && check_difference(diff, err);
}

/* Runs it once, which fills the caches, with git's own trace (since 2.22) into a file; its text. */
static bool traced_diff(struct work *work, char *const *diff, char **trace, struct error *err)
{
	const char *path = arena_printf(work->arena, "%s/trace", getenv("TMPDIR"));
	size_t length;
	bool ok;

	setenv("GIT_TRACE2_EVENT", path, 1);
	ok = program_run(diff, 0, err);
	unsetenv("GIT_TRACE2_EVENT");
	if (!ok)
		return false;
	if (!file_read(work->arena, path, TRACE_LIMIT, trace, &length, NULL))
		*trace = NULL;
	unlink(path);
	return true;
}

/* Whether git's threads looked ahead is taken from its trace; how many they are is its rule. */
static bool first_diff(struct work *work, uint64_t files, char *const *diff, struct error *err)
{
	uint64_t threads = files / FILES_A_THREAD;
	char *trace;

	if (!traced_diff(work, diff, &trace, err))
		return false;
	if (trace == NULL || strstr(trace, "\"do_read_index\"") == NULL)
		report_remark(work->report, "this git does not say whether it looks ahead");
	else if (strstr(trace, "\"label\":\"preload\"") == NULL)
		report_remark(work->report, "git looks at the files by one thread");
	else
		report_remark(work->report,
			      "git looks ahead by %llu threads: one for every %d files, at most %d",
			      (unsigned long long)(threads < THREADS_MOST ? threads : THREADS_MOST),
			      FILES_A_THREAD, THREADS_MOST);
	return true;
}

static bool remark_preparation(const struct work *work)
{
	report_remark(work->report, "the wall time contains %.2f s of making the repository",
		      (double)(clock_ns() - work->started_ns) / 1e9);
	return true;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct diff_settings *settings = pointer;
	char *on[] = GIT("true", (char *)"diff", (char *)"--quiet");
	char *off[] = GIT("false", (char *)"diff", (char *)"--quiet");
	char **diff = settings->preload == 0 ? on : off;
	uint64_t files = settings->threads > 0 ? settings->threads * FILES_A_THREAD
			 : settings->files > 0 ? settings->files
					       : FILES_USUAL;

	if (settings->files > 0 && settings->threads > 0)
		return error_set(err, ERROR_USAGE,
				 "--files and --threads both say how many files there are, because "
				 "git starts a thread for every %d of them; give one",
				 FILES_A_THREAD);
	report_remark(work->report, "%llu files, core.preloadIndex %s", (unsigned long long)files,
		      preload_names[settings->preload]);
	/* A file takes a block and an inode. */
	return programs_possible(err) &&
	       scratch_enter(work, settings->directory, files * 4096 + (1 << 20),
			     files + files / FILES_A_DIRECTORY + 500, err) &&
	       make_repository(files, err) && first_diff(work, files, diff, err) &&
	       remark_preparation(work) && measure(work, diff, err);
}

static const struct diff_settings defaults = { 0 };

static const struct option options[] = {
	{ .kind = OPTION_COUNT,
	  .name = "files",
	  .value = "N",
	  .help = "files of the made repository (5000)",
	  .offset = offsetof(struct diff_settings, files),
	  .minimum = 1,
	  .maximum = FILES_MAXIMUM },
	{ .kind = OPTION_COUNT,
	  .name = "threads",
	  .value = "K",
	  .help =
	      "so many files that git starts K threads with --preload on: 500 a thread, which is "
	      "git's own rule and cannot be set; 2 to 20",
	  .offset = offsetof(struct diff_settings, threads),
	  .minimum = 2,
	  .maximum = THREADS_MOST },
	{ .kind = OPTION_CHOICE,
	  .name = "preload",
	  .value = "WHETHER",
	  .help = "whether threads look at the files ahead (core.preloadIndex)",
	  .offset = offsetof(struct diff_settings, preload),
	  .choices = preload_names },
	SCRATCH_OPTION(struct diff_settings, directory),
	WORK_OPTIONS(struct diff_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_git_diff = {
	.name = "git-diff",
	.summary = "git diff of a clean tree, with and without its threads",
	.operation = "one run of \"git diff --quiet\"",
	.exercises = "what lstat-storm does, in the program that people run: path walks by "
		     "several threads, and the start of a process",
	.verified = "git finds no difference, and finds one when a file was changed at the end",
	.needs = "git",
	.examples = "# What preloading brings on this machine\n"
		    "$ worth --primary git-diff 'workload:git-diff --preload off' \\\n"
		    "        'workload:git-diff --preload on'\n"
		    "# The same of a tree for which git starts four threads\n"
		    "$ worth --primary git-diff 'workload:git-diff --threads 4 --preload off' \\\n"
		    "        'workload:git-diff --threads 4 --preload on'\n",
	.options = options,
	.settings_size = sizeof(struct diff_settings),
	.defaults = &defaults,
	.operations = 50,
	.run = run,
};
