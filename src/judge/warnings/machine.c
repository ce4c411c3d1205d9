/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings about the machine and its clocks: drift, position, instability, steps, CPU accounting.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "judge/warnings/warnings.h"
#include "model/series.h"
#include "stats/order.h"
#include "stats/rank.h"
#include "stats/tests.h"

static const double test_level = 0.01;

/* Fewer values than this give no hint of a drift or of an order. */
enum { HINT_LEAST = 6 };

static const struct row *first_primary(const struct judging *judging)
{
	if (judging->row_count == 0 || !judging->rows[0].comparison->primary)
		return NULL;
	return &judging->rows[0];
}

/* The means of the pairs, in the order of the rounds. */
static double *pair_means(struct arena *arena, const struct contrast *contrast)
{
	double *means = arena_alloc(arena, contrast->baseline_count, sizeof *means);
	const double *baseline = contrast_fine(arena, contrast, 0);
	const double *candidate = contrast_fine(arena, contrast, 1);
	size_t i;

	for (i = 0; i < contrast->baseline_count; i++)
		means[i] = (baseline[i] + candidate[i]) / 2;
	return means;
}

/* Ratio - 1 of the last third to the first, NAN if the pairs' means have no trend. */
static double drift_of(const struct contrast *contrast)
{
	struct arena *arena = arena_open();
	size_t count = contrast->baseline_count, third = count / 3, i;
	double *means = pair_means(arena, contrast);
	double *index = arena_alloc(arena, count, sizeof *index);
	double drift = NAN;

	for (i = 0; i < count; i++)
		index[i] = (double)i;
	if (test_spearman_p(index, means, count, NULL) < test_level)
		drift = order_median(means + count - third, third) / order_median(means, third) - 1;
	arena_close(arena);
	return drift;
}

void warn_machine_drift(struct judging *judging)
{
	const struct row *row = first_primary(judging);
	double drift;

	if (row == NULL || !row->contrast.paired || row->contrast.difference ||
	    contrast_count(&row->contrast) < HINT_LEAST)
		return;
	drift = drift_of(&row->contrast);
	if (!isnan(drift))
		warning_add(judging, WARNING_MACHINE_DRIFT, (int)row->comparison->metric,
			    "The machine drifted meanwhile: %s of both changed by %s from the "
			    "first third of the rounds to the last. Pairs cancel it.",
			    row_metric(judging, row)->name, units_change(judging->scratch, drift));
}

/* d of the rounds in which the baseline came first, then those in which it did not. */
static size_t split_by_order(const struct contrast *contrast, double *d)
{
	size_t first = 0, last = contrast_count(contrast), i;

	for (i = 0; i < contrast_count(contrast); i++) {
		if (contrast->baseline_first[i])
			d[first++] = contrast->d[i];
		else
			d[--last] = contrast->d[i];
	}
	return first;
}

/* What second place adds to the cost: NAN if it makes no difference beyond chance. It adds to the
 * candidate in rounds that the baseline began, to the baseline in the others. */
static double position_effect(const struct contrast *contrast)
{
	struct arena *arena = arena_open();
	size_t count = contrast_count(contrast), first;
	double *d = arena_alloc(arena, count, sizeof *d);
	double effect = NAN;

	first = split_by_order(contrast, d);
	if (first >= HINT_LEAST / 2 && count - first >= HINT_LEAST / 2 &&
	    rank_sum_p(d, first, d + first, count - first) < test_level)
		effect = (order_median(d, first) - order_median(d + first, count - first)) / 2;
	arena_close(arena);
	return effect;
}

static void warn_position_of(struct judging *judging, const struct row *row)
{
	double effect = position_effect(&row->contrast);

	if (isnan(effect))
		return;
	warning_add(judging, WARNING_POSITION, (int)row->comparison->metric,
		    "Whichever of %s and %s ran later in a round %s %s %s. The random order "
		    "cancels it; find out what one run leaves behind for the next.",
		    judging_label(judging, recording_baseline(judging->recording,
							      row->comparison->candidate)),
		    judging_label(judging, row->comparison->candidate),
		    effect > 0 ? "cost" : "saved", judging_digits(judging, expm1(fabs(effect))),
		    row_metric(judging, row)->name);
}

void warn_position(struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->row_count; i++) {
		const struct row *row = &judging->rows[i];

		if (row->comparison->primary && row->contrast.paired && !row->contrast.difference)
			warn_position_of(judging, row);
	}
}

/* What the verdict of a drifting difference is worth. */
static const char *what_holds(const struct comparison *comparison)
{
	if (comparison->verdict == VERDICT_UNDECIDED)
		return "no one figure describes it, and not every part of them agrees. Look for "
		       "what changed, then measure again";
	return "the interval spans what each part of them shows, and the verdict holds of every "
	       "one";
}

