/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a factor of numbers turns an effect round: a sentence for each crossing
 * that is shown, a table of all that may be, and the curve of each candidate's
 * effect over the factor, with the intervals of the levels.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/sheet/parts.h"

/* As levels are written. */
static const char *place(const struct sheet *sheet, double x)
{
	if (!isfinite(x))
		return NULL;
	return fabs(x) >= 1000 ? arena_printf(sheet->arena, "%.0f", x)
			       : arena_printf(sheet->arena, "%.3g", x);
}

static const char *interval(const struct sheet *sheet, const struct crossing *crossing)
{
	const char *low = place(sheet, crossing->low), *high = place(sheet, crossing->high);

	if (crossing->kind == CROSSING_NONE)
		return "";
	if (low == NULL && high == NULL)
		return "anywhere";
	if (low == NULL)
		return arena_printf(sheet->arena, "below %s", high);
	if (high == NULL)
		return arena_printf(sheet->arena, "above %s", low);
	return arena_printf(sheet->arena, "%s .. %s", low, high);
}

static const char *more(int sign)
{
	return sign > 0 ? "more" : "less";
}

static const char *answer(const struct sheet *sheet, const struct crossing *crossing)
{
	switch (crossing->kind) {
	case CROSSING_SHOWN:
		return arena_printf(sheet->arena, "costs %s below, %s above",
				    more(crossing->before), more(crossing->after));
	case CROSSING_NONE:
		return arena_printf(sheet->arena, "costs %s throughout", more(crossing->before));
	default:
		break;
	}
	if (crossing->before != 0)
		return arena_printf(sheet->arena, "costs %s below; above undecided",
				    more(crossing->before));
	if (crossing->after != 0)
		return arena_printf(sheet->arena, "costs %s above; below undecided",
				    more(crossing->after));
	return "undecided at all levels";
}

static const char *kind_word(enum crossing_kind kind)
{
	static const char *const words[] = {
		[CROSSING_SHOWN] = "shown", [CROSSING_OPEN] = "open", [CROSSING_NONE] = "none"
	};

	return words[kind];
}

static void add_sentence(struct sheet *sheet, const struct crossing *crossing, const char *metric)
{
	size_t baseline = sheet->recording->plan.subjects[crossing->subject].baseline;
	const char *estimate = place(sheet, crossing->estimate);
	const char *where = estimate == NULL ? interval(sheet, crossing)
					     : arena_printf(sheet->arena, "%s (%s)", estimate,
							    interval(sheet, crossing));

	document_sentence(sheet->document, NULL,
			  "Below %s=%s %s costs %s than %s (%s), above it %s.", crossing->factor,
			  where, sheet_variant_name(sheet, crossing->subject),
			  more(crossing->before), sheet_variant_name(sheet, baseline), metric,
			  more(crossing->after))
	    ->id = "crossing";
}

static void add_row(struct sheet *sheet, struct table *table, const struct crossing *crossing)
{
	struct cell *cells = table_row(sheet->document, table)->cells;
	const char *estimate = place(sheet, crossing->estimate);

	cells[0] = cell_text(sheet_variant_name(sheet, crossing->subject));
	cells[1] = cell_text(crossing->factor);
	cells[2] = cell_number(estimate == NULL ? "-" : estimate, crossing->estimate);
	cells[3] = cell_number(NULL, crossing->low);
	cells[4] = cell_number(NULL, crossing->high);
	cells[5] = cell_text(interval(sheet, crossing));
	cells[6] = cell_number(NULL, crossing->level);
	cells[7] = cell_number(NULL, (double)crossing->rounds);
	cells[8] = cell_word(NULL, kind_word(crossing->kind));
	cells[9] = cell_text(answer(sheet, crossing));
	cells[9].tone = crossing->kind == CROSSING_OPEN ? TONE_CAUTION : TONE_PLAIN;
}

static void add_table(struct sheet *sheet, const char *metric)
{
	static const struct column columns[] = {
		{ .key = "variant", .title = "variant" },
		{ .key = "factor", .title = "along" },
		{ .key = "estimate", .title = "at", .align = ALIGN_RIGHT },
		{ .key = "low", .audience = AUDIENCE_DATA },
		{ .key = "high", .audience = AUDIENCE_DATA },
		{ .key = "interval", .title = "interval", .audience = AUDIENCE_PEOPLE },
		{ .key = "level", .audience = AUDIENCE_DATA },
		{ .key = "rounds", .audience = AUDIENCE_DATA },
		{ .key = "kind", .audience = AUDIENCE_DATA },
		{ .key = "answer", .title = "what is shown", .shrinks = true },
	};
	const struct findings *findings = sheet->findings;
	struct table *table =
	    document_table(sheet->document, "crossings", columns, sizeof columns / sizeof *columns);
	size_t i;

	table->title = arena_printf(sheet->arena, "where effects on %s change their sign", metric);
	for (i = 0; i < findings->crossing_count; i++)
		add_row(sheet, table, &findings->crossings[i]);
}

