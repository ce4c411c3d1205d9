/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what readers found to what judging takes. First the sides, then which
 * measures of different sides are the same, then the runs. The
 * levels are dealt with here: of iterations within processes within boots, only
 * the highest level that varies is a run (Kalibera & Jones, ISMM 2013); a run's
 * value is the median of what lies in it, and all of that stays as batches.
 */
#include "formats/results/gather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"
#include "base/text.h"
#include "formats/results/parts.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}

/* Two files of one name in different directories are told apart by the whole path. */
static const char *file_label(const struct gather_file *files, size_t file_count, size_t file)
{
	const char *name = base_name(files[file].name);
	size_t i;

	for (i = 0; i < file_count; i++)
		if (i != file && strcmp(base_name(files[i].name), name) == 0)
			return files[file].name;
	/* A shell's <(command): the bare number says nothing. */
	if (strncmp(files[file].name, "/dev/fd/", 8) == 0)
		return files[file].name;
	return strcmp(name, "-") == 0 ? "standard input" : name;
}

const char *gather_label_of(const struct measure *measure, const char *key)
{
	size_t i;

	if (strcmp(key, "benchmark") == 0)
		return measure->benchmark;
	if (strcmp(key, "scope") == 0)
		return measure->scope;
	if (strcmp(key, "metric") == 0)
		return measure->metric;
	for (i = 0; i < measure->label_count; i++)
		if (strcmp(measure->labels[i].key, key) == 0)
			return measure->labels[i].value;
	return NULL;
}

static struct gather_side *add_side(struct gathering *gathering, size_t file, size_t side,
				    const char *level, const char *label)
{
	struct gather_side *added = array_push(gathering->arena, gathering->sides,
					       gathering->side_count, gathering->side_capacity);

	*added = (struct gather_side){ .file = file, .side = side, .level = level, .label = label };
	return added;
}

/* A label that no other side has. */
static const char *distinct_label(struct gathering *gathering, const char *label)
{
	size_t number = 2, i;
	const char *tried = label;

	for (i = 0; i < gathering->side_count; i++)
		if (strcmp(gathering->sides[i].label, tried) == 0) {
			tried = arena_printf(gathering->arena, "%s (%zu)", label, number++);
			i = SIZE_MAX;
		}
	return tried;
}

/* "8", or "patched threads=8" where the file has named sides. */
static const char *level_label(struct gathering *gathering, const struct results *results,
			       size_t side, const char *level)
{
	const char *name = results_side_at(results, side)->name;

	if (name == NULL || results_side_count(results) < 2)
		return level;
	return arena_printf(gathering->arena, "%s %s=%s", name, gathering->settings->by, level);
}

/* Under --by: one side for each value of the label, whatever file it stands in. */
static void add_levels(struct gathering *gathering, size_t file)
{
	const struct results *results = gathering->files[file].results;
	size_t column, i;

	for (column = 0; column < results_column_count(results); column++) {
		const struct results_column *values = results_column_at(results, column);
		const struct measure *measure = results_measure_at(results, values->measure);
		const char *level = gather_label_of(measure, gathering->settings->by);

		if (level == NULL)
			continue;
		for (i = 0; i < gathering->side_count; i++)
			if (gathering->sides[i].file == file &&
			    gathering->sides[i].side == values->side &&
			    strcmp(gathering->sides[i].level, level) == 0)
				break;
		if (i == gathering->side_count)
			add_side(gathering, file, values->side, level,
				 distinct_label(gathering, level_label(gathering, results,
								       values->side, level)));
	}
}

static void add_file_sides(struct gathering *gathering, size_t file)
{
	const struct results *results = gathering->files[file].results;
	const char *own = file_label(gathering->files, gathering->file_count, file);
	size_t i;

	for (i = 0; i < results_side_count(results); i++) {
		const char *name = results_side_at(results, i)->name;
		const char *label = name == NULL ? own : name;

		if (name != NULL && gathering->file_count > 1)
			label = arena_printf(gathering->arena, "%s: %s", own, name);
		add_side(gathering, file, i, NULL, distinct_label(gathering, label));
	}
}

