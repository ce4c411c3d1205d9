/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two processes that take turns, kept on one processor: see together.h. */
#include "measure/together.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/arena.h"
#include "measure/proc.h"
#include "measure/spawn_process.h"

enum { RUNS_BETWEEN_CHECKS = 16 };

static pid_t spawner_pid(const struct together *together)
{
	return together->spawner->processes[CHILD_MEASURED].pid;
}

/* Whether anything besides the two wants a processor now: "0.31 0.27 0.19 2/143 2041", where 1 of
 * the 2 is this process, and 1 the other one unless it sleeps. Unknown counts as busy. */
static bool others_run(const struct together *together)
{
	bool asleep = atomic_load(&together->spawner->processes[CHILD_MEASURED].area->asleep) != 0;
	struct arena *arena = arena_open();
	const char *text = proc_read(arena, "", "/proc/loadavg");
	int running;

	if (text == NULL || sscanf(text, "%*s %*s %*s %d/", &running) != 1)
		running = INT_MAX;
	arena_close(arena);
	return running > (asleep ? 1 : 2);
}

static bool place(const struct together *together, const cpu_set_t *where)
{
	return sched_setaffinity(spawner_pid(together), sizeof *where, where) == 0 &&
	       sched_setaffinity(0, sizeof *where, where) == 0;
}

static void release(struct together *together)
{
	if (together->held)
		place(together, &together->allowed);
	together->held = false;
}

static void hold(struct together *together)
{
	int cpu = sched_getcpu();
	cpu_set_t here;

	if (cpu < 0 || cpu >= CPU_SETSIZE || others_run(together))
		return;
	CPU_ZERO(&here);
	CPU_SET(cpu, &here);
	/* From the next run on the child gets all processors back. */
	together->spawner->processes[CHILD_MEASURED].area->held = 1;
	together->held = true;
	if (!place(together, &here))
		together_end(together);
}

void together_begin(struct together *together, struct spawner *spawner)
{
	if (together->begun || together->ended)
		return;
	together->begun = true;
	together->spawner = spawner;
	if (sched_getaffinity(0, sizeof together->allowed, &together->allowed) != 0 ||
	    CPU_COUNT(&together->allowed) < 2)
		together->ended = true;
	else
		hold(together);
}

void together_check(struct together *together)
{
	if (!together->begun || together->ended || ++together->runs < RUNS_BETWEEN_CHECKS)
		return;
	together->runs = 0;
	if (!together->held)
		hold(together);
	else if (others_run(together))
		release(together);
}

void together_end(struct together *together)
{
	release(together);
	together->ended = true;
}
