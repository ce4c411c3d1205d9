/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * git keeps the content, with its repository and its index below the cache and
 * the directory as its work tree. The user's own settings of git that change
 * what is stored (line ends) are switched off.
 */
#include "experiment/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/random.h"
#include "base/words.h"
#include "experiment/process.h"
#include "experiment/repository.h"

#define REF "refs/heads/snapshot"

/* Whoever and whenever made it: the commit is that of its content. */
static const char *const nobody[] = { "GIT_AUTHOR_NAME=worth",
				      "GIT_AUTHOR_EMAIL=worth@localhost",
				      "GIT_AUTHOR_DATE=2000-01-01T00:00:00Z",
				      "GIT_COMMITTER_NAME=worth",
				      "GIT_COMMITTER_EMAIL=worth@localhost",
				      "GIT_COMMITTER_DATE=2000-01-01T00:00:00Z",
				      NULL };

/* The list of files in a file, so that a failure of either half is one. */
static char *make_script(struct arena *arena, const char *root, const char *directory,
			 const char *const *left_out)
{
	const char *place = words_quote(arena, root);
	char *git =
	    arena_printf(arena,
			 "git --git-dir=%s/git -c core.bare=false -c core.hooksPath=/dev/null "
			 "-c core.autocrlf=false -c core.eol=lf -c core.attributesFile=/dev/null "
			 "-c core.fsmonitor=false",
			 place);
	char *patterns = arena_strdup(arena, "");
	size_t i;

	for (i = 0; left_out[i] != NULL; i++)
		patterns = arena_printf(arena, "%s --exclude=%s", patterns,
					words_quote(arena, left_out[i]));
	return arena_printf(
	    arena,
	    "git init --quiet --bare %s/git && rm -f %s/git/index.lock && "
	    "%s --work-tree=%s ls-files -z --cached --others%s >%s/list && "
	    "{ grep -zv '/$' <%s/list || true; } | %s --work-tree=%s update-index -z --add "
	    "--remove "
	    "--stdin && tree=$(%s write-tree) && commit=$(%s commit-tree -m snapshot \"$tree\") && "
	    "%s update-ref " REF " \"$commit\"",
	    place, place, git, words_quote(arena, directory), patterns, place, place, git,
	    words_quote(arena, directory), git, git, git);
}

/* To its end; false when the user does not want to wait any more. */
static bool await(struct process *process, int interrupt_fd, int *status, struct error *err)
{
	struct pollfd polls[] = { { process->fd, POLLIN, 0 }, { interrupt_fd, POLLIN, 0 } };

	while (poll(polls, 2, -1) < 0 && errno == EINTR)
		continue;
	if (polls[1].revents != 0) {
		process_kill(process);
		return error_set(err, ERROR_INTERRUPTED, "interrupted while reading the sources");
	}
	process_finish(process, status);
	return true;
}

static bool take(struct arena *arena, const char *directory, const char *const *left_out,
		 const char *root, int interrupt_fd, struct snapshot *snapshot, struct error *err)
{
	const char *log = arena_printf(arena, "%s/log", root);
	const char *argv[] = { "/bin/sh", "-c", make_script(arena, root, directory, left_out),
			       NULL };
	struct process process;
	int status;
	char *tree;

	unlink(log);
	if (!process_start(&process, argv, directory, nobody, log, err) ||
	    !await(&process, interrupt_fd, &status, err))
		return false;
	if (status != 0) {
		error_set(err, ERROR_SYSTEM, "cannot keep a copy of %s in %s: %s", directory, root,
			  process_log_tail(arena, log));
		file_remove_tree(root);
		return false;
	}
	return repository_resolve(arena, snapshot->repository, REF, &snapshot->commit, &tree, err);
}

bool snapshot_make(struct arena *arena, const char *directory, const char *const *left_out,
		   int interrupt_fd, struct snapshot *snapshot, struct error *err)
{
	char *cache, *whole = realpath(directory, NULL), *top, *root;
	int lock;
	bool taken;

	if (whole == NULL)
		return error_set(err, ERROR_USAGE, "cannot open %s: %s", directory,
				 strerror(errno));
	top = arena_strdup(arena, whole);
	free(whole);
	if (!file_cache_directory(arena, &cache, err))
		return false;
	root = arena_printf(arena, "%s/builds/snapshot-%016" PRIx64, cache,
			    random_hash(top, strlen(top)));
	snapshot->repository = arena_printf(arena, "%s/git", root);
	if (!file_make_directory(root, 0700, err))
		return false;
	lock = open(arena_printf(arena, "%s.lock", root), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (lock < 0 || flock(lock, LOCK_EX) != 0)
		return error_set(err, ERROR_SYSTEM, "cannot lock %s.lock: %s", root,
				 strerror(errno));
	taken = take(arena, top, left_out, root, interrupt_fd, snapshot, err);
	close(lock);
	return taken;
}
