/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_PARETO_H
#define JUDGE_PARETO_H

#include "base/error.h"
#include "judge/judging.h"

/* More variants than this are not compared each with each. */
enum { PARETO_MOST = 100 };

/* The two names of "METRIC,METRIC", in arena. */
bool pareto_parse(struct arena *arena, const char *text, const char *names[2], struct error *err);

/* The fronts of two metrics into the findings: of all cells together where there are several, then
 * of each cell. A command that is swept alone is one cell of as many variants as it has levels. */
bool pareto_make(struct judging *judging, const char *text, struct error *err);

#endif
