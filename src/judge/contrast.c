/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a recording's values to effects (method.md 3.2 to 3.4). The clock's step
 * is dealt with here: values that share a step are spread over it, so that rank
 * methods do not take ties for agreement, and where the noise is below the step
 * the interval is widened by one step, because then no spreading can tell what
 * the step hides.
 */
#include "judge/contrast.h"

#include <math.h>
#include <string.h>

#include "judge/told.h"
#include "model/series.h"
#include "stats/order.h"
#include "stats/rank.h"
#include "stats/tests.h"
#include "stats/ticks.h"

enum {
	FLOOR_PAIRS = 6,
	FLOOR_UNPAIRED = 4,
	STABILITY_PAIRS = 20,
	PARTS_MOST = 4, /* of an effect that wanders */
	PART_PAIRS = 10,
};
static const double stability_level = 0.01;

size_t contrast_count(const struct contrast *contrast)
{
	if (contrast->told)
		return contrast->means[0].count < contrast->means[1].count
			   ? contrast->means[0].count
			   : contrast->means[1].count;
	return contrast->baseline_count < contrast->candidate_count ? contrast->baseline_count
								    : contrast->candidate_count;
}

size_t contrast_floor(const struct contrast *contrast)
{
	return contrast->paired ? FLOOR_PAIRS : FLOOR_UNPAIRED;
}

/* Simulated counts and facts of files are taken beside the rounds, so no coin decided their order.
 */
static bool lives_in_rounds(const struct recording *recording, const struct metric *metric)
{
	return recording->order_known && !metric->exact && metric->source != SOURCE_SIMULATED &&
	       metric->source != SOURCE_EMULATED;
}

static void take_pairs(struct arena *arena, const struct recording *recording, size_t metric,
		       size_t candidate, size_t rounds, struct contrast *contrast)
{
	struct pairs pairs = pairs_make(arena, recording, metric, candidate, rounds);

	contrast->paired = true;
	contrast->baseline = pairs.baseline;
	contrast->candidate = pairs.candidate;
	contrast->rounds = pairs.rounds;
	contrast->baseline_first = pairs.baseline_first;
	contrast->baseline_count = contrast->candidate_count = pairs.count;
}

static void take_all(struct arena *arena, const struct recording *recording, size_t metric,
		     size_t candidate, struct contrast *contrast)
{
	struct series baseline = series_make(arena, recording, metric,
					     recording_baseline(recording, candidate), SIZE_MAX);
	struct series other = series_make(arena, recording, metric, candidate, SIZE_MAX);

	contrast->baseline = baseline.values;
	contrast->baseline_count = baseline.count;
	contrast->candidate = other.values;
	contrast->candidate_count = other.count;
}

/* Only one side has the metric: its values are shown, though there is nothing to compare. */
static void take_one_side(struct arena *arena, const struct recording *recording, size_t metric,
			  size_t candidate, struct contrast *contrast)
{
	take_all(arena, recording, metric, candidate, contrast);
	if (contrast_count(contrast) > 0)
		contrast->baseline_count = contrast->candidate_count = 0;
}

static bool all_positive(const double *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!(values[i] > 0))
			return false;
	return true;
}

static bool all_equal(const double *values, size_t count)
{
	size_t i;

	for (i = 1; i < count; i++)
		if (values[i] != values[0])
			return false;
	return true;
}

static size_t side_count(const struct contrast *contrast, unsigned side)
{
	return side == 0 ? contrast->baseline_count : contrast->candidate_count;
}

/* Figures that came as text without a known step may still lie on one. */
static double quantum_of(const struct metric *metric, const struct contrast *contrast)
{
	size_t count = contrast->baseline_count + contrast->candidate_count;
	struct arena *arena;
	double *values, quantum;

	if (metric->quantum > 0)
		return metric->quantum;
	if (metric->source != SOURCE_IMPORTED && metric->source != SOURCE_REPORTED)
		return 0;
	arena = arena_open();
	values = arena_alloc(arena, count, sizeof *values);
	memcpy(values, contrast->baseline, contrast->baseline_count * sizeof *values);
	memcpy(values + contrast->baseline_count, contrast->candidate,
	       contrast->candidate_count * sizeof *values);
	quantum = ticks_quantum_in_place(values, count);
	arena_close(arena);
	return quantum;
}

/* A copy of a side's values, spread over the clock's step where that is needed. */
static double *fine_copy(struct arena *arena, const struct contrast *contrast, unsigned side)
{
	const double *values = side == 0 ? contrast->baseline : contrast->candidate;
	size_t count = side_count(contrast, side);
	double *fine = arena_copy(arena, values, count * sizeof *fine);

	if (contrast->dithered)
		ticks_dither(fine, count, contrast->quantum, contrast->seed, side);
	return fine;
}

const double *contrast_fine(struct arena *arena, const struct contrast *contrast, unsigned side)
{
	if (contrast->dithered)
		return fine_copy(arena, contrast, side);
	return side == 0 ? contrast->baseline : contrast->candidate;
}

