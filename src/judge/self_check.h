/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_SELF_CHECK_H
#define JUDGE_SELF_CHECK_H

#include "judge/judging.h"

/*
 * Evaluate an A/A recording (method.md 3.11): the primary metric's pairs in
 * segments of 10, each judged alone at 5%; an honest comparison gives a false
 * alarm in at most one of 20. The pooled interval is what this machine can
 * resolve, its distance from 0 what the setup adds. With several candidates
 * the one with most false alarms counts. Leaves findings->self_check undone
 * for other recordings and below one segment.
 */
void self_check_make(struct judging *judging);

/* The smallest number of false alarms among segments that honest comparisons reach less than one
 * time in 50: 4 of 20. */
size_t self_check_threshold(size_t segments);

#endif
