/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_GROUPS_H
#define STATS_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* Two groups by the gap rule (method.md 3.7): best least-squares split of the sorted values, both
 * parts at least max(3, ceil(n/10)), gap > 0 and at least 1.5 times the larger 10-90% range. */
struct groups {
	bool flagged;
	double cut;	   /* between the groups */
	double centres[2]; /* medians */
	size_t counts[2];
};
struct groups groups_find(const double *x, size_t n); /* n < 10: not flagged */

#endif
