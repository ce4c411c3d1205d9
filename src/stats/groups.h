/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_GROUPS_H
#define STATS_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* Two groups by the gap rule: best least-squares split of the sorted values, both parts at least
 * max(3, ceil(n/10)), gap > 0 and at least 1.5 times the larger 10-90% range of the parts. */
struct groups {
	bool flagged;
	double cut;	   /* in the middle of the gap: lower values belong to the first group */
	double centres[2]; /* medians */
	size_t counts[2];
};

/* With n < 10 nothing is flagged, cut and centres are NAN and the counts 0. Otherwise the best
 * split is given whether it is flagged or not. */
struct groups groups_find(const double *x, size_t n);

#endif
