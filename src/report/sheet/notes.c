/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Below the table: footnotes, warnings, the trade, how far to trust it all, and what was compared.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"
#include "report/sheet/parts.h"

/* More of them in a row are a list that nobody reads. */
enum { MOST_TOTALS = 3 };
/* Of more variants than these the share of a start is not told one by one. */
enum { MOST_SHARES = 4 };

const char *sheet_footnote(struct sheet *sheet, const char *text)
{
	size_t i;

	for (i = 0; i < sheet->footnote_count; i++)
		if (strcmp(sheet->footnotes[i], text) == 0)
			return arena_printf(sheet->arena, " [%zu]", i + 1);
	*array_push(sheet->arena, sheet->footnotes, sheet->footnote_count,
		    sheet->footnote_capacity) = text;
	return arena_printf(sheet->arena, " [%zu]", sheet->footnote_count);
}

bool sheet_warns(const struct sheet *sheet, enum warning_kind kind, int metric)
{
	const struct findings *findings = sheet->findings;
	size_t i;

	for (i = 0; i < findings->warning_count; i++)
		if (findings->warnings[i].kind == kind &&
		    (metric == METRIC_NONE || findings->warnings[i].metric == metric))
			return true;
	return false;
}

static void add_footnotes(struct sheet *sheet)
{
	size_t i;

	for (i = 0; i < sheet->footnote_count; i++)
		document_note(sheet->document, arena_printf(sheet->arena, "[%zu]", i + 1), "%s",
			      sheet->footnotes[i])
		    ->id = "footnote";
}

/* The typical change and that of the total disagree: the mean lies outside the interval, by more
 * than the margin. */
static bool total_disagrees(const struct comparison *comparison)
{
	double slack = comparison->margin_ratio;

	return !comparison->exact && !comparison->difference && isfinite(comparison->mean_change) &&
	       isfinite(comparison->change_low) && isfinite(comparison->change_high) &&
	       (comparison->mean_change < comparison->change_low - slack ||
		comparison->mean_change > comparison->change_high + slack);
}

static const char *slow_text(const struct sheet *sheet, const struct comparison *comparison)
{
	if (comparison->baseline.slow_runs + comparison->other.slow_runs == 0)
		return "";
	return arena_printf(
	    sheet->arena, "; slow runs are %zu of %zu there and %zu of %zu in %s",
	    comparison->other.slow_runs, comparison->other.count, comparison->baseline.slow_runs,
	    comparison->baseline.count,
	    sheet->names[recording_baseline(sheet->recording, comparison->candidate)]);
}

/* " in seq_create": which of the benchmarks of a set is spoken of; "" elsewhere. */
static const char *in_set_text(const struct sheet *sheet, const struct comparison *comparison)
{
	if (!sheet->recording->plan.all_decide)
		return "";
	return arena_printf(sheet->arena, " in %s", sheet_metric_phrase(sheet, comparison->metric));
}

static bool has_total(const struct sheet *sheet, const struct comparison *comparison)
{
	return comparison->primary && total_disagrees(comparison) &&
	       comparison->verdict != VERDICT_INVALID &&
	       !sheet_warns(sheet, WARNING_SLOW_RUNS, (int)comparison->metric);
}

static void add_total(struct sheet *sheet, const struct comparison *comparison)
{
	document_note(sheet->document, "total",
		      "the typical run%s of %s changes by %s, the total of all runs by %s%s",
		      in_set_text(sheet, comparison), sheet->names[comparison->candidate],
		      change_cell(sheet->arena, comparison->change, false),
		      change_cell(sheet->arena, comparison->mean_change, false),
		      slow_text(sheet, comparison))
	    ->id = "total";
}

/* Each in a line, or how many there are where that would be a list. */
static void add_totals(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	size_t count = 0, primary = 0, i;

	for (i = 0; i < findings->comparison_count; i++) {
		primary += findings->comparisons[i].primary;
		count += has_total(sheet, &findings->comparisons[i]);
	}
	for (i = 0; i < findings->comparison_count && count <= MOST_TOTALS; i++)
		if (has_total(sheet, &findings->comparisons[i]))
			add_total(sheet, &findings->comparisons[i]);
	if (count > MOST_TOTALS)
		document_note(sheet->document, "total",
			      "in %zu of %zu comparisons the total of all runs changes by another "
			      "figure than the typical run: --json has both (mean_change, change)",
			      count, primary)
		    ->id = "total";
}

