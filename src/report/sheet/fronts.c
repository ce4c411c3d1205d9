/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which variants are worth anything by two metrics: the front in a sentence,
 * each variant with its place in a table, and a picture of both metrics.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/sheet/parts.h"

/* More fronts than this are read in the table. */
enum { MOST_SENTENCES = 4, MOST_NAMED = 8, VALUES = 8 };

const char *sheet_point_name(const struct sheet *sheet, size_t subject)
{
	bool alone = plan_candidate_count(&sheet->recording->plan) == 0;

	return alone || sheet->recording->plan.subjects[subject].level_count == 0
		   ? sheet->names[subject]
		   : sheet_variant_name(sheet, subject);
}

/* "all 4 cells", "threads=4"; "" where there is one cell. */
static const char *scope(const struct sheet *sheet, const struct front *front)
{
	if (front->cells > 1)
		return arena_printf(sheet->arena, "all %zu cells", front->cells);
	return sheet->findings->front_count > 1 ? sheet_cell_name(sheet, front->points[0].subject)
						: "";
}

static const char *place_word(enum front_place place)
{
	static const char *const words[] = {
		[PLACE_FRONT] = "front", [PLACE_DOMINATED] = "dominated", [PLACE_UNTOLD] = "untold"
	};

	return words[place];
}

static struct cell place_cell(enum front_place place)
{
	struct cell cell;

	if (place == PLACE_FRONT)
		return cell_word("on the front", place_word(place));
	cell =
	    cell_word(place == PLACE_DOMINATED ? "dominated" : "cannot be told", place_word(place));
	cell.tone = place == PLACE_DOMINATED ? TONE_FAINT : TONE_CAUTION;
	return cell;
}

static const char *value_text(const struct sheet *sheet, size_t metric, double value)
{
	const struct metric *shown = &sheet->metrics[metric];
	struct quantity quantity;

	if (!isfinite(value))
		return NULL;
	if (shown->exact)
		return quantity_exact(sheet->arena, value, shown->unit);
	quantity = quantity_choose(shown->unit, fabs(value), NAN, false);
	return quantity_value(sheet->arena, &quantity, value);
}

/* An interval says more than its middle; what is exact has none. */
static const char *change_text(const struct sheet *sheet, const struct front_point *point, size_t k)
{
	double low = point->change_low[k], high = point->change_high[k];

	if (!isfinite(point->change[k]) || (point->change[k] == 0 && isnan(low)))
		return "-";
	return low == high ? change_cell(sheet->arena, point->change[k], true)
			   : change_interval(sheet->arena, low, high);
}

static void add_point(struct sheet *sheet, struct table *table, const struct front *front,
		      const struct front_point *point)
{
	struct cell *cells = table_row(sheet->document, table)->cells;
	size_t k;

	cells[0] = cell_word(NULL, scope(sheet, front));
	cells[1] = cell_text(sheet_point_name(sheet, point->subject));
	for (k = 0; k < 2; k++) {
		struct cell *own = cells + 2 + 5 * k;

		own[0] = cell_number(value_text(sheet, front->metrics[k], point->value[k]),
				     point->value[k]);
		own[1] = cell_text(change_text(sheet, point, k));
		own[2] = cell_number(NULL, point->change[k]);
		own[3] = cell_number(NULL, point->change_low[k]);
		own[4] = cell_number(NULL, point->change_high[k]);
	}
	cells[12] = place_cell(point->place);
	cells[13] = cell_word(
	    NULL, point->place == PLACE_FRONT ? NULL : sheet_point_name(sheet, point->other));
	cells[14] = cell_number(NULL, (double)point->others);
}

