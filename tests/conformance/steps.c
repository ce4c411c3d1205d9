/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Delays at the seams of the specimens: see steps.h. */
#include "steps.h"

#include <sched.h>
#include <stdbool.h>
#include <time.h>

#include "base/random.h"
#include "specimens/step.h"

enum { PAUSES_TO_YIELD = 16 };

static _Thread_local struct {
	struct step_plan plan;
	struct random random;
	uint32_t pauses;
} stepper;

const struct step_plan *steps_usual(uint64_t seed)
{
	static const struct step_plan plans[] = {
		{ .yield_in = 8, .sleep_in = 256, .sleep_ns = 60000 },
		{ .yield_in = 2, .sleep_in = 4096, .sleep_ns = 1000000 },
		{ .yield_in = 4, .sleep_in = 32, .sleep_ns = 30000 },
		{ .yield_in = 64, .sleep_in = 1024, .sleep_ns = 200000 },
	};

	return &plans[seed % (sizeof plans / sizeof *plans)];
}

void steps_enter(const struct step_plan *plan, uint64_t seed)
{
	stepper.plan = plan == NULL ? (struct step_plan){ 0 } : *plan;
	stepper.random.state = seed;
	stepper.pauses = 0;
}

static void sleep_for(uint64_t ns)
{
	struct timespec time = { .tv_nsec = (long)ns };

	nanosleep(&time, NULL);
}

static bool one_in(uint32_t count)
{
	return count > 0 && random_below(&stepper.random, count) == 0;
}

void specimen_step(void)
{
	if (one_in(stepper.plan.sleep_in))
		sleep_for(random_below(&stepper.random, stepper.plan.sleep_ns + 1));
	else if (one_in(stepper.plan.yield_in))
		sched_yield();
}

void specimen_pause(void)
{
	if (stepper.plan.pause_ns > 0)
		sleep_for(stepper.plan.pause_ns);
	else if (++stepper.pauses % PAUSES_TO_YIELD == 0)
		sched_yield();
}