static const char *welch_interval(const struct sheet *sheet, const struct comparison *comparison)
{
	double low = comparison->welch_low, high = comparison->welch_high;
	struct quantity quantity;

	if (!comparison->difference)
		return change_interval(sheet->arena, low, high);
	quantity = quantity_choose(sheet->metrics[comparison->metric].unit,
				   fmax(fabs(low), fabs(high)), NAN, true);
	return arena_printf(sheet->arena, "%s .. %s",
			    quantity_signed_digits(sheet->arena, &quantity, low),
			    quantity_change(sheet->arena, &quantity, high));
}

/* For figures of other origin, where readers expect it; it decides nothing. */
static void add_welch(struct sheet *sheet)
{
	const struct comparison *comparison;
	struct block *block;
	size_t i;

	for (i = 0; i < sheet->findings->comparison_count; i++) {
		comparison = &sheet->findings->comparisons[i];
		if (!comparison->primary || comparison->paired || comparison->exact ||
		    !isfinite(comparison->welch_low) || !isfinite(comparison->welch_high))
			continue;
		block = document_note(
		    sheet->document, "Welch",
		    "for information: if the values of %s%s were normal, the change would be "
		    "within %s",
		    sheet->names[comparison->candidate], in_set_text(sheet, comparison),
		    welch_interval(sheet, comparison));
		block->id = "welch";
		/* Where it is the interval itself, or one of many, it only is in the way. */
		if (sheet_counts_only(sheet) ||
		    (comparison->baseline.told && isfinite(comparison->change_low)))
			block->audience = AUDIENCE_DATA;
	}
}

/* Some row of that metric is undecided for that reason, and its footnote says so. */
static bool some_row_has(const struct sheet *sheet, int metric, enum undecided_reason reason)
{
	const struct findings *findings = sheet->findings;
	size_t i;

	for (i = 0; i < findings->comparison_count; i++)
		if (findings->comparisons[i].verdict == VERDICT_UNDECIDED &&
		    findings->comparisons[i].reason == reason &&
		    (int)findings->comparisons[i].metric == metric)
			return true;
	return false;
}

/* Its footnote says so whatever the verdict is. */
static bool some_row_drifts(const struct sheet *sheet, int metric)
{
	const struct findings *findings = sheet->findings;
	size_t i;

	for (i = 0; i < findings->comparison_count; i++)
		if (findings->comparisons[i].unstable &&
		    (int)findings->comparisons[i].metric == metric)
			return true;
	return false;
}

/* A footnote or the answer at the top has said it already; programs still get the sentence. */
static bool is_said_above(const struct sheet *sheet, const struct warning *warning)
{
	switch (warning->kind) {
	case WARNING_SELF_CHECK:
		return true;
	case WARNING_FEW_RUNS:
		return some_row_has(sheet, warning->metric, REASON_FLOOR);
	case WARNING_UNSTABLE:
		return some_row_drifts(sheet, warning->metric);
	case WARNING_TICKS:
		return some_row_has(sheet, warning->metric, REASON_CLOCK);
	default:
		return false;
	}
}

/* Warnings of that kind, or of all others; what holds of every sheet comes last. */
static void add_warnings(struct sheet *sheet, bool one_build)
{
	const struct warning *warning;
	struct block *block;
	size_t i;

	for (i = 0; i < sheet->findings->warning_count; i++) {
		warning = &sheet->findings->warnings[i];
		if ((warning->kind == WARNING_ONE_BUILD) != one_build)
			continue;
		block = document_note(sheet->document, "note", "%s",
				      sheet_sentence(sheet, warning->sentence));
		block->id = warning_kind_name(warning->kind);
		if (is_said_above(sheet, warning))
			block->audience = AUDIENCE_DATA;
	}
}

static bool has_primary_interval(const struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->comparison_count; i++)
		if (findings->comparisons[i].primary && !findings->comparisons[i].exact &&
		    findings->comparisons[i].verdict != VERDICT_NONE &&
		    findings->comparisons[i].verdict != VERDICT_INVALID &&
		    (isfinite(findings->comparisons[i].change_low) ||
		     isfinite(findings->comparisons[i].change_high)))
			return true;
	return false;
}