/* A side in which a reader put nothing is none. */
static void drop_empty_sides(struct gathering *gathering)
{
	size_t kept = 0, i, column;

	for (i = 0; i < gathering->side_count; i++) {
		const struct gather_side *side = &gathering->sides[i];
		const struct results *results = gathering->files[side->file].results;

		for (column = 0; column < results_column_count(results); column++)
			if (results_column_at(results, column)->side == side->side)
				break;
		if (column < results_column_count(results))
			gathering->sides[kept++] = *side;
	}
	gathering->side_count = kept;
}

static bool move_baseline(struct gathering *gathering, struct error *err)
{
	const char *wanted = gathering->settings->baseline;
	struct text names = { 0 };
	size_t i;

	if (wanted == NULL)
		return true;
	for (i = 0; i < gathering->side_count; i++) {
		struct gather_side side = gathering->sides[i];

		if (strcmp(side.label, wanted) != 0)
			continue;
		memmove(gathering->sides + 1, gathering->sides, i * sizeof side);
		gathering->sides[0] = side;
		return true;
	}
	for (i = 0; i < gathering->side_count; i++)
		text_printf(&names, "%s%s", i > 0 ? ", " : "", gathering->sides[i].label);
	error_set(err, ERROR_USAGE, "--baseline: no side is called '%s'; there are %s", wanted,
		  text_string(&names));
	text_release(&names);
	return false;
}

static bool make_sides(struct gathering *gathering, struct error *err)
{
	size_t file;

	for (file = 0; file < gathering->file_count; file++)
		if (gathering->settings->by != NULL)
			add_levels(gathering, file);
		else
			add_file_sides(gathering, file);
	drop_empty_sides(gathering);
	if (gathering->side_count == 0)
		return error_set(err, ERROR_USAGE,
				 "--by: no result has a label '%s'; worth judge --convert shows "
				 "what there is",
				 gathering->settings->by);
	return move_baseline(gathering, err);
}

static void add_subjects(struct gathering *gathering)
{
	struct plan *plan = &gathering->recording->plan;
	size_t i;

	plan->subjects =
	    arena_alloc(gathering->arena, gathering->side_count, sizeof *plan->subjects);
	plan->subject_count = gathering->side_count;
	for (i = 0; i < gathering->side_count; i++) {
		const struct gather_side *side = &gathering->sides[i];

		plan->subjects[i].label = side->label;
		plan->subjects[i].command =
		    arena_strdup(gathering->arena, gathering->files[side->file].name);
		plan->subjects[i].argv = arena_alloc(gathering->arena, 1, sizeof(char *));
	}
}

/* Which of the levels is a run: the highest that varies on any side. */
enum run_level { RUN_VALUE, RUN_PROCESS, RUN_BOOT };

static bool varies(const uint32_t *units, size_t count)
{
	size_t i;

	for (i = 1; units != NULL && i < count; i++)
		if (units[i] != units[0])
			return true;
	return false;
}

static enum run_level run_level_of(const struct gathering *gathering, size_t metric)
{
	enum run_level level = RUN_VALUE;
	size_t i;

	for (i = 0; i < gathering->side_count; i++) {
		const struct results_column *column = gather_column(gathering, metric, i);

		if (column != NULL && varies(column->boots, column->count))
			return RUN_BOOT;
		if (column != NULL && varies(column->processes, column->count))
			level = RUN_PROCESS;
	}
	return level;
}

static int by_value(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return a < b ? -1 : a > b;
}

/* Of the values that are there; NAN if none is. Reorders them. */
static double median_of(double *values, size_t count)
{
	size_t good = 0, i;

	for (i = 0; i < count; i++)
		if (!isnan(values[i]))
			values[good++] = values[i];
	if (good == 0)
		return NAN;
	qsort(values, good, sizeof *values, by_value);
	return good % 2 == 1 ? values[good / 2] : (values[good / 2 - 1] + values[good / 2]) / 2;
}

/* The runs of one column: what is judged, and where more lies in each. */
struct runs {
	double *values;
	size_t *begins; /* of run k in the column; NULL: runs are the values */
	size_t count;
};

