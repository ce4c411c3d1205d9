/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts in words. Which words depends on what was measured; which verdict never does. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/sheet/parts.h"

/* Beyond a day and more rounds than that, or beyond so many where their length is not known, a
 * number of further rounds is no advice (docs/method.md, 3.9). */
enum { DAY_S = 24 * 60 * 60, MOST_IN_DAYS = 1000, MOST_MORE = 100000 };

struct word_pair {
	const char *better, *worse;
};

/* Times are faster or slower, bytes and exact counts smaller or larger, the rest better or worse.
 */
static struct word_pair words_for(const struct metric *metric)
{
	if (metric->better == BETTER_LOWER && strcmp(metric->unit, "s") == 0)
		return (struct word_pair){ "faster", "slower" };
	if (metric->better == BETTER_LOWER && (metric->exact || strcmp(metric->unit, "B") == 0))
		return (struct word_pair){ "smaller", "larger" };
	return (struct word_pair){ "better", "worse" };
}

const char *sheet_verdict_word(enum verdict verdict, const struct metric *metric)
{
	switch (verdict) {
	case VERDICT_BETTER:
		return words_for(metric).better;
	case VERDICT_WORSE:
		return words_for(metric).worse;
	case VERDICT_CHANGED:
		return "changed";
	case VERDICT_EQUIVALENT:
		return "equivalent";
	case VERDICT_SAME:
		return "same";
	case VERDICT_UNDECIDED:
		return "undecided";
	case VERDICT_INVALID:
		return "invalid";
	case VERDICT_NONE:
		break;
	}
	return "-";
}

const char *sheet_excluded(const struct sheet *sheet, const struct comparison *comparison)
{
	struct word_pair words = words_for(&sheet->metrics[comparison->metric]);
	const char *margin = units_percent(sheet->arena, comparison->margin_ratio);

	if (comparison->not_worse && comparison->not_better)
		return arena_printf(sheet->arena, "neither %s nor %s by more than %s", words.better,
				    words.worse, margin);
	if (comparison->not_worse)
		return arena_printf(sheet->arena, "not %s by more than %s", words.worse, margin);
	if (comparison->not_better)
		return arena_printf(sheet->arena, "not %s by more than %s", words.better, margin);
	return NULL;
}

/* "12 more rounds (20 s)" or "12 more runs a side". */
static const char *more_text(const struct sheet *sheet, const struct comparison *comparison,
			     size_t more)
{
	double round_s = sheet_round_s(sheet);
	struct arena *arena = sheet->arena;

	if (!comparison->paired)
		return arena_printf(arena, "%s more run%s a side",
				    units_count(arena, (int64_t)more), more == 1 ? "" : "s");
	if (isnan(round_s))
		return arena_printf(arena, "%s more round%s", units_count(arena, (int64_t)more),
				    more == 1 ? "" : "s");
	return arena_printf(arena, "%s more round%s (%s)", units_count(arena, (int64_t)more),
			    more == 1 ? "" : "s",
			    units_duration(arena, (int64_t)(round_s * (double)more * 1e9)));
}

/* The second figure goes without its noun: "30 (50 s) almost surely". */
static const char *surely_text(const struct sheet *sheet, const struct comparison *comparison)
{
	double seconds = sheet_round_s(sheet) * (double)comparison->more_surely;
	struct arena *arena = sheet->arena;

	if (!comparison->paired || isnan(seconds))
		return units_count(arena, (int64_t)comparison->more_surely);
	return arena_printf(arena, "%s (%s)", units_count(arena, (int64_t)comparison->more_surely),
			    units_duration(arena, (int64_t)(seconds * 1e9)));
}

/* A session that the primary metric ended early may have left too little for the others. */
static const char *what_bounds(const struct sheet *sheet, const struct comparison *comparison)
{
	if (!isinf(comparison->change_low) && !isinf(comparison->change_high))
		return "these runs cannot tell";
	if (!comparison->primary && sheet->recording->end == END_DECIDED)
		return "too few rounds for it, since the primary metric was decided; --no-peek "
		       "runs "
		       "them all";
	return "so few runs bound nothing";
}

static bool is_out_of_reach(const struct sheet *sheet, const struct comparison *comparison,
			    size_t more)
{
	double round_s = comparison->paired ? sheet_round_s(sheet) : NAN;

	if (isnan(round_s))
		return more > MOST_MORE;
	return more > MOST_IN_DAYS && round_s * (double)more > DAY_S;
}

