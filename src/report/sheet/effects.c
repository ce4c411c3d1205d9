/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a design says as a whole: each cell beside the first one, which is
 * 1.00, and for each candidate its effect over all cells, at each level, and
 * how levels change it. A curve over each factor whose levels are numbers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/sheet/parts.h"

/* More sentences than that are a list, and the table is a better one. */
enum { MOST_SENTENCES = 6 };

const char *sheet_variant_name(const struct sheet *sheet, size_t subject)
{
	const struct subject *own = &sheet->recording->plan.subjects[subject];
	const char *label = sheet->labels[subject], *end;

	if (own->level_count == 0)
		return label;
	end = strstr(label, arena_printf(sheet->arena, " %s=", own->levels[0].factor));
	return end == NULL || end == label
		   ? label
		   : arena_strndup(sheet->arena, label, (size_t)(end - label));
}

const char *sheet_cell_name(const struct sheet *sheet, size_t subject)
{
	const struct subject *own = &sheet->recording->plan.subjects[subject];
	const char *name = "";
	size_t i;

	for (i = 0; i < own->level_count; i++)
		name = arena_printf(sheet->arena, "%s%s%s=%s", name, i > 0 ? " " : "",
				    own->levels[i].factor, own->levels[i].value);
	return text_clean(sheet->arena, name, strlen(name));
}

bool sheet_is_grid(const struct sheet *sheet)
{
	const struct plan *plan = &sheet->recording->plan;
	size_t cells = 1, i;

	if (!sheet_counts_only(sheet) || plan->subjects[0].level_count == 0)
		return false;
	for (i = 1; i < plan->subject_count; i++) {
		size_t baseline = plan->subjects[i].baseline;

		if (baseline != i && baseline != plan->subjects[i - 1].baseline)
			return false;
		cells += baseline == i;
	}
	return cells > 1;
}

static const char *ratio(const struct sheet *sheet, double change)
{
	return isfinite(change) ? arena_printf(sheet->arena, "%.3f", 1 + change) : "-";
}

static const char *ratios(const struct sheet *sheet, const struct effect *effect)
{
	if (!isfinite(effect->change_low) || !isfinite(effect->change_high))
		return "unbounded";
	return arena_printf(sheet->arena, "%.3f .. %.3f", 1 + effect->change_low,
			    1 + effect->change_high);
}

static const struct column cell_columns[] = {
	{ .key = "cell", .title = "cell", .shrinks = true },
	{ .key = "variant", .title = "variant" },
	{ .key = "relative", .title = "relative", .align = ALIGN_RIGHT },
	{ .key = "low", .audience = AUDIENCE_DATA },
	{ .key = "high", .audience = AUDIENCE_DATA },
	{ .key = "interval", .title = "95% interval", .audience = AUDIENCE_PEOPLE },
};

static void cell_row(struct sheet *sheet, struct table *table, size_t subject,
		     const struct effect *effect)
{
	struct cell *cells = table_row(sheet->document, table)->cells;

	cells[0] = cell_text(sheet_cell_name(sheet, subject));
	cells[1] = cell_text(sheet_variant_name(sheet, subject));
	cells[2] = effect == NULL ? cell_number("1", 1)
				  : cell_number(ratio(sheet, effect->change), 1 + effect->change);
	cells[3] = cell_number(NULL, effect == NULL ? NAN : 1 + effect->change_low);
	cells[4] = cell_number(NULL, effect == NULL ? NAN : 1 + effect->change_high);
	cells[5] = cell_text(effect == NULL ? "" : ratios(sheet, effect));
}

