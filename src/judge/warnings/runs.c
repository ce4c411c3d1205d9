/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings about single runs: failed, different output, disturbed, two groups, slow ones. */
#include <math.h>

#include "base/text.h"
#include "base/units.h"
#include "judge/failures.h"
#include "judge/warnings/warnings.h"
#include "stats/tests.h"

static const double test_level = 0.01;

/* Runs this many times slower than the typical one are worth a sentence even alone. */
static const double slow_factor = 2;

static const char *runs(size_t count)
{
	return count == 1 ? "run" : "runs";
}

static const char *how_it_ended(struct judging *judging, struct failures failures)
{
	if (failures.timed_out == failures.failed)
		return "timed out";
	if (failures.signal != 0)
		return arena_printf(judging->scratch, "the first by signal %d", failures.signal);
	if (failures.exit_status >= 0)
		return arena_printf(judging->scratch, "the first with exit status %d",
				    failures.exit_status);
	return "the first could not start";
}

void warn_failed_runs(struct judging *judging)
{
	const struct recording *recording = judging->recording;
	size_t subject;

	for (subject = 0; subject < recording->plan.subject_count; subject++) {
		struct failures failures = failures_count(recording, subject);

		if (failures.failed == 0)
			continue;
		warning_add(judging, WARNING_FAILED_RUNS, METRIC_NONE,
			    "%zu of %zu runs of %s failed (%s); a round with a failed run gives "
			    "no pair%s",
			    failures.failed, failures.runs, judging_label(judging, subject),
			    how_it_ended(judging, failures),
			    judging_is_candidate(recording, subject) &&
				    failures_invalidate(recording, subject)
				? ", and what is left is not judged."
				: ".");
	}
}

static size_t flagged_runs(const struct recording *recording, size_t subject, uint32_t flag,
			   size_t *total)
{
	size_t count = 0, i;

	*total = recording_bulk_runs(recording, subject);
	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		if ((sample->flags & SAMPLE_WARMUP) || sample->subject != subject)
			continue;
		*total += 1;
		count += (sample->flags & flag) != 0;
	}
	return count;
}

void warn_output(struct judging *judging)
{
	const struct recording *recording = judging->recording;
	size_t subject, total;

	for (subject = 0; subject < recording->plan.subject_count; subject++) {
		size_t count = flagged_runs(recording, subject, SAMPLE_OUTPUT_DIFFERS, &total);

		if (count > 0)
			warning_add(judging, WARNING_OUTPUT, METRIC_NONE,
				    "%zu of %zu runs of %s printed other bytes than the %s.", count,
				    total, judging_label(judging, subject),
				    recording_baseline(recording, subject) == subject
					? "first: it may not do the same work each time"
					: "baseline: the two may not do the same work");
	}
}

void warn_disturbed(struct judging *judging)
{
	const struct recording *recording = judging->recording;
	struct text text = { 0 };
	size_t subject, total;

	for (subject = 0; subject < recording->plan.subject_count; subject++) {
		size_t count = flagged_runs(recording, subject, SAMPLE_DISTURBED, &total);

		if (count > 0)
			text_printf(&text, "%s%zu of %zu runs of %s", text.length > 0 ? ", " : "",
				    count, total, judging_label(judging, subject));
	}
	if (text.length > 0)
		warning_add(judging, WARNING_DISTURBED, METRIC_NONE,
			    "Disturbed by other processes or by the host: %s. They are counted, "
			    "not dropped.",
			    text_string(&text));
	text_release(&text);
}

/* "6 runs near 150.2 s and 4 near 165.1 s" */
static const char *groups_of(struct judging *judging, const struct summary *summary,
			     const char *unit)
{
	size_t upper = (size_t)llround(summary->group_shares[1] * (double)summary->count);
	size_t lower = summary->count - upper;

	if (lower == 0 || upper == 0)
		return arena_printf(
		    judging->scratch, "all %zu runs near %s", summary->count,
		    units_value(judging->scratch, summary->group_centres[upper > 0], unit, 4));
	return arena_printf(judging->scratch, "%zu %s near %s and %zu near %s", lower, runs(lower),
			    units_value(judging->scratch, summary->group_centres[0], unit, 4),
			    upper,
			    units_value(judging->scratch, summary->group_centres[1], unit, 4));
}

/* Who is more often in the slower group, if that is beyond chance; SIZE_MAX: nobody. */
static size_t more_often_slow(const struct judging *judging, const struct row *row)
{
	const struct comparison *comparison = row->comparison;
	const struct summary *sides[2] = { &comparison->baseline, &comparison->other };
	size_t slow_group = row->contrast.sign > 0, slow[2], i;

	for (i = 0; i < 2; i++)
		slow[i] =
		    (size_t)llround(sides[i]->group_shares[slow_group] * (double)sides[i]->count);
	if (!(test_fisher_p(slow[0], sides[0]->count - slow[0], slow[1],
			    sides[1]->count - slow[1]) < test_level))
		return SIZE_MAX;
	return slow[1] * sides[0]->count > slow[0] * sides[1]->count
		   ? comparison->candidate
		   : recording_baseline(judging->recording, comparison->candidate);
}

/* The difference between the groups drowns the one between the commands. */
static bool useless(const struct comparison *comparison)
{
	const struct summary *split =
	    comparison->baseline.two_groups ? &comparison->baseline : &comparison->other;
	double between = log(split->group_centres[1] / split->group_centres[0]);
	double width = log1p(comparison->change_high) - log1p(comparison->change_low);

	return comparison->verdict == VERDICT_UNDECIDED && !(width < between / 2);
}

