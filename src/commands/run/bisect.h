/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_RUN_BISECT_H
#define COMMANDS_RUN_BISECT_H

#include "commands/compare/plan.h"
#include "commands/measured.h"
#include "commands/run/settings.h"
#include "experiment/experiment.h"

/*
 * The first revision between the two variants of experiment that is worse than
 * the first by more than the margin, on the first-parent line. Every step is a
 * session of its own in the history. Prints the report; returns the exit status:
 * found or none is worse, EXIT_UNDECIDED where undecided or unbuildable ones
 * leave several.
 */
int run_bisect(struct measuring *measuring, const struct run_settings *settings,
	       struct experiment *experiment, const struct plan_settings *plan_settings,
	       struct error *err);

#endif