/* "at most 1 time in 20" for 95%; "at most 7 times in 100" for 93%. */
static const char *odds_text(const struct sheet *sheet)
{
	double missed = 1.0 - sheet->recording->plan.confidence;
	double times = 1.0 / missed;

	if (fabs(times - round(times)) < 1e-6 * times)
		return arena_printf(sheet->arena, "1 time in %.0f", times);
	return arena_printf(sheet->arena, "%.3g times in 100", missed * 100.0);
}

/* How sure one may be: of the intervals, and that the sheet says so only where there is one. */
static void add_sureness(struct sheet *sheet)
{
	const struct recording *recording = sheet->recording;
	bool early = recording->order_known && recording->plan.peek;
	double confidence = recording->plan.confidence;

	if (!has_primary_interval(sheet->findings) || !(confidence > 0 && confidence < 1))
		return;
	document_note(sheet->document, "sure",
		      "intervals like the primary one miss the truth at most %s%s",
		      odds_text(sheet), early ? ", stopping early included" : "")
	    ->id = "sureness";
}

static const char *short_build(struct arena *arena, const char *build_id)
{
	enum { SHOWN_DIGITS = 12 };
	size_t prefix = strncmp(build_id, "fnv:", 4) == 0 ? 4 : 0;

	return arena_strndup(arena, build_id + prefix, strnlen(build_id + prefix, SHOWN_DIGITS));
}

static bool same_build(const char *one, const char *other)
{
	return one != NULL && other != NULL && strcmp(one, other) == 0;
}

/* "baseline 3f2a91c04b12, candidate 9bd2ee017455" */
static void add_builds(struct sheet *sheet)
{
	const struct plan *plan = &sheet->recording->plan;
	const char *list = "", *build;
	bool all_same = plan->subject_count > 1;
	size_t i;

	for (i = 0; i < plan->subject_count; i++) {
		build = plan->subjects[i].build_id;
		all_same = all_same && same_build(build, plan->subjects[0].build_id);
		if (build == NULL)
			continue;
		build = short_build(sheet->arena, build);
		list =
		    arena_printf(sheet->arena, "%s%s%s %s", list, list[0] != '\0' ? ", " : "",
				 sheet->names[i], text_clean(sheet->arena, build, strlen(build)));
	}
	if (list[0] == '\0')
		return;
	if (all_same)
		list = arena_printf(sheet->arena, "the same program in all: %s",
				    short_build(sheet->arena, plan->subjects[0].build_id));
	document_sentence(sheet->document, "builds", "%s", list)->id = "builds";
}

static const char *load_text(const struct sheet *sheet)
{
	double before = sheet->recording->before.load_1min;
	double after = sheet->recording->after.load_1min;
	bool ended = sheet->recording->after.taken_at_s != 0 && isfinite(after);

	if (!isfinite(before))
		return "";
	if (!ended)
		return arena_printf(sheet->arena, "load %.2f", before);
	return arena_printf(sheet->arena, "load %.2f before, %.2f after", before, after);
}

static void add_machine(struct sheet *sheet)
{
	/* What each is led by, where the value does not speak for itself. */
	static const char *const facts[][2] = { { "host", "" },
						{ "cpu model", "" },
						{ "cpus online", "cpus " },
						{ "kernel", "Linux " } };
	const struct environment *before = &sheet->recording->before;
	const char *list = "", *value;
	size_t i;

	for (i = 0; i < sizeof facts / sizeof *facts; i++) {
		value = environment_fact(before, facts[i][0]);
		if (value == NULL)
			continue;
		value = text_clean(sheet->arena, value, strlen(value));
		list = arena_printf(sheet->arena, "%s%s%s%s", list, list[0] != '\0' ? ", " : "",
				    facts[i][1], value);
	}
	if (load_text(sheet)[0] != '\0')
		list = arena_printf(sheet->arena, "%s%s%s", list, list[0] != '\0' ? ", " : "",
				    load_text(sheet));
	if (list[0] != '\0')
		document_sentence(sheet->document, "machine", "%s", list)->id = "machine";
}

