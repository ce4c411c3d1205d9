/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures of a sheet, for formats that can draw: the primary metric's runs in
 * the order they were made, one series a variant, and how they are distributed,
 * where drift and groups meet the eye; and the intervals of all ratios against the margin.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "report/sheet/parts.h"

/* More runs of one variant than this are not worth the memory of a second copy. */
enum { MOST_MARKS = 500000 };

/* Values of the judged runs of one subject, by round. */
static struct plot_series runs_series(const struct sheet *sheet, size_t metric, size_t subject)
{
	const struct recording *recording = sheet->recording;
	size_t failed, most = sheet_runs(sheet, subject, &failed), count = 0, i;
	double *x = arena_alloc(sheet->arena, most, sizeof *x);
	double *y = arena_alloc(sheet->arena, most, sizeof *y);
	double *values = arena_alloc(sheet->arena, recording->metric_count, sizeof *values);

	for (i = 0; i < recording_run_count(recording); i++) {
		struct sample sample = recording_run(recording, i, values);

		if (sample.subject != subject || (sample.flags & (SAMPLE_WARMUP | SAMPLE_FAILED)) ||
		    !isfinite(sample.values[metric]))
			continue;
		x[count] = (double)sample.round + 1;
		y[count++] = sample.values[metric];
	}
	return (
	    struct plot_series){ .label = sheet->names[subject], .x = x, .y = y, .count = count };
}

/* Variants that are farther apart than this lie flat in a picture of their values: neither drift
 * nor groups would meet the eye. */
