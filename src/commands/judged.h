/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_JUDGED_H
#define COMMANDS_JUDGED_H

#include <stdbool.h>

#include "commands/gate.h"
#include "commands/measured.h"
#include "commands/output.h"
#include "judge/judge.h"
#include "report/sheet/sheet.h"

/* How a measurement ends: what is told of it, and what the exit status is to say. */
struct judged_settings {
	const struct sheet_settings *sheet;
	const struct judge_questions *questions; /* NULL: none */
	const struct output_settings *output;
	enum requirement require;
	bool bisect;
};

/*
 * After measured_run: judge, print the report, remember the verdict in the
 * history, and choose the exit status. What was measured is told even where the
 * session ended badly (good is false, trouble says how); the trouble comes
 * last, where it is read. judged is what is judged, usually measured itself.
 */
int judged_finish(struct measuring *measuring, const struct judged_settings *settings,
		  const struct recording *measured, const struct recording *judged, bool good,
		  const struct error *trouble);

/* A session that is one of several, whose report comes later: its own verdict, for the history's
 * list. */
void judged_remember(struct measuring *measuring, const struct recording *recording);

#endif
