/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times of single operations: see latency.h. */
#include "workloads/latency.h"

#include <math.h>
#include <stddef.h>

enum { CELLS_BITS = 4, CELLS_A_DOUBLING = 1 << CELLS_BITS };

static size_t cell_of(uint64_t ns)
{
	unsigned shift;

	if (ns < CELLS_A_DOUBLING)
		return ns;
	shift = 63 - (unsigned)__builtin_clzll(ns) - CELLS_BITS;
	return (size_t)(shift + 1) * CELLS_A_DOUBLING + ((ns >> shift) - CELLS_A_DOUBLING);
}

/* The greatest time of a cell. */
static double upper_end(size_t cell)
{
	size_t shift = cell / CELLS_A_DOUBLING;

	if (shift == 0)
		return (double)cell;
	return ldexp((double)(CELLS_A_DOUBLING + cell % CELLS_A_DOUBLING + 1), (int)shift - 1) - 1;
}

void latency_add(struct latency *latency, int64_t ns)
{
	latency->cells[cell_of((uint64_t)ns)]++;
	latency->count++;
	if (ns > latency->greatest_ns)
		latency->greatest_ns = ns;
}

void latency_merge(struct latency *into, const struct latency *from)
{
	size_t i;

	for (i = 0; i < LATENCY_CELLS; i++)
		into->cells[i] += from->cells[i];
	into->count += from->count;
	if (from->greatest_ns > into->greatest_ns)
		into->greatest_ns = from->greatest_ns;
}

double latency_quantile(const struct latency *latency, double share)
{
	double wanted = share * (double)latency->count;
	uint64_t seen = 0;
	size_t i;

	if (latency->count == 0)
		return NAN;
	for (i = 0; i < LATENCY_CELLS; i++) {
		seen += latency->cells[i];
		if ((double)seen >= wanted && seen > 0)
			return fmin(upper_end(i), (double)latency->greatest_ns);
	}
	return (double)latency->greatest_ns;
}
