/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lstat of every path of a tree that is in the caches, by one or more threads:
 * what "git diff" does with a clean work tree (git's preload-index.c has up to
 * twenty threads of it). The paths are those of a made tree, or of a real one
 * as git's index lists them (gitformat-index, versions 2 and 3).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workloads/clock.h"
#include "workloads/git_index.h"
#include "workloads/placement.h"
#include "workloads/scratch.h"
#include "workloads/team.h"
#include "workloads/timing.h"
#include "workloads/workload.h"
#include "workloads/limits.h"

enum { THREADS_MAXIMUM = 1024, FILES_MAXIMUM = 10000000, SHARE = 128, FILES_A_DIRECTORY = 100 };

enum spread { SPREAD_DIRECTORIES, SPREAD_ONE_DIRECTORY, SPREAD_ONE_FILE };

static const char *const spread_names[] = { "directories", "one-directory", "one-file", NULL };

struct storm_settings {
	struct work_settings work;
	uint64_t files, threads;
	int spread;
	struct placement_team placement;
	const char *tree;
	const char *directory;
};

/* All paths, relative to the current directory. */
struct storm {
	const char **paths;
	ino_t *inodes; /* of the first pass, which is not timed and fills the caches */
	size_t count;
};

static bool member(struct team *team, size_t index, void *context, struct error *err)
{
	const struct storm *storm = context;
	uint64_t first, count, i;

	while ((count = team_take(team, index, &first)) > 0)
		for (i = first; i < first + count; i++) {
			size_t k = i % storm->count;
			struct stat status;

			if (lstat(storm->paths[k], &status) < 0 ||
			    status.st_ino != storm->inodes[k])
				return error_set(err, ERROR_SYSTEM,
						 "%s changed while this ran (%s); nothing else "
						 "may write to the tree",
						 storm->paths[k], limits_reason());
		}
	return true;
}

static bool make_file(const char *path, struct error *err)
{
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a file: %s", limits_reason());
	close(fd);
	return true;
}

/* Directories in two levels, a hundred files each. */
static bool make_tree(struct work *work, const struct storm_settings *settings, struct storm *storm,
		      struct error *err)
{
	size_t count = settings->spread == SPREAD_ONE_FILE ? 1 : settings->files, i;

	storm->paths = arena_alloc(work->arena, count, sizeof *storm->paths);
	storm->count = count;
	for (i = 0; i < count; i++) {
		size_t directory =
		    settings->spread == SPREAD_DIRECTORIES ? i / FILES_A_DIRECTORY : 0;
		const char *upper = arena_printf(work->arena, "d%zu", directory / 100);
		const char *lower = arena_printf(work->arena, "%s/e%zu", upper, directory);

		if ((mkdir(upper, 0700) < 0 && errno != EEXIST) ||
		    (mkdir(lower, 0700) < 0 && errno != EEXIST))
			return error_set(err, ERROR_SYSTEM, "cannot make a directory: %s",
					 limits_reason());
		storm->paths[i] = arena_printf(work->arena, "%s/f%zu", lower, i);
		if (!make_file(storm->paths[i], err))
			return false;
	}
	return true;
}

/* The first pass: what is there, and its inodes. */
static bool look_once(struct work *work, struct storm *storm, struct error *err)
{
	size_t kept = 0, missing = 0, i;

	storm->inodes = arena_alloc(work->arena, storm->count, sizeof *storm->inodes);
	for (i = 0; i < storm->count; i++) {
		struct stat status;

		if (lstat(storm->paths[i], &status) < 0) {
			missing++;
			continue;
		}
		storm->paths[kept] = storm->paths[i];
		storm->inodes[kept++] = status.st_ino;
	}
	storm->count = kept;
	if (missing > 0)
		report_remark(work->report, "%zu paths of the index are not there, and left out",
			      missing);
	return kept > 0 || error_set(err, ERROR_INPUT, "the tree has no file");
}

static bool gather(struct work *work, const struct storm_settings *settings, struct storm *storm,
		   struct error *err)
{
	if (settings->tree == NULL)
		return scratch_enter(work, settings->directory, 0,
				     settings->files + settings->files / 50 + 10, err) &&
		       make_tree(work, settings, storm, err) && look_once(work, storm, err);
	if (!git_index_read(work->arena, settings->tree, &storm->paths, &storm->count, err))
		return false;
	if (chdir(settings->tree) < 0)
		return error_set(err, ERROR_SYSTEM, "cannot enter %s: %s", settings->tree,
				 limits_reason());
	return look_once(work, storm, err);
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct storm_settings *settings = pointer;
	struct timing timing = { .name = "lstat" };
	struct storm storm = { 0 };
	struct team_plan plan = { .count = settings->threads,
				  .threads = true,
				  .function = member,
				  .context = &storm,
				  .share = SHARE };
	struct team *team;
	const char *label;

	if (!placement_team(work->arena, &settings->placement, settings->threads, &plan.cpus,
			    &label, err) ||
	    !gather(work, settings, &storm, err))
		return false;
	report_remark(work->report, "%zu paths (%s), %llu threads; placement %s", storm.count,
		      settings->tree != NULL ? settings->tree : spread_names[settings->spread],
		      (unsigned long long)settings->threads, label);
	report_remark(work->report, "the wall time contains %.2f s of making and finding them",
		      (double)(clock_ns() - work->started_ns) / 1e9);
	team = team_start(&plan, err);
	return team != NULL && timing_run_team(work, &timing, team, err) && team_end(team, err);
}

static const struct storm_settings defaults = { .files = 2000, .threads = 1 };

static const struct option options[] = {
	{ .kind = OPTION_COUNT,
	  .name = "threads",
	  .value = "K",
	  .help = "how many share the paths (1)",
	  .offset = offsetof(struct storm_settings, threads),
	  .minimum = 1,
	  .maximum = THREADS_MAXIMUM },
	{ .kind = OPTION_COUNT,
	  .name = "files",
	  .value = "N",
	  .help = "files of the made tree (2000)",
	  .offset = offsetof(struct storm_settings, files),
	  .minimum = 1,
	  .maximum = FILES_MAXIMUM },
	{ .kind = OPTION_CHOICE,
	  .name = "spread",
	  .value = "HOW",
	  .help = "where they are: a hundred a directory, all in one, or one file again and again",
	  .offset = offsetof(struct storm_settings, spread),
	  .choices = spread_names },
	{ .kind = OPTION_TEXT,
	  .name = "tree",
	  .value = "DIR",
	  .help = "the paths in the index of a git work tree instead; nothing is written there",
	  .offset = offsetof(struct storm_settings, tree),
	  .completes = COMPLETES_DIRECTORY },
	PLACEMENT_TEAM_OPTIONS(struct storm_settings, placement),
	SCRATCH_OPTION(struct storm_settings, directory),
	WORK_OPTIONS(struct storm_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_lstat_storm = {
	.name = "lstat-storm",
	.summary = "lstat of every path of a tree, as git diff does",
	.operation = "one lstat of a path whose inode is in memory",
	.exercises = "the path walk with many different paths, and what several walkers share. "
		     "The time is of all threads together",
	.verified = "every lstat gives the inode of the first pass",
	.needs = "as many cores as threads, unless --smt or --free says otherwise",
	.examples = "# What a second thread brings\n"
		    "$ worth --primary lstat 'workload:lstat-storm' \\\n"
		    "        'workload:lstat-storm --threads 2'\n",
	.options = options,
	.settings_size = sizeof(struct storm_settings),
	.defaults = &defaults,
	.operations = 500000,
	.run = run,
};