/* "about 14 d of rounds", or how many where their length is not known. */
static const char *reach_text(const struct sheet *sheet, const struct comparison *comparison)
{
	double seconds = sheet_round_s(sheet) * (double)comparison->more_likely;
	struct arena *arena = sheet->arena;

	if (!comparison->paired || isnan(seconds))
		return arena_printf(arena, "more than %s %s", units_count(arena, MOST_MORE),
				    comparison->paired ? "rounds" : "runs a side");
	if (seconds > 1000.0 * DAY_S)
		return "years of rounds";
	return arena_printf(arena, "about %s of rounds",
			    units_duration(arena, (int64_t)(seconds * 1e9)));
}

static const char *what_would_decide(const struct sheet *sheet, const struct comparison *comparison)
{
	const char *likely;

	if (comparison->more_likely == 0)
		return what_bounds(sheet, comparison);
	if (is_out_of_reach(sheet, comparison, comparison->more_likely))
		return arena_printf(sheet->arena,
				    "it would take %s to decide it: steadier runs or a wider "
				    "margin help, more of these do not",
				    reach_text(sheet, comparison));
	likely = more_text(sheet, comparison, comparison->more_likely);
	if (is_out_of_reach(sheet, comparison, comparison->more_surely))
		return arena_printf(sheet->arena, "%s would probably decide it", likely);
	if (comparison->more_surely <= comparison->more_likely)
		return arena_printf(sheet->arena, "%s would almost surely decide it", likely);
	return arena_printf(sheet->arena, "%s would probably decide it, %s almost surely", likely,
			    surely_text(sheet, comparison));
}

const char *sheet_clock_step(const struct sheet *sheet, const struct comparison *comparison)
{
	const struct metric *metric = &sheet->metrics[comparison->metric];

	/* In the unit of the metric where a share says nothing. */
	if (!comparison->difference && comparison->clock_step_ratio >= 0.0001 &&
	    !change_is_factor(comparison->clock_step_ratio))
		return arena_printf(sheet->arena, "%s of the value",
				    change_share(sheet->arena, comparison->clock_step_ratio));
	if (metric->quantum > 0)
		return units_value(sheet->arena, metric->quantum, metric->unit, 4);
	return "too coarse a way";
}

static const char *floor_text(const struct sheet *sheet, const struct comparison *comparison)
{
	const char *unit = comparison->paired ? "round" : "run";
	const char *few = arena_printf(sheet->arena, "%zu %s%s%s %s too few to decide anything",
				       comparison->pairs, unit, comparison->pairs == 1 ? "" : "s",
				       comparison->paired ? "" : " a side",
				       comparison->pairs == 1 ? "is" : "are");

	if (comparison->pairs == 0)
		return "not measured on both sides: there is nothing to compare";
	if (comparison->more_likely == 0)
		return few;
	return arena_printf(sheet->arena, "%s; at least %s", few,
			    more_text(sheet, comparison, comparison->more_likely));
}

static const char *undecided_text(const struct sheet *sheet, const struct comparison *comparison)
{
	const char *excluded;

	switch (comparison->reason) {
	case REASON_FLOOR:
		return floor_text(sheet, comparison);
	case REASON_CLOCK:
		return arena_printf(sheet->arena,
				    "limited by the clock, which steps in %s: no number of runs "
				    "will decide it, longer runs will",
				    sheet_clock_step(sheet, comparison));
	case REASON_UNSTABLE:
		excluded = sheet_excluded(sheet, comparison);
		return arena_printf(sheet->arena,
				    "the difference itself drifted: the interval spans what each "
				    "part of the rounds shows, and they do not agree%s%s",
				    excluded == NULL ? "" : "; in each it is ",
				    excluded == NULL ? "" : excluded);
	case REASON_VALUES:
		return "no difference was shown, and equivalence cannot be: the margin is a share "
		       "of the baseline, which is 0 or less";
	case REASON_SUMMARY:
		return comparison->pairs == 0
			   ? "of how many runs is not told, and without that a mean shows nothing"
			   : "no deviation is told, so what the runs vary by is not known";
	case REASON_INTERVAL:
	case REASON_NONE:
		break;
	}
	excluded = sheet_excluded(sheet, comparison);
	if (excluded == NULL)
		return what_would_decide(sheet, comparison);
	return arena_printf(sheet->arena, "%s; %s", excluded, what_would_decide(sheet, comparison));
}

