/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CONFORMANCE_STEPS_H
#define CONFORMANCE_STEPS_H

#include <stdint.h>

/*
 * What happens at the seams of a specimen (src/specimens/step.h) in a thread:
 * mostly nothing, sometimes the CPU is given away, sometimes time passes. A
 * thread without a plan is not delayed.
 */
struct step_plan {
	uint32_t yield_in; /* one in so many steps yields; 0: none */
	uint32_t sleep_in; /* one in so many sleeps; 0: none */
	uint32_t sleep_ns; /* at most */
	uint32_t pause_ns; /* every pause of a loop that waits takes so long; 0: a yield now and
			    * then, for a queue moves only when the next in it runs */
};

/* One of some mixtures, from many short delays to few long ones. */
const struct step_plan *steps_usual(uint64_t seed);

/* For the calling thread, until its end; plan may be NULL: no delays, and pauses that yield. */
void steps_enter(const struct step_plan *plan, uint64_t seed);

#endif
