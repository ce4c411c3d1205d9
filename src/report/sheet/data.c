/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sheet for programs: tables whose columns never depend on the layout that
 * people see, and the recording itself. docs/report.md describes them. The
 * table of runs is made row by row when it is written, since a recording may
 * hold a million runs.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/codec.h"
#include "report/sheet/parts.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static const char *reason_name(enum undecided_reason reason)
{
	static const char *const names[] = {
		[REASON_NONE] = NULL,		[REASON_INTERVAL] = "interval",
		[REASON_FLOOR] = "floor",	[REASON_CLOCK] = "clock",
		[REASON_UNSTABLE] = "unstable", [REASON_VALUES] = "values",
		[REASON_SUMMARY] = "summary",
	};

	return names[reason];
}

static struct cell number(double value)
{
	return cell_number(NULL, value);
}

static struct cell word(const char *value)
{
	return cell_word(NULL, value);
}

/* The whole unit; the one for people may be cut. */
static struct cell unit_of(const struct sheet *sheet, size_t metric)
{
	const char *unit = sheet->recording->metrics[metric].unit;

	return word(text_clean(sheet->arena, unit, strlen(unit)));
}

static struct cell truth(bool value)
{
	return cell_boolean(NULL, value);
}

static const struct column comparison_columns[] = {
	{ .key = "metric" },
	{ .key = "unit" },
	{ .key = "better" },
	{ .key = "baseline" },
	{ .key = "candidate" },
	{ .key = "primary" },
	{ .key = "verdict" },
	{ .key = "word" },
	{ .key = "change" },
	{ .key = "change_low" },
	{ .key = "change_high" },
	{ .key = "difference" },
	{ .key = "exact" },
	{ .key = "paired" },
	{ .key = "pairs" },
	{ .key = "mean_change" },
	{ .key = "level" },
	{ .key = "p" },
	{ .key = "p_adjusted" },
	{ .key = "method" },
	{ .key = "welch_low" },
	{ .key = "welch_high" },
	{ .key = "welch_p" },
	{ .key = "margin" },
	{ .key = "margin_given" },
	{ .key = "unstable" },
	{ .key = "beyond_margin" },
	{ .key = "consistent" },
	{ .key = "not_worse" },
	{ .key = "not_better" },
	{ .key = "undecided_reason" },
	{ .key = "clock_step" },
	{ .key = "resolvable" },
	{ .key = "more_likely" },
	{ .key = "more_surely" },
};

static void fill_comparison(const struct sheet *sheet, const struct comparison *comparison,
			    struct cell *cells)
{
	const struct metric *metric = &sheet->metrics[comparison->metric];
	size_t baseline = recording_baseline(sheet->recording, comparison->candidate);
	bool undecided = comparison->verdict == VERDICT_UNDECIDED;
	const struct cell made[] = {
		word(sheet->metrics[comparison->metric].name),
		unit_of(sheet, comparison->metric),
		word(better_name(metric->better)),
		word(sheet->labels[baseline]),
		word(sheet->labels[comparison->candidate]),
		truth(comparison->primary),
		word(verdict_name(comparison->verdict)),
		word(sheet_verdict_word(comparison->verdict, metric)),
		number(comparison->change),
		number(comparison->change_low),
		number(comparison->change_high),
		truth(comparison->difference),
		truth(comparison->exact),
		truth(comparison->paired),
		number((double)comparison->pairs),
		number(comparison->mean_change),
		number(comparison->level),
		number(comparison->p),
		number(comparison->p_adjusted),
		word(comparison->method),
		number(comparison->welch_low),
		number(comparison->welch_high),
		number(comparison->welch_p),
		number(comparison->margin_ratio),
		truth(comparison->margin_given),
		truth(comparison->unstable),
		truth(comparison->beyond_margin),
		truth(comparison->consistent),
		truth(comparison->not_worse),
		truth(comparison->not_better),
		word(reason_name(comparison->reason)),
		number(comparison->clock_step_ratio > 0 ? comparison->clock_step_ratio : NAN),
		number(comparison->resolvable_ratio),
		number(undecided && comparison->more_likely > 0 ? (double)comparison->more_likely
								: NAN),
		number(undecided && comparison->more_surely > 0 ? (double)comparison->more_surely
								: NAN),
	};

	_Static_assert(COUNT_OF(made) == COUNT_OF(comparison_columns), "a cell for each column");
	memcpy(cells, made, sizeof made);
}

