/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work trees, keys, locks and the building itself: see build.h for the layout. */
#include "experiment/build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "base/words.h"
#include "experiment/process.h"
#include "experiment/repository.h"

enum { MOST_JOBS = 64 };

struct job {
	struct build *build;
	struct process process;
	int lock; /* -1: none */
	bool running;
};

struct workshop {
	struct arena *arena;
	struct build *builds;
	size_t count;
	struct job jobs[MOST_JOBS];
	size_t job_count;
	const struct build_events *events;
	const char *root; /* .../builds */
	const char *compilers;
};

static void tell(const struct workshop *shop, const struct build *build)
{
	if (shop->events != NULL && shop->events->told != NULL)
		shop->events->told(shop->events->context, build);
}

static void fail(const struct workshop *shop, struct build *build)
{
	build->state = BUILD_FAILED;
	tell(shop, build);
}

/* The first line of what cc and c++ say of themselves: another compiler makes another build. */
static const char *describe_compilers(struct arena *arena)
{
	static const char *const questions[][4] = { { "cc", "--version", NULL },
						    { "c++", "--version", NULL } };
	const char *compiler = getenv("CC");
	const char *own[] = { "sh", "-c", "$CC --version", NULL };
	struct text text = { 0 };
	const char *result;
	char *answer;
	size_t i;

	for (i = 0; i < 2; i++)
		if (process_read(arena, questions[i], &answer, NULL))
			text_printf(&text, "%s\n", answer);
	if (compiler != NULL && process_read(arena, own, &answer, NULL))
		text_printf(&text, "%s\n", answer);
	result = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return result;
}

/* Every part with its length, so that no two lists of parts read the same. */
static void add_part(struct text *text, const char *part)
{
	text_printf(text, "%zu:%s", strlen(part), part);
}

