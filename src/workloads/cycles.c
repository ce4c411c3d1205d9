/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A chain of multiplications as a clock: see cycles.h. */
#include "workloads/cycles.h"

#include <math.h>
#include <stdint.h>

#include "workloads/clock.h"

enum { CHAIN_STEPS = 10000, CHAIN_CYCLES = 3 * CHAIN_STEPS, CHAINS = 3 };

double cycles_length_ns(void)
{
#if defined(__x86_64__)
	int64_t best_ns = INT64_MAX, start_ns, elapsed_ns;
	uint64_t value = 3;
	int chain, i;

	for (chain = 0; chain < CHAINS; chain++) {
		start_ns = clock_ns();
		for (i = 0; i < CHAIN_STEPS; i++)
			__asm__ volatile("imul %0, %0" : "+r"(value) : : "cc");
		elapsed_ns = clock_ns() - start_ns;
		if (elapsed_ns < best_ns)
			best_ns = elapsed_ns;
	}
	return (double)best_ns / CHAIN_CYCLES;
#else
	return NAN;
#endif
}
