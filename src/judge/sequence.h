/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_SEQUENCE_H
#define JUDGE_SEQUENCE_H

#include "model/recording.h"
#include "stats/looks.h"

/*
 * Which planned looks a recording has had, and which one its verdict is of
 * (method.md 3.1 and 3.6). A running session and a finished recording ask the
 * same functions, so that history renders the verdict that the session stopped
 * at.
 *
 * How a session ended decides:
 *	complete, decided	the look at its last round
 *	budget			the clock cut the plan: a last look where it stopped,
 *				which may spend all that was set aside for the plan
 *	interrupted, failed,	the last planned look that was completed; rounds
 *	running (a crash)	after it are kept, not judged
 */
struct sequence {
	struct looks looks;	/* those of the plan as it turned out, extensions included */
	struct stats_look look; /* the one the verdict is of; n = 0: none was completed */
	double family_alpha;	/* the same look's level before it is shared among candidates */
	size_t asked;		/* rounds the plan spends over; less than plan.rounds after a cut */
	size_t rounds_done;	/* complete rounds, judged or not */
	bool peek;		/* there are several looks */
	double z_next;		/* z that the next looks will have; NAN without looks */
};

struct sequence sequence_make(const struct recording *recording);

/* The look that falls on rounds_done of a session under way; n = 0: none does. Cheap for numbers
 * of rounds that no plan looks at, since it is asked after every round. */
struct stats_look sequence_look_at(const struct recording *recording, size_t rounds_done);

/* The first number of rounds >= n at which there is or would be a look: planned ones, then the
 * extensions, each doubling. n itself without looks. */
size_t sequence_raise(const struct sequence *sequence, size_t n);

/* Candidates that share the primary metric's alpha; at least 1. */
double sequence_share(const struct recording *recording);

#endif
