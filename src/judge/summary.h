/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_SUMMARY_H
#define JUDGE_SUMMARY_H

#include "judge/contrast.h"
#include "model/findings.h"

/* One side's values for showing: what was measured, with the slow and fast runs of method.md 3.8
 * counted on the dithered values. Groups are left to summary_groups. count 0: all NAN. */
struct summary summary_make(const double *values, const double *fine, size_t count,
			    enum better better);
/* The same for a side of a contrast, 0 the baseline. */
struct summary summary_of_side(const struct contrast *contrast, unsigned side, enum better better);

/* Two groups of either side (3.7); a side that has none of its own is split at the other's cut, so
 * that the shares can be compared. */
void summary_groups(const struct contrast *contrast, struct summary *baseline,
		    struct summary *candidate);

/* The same for one command alone. */
void summary_own_groups(const double *values, size_t count, struct summary *summary);

#endif
