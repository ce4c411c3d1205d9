/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The progress line: see progress.h. */
#include "commands/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/units.h"

enum { TERMINAL_INTERVAL_MS = 100, PLAIN_INTERVAL_MS = 10000 };

void progress_init(struct progress *progress, bool quiet)
{
	memset(progress, 0, sizeof *progress);
	progress->quiet = quiet;
	progress->terminal = isatty(STDERR_FILENO) == 1;
	progress->interval_ns =
	    (progress->terminal ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS) * INT64_C(1000000);
	progress->last_shown_ns = progress->terminal ? INT64_MIN / 2 : 0;
}

static void print_line(const struct progress *progress, const struct session_progress *at,
		       struct arena *arena)
{
	if (progress->terminal)
		fputs("\r\033[K", stderr);
	if (at->warming_up)
		fprintf(stderr, "warming up");
	else
		fprintf(stderr, "round %zu of %zu", at->rounds_done, at->rounds_planned);
	if (at->left_ns >= 0)
		fprintf(stderr, ", at most %s left", units_duration(arena, at->left_ns));
	if (isfinite(at->half_width_ratio))
		fprintf(stderr, ", interval +-%s", units_percent(arena, at->half_width_ratio));
	if (!progress->terminal)
		fputc('\n', stderr);
	fflush(stderr);
}

void progress_show(struct progress *progress, const struct session_progress *at)
{
	struct arena *arena;

	if (progress->quiet || at->elapsed_ns - progress->last_shown_ns < progress->interval_ns)
		return;
	progress->last_shown_ns = at->elapsed_ns;
	progress->shown = true;
	arena = arena_open();
	print_line(progress, at, arena);
	arena_close(arena);
}

void progress_clear(struct progress *progress)
{
	if (progress->terminal && progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
