/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_EFFECTS_H
#define JUDGE_EFFECTS_H

#include "judge/judging.h"

/*
 * What a full factorial or a list of cells says as a whole, of the primary
 * metric: each subject against the first one; a candidate's effect over all
 * cells and over those of one level; and whether a factor changes it. Every
 * effect is a mean of paired log ratios of one round, so that what the machine
 * did in a round cancels, with the Hodges-Lehmann estimate and signed-rank
 * interval of those means over the rounds. Over a factor whose levels are
 * ordered (said so, or numbers that rise; three or more) the effect has a
 * trend: the least-squares slope over the levels' numbers in each round, in
 * a full factorial. Interactions and trends share the look's alpha
 * (Bonferroni); the rest is shown at the level of the primary intervals and
 * claims nothing. Nothing is made for unpaired figures, for differences, and
 * where there is one cell.
 */
void effects_make(struct judging *judging);

#endif
