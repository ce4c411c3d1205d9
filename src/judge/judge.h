/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "base/arena.h"
#include "base/error.h"
#include "model/findings.h"
#include "model/recording.h"

/*
 * Recording -> findings, by docs/method.md. Pure: the same recording gives the
 * same findings, today or when history renders it again. Which look the verdict
 * is of follows from the plan, the samples and how the session ended (see
 * judge/sequence.h). The verdict of the whole is the worst primary one, in the
 * order invalid, worse, undecided, none, changed, equivalent, same, better;
 * none without a completed look or with one command alone.
 */
void judge_recording(struct arena *arena, const struct recording *recording,
		     struct findings *findings);

/* What a reader asks besides: a view of the recording, which its plan knows nothing of. */
struct judge_questions {
	const char *pareto; /* "METRIC,METRIC", NULL: not asked */
	const char *worth;  /* "1% wall = 2% text", NULL: not asked */
};

/* Whether the questions can be read at all; false with an error that says how they are written. */
bool judge_questions_check(const struct judge_questions *questions, struct error *err);

/* Answer them into the findings of the same recording. False, with the findings as they were, where
 * a metric is not there or has no better direction, or where too many variants are compared. */
bool judge_answer(struct arena *arena, const struct recording *recording,
		  const struct judge_questions *questions, struct findings *findings,
		  struct error *err);

/* What a planned look says to a session that is under way. */
struct judge_look {
	bool is_look;		 /* this number of rounds is a planned look */
	bool stop;		 /* all primary comparisons are decided */
	double half_width_ratio; /* widest primary interval's half width at this look; INFINITY if
				    none. Shown on the progress line; the estimate never is */
};
struct judge_look judge_look(const struct recording *recording, size_t rounds_done);

/* Add the columns that follow from others where they are missing: cpu from user and sys, ... Call
 * it on imported recordings before judging them; a second call changes nothing. */
void judge_derive(struct arena *arena, struct recording *recording);

/* Whether a claim of --require holds: shown, refuted or undecided (exit 0, 1, 3). */
enum requirement { REQUIRE_NOTHING, REQUIRE_NOT_WORSE, REQUIRE_EQUIVALENT, REQUIRE_BETTER };
enum requirement_answer { REQUIREMENT_SHOWN, REQUIREMENT_REFUTED, REQUIREMENT_UNDECIDED };
enum requirement_answer judge_requirement(const struct findings *findings,
					  enum requirement requirement);

#endif