void warn_unstable(struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->row_count; i++) {
		const struct row *row = &judging->rows[i];
		const struct comparison *comparison = row->comparison;

		if (!comparison->unstable || row_metric(judging, row)->hidden)
			continue;
		warning_add(judging, WARNING_UNSTABLE, (int)comparison->metric,
			    "The difference in %s between %s and %s itself drifted in the course "
			    "of the rounds: %s.",
			    row_metric(judging, row)->name,
			    judging_label(judging, recording_baseline(judging->recording,
								      comparison->candidate)),
			    judging_label(judging, comparison->candidate), what_holds(comparison));
	}
}

/* The step hides whether the difference matters: not yet decided, and not to be by more runs. */
static bool limited_by_step(const struct comparison *comparison)
{
	return comparison->reason == REASON_CLOCK ||
	       (comparison->reason == REASON_FLOOR &&
		comparison->clock_step_ratio > comparison->margin_ratio);
}

static void warn_step(struct judging *judging, const struct row *row, const struct metric *metric)
{
	const struct comparison *comparison = row->comparison;
	const char *label = judging_label(judging, comparison->candidate);
	const char *step =
	    row->contrast.difference
		? units_value(judging->scratch, row->contrast.quantum, metric->unit, 3)
		: units_percent(judging->scratch, comparison->clock_step_ratio);

	if (comparison->reason == REASON_CLOCK)
		warning_add(judging, WARNING_TICKS, (int)comparison->metric,
			    "No number of runs will decide %s of %s by itself: it comes in steps "
			    "of %s, and the runs differ by less. Make a run longer.",
			    metric->name, label, step);
	else
		warning_add(judging, WARNING_TICKS, (int)comparison->metric,
			    "%s of %s comes in steps of %s, more than the margin of %s: runs as "
			    "short as these may never decide it. Make a run longer.",
			    metric->name, label, step,
			    units_percent(judging->scratch, comparison->margin_ratio));
}

void warn_ticks(struct judging *judging)
{
	size_t i;

	for (i = 0; i < judging->row_count; i++) {
		const struct row *row = &judging->rows[i];
		const struct metric *metric = row_metric(judging, row);

		if (metric->hidden || !limited_by_step(row->comparison))
			continue;
		warn_step(judging, row, metric);
	}
}

/* Beyond this many subjects a range says more than a list. */
enum { MOST_LISTED = 3 };

/* Medians of a subject's clocks; NAN where not measured. */
struct clocks {
	double wall, cpu, task_clock;
};

static double median_of(const struct recording *recording, size_t subject, const char *name)
{
	int metric = recording_metric(recording, name);
	struct arena *arena;
	struct series series;
	double median = NAN;

	if (metric == METRIC_NONE || strcmp(recording->metrics[metric].unit, "s") != 0)
		return NAN;
	arena = arena_open();
	series = series_make(arena, recording, (size_t)metric, subject, SIZE_MAX);
	if (series.count > 0)
		median = order_median(series.values, series.count);
	arena_close(arena);
	return median;
}

/* The clocks of a benchmark of a set stand behind its name: "merge wall"; prefix "" elsewhere. */
static struct clocks clocks_of(struct arena *arena, const struct recording *recording,
			       size_t subject, const char *prefix)
{
	static const char *const names[] = { "wall", "cpu", "task-clock", "user", "sys" };
	double medians[5];
	size_t i;

	for (i = 0; i < 5; i++)
		medians[i] =
		    median_of(recording, subject, arena_printf(arena, "%s%s", prefix, names[i]));
	return (struct clocks){ .wall = medians[0],
				.cpu = isnan(medians[1]) ? medians[3] + medians[4] : medians[1],
				.task_clock = medians[2] };
}

static bool is_parallel(struct clocks clocks)
{
	return clocks.cpu > 1.1 * clocks.wall;
}

static bool is_waiting(struct clocks clocks)
{
	return clocks.cpu < 0.5 * clocks.wall;
}

/* "40 to 60 ms" of the values, or the one that all are. */
static const char *range(struct judging *judging, double low, double high)
{
	const char *to = units_value(judging->scratch, high, "s", 3);

	return low < high ? arena_printf(judging->scratch, "%s to %s",
					 units_value(judging->scratch, low, "s", 3), to)
			  : to;
}

/* Many subjects in one breath. */
static const char *all_clocks(struct judging *judging, const struct clocks *clocks, size_t count,
			      bool (*applies)(struct clocks), size_t true_of)
{
	struct clocks low = { .cpu = INFINITY, .wall = INFINITY }, high = { 0 };
	size_t i;

	for (i = 0; i < count; i++) {
		if (!applies(clocks[i]))
			continue;
		low.cpu = fmin(low.cpu, clocks[i].cpu);
		low.wall = fmin(low.wall, clocks[i].wall);
		high.cpu = fmax(high.cpu, clocks[i].cpu);
		high.wall = fmax(high.wall, clocks[i].wall);
	}
	return arena_printf(
	    judging->scratch, "%zu of %zu commands used %s of CPU time in %s of wall time", true_of,
	    count, range(judging, low.cpu, high.cpu), range(judging, low.wall, high.wall));
}

/* CPU time far from wall time needs a word, in either direction; one for all subjects that it is
 * true of. */
