/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_ANSWER_H
#define JUDGE_ANSWER_H

#include "base/error.h"
#include "judge/judging.h"

/* The metric of that name, which must be a cost or its opposite; option is for the error. */
bool question_metric(struct judging *judging, const char *option, const char *name, size_t *metric,
		     struct error *err);

#endif