static void add_session(struct sheet *sheet)
{
	const struct recording *recording = sheet->recording;
	time_t taken = (time_t)recording->before.taken_at_s;
	const char *when = "", *seed = "", *id = "";
	char digits[64];
	struct tm utc;

	if (taken != 0 && gmtime_r(&taken, &utc) != NULL &&
	    strftime(digits, sizeof digits, "%Y-%m-%d %H:%M:%S UTC", &utc) > 0)
		when = arena_printf(sheet->arena, ", %s", digits);
	if (recording->order_known && recording->plan.order == ORDER_RANDOM)
		seed = arena_printf(sheet->arena, ", seed %llu",
				    (unsigned long long)recording->plan.seed);
	if (recording->id != NULL)
		id = arena_printf(sheet->arena, ", saved as %s",
				  text_clean(sheet->arena, recording->id, strlen(recording->id)));
	if (when[0] == '\0' && seed[0] == '\0' && id[0] == '\0')
		return;
	document_sentence(sheet->document, "session", "worth %s%s%s%s", WORTH_VERSION, when, seed,
			  id)
	    ->id = "session";
}

/* The alpha that was kept for it is spent only if the user asks (docs/method.md, 3.6). */
static void add_extension(struct sheet *sheet)
{
	const struct recording *recording = sheet->recording;

	if (sheet->findings->verdict != VERDICT_UNDECIDED || recording->id == NULL ||
	    (recording->end != END_COMPLETE && recording->end != END_BUDGET))
		return;
	document_note(sheet->document, "extend",
		      "worth compare --extend %s runs on; some of the error rate was kept for that",
		      text_clean(sheet->arena, recording->id, strlen(recording->id)))
	    ->id = "extend";
}

/* Said of every comparison whose order is unknown, whoever made the findings. */
static void add_not_interleaved(struct sheet *sheet)
{
	if (sheet->recording->order_known || plan_candidate_count(&sheet->recording->plan) == 0 ||
	    sheet_warns(sheet, WARNING_NOT_INTERLEAVED, METRIC_NONE))
		return;
	document_note(sheet->document, "note",
		      "Runs were not interleaved: drift between the two batches would look the "
		      "same.")
	    ->id = "not-interleaved";
}

/* "64% of baseline's, 61% of candidate's" */
static const char *start_shares(const struct sheet *sheet, size_t wall)
{
	const char *list = "";
	double percent;
	size_t i;

	for (i = 0; i < sheet->recording->plan.subject_count; i++) {
		const struct summary *summary = sheet_summary(sheet, wall, i);

		if (summary == NULL || !(summary->median > 0))
			continue;
		percent = 100 * sheet->findings->start.median / summary->median;
		list = arena_printf(sheet->arena, "%s%s%.*f%% of %s's", list,
				    list[0] != '\0' ? ", " : "", percent < 1 ? 2 : percent < 10,
				    percent, sheet->names[i]);
	}
	return list;
}

/* An empty program has no other work: that much of each run is starting and waiting. */
static void add_start(struct sheet *sheet)
{
	const struct summary *start = &sheet->findings->start;
	int wall = recording_metric(sheet->recording, "wall");
	const char *shares;

	if (start->count == 0 || wall == METRIC_NONE)
		return;
	shares = sheet->recording->plan.subject_count > MOST_SHARES
		     ? ""
		     : start_shares(sheet, (size_t)wall);
	document_note(sheet->document, "null",
		      "An empty program takes %s of wall time here, started like the others "
		      "(median of %s runs)%s%s; nothing is subtracted.",
		      units_value(sheet->arena, start->median, "s", 3),
		      units_count(sheet->arena, (int64_t)start->count),
		      shares[0] != '\0' ? ": " : "", shares)
	    ->id = "null";
}

void sheet_add_notes(struct sheet *sheet)
{
	struct document *document = sheet->document;
	size_t first;

	add_footnotes(sheet);
	add_totals(sheet);
	add_warnings(sheet, false);
	add_welch(sheet);
	add_not_interleaved(sheet);
	add_start(sheet);
	if (sheet->findings->trade != NULL)
		document_note(document, "trade", "%s",
			      sheet_sentence(sheet, sheet->findings->trade))
		    ->id = "trade";
	add_extension(sheet);
	add_sureness(sheet);
	add_warnings(sheet, true);
	first = document->block_count;
	add_builds(sheet);
	add_machine(sheet);
	add_session(sheet);
	for (; first < document->block_count; first++)
		document->blocks[first].tone = TONE_FAINT;
}
