/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef JUDGE_JUDGING_H
#define JUDGE_JUDGING_H

#include "judge/contrast.h"
#include "judge/sequence.h"
#include "model/findings.h"

/* A comparison under way, with the values that it is made of. */
struct row {
	struct comparison *comparison;
	struct contrast contrast;
};

/* One judging under way; what its steps hand to each other. */
struct judging {
	struct arena *arena;   /* of the findings */
	struct arena *scratch; /* of the contrasts; closed at the end */
	const struct recording *recording;
	struct findings *findings;
	struct sequence sequence;
	int primary; /* metric, or METRIC_NONE */
	struct row *rows;
	size_t row_count;
};

static inline const struct metric *row_metric(const struct judging *judging, const struct row *row)
{
	return &judging->recording->metrics[row->comparison->metric];
}

static inline bool judging_is_candidate(const struct recording *recording, size_t subject)
{
	return recording_baseline(recording, subject) != subject;
}

/* A subject's label, clean. */
const char *judging_label(const struct judging *judging, size_t subject);

/* A change without its sign, as many digits as the table has: "2.05%". */
const char *judging_digits(const struct judging *judging, double change);

#endif
