/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_JUDGE_OWN_H
#define COMMANDS_JUDGE_OWN_H

#include <stdbool.h>
#include <stddef.h>

#include "commands/judge/settings.h"
#include "formats/results/gather.h"
#include "model/recording.h"

/*
 * What worth measured and wrote as JSON, when worth judge reads it again.
 */

/* Whether the files are one measured recording and nothing is asked that its plan does not answer:
 * then *recording is it, with its plan - looks, pairs, margins, confidence - but for the margins
 * and the confidence that the user gives. False also with a sentence in err. */
bool judge_own(struct arena *arena, const struct judge_settings *settings,
	       const struct gather_file *files, size_t count, struct recording *recording,
	       struct error *err);

/* Margins and confidence of the plan: the user's; else those that the files say, if they agree;
 * else 1% and 0.95. Call it before gathering. */
bool judge_terms(struct arena *arena, const struct judge_settings *settings,
		 const struct gather_file *files, size_t count, struct plan *plan,
		 struct error *err);

/* Remarks, after gathering: that a session is not judged as it was planned, and why; that files
 * disagree in their margins. */
void judge_own_remarks(struct arena *arena, const struct judge_settings *settings,
		       const struct gather_file *files, size_t count, struct recording *recording);

#endif
