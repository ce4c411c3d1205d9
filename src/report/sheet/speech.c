/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One comparison in a plain sentence: see docs/method.md, section 6. A sentence gives the interval
 * beside the estimate, since early stopping makes the point alone look better than it is; and it
 * never lets "undecided" pass for "no difference". */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/sheet/parts.h"

/* How one comparison is spoken of. */
struct speech {
	struct sheet *sheet;
	const struct comparison *comparison;
	const struct metric *metric;
	const char *candidate, *baseline;
	const char *phrase; /* "wall time" */
	bool is_time;	    /* "takes 2% less" rather than "is 2% lower" */
	const char *less, *more;
};

static struct speech speech_for(struct sheet *sheet, const struct comparison *comparison)
{
	const struct metric *metric = &sheet->metrics[comparison->metric];
	const char *phrase = sheet_metric_phrase(sheet, comparison->metric);
	bool is_time = strcmp(metric->unit, "s") == 0 && metric->better == BETTER_LOWER &&
		       strstr(phrase, "time") != NULL;

	return (struct speech){
		.sheet = sheet,
		.comparison = comparison,
		.metric = metric,
		.candidate = sheet->names[comparison->candidate],
		.baseline =
		    sheet->names[recording_baseline(sheet->recording, comparison->candidate)],
		.phrase = phrase,
		.is_time = is_time,
		.less = is_time ? "less" : "lower",
		.more = is_time ? "more" : "higher",
	};
}

/* "less", "more", or what follows a factor. */
static const char *direction_text(const struct speech *speech, bool factor, double ratio)
{
	if (factor)
		return speech->is_time ? "as much" : "as high";
	return ratio < 0 ? speech->less : speech->more;
}

/* "faults are", "max rss is" */
static const char *verb(const struct speech *speech)
{
	size_t length = strlen(speech->phrase);
	bool plural = length > 2 && speech->phrase[length - 1] == 's' &&
		      speech->phrase[length - 2] != 's' && speech->phrase[length - 2] != '/';

	return plural ? "are" : "is";
}

static const char *share_text(const struct speech *speech, double ratio)
{
	return arena_printf(speech->sheet->arena, "%s %s",
			    change_share(speech->sheet->arena, ratio),
			    direction_text(speech, change_is_factor(ratio), ratio));
}

/* " (between 1.48 and 2.61% less)"; "" where the interval is unbounded. */
static const char *between_text(const struct speech *speech)
{
	double low = speech->comparison->change_low, high = speech->comparison->change_high;
	bool factor = change_is_factor(low) || change_is_factor(high);
	struct arena *arena = speech->sheet->arena;

	if (!isfinite(low) || !isfinite(high))
		return "";
	if (low < 0 && high > 0)
		return arena_printf(arena, " (between %s and %s)", share_text(speech, low),
				    share_text(speech, high));
	return arena_printf(arena, " (between %s %s)", change_shares(arena, low, high),
			    direction_text(speech, factor, low));
}

static const char *beyond_text(const struct speech *speech)
{
	const struct comparison *comparison = speech->comparison;

	if (!comparison->beyond_margin || !(comparison->margin_ratio > 0))
		return "";
	return arena_printf(speech->sheet->arena, ", by more than the margin of %s",
			    units_percent(speech->sheet->arena, comparison->margin_ratio));
}

/* "its size is 1,807,824 B instead of 1,797,108 B (+0.60%), exactly" */
static const char *exact_text(const struct speech *speech)
{
	const struct comparison *comparison = speech->comparison;
	struct arena *arena = speech->sheet->arena;

	return arena_printf(
	    arena, "%s %s %s instead of %s (%s), exactly", speech->phrase, verb(speech),
	    quantity_exact(arena, comparison->other.median, speech->metric->unit),
	    quantity_exact(arena, comparison->baseline.median, speech->metric->unit),
	    comparison->difference ? quantity_exact(arena, comparison->change, speech->metric->unit)
				   : change_cell(arena, comparison->change, true));
}

/* "its major faults changed by +12 (between +11 and +13)" */
static const char *difference_text(const struct speech *speech)
{
	const struct comparison *comparison = speech->comparison;
	struct arena *arena = speech->sheet->arena;
	double low = comparison->change_low, high = comparison->change_high;
	const char *unit = speech->metric->unit, *between = "";
	struct quantity quantity = quantity_choose(unit, fabs(comparison->change), NAN, false);

	if (isfinite(low) && isfinite(high))
		between = arena_printf(arena, " (between %s and %s)",
				       quantity_change(arena, &quantity, low),
				       quantity_change(arena, &quantity, high));
	return arena_printf(arena, "its %s changed by %s%s", speech->phrase,
			    quantity_change(arena, &quantity, comparison->change), between);
}

