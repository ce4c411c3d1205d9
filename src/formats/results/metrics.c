/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which measures of different sides are the same, and what the metric is called. */
#include <math.h>
#include <regex.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"
#include "base/text.h"
#include "formats/results/parts.h"

static bool same_name(const char *one, const char *other)
{
	return strcmp(one == NULL ? "" : one, other == NULL ? "" : other) == 0;
}

const struct results_column *gather_column(const struct gathering *gathering, size_t metric,
					   size_t side)
{
	return gathering->rows[metric].columns[side];
}

/* The name without the words of the level that its side stands for: "copy/threads:8" is "copy"
 * where sides are made by threads, "copy/8" too. */
static const char *without_level(struct arena *arena, const char *benchmark, const char *key,
				 const char *level)
{
	const char *word, *found;
	size_t i;

	if (strcmp(key, "benchmark") == 0)
		return "";
	word = arena_printf(arena, "%s=%s", key, level);
	if (strncmp(benchmark, word, strlen(word)) == 0 &&
	    (benchmark[strlen(word)] == ' ' || benchmark[strlen(word)] == '\0'))
		return benchmark + strlen(word) + (benchmark[strlen(word)] == ' ');
	for (i = 0; i < 4; i++) {
		switch (i) {
		case 0:
			word = arena_printf(arena, "/%s=%s", key, level);
			break;
		case 1:
			word = arena_printf(arena, "/%s:%s", key, level);
			break;
		case 2:
			word = arena_printf(arena, " %s=%s", key, level);
			break;
		default:
			word = arena_printf(arena, "/%s", level);
			break;
		}
		found = *word != '\0' ? strstr(benchmark, word) : NULL;
		if (found != NULL)
			return arena_printf(arena, "%.*s%s", (int)(found - benchmark), benchmark,
					    found + strlen(word));
	}
	return benchmark;
}

static const char *scope_of(const struct gathering *gathering, const struct measure *measure)
{
	if (gathering->any_benchmark ||
	    (gathering->settings->by != NULL && strcmp(gathering->settings->by, "scope") == 0))
		return "";
	return measure->scope == NULL ? "" : measure->scope;
}

static const char *benchmark_of(const struct gathering *gathering, const struct gather_side *side,
				const struct measure *measure)
{
	if (gathering->any_benchmark)
		return "";
	if (side->level == NULL)
		return measure->benchmark;
	return without_level(gathering->arena, measure->benchmark, gathering->settings->by,
			     side->level);
}

static bool belongs(const struct gathering *gathering, const struct gather_side *side,
		    const struct results_column *column, const struct measure *measure)
{
	const char *level;

	if (column->side != side->side)
		return false;
	if (side->level == NULL)
		return true;
	level = gather_label_of(measure, gathering->settings->by);
	return level != NULL && strcmp(level, side->level) == 0;
}

static bool matches(const regex_t *filter, const struct measure *measure)
{
	return filter == NULL || regexec(filter, measure->benchmark, 0, NULL, 0) == 0 ||
	       (measure->benchmark[0] == '\0' && regexec(filter, measure->metric, 0, NULL, 0) == 0);
}

/* Every side has one benchmark: it is compared, whatever its name. */
static bool one_each(const struct gathering *gathering, const regex_t *filter)
{
	size_t i, column;

	for (i = 0; i < gathering->side_count; i++) {
		const struct results *results = gathering->files[gathering->sides[i].file].results;
		const struct measure *first = NULL;

		for (column = 0; column < results_column_count(results); column++) {
			const struct results_column *values = results_column_at(results, column);
			const struct measure *measure =
			    results_measure_at(results, values->measure);

			if (!belongs(gathering, &gathering->sides[i], values, measure) ||
			    !matches(filter, measure))
				continue;
			if (first == NULL)
				first = measure;
			if (!same_name(first->benchmark, measure->benchmark) ||
			    !same_name(first->scope, measure->scope))
				return false;
		}
	}
	return true;
}