static void add_cells(struct sheet *sheet, size_t metric)
{
	const struct findings *findings = sheet->findings;
	struct column *columns = arena_copy(sheet->arena, cell_columns, sizeof cell_columns);
	struct table *table;
	size_t i;

	columns[5].title =
	    arena_printf(sheet->arena, "%.4g%% interval", 100 * (1 - findings->look.level));
	table = document_table(sheet->document, "cells", columns,
			       sizeof cell_columns / sizeof *cell_columns);
	table->title = arena_printf(sheet->arena, "%s of all cells, the first is 1",
				    sheet_metric_phrase(sheet, metric));
	cell_row(sheet, table, 0, NULL);
	for (i = 0; i < findings->effect_count; i++)
		if (findings->effects[i].kind == EFFECT_CELL)
			cell_row(sheet, table, findings->effects[i].subject, &findings->effects[i]);
}

static const char *kind_word(enum effect_kind kind)
{
	static const char *const words[] = { [EFFECT_CELL] = "cell",
					     [EFFECT_POOLED] = "pooled",
					     [EFFECT_LEVEL] = "level",
					     [EFFECT_INTERACTION] = "interaction",
					     [EFFECT_TREND] = "trend" };

	return words[kind];
}

/* What a row is about, as people read it. */
static const char *scope(const struct sheet *sheet, const struct effect *effect)
{
	if (effect->kind == EFFECT_POOLED)
		return arena_printf(sheet->arena, "all %zu cells", effect->cells);
	if (effect->kind == EFFECT_LEVEL)
		return arena_printf(sheet->arena, "%s=%s", effect->factor, effect->level);
	if (effect->kind == EFFECT_TREND)
		return arena_printf(sheet->arena, "each step of %s", effect->factor);
	return arena_printf(sheet->arena, "%s=%s, relative to the first level", effect->factor,
			    effect->level);
}

static const char *answer(const struct effect *effect)
{
	if (effect->kind == EFFECT_TREND && effect->real)
		return effect->change > 0 ? "rises" : "falls";
	if (effect->kind != EFFECT_INTERACTION && effect->kind != EFFECT_TREND)
		return "";
	return effect->real ? "differs" : "undecided";
}

static void add_effects(struct sheet *sheet, size_t metric)
{
	static const struct column columns[] = {
		{ .key = "variant", .title = "variant" },
		{ .key = "kind", .audience = AUDIENCE_DATA },
		{ .key = "scope", .title = "effect over", .shrinks = true },
		{ .key = "factor", .audience = AUDIENCE_DATA },
		{ .key = "level", .audience = AUDIENCE_DATA },
		{ .key = "cells", .audience = AUDIENCE_DATA },
		{ .key = "rounds", .audience = AUDIENCE_DATA },
		{ .key = "change", .title = "change", .align = ALIGN_RIGHT },
		{ .key = "change_low", .audience = AUDIENCE_DATA },
		{ .key = "change_high", .audience = AUDIENCE_DATA },
		{ .key = "interval", .title = "interval", .audience = AUDIENCE_PEOPLE },
		{ .key = "answer", .title = "answer" },
	};
	struct table *table =
	    document_table(sheet->document, "effects", columns, sizeof columns / sizeof *columns);
	size_t i;

	table->title = arena_printf(sheet->arena, "what each variant does to %s over the cells",
				    sheet_metric_phrase(sheet, metric));
	for (i = 0; i < sheet->findings->effect_count; i++) {
		const struct effect *effect = &sheet->findings->effects[i];
		struct cell *cells;

		if (effect->kind == EFFECT_CELL)
			continue;
		cells = table_row(sheet->document, table)->cells;
		cells[0] = cell_text(sheet_variant_name(sheet, effect->subject));
		cells[1] = cell_word(NULL, kind_word(effect->kind));
		cells[2] = cell_text(scope(sheet, effect));
		cells[3] = cell_word(NULL, effect->factor);
		cells[4] = cell_word(NULL, effect->level);
		cells[5] = cell_number(NULL, (double)effect->cells);
		cells[6] = cell_number(NULL, (double)effect->rounds);
		cells[7] = cell_number(isfinite(effect->change)
					   ? change_cell(sheet->arena, effect->change, false)
					   : "-",
				       effect->change);
		cells[8] = cell_number(NULL, effect->change_low);
		cells[9] = cell_number(NULL, effect->change_high);
		cells[10] = cell_text(
		    change_interval(sheet->arena, effect->change_low, effect->change_high));
		cells[11] = cell_text(answer(effect));
		cells[11].tone =
		    *answer(effect) != '\0' && !effect->real ? TONE_CAUTION : TONE_PLAIN;
	}
}