/* The effect of a candidate at one level of a factor. */
static bool is_of(const struct effect *effect, const struct crossing *crossing)
{
	return effect->kind == EFFECT_LEVEL && effect->subject == crossing->subject &&
	       strcmp(effect->factor, crossing->factor) == 0 && isfinite(effect->change);
}

/* On an axis of logarithms 0 stands two doublings left of what follows it. */
static double x_of(const struct findings *findings, const struct crossing *crossing,
		   const char *level)
{
	double x = strtod(level, NULL), least = INFINITY;
	size_t i;

	for (i = 0; i < findings->effect_count; i++)
		if (is_of(&findings->effects[i], crossing) &&
		    strtod(findings->effects[i].level, NULL) > 0)
			least = fmin(least, strtod(findings->effects[i].level, NULL));
	return x == 0 && isfinite(least) ? least / 4 : x;
}

static struct plot_series series_of(struct sheet *sheet, const struct crossing *crossing)
{
	const struct findings *findings = sheet->findings;
	size_t most = findings->effect_count, i;
	double *values = arena_alloc(sheet->arena, 4 * most, sizeof *values);
	const char **names = arena_alloc(sheet->arena, most, sizeof *names);
	struct plot_series series = { .label = sheet_variant_name(sheet, crossing->subject),
				      .x = values,
				      .y = values + most,
				      .low = values + 2 * most,
				      .high = values + 3 * most,
				      .names = names };

	for (i = 0; i < most; i++) {
		const struct effect *effect = &findings->effects[i];

		if (!is_of(effect, crossing))
			continue;
		values[series.count] = x_of(findings, crossing, effect->level);
		values[most + series.count] = effect->change;
		values[2 * most + series.count] =
		    isfinite(effect->change_low) ? effect->change_low : NAN;
		values[3 * most + series.count] =
		    isfinite(effect->change_high) ? effect->change_high : NAN;
		names[series.count++] =
		    arena_printf(sheet->arena, "%s=%s", effect->factor, effect->level);
	}
	return series;
}

/* Whether the crossing is the first one of its candidate and factor. */
static bool is_first(const struct findings *findings, size_t index)
{
	const struct crossing *own = &findings->crossings[index];

	return index == 0 || own[-1].subject != own->subject ||
	       strcmp(own[-1].factor, own->factor) != 0;
}

/* Logarithms where the levels span more than a factor of ten and none is below 0. */
static bool wants_logarithms(const struct plot *plot)
{
	const struct plot_series *first = &plot->series[0];

	return first->count > 1 && first->x[0] > 0 && first->x[first->count - 1] > 10 * first->x[0];
}

static void add_plot(struct sheet *sheet, const char *factor, const char *metric)
{
	const struct findings *findings = sheet->findings;
	struct plot *plot = arena_alloc(sheet->arena, 1, sizeof *plot);
	size_t i;

	*plot = (struct plot){
		.id = arena_printf(sheet->arena, "effect-%s", factor),
		.kind = PLOT_CURVE,
		.x_label = factor,
		.y_label = "change",
		.x_unit = "",
		.y_unit = "ratio",
		.band_low = NAN,
		.band_high = NAN,
		.series = arena_alloc(sheet->arena, findings->crossing_count, sizeof *plot->series),
	};
	for (i = 0; i < findings->crossing_count; i++)
		if (is_first(findings, i) && strcmp(findings->crossings[i].factor, factor) == 0)
			plot->series[plot->series_count++] =
			    series_of(sheet, &findings->crossings[i]);
	if (plot->series_count == 0 || plot->series[0].count == 0)
		return;
	plot->x_log = wants_logarithms(plot);
	plot->title = arena_printf(sheet->arena, "effect on %s over %s%s", metric, factor,
				   plot->x_log ? " (0, if it is there, at the left end)" : "");
	document_plot(sheet->document, plot);
}

void sheet_add_crossings(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	const char *metric;
	size_t i;

	if (findings->crossing_count == 0)
		return;
	metric = sheet_metric_phrase(sheet, findings->comparisons[0].metric);
	for (i = 0; i < findings->crossing_count; i++)
		if (findings->crossings[i].kind == CROSSING_SHOWN)
			add_sentence(sheet, &findings->crossings[i], metric);
	add_table(sheet, metric);
	for (i = 0; i < findings->crossing_count; i++)
		if (findings->crossings[i].subject == findings->crossings[0].subject &&
		    is_first(findings, i))
			add_plot(sheet, findings->crossings[i].factor, metric);
}
