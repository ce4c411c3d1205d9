/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPERIMENT_BUILD_H
#define EXPERIMENT_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Builds of revisions in work trees of their own below the cache directory:
 *
 *	builds/KEY/		KEY = tree, recipe, compilers, environment
 *	builds/KEY/tree/	a clone that shares the objects of the user's repository
 *	builds/KEY/log		what the recipe printed
 *	builds/KEY/done		written last; without it the directory is begun anew
 *	builds/KEY.lock		held by whoever builds it
 *
 * The user's repository is only read, its hooks are never run, and what a kill
 * left half built is thrown away by the next build of the same key.
 */
enum build_state { BUILD_WAITING, BUILD_RUNNING, BUILD_CACHED, BUILD_DONE, BUILD_FAILED };

struct build {
	/* Given. */
	const char *name;	/* for messages */
	const char *repository; /* its top directory */
	const char *revision;
	const char *recipe;		/* a shell command run in the tree; NULL: nothing to do */
	const char *const *environment; /* NAME=VALUE, NULL-terminated; may be NULL */
	/* Made. */
	char *commit;	 /* in full; NULL while the revision is unknown */
	char *tree;	 /* the directory */
	char *directory; /* of the key */
	enum build_state state;
	struct error trouble; /* of a failed one: names the log where there is one */
};

/* Told when a build begins and when it has ended. */
struct build_events {
	void *context;
	void (*told)(void *context, const struct build *build);
};

/*
 * Make them all, at most jobs at a time; builds with the same key are made
 * once. True if the user did not interrupt (interrupt_fd became readable; -1:
 * none) and the cache could be used; each build's own failure is in its state
 * and trouble. Everything is made in arena.
 */
bool builds_make(struct arena *arena, struct build *builds, size_t count, size_t jobs,
		 int interrupt_fd, const struct build_events *events, struct error *err);

/* Remove builds that are older than that many days and not being made; how many went. */
bool builds_prune(struct arena *arena, unsigned days, size_t *removed, struct error *err);

#endif
