/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two processes that take turns, kept on one processor: see together.h. */
#include "measure/together.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "measure/proc.h"
#include "measure/spawn_process.h"

enum { RUNS_BETWEEN_CHECKS = 64 };

/* Waiting for more than this share of the time is more than taking turns costs. */
static const double waiting_share = 0.02;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static pid_t spawner_pid(const struct together *together)
{
	return together->spawner->processes[CHILD_MEASURED].pid;
}

/* Time that a process was ready and had no processor: the second figure of its schedstat. */
static int64_t waited_of(struct arena *arena, pid_t pid)
{
	const char *text =
	    proc_read(arena, "", arena_printf(arena, "/proc/%d/schedstat", (int)pid));
	char *end;

	if (text == NULL)
		return 0;
	strtoull(text, &end, 10);
	return (int64_t)strtoull(end, NULL, 10);
}

static int64_t waited_ns(const struct together *together)
{
	struct arena *arena = arena_open();
	int64_t waited = waited_of(arena, getpid()) + waited_of(arena, spawner_pid(together));

	arena_close(arena);
	return waited;
}

static bool place(const struct together *together, const cpu_set_t *where)
{
	return sched_setaffinity(spawner_pid(together), sizeof *where, where) == 0 &&
	       sched_setaffinity(0, sizeof *where, where) == 0;
}

void together_begin(struct together *together, struct spawner *spawner)
{
	int cpu = sched_getcpu();
	cpu_set_t here;

	if (together->held || together->ended || cpu < 0 || cpu >= CPU_SETSIZE)
		return;
	together->spawner = spawner;
	together->ended = sched_getaffinity(0, sizeof together->allowed, &together->allowed) != 0 ||
			  CPU_COUNT(&together->allowed) < 2;
	if (together->ended)
		return;
	CPU_ZERO(&here);
	CPU_SET(cpu, &here);
	/* From the next run on the child gets all processors back. */
	spawner->processes[CHILD_MEASURED].area->held = 1;
	together->held = true;
	if (!place(together, &here)) {
		together_end(together);
		return;
	}
	together->checked_ns = now_ns();
	together->waited_ns = waited_ns(together);
}

void together_check(struct together *together)
{
	int64_t at_ns, waited;

	if (!together->held || ++together->runs < RUNS_BETWEEN_CHECKS)
		return;
	together->runs = 0;
	at_ns = now_ns();
	waited = waited_ns(together);
	if ((double)(waited - together->waited_ns) >
	    waiting_share * (double)(at_ns - together->checked_ns))
		together_end(together);
	together->checked_ns = at_ns;
	together->waited_ns = waited;
}

void together_end(struct together *together)
{
	if (together->held)
		place(together, &together->allowed);
	together->held = false;
	together->ended = true;
}
