/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_BLOCKS_H
#define JUDGE_BLOCKS_H

#include "judge/judging.h"

/*
 * Outer replication: where the plan has a block factor, each block (a layout, a
 * session) gives one value for each candidate, the mean over its cells of the
 * Hodges-Lehmann estimates there, and the interval is Student's over these
 * values, because runs within a block share what the block brought along
 * (Kalibera and Jones, ISMM 2013: only the highest level that varied counts).
 * Verdicts by the rules of one comparison; fewer than three blocks decide
 * nothing. The candidates share alpha equally. Into the findings, whose verdict
 * becomes the worst of these.
 */
void blocks_make(struct judging *judging);

#endif
