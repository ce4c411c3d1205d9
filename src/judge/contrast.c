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
	return recording->order_known && !metric->exact && metric->source != SOURCE_SIMULATED;
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

/* Figures that came as text without a known step may still lie on one. */
static double quantum_of(struct arena *arena, const struct metric *metric,
			 const struct contrast *contrast)
{
	size_t count = contrast->baseline_count + contrast->candidate_count;
	double *values;

	if (metric->quantum > 0)
		return metric->quantum;
	if (metric->source != SOURCE_IMPORTED && metric->source != SOURCE_REPORTED)
		return 0;
	values = arena_alloc(arena, count, sizeof *values);
	memcpy(values, contrast->baseline, contrast->baseline_count * sizeof *values);
	memcpy(values + contrast->baseline_count, contrast->candidate,
	       contrast->candidate_count * sizeof *values);
	return ticks_quantum_of(values, count);
}

static const double *spread(struct arena *arena, const double *values, size_t count, double quantum,
			    uint64_t seed, unsigned side)
{
	double *fine = arena_alloc(arena, count, sizeof *fine);

	memcpy(fine, values, count * sizeof *fine);
	ticks_dither(fine, count, quantum, seed, side);
	return fine;
}

static void dither(struct arena *arena, uint64_t seed, struct contrast *contrast)
{
	contrast->baseline_fine = contrast->baseline;
	contrast->candidate_fine = contrast->candidate;
	if (contrast->constant || !(contrast->quantum > 0) ||
	    !ticks_any_equal(contrast->baseline, contrast->baseline_count, contrast->candidate,
			     contrast->candidate_count))
		return;
	contrast->dithered = true;
	contrast->baseline_fine =
	    spread(arena, contrast->baseline, contrast->baseline_count, contrast->quantum, seed, 0);
	contrast->candidate_fine = spread(arena, contrast->candidate, contrast->candidate_count,
					  contrast->quantum, seed, 1);
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

static double *costs_of(struct arena *arena, const struct contrast *contrast, const double *values,
			size_t count)
{
	double *costs = arena_alloc(arena, count, sizeof *costs);
	size_t i;

	for (i = 0; i < count; i++)
		costs[i] = contrast->sign * (contrast->difference ? values[i] : log(values[i]));
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
	size_t i;

	for (i = 0; i < contrast->baseline_count; i++) {
		double a = contrast->baseline_fine[i], b = contrast->candidate_fine[i];

		d[i] = contrast->sign * (contrast->difference ? b - a : log_ratio(a, b));
	}
	return d;
}

static void prepare(struct arena *arena, const struct recording *recording,
		    const struct metric *metric, struct contrast *contrast)
{
	size_t a = contrast->baseline_count, b = contrast->candidate_count;

	contrast->quantum = quantum_of(arena, metric, contrast);
	contrast->counted = counts_events(metric);
	contrast->constant = all_equal(contrast->baseline, a) && all_equal(contrast->candidate, b);
	dither(arena, recording->plan.seed, contrast);
	/* A value below half a step can be spread to 0 or less; it has no logarithm either. */
	contrast->difference = !all_positive(contrast->baseline_fine, a) ||
			       !all_positive(contrast->candidate_fine, b) ||
			       !all_positive(contrast->baseline, a) ||
			       !all_positive(contrast->candidate, b);
	contrast->guard = guard_of(contrast);
	contrast->margin = margin_of(contrast);
	if (contrast->paired) {
		contrast->d = pair_costs(arena, contrast);
		return;
	}
	contrast->baseline_cost = costs_of(arena, contrast, contrast->baseline_fine, a);
	contrast->candidate_cost = costs_of(arena, contrast, contrast->candidate_fine, b);
}

struct contrast contrast_make(struct arena *arena, const struct recording *recording, size_t metric,
			      size_t candidate, size_t rounds)
{
	const struct metric *column = &recording->metrics[metric];
	struct contrast contrast = { .sign = column->better == BETTER_HIGHER ? -1 : 1,
				     .margin = NAN };

	contrast.margin_ratio = plan_margin(&recording->plan, column->name, &contrast.margin_given);
	if (told_take(arena, recording, metric, candidate, &contrast))
		return contrast;
	if (lives_in_rounds(recording, column))
		take_pairs(arena, recording, metric, candidate, rounds, &contrast);
	else
		take_all(arena, recording, metric, candidate, &contrast);
	if (contrast.paired && contrast.baseline_count == 0)
		take_one_side(arena, recording, metric, candidate, &contrast);
	contrast.baseline_fine = contrast.baseline;
	contrast.candidate_fine = contrast.candidate;
	if (contrast_count(&contrast) > 0)
		prepare(arena, recording, column, &contrast);
	return contrast;
}

/* Each side has one value throughout: the effect is known to the clock's step. */
static struct interval constant_interval(const struct contrast *contrast)
{
	double cost = contrast->paired ? contrast->d[0]
				       : contrast->candidate_cost[0] - contrast->baseline_cost[0];

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
		interval =
		    location_two_sample(contrast->baseline_cost, contrast->baseline_count,
					contrast->candidate_cost, contrast->candidate_count, alpha);
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
	part.baseline_fine += first;
	part.candidate_fine += first;
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
