/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_SERIES_H
#define MODEL_SERIES_H

#include "model/recording.h"

/*
 * Views of a recording for judging: one metric, in run order. A failed run, a
 * warm-up and a NAN are left out of a series, and a round in which either side
 * is left out gives no pair; the counts say how many. A round in which neither
 * side failed and neither has the value is no round of that metric.
 */
struct series {
	const double *values;
	size_t count;
	size_t failed;	/* runs of this subject that failed (warm-up not counted) */
	size_t missing; /* runs that ended well but have no such value */
};

struct pairs {
	const double *baseline; /* value of the baseline in pair i */
	const double *candidate;
	const uint32_t *rounds;
	const bool *baseline_first; /* who ran first in the round */
	size_t count;
	size_t rounds_without_pair;
};

/* Of the first rounds rounds (SIZE_MAX: all). */
struct series series_make(struct arena *arena, const struct recording *recording, size_t metric,
			  size_t subject, size_t rounds);
struct pairs pairs_make(struct arena *arena, const struct recording *recording, size_t metric,
			size_t candidate, size_t rounds);

#endif
