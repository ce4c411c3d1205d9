/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The answer in plain sentences, one per primary comparison (docs/method.md,
 * section 6). A sentence gives the interval beside the estimate, since early
 * stopping makes the point alone look better than it is; and it never lets
 * "undecided" pass for "no difference".
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/sheet/parts.h"

/* From here on a sentence each is no answer any more; one that counts them is. */
enum { MOST_SENTENCES = 6 };

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

static const char *upper(struct arena *arena, const char *word)
{
	char *copy = arena_strdup(arena, word);
	size_t i;

	for (i = 0; copy[i] != '\0'; i++)
		if (copy[i] >= 'a' && copy[i] <= 'z')
			copy[i] = (char)(copy[i] - 'a' + 'A');
	return copy;
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
	    arena, "%s is %s instead of %s (%s), exactly", speech->phrase,
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
	return arena_printf(arena, "its %s is %s%s", speech->phrase,
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
			    upper(speech->sheet->arena, word), speech->baseline,
			    effect_text(speech), beyond_text(speech), drift_text(speech));
}

static const char *same_text(const struct speech *speech)
{
	return arena_printf(speech->sheet->arena, "%s and %s are the SAME: %s is %s in both.",
			    speech->candidate, speech->baseline, speech->phrase,
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
		    arena, "%s and %s are EQUIVALENT: %s is %s in every run of both.",
		    speech->candidate, speech->baseline, speech->phrase,
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

static const char *answer_text(const struct speech *speech)
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

static struct block *add_sentence(struct sheet *sheet, const char *sentence, bool apart)
{
	struct block *block = document_sentence(sheet->document, NULL, "%s", sentence);

	block->id = "answer";
	block->apart = apart;
	return block;
}

static size_t count_verdicts(const struct findings *findings, enum verdict verdict)
{
	size_t count = 0, i;

	for (i = 0; i < findings->comparison_count; i++)
		count +=
		    findings->comparisons[i].primary && findings->comparisons[i].verdict == verdict;
	return count;
}

static size_t count_primary(const struct findings *findings)
{
	size_t count = 0, i;

	for (i = 0; i < findings->comparison_count; i++)
		count += findings->comparisons[i].primary;
	return count;
}

/* The metric whose words fit all primary ones; where they differ, better and worse fit. */
static const struct metric *common_words(const struct sheet *sheet)
{
	static const struct metric neutral = { .name = "", .unit = "", .better = BETTER_HIGHER };
	const struct findings *findings = sheet->findings;
	const struct metric *first = &sheet->metrics[findings->comparisons[0].metric];
	size_t i;

	for (i = 0; i < findings->comparison_count; i++)
		if (findings->comparisons[i].primary &&
		    strcmp(sheet_verdict_word(VERDICT_WORSE, first),
			   sheet_verdict_word(VERDICT_WORSE,
					      &sheet->metrics[findings->comparisons[i].metric])))
			return &neutral;
	return first;
}

/* "3 FASTER, 2 SLOWER, 4 UNDECIDED" */
static const char *verdict_list(const struct sheet *sheet)
{
	static const enum verdict order[] = { VERDICT_BETTER,	  VERDICT_WORSE, VERDICT_CHANGED,
					      VERDICT_EQUIVALENT, VERDICT_SAME,	 VERDICT_UNDECIDED,
					      VERDICT_INVALID };
	const struct metric *words = common_words(sheet);
	const char *list = "";
	size_t count, i;

	for (i = 0; i < sizeof order / sizeof *order; i++) {
		count = count_verdicts(sheet->findings, order[i]);
		if (count > 0)
			list = arena_printf(
			    sheet->arena, "%s%s%zu %s", list, list[0] != '\0' ? ", " : "", count,
			    upper(sheet->arena, sheet_verdict_word(order[i], words)));
	}
	return list;
}

/* " Worse: sort (+3.10%), merge (+2.00%) and 4 others." Nobody should have to look for them. */
static const char *worse_list(const struct sheet *sheet)
{
	enum { NAMED = 5 };
	const struct findings *findings = sheet->findings;
	struct arena *arena = sheet->arena;
	const char *list = "", *of;
	size_t found = 0, i;

	for (i = 0; i < findings->comparison_count; i++) {
		const struct comparison *comparison = &findings->comparisons[i];

		if (!comparison->primary || comparison->verdict != VERDICT_WORSE ||
		    found++ >= NAMED)
			continue;
		of = plan_candidate_count(&sheet->recording->plan) > 1
			 ? arena_printf(arena, " of %s", sheet->names[comparison->candidate])
			 : "";
		list = arena_printf(
		    arena, "%s%s%s%s%s", list, found > 1 ? ", " : "",
		    sheet_metric_phrase(sheet, comparison->metric), of,
		    comparison->difference
			? ""
			: arena_printf(arena, " (%s)",
				       change_cell(arena, comparison->change, comparison->exact)));
	}
	if (found == 0)
		return "";
	if (found > NAMED)
		list = arena_printf(arena, "%s and %zu more", list, found - NAMED);
	return arena_printf(arena, " Worse: %s.", list);
}

/* "Of 9 comparisons of wall time: 3 FASTER, 2 SLOWER, 4 UNDECIDED."; of a set, "Of 9 benchmarks".
 */
static const char *count_text(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	size_t count = count_primary(findings);
	size_t candidates = plan_candidate_count(&sheet->recording->plan);
	const char *what;

	if (!sheet->recording->plan.all_decide)
		what = arena_printf(sheet->arena, "comparisons of %s",
				    sheet_metric_phrase(sheet, findings->comparisons[0].metric));
	else if (candidates > 1)
		what = arena_printf(sheet->arena, "comparisons (benchmarks of %zu candidates)",
				    candidates);
	else
		what = "benchmarks";
	return arena_printf(sheet->arena, "Of %zu %s: %s.%s", count, what, verdict_list(sheet),
			    sheet->recording->plan.all_decide ? worse_list(sheet) : "");
}

static bool is_among(const char *const *sentences, size_t count, const char *sentence)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(sentences[i], sentence) == 0)
			return true;
	return false;
}