/* "it takes 2.05% less wall time (between 1.48 and 2.61% less)" */
static const char *effect_text(const struct speech *speech)
{
	const struct comparison *comparison = speech->comparison;
	struct arena *arena = speech->sheet->arena;

	if (comparison->exact)
		return arena_printf(arena, "its %s", exact_text(speech));
	if (comparison->difference)
		return difference_text(speech);
	if (speech->is_time)
		return arena_printf(arena, "it takes %s %s%s",
				    share_text(speech, comparison->change), speech->phrase,
				    between_text(speech));
	return arena_printf(arena, "its %s %s %s%s", speech->phrase, verb(speech),
			    share_text(speech, comparison->change), between_text(speech));
}

/* A verdict on an effect that is not one number speaks of each part of the session. */
static const char *drift_text(const struct speech *speech)
{
	return speech->comparison->unstable
		   ? " The difference itself drifted during the session; this holds of every part "
		     "of it."
		   : "";
}

static const char *decided_text(const struct speech *speech)
{
	const struct comparison *comparison = speech->comparison;
	const char *word = sheet_verdict_word(comparison->verdict, speech->metric);

	if (comparison->verdict == VERDICT_CHANGED)
		return arena_printf(speech->sheet->arena,
				    "%s differs from %s: %s. Neither direction counts as better.%s",
				    speech->candidate, speech->baseline, effect_text(speech),
				    drift_text(speech));
	return arena_printf(speech->sheet->arena, "%s is %s than %s: %s%s.%s", speech->candidate,
			    text_upper(speech->sheet->arena, word), speech->baseline,
			    effect_text(speech), beyond_text(speech), drift_text(speech));
}

static const char *same_text(const struct speech *speech)
{
	return arena_printf(speech->sheet->arena, "%s and %s are the SAME: %s %s %s in both.",
			    speech->candidate, speech->baseline, speech->phrase, verb(speech),
			    quantity_exact(speech->sheet->arena, speech->comparison->other.median,
					   speech->metric->unit));
}

static const char *consistent_text(const struct speech *speech)
{
	const struct comparison *comparison = speech->comparison;
	bool better = (comparison->change < 0) == (speech->metric->better != BETTER_HIGHER);
	enum verdict verdict = better ? VERDICT_BETTER : VERDICT_WORSE;

	if (!comparison->consistent || comparison->exact || comparison->difference ||
	    !isfinite(comparison->change))
		return "";
	return arena_printf(speech->sheet->arena, " %s is consistently %s %s, inside that margin.",
			    speech->candidate,
			    change_share(speech->sheet->arena, comparison->change),
			    sheet_verdict_word(verdict, speech->metric));
}

static const char *equivalent_text(const struct speech *speech)
{
	const struct comparison *comparison = speech->comparison;
	struct arena *arena = speech->sheet->arena;
	const char *interval = "";

	/* The same count throughout, of which no margin is needed. */
	if (comparison->difference && comparison->change_low >= 0 && comparison->change_high <= 0)
		return arena_printf(
		    arena, "%s and %s are EQUIVALENT: %s %s %s in every run of both.",
		    speech->candidate, speech->baseline, speech->phrase, verb(speech),
		    quantity_exact(arena, comparison->other.median, speech->metric->unit));
	if (comparison->exact)
		interval = arena_printf(arena, ": %s", exact_text(speech));
	else if (!comparison->difference && isfinite(comparison->change_low) &&
		 isfinite(comparison->change_high))
		interval = arena_printf(
		    arena, ": the true difference in %s is between %s", speech->phrase,
		    arena_printf(arena, "%s and %s", units_change(arena, comparison->change_low),
				 units_change(arena, comparison->change_high)));
	return arena_printf(arena, "%s and %s are EQUIVALENT within \302\261%s%s.%s%s",
			    speech->candidate, speech->baseline,
			    units_percent(arena, comparison->margin_ratio), interval,
			    consistent_text(speech), drift_text(speech));
}

/* "from 1.1% faster to 3.0% slower", the better end first. */
static const char *range_text(const struct speech *speech)
{
	const struct comparison *comparison = speech->comparison;
	struct arena *arena = speech->sheet->arena;
	bool neither = speech->metric->better == BETTER_NEITHER;
	const char *better = neither ? "lower" : sheet_verdict_word(VERDICT_BETTER, speech->metric);
	const char *worse = neither ? "higher" : sheet_verdict_word(VERDICT_WORSE, speech->metric);
	bool lower = speech->metric->better != BETTER_HIGHER;
	double best = lower ? comparison->change_low : comparison->change_high;
	double worst = lower ? comparison->change_high : comparison->change_low;

	return arena_printf(arena, "anything from %s %s to %s %s", change_share(arena, best),
			    (best < 0) == lower ? better : worse, change_share(arena, worst),
			    (worst < 0) == lower ? better : worse);
}

