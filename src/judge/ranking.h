/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_RANKING_H
#define JUDGE_RANKING_H

#include "judge/judging.h"

/* More variants than this are not ranked; of two there is nothing to rank. */
enum { RANKING_LEAST = 3, RANKING_MOST = 26 };

/*
 * The variants of one cell, or of all cells together, from the least cost to
 * the most in the primary metric, with letters: two that share one cannot be
 * told apart (Piepho, J. Comput. Graph. Stat. 13, 2004: insert and absorb),
 * by the verdicts of all pairs under Holm at the level of the look. None where
 * there are fewer than three or more than 26 variants.
 */
void ranking_make(struct judging *judging);

/*
 * The letters themselves: differs[i * count + j] for all pairs (symmetric);
 * letters[i] has bit k set where item i has letter k. Items are in their order,
 * so that the first letter is the first item's. Returns how many letters there
 * are, at most 64; 0 if more would be needed.
 */
size_t ranking_letters(const bool *differs, size_t count, uint64_t *letters);

#endif
