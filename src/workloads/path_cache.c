/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lookups in a path cache of the specimens, by threads that share a file, its
 * directories or the root alone, while another renames files beside those that
 * are looked up. What a variant writes on the way decides how it scales.
 */
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "specimens/paths/path.h"
#include "workloads/clock.h"
#include "workloads/placement.h"
#include "workloads/tasks.h"
#include "workloads/team.h"
#include "workloads/timing.h"
#include "workloads/workload.h"

enum {
	TASKS_MAXIMUM = 1024,
	DEPTH_MAXIMUM = 16,
	FILES_MAXIMUM = 1000000,
	SHARE = 512,
	DEFERRED = 256,
	SLEEP_LEAST_NS = 100000, /* shorter waits are spent looking at the clock */
};

enum sharing { SHARING_FILE, SHARING_DIRECTORY, SHARING_ROOT };

static const char *const sharing_names[] = { "same-file", "same-directory", "different-directories",
					     NULL };

struct cache_settings {
	struct work_settings work;
	const char *cache;
	uint64_t depth, tasks, files, renames;
	int sharing;
	struct placement_team placement;
};

/* A thread's lookups. */
struct walker {
	struct path_thread thread;
	struct path_query *queries;
	size_t query_count;
	uint64_t next; /* the query that it begins its next share with */
};

struct cache_run {
	const struct path_kind *kind;
	struct path_cache *cache;
	struct walker *walkers;
	const struct cache_settings *settings;
	/* The renamer's. */
	struct task task;
	atomic_bool quit;
	char *names[2]; /* of the file that it renames */
	uint64_t renamed;
};

static bool refuse(struct work *work, const char *name, struct error *err)
{
	const struct path_kind *const *kind;
	struct text there = { 0 };

	for (kind = path_kinds; *kind != NULL; kind++)
		text_printf(&there, "%s%s%s", there.length == 0 ? "" : ", ", (*kind)->name,
			    (*kind)->absent == NULL ? "" : " (absent)");
	error_set(err, ERROR_USAGE, "there is no path cache \"%s\"; there are %s",
		  text_clean(work->arena, name, strlen(name)), text_string(&there));
	text_release(&there);
	return false;
}

static bool choose(struct work *work, const char *name, const struct path_kind **chosen,
		   struct error *err)
{
	const struct path_kind *const *kind = path_kinds;

	while (*kind != NULL && strcmp((*kind)->name, name) != 0)
		kind++;
	if (*kind == NULL)
		return refuse(work, name, err);
	if ((*kind)->absent != NULL)
		return error_set(err, ERROR_SYSTEM, "%s is not in this build: %s", name,
				 (*kind)->absent);
	*chosen = *kind;
	return true;
}

static bool create(struct cache_run *run, const char *path, uint64_t id, bool directory,
		   struct error *err)
{
	return run->kind->create(run->cache, path, id, directory) ||
	       error_set(err, ERROR_SYSTEM,
			 "cannot put %s into the cache: there is no memory for so much", path);
}

/* Directories of one thread or of all, down to the last but one part of a path. */
static bool make_directories(struct cache_run *run, uint64_t number, struct text *path,
			     struct error *err)
{
	uint64_t level;

	for (level = 1; level < run->settings->depth; level++) {
		text_printf(path, "/dir%llu-%llu", (unsigned long long)level,
			    (unsigned long long)number);
		if (!create(run, text_string(path), number * DEPTH_MAXIMUM + level, true, err))
			return false;
	}
	return true;
}

static bool make_files(struct work *work, struct cache_run *run, struct walker *walker,
		       uint64_t index, const char *directory, struct error *err)
{
	uint64_t i;

	walker->query_count = run->settings->sharing == SHARING_FILE ? 1 : run->settings->files;
	walker->queries = arena_alloc(work->arena, walker->query_count, sizeof *walker->queries);
	for (i = 0; i < walker->query_count; i++) {
		struct path_query *query = &walker->queries[i];

		query->id = (index << 32) + i + 1;
		query->path = arena_printf(work->arena, "%s/file%llu-%llu", directory,
					   (unsigned long long)index, (unsigned long long)i);
		query->length = strlen(query->path);
		if (!create(run, query->path, query->id, false, err))
			return false;
	}
	return true;
}