static const char *interval_undecided_text(const struct speech *speech)
{
	const struct comparison *comparison = speech->comparison;
	struct arena *arena = speech->sheet->arena;
	const char *excluded = sheet_excluded(speech->sheet, comparison);

	if (comparison->difference || !isfinite(comparison->change_low) ||
	    !isfinite(comparison->change_high))
		return arena_printf(arena,
				    "UNDECIDED: whether %s differs from %s in %s is open. This is "
				    "not evidence of no difference.",
				    speech->candidate, speech->baseline, speech->phrase);
	return arena_printf(arena,
			    "UNDECIDED: %s may be %s (%s). This is not evidence of no "
			    "difference.%s%s%s",
			    speech->candidate, range_text(speech), speech->phrase,
			    excluded != NULL ? " Shown is that it is " : "",
			    excluded != NULL ? excluded : "", excluded != NULL ? "." : "");
}

/* Luck's odds that all of one side beat all of the other, as "1 time in 10": 2/C(2n,n) where runs
 * are unpaired, 2^(1-n) for pairs. */
static double odds_of_separation(const struct comparison *comparison)
{
	double n = (double)comparison->pairs, odds = 1.0;
	size_t i;

	if (comparison->paired)
		return exp2(n - 1);
	for (i = 1; i <= comparison->pairs; i++)
		odds *= (n + (double)i) / (double)i;
	return odds / 2.0;
}

static const char *floor_answer(const struct speech *speech)
{
	const struct comparison *comparison = speech->comparison;
	const char *plural = comparison->pairs == 1 ? "" : "s";
	struct arena *arena = speech->sheet->arena;
	double odds = odds_of_separation(comparison);

	if (comparison->pairs == 0)
		return arena_printf(arena,
				    "UNDECIDED: there is nothing to compare, %s was not measured "
				    "on both sides.",
				    speech->phrase);
	return arena_printf(
	    arena,
	    "UNDECIDED: %zu %s%s cannot decide anything: even if all of one side beat all of the "
	    "other, luck does that %s.",
	    comparison->pairs, comparison->paired ? "round" : "run",
	    comparison->paired ? plural : arena_printf(arena, "%s a side", plural),
	    odds < 1.5 ? "every time" : arena_printf(arena, "1 time in %.0f", odds));
}

static const char *undecided_answer(const struct speech *speech)
{
	const struct comparison *comparison = speech->comparison;
	struct arena *arena = speech->sheet->arena;

	switch (comparison->reason) {
	case REASON_FLOOR:
		return floor_answer(speech);
	case REASON_CLOCK:
		return arena_printf(
		    arena,
		    "UNDECIDED, limited by the clock: %s comes in steps of %s, so no "
		    "number of runs will decide it. Let each run do more work.",
		    speech->phrase, sheet_clock_step(speech->sheet, comparison));
	case REASON_UNSTABLE:
		return arena_printf(arena,
				    "UNDECIDED: the difference in %s between %s and %s itself "
				    "drifted during the session, so no one figure describes it, "
				    "and its parts do not agree. Find what changed, then measure "
				    "again.",
				    speech->phrase, speech->candidate, speech->baseline);
	case REASON_VALUES:
		return arena_printf(arena,
				    "UNDECIDED: no difference in %s between %s and %s was shown, "
				    "and equivalence cannot be: the margin is a share of the "
				    "baseline, which is 0 or less.",
				    speech->phrase, speech->candidate, speech->baseline);
	case REASON_SUMMARY:
		return arena_printf(arena,
				    "UNDECIDED: only means of %s were given, %s. Give the runs "
				    "themselves, or a column of it.",
				    speech->phrase,
				    comparison->pairs == 0 ? "without the number of runs"
							   : "without their deviation");
	case REASON_INTERVAL:
	case REASON_NONE:
		break;
	}
	return interval_undecided_text(speech);
}

static const char *sentence_of(const struct speech *speech)
{
	switch (speech->comparison->verdict) {
	case VERDICT_BETTER:
	case VERDICT_WORSE:
	case VERDICT_CHANGED:
		return decided_text(speech);
	case VERDICT_SAME:
		return same_text(speech);
	case VERDICT_EQUIVALENT:
		return equivalent_text(speech);
	case VERDICT_UNDECIDED:
		return undecided_answer(speech);
	case VERDICT_INVALID:
	case VERDICT_NONE:
		break;
	}
	return NULL;
}

const char *sheet_comparison_sentence(struct sheet *sheet, const struct comparison *comparison)
{
	struct speech speech = speech_for(sheet, comparison);

	return sentence_of(&speech);
}
