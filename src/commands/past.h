/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_PAST_H
#define COMMANDS_PAST_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/recording.h"
#include "store/history/history.h"

/* A session that was broken off, with its complete rounds, its plan unchanged. Refused: one that
 * ended by itself, and programs that are no longer the files that were measured. */
bool past_resume(struct history *history, struct arena *arena, const char *id,
		 struct recording *recording, struct error *err);

/* A session that ran all its rounds (or its time) undecided, planned on to twice as many: the alpha
 * set aside for that (docs/method.md) pays for the further looks. Refused: one that was decided,
 * one without looks (its alpha is spent), and changed programs. */
bool past_extend(struct history *history, struct arena *arena, const char *id,
		 struct recording *recording, struct error *err);

/* One command of an earlier session, to compare with. */
struct past_baseline {
	struct recording recording;
	size_t subject;
};

/* By the name it was saved under, by ID, or by ID:LABEL if that session had several commands. */
bool past_baseline(struct history *history, struct arena *arena, const char *id,
		   struct past_baseline *baseline, struct error *err);

/* A recording of two subjects that never ran interleaved: the earlier one as the baseline, and the
 * only one of now as the candidate. */
void past_join(struct arena *arena, const struct past_baseline *baseline,
	       const struct recording *now, struct recording *joined);

#endif
