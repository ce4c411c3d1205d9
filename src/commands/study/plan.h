/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_STUDY_PLAN_H
#define COMMANDS_STUDY_PLAN_H

#include "experiment/experiment.h"
#include "model/plan.h"

/*
 * The claims of an experiment as part of its plan, whose subjects are made:
 * each side of a claim must be one subject. Without claims the plan has no
 * study. Errors name the line.
 */
bool study_plan_make(struct arena *arena, const struct experiment *experiment, struct plan *plan,
		     struct error *err);

#endif