static const char *group_text(const struct sheet *sheet, const struct metric *metric,
			      const char *name, const struct summary *summary)
{
	double largest = fmax(fabs(summary->group_centres[0]), fabs(summary->group_centres[1]));
	struct quantity quantity = quantity_choose(metric->unit, largest, NAN, false);

	return arena_printf(sheet->arena, "%s %s (%.0f%% of its runs) and %s (%.0f%%)", name,
			    quantity_value(sheet->arena, &quantity, summary->group_centres[0]),
			    summary->group_shares[0] * 100.0,
			    quantity_value(sheet->arena, &quantity, summary->group_centres[1]),
			    summary->group_shares[1] * 100.0);
}

/* Where the two groups lie, unless a warning tells it; NULL for none. */
static const char *groups_text(const struct sheet *sheet, const struct comparison *comparison)
{
	const struct metric *metric = &sheet->metrics[comparison->metric];
	size_t baseline = recording_baseline(sheet->recording, comparison->candidate);
	const char *first = NULL, *second = NULL, *both;

	if (sheet_warns(sheet, WARNING_TWO_GROUPS, (int)comparison->metric))
		return NULL;
	if (comparison->baseline.two_groups)
		first = group_text(sheet, metric, sheet->names[baseline], &comparison->baseline);
	if (comparison->other.two_groups)
		second = group_text(sheet, metric, sheet->names[comparison->candidate],
				    &comparison->other);
	if (first == NULL && second == NULL)
		return NULL;
	both = first == NULL	? second
	       : second == NULL ? first
				: arena_printf(sheet->arena, "%s; %s", first, second);
	return arena_printf(sheet->arena, "two groups of runs: %s", both);
}

/* What the verdict leaves open; NULL for nothing. */
static const char *remark_text(const struct sheet *sheet, const struct comparison *comparison)
{
	const struct metric *metric = &sheet->metrics[comparison->metric];
	struct word_pair words = words_for(metric);
	bool less = comparison->change < 0;
	bool better = less == (metric->better != BETTER_HIGHER);

	if (comparison->verdict == VERDICT_UNDECIDED)
		return undecided_text(sheet, comparison);
	if (comparison->unstable)
		return "the difference itself drifted: the interval spans what each part of the "
		       "rounds shows";
	if (comparison->verdict != VERDICT_EQUIVALENT || !comparison->consistent ||
	    comparison->exact || !isfinite(comparison->change))
		return NULL;
	return arena_printf(sheet->arena, "consistently %s %s, inside the margin",
			    comparison->difference ? "a little"
						   : change_share(sheet->arena, comparison->change),
			    better ? words.better : words.worse);
}

/* One mark a row for all that its reader must know besides; "" for nothing. */
static const char *verdict_mark(struct sheet *sheet, const struct comparison *comparison)
{
	const char *remark = remark_text(sheet, comparison);
	const char *groups = groups_text(sheet, comparison);

	if (remark == NULL && groups == NULL)
		return "";
	if (remark == NULL || groups == NULL)
		return sheet_footnote(sheet, remark == NULL ? groups : remark);
	return sheet_footnote(sheet, arena_printf(sheet->arena, "%s; %s", remark, groups));
}

enum tone sheet_verdict_tone(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_BETTER:
		return TONE_GOOD;
	case VERDICT_WORSE:
	case VERDICT_INVALID:
		return TONE_BAD;
	case VERDICT_UNDECIDED:
	case VERDICT_CHANGED:
		return TONE_CAUTION;
	case VERDICT_NONE:
	case VERDICT_EQUIVALENT:
	case VERDICT_SAME:
		break;
	}
	return TONE_PLAIN;
}

struct cell sheet_verdict_cell(struct sheet *sheet, const struct comparison *comparison)
{
	const struct metric *metric = &sheet->metrics[comparison->metric];
	const char *beyond = "", *mark = verdict_mark(sheet, comparison);
	struct cell cell;

	if (comparison->beyond_margin && comparison->margin_ratio > 0)
		beyond = arena_printf(sheet->arena, ", > %s",
				      units_percent(sheet->arena, comparison->margin_ratio));
	cell = cell_text(arena_printf(
	    sheet->arena, "%s%s%s", sheet_verdict_word(comparison->verdict, metric), beyond, mark));
	cell.tone = sheet_verdict_tone(comparison->verdict);
	return cell;
}
