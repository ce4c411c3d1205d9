/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_EXCHANGE_H
#define JUDGE_EXCHANGE_H

#include "base/error.h"
#include "judge/judging.h"

enum { RATE_MOST = 8 };

/* "1% wall = 2% text = 5% max rss": each term is worth as much as each other one. */
struct rate {
	double shares[RATE_MOST]; /* 0.01 is 1% */
	const char *names[RATE_MOST];
	size_t count; /* two or more */
};

bool exchange_parse(struct arena *arena, const char *text, struct rate *rate, struct error *err);

/*
 * What a candidate changes in all metrics of the rate, as a change of the
 * first: in each round the sum of the log ratios of costs, each divided by its
 * term's log(1 + share) and multiplied by the first one's. Rounds of all
 * metrics that vary are paired; exact ones shift all rounds alike. The sums
 * are judged as any metric's pairs are, at the primary's level and with the
 * first metric's margin. Into the findings; false where a metric is not there,
 * has no ratio, or where runs are not paired.
 */
bool exchange_make(struct judging *judging, const char *text, struct error *err);

#endif