static void add_comparisons(struct sheet *sheet)
{
	struct table *table = document_table(sheet->document, "comparisons", comparison_columns,
					     COUNT_OF(comparison_columns));
	const struct comparison *comparison;
	size_t i;

	table->audience = AUDIENCE_DATA;
	for (i = 0; i < sheet->findings->comparison_count; i++) {
		comparison = &sheet->findings->comparisons[i];
		if (recording_baseline(sheet->recording, comparison->candidate) !=
		    comparison->candidate)
			fill_comparison(sheet, comparison,
					table_row(sheet->document, table)->cells);
	}
}

/* The set as a whole, where there is one. */
static void add_set_means(struct sheet *sheet)
{
	static const struct column columns[] = {
		{ .key = "candidate" },	 { .key = "unit" },	   { .key = "better" },
		{ .key = "benchmarks" }, { .key = "of" },	   { .key = "change" },
		{ .key = "change_low" }, { .key = "change_high" }, { .key = "paired" },
		{ .key = "rounds" },	 { .key = "level" },	   { .key = "p" },
		{ .key = "verdict" },
	};
	const struct findings *findings = sheet->findings;
	struct table *table;
	size_t i;

	if (findings->set_mean_count == 0)
		return;
	table = document_table(sheet->document, "set_means", columns, COUNT_OF(columns));
	table->audience = AUDIENCE_DATA;
	for (i = 0; i < findings->set_mean_count; i++) {
		const struct set_mean *mean = &findings->set_means[i];
		const struct comparison *comparison = &mean->comparison;
		const struct cell made[] = {
			word(sheet->labels[comparison->candidate]),
			unit_of(sheet, comparison->metric),
			word(better_name(sheet->metrics[comparison->metric].better)),
			number((double)mean->benchmarks),
			number((double)mean->of),
			number(comparison->change),
			number(comparison->change_low),
			number(comparison->change_high),
			truth(comparison->paired),
			number((double)comparison->pairs),
			number(comparison->level),
			number(comparison->p),
			word(verdict_name(comparison->verdict)),
		};

		_Static_assert(COUNT_OF(made) == COUNT_OF(columns), "a cell for each column");
		memcpy(table_row(sheet->document, table)->cells, made, sizeof made);
	}
}

static const struct column metric_columns[] = {
	{ .key = "metric" },	{ .key = "unit" },	  { .key = "better" },
	{ .key = "source" },	{ .key = "hidden" },	  { .key = "variant" },
	{ .key = "count" },	{ .key = "mean" },	  { .key = "sd" },
	{ .key = "median" },	{ .key = "lowest" },	  { .key = "highest" },
	{ .key = "slow_runs" }, { .key = "two_groups" },  { .key = "low_centre" },
	{ .key = "low_share" }, { .key = "high_centre" }, { .key = "high_share" },
};

static void fill_metric(const struct sheet *sheet, size_t index, size_t subject,
			const struct summary *summary, struct cell *cells)
{
	const struct metric *metric = &sheet->metrics[index];
	bool groups = summary->two_groups;
	const struct cell made[] = {
		word(sheet->metrics[index].name),
		unit_of(sheet, index),
		word(better_name(metric->better)),
		word(metric_source_name(metric->source)),
		truth(metric->hidden),
		word(sheet->labels[subject]),
		number(summary->told && summary->count == 0 ? NAN : (double)summary->count),
		number(summary->mean),
		number(summary->deviation),
		number(summary->median),
		number(summary->lowest),
		number(summary->highest),
		number((double)summary->slow_runs),
		truth(groups),
		number(groups ? summary->group_centres[0] : NAN),
		number(groups ? summary->group_shares[0] : NAN),
		number(groups ? summary->group_centres[1] : NAN),
		number(groups ? summary->group_shares[1] : NAN),
	};

	_Static_assert(COUNT_OF(made) == COUNT_OF(metric_columns), "a cell for each column");
	memcpy(cells, made, sizeof made);
}

static void add_metrics(struct sheet *sheet)
{
	struct table *table =
	    document_table(sheet->document, "metrics", metric_columns, COUNT_OF(metric_columns));
	const struct summary *summary;
	size_t i, j;

	table->audience = AUDIENCE_DATA;
	for (i = 0; i < sheet->recording->metric_count; i++)
		for (j = 0; j < sheet->recording->plan.subject_count; j++) {
			summary = sheet_summary(sheet, i, j);
			if (summary != NULL)
				fill_metric(sheet, i, j, summary,
					    table_row(sheet->document, table)->cells);
		}
}

/* The columns of a run: these, then the levels of the factors, the rest, and the metrics. */
static const struct column run_columns[] = {
	{ .key = "round" },
	{ .key = "position" },
	{ .key = "variant" },
	{ .key = "warmup" },
};
static const struct column state_columns[] = {
	{ .key = "started_s" }, { .key = "exit_status" },    { .key = "signal" },
	{ .key = "failed" },	{ .key = "timed_out" },	     { .key = "disturbed" },
	{ .key = "strays" },	{ .key = "output_differs" },
};

