/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_CROSSINGS_H
#define JUDGE_CROSSINGS_H

#include "judge/judging.h"

/*
 * Where each candidate's effect on the primary metric changes its sign along
 * each factor whose levels are three or more rising numbers: "costs more below
 * 40 KiB of other code, less above". The sample are the rounds, each with the
 * mean of the log ratios of the cells at a level, and the method is
 * stats/crossing.h's. All places where signs are told share the look's alpha
 * (Bonferroni: candidates times factors times levels), so that what is shown
 * along the whole factor holds at the plan's confidence, and an interval of a crossing
 * covers it with more than that.
 */
void crossings_make(struct judging *judging);

#endif
