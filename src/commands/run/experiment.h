/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_RUN_EXPERIMENT_H
#define COMMANDS_RUN_EXPERIMENT_H

#include "commands/commands.h"
#include "commands/run/settings.h"
#include "experiment/experiment.h"

/*
 * An experiment that was read, to its report and exit status: the settings of
 * its file and those of --set, builds, plan, session, judging. title is for the
 * history's list. Prints what goes wrong.
 */
int run_experiment(struct program *program, struct arena *arena,
		   const struct run_settings *settings, struct experiment *experiment,
		   const char *title, struct error *err);

#endif
