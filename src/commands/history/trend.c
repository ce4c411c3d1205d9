/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth history trend: one metric from session to session, and where it changed.
 * A session is one value, its median: what varies from session to session is
 * what a change must stand out from, and runs of one session do not show it.
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/history/words.h"
#include "commands/opened.h"
#include "commands/project.h"
#include "commands/summaries.h"
#include "report/document.h"
#include "stats/change_points.h"
#include "stats/order.h"
#include "store/history/series.h"

/* Time grows with the square of the sessions: a year of one a day takes 0.2 s. */
enum { SESSIONS_TAKEN = 365, SESSIONS_MOST = 2000, LEAST_IN_SEGMENT = 3, SEED = 1 };

/* The sessions of one command. */
struct line {
	const char *label;
	const struct history_point **points;
	double *places, *values, *levels;
	size_t count, capacity;
	struct change_point *changes;
	size_t change_count;
};

struct trend {
	struct arena *arena;
	const struct history_settings *settings;
	const char *metric;
	struct history_filter filter;
	struct line *lines;
	size_t line_count, line_capacity;
	size_t sessions; /* of all lines, a session counted once */
	size_t small;	 /* changes below the margin */
};

static struct line *line_of(struct trend *trend, const char *label)
{
	struct line *line;
	size_t i;

	for (i = 0; i < trend->line_count; i++)
		if (strcmp(trend->lines[i].label, label) == 0)
			return &trend->lines[i];
	line = array_push(trend->arena, trend->lines, trend->line_count, trend->line_capacity);
	*line = (struct line){ .label = label };
	return line;
}

static void take_points(struct trend *trend, const struct history_point *points, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct line *line = line_of(trend, points[i].summary.label);

		trend->sessions += i == 0 || strcmp(points[i].id, points[i - 1].id) != 0;
		*array_push(trend->arena, line->points, line->count, line->capacity) = &points[i];
	}
}

static double level_of(const struct line *line, size_t begin, size_t end)
{
	return order_median(line->values + begin, end - begin);
}

static size_t segment_begin(const struct line *line, size_t change)
{
	return change == 0 ? 0 : line->changes[change - 1].index;
}

static size_t segment_end(const struct line *line, size_t change)
{
	return change == line->change_count ? line->count : line->changes[change].index;
}

static void find_changes(struct trend *trend, struct line *line)
{
	static const struct change_settings settings = {
		.level = 0.05, .permutations = 199, .least = LEAST_IN_SEGMENT, .seed = SEED
	};
	struct arena *arena = trend->arena;
	size_t i, change;

	line->places = arena_alloc(arena, line->count, sizeof *line->places);
	line->values = arena_alloc(arena, line->count, sizeof *line->values);
	line->levels = arena_alloc(arena, line->count, sizeof *line->levels);
	line->changes = arena_alloc(arena, line->count + 1, sizeof *line->changes);
	for (i = 0; i < line->count; i++) {
		line->places[i] = (double)i + 1;
		line->values[i] = line->points[i]->summary.median;
	}
	line->change_count =
	    change_points_find(line->values, line->count, &settings, line->changes);
	for (change = 0; change <= line->change_count; change++)
		for (i = segment_begin(line, change); i < segment_end(line, change); i++)
			line->levels[i] =
			    level_of(line, segment_begin(line, change), segment_end(line, change));
}

static char *shown(const struct trend *trend, const struct line *line, double value)
{
	return units_value(trend->arena, value, line->points[0]->summary.unit, 4);
}

/* What a change came to, as a share of the level before. */
static double change_ratio(const struct line *line, size_t change)
{
	size_t at = line->changes[change].index;

	return line->levels[at] / line->levels[at - 1] - 1;
}

static bool is_small(const struct trend *trend, const struct line *line, size_t change)
{
	double ratio = change_ratio(line, change);

	return isfinite(ratio) && fabs(ratio) < trend->settings->margin_ratio;
}

/* -1 worse, 1 better, 0: neither way is better. */
static int direction(const struct line *line, size_t change)
{
	enum better better = line->points[0]->summary.better;
	size_t at = line->changes[change].index;
	bool up = line->levels[at] > line->levels[at - 1];

	if (better == BETTER_NEITHER)
		return 0;
	return (better == BETTER_HIGHER) == up ? 1 : -1;
}

