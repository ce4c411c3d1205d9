/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Axes, thinning, and that what a picture is made of is what it shows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "report/plot/axis.h"
#include "report/plot/svg.h"
#include "report/plot/text.h"
#include "report/plot/thin.h"
#include "unit.h"

static struct axis axis_of(enum axis_scale scale, const char *unit, double low, double high)
{
	struct axis axis = axis_make(scale, unit, 0, 100);

	axis_include(&axis, low);
	axis_include(&axis, high);
	return axis;
}

static const char *labels_of(struct arena *arena, struct axis axis)
{
	double ticks[6];
	size_t count = axis_ticks(&axis, ticks, 6), i;
	const char *labels = "";

	for (i = 0; i < count; i++)
		labels = arena_printf(arena, "%s%s%s", labels, i > 0 ? " " : "",
				      axis_label(arena, &axis, ticks[i]));
	return arena_printf(arena, "%s|%s", labels, axis_unit(arena, &axis));
}

static void ticks_are_round_in_the_shown_unit(void **state)
{
	struct arena *arena = arena_open();
	struct axis rounds = axis_of(AXIS_LINEAR, "", 0.9, 4.1);

	(void)state;
	rounds.whole = true;
	assert_string_equal(labels_of(arena, rounds), "1 2 3 4|");
	assert_string_equal(labels_of(arena, axis_of(AXIS_LINEAR, "s", 0.0031, 0.0089)),
			    "4 5 6 7 8|ms");
	assert_string_equal(labels_of(arena, axis_of(AXIS_LINEAR, "B", 0, 5 << 20)),
			    "0 1 2 3 4 5|MiB");
	assert_string_equal(labels_of(arena, axis_of(AXIS_LINEAR, "", -1, 1)),
			    "-1.0 -0.5 0 0.5 1.0|");
	assert_string_equal(labels_of(arena, axis_of(AXIS_CHANGE, "ratio", -0.02, 0.031)),
			    "-2% -1% 0% +1% +2% +3%|");
	assert_string_equal(labels_of(arena, axis_of(AXIS_CHANGE, "ratio", -0.5, 3)),
			    "x0.5 x1 x2|");
	assert_string_equal(labels_of(arena, axis_of(AXIS_LOG, "", 1, 1e6)), "1 100 1e+04 1e+06|");
	arena_close(arena);
}

static void ticks_rise_within_the_range(void **state)
{
	static const char *const units[] = { "s", "B", "", "ratio" };
	struct random random;
	double ticks[9];
	size_t count, i, j;

	(void)state;
	random.state = 7;
	for (i = 0; i < 20000; i++) {
		enum axis_scale scale = (enum axis_scale)(i % 3);
		double low = exp(40 * random_unit(&random) - 20);
		struct axis axis =
		    axis_of(scale, units[i % 4], low, low * exp(30 * random_unit(&random) - 8));

		axis_widen(&axis);
		assert_true(axis.low < axis.high);
		count = axis_ticks(&axis, ticks, 9);
		assert_true(count <= 9);
		for (j = 0; j < count; j++) {
			assert_true(ticks[j] >= axis.low - fabs(axis.low) * 1e-9);
			assert_true(ticks[j] <= axis.high * (1 + 1e-9));
			assert_true(j == 0 || ticks[j] > ticks[j - 1]);
		}
	}
}

static void a_change_and_its_inverse_mirror(void **state)
{
	struct axis axis = axis_of(AXIS_CHANGE, "ratio", -0.75, 3);

	(void)state;
	assert_float_equal(axis_place(&axis, 0), 50, 1e-9);
	assert_float_equal(axis_place(&axis, 1) + axis_place(&axis, -0.5), 100, 1e-9);
}

static void an_axis_of_nothing_or_one_value_has_a_range(void **state)
{
	struct axis axis = axis_make(AXIS_LINEAR, "s", 0, 100);

	(void)state;
	axis_include(&axis, NAN);
	axis_include(&axis, INFINITY);
	axis_widen(&axis);
	assert_true(axis.low < axis.high);
	axis = axis_of(AXIS_LOG, "s", 4, 4);
	axis_include(&axis, 0);
	axis_include(&axis, -1);
	axis_widen(&axis);
	assert_true(axis.low > 0 && axis.low < 4 && axis.high > 4);
	assert_false(axis_shows(&axis, NAN));
	assert_float_equal(axis_place(&axis, INFINITY), 100, 0);
	assert_float_equal(axis_place(&axis, 0), 0, 0);
}