static bool same_unit(const struct results_column *column, enum run_level level, size_t one,
		      size_t other)
{
	uint32_t boots[2] = { 0, 0 }, processes[2] = { 0, 0 };

	if (column->boots != NULL) {
		boots[0] = column->boots[one];
		boots[1] = column->boots[other];
	}
	if (column->processes != NULL) {
		processes[0] = column->processes[one];
		processes[1] = column->processes[other];
	}
	return boots[0] == boots[1] && (level == RUN_BOOT || processes[0] == processes[1]);
}

static struct runs runs_of(struct arena *arena, const struct results_column *column,
			   enum run_level level)
{
	struct runs runs = { column->values, NULL, column->count };
	double *inner;
	size_t i, begin;

	if (level == RUN_VALUE)
		return runs;
	runs.values = arena_alloc(arena, column->count, sizeof *runs.values);
	runs.begins = arena_alloc(arena, column->count + 1, sizeof *runs.begins);
	runs.count = 0;
	inner = arena_alloc(arena, column->count, sizeof *inner);
	for (begin = 0; begin < column->count; begin = i) {
		for (i = begin + 1; i < column->count && same_unit(column, level, begin, i); i++)
			;
		memcpy(inner, column->values + begin, (i - begin) * sizeof *inner);
		runs.begins[runs.count] = begin;
		runs.values[runs.count++] = median_of(inner, i - begin);
	}
	runs.begins[runs.count] = column->count;
	return runs;
}

static void add_batches(struct gathering *gathering, struct sample *sample, size_t metric,
			const struct results_column *column, const struct runs *runs, size_t run)
{
	size_t begin = runs->begins[run], end = runs->begins[run + 1], i;
	struct batch *batches =
	    arena_alloc(gathering->arena, sample->batch_count + end - begin, sizeof *batches);

	if (sample->batch_count > 0)
		memcpy(batches, sample->batches, sample->batch_count * sizeof *batches);
	sample->batches = batches;
	for (i = begin; i < end; i++)
		if (!isnan(column->values[i]))
			batches[sample->batch_count++] =
			    (struct batch){ (uint32_t)metric, column->values[i] };
}

static size_t most_runs(const struct runs *runs, size_t count)
{
	size_t most = 0, i;

	for (i = 0; i < count; i++)
		most = runs[i].count > most ? runs[i].count : most;
	return most;
}

static void mark_failures(struct gathering *gathering, const struct gather_side *side,
			  struct sample *samples, size_t count)
{
	const struct results *results = gathering->files[side->file].results;
	size_t i;

	for (i = 0; i < results_failure_count(results); i++) {
		const struct results_failure *failure = results_failure_at(results, i);

		if (failure->side != side->side || failure->run >= count)
			continue;
		samples[failure->run].flags |= SAMPLE_FAILED;
		samples[failure->run].exit_status =
		    failure->signal != 0 ? -1 : failure->exit_status;
		samples[failure->run].signal = failure->signal;
	}
}

static void count_round(struct recording *recording, size_t runs)
{
	if (runs > recording->rounds_done)
		recording->rounds_done = runs;
}

static void add_samples(struct gathering *gathering, size_t side)
{
	struct recording *recording = gathering->recording;
	size_t metrics = recording->metric_count, first = recording->sample_count, metric, run;
	struct runs *runs = arena_alloc(gathering->arena, metrics, sizeof *runs);
	size_t count;

	for (metric = 0; metric < metrics; metric++) {
		const struct results_column *column = gather_column(gathering, metric, side);

		if (column != NULL)
			runs[metric] =
			    runs_of(gathering->arena, column, run_level_of(gathering, metric));
	}
	count = most_runs(runs, metrics);
	for (run = 0; run < count; run++) {
		struct sample *sample = recording_add_sample(gathering->arena, recording);

		sample->round = (uint32_t)run;
		sample->position = (uint32_t)side;
		sample->subject = (uint32_t)side;
		for (metric = 0; metric < metrics; metric++) {
			if (run >= runs[metric].count)
				continue;
			sample->values[metric] = runs[metric].values[run];
			if (runs[metric].begins != NULL)
				add_batches(gathering, sample, metric,
					    gather_column(gathering, metric, side), &runs[metric],
					    run);
		}
	}
	if (count > 0)
		mark_failures(gathering, &gathering->sides[side], recording->samples + first,
			      count);
	count_round(recording, count);
}