struct runs_context {
	const struct recording *recording;
	const char *const *labels;
	const char *const *factors;
	size_t factor_count;
	double *values; /* room for those of one run */
};

static const char *level_of(const struct subject *subject, const char *factor)
{
	size_t i;

	for (i = 0; i < subject->level_count; i++)
		if (strcmp(subject->levels[i].factor, factor) == 0)
			return subject->levels[i].value;
	return NULL;
}

static void fill_run(const struct table *table, size_t index, struct cell *cells)
{
	const struct runs_context *context = table->context;
	const struct sample sample = recording_run(context->recording, index, context->values);
	const struct subject *subject = &context->recording->plan.subjects[sample.subject];
	const struct cell made[] = {
		number((double)sample.round),
		number((double)sample.position),
		word(context->labels[sample.subject]),
		truth(sample.flags & SAMPLE_WARMUP),
	};
	const struct cell state[] = {
		number(sample.started_ns < 0 ? NAN : (double)sample.started_ns * 1e-9),
		number(sample.exit_status < 0 ? NAN : sample.exit_status),
		number(sample.signal == 0 ? NAN : sample.signal),
		truth(sample.flags & SAMPLE_FAILED),
		truth(sample.flags & SAMPLE_TIMED_OUT),
		truth(sample.flags & SAMPLE_DISTURBED),
		truth(sample.flags & SAMPLE_STRAYS),
		truth(sample.flags & SAMPLE_OUTPUT_DIFFERS),
	};
	size_t i;

	_Static_assert(COUNT_OF(made) == COUNT_OF(run_columns), "a cell for each column");
	_Static_assert(COUNT_OF(state) == COUNT_OF(state_columns), "a cell for each column");
	memcpy(cells, made, sizeof made);
	cells += COUNT_OF(made);
	for (i = 0; i < context->factor_count; i++)
		*cells++ = word(level_of(subject, context->factors[i]));
	memcpy(cells, state, sizeof state);
	cells += COUNT_OF(state);
	for (i = 0; i < context->recording->metric_count; i++)
		*cells++ = number(sample.values[i]);
}

/* Keys of columns are distinct: a metric may be called "round", and two names may look the same
 * once cleaned. */
static const char *distinct_key(const struct sheet *sheet, const struct column *columns,
				size_t count, const char *key, const char *kind)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(columns[i].key, key) == 0)
			return distinct_key(sheet, columns, count,
					    arena_printf(sheet->arena, "%s (%s)", key, kind), kind);
	return key;
}

/* The factors of the design, which all subjects of a design have. */
static void find_factors(const struct sheet *sheet, struct runs_context *context)
{
	const struct subject *first = &sheet->recording->plan.subjects[0];
	const char **factors = arena_alloc(sheet->arena, first->level_count, sizeof *factors);
	size_t i;

	for (i = 0; i < first->level_count; i++)
		factors[i] = first->levels[i].factor;
	context->factors = factors;
	context->factor_count = first->level_count;
}

static struct column *make_run_columns(const struct sheet *sheet,
				       const struct runs_context *context, size_t *count)
{
	size_t first = COUNT_OF(run_columns), behind = first + context->factor_count, i;
	size_t metrics = behind + COUNT_OF(state_columns);
	struct column *columns;

	*count = metrics + sheet->recording->metric_count;
	columns = arena_alloc(sheet->arena, *count, sizeof *columns);
	memcpy(columns, run_columns, sizeof run_columns);
	memcpy(columns + behind, state_columns, sizeof state_columns);
	for (i = first; i < behind; i++)
		columns[i].key = ""; /* for now: the fixed ones keep their names */
	for (i = first; i < behind; i++) {
		const char *factor = context->factors[i - first];

		columns[i].key =
		    distinct_key(sheet, columns, metrics,
				 text_clean(sheet->arena, factor, strlen(factor)), "factor");
	}
	for (i = metrics; i < *count; i++)
		columns[i].key =
		    distinct_key(sheet, columns, i, sheet->metrics[i - metrics].name, "metric");
	return columns;
}

static void add_runs(struct sheet *sheet)
{
	const struct recording *recording = sheet->whole;
	struct runs_context *context = arena_alloc(sheet->arena, 1, sizeof *context);
	struct column *columns;
	struct table *table;
	size_t count;

	find_factors(sheet, context);
	columns = make_run_columns(sheet, context, &count);
	context->recording = recording;
	context->labels = sheet->labels;
	context->values =
	    arena_alloc(sheet->arena, recording->metric_count, sizeof *context->values);
	table = document_table(sheet->document, "runs", columns, count);
	table->audience = AUDIENCE_DATA;
	table->fill = fill_run;
	table->context = context;
	table->row_count = recording_run_count(recording);
	sheet->document->csv_table = table->id;
}

