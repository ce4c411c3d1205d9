/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_TRADE_H
#define JUDGE_TRADE_H

#include "judge/judging.h"

/*
 * What the primary metric's change costs or saves in bytes of text, or else in
 * peak memory, as one sentence for each candidate where both changed, or where
 * bytes changed while the primary metric was shown not to be worse. NULL if
 * there is nothing to weigh.
 */
const char *trade_make(struct judging *judging);

#endif