static const char *metric_of(const struct gathering *gathering, const struct measure *measure)
{
	if (gathering->settings->by != NULL && strcmp(gathering->settings->by, "metric") == 0)
		return "value";
	return measure->metric;
}

static uint64_t hash_of(const struct gathering *gathering, const struct measure *measure,
			const char *benchmark)
{
	const char *const names[] = { scope_of(gathering, measure), benchmark,
				      metric_of(gathering, measure), measure->unit };
	uint64_t hash = 0;
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		hash = random_mix(hash ^ random_hash(names[i], strlen(names[i])));
	return hash;
}

static bool is_row(const struct gathering *gathering, const struct gather_row *row,
		   const struct measure *measure, const char *benchmark)
{
	return strcmp(scope_of(gathering, row->measure), scope_of(gathering, measure)) == 0 &&
	       strcmp(row->benchmark, benchmark) == 0 &&
	       strcmp(row->metric, metric_of(gathering, measure)) == 0 &&
	       strcmp(row->measure->unit, measure->unit) == 0;
}

/* Linear on the hashes: a few thousand rows, compared as integers. */
static struct gather_row *row_for(struct gathering *gathering, const struct measure *measure,
				  const char *benchmark)
{
	uint64_t hash = hash_of(gathering, measure, benchmark);
	struct gather_row *row;
	size_t i;

	for (i = 0; i < gathering->row_count; i++)
		if (gathering->rows[i].hash == hash &&
		    is_row(gathering, &gathering->rows[i], measure, benchmark))
			return &gathering->rows[i];
	row = array_push(gathering->arena, gathering->rows, gathering->row_count,
			 gathering->row_capacity);
	*row = (struct gather_row){ .measure = measure,
				    .benchmark = benchmark,
				    .metric = metric_of(gathering, measure),
				    .columns = arena_alloc(gathering->arena, gathering->side_count,
							   sizeof(struct results_column *)),
				    .hash = hash };
	return row;
}

static void match_sides(struct gathering *gathering, const regex_t *filter)
{
	size_t i, column;

	for (i = 0; i < gathering->side_count; i++) {
		const struct gather_side *side = &gathering->sides[i];
		const struct results *results = gathering->files[side->file].results;

		for (column = 0; column < results_column_count(results); column++) {
			const struct results_column *values = results_column_at(results, column);
			const struct measure *measure =
			    results_measure_at(results, values->measure);
			struct gather_row *row;

			if (!belongs(gathering, side, values, measure) || !matches(filter, measure))
				continue;
			row = row_for(gathering, measure, benchmark_of(gathering, side, measure));
			if (row->columns[i] == NULL)
				row->columns[i] = values;
		}
	}
}

/* Nothing but missing values is as good as nothing. */
static bool has_values(const struct results_column *column)
{
	size_t i;

	if (column == NULL)
		return false;
	for (i = 0; i < column->count; i++)
		if (!isnan(column->values[i]))
			return true;
	return column->summarized;
}

static bool is_common(const struct gathering *gathering, const struct gather_row *row)
{
	size_t i;

	if (!has_values(row->columns[0]))
		return gathering->side_count == 0;
	for (i = 1; i < gathering->side_count; i++)
		if (has_values(row->columns[i]))
			return true;
	return gathering->side_count == 1;
}

static const char *row_name(struct gathering *gathering, const struct gather_row *row)
{
	return row->benchmark[0] == '\0'
		   ? row->metric
		   : arena_printf(gathering->arena, "%s %s", row->benchmark, row->metric);
}

