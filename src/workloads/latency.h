/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_LATENCY_H
#define WORKLOADS_LATENCY_H

#include <stdint.h>

/*
 * Times of single operations as a histogram whose cells are at most 1/16 wide
 * (about 6%), in the manner of HdrHistogram: sixteen cells to each doubling.
 */
enum { LATENCY_CELLS = 64 * 16 };

struct latency {
	uint64_t cells[LATENCY_CELLS];
	uint64_t count;
	int64_t greatest_ns;
};

void latency_add(struct latency *latency, int64_t ns);
void latency_merge(struct latency *into, const struct latency *from);
/* The time that a share of the operations did not exceed (the upper end of its cell); NAN if there
 * were none. */
double latency_quantile(const struct latency *latency, double share);

#endif
