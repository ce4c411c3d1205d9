/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures from batches, and what the harness takes: see timing.h. */
#include "workloads/timing.h"

#include <stdlib.h>

#include "workloads/batches.h"
#include "workloads/clock.h"
#include "workloads/idle.h"

enum { COST_BATCHES = 5, COST_OPERATIONS = 5000000, CLOCK_CALLS = 1000 };

/* One batch of count operations that do nothing. */
typedef int64_t (*idle_batch)(void *context, uint64_t count);

static int64_t idle_loop(void *context, uint64_t count)
{
	int64_t start_ns = clock_ns();

	(void)context;
	idle_operations(count);
	return clock_ns() - start_ns;
}

static int64_t idle_team(void *context, uint64_t count)
{
	return team_idle_batch(context, count);
}

static int compare_times(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/*
 * The median: the least would be that of a lucky batch, and an interruption
 * would be most of a mean. Batches as large as those of the figure, because the
 * clock and the gate are a share of them; up to some that last milliseconds.
 */
static double cost_ns(idle_batch idle, void *context, uint64_t count)
{
	int64_t elapsed_ns[COST_BATCHES];
	int i;

	for (i = 0; i < COST_BATCHES; i++)
		elapsed_ns[i] = idle(context, count);
	qsort(elapsed_ns, COST_BATCHES, sizeof *elapsed_ns, compare_times);
	return (double)elapsed_ns[COST_BATCHES / 2] / (double)count;
}

static uint64_t cost_operations(uint64_t count)
{
	return count == 0 ? 1 : count > COST_OPERATIONS ? COST_OPERATIONS : count;
}

void timing_remark_loop(struct work *work, uint64_t count)
{
	report_remark(work->report,
		      "the loop and the clock take %.2f ns an operation, which is included",
		      cost_ns(idle_loop, NULL, cost_operations(count)));
}

void timing_remark_clock(struct work *work, const char *what)
{
	int64_t start_ns = clock_ns();
	int i;

	for (i = 1; i < CLOCK_CALLS; i++)
		clock_ns();
	report_remark(work->report, "%s is timed by itself, which takes %.0f ns and is included",
		      what, (double)(clock_ns() - start_ns) / CLOCK_CALLS);
}

/* usual: operations of the first batch that is a figure, and so of all but the last. */
static bool run_batches(struct work *work, struct timing *timing, uint64_t *usual,
			struct error *err)
{
	struct batches batches;
	uint64_t count;

	*usual = 0;
	batches_init_multiple(&batches, work, timing->multiple == 0 ? 1 : timing->multiple);
	while ((count = batches_next(&batches)) > 0) {
		int64_t start_ns = clock_ns(), elapsed_ns;

		if (!timing->act(timing->context, count, err))
			return false;
		elapsed_ns = clock_ns() - start_ns;
		if (!batches_end(&batches, elapsed_ns))
			continue;
		*usual = *usual == 0 ? count : *usual;
		report_value(work->report, timing->name, (double)elapsed_ns / (double)count, "ns",
			     REPORT_LOWER);
		if (timing->reported != NULL)
			timing->reported(work, timing->context);
	}
	timing->done = batches.done;
	return true;
}

bool timing_run(struct work *work, struct timing *timing, struct error *err)
{
	uint64_t usual;

	if (!run_batches(work, timing, &usual, err))
		return false;
	timing_remark_loop(work, usual);
	return true;
}

static bool act_as_team(void *context, uint64_t count, struct error *err)
{
	(void)err; /* a member that fails ends the run itself */
	team_batch(context, count);
	return true;
}

bool timing_run_team(struct work *work, struct timing *timing, struct team *team, struct error *err)
{
	uint64_t usual;

	timing->act = act_as_team;
	timing->context = team;
	if (!run_batches(work, timing, &usual, err))
		return false;
	report_remark(work->report,
		      "the loop, the shares and the gate of the team take %.2f ns an "
		      "operation, which is included",
		      cost_ns(idle_team, team, cost_operations(usual)));
	return true;
}