static const char *const direction_words[] = { "worse", "changed", "better" };
static const enum tone direction_tones[] = { TONE_BAD, TONE_PLAIN, TONE_GOOD };

static void add_lines(struct document *document, const struct trend *trend)
{
	static const struct column columns[] = {
		{ .key = "variant", .title = "variant", .shrinks = true },
		{ .key = "sessions", .title = "sessions", .align = ALIGN_RIGHT },
		{ .key = "first_level", .title = "first level", .align = ALIGN_RIGHT },
		{ .key = "last_level", .title = "last level", .align = ALIGN_RIGHT },
		{ .key = "changes", .title = "changes", .align = ALIGN_RIGHT },
	};
	struct table *table = document_table(document, "variants", columns, 5);
	size_t i;

	for (i = 0; i < trend->line_count; i++) {
		const struct line *line = &trend->lines[i];
		struct cell *cells = table_row(document, table)->cells;
		double first = line->levels[0], last = line->levels[line->count - 1];

		cells[0] = history_text(trend->arena, line->label);
		cells[1] = cell_number(units_count(trend->arena, (int64_t)line->count),
				       (double)line->count);
		cells[2] = cell_number(shown(trend, line, first), first);
		cells[3] = cell_number(shown(trend, line, last), last);
		cells[4] = cell_number(units_count(trend->arena, (int64_t)line->change_count),
				       (double)line->change_count);
	}
}

static void add_change(struct document *document, struct table *table, const struct trend *trend,
		       const struct line *line, size_t change)
{
	struct cell *cells = table_row(document, table)->cells;
	size_t at = line->changes[change].index;
	const struct history_point *point = line->points[at];
	int way = direction(line, change) + 1;
	double ratio = change_ratio(line, change);

	cells[0] = history_text(trend->arena, line->label);
	cells[1] = cell_text(point->id);
	cells[2] = history_when(trend->arena, point->started_at_s);
	cells[3] = cell_number(shown(trend, line, line->levels[at - 1]), line->levels[at - 1]);
	cells[4] = cell_number(shown(trend, line, line->levels[at]), line->levels[at]);
	cells[5] = isfinite(ratio) ? cell_number(units_change(trend->arena, ratio), ratio)
				   : (struct cell){ .kind = CELL_EMPTY };
	cells[6] = cell_text(direction_words[way]);
	cells[6].tone = direction_tones[way];
	cells[7] = cell_number(arena_printf(trend->arena, "%.3f", line->changes[change].p),
			       line->changes[change].p);
}

static void add_changes(struct document *document, struct trend *trend)
{
	static const struct column columns[] = {
		{ .key = "variant", .title = "variant", .shrinks = true },
		{ .key = "id", .title = "since" },
		{ .key = "started_at", .title = "when" },
		{ .key = "before", .title = "before", .align = ALIGN_RIGHT },
		{ .key = "after", .title = "after", .align = ALIGN_RIGHT },
		{ .key = "change", .title = "change", .align = ALIGN_RIGHT },
		{ .key = "verdict", .title = "verdict" },
		{ .key = "p", .title = "p", .align = ALIGN_RIGHT },
	};
	struct table *table = document_table(document, "changes", columns, 8);
	size_t i, change;

	for (i = 0; i < trend->line_count; i++)
		for (change = 0; change < trend->lines[i].change_count; change++) {
			if (is_small(trend, &trend->lines[i], change))
				trend->small++;
			else
				add_change(document, table, trend, &trend->lines[i], change);
		}
}

