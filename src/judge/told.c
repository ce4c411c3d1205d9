/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Means of tables: see told.h. The spread of ln(mean) is s/(mean sqrt(n)), to first order. */
#include "judge/told.h"

#include <math.h>

#include "judge/summary.h"
#include "model/series.h"
#include "stats/order.h"

/* Of one side: what the table says, else of its runs; false if it has neither. */
static bool find(struct arena *arena, const struct recording *recording, size_t metric,
		 size_t subject, struct told_mean *mean, bool *told)
{
	const struct told_mean *found = recording_mean(recording, metric, subject);
	struct series series = series_make(arena, recording, metric, subject, SIZE_MAX);

	if (series.count > 0) {
		*mean =
		    (struct told_mean){ .mean = order_mean(series.values, series.count),
					.deviation = order_deviation(series.values, series.count),
					.count = series.count };
		return true;
	}
	if (found == NULL)
		return false;
	*mean = *found;
	*told = true;
	return true;
}

static double margin_of(const struct contrast *contrast)
{
	if (!contrast->difference)
		return log1p(contrast->margin_ratio);
	return contrast->means[0].mean > 0 ? contrast->margin_ratio * contrast->means[0].mean : NAN;
}

bool told_take(struct arena *arena, const struct recording *recording, size_t metric,
	       size_t candidate, struct contrast *contrast)
{
	bool told = false;

	if (recording->mean_count == 0 ||
	    !find(arena, recording, metric, recording_baseline(recording, candidate),
		  &contrast->means[0], &told) ||
	    !find(arena, recording, metric, candidate, &contrast->means[1], &told) || !told)
		return false;
	contrast->told = true;
	contrast->paired = false;
	contrast->baseline_count = contrast->candidate_count = 0;
	contrast->difference = !(contrast->means[0].mean > 0 && contrast->means[1].mean > 0);
	contrast->margin = margin_of(contrast);
	return true;
}

bool told_is_complete(const struct contrast *contrast)
{
	const struct told_mean *a = &contrast->means[0], *b = &contrast->means[1];

	return a->count > 0 && b->count > 0 && a->deviation + b->deviation > 0;
}

/* On the scale of effects. */
static double centre(const struct contrast *contrast, const struct told_mean *mean)
{
	return contrast->sign * (contrast->difference ? mean->mean : log(mean->mean));
}

static double variance_of_mean(const struct contrast *contrast, const struct told_mean *mean)
{
	double spread = contrast->difference ? mean->deviation : mean->deviation / mean->mean;

	return spread * spread / (double)mean->count;
}

struct welch told_welch(const struct contrast *contrast, double alpha)
{
	const struct told_mean *a = &contrast->means[0], *b = &contrast->means[1];
	struct welch welch = { .difference = centre(contrast, b) - centre(contrast, a),
			       .low = NAN,
			       .high = NAN,
			       .p = NAN };

	if (!told_is_complete(contrast) || a->count < 2 || b->count < 2)
		return welch;
	return test_welch_summaries(centre(contrast, a), variance_of_mean(contrast, a),
				    (double)a->count - 1, centre(contrast, b),
				    variance_of_mean(contrast, b), (double)b->count - 1, alpha);
}

struct summary told_summary(const struct told_mean *mean)
{
	struct summary summary = summary_make(NULL, NULL, 0, BETTER_NEITHER);

	summary.told = true;
	summary.count = mean->count;
	summary.mean = mean->mean;
	summary.deviation = mean->deviation;
	return summary;
}
