/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_VERDICT_H
#define JUDGE_VERDICT_H

#include "judge/contrast.h"
#include "judge/sequence.h"
#include "model/findings.h"

/* Fill the comparison's change, interval, verdict and reason from a contrast at level alpha (rules
 * of method.md 3.5, instability of 3.8), and how many more runs would decide it (3.9). The metric's
 * direction is better. */
void verdict_measured(const struct contrast *contrast, const struct sequence *sequence,
		      enum better better, double alpha, struct comparison *comparison);

/* Sizes and counts without run-to-run variation: one value a side, no sampling, no floor. */
void verdict_exact(const struct contrast *contrast, enum better better,
		   struct comparison *comparison);
/* Whether a contrast is one: by the metric's nature, or simulated and equal on each side. */
bool verdict_is_exact(const struct contrast *contrast, const struct metric *metric);

/* The worst of several: invalid, worse, undecided, none, changed, equivalent, same, better, from
 * worst to best. What cannot be answered for one candidate is not answered for the whole, and a
 * known loss weighs more than an open question. */
enum verdict verdict_worst(enum verdict one, enum verdict other);

/* Further pairs that would probably, and almost surely, decide an undecided comparison whose
 * interval is of cost; 0 where there is no figure. */
void verdict_more(const struct contrast *contrast, const struct sequence *sequence,
		  struct interval cost, struct comparison *comparison);

#endif
