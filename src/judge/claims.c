/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The claims of a study against what was measured: see claims.h. */
#include "judge/claims.h"

#include <math.h>
#include <string.h>

#include "judge/verdict.h"

/* By the least or more; of none at all: any, but not equal. */
static bool is_beyond(double change, double least)
{
	return least > 0 ? change >= least : change > 0;
}

static enum claim_answer decide_same(double least, double low, double high)
{
	/* Symmetric in logarithms: the same whichever side is the baseline. */
	double lowest = 1 / (1 + least) - 1;

	if (low >= lowest && high <= least)
		return CLAIM_REPRODUCED;
	return high < lowest || low > least ? CLAIM_REFUTED : CLAIM_UNDECIDED;
}

enum claim_answer claim_decide(enum claim_direction direction, double least_ratio, double low,
			       double high)
{
	double least = low, most = high;

	if (!isfinite(low) || !isfinite(high))
		return CLAIM_UNDECIDED;
	if (direction == CLAIM_SAME)
		return decide_same(least_ratio, low, high);
	if (direction == CLAIM_LOWER) {
		least = -high;
		most = -low;
	}
	if (is_beyond(least, least_ratio))
		return CLAIM_REPRODUCED;
	return is_beyond(most, least_ratio) ? CLAIM_UNDECIDED : CLAIM_REFUTED;
}

enum claim_answer claims_answer(const struct claim_finding *findings, size_t count)
{
	enum claim_answer answer = CLAIM_REPRODUCED;
	size_t i;

	for (i = 0; i < count; i++) {
		if (findings[i].answer == CLAIM_REFUTED)
			return CLAIM_REFUTED;
		if (findings[i].answer == CLAIM_UNDECIDED)
			answer = CLAIM_UNDECIDED;
	}
	return count > 0 ? answer : CLAIM_UNDECIDED;
}

/* The same runs, with the claim's two sides for a pair. */
static struct contrast sides(struct judging *judging, const struct claim *claim, size_t metric)
{
	struct recording turned = *judging->recording;

	turned.plan.subjects = arena_copy(judging->scratch, turned.plan.subjects,
					  turned.plan.subject_count * sizeof *turned.plan.subjects);
	turned.plan.subjects[claim->candidate].baseline = claim->baseline;
	return contrast_make(judging->scratch, &turned, metric, claim->candidate,
			     judging->sequence.look.n);
}

/* Bytes that were the same in all rounds do not vary, as those of files. */
static bool is_exact(const struct contrast *contrast, const struct metric *metric)
{
	return verdict_is_exact(contrast, metric) ||
	       (contrast->constant && strcmp(metric->unit, "B") == 0 &&
		contrast->baseline_count > 1);
}

static void judge_claim(struct judging *judging, const struct claim *claim, int metric,
			struct claim_finding *finding)
{
	struct contrast contrast;
	struct interval cost;

	if (metric == METRIC_NONE || judging->sequence.look.n == 0)
		return;
	contrast = sides(judging, claim, (size_t)metric);
	if (!contrast.paired || contrast.difference || contrast.d == NULL ||
	    contrast.baseline_count == 0)
		return;
	finding->rounds = contrast.baseline_count;
	cost = contrast_interval(&contrast, finding->level);
	if (is_exact(&contrast, &judging->recording->metrics[metric]))
		cost.low = cost.high = cost.estimate;
	finding->change = contrast_shown(&contrast, cost.estimate);
	finding->change_low = contrast_shown(&contrast, contrast.sign < 0 ? cost.high : cost.low);
	finding->change_high = contrast_shown(&contrast, contrast.sign < 0 ? cost.low : cost.high);
	finding->answer = claim_decide(claim->direction, claim->least_ratio, finding->change_low,
				       finding->change_high);
}

void claims_make(struct judging *judging)
{
	const struct study *study = judging->recording->plan.study;
	struct findings *findings = judging->findings;
	size_t i;

	if (study == NULL)
		return;
	findings->claims =
	    arena_alloc(judging->arena, study->claim_count, sizeof *findings->claims);
	findings->claim_count = study->claim_count;
	for (i = 0; i < study->claim_count; i++) {
		const struct claim *claim = &study->claims[i];
		int metric = claim->metric == NULL
				 ? judging->primary
				 : recording_metric_called(judging->recording, claim->metric);

		findings->claims[i] = (struct claim_finding){
			.change = NAN,
			.change_low = -INFINITY,
			.change_high = INFINITY,
			.level = judging->sequence.family_alpha / (double)study->claim_count,
		};
		judge_claim(judging, claim, metric, &findings->claims[i]);
	}
}
