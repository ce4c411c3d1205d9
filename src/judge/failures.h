/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_FAILURES_H
#define JUDGE_FAILURES_H

#include "model/recording.h"

/* Runs of one subject, warm-up not counted, and how the failed ones ended. */
struct failures {
	size_t runs;
	size_t failed;
	size_t timed_out;
	int32_t exit_status; /* of the first failed run; -1: a signal, or it never started */
	int32_t signal;	     /* of the first failed run */
};

struct failures failures_count(const struct recording *recording, size_t subject);

/* Whether failures make every verdict on a candidate invalid: any failed run unless failures are
 * ignored; then more than 10% failed on either side, or rates that differ (Fisher's exact test at
 * 1%), because the runs that survive are no longer like for like. */
bool failures_invalidate(const struct recording *recording, size_t candidate);

#endif