/* Beside the files of the first thread, so that the names are in its directory. */
static bool make_renamed(struct work *work, struct cache_run *run, const char *directory,
			 struct error *err)
{
	run->names[0] = arena_printf(work->arena, "%s/renamed", directory);
	run->names[1] = arena_printf(work->arena, "%s/other-name", directory);
	return create(run, run->names[0], UINT64_MAX, false, err);
}

static bool make_walker(struct work *work, struct cache_run *run, uint64_t index, struct error *err)
{
	bool own = run->settings->sharing == SHARING_ROOT;
	struct text path = { 0 };
	bool ok;

	ok = (!own && index > 0) || make_directories(run, own ? index : 0, &path, err);
	if (!own && index > 0) { /* those of the first, whose paths begin so */
		const struct path_query *query = run->walkers[0].queries;

		text_printf(&path, "%.*s", (int)(strrchr(query->path, '/') - query->path),
			    query->path);
	}
	if (run->settings->sharing == SHARING_FILE && index > 0)
		run->walkers[index] = run->walkers[0];
	else
		ok = ok &&
		     make_files(work, run, &run->walkers[index], index, text_string(&path), err);
	ok = ok && (index > 0 || make_renamed(work, run, text_string(&path), err));
	text_release(&path);
	return ok;
}

static bool member(struct team *team, size_t index, void *context, struct error *err)
{
	struct cache_run *run = context;
	struct walker *walker = &run->walkers[index];
	uint64_t first, count, wrong = 0;

	path_thread_enter(&walker->thread);
	while ((count = team_take(team, index, &first)) > 0) {
		wrong += run->kind->lookups(run->cache, &walker->thread, walker->queries,
					    walker->query_count, walker->next, count);
		walker->next = (walker->next + count) % walker->query_count;
	}
	path_thread_leave(&walker->thread);
	return wrong == 0 ||
	       error_set(err, ERROR_SYSTEM,
			 "%llu lookups in %s did not find what is there: it is broken",
			 (unsigned long long)wrong, run->kind->name);
}

static void wait_until(const struct cache_run *run, int64_t then_ns)
{
	int64_t left_ns;

	while ((left_ns = then_ns - clock_ns()) > 0 && !atomic_load(&run->quit)) {
		struct timespec nap = { .tv_nsec = left_ns < 10000000 ? left_ns : 10000000 };

		if (left_ns >= SLEEP_LEAST_NS)
			nanosleep(&nap, NULL);
	}
}

/* There and back, each a rename, at its own pace; what it is late by it does not make up. */
static bool renamer(void *context, struct error *err)
{
	struct cache_run *run = context;
	int64_t pause_ns = 1000000000 / (int64_t)run->settings->renames, due_ns = clock_ns();
	struct path_thread thread = { 0 };
	bool ok = true;

	path_thread_enter(&thread);
	while (ok && !atomic_load_explicit(&run->quit, memory_order_relaxed)) {
		ok = run->kind->rename(run->cache, run->names[run->renamed % 2],
				       run->names[(run->renamed + 1) % 2]);
		run->renamed++;
		due_ns += pause_ns;
		if (due_ns < clock_ns())
			due_ns = clock_ns();
		wait_until(run, due_ns);
	}
	path_thread_leave(&thread);
	return ok || error_set(err, ERROR_SYSTEM, "%s refused to rename a file that is there",
			       run->kind->name);
}

/* Of all threads so far. */
static void count_trouble(const struct cache_run *run, uint64_t *retries, uint64_t *fallbacks,
			  uint64_t *locked)
{
	uint64_t i;

	*retries = *fallbacks = *locked = 0;
	for (i = 0; i < run->settings->tasks; i++) {
		*retries += run->walkers[i].thread.retries;
		*fallbacks += run->walkers[i].thread.fallbacks;
		*locked += run->walkers[i].thread.locked;
	}
}

