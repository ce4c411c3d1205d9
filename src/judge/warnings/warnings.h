/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_WARNINGS_WARNINGS_H
#define JUDGE_WARNINGS_WARNINGS_H

#include "judge/judging.h"

/*
 * What a reader should know besides the verdicts, as full sentences. One rule
 * for each kind, in the order in which they are told; none of them changes an
 * interval or a verdict.
 */
void warnings_make(struct judging *judging);

/* For the rules: one sentence, of a metric or METRIC_NONE. */
void warning_add(struct judging *judging, enum warning_kind kind, int metric, const char *format,
		 ...) __attribute__((format(printf, 4, 5)));

/* The rules. A rule adds nothing where there is nothing to say. */
void warn_failed_runs(struct judging *judging);
void warn_output(struct judging *judging);
void warn_few_runs(struct judging *judging);
void warn_unstable(struct judging *judging);
void warn_two_groups(struct judging *judging);
void warn_slow_runs(struct judging *judging);
void warn_ticks(struct judging *judging);
void warn_machine_drift(struct judging *judging);
void warn_position(struct judging *judging);
void warn_disturbed(struct judging *judging);
void warn_accounting(struct judging *judging);
void warn_not_interleaved(struct judging *judging);
void warn_one_build(struct judging *judging);
void warn_self_check(struct judging *judging);
void warn_summaries(struct judging *judging);
void warn_remarks(struct judging *judging);

#endif
