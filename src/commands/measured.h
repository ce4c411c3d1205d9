/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_MEASURED_H
#define COMMANDS_MEASURED_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "commands/interrupt.h"
#include "measure/runner.h"
#include "measure/spawner.h"
#include "model/recording.h"
#include "store/history/history.h"

/* Where a measurement comes from and what goes along with it. */
struct measuring {
	struct arena *arena;
	struct spawner *spawner;
	struct history *history; /* NULL: not saved */
	const char *title;	 /* the command line, for the history's list */
	bool quiet;		 /* no progress line */
	struct runner *runner;	 /* NULL: the plan's commands are run as child processes */
	struct interrupt interrupt;
	/* More to be measured once all rounds are done, as a part of the session; NULL: nothing. */
	bool (*after_rounds)(struct measuring *measuring, struct recording *recording,
			     struct error *err);
	void *context;		 /* for it */
	struct error save_error; /* the history failed in the middle; measuring went on */
};

/*
 * Measure a recording whose plan is set to its end: session, simulated runs,
 * every round saved as it ends. A history that fails in the middle (a full
 * disk) does not cost the measurement: it goes on unsaved, and save_error says
 * so. False for what session_run calls trouble; the recording then still holds
 * what was measured.
 */
bool measured_run(struct measuring *measuring, struct recording *recording, bool again,
		  struct error *err);

#endif
