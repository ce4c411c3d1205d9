/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the spread of a command's pairs against itself to the differences that can be decided in a
 * given time: the planning formula of docs/method.md 3.9, turned round.
 */
#include "commands/doctor/resolution.h"

#include <math.h>
#include <stdint.h>

#include "model/series.h"
#include "stats/order.h"

enum { FLOOR_PAIRS = 6 };

/* The robust spread of a metric's pairs; NAN where there are too few or values are not positive. */
static double pair_spread(struct arena *arena, const struct recording *recording, const char *name,
			  size_t *count)
{
	int metric = recording_metric(recording, name);
	struct pairs pairs;
	double *d;
	size_t i;

	*count = 0;
	if (metric == METRIC_NONE)
		return NAN;
	pairs = pairs_make(arena, recording, (size_t)metric, 1, SIZE_MAX);
	d = arena_alloc(arena, pairs.count, sizeof *d);
	for (i = 0; i < pairs.count; i++) {
		if (!(pairs.baseline[i] > 0) || !(pairs.candidate[i] > 0))
			return NAN;
		d[i] = log(pairs.candidate[i] / pairs.baseline[i]);
	}
	*count = pairs.count;
	return pairs.count < FLOOR_PAIRS ? NAN : order_mad(d, pairs.count);
}

/* From the beginning of the first judged run to that of the last one, by rounds. */
static double round_length_s(const struct recording *recording)
{
	const struct sample *first = NULL, *last = NULL;
	size_t i;

	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		if ((sample->flags & SAMPLE_WARMUP) != 0 || sample->position != 0 ||
		    sample->started_ns < 0)
			continue;
		if (first == NULL)
			first = sample;
		last = sample;
	}
	if (last == NULL || last->round == first->round)
		return NAN;
	return (double)(last->started_ns - first->started_ns) * 1e-9 /
	       (double)(last->round - first->round);
}

struct doctor_resolution doctor_resolution(const struct recording *recording)
{
	struct arena *arena = arena_open();
	struct doctor_resolution resolution = { .run_s = NAN };
	int wall = recording_metric(recording, "wall");
	size_t i, cpu_pairs;

	resolution.spread_cpu = pair_spread(arena, recording, "cpu", &cpu_pairs);
	resolution.spread_wall = pair_spread(arena, recording, "wall", &resolution.pairs);
	resolution.round_s = round_length_s(recording);
	if (wall != METRIC_NONE) {
		struct series series = series_make(arena, recording, (size_t)wall, 0, SIZE_MAX);

		if (series.count > 0)
			resolution.run_s = order_median(series.values, series.count);
	}
	for (i = 0; i < recording->sample_count; i++) {
		if ((recording->samples[i].flags & SAMPLE_WARMUP) != 0)
			continue;
		resolution.runs++;
		resolution.disturbed += (recording->samples[i].flags & SAMPLE_DISTURBED) != 0;
	}
	arena_close(arena);
	return resolution;
}

/* n = (2 * z * 1.02 * s / x)^2 with z = 2.33 (98% in the plan's looks), solved for x; 1.02 is what
 * the signed-rank interval costs over the normal one. Solved in logarithms, shown as a ratio. */
double doctor_resolvable(double spread, double rounds)
{
	if (!(rounds >= FLOOR_PAIRS))
		return NAN;
	return expm1(2 * 2.33 * 1.02 * spread / sqrt(rounds));
}