static const double far_apart_ratio = 2;

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The median; 0 where a run has no logarithm, since changes are drawn on a scale of those. */
static double middle_of(struct arena *arena, const struct plot_series *series)
{
	double *sorted = arena_alloc(arena, series->count, sizeof *sorted);
	size_t half = series->count / 2, i;

	if (series->count == 0)
		return NAN;
	for (i = 0; i < series->count; i++)
		sorted[i] = series->y[i];
	qsort(sorted, series->count, sizeof *sorted, by_value);
	if (sorted[0] <= 0)
		return 0;
	return series->count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/* The middles of all series; false if some are not above 0, or none is far from another. */
static bool find_middles(struct arena *arena, const struct plot *plot, double *middles)
{
	double least = INFINITY, most = 0;
	size_t i;

	for (i = 0; i < plot->series_count; i++) {
		middles[i] = middle_of(arena, &plot->series[i]);
		if (isnan(middles[i]))
			continue;
		least = fmin(least, middles[i]);
		most = fmax(most, middles[i]);
	}
	return least > 0 && most > far_apart_ratio * least;
}

/* Each run against the middle one of its variant, which is told beside the variant's name. */
static void make_relative(struct sheet *sheet, struct plot *plot, const double *middles)
{
	size_t i, j;

	for (i = 0; i < plot->series_count; i++) {
		struct plot_series *series = &plot->series[i];
		double *y = arena_alloc(sheet->arena, series->count, sizeof *y);

		for (j = 0; j < series->count; j++)
			y[j] = series->y[j] / middles[i] - 1;
		series->y = y;
		series->label =
		    arena_printf(sheet->arena, "%s (%s)", series->label,
				 units_value(sheet->arena, middles[i], plot->y_unit, 4));
	}
	plot->y_unit = "ratio";
}

/* The same runs twice: in their order, and by value; as they are, or where variants are far apart
 * each about its own middle. */
static void add_runs_plots(struct sheet *sheet, size_t metric)
{
	size_t count = sheet->recording->plan.subject_count, i;
	struct plot *plot = arena_alloc(sheet->arena, 2, sizeof *plot);
	double *middles = arena_alloc(sheet->arena, count, sizeof *middles);
	const char *phrase = sheet_metric_phrase(sheet, metric), *against = "";

	if (recording_run_count(sheet->recording) > MOST_MARKS * count)
		return;
	*plot = (struct plot){
		.id = "runs",
		.kind = PLOT_RUNS,
		.x_label = "round",
		.y_label = sheet->metrics[metric].name,
		.x_unit = "",
		.y_unit = sheet->metrics[metric].unit,
		.band_low = NAN,
		.band_high = NAN,
		.series = arena_alloc(sheet->arena, count, sizeof *plot->series),
		.series_count = count,
	};
	for (i = 0; i < count; i++)
		plot->series[i] = runs_series(sheet, metric, i);
	if (find_middles(sheet->arena, plot, middles)) {
		make_relative(sheet, plot, middles);
		against = ", against the median of its variant";
	}
	plot->title = arena_printf(sheet->arena, "%s of each run%s", phrase, against);
	document_plot(sheet->document, plot);
	plot[1] = plot[0];
	plot[1].id = "distribution";
	plot[1].title = arena_printf(sheet->arena, "distribution of %s%s", phrase, against);
	plot[1].kind = PLOT_DISTRIBUTION;
	document_plot(sheet->document, &plot[1]);
}

/* A change that can be drawn: a ratio with a bounded interval that was judged. */
static bool has_bar(const struct sheet *sheet, const struct comparison *comparison)
{
	return !comparison->difference && comparison->verdict != VERDICT_NONE &&
	       comparison->verdict != VERDICT_INVALID && isfinite(comparison->change) &&
	       isfinite(comparison->change_low) && isfinite(comparison->change_high) &&
	       (comparison->primary || sheet_shows_metric(sheet, comparison->metric));
}

static const char *bar_name(const struct sheet *sheet, const struct comparison *comparison)
{
	const char *metric = sheet->metrics[comparison->metric].name;

	if (plan_candidate_count(&sheet->recording->plan) == 1)
		return metric;
	return arena_printf(sheet->arena, "%s, %s", metric, sheet->names[comparison->candidate]);
}

static struct plot_series interval_series(const struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	size_t most = findings->comparison_count, count = 0, i;
	double *y = arena_alloc(sheet->arena, most, sizeof *y);
	double *low = arena_alloc(sheet->arena, most, sizeof *low);
	double *high = arena_alloc(sheet->arena, most, sizeof *high);
	const char **names = arena_alloc(sheet->arena, most, sizeof *names);
	enum tone *tones = arena_alloc(sheet->arena, most, sizeof *tones);

	for (i = 0; i < most; i++) {
		if (!has_bar(sheet, &findings->comparisons[i]))
			continue;
		y[count] = findings->comparisons[i].change;
		low[count] = findings->comparisons[i].change_low;
		high[count] = findings->comparisons[i].change_high;
		tones[count] = sheet_verdict_tone(findings->comparisons[i].verdict);
		names[count++] = bar_name(sheet, &findings->comparisons[i]);
	}
	return (struct plot_series){ .label = "change",
				     .y = y,
				     .low = low,
				     .high = high,
				     .names = names,
				     .tones = tones,
				     .count = count };
}

static void add_interval_plot(struct sheet *sheet)
{
	double margin = sheet->recording->plan.margin_ratio;
	struct plot *plot = arena_alloc(sheet->arena, 1, sizeof *plot);
	struct plot_series *series = arena_alloc(sheet->arena, 1, sizeof *series);

	*series = interval_series(sheet);
	if (series->count == 0)
		return;
	/* The band is symmetric in logarithms: docs/method.md, 3.5. */
	*plot = (struct plot){
		.id = "intervals",
		.title = "changes and their intervals, against the margin",
		.kind = PLOT_INTERVALS,
		.x_label = "metric",
		.y_label = "change",
		.x_unit = "",
		.y_unit = "ratio",
		.band_low = -margin / (1 + margin),
		.band_high = margin,
		.series = series,
		.series_count = 1,
	};
	document_plot(sheet->document, plot);
}

void sheet_add_plots(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;

	/* Primary comparisons come first, and all of them are of one metric. */
	if (findings->comparison_count > 0 && findings->comparisons[0].primary)
		add_runs_plots(sheet, findings->comparisons[0].metric);
	add_interval_plot(sheet);
}