/* "only in a.txt: sort, merge and 3 others", a sentence for each side. */
static void remark_lonely(struct gathering *gathering, const struct gather_row *lonely,
			  size_t count)
{
	enum { NAMED = 5 };
	size_t side, i;

	for (side = 0; side < gathering->side_count; side++) {
		struct text names = { 0 };
		size_t found = 0;

		for (i = 0; i < count; i++) {
			if (!has_values(lonely[i].columns[side]))
				continue;
			if (found++ < NAMED)
				text_printf(&names, "%s%s", found > 1 ? ", " : "",
					    row_name(gathering, &lonely[i]));
		}
		if (found > NAMED)
			text_printf(&names, " and %zu others", found - NAMED);
		if (found > 0)
			recording_remark(gathering->arena, gathering->recording,
					 "Only in %s, and so not compared: %s.",
					 gathering->sides[side].label, text_string(&names));
		text_release(&names);
	}
}

static bool refuse_nothing_common(struct gathering *gathering, const struct gather_row *lonely,
				  size_t count, struct error *err)
{
	const char *examples[2] = { NULL, NULL };
	bool any = false;
	size_t i, side;

	if (gathering->row_count + count == 0)
		return error_set(err, ERROR_USAGE, "--filter: no benchmark fits '%s'",
				 gathering->settings->filter);
	for (i = 0; i < count && !any; i++)
		for (side = 0; side < gathering->side_count; side++)
			any = any || has_values(lonely[i].columns[side]);
	if (!any)
		return error_set(err, ERROR_INPUT,
				 "%s: all its results failed or are missing, %s first; expected "
				 "some that were measured",
				 gathering->files[gathering->sides[0].file].name,
				 row_name(gathering, &lonely[0]));
	for (i = 0; i < count; i++) {
		size_t at = has_values(lonely[i].columns[0]) ? 0 : 1;

		if (examples[at] == NULL)
			examples[at] = row_name(gathering, &lonely[i]);
	}
	return error_set(err, ERROR_INPUT,
			 "%s and the others have no result in common: %s there, %s here; files of "
			 "the same benchmarks are needed, or --by to say what differs",
			 gathering->sides[0].label, examples[1] == NULL ? "nothing" : examples[1],
			 examples[0] == NULL ? "nothing" : examples[0]);
}

static bool keep_common(struct gathering *gathering, struct error *err)
{
	struct gather_row *lonely =
	    arena_alloc(gathering->arena, gathering->row_count, sizeof *lonely);
	size_t lonely_count = 0, kept = 0, i;

	for (i = 0; i < gathering->row_count; i++)
		if (gathering->settings->everything || is_common(gathering, &gathering->rows[i]))
			gathering->rows[kept++] = gathering->rows[i];
		else
			lonely[lonely_count++] = gathering->rows[i];
	gathering->row_count = kept;
	if (kept == 0)
		return refuse_nothing_common(gathering, lonely, lonely_count, err);
	remark_lonely(gathering, lonely, lonely_count);
	return true;
}

/* Whether another row would have the same name, but for what is asked about. */
static bool has_other(const struct gathering *gathering, const struct gather_row *row,
		      bool (*differs)(const struct measure *, const struct measure *))
{
	size_t i;

	for (i = 0; i < gathering->row_count; i++) {
		const struct gather_row *other = &gathering->rows[i];

		if (strcmp(other->benchmark, row->benchmark) == 0 &&
		    strcmp(other->metric, row->metric) == 0 &&
		    differs(other->measure, row->measure))
			return true;
	}
	return false;
}

static bool other_scope(const struct measure *one, const struct measure *other)
{
	return !same_name(one->scope, other->scope);
}

static bool other_unit(const struct measure *one, const struct measure *other)
{
	return !same_name(one->unit, other->unit) && same_name(one->scope, other->scope);
}

/* Several kinds of metric anywhere in the set: then each row names its own. */
static bool has_metric_kinds(const struct gathering *gathering)
{
	size_t i;

	for (i = 1; i < gathering->row_count; i++)
		if (strcmp(gathering->rows[i].metric, gathering->rows[0].metric) != 0)
			return true;
	return false;
}

