/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a path to a file: stat or open at a depth, by one or more tasks in
 * shared or private directories. Directories on the way are looked up in the
 * dentry cache, where a walk that stores nothing (RCU walk, Linux 2.6.38) lets
 * tasks share them without hindering each other; a renamer makes walks try
 * again (rename_lock).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workloads/clock.h"
#include "workloads/placement.h"
#include "workloads/scratch.h"
#include "workloads/tasks.h"
#include "workloads/team.h"
#include "workloads/timing.h"
#include "workloads/workload.h"
#include "workloads/limits.h"

enum { TASKS_MAXIMUM = 1024, DEPTH_MAXIMUM = 16, SHARE = 128, PATH_BYTES = 512 };

enum call { CALL_STAT, CALL_OPEN, CALL_ACCESS };

static const char *const call_names[] = { "stat", "open", "access", NULL };

struct walk_settings {
	struct work_settings work;
	int call;
	uint64_t depth, tasks;
	bool private_directories, processes, renamer;
	struct placement_team placement;
	const char *directory;
};

/* In shared memory. */
struct trees {
	enum call call;
	bool private_directories;
	atomic_bool quit; /* for the renamer */
	uint64_t renames; /* by it; read when it has ended */
	struct task task; /* it */
	struct tree {
		char path[PATH_BYTES];
		ino_t inode;
	} trees[];
};

static bool walk_once(const struct trees *trees, const struct tree *tree)
{
	struct stat status;
	int fd;

	switch (trees->call) {
	case CALL_STAT:
		return stat(tree->path, &status) == 0 && status.st_ino == tree->inode;
	case CALL_OPEN:
		fd = open(tree->path, O_RDONLY | O_CLOEXEC);
		return fd >= 0 && close(fd) == 0;
	case CALL_ACCESS:
		return access(tree->path, R_OK) == 0;
	}
	return false;
}

static bool member(struct team *team, size_t index, void *context, struct error *err)
{
	const struct trees *trees = context;
	const struct tree *tree = &trees->trees[trees->private_directories ? index : 0];
	uint64_t first, count, i;

	while ((count = team_take(team, index, &first)) > 0)
		for (i = 0; i < count; i++)
			if (!walk_once(trees, tree))
				return error_set(err, ERROR_SYSTEM,
						 "%s: it is not what was made there (%s)",
						 tree->path, limits_reason());
	return true;
}

/* A directory beside the trees changes its name until it is told to stop. */
static bool renamer(void *context, struct error *err)
{
	struct trees *trees = context;

	while (!atomic_load_explicit(&trees->quit, memory_order_relaxed)) {
		if (rename("here", "there") < 0 || rename("there", "here") < 0)
			return error_set(err, ERROR_SYSTEM, "renaming a directory: %s",
					 limits_reason());
		trees->renames += 2;
	}
	return true;
}