enum { MANY = 100000, COLUMNS = 500 };

/* Every stretch keeps its extremes, so the outline stays and no odd run is lost. */
static void thinning_keeps_the_outline(void **state)
{
	double *x = calloc(MANY, sizeof *x), *y = calloc(MANY, sizeof *y);
	size_t *kept = calloc(MANY, sizeof *kept), count, i;
	bool has_highest = false, has_lowest = false;
	struct random random;

	(void)state;
	random.state = 3;
	for (i = 0; i < MANY; i++) {
		x[i] = (double)i;
		y[i] = random_unit(&random);
	}
	y[34567] = 9;
	y[76543] = -9;
	count = thin_points(x, y, MANY, COLUMNS, kept);
	assert_true(count <= 4 * COLUMNS && count > COLUMNS);
	for (i = 0; i < count; i++) {
		assert_true(i == 0 || kept[i] > kept[i - 1]);
		has_highest |= kept[i] == 34567;
		has_lowest |= kept[i] == 76543;
	}
	assert_true(has_highest && has_lowest);
	assert_int_equal(kept[0], 0);
	assert_int_equal(kept[count - 1], MANY - 1);
	assert_int_equal(thin_points(x, y, 4 * COLUMNS, COLUMNS, kept), 4 * COLUMNS);
	free(x);
	free(y);
	free(kept);
}

/* Points with the same x, as where all runs are of one round, are not divided by zero. */
static void runs_of_one_round_are_all_kept(void **state)
{
	double x[] = { 1, 1, 1, 1, 1, 1 }, y[] = { 1, 2, 3, 4, 5, 6 };
	size_t kept[6];

	(void)state;
	assert_int_equal(thin_points(x, y, 6, 1, kept), 6);
	assert_int_equal(thin_points(x, y, 0, 1, kept), 0);
}

static size_t times(const char *text, const char *word)
{
	size_t count = 0;

	for (text = strstr(text, word); text != NULL; text = strstr(text + 1, word))
		count++;
	return count;
}

static const struct plot *plot_of(enum plot_kind kind)
{
	static const double x[] = { 1, 2, 3 }, y[] = { 0.1, 0.2, -0.1 };
	static const double low[] = { 0.0, -INFINITY, -0.2 }, high[] = { 0.2, INFINITY, NAN };
	static const char *const names[] = { "<a>", "b & \"b\"", "c" };
	static struct plot_series series[2];
	static struct plot plot;

	series[0] = (struct plot_series){ .label = "one's",
					  .x = x,
					  .y = y,
					  .low = low,
					  .high = high,
					  .names = names,
					  .count = 3 };
	series[1] = series[0];
	plot = (struct plot){ .id = "p",
			      .title = "t <&>",
			      .kind = kind,
			      .x_label = "x",
			      .y_label = "y",
			      .x_unit = "",
			      .y_unit = "ratio",
			      .band_low = -0.01,
			      .band_high = 0.01,
			      .series = series,
			      .series_count = 2 };
	if (kind == PLOT_INTERVALS || kind == PLOT_BARS)
		plot.series_count = 1;
	return &plot;
}

static void every_kind_shows_each_mark_and_escapes(void **state)
{
	struct text text = { 0 };
	int kind;

	(void)state;
	for (kind = PLOT_RUNS; kind <= PLOT_BARS; kind++) {
		const struct plot *plot = plot_of((enum plot_kind)kind);
		size_t marks = 3 * plot->series_count;

		text_clear(&text);
		plot_svg(plot, 0, &text);
		assert_int_equal(times(text_string(&text), "mark s"), marks);
		assert_int_equal(times(text_string(&text), "<a>"), 0);
		assert_int_equal(times(text_string(&text), "& "), 0);
		assert_null(strstr(text_string(&text), "nan"));
		assert_null(strstr(text_string(&text), "inf"));
		text_clear(&text);
		plot_text(plot, 60, &text);
		assert_non_null(strstr(text_string(&text), "t <&>\n"));
	}
	text_release(&text);
}

