/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_RUN_PLAN_H
#define COMMANDS_RUN_PLAN_H

#include "commands/compare/plan.h"
#include "experiment/experiment.h"

/* The [measure] section: each key is a long option of worth compare that is about the plan, flags
 * are yes or no. Errors name the line. */
bool run_settings_read(struct arena *arena, const struct experiment *experiment,
		       struct plan_settings *settings, struct error *err);

/*
 * Experiment and settings -> plan: every variant that is not missing in every
 * cell with every workload, each compared with the first variant in the same
 * cell. {program}, {tree}, {variant}, {workload} and {FACTOR} are replaced in
 * commands, hooks, directories and environments. Where there are several
 * workloads they are a factor, "workload". find: programs are looked up; false
 * for a check, when nothing has been built yet.
 */
bool run_plan_make(struct arena *arena, const struct experiment *experiment,
		   const struct plan_settings *settings, bool find, struct plan *plan,
		   struct error *err);

#endif