static void add_code_changes(struct sheet *sheet)
{
	static const struct column columns[] = {
		{ .key = "function" },	      { .key = "kind" },
		{ .key = "baseline_bytes" },  { .key = "candidate_bytes" },
		{ .key = "baseline_copies" }, { .key = "candidate_copies" },
	};
	const struct findings *findings = sheet->findings;
	const struct code_change *change;
	struct table *table;
	struct cell *cells;
	size_t i;

	if (findings->code_change_count == 0)
		return;
	table = document_table(sheet->document, "code_changes", columns, COUNT_OF(columns));
	table->audience = AUDIENCE_DATA;
	for (i = 0; i < findings->code_change_count; i++) {
		change = &findings->code_changes[i];
		cells = table_row(sheet->document, table)->cells;
		cells[0] =
		    word(text_clean(sheet->arena, change->function, strlen(change->function)));
		cells[1] = word(change->kind);
		cells[2] = number((double)change->baseline_bytes);
		cells[3] = number((double)change->candidate_bytes);
		cells[4] = number((double)change->baseline_copies);
		cells[5] = number((double)change->candidate_copies);
	}
}

static struct json *warnings_json(const struct sheet *sheet)
{
	struct json *list = json_array(), *item;
	const struct warning *warning;
	const char *sentence, *metric;
	size_t i;

	for (i = 0; i < sheet->findings->warning_count; i++) {
		warning = &sheet->findings->warnings[i];
		sentence = sheet_sentence(sheet, warning->sentence);
		metric =
		    warning->metric == METRIC_NONE ? NULL : sheet->metrics[warning->metric].name;
		item = json_push(list, json_object());
		json_set(item, "kind", json_string(warning_kind_name(warning->kind)));
		json_set(item, "metric", json_string(metric));
		json_set(item, "sentence", json_string(sentence));
	}
	return list;
}

static struct json *look_json(const struct look *look)
{
	struct json *object;

	if (look->rounds == 0)
		return json_string(NULL);
	object = json_object();
	json_set(object, "rounds", json_integer((int64_t)look->rounds));
	json_set(object, "level", json_number(look->level));
	json_set(object, "z", json_number(look->z));
	return object;
}

static struct json *self_check_json(const struct self_check *check)
{
	struct json *object;

	if (!check->done)
		return json_string(NULL);
	object = json_object();
	json_set(object, "segments", json_integer((int64_t)check->segments));
	json_set(object, "false_alarms", json_integer((int64_t)check->false_alarms));
	json_set(object, "alarm", json_boolean(check->alarm));
	json_set(object, "change", json_number(check->change));
	json_set(object, "change_low", json_number(check->change_low));
	json_set(object, "change_high", json_number(check->change_high));
	return object;
}

static struct json *recording_json(const void *context)
{
	return recording_to_json(context);
}

/* What an empty program took, started like the others. */
static struct json *start_json(const struct summary *start)
{
	struct json *json = json_object();

	json_set(json, "runs", json_integer((int64_t)start->count));
	json_set(json, "median", json_number(start->median));
	json_set(json, "lowest", json_number(start->lowest));
	json_set(json, "highest", json_number(start->highest));
	return json;
}

void sheet_add_data(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	const struct recording *recording = sheet->recording;
	struct json *data = json_object();
	const char *trade = findings->trade, *primary = recording->plan.primary;
	int metric = primary == NULL ? METRIC_NONE : recording_metric_called(recording, primary);

	add_comparisons(sheet);
	add_set_means(sheet);
	add_metrics(sheet);
	add_runs(sheet);
	add_code_changes(sheet);
	if (trade != NULL)
		trade = sheet_sentence(sheet, trade);
	json_set(data, "verdict", json_string(verdict_name(findings->verdict)));
	json_set(data, "primary",
		 json_string(metric == METRIC_NONE ? primary : recording->metrics[metric].name));
	json_set(data, "end", json_string(session_end_name(recording->end)));
	json_set(data, "rounds_done", json_integer((int64_t)recording->rounds_done));
	json_set(data, "rounds_after_look", json_integer((int64_t)findings->rounds_after_look));
	json_set(data, "look", look_json(&findings->look));
	json_set(data, "trade", json_string(trade));
	if (findings->start.count > 0)
		json_set(data, "null", start_json(&findings->start));
	json_set(data, "self_check", self_check_json(&findings->self_check));
	json_set(data, "warnings", warnings_json(sheet));
	sheet->document->data = data;
	sheet->document->large_key = "recording";
	sheet->document->large_make = recording_json;
	sheet->document->large_context = sheet->whole;
}