/* The columns themselves are the runs. */
static void add_bulk(struct gathering *gathering, size_t side)
{
	struct bulk *bulk = &gathering->recording->bulks[side];
	size_t metric;

	for (metric = 0; metric < gathering->recording->metric_count; metric++) {
		const struct results_column *column = gather_column(gathering, metric, side);

		if (column == NULL)
			continue;
		bulk->values[metric] = column->values;
		bulk->counts[metric] = column->count;
		if (column->count > bulk->run_count)
			bulk->run_count = column->count;
	}
	count_round(gathering->recording, bulk->run_count);
}

/* Nothing failed and no run has parts: then no run needs a sample of its own. */
static bool is_plain(const struct gathering *gathering)
{
	size_t i;

	for (i = 0; i < gathering->file_count; i++)
		if (results_failure_count(gathering->files[i].results) > 0)
			return false;
	for (i = 0; i < gathering->recording->metric_count; i++)
		if (run_level_of(gathering, i) != RUN_VALUE)
			return false;
	return true;
}

static void add_runs(struct gathering *gathering)
{
	bool plain = is_plain(gathering);
	size_t i;

	if (plain)
		recording_make_bulk(gathering->arena, gathering->recording);
	for (i = 0; i < gathering->side_count; i++)
		if (plain)
			add_bulk(gathering, i);
		else
			add_samples(gathering, i);
}

/* A table's means where there are no runs. */
static void add_means(struct gathering *gathering, size_t side)
{
	struct recording *recording = gathering->recording;
	size_t metric;

	for (metric = 0; metric < recording->metric_count; metric++) {
		const struct results_column *column = gather_column(gathering, metric, side);
		struct told_mean mean = { .metric = (uint32_t)metric, .subject = (uint32_t)side };

		if (column == NULL || !column->summarized || column->count > 0)
			continue;
		mean.mean = column->mean;
		mean.deviation = column->deviation;
		mean.count = column->summary_count;
		recording_add_mean(gathering->arena, recording, &mean);
	}
}

static void finish_plan(struct gathering *gathering)
{
	struct recording *recording = gathering->recording;
	struct plan *plan = &recording->plan;

	plan->rounds = recording->rounds_done;
	plan->peek = false;
	plan->order = ORDER_FIXED;
	plan->cpu = -1;
	recording->order_known = gathering->settings->paired;
	recording->end = END_COMPLETE;
	recording->before = recording->after = environment_none();
	recording->origin = gathering->files[0].format->name;
}

/* Dithering takes its seed from what was read, so that the same files give the same verdict. */
static void add_seed(struct gathering *gathering)
{
	uint64_t seed = 0;
	size_t metric, side;

	for (side = 0; side < gathering->side_count; side++)
		for (metric = 0; metric < gathering->recording->metric_count; metric++) {
			const struct results_column *column =
			    gather_column(gathering, metric, side);

			if (column != NULL && column->count > 0)
				seed = random_mix(
				    seed ^ random_hash(column->values,
						       column->count * sizeof *column->values));
		}
	gathering->recording->plan.seed = seed;
}

bool gather(struct arena *arena, const struct gather_file *files, size_t file_count,
	    const struct gather_settings *settings, struct recording *recording, struct error *err)
{
	struct gather_settings chosen = *settings;
	struct gathering gathering = { .arena = arena,
				       .files = files,
				       .file_count = file_count,
				       .settings = &chosen,
				       .recording = recording };
	size_t i;

	if (settings->by == NULL && file_count == 1 && results_are_alternatives(files->results))
		chosen.by = "benchmark";
	if (!make_sides(&gathering, err))
		return false;
	add_subjects(&gathering);
	if (!gather_metrics(&gathering, err))
		return false;
	add_runs(&gathering);
	for (i = 0; i < gathering.side_count; i++)
		add_means(&gathering, i);
	add_seed(&gathering);
	gather_remarks(&gathering);
	finish_plan(&gathering);
	return true;
}