/* Columns of both metrics, named x and y for programs and by their names for people. */
static struct table *begin_table(struct sheet *sheet, const struct front *front)
{
	static const struct column columns[] = {
		{ .key = "cell", .audience = AUDIENCE_DATA },
		{ .key = "variant", .title = "variant", .shrinks = true },
		{ .key = "x", .align = ALIGN_RIGHT },
		{ .key = "x_interval", .audience = AUDIENCE_PEOPLE, .align = ALIGN_RIGHT },
		{ .key = "x_change", .audience = AUDIENCE_DATA },
		{ .key = "x_change_low", .audience = AUDIENCE_DATA },
		{ .key = "x_change_high", .audience = AUDIENCE_DATA },
		{ .key = "y", .align = ALIGN_RIGHT },
		{ .key = "y_interval", .audience = AUDIENCE_PEOPLE, .align = ALIGN_RIGHT },
		{ .key = "y_change", .audience = AUDIENCE_DATA },
		{ .key = "y_change_low", .audience = AUDIENCE_DATA },
		{ .key = "y_change_high", .audience = AUDIENCE_DATA },
		{ .key = "place", .title = "place" },
		{ .key = "other", .audience = AUDIENCE_DATA },
		{ .key = "others", .audience = AUDIENCE_DATA },
	};
	struct column *own = arena_copy(sheet->arena, columns, sizeof columns);
	const char *x = sheet->metrics[front->metrics[0]].name;
	const char *y = sheet->metrics[front->metrics[1]].name;
	struct table *table;

	own[2].title = x;
	own[7].title = y;
	own[3].title = own[8].title = "change";
	table = document_table(sheet->document, "pareto", own, sizeof columns / sizeof *columns);
	table->title = arena_printf(sheet->arena, "%s against %s; changes are against %s",
				    sheet_metric_phrase(sheet, front->metrics[0]),
				    sheet_metric_phrase(sheet, front->metrics[1]),
				    sheet_point_name(sheet, front->points[0].subject));
	return table;
}

static void add_table(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	struct table *table = begin_table(sheet, &findings->fronts[0]);
	size_t i, j;

	for (i = 0; i < findings->front_count; i++) {
		const struct front *front = &findings->fronts[i];

		if (findings->front_count > 1)
			table_rule(sheet->document, table, scope(sheet, front));
		for (j = 0; j < front->point_count; j++)
			add_point(sheet, table, front, &front->points[j]);
	}
}

/* "a (by b)": what it is dominated by, or may be. */
static const char *with_other(const struct sheet *sheet, const struct front_point *point)
{
	const char *name = sheet_point_name(sheet, point->subject);

	if (point->place == PLACE_FRONT)
		return name;
	return arena_printf(sheet->arena,
			    point->place == PLACE_DOMINATED ? "%s (by %s)" : "%s (from %s)", name,
			    sheet_point_name(sheet, point->other));
}

/* "a, b and 3 more"; NULL if none has that place. */
static const char *named(const struct sheet *sheet, const struct front *front,
			 enum front_place place, size_t *count)
{
	const char *names = NULL;
	size_t i;

	*count = 0;
	for (i = 0; i < front->point_count; i++) {
		if (front->points[i].place != place || ++*count > MOST_NAMED)
			continue;
		names =
		    arena_printf(sheet->arena, "%s%s%s", names == NULL ? "" : names,
				 names == NULL ? "" : ", ", with_other(sheet, &front->points[i]));
	}
	return *count > MOST_NAMED
		   ? arena_printf(sheet->arena, "%s and %zu more", names, *count - MOST_NAMED)
		   : names;
}

static void add_sentence(struct sheet *sheet, const struct front *front)
{
	const char *where = scope(sheet, front), *on, *under, *untold;
	size_t count, unused;
	struct block *block;

	on = named(sheet, front, PLACE_FRONT, &count);
	under = named(sheet, front, PLACE_DOMINATED, &unused);
	untold = named(sheet, front, PLACE_UNTOLD, &unused);
	block = document_sentence(
	    sheet->document, NULL, "%s and %s%s%s: %s%s%s%s%s%s.",
	    sheet_metric_phrase(sheet, front->metrics[0]),
	    sheet_metric_phrase(sheet, front->metrics[1]), *where == '\0' ? "" : ", ", where,
	    on == NULL ? "none is shown to be on the front" : on,
	    count == 0	 ? ""
	    : count == 1 ? " is on the front"
			 : " are on the front",
	    under == NULL ? "" : "; dominated: ", under == NULL ? "" : under,
	    untold == NULL ? "" : "; cannot be told apart: ", untold == NULL ? "" : untold);
	block->id = "pareto";
	block->apart = front == &sheet->findings->fronts[0];
}