static bool is_dithered(const struct contrast *contrast)
{
	return !contrast->constant && contrast->quantum > 0 &&
	       ticks_any_equal(contrast->baseline, contrast->baseline_count, contrast->candidate,
			       contrast->candidate_count);
}

/* A value below half a step can be spread to 0 or less; it has no logarithm either. */
static bool fine_positive(const struct contrast *contrast, unsigned side)
{
	struct arena *arena = arena_open();
	bool positive =
	    all_positive(contrast_fine(arena, contrast, side), side_count(contrast, side));

	arena_close(arena);
	return positive;
}

static bool below_the_step(const double *values, size_t count, double quantum)
{
	return order_quantile(values, count, 0.9) - order_quantile(values, count, 0.1) <
	       2 * quantum;
}

/* A count of events is no reading of something finer, as a time or an amount of memory is. */
static bool counts_events(const struct metric *metric)
{
	return *metric->unit == '\0' && metric->quantum == 1 &&
	       (metric->source == SOURCE_RUSAGE || metric->source == SOURCE_COUNTER ||
		metric->source == SOURCE_CGROUP || metric->source == SOURCE_SIMULATED);
}

static double guard_of(const struct contrast *contrast)
{
	if (!(contrast->quantum > 0) || contrast->counted)
		return 0;
	if (!contrast->difference)
		return ticks_guard(contrast->baseline, contrast->baseline_count,
				   contrast->candidate, contrast->candidate_count,
				   contrast->quantum);
	if (below_the_step(contrast->baseline, contrast->baseline_count, contrast->quantum) ||
	    below_the_step(contrast->candidate, contrast->candidate_count, contrast->quantum))
		return contrast->quantum;
	return 0;
}

static double margin_of(const struct contrast *contrast)
{
	double median;

	if (!contrast->difference)
		return log1p(contrast->margin_ratio);
	median = order_median(contrast->baseline, contrast->baseline_count);
	return median > 0 ? contrast->margin_ratio * median : NAN;
}

/* A side's spread values on the scale of effects. */
static double *costs_of(struct arena *arena, const struct contrast *contrast, unsigned side)
{
	double *costs = fine_copy(arena, contrast, side);
	size_t count = side_count(contrast, side), i;

	for (i = 0; i < count; i++)
		costs[i] = contrast->sign * (contrast->difference ? costs[i] : log(costs[i]));
	return costs;
}

/* Also where the quotient itself would overflow. */
static double log_ratio(double a, double b)
{
	double ratio = b / a;

	return isnormal(ratio) ? log(ratio) : log(b) - log(a);
}

static double *pair_costs(struct arena *arena, const struct contrast *contrast)
{
	double *d = arena_alloc(arena, contrast->baseline_count, sizeof *d);
	struct arena *scratch = arena_open();
	const double *baseline = contrast_fine(scratch, contrast, 0);
	const double *candidate = contrast_fine(scratch, contrast, 1);
	size_t i;

	for (i = 0; i < contrast->baseline_count; i++) {
		double a = baseline[i], b = candidate[i];

		d[i] = contrast->sign * (contrast->difference ? b - a : log_ratio(a, b));
	}
	arena_close(scratch);
	return d;
}

static void prepare(struct arena *arena, const struct metric *metric, struct contrast *contrast)
{
	contrast->quantum = quantum_of(metric, contrast);
	contrast->counted = counts_events(metric);
	contrast->constant = all_equal(contrast->baseline, contrast->baseline_count) &&
			     all_equal(contrast->candidate, contrast->candidate_count);
	contrast->dithered = is_dithered(contrast);
	contrast->difference = !all_positive(contrast->baseline, contrast->baseline_count) ||
			       !all_positive(contrast->candidate, contrast->candidate_count) ||
			       !fine_positive(contrast, 0) || !fine_positive(contrast, 1);
	contrast->guard = guard_of(contrast);
	contrast->margin = margin_of(contrast);
	if (contrast->paired)
		contrast->d = pair_costs(arena, contrast);
}

struct contrast contrast_make(struct arena *arena, const struct recording *recording, size_t metric,
			      size_t candidate, size_t rounds)
{
	const struct metric *column = &recording->metrics[metric];
	struct contrast contrast = { .sign = column->better == BETTER_HIGHER ? -1 : 1,
				     .margin = NAN,
				     .seed = recording->plan.seed };

	contrast.margin_ratio = plan_margin(&recording->plan, column->name, &contrast.margin_given);
	if (told_take(arena, recording, metric, candidate, &contrast))
		return contrast;
	if (lives_in_rounds(recording, column))
		take_pairs(arena, recording, metric, candidate, rounds, &contrast);
	else
		take_all(arena, recording, metric, candidate, &contrast);
	if (contrast.paired && contrast.baseline_count == 0)
		take_one_side(arena, recording, metric, candidate, &contrast);
	if (contrast_count(&contrast) > 0)
		prepare(arena, column, &contrast);
	return contrast;
}