/* The effect at a level, as an earlier row has it. */
static const struct effect *level_effect(const struct findings *findings,
					 const struct effect *interaction, bool first)
{
	size_t i;

	for (i = 0; i < findings->effect_count; i++) {
		const struct effect *effect = &findings->effects[i];

		if (effect->kind == EFFECT_LEVEL && effect->subject == interaction->subject &&
		    strcmp(effect->factor, interaction->factor) == 0 &&
		    (first || strcmp(effect->level, interaction->level) == 0))
			return effect;
	}
	return NULL;
}

/* "new changes wall time by -12.1% at mode=serial and by -28.0% at mode=parallel: ..." */
static void add_sentence(struct sheet *sheet, const struct effect *interaction, size_t metric)
{
	const struct effect *from = level_effect(sheet->findings, interaction, true);
	const struct effect *to = level_effect(sheet->findings, interaction, false);

	if (from == NULL || to == NULL || !isfinite(from->change) || !isfinite(to->change))
		return;
	document_sentence(
	    sheet->document, NULL, "%s changes %s by %s at %s=%s and by %s at %s=%s: %s.",
	    sheet_variant_name(sheet, interaction->subject), sheet_metric_phrase(sheet, metric),
	    change_cell(sheet->arena, from->change, false), from->factor, from->level,
	    change_cell(sheet->arena, to->change, false), to->factor, to->level,
	    interaction->real
		? arena_printf(sheet->arena, "%s changes the effect", interaction->factor)
		: arena_printf(sheet->arena, "whether %s changes the effect is undecided",
			       interaction->factor));
}

/* Between blocks nothing is asked: that they differ is what their interval holds. */
static bool is_told(const struct sheet *sheet, const struct effect *effect)
{
	const char *block = sheet->recording->plan.block;

	return effect->kind == EFFECT_INTERACTION &&
	       (block == NULL || strcmp(effect->factor, block) != 0);
}

/* Each in a sentence, or how many of them are real where that would be a list. */
static void add_interactions(struct sheet *sheet, size_t metric)
{
	const struct findings *findings = sheet->findings;
	size_t count = 0, real = 0, i;

	for (i = 0; i < findings->effect_count; i++)
		if (is_told(sheet, &findings->effects[i])) {
			count++;
			real += findings->effects[i].real;
		}
	for (i = 0; i < findings->effect_count && count <= MOST_SENTENCES; i++)
		if (is_told(sheet, &findings->effects[i]))
			add_sentence(sheet, &findings->effects[i], metric);
	if (count > MOST_SENTENCES)
		document_sentence(sheet->document, NULL,
				  "Of %zu effects at another level than the first, %zu differ from "
				  "the effect there.",
				  count, real);
}

/* "each step of threads changes what new does to wall time by -2.1% (-2.3 .. -1.9%)" */
static void add_trend(struct sheet *sheet, const struct effect *trend, size_t metric)
{
	if (!isfinite(trend->change))
		return;
	document_sentence(
	    sheet->document, NULL, "Each step of %s changes what %s does to %s by %s (%s): %s.",
	    trend->factor, sheet_variant_name(sheet, trend->subject),
	    sheet_metric_phrase(sheet, metric), change_cell(sheet->arena, trend->change, false),
	    change_interval(sheet->arena, trend->change_low, trend->change_high),
	    trend->real ? (trend->change > 0 ? "it rises" : "it falls")
			: "whether there is a trend is undecided");
}

