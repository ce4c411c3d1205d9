/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_STUDY_H
#define MODEL_STUDY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What was claimed, as data that a measurement can be held against. A claim is
 * about one metric of one subject beside another: that it is lower or higher by
 * at least so much, or that the two are the same within so much. It is part of
 * the plan: the rule stands before the first run and is kept with the result.
 */
enum claim_direction { CLAIM_LOWER, CLAIM_HIGHER, CLAIM_SAME };

struct claim {
	const char *name;
	const char *says;   /* in words, a clause: "13 pointers a node take less CPU time" */
	const char *metric; /* NULL: the primary one */
	size_t candidate;   /* subjects; any two */
	size_t baseline;
	enum claim_direction direction;
	double least_ratio;    /* 0.02: by 2% at least; of CLAIM_SAME: at most */
	const char *published; /* the figure, as it was published; NULL: none was */
	const char *source;    /* of the figure; NULL: none */
};

struct study {
	const char *name;
	const char *summary; /* what was argued about: a sentence without its full stop */
	const char *beside; /* metrics told of every cell beside the primary one, commas between;
			       NULL: none */
	struct claim *claims;
	size_t claim_count;
};

enum claim_answer { CLAIM_UNDECIDED, CLAIM_REPRODUCED, CLAIM_REFUTED };

/* What a measurement says of a claim. */
struct claim_finding {
	double change, change_low, change_high; /* raw ratio - 1; NAN and unbounded: not measured */
	double level;  /* two-sided alpha of the interval: that of all claims together is shared */
	size_t rounds; /* that had both */
	enum claim_answer answer;
};

const char *claim_direction_name(enum claim_direction direction); /* "lower", "higher", "same" */
bool claim_direction_parse(const char *word, enum claim_direction *direction);
const char *claim_answer_name(enum claim_answer answer); /* "reproduced", "refuted", "undecided" */

#endif