static void report_trouble(struct work *work, const struct cache_run *run, uint64_t lookups)
{
	uint64_t retries, fallbacks, locked;

	count_trouble(run, &retries, &fallbacks, &locked);
	report_value(work->report, "retries", 1e6 * (double)retries / (double)lookups, "ppm",
		     REPORT_LOWER);
	report_value(work->report, "fallbacks", 1e6 * (double)fallbacks / (double)lookups, "ppm",
		     REPORT_LOWER);
	report_value(work->report, "locked", 1e6 * (double)locked / (double)lookups, "ppm",
		     REPORT_LOWER);
}

static bool measure(struct work *work, struct cache_run *run, struct team *team, struct error *err)
{
	struct timing timing = { .name = "lookup" };

	if (!timing_run_team(work, &timing, team, err))
		return false;
	report_trouble(work, run, timing.done);
	return true;
}

static bool with_renamer(struct work *work, struct cache_run *run, struct team *team,
			 struct error *err)
{
	int64_t start_ns = clock_ns();
	bool ok;

	run->task = (struct task){
		.thread = true, .cpu = PLACEMENT_FLOATING, .function = renamer, .context = run
	};
	if (!task_start(&run->task, err))
		return false;
	ok = measure(work, run, team, err);
	atomic_store(&run->quit, true);
	ok = task_join(&run->task, ok ? err : NULL) && ok;
	report_value(work->report, "renames",
		     (double)run->renamed * 1e9 / (double)(clock_ns() - start_ns), "1/s",
		     REPORT_HIGHER);
	return ok;
}

static bool walk(struct work *work, struct cache_run *run, const int *cpus, struct error *err)
{
	struct team_plan plan = { .count = run->settings->tasks,
				  .threads = true,
				  .cpus = cpus,
				  .function = member,
				  .context = run,
				  .share = SHARE };
	const char *rule;
	struct team *team;
	uint64_t i;
	bool ok;

	for (i = 0; i < run->settings->tasks; i++)
		if (!make_walker(work, run, i, err))
			return false;
	team = team_start(&plan, err);
	if (team == NULL)
		return false;
	ok = run->settings->renames > 0 ? with_renamer(work, run, team, err)
					: measure(work, run, team, err);
	if (!team_end(team, ok ? err : NULL) || !ok)
		return false;
	rule = run->kind->check(run->cache);
	return rule == NULL ||
	       error_set(err, ERROR_SYSTEM, "%s is broken: %s", run->kind->name, rule);
}

/*
 * Four times as many as there are entries, so that few chains hold two: on the way along a chain a
 * walk reads entries that another thread has just written references to. The kernel sizes its
 * table by memory, a bucket for every 8 KiB (dhash_entries), which is as sparse.
 */
static uint32_t buckets_for(const struct cache_settings *settings)
{
	uint64_t entries = settings->tasks * (settings->files + settings->depth);
	uint32_t buckets = 1024;

	while (buckets < 4 * entries && buckets < UINT32_C(1) << 30)
		buckets *= 2;
	return buckets;
}

