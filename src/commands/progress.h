/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_PROGRESS_H
#define COMMANDS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/session.h"

/*
 * The progress line on stderr: rounds done, time left, half-width reached.
 * Never the estimate: whoever watches that and stops when it looks good is
 * peeking. On a terminal one line is rewritten at most ten times a second;
 * elsewhere a plain line appears now and then.
 */
struct progress {
	bool terminal;
	bool quiet;
	bool shown;	       /* a line stands on the terminal */
	int64_t last_shown_ns; /* elapsed time of the line that was shown last */
	int64_t interval_ns;
};

void progress_init(struct progress *progress, bool quiet);
void progress_show(struct progress *progress, const struct session_progress *at);
/* Take the line away, so that something else can be printed. */
void progress_clear(struct progress *progress);

#endif