static void warn_wall_and_cpu(struct judging *judging, const struct clocks *clocks, size_t count,
			      bool (*applies)(struct clocks), const char *meaning)
{
	const char *list = "";
	size_t true_of = 0, i;

	for (i = 0; i < count; i++)
		if (applies(clocks[i]))
			list = arena_printf(judging->scratch,
					    "%s%s%s used %s of CPU time in %s of wall time", list,
					    true_of++ > 0 ? ", " : "", judging_label(judging, i),
					    units_value(judging->scratch, clocks[i].cpu, "s", 3),
					    units_value(judging->scratch, clocks[i].wall, "s", 3));
	if (true_of > MOST_LISTED)
		list = all_clocks(judging, clocks, count, applies, true_of);
	if (true_of > 0)
		warning_add(judging, WARNING_ACCOUNTING, METRIC_NONE, "%s: %s", list, meaning);
}

/* Two ways to count the same time should agree to 10%, beyond what short runs leave unclear. */
static void warn_two_accounts(struct judging *judging, size_t subject, struct clocks clocks)
{
	double apart = fabs(clocks.cpu - clocks.task_clock);

	if (!(apart > 0.1 * fmax(clocks.cpu, clocks.task_clock)) || apart < 0.001)
		return;
	warning_add(judging, WARNING_ACCOUNTING, METRIC_NONE,
		    "CPU time of %s is %s by getrusage and %s by task-clock: the kernel accounts "
		    "part of it elsewhere, so trust neither without knowing why.",
		    judging_label(judging, subject),
		    units_value(judging->scratch, clocks.cpu, "s", 3),
		    units_value(judging->scratch, clocks.task_clock, "s", 3));
}

/*
 * Work that CPU time says has vanished should be missing from wall time too:
 * where CPU time is most of a run, and changes by more than a factor of two
 * while wall time moves less than half as far, somebody else did the work, or
 * it was not counted.
 */
static bool account_is_suspect(struct clocks a, struct clocks b)
{
	double cpu = fabs(log(b.cpu / a.cpu)), wall = fabs(log(b.wall / a.wall));

	return a.cpu > 0.5 * a.wall && b.cpu > 0.5 * b.wall && cpu > log(2) && wall < cpu / 2;
}

static void warn_pair_account(struct judging *judging, size_t candidate, const char *prefix,
			      struct clocks a, struct clocks b)
{
	if (!account_is_suspect(a, b))
		return;
	warning_add(judging, WARNING_ACCOUNTING, METRIC_NONE,
		    "%s%sCPU time %s by %s from %s to %s while wall time %s by %s: unless it "
		    "became less parallel, the accounting is suspect, and part of the work is "
		    "counted as somebody else's.",
		    text_clean(judging->scratch, prefix, strlen(prefix)),
		    *prefix == '\0' ? "" : ": ", b.cpu < a.cpu ? "fell" : "rose",
		    judging_digits(judging, b.cpu / a.cpu - 1),
		    judging_label(judging, recording_baseline(judging->recording, candidate)),
		    judging_label(judging, candidate), b.wall < a.wall ? "fell" : "rose",
		    judging_digits(judging, b.wall / a.wall - 1));
}

/* The accounts of each benchmark of a set that has a wall time. */
static void warn_benchmark_account(struct judging *judging, const char *metric)
{
	static const char ending[] = " wall";
	const struct recording *recording = judging->recording;
	size_t length = strlen(metric), cut = sizeof ending - 1, i;
	const char *prefix;

	if (length <= cut || strcmp(metric + length - cut, ending) != 0)
		return;
	prefix = arena_strndup(judging->scratch, metric, length - cut + 1);
	for (i = 0; i < recording->plan.subject_count; i++)
		if (judging_is_candidate(recording, i))
			warn_pair_account(judging, i,
					  arena_strndup(judging->scratch, metric, length - cut),
					  clocks_of(judging->scratch, recording,
						    recording_baseline(recording, i), prefix),
					  clocks_of(judging->scratch, recording, i, prefix));
}

void warn_accounting(struct judging *judging)
{
	const struct recording *recording = judging->recording;
	size_t subjects = recording->plan.subject_count, i;
	struct clocks *clocks = arena_alloc(judging->scratch, subjects, sizeof *clocks);

	for (i = 0; i < subjects; i++)
		clocks[i] = clocks_of(judging->scratch, recording, i, "");
	warn_wall_and_cpu(judging, clocks, subjects, is_parallel,
			  "it keeps several processors busy, so CPU time exceeding wall time is "
			  "right.");
	warn_wall_and_cpu(judging, clocks, subjects, is_waiting,
			  "most of a run is waiting (for a processor, a disk, a timer or another "
			  "process), and cpu says more about its code than wall does.");
	for (i = 0; i < subjects; i++) {
		warn_two_accounts(judging, i, clocks[i]);
		if (judging_is_candidate(recording, i))
			warn_pair_account(judging, i, "", clocks[recording_baseline(recording, i)],
					  clocks[i]);
	}
	for (i = 0; i < recording->metric_count; i++)
		warn_benchmark_account(judging, recording->metrics[i].name);
}
