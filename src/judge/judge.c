/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of the work: which look counts, the rows, the primary metric at
 * that look's level, the others by Holm, the verdict of the whole, and then
 * what a reader should know besides. docs/method.md describes each step.
 */
#include "judge/judge.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "judge/claims.h"
#include "judge/blocks.h"
#include "judge/crossings.h"
#include "judge/effects.h"
#include "judge/failures.h"
#include "judge/judging.h"
#include "judge/ranking.h"
#include "judge/rows.h"
#include "judge/self_check.h"
#include "judge/set_mean.h"
#include "judge/trade.h"
#include "judge/verdict.h"
#include "judge/summary.h"
#include "judge/warnings/warnings.h"
#include "model/series.h"

const char *judging_label(const struct judging *judging, size_t subject)
{
	const char *label = judging->recording->plan.subjects[subject].label;

	if (label == NULL)
		return judging_is_candidate(judging->recording, subject) ? "candidate" : "baseline";
	return text_clean(judging->arena, label, strlen(label));
}

const char *judging_digits(const struct judging *judging, double change)
{
	const char *digits = units_change(judging->scratch, fabs(change));

	return *digits == '+' ? digits + 1 : digits;
}

static void judge_primary(struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->row_count; i++) {
		struct row *row = &judging->rows[i];
		double p;

		if (!row->comparison->primary)
			continue;
		rows_judge(judging, row, judging->sequence.look.alpha);
		p = row->comparison->p * sequence_share(judging->recording);
		row->comparison->p_adjusted = p > 1 ? 1 : p;
	}
}

static enum verdict verdict_of_whole(const struct findings *findings)
{
	enum verdict verdict = VERDICT_NONE;
	bool first = true;
	size_t i;

	for (i = 0; i < findings->comparison_count; i++) {
		if (!findings->comparisons[i].primary)
			continue;
		verdict = first ? findings->comparisons[i].verdict
				: verdict_worst(verdict, findings->comparisons[i].verdict);
		first = false;
	}
	return verdict;
}

static void judge_all(struct judging *judging)
{
	struct findings *findings = judging->findings;
	const struct sequence *sequence = &judging->sequence;

	findings->look = (struct look){ .rounds = sequence->look.n,
					.level = sequence->look.alpha,
					.z = sequence->look.z };
	findings->rounds_after_look = sequence->rounds_done - sequence->look.n;
	rows_make(judging);
	if (plan_candidate_count(&judging->recording->plan) > 0) {
		judge_primary(judging);
		rows_judge_secondary(judging);
		if (judging->recording->plan.all_decide)
			rows_promote(judging);
		set_means_make(judging);
		effects_make(judging);
		crossings_make(judging);
		claims_make(judging);
		ranking_make(judging);
		findings->verdict = verdict_of_whole(findings);
		blocks_make(judging);
		self_check_make(judging);
		findings->trade = trade_make(judging);
	}
	warnings_make(judging);
}

/* What a start costs, where the plan has an empty program. */
static struct summary start_summary(const struct recording *recording)
{
	size_t subject = plan_compared_count(&recording->plan);
	int wall = recording_metric(recording, "wall");
	struct arena *arena = arena_open();
	struct summary summary = { 0 };
	struct series series;

	if (subject < recording->plan.subject_count && wall != METRIC_NONE) {
		series = series_make(arena, recording, (size_t)wall, subject, SIZE_MAX);
		if (series.count > 0)
			summary =
			    summary_make(series.values, series.values, series.count, BETTER_LOWER);
	}
	arena_close(arena);
	return summary;
}

void judge_recording(struct arena *arena, const struct recording *recording,
		     struct findings *findings)
{
	struct arena *scratch = arena_open();
	struct recording view;
	struct judging judging =
	    rows_judging(arena, recording_compared(scratch, recording, &view), findings);

	memset(findings, 0, sizeof *findings);
	judge_all(&judging);
	findings->start = start_summary(recording);
	arena_close(judging.scratch);
	arena_close(scratch);
}

static bool is_decided(enum verdict verdict)
{
	return verdict != VERDICT_UNDECIDED && verdict != VERDICT_NONE &&
	       verdict != VERDICT_INVALID;
}

/* Only the primary metric is judged, since the session waits. */
static struct judge_look look_at(struct judging *judging, size_t rounds)
{
	const struct recording *recording = judging->recording;
	const struct metric *metric = &recording->metrics[judging->primary];
	double alpha = judging->sequence.look.alpha;
	struct judge_look look = { .is_look = true, .stop = !recording->plan.self_check };
	size_t candidate;

	for (candidate = 0; candidate < recording->plan.subject_count; candidate++) {
		struct contrast contrast;
		struct comparison comparison = { 0 };

		if (!judging_is_candidate(recording, candidate))
			continue;
		contrast = contrast_make(judging->scratch, recording, (size_t)judging->primary,
					 candidate, rounds);
		if (verdict_is_exact(&contrast, metric)) {
			verdict_exact(&contrast, metric->better, &comparison);
			comparison.resolvable_ratio = 0;
		} else {
			verdict_measured(&contrast, &judging->sequence, metric->better, alpha,
					 &comparison);
		}
		look.stop = look.stop && is_decided(comparison.verdict) &&
			    !failures_invalidate(recording, candidate);
		look.half_width_ratio =
		    isnan(comparison.resolvable_ratio)
			? INFINITY
			: fmax(look.half_width_ratio, comparison.resolvable_ratio);
	}
	return look;
}

struct judge_look judge_look(const struct recording *recording, size_t rounds_done)
{
	struct judge_look look = { .half_width_ratio = INFINITY };
	struct judging judging = { .recording = recording };

	if (plan_candidate_count(&recording->plan) == 0)
		return look;
	judging.sequence.look = sequence_look_at(recording, rounds_done);
	if (judging.sequence.look.n == 0)
		return look;
	judging.primary = rows_primary_metric(recording);
	if (judging.primary == METRIC_NONE) {
		look.is_look = true;
		return look;
	}
	judging.scratch = arena_open();
	look = look_at(&judging, rounds_done);
	arena_close(judging.scratch);
	return look;
}
