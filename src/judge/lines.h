/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_LINES_H
#define JUDGE_LINES_H

#include "judge/duels.h"

/*
 * Who can be compared with whom: the subjects of one cell do the same work.
 * One group for each baseline, the baseline first. Where nothing is compared
 * with anything, all subjects are one group: a command that is swept alone.
 * Groups and their subjects are in scratch.
 */
size_t lines_groups(struct judging *judging, struct arms **groups);

/* Each variant in all cells as one arm; false where cells do not have the same variants. */
bool lines_together(struct judging *judging, const struct arms *groups, size_t count,
		    struct arms *together);

#endif
