/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Doing nothing: see idle.h. */
#include "workloads/idle.h"

/*
 * Alone on a line of cache: where it crossed one, it took 0.6 instead of 0.3 ns
 * on the machine of docs/workloads.md, and whether it did changed with every
 * change elsewhere in the program.
 */
__attribute__((aligned(64), noinline)) void idle_operations(uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++)
		__asm__ volatile("" ::: "memory");
}
