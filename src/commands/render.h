/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_RENDER_H
#define COMMANDS_RENDER_H

#include "base/arena.h"
#include "base/error.h"
#include "commands/output.h"
#include "report/sheet/sheet.h"

/* The verdict sheet of a recording and its findings, written where output says. */
bool render_findings(struct arena *arena, const struct recording *recording,
		     const struct findings *findings, const struct sheet_settings *sheet,
		     const struct output_settings *output, struct error *err);

/* The verdict sheet of a session of the history (by id, its beginning, or "last"), judged again
 * from what was measured, with answers to what is asked, written where output says. store as
 * opened_history. Several sessions of the same comparison are joined, each a block. */
bool render_sessions(struct arena *arena, const char *store, char *const *ids, size_t count,
		     const struct judge_questions *questions, const struct sheet_settings *sheet,
		     const struct output_settings *output, struct error *err);

#endif
