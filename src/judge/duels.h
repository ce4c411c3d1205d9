/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_DUELS_H
#define JUDGE_DUELS_H

#include "judge/judging.h"

/* Variants that are all compared with each other, each in the same cells. */
struct arms {
	const size_t *subjects; /* [arm * cells + cell] */
	size_t count, cells;
};

enum duel_answer {
	DUEL_UNTOLD,
	DUEL_LOWER, /* the second one costs less */
	DUEL_HIGHER,
	DUEL_EQUIVALENT, /* within the margin */
	DUEL_SAME,	 /* exact and equal */
};

/* Two arms and one metric; of several cells, the mean of the log ratios in them. */
struct duel {
	size_t metric;	      /* of the recording */
	size_t first, second; /* arms, first < second */
	bool usable;	      /* it can be compared at all */
	bool exact;
	struct contrast contrast; /* of the first cell */
	const double *d;	  /* of several cells: costs, a round each */
	size_t count;		  /* of rounds or runs a side */
	double guard, margin;
	double p;
	struct interval cost; /* of the second against the first, at its level */
	enum duel_answer answer;
};

/* All pairs of arms in all metrics, judged as one family by Holm's procedure from two-sided level
 * alpha, as judge/secondary.c has it. In scratch. */
struct duels {
	const struct arms *arms;
	size_t metric_count;
	struct duel *items;
	size_t count;
};

struct duels duels_make(struct judging *judging, const struct arms *arms, const size_t *metrics,
			size_t metric_count, double alpha);

/* The pair of two different arms in the metric of that place, whichever comes first. */
const struct duel *duels_of(const struct duels *duels, size_t place, size_t one, size_t other);
/* What is told of an arm beside another one: DUEL_LOWER if it costs less. */
enum duel_answer duels_answer(const struct duels *duels, size_t place, size_t arm, size_t beside);

#endif
