/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_EXEC_HOOKS_H
#define MEASURE_EXEC_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "measure/child.h"

/* One run of a hook. */
struct exec_hook {
	struct spawner *spawner;
	enum child_kind kind;
	const char *name;    /* "setup", "prepare", "conclude", "cleanup" */
	const char *command; /* for the shell */
	const char *shell;   /* NULL: sh */
	const char *directory;
	const char *const *environment;
	int interrupt_fd;
	int64_t limit_ns; /* the session's whole time: who takes longer hangs; 0: none */
	bool is_ending;	  /* undoes what another hook did: it runs after an interrupt, and through
			     one, but then for 10 s at most */
};

/* False with a sentence that names the hook, how it ended and what it printed last. */
bool exec_hook_run(const struct exec_hook *hook, struct error *err);

/* The last lines of what a command printed, at most limit bytes, clean, without blank ends. */
char *exec_tail(struct arena *arena, const char *bytes, size_t length, size_t limit);

/* "exit status 3", "signal 11 (Segmentation fault)". */
char *exec_status(struct arena *arena, int exit_status, int signal);

#endif