/* For programs: every session with its level. */
static void add_points(struct document *document, const struct trend *trend)
{
	static const struct column columns[] = {
		{ .key = "variant" }, { .key = "id" },	  { .key = "started_at" },
		{ .key = "project" }, { .key = "host" },  { .key = "median" },
		{ .key = "runs" },    { .key = "level" },
	};
	struct table *table = document_table(document, "sessions", columns, 8);
	bool redact = trend->settings->sheet.redact;
	size_t i, j;

	table->audience = AUDIENCE_DATA;
	document->csv_table = "sessions";
	for (i = 0; i < trend->line_count; i++)
		for (j = 0; j < trend->lines[i].count; j++) {
			const struct line *line = &trend->lines[i];
			const struct history_point *point = line->points[j];
			struct cell *cells = table_row(document, table)->cells;

			cells[0] = history_text(trend->arena, line->label);
			cells[1] = cell_text(point->id);
			cells[2] = history_when(trend->arena, point->started_at_s);
			cells[3] = history_text(trend->arena, redact ? NULL : point->project);
			cells[4] = history_text(trend->arena, redact ? NULL : point->host);
			cells[5] = cell_number(NULL, line->values[j]);
			cells[6] = cell_number(NULL, (double)point->summary.runs);
			cells[7] = cell_number(NULL, line->levels[j]);
		}
}

static void add_plot(struct document *document, const struct trend *trend)
{
	struct arena *arena = trend->arena;
	struct plot *plot = arena_alloc(arena, 1, sizeof *plot);
	size_t i, j;

	*plot = (struct plot){ .id = "trend",
			       .title =
				   arena_printf(arena, "%s from session to session", trend->metric),
			       .kind = PLOT_CURVE,
			       .x_label = "session",
			       .y_label = trend->metric,
			       .x_unit = "",
			       .y_unit = trend->lines[0].points[0]->summary.unit,
			       .band_low = NAN,
			       .band_high = NAN };
	plot->series = arena_alloc(arena, trend->line_count, sizeof *plot->series);
	for (i = 0; i < trend->line_count; i++) {
		const struct line *line = &trend->lines[i];
		const char **names = arena_alloc(arena, line->count, sizeof *names);
		const char *label = text_clean(arena, line->label, strlen(line->label));

		for (j = 0; j < line->count; j++)
			names[j] = line->points[j]->id;
		plot->series[plot->series_count++] = (struct plot_series){ .label = label,
									   .x = line->places,
									   .y = line->values,
									   .levels = line->levels,
									   .names = names,
									   .count = line->count };
	}
	document_plot(document, plot);
}

/* The latest change that matters, of all variants. */
static const struct line *latest(const struct trend *trend, size_t *change)
{
	const struct line *found = NULL;
	int64_t at_s = INT64_MIN;
	size_t i, j;

	for (i = 0; i < trend->line_count; i++)
		for (j = 0; j < trend->lines[i].change_count; j++) {
			const struct line *line = &trend->lines[i];
			int64_t when_s = line->points[line->changes[j].index]->started_at_s;

			if (is_small(trend, line, j) || when_s < at_s)
				continue;
			at_s = when_s;
			found = line;
			*change = j;
		}
	return found;
}

static void add_answer(struct document *document, const struct trend *trend)
{
	struct arena *arena = trend->arena;
	size_t change = 0, longest = 0, i;
	const struct line *line = latest(trend, &change);

	for (i = 0; i < trend->line_count; i++)
		if (trend->lines[i].count > longest)
			longest = trend->lines[i].count;
	if (line != NULL) {
		size_t at = line->changes[change].index;
		int way = direction(line, change) + 1;

		document_sentence(
		    document, NULL,
		    "The latest change of %s: %s is %s since %s, %s before and %s "
		    "after (%s).",
		    trend->metric, text_clean(arena, line->label, strlen(line->label)),
		    way == 1 ? "another" : direction_words[way], line->points[at]->id,
		    shown(trend, line, line->levels[at - 1]), shown(trend, line, line->levels[at]),
		    units_change(arena, change_ratio(line, change)))
		    ->tone = direction_tones[way];
	} else if (longest < 2 * LEAST_IN_SEGMENT) {
		document_sentence(document, NULL,
				  "%zu sessions are too few to tell a change of %s: %d at least.",
				  trend->sessions, trend->metric, 2 * LEAST_IN_SEGMENT);
	} else {
		document_sentence(document, NULL, "No change of %s stands out from %zu sessions.",
				  trend->metric, trend->sessions);
	}
}

