/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Candidates over layouts or sessions, of which each is one value: see blocks.h. */
#include "judge/blocks.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "judge/failures.h"
#include "judge/verdict.h"
#include "stats/order.h"
#include "stats/tests.h"

enum { FEWEST_BLOCKS = 3 };

static const char *block_of(const struct judging *judging, size_t subject)
{
	const struct plan *plan = &judging->recording->plan;
	const struct subject *own = &plan->subjects[subject];
	size_t i;

	for (i = 0; i < own->level_count; i++)
		if (strcmp(own->levels[i].factor, plan->block) == 0)
			return own->levels[i].value;
	return NULL;
}

/* The values of the blocks of one variant. */
struct collected {
	const char **names;
	double *sums;
	size_t *cells;
	size_t count;
	bool invalid;
	struct contrast shown; /* the first */
};

static size_t find_block(struct collected *collected, const char *name)
{
	size_t i;

	for (i = 0; i < collected->count; i++)
		if (strcmp(collected->names[i], name) == 0)
			return i;
	collected->names[i] = name;
	collected->count++;
	return i;
}

/* One cell's estimate joins its block; what has none makes the block's value unknown. */
static void add_cell(struct judging *judging, size_t subject, struct collected *collected)
{
	const char *name = block_of(judging, subject);
	struct contrast contrast =
	    contrast_make(judging->scratch, judging->recording, (size_t)judging->primary, subject,
			  judging->sequence.look.n);
	size_t place;

	if (name == NULL)
		return;
	if (collected->count == 0)
		collected->shown = contrast;
	place = find_block(collected, name);
	collected->invalid = collected->invalid || failures_invalidate(judging->recording, subject);
	collected->cells[place]++;
	collected->sums[place] +=
	    contrast_count(&contrast) == 0 || contrast.difference || !contrast.paired
		? NAN
		: location_paired(contrast.d, contrast.baseline_count, 0.5).estimate;
}

static struct collected collect(struct judging *judging, size_t distance)
{
	const struct plan *plan = &judging->recording->plan;
	struct collected collected = { .count = 0 };
	size_t kept = 0, i;

	collected.names = arena_alloc(judging->scratch, plan->subject_count, sizeof(char *));
	collected.sums = arena_alloc(judging->scratch, plan->subject_count, sizeof(double));
	collected.cells = arena_alloc(judging->scratch, plan->subject_count, sizeof(size_t));
	for (i = 0; i < plan->subject_count; i++)
		if (i - plan->subjects[i].baseline == distance)
			add_cell(judging, i, &collected);
	for (i = 0; i < collected.count; i++)
		if (!isnan(collected.sums[i]))
			collected.sums[kept++] = collected.sums[i] / (double)collected.cells[i];
	collected.count = kept;
	return collected;
}

static void decide(const struct collected *collected, struct interval cost,
		   struct comparison *comparison)
{
	double margin = log1p(comparison->margin_ratio);

	if (collected->invalid) {
		comparison->verdict = VERDICT_INVALID;
	} else if (collected->count < FEWEST_BLOCKS) {
		comparison->reason = REASON_FLOOR;
	} else if (cost.low > -margin && cost.high < margin) {
		comparison->verdict = VERDICT_EQUIVALENT;
		comparison->consistent = cost.low > 0 || cost.high < 0;
	} else if (cost.high < 0 || cost.low > 0) {
		comparison->verdict = cost.high < 0 ? VERDICT_BETTER : VERDICT_WORSE;
		comparison->beyond_margin = cost.high < -margin || cost.low > margin;
	} else {
		comparison->reason = REASON_INTERVAL;
		comparison->not_worse = cost.high < margin;
		comparison->not_better = cost.low > -margin;
	}
}

static struct comparison judge_blocks(const struct collected *collected, size_t metric,
				      size_t candidate, double alpha)
{
	const struct contrast *shown = &collected->shown;
	struct interval cost = { NAN, -INFINITY, INFINITY };
	struct comparison comparison = { .metric = metric,
					 .candidate = candidate,
					 .primary = true,
					 .paired = true,
					 .pairs = collected->count,
					 .level = alpha,
					 .method = "t",
					 .margin_ratio = shown->margin_ratio,
					 .verdict = VERDICT_UNDECIDED };
	bool turned = shown->sign < 0;

	if (collected->count > 0)
		cost.estimate = order_mean(collected->sums, collected->count);
	if (collected->count >= FEWEST_BLOCKS)
		cost = test_mean(collected->sums, collected->count, alpha);
	decide(collected, cost, &comparison);
	comparison.change = contrast_shown(shown, cost.estimate);
	comparison.change_low = contrast_shown(shown, turned ? cost.high : cost.low);
	comparison.change_high = contrast_shown(shown, turned ? cost.low : cost.high);
	return comparison;
}

static size_t most_distant(const struct plan *plan)
{
	size_t most = 0, i;

	for (i = 0; i < plan->subject_count; i++)
		if (i - plan->subjects[i].baseline > most)
			most = i - plan->subjects[i].baseline;
	return most;
}

void blocks_make(struct judging *judging)
{
	const struct plan *plan = &judging->recording->plan;
	struct findings *findings = judging->findings;
	size_t arms = most_distant(plan), distance;

	if (plan->block == NULL || judging->primary == METRIC_NONE || arms == 0 ||
	    judging->sequence.look.n == 0)
		return;
	findings->blocked = arena_alloc(judging->arena, arms, sizeof *findings->blocked);
	for (distance = 1; distance <= arms; distance++) {
		struct collected collected = collect(judging, distance);
		struct blocked *blocked = &findings->blocked[findings->blocked_count++];

		blocked->block = text_clean(judging->arena, plan->block, strlen(plan->block));
		blocked->between =
		    collected.count >= 2 ? order_deviation(collected.sums, collected.count) : NAN;
		blocked->comparison = judge_blocks(&collected, (size_t)judging->primary, distance,
						   judging->sequence.family_alpha / (double)arms);
		findings->verdict =
		    distance == 1 ? blocked->comparison.verdict
				  : verdict_worst(findings->verdict, blocked->comparison.verdict);
	}
}