static const char *metric_name(struct gathering *gathering, const struct gather_row *row,
			       bool kinds)
{
	struct arena *arena = gathering->arena;
	const char *name = row->metric;

	if (row->benchmark[0] != '\0')
		name = kinds ? arena_printf(arena, "%s %s", row->benchmark, row->metric)
			     : row->benchmark;
	if (!gathering->any_benchmark && row->measure->scope != NULL &&
	    has_other(gathering, row, other_scope))
		name = arena_printf(arena, "%s: %s", row->measure->scope, name);
	if (has_other(gathering, row, other_unit))
		name = arena_printf(arena, "%s [%s]", name, row->measure->unit);
	return name;
}

/* The finest step printed on either side. */
static double quantum_of(const struct gathering *gathering, const struct gather_row *row)
{
	double quantum = 0;
	size_t i;

	for (i = 0; i < gathering->side_count; i++) {
		const struct results_column *column = row->columns[i];

		if (column != NULL && column->quantum > 0 &&
		    (quantum == 0 || column->quantum < quantum))
			quantum = column->quantum;
	}
	return quantum;
}

static size_t count_main(const struct gathering *gathering)
{
	size_t count = 0, i;

	for (i = 0; i < gathering->row_count; i++)
		count += !gathering->rows[i].measure->secondary;
	return count;
}

/* A name that no metric has yet. */
static const char *distinct_name(struct gathering *gathering, const char *name)
{
	const char *tried = name;
	size_t number = 2;

	while (recording_metric(gathering->recording, tried) != METRIC_NONE)
		tried = arena_printf(gathering->arena, "%s (%zu)", name, number++);
	return tried;
}

static void add_metrics(struct gathering *gathering)
{
	struct recording *recording = gathering->recording;
	bool kinds = has_metric_kinds(gathering);
	size_t main_count = count_main(gathering), i;

	recording->plan.all_decide = recording->plan.primary == NULL && main_count > 1;
	for (i = 0; i < gathering->row_count; i++) {
		const struct gather_row *row = &gathering->rows[i];
		const struct measure *measure = row->measure;
		struct metric metric = {
			.name = distinct_name(gathering, metric_name(gathering, row, kinds)),
			.unit = arena_strdup(gathering->arena, measure->unit),
			.better = measure->better,
			.source = SOURCE_IMPORTED,
			.quantum = quantum_of(gathering, row),
			.exact = measure->exact,
			.hidden = measure->secondary && main_count > 1,
		};

		if (measure->better == BETTER_NEITHER && gathering->settings->better_given)
			metric.better = gathering->settings->better;
		metric.name = arena_strdup(gathering->arena, metric.name);
		recording_add_metric(gathering->arena, recording, &metric);
		if (!measure->secondary && recording->plan.primary == NULL && main_count == 1)
			recording->plan.primary = metric.name;
	}
	if (recording->plan.primary == NULL && main_count == 0)
		recording->plan.primary = recording->metrics[0].name;
}

static bool compile_filter(const char *pattern, regex_t *filter, struct error *err)
{
	char reason[128];
	int failed = regcomp(filter, pattern, REG_EXTENDED | REG_NOSUB);

	if (failed == 0)
		return true;
	regerror(failed, filter, reason, sizeof reason);
	return error_set(err, ERROR_USAGE, "--filter: '%s' is no extended regular expression: %s",
			 pattern, reason);
}

bool gather_metrics(struct gathering *gathering, struct error *err)
{
	const char *pattern = gathering->settings->filter;
	regex_t compiled;
	const regex_t *filter = NULL;

	if (pattern != NULL) {
		if (!compile_filter(pattern, &compiled, err))
			return false;
		filter = &compiled;
	}
	gathering->any_benchmark = gathering->side_count > 1 && one_each(gathering, filter);
	match_sides(gathering, filter);
	if (filter != NULL)
		regfree(&compiled);
	if (!keep_common(gathering, err))
		return false;
	add_metrics(gathering);
	return true;
}