static void add_notes(struct document *document, const struct trend *trend)
{
	const struct history_filter *filter = &trend->filter;
	struct arena *arena = trend->arena;

	if (trend->small > 0)
		document_note(document, "note", "%zu changes below %s are left out: --margin",
			      trend->small, units_percent(arena, trend->settings->margin_ratio));
	document_note(document, "note",
		      "Sessions were measured at different times: what else changed with the "
		      "machine looks the same. worth compare measures both in turn.");
	if (trend->settings->sheet.redact)
		return;
	document_note(document, "of", "%s%s%s%s",
		      filter->project == NULL ? "all projects" : "project ",
		      filter->project == NULL ? "" : filter->project,
		      filter->machine == NULL ? ", all machines" : ", machine ",
		      filter->machine == NULL ? "" : filter->machine);
}

static struct document *make(struct trend *trend)
{
	struct document *document = document_make(
	    trend->arena, "trend", arena_printf(trend->arena, "Trend of %s", trend->metric));
	size_t i;

	for (i = 0; i < trend->line_count; i++)
		find_changes(trend, &trend->lines[i]);
	add_answer(document, trend);
	add_lines(document, trend);
	add_changes(document, trend);
	add_plot(document, trend);
	add_points(document, trend);
	add_notes(document, trend);
	return document;
}

/* "all" is no filter, no word is what is here. */
static const char *choose(struct arena *arena, const char *given, const char *here)
{
	if (given == NULL)
		return here;
	return strcmp(given, "all") == 0 ? NULL : text_clean(arena, given, strlen(given));
}

static const char *host(struct arena *arena)
{
	char name[256];

	if (gethostname(name, sizeof name) != 0)
		return NULL;
	name[sizeof name - 1] = '\0';
	return arena_strdup(arena, name);
}

static bool read_filter(struct trend *trend, struct error *err)
{
	const struct history_settings *settings = trend->settings;
	struct arena *arena = trend->arena;

	trend->filter = (struct history_filter){
		.project = choose(arena, settings->project, project_name(arena)),
		.machine = choose(arena, settings->machine, host(arena)),
		.variant = settings->variant,
		.metric = trend->metric,
		.limit = settings->limit_given ? (size_t)settings->limit : SESSIONS_TAKEN,
	};
	if (trend->filter.limit == 0 || trend->filter.limit > SESSIONS_MOST)
		trend->filter.limit = SESSIONS_MOST;
	return settings->since == NULL ||
	       history_moment("--since", settings->since, &trend->filter.since_s, err);
}

static bool refuse_empty(const struct trend *trend, struct error *err)
{
	const struct history_filter *filter = &trend->filter;

	return error_set(err, ERROR_USAGE,
			 "no session of %s%s on %s%s measured %s%s%s; worth history lists what "
			 "there is, --project all and --machine all look everywhere",
			 filter->project == NULL ? "any project" : "project ",
			 filter->project == NULL ? "" : filter->project,
			 filter->machine == NULL ? "any machine" : "machine ",
			 filter->machine == NULL ? "" : filter->machine, trend->metric,
			 filter->variant == NULL ? "" : " of ",
			 filter->variant == NULL ? "" : filter->variant);
}

bool history_trend(struct arena *arena, const struct history_settings *settings, const char *metric,
		   struct error *err)
{
	struct trend trend = { .arena = arena,
			       .settings = settings,
			       .metric = text_clean(arena, metric, strlen(metric)) };
	const struct metric *known = metric_known_called(metric);
	struct history *history;
	struct history_point *points;
	size_t count = 0;
	bool good;

	if (!read_filter(&trend, err))
		return false;
	history = opened_history(settings->store, false, err);
	good = history != NULL && summaries_complete(history, err) &&
	       history_series(history, arena, &trend.filter, &points, &count, err);
	if (good && count == 0 && known != NULL) {
		trend.metric = trend.filter.metric = known->name;
		good = history_series(history, arena, &trend.filter, &points, &count, err);
	}
	history_close(history);
	if (!good)
		return false;
	if (count == 0)
		return refuse_empty(&trend, err);
	take_points(&trend, points, count);
	return output_write(&settings->output, make(&trend), err);
}