/* Directories down to the depth, and a file at its end: depth counts all parts of the path. */
static bool make_tree(struct tree *tree, size_t index, uint64_t depth, struct error *err)
{
	size_t length = 0;
	struct stat status;
	uint64_t i;
	int fd;

	for (i = 1; i < depth; i++) {
		length += (size_t)snprintf(tree->path + length, PATH_BYTES - length, "%sd%zu-%llu",
					   i == 1 ? "" : "/", index, (unsigned long long)i);
		if (mkdir(tree->path, 0700) < 0)
			return error_set(err, ERROR_SYSTEM, "cannot make a directory: %s",
					 limits_reason());
	}
	snprintf(tree->path + length, PATH_BYTES - length, "%sf%zu", depth == 1 ? "" : "/", index);
	fd = open(tree->path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0 || fstat(fd, &status) < 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a file: %s", limits_reason());
	tree->inode = status.st_ino;
	close(fd);
	return true;
}

static bool measure(struct work *work, struct team *team, const char *name, struct error *err)
{
	struct timing timing = { .name = name };

	return timing_run_team(work, &timing, team, err);
}

static bool with_renamer(struct work *work, struct trees *trees, struct team *team, bool as_process,
			 struct error *err)
{
	int64_t start_ns = clock_ns();
	bool ok;

	if (mkdir("here", 0700) < 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a directory: %s", limits_reason());
	trees->task = (struct task){ .thread = !as_process,
				     .cpu = PLACEMENT_FLOATING,
				     .function = renamer,
				     .context = trees };
	if (!task_start(&trees->task, err))
		return false;
	ok = measure(work, team, call_names[trees->call], err);
	atomic_store(&trees->quit, true);
	ok = task_join(&trees->task, ok ? err : NULL) && ok;
	report_remark(work->report, "meanwhile %.0f renames a second",
		      (double)trees->renames * 1e9 / (double)(clock_ns() - start_ns));
	return ok;
}

static bool walk(struct work *work, const struct walk_settings *settings, const int *cpus,
		 struct trees *trees, struct error *err)
{
	struct team_plan plan = { .count = settings->tasks,
				  .threads = !settings->processes,
				  .cpus = cpus,
				  .function = member,
				  .context = trees,
				  .share = SHARE };
	struct team *team;
	size_t i;
	bool ok;

	for (i = 0; i < (settings->private_directories ? settings->tasks : 1); i++)
		if (!make_tree(&trees->trees[i], i, settings->depth, err))
			return false;
	team = team_start(&plan, err);
	if (team == NULL)
		return false;
	ok = settings->renamer ? with_renamer(work, trees, team, settings->processes, err)
			       : measure(work, team, call_names[trees->call], err);
	return team_end(team, ok ? err : NULL) && ok;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct walk_settings *settings = pointer;
	size_t bytes = sizeof(struct trees) + settings->tasks * sizeof(struct tree);
	struct trees *trees;
	const char *label;
	const int *cpus;
	bool ok;

	if (!placement_team(work->arena, &settings->placement, settings->tasks, &cpus, &label,
			    err) ||
	    !scratch_enter(work, settings->directory, 0, settings->tasks * 17 + 2, err))
		return false;
	trees = tasks_share(bytes, err);
	if (trees == NULL)
		return false;
	trees->call = (enum call)settings->call;
	trees->private_directories = settings->private_directories;
	report_remark(work->report, "%llu %s, depth %llu, %s; placement %s",
		      (unsigned long long)settings->tasks,
		      settings->processes ? "processes" : "threads",
		      (unsigned long long)settings->depth,
		      settings->private_directories ? "a directory each" : "the same path", label);
	ok = walk(work, settings, cpus, trees, err);
	tasks_unshare(trees, bytes);
	return ok;
}

static const struct walk_settings defaults = { .depth = 4, .tasks = 1 };

static const struct option options[] = {
	{ .kind = OPTION_CHOICE,
	  .name = "call",
	  .value = "CALL",
	  .help = "what is done with the path; open includes close",
	  .offset = offsetof(struct walk_settings, call),
	  .choices = call_names },
	{ .kind = OPTION_COUNT,
	  .name = "depth",
	  .value = "N",
	  .help = "parts of the path, 1 to 16 (4)",
	  .offset = offsetof(struct walk_settings, depth),
	  .minimum = 1,
	  .maximum = DEPTH_MAXIMUM },
	{ .kind = OPTION_COUNT,
	  .name = "tasks",
	  .value = "K",
	  .help = "how many walk (1)",
	  .offset = offsetof(struct walk_settings, tasks),
	  .minimum = 1,
	  .maximum = TASKS_MAXIMUM },
	{ OPTION_FLAG, "private", 0, NULL, "each in directories of its own",
	  offsetof(struct walk_settings, private_directories) },
	{ OPTION_FLAG, "renamer", 0, NULL, "another task renames a directory meanwhile",
	  offsetof(struct walk_settings, renamer) },
	{ OPTION_FLAG, "processes", 0, NULL, "processes instead of threads",
	  offsetof(struct walk_settings, processes) },
	PLACEMENT_TEAM_OPTIONS(struct walk_settings, placement),
	SCRATCH_OPTION(struct walk_settings, directory),
	WORK_OPTIONS(struct walk_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_path_walk = {
	.name = "path-walk",
	.summary = "stat or open by path, at a depth, by several tasks",
	.operation = "one stat, open with close, or access of a path that is in the dentry cache",
	.exercises = "the path walk: the dentry cache, its counts and sequence locks. The time is "
		     "of the whole team",
	.verified = "stat gives the inode that was made; open and access succeed every time",
	.needs = "as many cores as tasks, unless --smt or --free says otherwise",
	.examples = "# Do two tasks on one path hinder each other?\n"
		    "$ worth 'workload:path-walk --tasks 2 --private' \\\n"
		    "        'workload:path-walk --tasks 2'\n",
	.options = options,
	.settings_size = sizeof(struct walk_settings),
	.defaults = &defaults,
	.operations = 500000,
	.run = run,
};