static void warn_groups_of_pair(struct judging *judging, const struct row *row)
{
	const struct comparison *comparison = row->comparison;
	const struct metric *metric = row_metric(judging, row);
	size_t baseline = recording_baseline(judging->recording, comparison->candidate);
	size_t slow = more_often_slow(judging, row);
	struct text text = { 0 };

	text_printf(&text, "%s falls into two groups (%s: %s; %s: %s)", metric->name,
		    judging_label(judging, baseline),
		    groups_of(judging, &comparison->baseline, metric->unit),
		    judging_label(judging, comparison->candidate),
		    groups_of(judging, &comparison->other, metric->unit));
	if (slow != SIZE_MAX)
		text_printf(&text, "; %s is more often in the slow group",
			    judging_label(judging, slow));
	text_add(&text, useless(comparison)
			    ? ": finding the cause will help, more runs will not."
			    : ": a single mean describes neither, so look for the cause.");
	warning_add(judging, WARNING_TWO_GROUPS, (int)comparison->metric, "%s", text_string(&text));
	text_release(&text);
}

void warn_two_groups(struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->row_count; i++) {
		const struct row *row = &judging->rows[i];
		const struct comparison *comparison = row->comparison;
		const struct metric *metric = row_metric(judging, row);

		if (!comparison->primary)
			continue;
		if (!judging_is_candidate(judging->recording, comparison->candidate)) {
			if (comparison->baseline.two_groups)
				warning_add(
				    judging, WARNING_TWO_GROUPS, (int)comparison->metric,
				    "%s of %s falls into two groups (%s): a single mean "
				    "describes neither, so look for the cause.",
				    metric->name, judging_label(judging, comparison->candidate),
				    groups_of(judging, &comparison->baseline, metric->unit));
		} else if (comparison->baseline.two_groups || comparison->other.two_groups) {
			warn_groups_of_pair(judging, row);
		}
	}
}

/* How many times slower than typical the slowest run is. */
static double slowest_factor(const struct summary *summary, int sign)
{
	if (summary->slow_runs == 0 || !(summary->lowest > 0))
		return 1;
	return sign > 0 ? summary->highest / summary->median : summary->median / summary->lowest;
}

/* Slow runs pull the mean out of the interval of the typical change. */
static bool total_disagrees(const struct comparison *comparison)
{
	double slack = comparison->margin_ratio;

	return isfinite(comparison->change_low) && isfinite(comparison->change_high) &&
	       (comparison->mean_change < comparison->change_low - slack ||
		comparison->mean_change > comparison->change_high + slack);
}

/* With equal commands a slow run is as likely on either side: a fair coin where the sides have as
 * many runs, else one weighted by them. */
static bool counts_differ(const struct comparison *comparison)
{
	size_t a = comparison->baseline.slow_runs, b = comparison->other.slow_runs;
	double weight = (double)comparison->other.count /
			(double)(comparison->baseline.count + comparison->other.count);

	return a + b > 0 && test_binomial_p(b, a + b, weight) < test_level;
}

/* "3 of the 80 runs of candidate", "none of the 80 of baseline" */
static const char *how_many_slow(struct judging *judging, const struct summary *summary,
				 size_t subject)
{
	const char *label = judging_label(judging, subject);

	if (summary->slow_runs == 0)
		return arena_printf(judging->scratch, "none of the %zu of %s", summary->count,
				    label);
	return arena_printf(judging->scratch, "%zu of the %zu runs of %s", summary->slow_runs,
			    summary->count, label);
}

static void warn_slow_pair(struct judging *judging, const struct row *row)
{
	const struct comparison *comparison = row->comparison;
	const struct summary *a = &comparison->baseline, *b = &comparison->other;
	bool differ = counts_differ(comparison), disagree = total_disagrees(comparison);
	double factor =
	    fmax(slowest_factor(a, row->contrast.sign), slowest_factor(b, row->contrast.sign));
	struct text text = { 0 };

	if (a->slow_runs + b->slow_runs == 0 || (!differ && !disagree && factor < slow_factor))
		return;
	text_printf(&text, "%s is far %s the typical run's in %s and in %s",
		    row_metric(judging, row)->name, row->contrast.sign > 0 ? "above" : "below",
		    how_many_slow(judging, b, comparison->candidate),
		    how_many_slow(judging, a,
				  recording_baseline(judging->recording, comparison->candidate)));
	if (factor >= slow_factor)
		text_printf(&text, ", by a factor of up to %.1f", factor);
	if (differ)
		text_add(&text, ", which is no even split");
	if (disagree)
		text_printf(&text, ": the typical run changes by %s, the mean by %s",
			    units_change(judging->scratch, comparison->change),
			    units_change(judging->scratch, comparison->mean_change));
	text_add_char(&text, '.');
	warning_add(judging, WARNING_SLOW_RUNS, (int)comparison->metric, "%s", text_string(&text));
	text_release(&text);
}

static void warn_slow_alone(struct judging *judging, const struct row *row)
{
	const struct comparison *comparison = row->comparison;
	const struct metric *metric = row_metric(judging, row);
	double factor =
	    slowest_factor(&comparison->baseline, metric->better == BETTER_HIGHER ? -1 : 1);

	if (factor >= slow_factor)
		warning_add(judging, WARNING_SLOW_RUNS, (int)comparison->metric,
			    "%s is far from the typical run's in %s, by a factor of up to %.1f.",
			    metric->name,
			    how_many_slow(judging, &comparison->baseline, comparison->candidate),
			    factor);
}

void warn_slow_runs(struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->row_count; i++) {
		const struct row *row = &judging->rows[i];

		if (!row->comparison->primary)
			continue;
		if (judging_is_candidate(judging->recording, row->comparison->candidate))
			warn_slow_pair(judging, row);
		else
			warn_slow_alone(judging, row);
	}
}