static void add_each(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	const char **told = arena_alloc(sheet->arena, findings->comparison_count, sizeof *told);
	struct speech speech;
	size_t count = 0, i;

	for (i = 0; i < findings->comparison_count; i++) {
		if (!findings->comparisons[i].primary)
			continue;
		speech = speech_for(sheet, &findings->comparisons[i]);
		told[count] = answer_text(&speech);
		/* Too few runs are too few for all. */
		if (told[count] == NULL || is_among(told, count, told[count]))
			continue;
		add_sentence(sheet, told[count], count == 0)->tone =
		    sheet_verdict_tone(findings->comparisons[i].verdict);
		count++;
	}
}

static void add_invalid(struct sheet *sheet)
{
	add_sentence(sheet,
		     arena_printf(sheet->arena,
				  "INVALID: runs failed (%s), so nothing is concluded from the "
				  "others.",
				  sheet_failures(sheet)),
		     true);
	sheet->document->blocks[sheet->document->block_count - 1].tone = TONE_BAD;
}

/* Nothing was compared: what these runs could have told, had there been another side. */
static void add_alone(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	const struct comparison *comparison = NULL;
	size_t count = sheet->recording->plan.subject_count, i;
	const char *could = "", *how_many = "One command was";
	const char *origin = sheet->recording->origin;

	if (origin != NULL && strcmp(origin, "measured") != 0) {
		add_sentence(sheet,
			     "One side was read, and nothing was compared: a second file, or --by "
			     "LABEL, makes another side.",
			     true);
		return;
	}
	if (count > 1)
		how_many = arena_printf(sheet->arena, "%zu commands were", count);
	for (i = 0; i < findings->comparison_count && comparison == NULL; i++)
		if (findings->comparisons[i].primary)
			comparison = &findings->comparisons[i];
	if (count == 1 && comparison != NULL && isfinite(comparison->resolvable_ratio))
		could = arena_printf(sheet->arena,
				     " %zu runs like these on each of two sides could have shown a "
				     "difference of %s in %s.",
				     comparison->pairs,
				     change_share(sheet->arena, comparison->resolvable_ratio),
				     sheet_metric_phrase(sheet, comparison->metric));
	add_sentence(
	    sheet,
	    arena_printf(sheet->arena, "%s measured; nothing was compared.%s", how_many, could),
	    true);
}

/* A/A mode: the answer is what the check found; the sentence is the judge's. */
static void add_self_check(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	size_t i;

	for (i = 0; i < findings->warning_count; i++) {
		if (findings->warnings[i].kind != WARNING_SELF_CHECK)
			continue;
		add_sentence(sheet, sheet_sentence(sheet, findings->warnings[i].sentence), true);
	}
}

bool sheet_counts_only(const struct sheet *sheet)
{
	const struct plan *plan = &sheet->recording->plan;

	/* Where blocks have the answer, each of them says less. */
	return count_primary(sheet->findings) > MOST_SENTENCES ||
	       (plan->block != NULL && plan->subject_count > 2);
}

void sheet_add_answer(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;

	if (plan_candidate_count(&sheet->recording->plan) == 0)
		add_alone(sheet);
	else if (findings->verdict == VERDICT_INVALID)
		add_invalid(sheet);
	else if (findings->verdict == VERDICT_NONE)
		add_sentence(sheet, "NO VERDICT: no planned look was completed.", true);
	else if (sheet_counts_only(sheet))
		add_sentence(sheet, count_text(sheet), true);
	else
		add_each(sheet);
	add_self_check(sheet);
}