/* Each side has one value throughout: the effect is known to the clock's step. */
static struct interval constant_interval(const struct contrast *contrast)
{
	double a = contrast->baseline[0], b = contrast->candidate[0], cost;

	if (contrast->paired)
		cost = contrast->d[0];
	else
		cost = contrast->sign * (contrast->difference ? b - a : log(b) - log(a));
	return (struct interval){ .estimate = cost, .low = cost, .high = cost };
}

/* Means without runs. */
static struct interval told_interval(const struct contrast *contrast, double alpha)
{
	struct welch welch = told_welch(contrast, alpha);

	if (isnan(welch.low) || contrast_count(contrast) < contrast_floor(contrast))
		return (struct interval){ welch.difference, -INFINITY, INFINITY };
	return (struct interval){ welch.difference, welch.low, welch.high };
}

static struct interval unpaired_interval(const struct contrast *contrast, double alpha)
{
	struct arena *arena = arena_open();
	struct interval interval = location_two_sample_in_place(
	    costs_of(arena, contrast, 0), contrast->baseline_count, costs_of(arena, contrast, 1),
	    contrast->candidate_count, alpha);

	arena_close(arena);
	return interval;
}

struct interval contrast_interval(const struct contrast *contrast, double alpha)
{
	struct interval interval = { .estimate = NAN, .low = -INFINITY, .high = INFINITY };

	if (contrast->told)
		return told_interval(contrast, alpha);
	if (contrast_count(contrast) == 0)
		return interval;
	if (contrast->constant)
		interval = constant_interval(contrast);
	else if (contrast->paired)
		interval = location_paired(contrast->d, contrast->baseline_count, alpha);
	else
		interval = unpaired_interval(contrast, alpha);
	if (contrast_count(contrast) < contrast_floor(contrast)) {
		interval.low = -INFINITY;
		interval.high = INFINITY;
	}
	interval.low -= contrast->guard;
	interval.high += contrast->guard;
	return interval;
}

struct contrast contrast_part(const struct contrast *contrast, size_t first, size_t count)
{
	struct contrast part = *contrast;

	part.d += first;
	part.rounds += first;
	part.baseline_first += first;
	part.baseline += first;
	part.candidate += first;
	part.baseline_count = part.candidate_count = count;
	part.constant = false;
	return part;
}

/* In how many parts an effect is looked at: as many as are long enough for a bound at this level,
 * which takes 2^(1-n) < alpha (3.4). */
static size_t parts_of(size_t count, double alpha)
{
	double least = fmax(PART_PAIRS, floor(2 - log2(alpha)));
	double parts = floor((double)count / least);

	return parts < PARTS_MOST ? (size_t)parts : PARTS_MOST;
}

struct interval contrast_interval_throughout(const struct contrast *contrast, double alpha)
{
	struct interval interval = contrast_interval(contrast, alpha);
	size_t count = contrast_count(contrast), parts = parts_of(count, alpha), i;

	if (parts < 2) {
		interval.low = -INFINITY;
		interval.high = INFINITY;
	}
	for (i = 0; parts >= 2 && i < parts; i++) {
		size_t first = i * count / parts, next = (i + 1) * count / parts;
		struct contrast part = contrast_part(contrast, first, next - first);
		struct interval one = contrast_interval(&part, alpha);

		interval.low = fmin(interval.low, one.low);
		interval.high = fmax(interval.high, one.high);
	}
	return interval;
}

double contrast_p(const struct contrast *contrast)
{
	if (contrast->told)
		return told_welch(contrast, 0.05).p;
	if (contrast_count(contrast) == 0)
		return NAN;
	if (contrast->paired)
		return rank_signed_p(contrast->d, contrast->baseline_count);
	return rank_sum_p(contrast->baseline, contrast->baseline_count, contrast->candidate,
			  contrast->candidate_count);
}

/* Whether d rises or falls in the course of the rounds. */
static bool trends(const double *d, size_t count)
{
	struct arena *arena = arena_open();
	double *index = arena_alloc(arena, count, sizeof *index);
	double rho;
	bool found;
	size_t i;

	for (i = 0; i < count; i++)
		index[i] = (double)i;
	found = test_spearman_p(index, d, count, &rho) < stability_level;
	arena_close(arena);
	return found;
}

bool contrast_unstable(const struct contrast *contrast)
{
	size_t count = contrast_count(contrast);

	if (!contrast->paired || contrast->constant || count < STABILITY_PAIRS)
		return false;
	return test_bartels_p(contrast->d, count) < stability_level || trends(contrast->d, count);
}

double contrast_shown(const struct contrast *contrast, double cost)
{
	double raw = contrast->sign * cost;

	if (contrast->difference || isinf(raw))
		return raw;
	return expm1(raw);
}

double contrast_cost_in_round(const struct contrast *contrast, uint32_t round)
{
	size_t low = 0, high = contrast->baseline_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (contrast->rounds[middle] < round)
			low = middle + 1;
		else
			high = middle;
	}
	return low < contrast->baseline_count && contrast->rounds[low] == round ? contrast->d[low]
										: NAN;
}