static bool as_number(const char *word, double *number)
{
	char *end;

	*number = strtod(word, &end);
	return end != word && *end == '\0' && isfinite(*number);
}

/* One factor whose levels are all numbers, and no other: a curve can be drawn. */
static bool has_curve(const struct plan *plan)
{
	double number;
	size_t i;

	for (i = 0; i < plan->subject_count; i++)
		if (plan->subjects[i].level_count != 1 ||
		    !as_number(plan->subjects[i].levels[0].value, &number))
			return false;
	return true;
}

static const struct effect *cell_effect(const struct findings *findings, size_t subject)
{
	size_t i;

	for (i = 0; i < findings->effect_count; i++)
		if (findings->effects[i].kind == EFFECT_CELL &&
		    findings->effects[i].subject == subject)
			return &findings->effects[i];
	return NULL;
}

/* The subjects at one distance from their baselines, over the factor. */
static struct plot_series curve_series(struct sheet *sheet, size_t distance)
{
	const struct plan *plan = &sheet->recording->plan;
	double *values = arena_alloc(sheet->arena, 4 * plan->subject_count, sizeof *values);
	struct plot_series series = { .x = values,
				      .y = values + plan->subject_count,
				      .low = values + 2 * plan->subject_count,
				      .high = values + 3 * plan->subject_count };
	size_t i;

	for (i = 0; i < plan->subject_count; i++) {
		const struct effect *effect = cell_effect(sheet->findings, i);
		size_t at = series.count;

		if (i - plan->subjects[i].baseline != distance)
			continue;
		if (series.label == NULL)
			series.label = sheet_variant_name(sheet, i);
		if (effect == NULL && i != 0)
			continue;
		as_number(plan->subjects[i].levels[0].value, &values[at]);
		values[plan->subject_count + at] = effect == NULL ? 0 : effect->change;
		values[2 * plan->subject_count + at] = effect == NULL ? NAN : effect->change_low;
		values[3 * plan->subject_count + at] = effect == NULL ? NAN : effect->change_high;
		series.count++;
	}
	return series;
}

static void add_curve(struct sheet *sheet, size_t metric)
{
	const struct plan *plan = &sheet->recording->plan;
	struct plot *plot = arena_alloc(sheet->arena, 1, sizeof *plot);
	size_t most = 0, i;

	if (!has_curve(plan))
		return;
	for (i = 0; i < plan->subject_count; i++)
		if (i - plan->subjects[i].baseline > most)
			most = i - plan->subjects[i].baseline;
	*plot = (struct plot){
		.id = "curve",
		.title = arena_printf(sheet->arena, "%s over %s, relative to the first cell",
				      sheet_metric_phrase(sheet, metric),
				      text_clean(sheet->arena, plan->subjects[0].levels[0].factor,
						 strlen(plan->subjects[0].levels[0].factor))),
		.kind = PLOT_CURVE,
		.x_label = text_clean(sheet->arena, plan->subjects[0].levels[0].factor,
				      strlen(plan->subjects[0].levels[0].factor)),
		.y_label = sheet->metrics[metric].name,
		.x_unit = "",
		.y_unit = "ratio",
		.band_low = NAN,
		.band_high = NAN,
		.series = arena_alloc(sheet->arena, most + 1, sizeof *plot->series),
		.series_count = most + 1,
	};
	for (i = 0; i <= most; i++)
		plot->series[i] = curve_series(sheet, i);
	document_plot(sheet->document, plot);
}

void sheet_add_effects(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	size_t metric, i;

	if (findings->effect_count == 0)
		return;
	metric = findings->comparisons[0].metric;
	add_interactions(sheet, metric);
	for (i = 0; i < findings->effect_count; i++)
		if (findings->effects[i].kind == EFFECT_TREND)
			add_trend(sheet, &findings->effects[i], metric);
	add_cells(sheet, metric);
	add_effects(sheet, metric);
	add_curve(sheet, metric);
}
