/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_ROWS_H
#define JUDGE_ROWS_H

#include "judge/judging.h"

/* The metric that decides: the plan's; for figures of other origin that lack it, wall or the first
 * one shown. METRIC_NONE if what the user asked for was never measured, and where all decide. */
int rows_primary_metric(const struct recording *recording);

/* A judging at its beginning; the caller closes its scratch arena. */
struct judging rows_judging(struct arena *arena, const struct recording *recording,
			    struct findings *findings);

/* A comparison of which nothing is known yet: no change, no interval, no verdict. */
struct comparison rows_blank(size_t metric, size_t candidate);

/* One row for each metric and candidate with values, primary ones first; with one subject alone,
 * one for each metric. Contrasts and summaries are made, nothing is judged yet. */
void rows_make(struct judging *judging);

/* Judge one row at two-sided level alpha: exact, measured, or invalid. */
void rows_judge(struct judging *judging, struct row *row, double alpha);

/* Where all decide: those shown count as primary, now that they were judged as one family. */
void rows_promote(struct judging *judging);

/* All that are neither primary nor exact, by Holm's procedure from the level of the look (method.md
 * 3.10): sorted by p, row j of m has alpha/(m - j + 1) as long as all before it succeeded. Hidden
 * metrics are judged at the levels they have in the family of all, so that they take nothing from
 * those shown. */
void rows_judge_secondary(struct judging *judging);

#endif
