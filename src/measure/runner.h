/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_RUNNER_H
#define MEASURE_RUNNER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "measure/schedule.h"
#include "model/recording.h"

/*
 * Whatever turns a slot into a sample: the exec runner (child processes), the
 * replay runner (samples of an earlier recording, for exact transcripts), and
 * later a booted guest. A runner owns its handles; close releases them.
 */
struct runner {
	const struct runner_ops *ops;
	void *state;
};

struct runner_ops {
	/* Once, before anything runs: resolve programs, check inputs and outputs, add the metrics
	 * that it will fill to the recording. The arena lives as long as the recording. */
	bool (*open)(struct runner *runner, struct arena *arena, struct recording *recording,
		     struct error *err);
	/* The machine as it is now; again: only what may change in the course of a session. */
	void (*environment)(struct runner *runner, struct arena *arena, bool again,
			    struct environment *environment);
	/* One of the session's own hooks, run once; NULL command: only what goes with it. "setup"
	 * and "cleanup", which also ends what the setup hook left running. */
	bool (*hook)(struct runner *runner, const char *which, const char *command,
		     struct error *err);
	/* Run one slot with its prepare and conclude hooks and fill sample, the recording's last:
	 * round, position, subject, the warm-up flag and the NAN values are set; started_ns is
	 * filled as a time on the clock of now_ns. False for trouble that ends the session: a hook
	 * failed, the command could not start, an interrupt (ERROR_INTERRUPTED). A run that fails
	 * is no trouble: it is a sample with SAMPLE_FAILED. */
	bool (*run)(struct runner *runner, struct recording *recording, const struct slot *slot,
		    struct sample *sample, struct error *err);
	/* The last lines that the latest run wrote to stderr, clean UTF-8; "" if nothing. */
	const char *(*stderr_tail)(struct runner *runner);
	/* Nanoseconds on the session's clock; replay gives the recording's own time. */
	int64_t (*now_ns)(struct runner *runner);
	void (*close)(struct runner *runner);
};

/* Child processes through the spawner (see spawner.h), which must be running. interrupt_fd as in
 * session_run. */
struct spawner;
struct runner runner_exec(struct spawner *spawner, int interrupt_fd);
/* The samples of source, slot by slot, found by round, subject and warm-up. source must outlive it.
 * Where it ends early because it was interrupted, so does the replay. */
struct runner runner_replay(const struct recording *source);

#endif