static void *aligned(struct arena *arena, size_t bytes)
{
	uintptr_t memory = (uintptr_t)arena_alloc(arena, 1, bytes + SPECIMEN_APART);

	return (void *)((memory + SPECIMEN_APART - 1) / SPECIMEN_APART * SPECIMEN_APART);
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct cache_settings *settings = pointer;
	struct path_settings size = { .buckets = buckets_for(settings),
				      .hash_bits = 32,
				      .deferred = DEFERRED };
	struct cache_run run = { .settings = settings };
	struct path_thread thread = { 0 };
	const char *label;
	const int *cpus;
	bool ok;

	if (!choose(work, settings->cache, &run.kind, err) ||
	    !placement_team(work->arena, &settings->placement, settings->tasks, &cpus, &label, err))
		return false;
	run.cache = run.kind->make(&size);
	if (run.cache == NULL)
		return error_set(err, ERROR_SYSTEM,
				 "there is no memory for the cache: give fewer "
				 "--files");
	run.walkers = aligned(work->arena, settings->tasks * sizeof *run.walkers);
	report_remark(work->report, "%s, %llu threads, depth %llu, %s; placement %s",
		      run.kind->name, (unsigned long long)settings->tasks,
		      (unsigned long long)settings->depth, sharing_names[settings->sharing], label);
	path_thread_enter(&thread);
	ok = walk(work, &run, cpus, err);
	if (ok)
		run.kind->release(run.cache);
	path_thread_leave(&thread);
	return ok;
}

static const struct cache_settings defaults = {
	.cache = "store-free", .depth = 4, .tasks = 1, .files = 1000, .sharing = SHARING_DIRECTORY
};

static const struct option options[] = {
	{ .kind = OPTION_TEXT,
	  .name = "cache",
	  .value = "NAME",
	  .help = "which variant (store-free); \"list\" shows them",
	  .offset = offsetof(struct cache_settings, cache) },
	{ .kind = OPTION_COUNT,
	  .name = "depth",
	  .value = "N",
	  .help = "parts of a path, 1 to 16 (4)",
	  .offset = offsetof(struct cache_settings, depth),
	  .minimum = 1,
	  .maximum = DEPTH_MAXIMUM },
	{ .kind = OPTION_COUNT,
	  .name = "tasks",
	  .value = "K",
	  .help = "threads that look up (1)",
	  .offset = offsetof(struct cache_settings, tasks),
	  .minimum = 1,
	  .maximum = TASKS_MAXIMUM },
	{ .kind = OPTION_CHOICE,
	  .name = "sharing",
	  .value = "WHAT",
	  .help = "what their paths share: all of one file's, the directories of files of their "
		  "own (same-directory), or the root alone",
	  .offset = offsetof(struct cache_settings, sharing),
	  .choices = sharing_names },
	{ .kind = OPTION_COUNT,
	  .name = "files",
	  .value = "N",
	  .help = "that each looks up in turn, unless it is the same file (1000)",
	  .offset = offsetof(struct cache_settings, files),
	  .minimum = 1,
	  .maximum = FILES_MAXIMUM },
	{ .kind = OPTION_COUNT,
	  .name = "renames",
	  .value = "RATE",
	  .help = "another thread renames a file beside them, so often a second (0)",
	  .offset = offsetof(struct cache_settings, renames),
	  .maximum = 100000000 },
	PLACEMENT_TEAM_OPTIONS(struct cache_settings, placement),
	WORK_OPTIONS(struct cache_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_path_cache = {
	.name = "path-cache",
	.summary = "lookups by path in a cache of names, by threads",
	.operation = "one lookup of a path that is there, with the reference to what was found "
		     "given back",
	.exercises = "atomic operations, RCU and the caches of data. Figures: lookup (ns a lookup, "
		     "of a team the wall time of all); retries (steps taken once more), fallbacks "
		     "(walks without stores that had no answer) and locked (walks that held "
		     "changes off), each of a million lookups; with --renames renames (a second)",
	.verified = "each lookup finds the file that was made, and in the end no reference and no "
		    "memory is lost",
	.needs = "as many cores as tasks, unless --smt or --free says otherwise",
	.examples = "# What references on the way cost\n"
		    "$ worth 'workload:path-cache --cache reference-atomic' \\\n"
		    "        'workload:path-cache --cache store-free'\n"
		    "# Two threads in the same directories, and a renamer\n"
		    "$ worth workload path-cache --tasks 2 --renames 10000\n",
	.options = options,
	.settings_size = sizeof(struct cache_settings),
	.defaults = &defaults,
	.operations = 10000000,
	.run = run,
};