static char *make_key(struct workshop *shop, const struct build *build, const char *tree)
{
	static const char *const variables[] = { "PATH",     "CC",	"CXX",	   "CFLAGS",
						 "CXXFLAGS", "LDFLAGS", "CPPFLAGS" };
	struct text text = { 0 };
	const char *value;
	char *key;
	size_t i;

	add_part(&text, build->repository);
	add_part(&text, tree);
	add_part(&text, build->recipe == NULL ? "" : build->recipe);
	add_part(&text, shop->compilers);
	for (i = 0; i < sizeof variables / sizeof *variables; i++) {
		value = getenv(variables[i]);
		add_part(&text, value == NULL ? "" : value);
	}
	for (i = 0; build->environment != NULL && build->environment[i] != NULL; i++)
		add_part(&text, build->environment[i]);
	key = arena_printf(shop->arena, "%.12s-%016" PRIx64, tree,
			   random_hash(text_string(&text), text.length));
	text_release(&text);
	return key;
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* The revision looked up and the key's names made; nothing is written. */
static bool identify(struct workshop *shop, struct build *build)
{
	char *tree;

	if (!repository_resolve(shop->arena, build->repository, build->revision, &build->commit,
				&tree, &build->trouble))
		return false;
	build->directory =
	    arena_printf(shop->arena, "%s/%s", shop->root, make_key(shop, build, tree));
	build->tree = arena_printf(shop->arena, "%s/tree", build->directory);
	return true;
}

enum lock_result { LOCK_TAKEN, LOCK_ELSEWHERE, LOCK_IMPOSSIBLE };

/* One lock a key: another worth that builds the same is waited for, without holding up the rest. */
static enum lock_result take_lock(struct workshop *shop, struct job *job)
{
	const char *path = arena_printf(shop->arena, "%s.lock", job->build->directory);

	job->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (job->lock >= 0 && flock(job->lock, LOCK_EX | LOCK_NB) == 0)
		return LOCK_TAKEN;
	if (job->lock >= 0 && (errno == EWOULDBLOCK || errno == EINTR))
		return LOCK_ELSEWHERE;
	error_set(&job->build->trouble, ERROR_SYSTEM, "cannot lock %s: %s", path, strerror(errno));
	return LOCK_IMPOSSIBLE;
}

static void drop_lock(struct job *job)
{
	if (job->lock >= 0)
		close(job->lock);
	job->lock = -1;
}

/* What a shell runs: the clone, the revision, then the recipe. "set -e" by "&&", so that the log
 * ends with what failed. */
static char *script(struct arena *arena, const struct build *build)
{
	const char *tree = words_quote(arena, build->tree);
	char *checkout = arena_printf(
	    arena,
	    "git -c core.hooksPath=/dev/null clone --quiet --shared --no-checkout -- %s %s && "
	    "git -C %s config core.hooksPath /dev/null && "
	    "git -C %s -c advice.detachedHead=false checkout --quiet --detach %s",
	    words_quote(arena, build->repository), tree, tree, tree, build->commit);

	if (build->recipe == NULL)
		return checkout;
	return arena_printf(arena, "%s && cd %s && { %s\n}", checkout, tree, build->recipe);
}

static const char *log_path(struct arena *arena, const struct build *build)
{
	return arena_printf(arena, "%s/log", build->directory);
}

static bool begin(struct workshop *shop, struct job *job)
{
	struct build *build = job->build;
	const char *argv[] = { "/bin/sh", "-c", script(shop->arena, build), NULL };

	file_remove_tree(build->directory);
	if (!file_make_directory(build->directory, 0700, &build->trouble) ||
	    !process_start(&job->process, argv, NULL, build->environment,
			   log_path(shop->arena, build), &build->trouble))
		return false;
	job->running = true;
	build->state = BUILD_RUNNING;
	tell(shop, build);
	return true;
}

static void end(struct workshop *shop, struct job *job)
{
	const char *stamp = arena_printf(shop->arena, "%s/done", job->build->directory);
	struct build *build = job->build;
	int status;

	process_finish(&job->process, &status);
	job->running = false;
	if (status == 0 &&
	    file_write(stamp, build->commit, strlen(build->commit), &build->trouble)) {
		build->state = BUILD_DONE;
		tell(shop, build);
	} else {
		if (status != 0)
			error_set(&build->trouble, ERROR_COMMAND,
				  "building '%s' (%.12s) failed with status %d: %s; the whole log "
				  "is in %s",
				  build->name, build->commit, status,
				  process_log_tail(shop->arena, log_path(shop->arena, build)),
				  log_path(shop->arena, build));
		fail(shop, build);
	}
	drop_lock(job);
}

/* A build that is there already, or that this job now makes; one that somebody else is making goes
 * on waiting. */
static void take_up(struct workshop *shop, struct job *job, struct build *build)
{
	enum lock_result lock;

	job->build = build;
	lock = take_lock(shop, job);
	if (lock == LOCK_TAKEN && exists(arena_printf(shop->arena, "%s/done", build->directory))) {
		build->state = BUILD_CACHED;
		utimensat(AT_FDCWD, build->directory, NULL, 0);
		tell(shop, build);
	} else if (lock == LOCK_IMPOSSIBLE || (lock == LOCK_TAKEN && !begin(shop, job))) {
		fail(shop, build);
	}
	if (!job->running)
		drop_lock(job);
}

/* The same key is made once; whoever comes later finds it done. */
static bool same_is_running(const struct workshop *shop, const struct build *build)
{
	size_t i;

	for (i = 0; i < shop->job_count; i++)
		if (shop->jobs[i].running &&
		    strcmp(shop->jobs[i].build->directory, build->directory) == 0)
			return true;
	return false;
}

static struct job *free_job(struct workshop *shop)
{
	size_t i;

	for (i = 0; i < shop->job_count; i++)
		if (!shop->jobs[i].running)
			return &shop->jobs[i];
	return NULL;
}

static void fill_jobs(struct workshop *shop)
{
	struct job *job;
	size_t i;

	for (i = 0; i < shop->count && (job = free_job(shop)) != NULL; i++)
		if (shop->builds[i].state == BUILD_WAITING &&
		    !same_is_running(shop, &shop->builds[i]))
			take_up(shop, job, &shop->builds[i]);
}

static bool any_in_state(const struct workshop *shop, enum build_state state)
{
	size_t i;

	for (i = 0; i < shop->count; i++)
		if (shop->builds[i].state == state)
			return true;
	return false;
}

/* Wait for one to end, or for the user; false if it was the user. What waits for another worth is
 * looked at again after a while. */
static bool wait_for_one(struct workshop *shop, int interrupt_fd)
{
	enum { LOOK_AGAIN_MS = 200 };
	struct pollfd polls[MOST_JOBS + 1] = { { interrupt_fd, POLLIN, 0 } };
	size_t i;

	for (i = 0; i < shop->job_count; i++)
		polls[i + 1] =
		    (struct pollfd){ shop->jobs[i].running ? shop->jobs[i].process.fd : -1, POLLIN,
				     0 };
	while (poll(polls, shop->job_count + 1,
		    any_in_state(shop, BUILD_WAITING) ? LOOK_AGAIN_MS : -1) < 0 &&
	       errno == EINTR)
		continue;
	if (polls[0].revents != 0)
		return false;
	for (i = 0; i < shop->job_count; i++)
		if (polls[i + 1].revents != 0)
			end(shop, &shop->jobs[i]);
	return true;
}

static void kill_all(struct workshop *shop)
{
	size_t i;

	for (i = 0; i < shop->job_count; i++)
		if (shop->jobs[i].running) {
			process_kill(&shop->jobs[i].process);
			drop_lock(&shop->jobs[i]);
		}
}

static bool find_root(struct arena *arena, const char **root, struct error *err)
{
	char *cache;

	if (!file_cache_directory(arena, &cache, err))
		return false;
	*root = arena_printf(arena, "%s/builds", cache);
	return file_make_directory(*root, 0700, err);
}

bool builds_make(struct arena *arena, struct build *builds, size_t count, size_t jobs,
		 int interrupt_fd, const struct build_events *events, struct error *err)
{
	struct workshop shop = {
		.arena = arena, .builds = builds, .count = count, .events = events
	};
	size_t i;

	if (!find_root(arena, &shop.root, err))
		return false;
	shop.job_count = jobs < 1 ? 1 : jobs < MOST_JOBS ? jobs : MOST_JOBS;
	shop.compilers = describe_compilers(arena);
	for (i = 0; i < count; i++)
		if (!identify(&shop, &builds[i]))
			fail(&shop, &builds[i]);
	for (fill_jobs(&shop);
	     any_in_state(&shop, BUILD_RUNNING) || any_in_state(&shop, BUILD_WAITING);
	     fill_jobs(&shop))
		if (!wait_for_one(&shop, interrupt_fd)) {
			kill_all(&shop);
			return error_set(err, ERROR_INTERRUPTED, "interrupted while building");
		}
	return true;
}

static bool is_old(const char *path, unsigned days)
{
	enum { SECONDS_A_DAY = 86400 };
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
	       time(NULL) - status.st_mtime >= (time_t)days * SECONDS_A_DAY;
}

/* Not while somebody makes it. */
static bool remove_build(struct arena *arena, const char *directory)
{
	const char *lock_path = arena_printf(arena, "%s.lock", directory);
	int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	bool is_free = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;

	if (is_free) {
		file_remove_tree(directory);
		unlink(lock_path);
	}
	if (lock >= 0)
		close(lock);
	return is_free;
}

bool builds_prune(struct arena *arena, unsigned days, size_t *removed, struct error *err)
{
	const struct dirent *entry;
	const char *root, *path;
	DIR *directory;

	*removed = 0;
	if (!find_root(arena, &root, err))
		return false;
	directory = opendir(root);
	if (directory == NULL)
		return error_set(err, ERROR_SYSTEM, "cannot read %s: %s", root, strerror(errno));
	while ((entry = readdir(directory)) != NULL) {
		path = arena_printf(arena, "%s/%s", root, entry->d_name);
		if (entry->d_name[0] != '.' && is_old(path, days))
			*removed += remove_build(arena, path);
	}
	closedir(directory);
	return true;
}
