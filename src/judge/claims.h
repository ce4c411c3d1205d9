/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_CLAIMS_H
#define JUDGE_CLAIMS_H

#include "judge/judging.h"

/*
 * Whether what a study claims is so on this machine. The interval of the change
 * decides and never its middle: a claim of "lower by at least 2%" is reproduced
 * where all of the interval is, refuted where none of it is, and undecided
 * otherwise; "the same within 2%" likewise. The claims of a study share the
 * look's alpha (Bonferroni), so that all intervals together hold at the plan's
 * confidence; they are of pairs of one round, as all intervals. Bytes that are the
 * same in all rounds of a side are exact.
 */
void claims_make(struct judging *judging);

/* The rule itself. low and high bound a change, ratio - 1; unbounded or NAN is undecided. */
enum claim_answer claim_decide(enum claim_direction direction, double least_ratio, double low,
			       double high);

/* Of a study: refuted if one claim is, reproduced if all are. */
enum claim_answer claims_answer(const struct claim_finding *findings, size_t count);

#endif