static int by_x(const void *one, const void *other)
{
	const struct front_point *const *a = one, *const *b = other;

	return ((*a)->change[0] > (*b)->change[0]) - ((*a)->change[0] < (*b)->change[0]);
}

static struct plot_series series_of(struct sheet *sheet, const struct front *front,
				    enum front_place place, const char *label)
{
	size_t most = front->point_count, count = 0, i;
	const struct front_point **points = arena_alloc(sheet->arena, most, sizeof *points);
	double *values = arena_alloc(sheet->arena, VALUES * most, sizeof *values);
	const char **names = arena_alloc(sheet->arena, most, sizeof *names);

	for (i = 0; i < most; i++)
		if (front->points[i].place == place && isfinite(front->points[i].change[0]) &&
		    isfinite(front->points[i].change[1]))
			points[count++] = &front->points[i];
	qsort(points, count, sizeof *points, by_x);
	for (i = 0; i < count; i++) {
		values[i] = points[i]->change[0];
		values[most + i] = points[i]->change[1];
		values[2 * most + i] = points[i]->change_low[0];
		values[3 * most + i] = points[i]->change_high[0];
		values[4 * most + i] = points[i]->change_low[1];
		values[5 * most + i] = points[i]->change_high[1];
		names[i] = sheet_point_name(sheet, points[i]->subject);
	}
	return (struct plot_series){ .label = label,
				     .x = values,
				     .y = values + most,
				     .x_low = values + 2 * most,
				     .x_high = values + 3 * most,
				     .low = values + 4 * most,
				     .high = values + 5 * most,
				     .names = names,
				     .count = count,
				     .joined = place == PLACE_FRONT };
}

static void add_plot(struct sheet *sheet, const struct front *front)
{
	struct plot *plot = arena_alloc(sheet->arena, 1, sizeof *plot);
	const char *where = scope(sheet, front);

	*plot = (struct plot){
		.id = front == sheet->findings->fronts
			  ? "pareto"
			  : arena_printf(sheet->arena, "pareto-%zu",
					 (size_t)(front - sheet->findings->fronts) + 1),
		.title = arena_printf(sheet->arena, "%s and %s%s%s, against %s",
				      sheet_metric_phrase(sheet, front->metrics[0]),
				      sheet_metric_phrase(sheet, front->metrics[1]),
				      *where == '\0' ? "" : ", ", where,
				      sheet_point_name(sheet, front->points[0].subject)),
		.kind = PLOT_SCATTER,
		.x_label = sheet->metrics[front->metrics[0]].name,
		.y_label = sheet->metrics[front->metrics[1]].name,
		.x_unit = "ratio",
		.y_unit = "ratio",
		.band_low = NAN,
		.band_high = NAN,
		.series = arena_alloc(sheet->arena, 3, sizeof *plot->series),
		.series_count = 3,
	};
	plot->series[0] = series_of(sheet, front, PLACE_FRONT, "on the front");
	plot->series[1] = series_of(sheet, front, PLACE_DOMINATED, "dominated");
	plot->series[2] = series_of(sheet, front, PLACE_UNTOLD, "cannot be told");
	document_plot(sheet->document, plot);
}

void sheet_add_fronts(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	size_t i;

	if (findings->front_count == 0)
		return;
	for (i = 0; i < findings->front_count && findings->front_count <= MOST_SENTENCES; i++)
		add_sentence(sheet, &findings->fronts[i]);
	add_table(sheet);
	for (i = 0; i < findings->front_count && i < MOST_SENTENCES; i++)
		add_plot(sheet, &findings->fronts[i]);
}