static void levels_are_lines_and_their_steps_marks(void **state)
{
	static const double y[] = { 10, 11, 10, 20, 21, 20 }, levels[] = { 10, 10, 10, 20, 20, 20 };
	static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
	struct plot_series series = {
		.label = "new", .y = y, .levels = levels, .names = names, .count = 6
	};
	struct plot plot = *plot_of(PLOT_CURVE);
	struct text text = { 0 };

	(void)state;
	plot.series = &series;
	plot.series_count = 1;
	plot_svg(&plot, 0, &text);
	assert_int_equal(times(text_string(&text), "class=\"level s0\""), 2);
	assert_int_equal(times(text_string(&text), "mark s0"), 6 + 1);
	assert_non_null(strstr(text_string(&text), "from d on"));
	assert_int_equal(times(text_string(&text), "<polyline"), 0);
	text_clear(&text);
	plot_text(&plot, 60, &text);
	assert_non_null(strchr(text_string(&text), '-'));
	text_release(&text);
}

static void bars_tell_their_values_and_remarks(void **state)
{
	static const double y[] = { 1496, -24, 0.5 };
	static const char *const names[] = { "first<>", "second", "third" };
	static const char *const remarks[] = { "3 copies", NULL, "1 & more" };
	struct plot_series series = {
		.label = "bytes", .y = y, .names = names, .remarks = remarks, .count = 3
	};
	struct plot plot = *plot_of(PLOT_BARS);
	struct text text = { 0 };

	(void)state;
	plot.y_unit = "";
	plot.series = &series;
	plot.series_count = 1;
	plot_svg(&plot, 0, &text);
	assert_non_null(strstr(text_string(&text), "first&lt;&gt;: +1,496, 3 copies</title>"));
	assert_non_null(strstr(text_string(&text), "second: -24</title>"));
	assert_non_null(strstr(text_string(&text), "1 &amp; more"));
	assert_non_null(strstr(text_string(&text), ">+1,496</text>"));
	text_release(&text);
}

static void no_line_of_a_text_plot_is_too_wide(void **state)
{
	struct text text = { 0 };
	unsigned width;
	int kind;

	(void)state;
	for (kind = PLOT_RUNS; kind <= PLOT_BARS; kind++)
		for (width = 40; width <= 80; width += 8) {
			const char *line, *end;

			text_clear(&text);
			plot_text(plot_of((enum plot_kind)kind), width, &text);
			for (line = text_string(&text); *line != '\0'; line = end + 1) {
				end = strchr(line, '\n');
				assert_non_null(end);
				assert_true((size_t)(end - line) <= width);
			}
		}
	text_release(&text);
}

static void what_is_empty_is_not_drawn(void **state)
{
	struct plot plot = *plot_of(PLOT_RUNS);
	struct plot_series none[1] = { { .label = "none" } };

	(void)state;
	assert_true(plot_has_marks(&plot));
	plot.series = none;
	plot.series_count = 1;
	assert_false(plot_has_marks(&plot));
	plot.series_count = 0;
	assert_false(plot_has_marks(&plot));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_are_round_in_the_shown_unit),
		cmocka_unit_test(ticks_rise_within_the_range),
		cmocka_unit_test(a_change_and_its_inverse_mirror),
		cmocka_unit_test(an_axis_of_nothing_or_one_value_has_a_range),
		cmocka_unit_test(thinning_keeps_the_outline),
		cmocka_unit_test(runs_of_one_round_are_all_kept),
		cmocka_unit_test(every_kind_shows_each_mark_and_escapes),
		cmocka_unit_test(levels_are_lines_and_their_steps_marks),
		cmocka_unit_test(bars_tell_their_values_and_remarks),
		cmocka_unit_test(no_line_of_a_text_plot_is_too_wide),
		cmocka_unit_test(what_is_empty_is_not_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
