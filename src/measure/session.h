/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_SESSION_H
#define MEASURE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "measure/runner.h"
#include "model/recording.h"

/* What a look tells the session; commands/ takes the answer from judge/. */
struct session_advice {
	bool is_look;
	bool stop;
	double half_width_ratio; /* of the widest primary interval; INFINITY: none yet */
};

/* For the progress line. */
struct session_progress {
	size_t rounds_done, rounds_planned;
	bool warming_up;
	int64_t elapsed_ns;
	int64_t left_ns; /* till the rounds or the budget end, whichever is first; -1: unknown */
	double half_width_ratio; /* of the last look; INFINITY before the first */
};

/* The session's callers' hooks; any may be NULL. They are called between measured intervals. */
struct session_events {
	void *context;
	/* After every round, warm-up ones too: save samples[first..). An error ends the session
	 * (the recording in memory stays whole). */
	bool (*round_done)(void *context, const struct recording *recording, size_t first_sample,
			   struct error *err);
	struct session_advice (*look)(void *context, const struct recording *recording,
				      size_t rounds_done);
	void (*progress)(void *context, const struct session_progress *progress);
	/* A sentence worth saying before the end: "fewer than 6 rounds will fit into the budget".
	 */
	void (*warn)(void *context, const char *sentence);
	/* After the last round of a session that ended well, while what the setup hook made is
	 * still there: runs outside the schedule (measure/simulated.h). */
	bool (*before_cleanup)(void *context, struct recording *recording, struct error *err);
};

/*
 * Run a plan: setup hook, warm-up, rounds in the schedule's order, looks,
 * cleanup hook, filling the recording (whose plan is set; on --resume and
 * --extend it already holds the earlier samples, and the schedule goes on
 * where it stopped). interrupt_fd becomes readable when the user wants an end
 * (a signalfd; -1: none): the round under way is thrown away, the rest kept,
 * end is END_INTERRUPTED and the function succeeds. A failed run without
 * ignore_failure: the recording keeps it, end is END_FAILED, returns false with
 * a sentence that names command, round, status or signal, and stderr's tail.
 */
bool session_run(struct arena *arena, struct recording *recording, struct runner *runner,
		 const struct session_events *events, int interrupt_fd, struct error *err);

#endif
