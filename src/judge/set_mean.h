/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_SET_MEAN_H
#define JUDGE_SET_MEAN_H

#include "judge/judging.h"

/*
 * The geometric mean of a set's typical changes: one for each candidate and
 * each kind of benchmark (unit and direction) of which there are two or more.
 * It says what happened to the set as a whole and decides nothing: a set may
 * gain on average by losing where it matters.
 *
 * A verdict needs runs of it, and a run of a whole set exists only where runs
 * are paired: then the mean of each round's log ratios is one, judged like any
 * pair. Unpaired benchmarks have no common runs; the intervals of their own do
 * not add up to one of the mean, since what disturbed one batch may have
 * disturbed all of them.
 *
 * Call it after all rows were judged.
 */
void set_means_make(struct judging *judging);

#endif
