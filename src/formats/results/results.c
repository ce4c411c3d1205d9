/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results in memory. Names live in an arena. Values are plain arrays grown by
 * realloc, which for large ones moves pages instead of copying them, because a
 * file may hold ten million numbers. Measures and columns are found by hash:
 * a suite may have thousands of benchmarks.
 */
#include "formats/results/results.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"

/* Indices + 1 by hash, open addressing; 0 is free. */
struct index {
	uint32_t *slots;
	size_t slot_count; /* a power of 2, or 0 */
	size_t used;
};

struct results {
	struct arena *arena;
	struct results_side *sides;
	size_t side_count, side_capacity;
	struct measure *measures;
	size_t measure_count, measure_capacity;
	struct index measure_index;
	struct results_column *columns;
	size_t column_count, column_capacity;
	struct index column_index;
	struct results_failure *failures;
	size_t failure_count, failure_capacity;
	const char **remarks;
	size_t remark_count, remark_capacity;
	const struct recording *kept;
	bool alternatives;
};

struct results *results_open(void)
{
	struct results *results = calloc(1, sizeof *results);

	if (results == NULL)
		arena_out_of_memory();
	results->arena = arena_open();
	return results;
}

void results_close(struct results *results)
{
	size_t i;

	if (results == NULL)
		return;
	for (i = 0; i < results->column_count; i++) {
		free(results->columns[i].values);
		free(results->columns[i].lines);
		free(results->columns[i].boots);
		free(results->columns[i].processes);
	}
	free(results->measure_index.slots);
	free(results->column_index.slots);
	arena_close(results->arena);
	free(results);
}

static void *grow(void *items, size_t count, size_t size)
{
	void *grown;

	if (size != 0 && count > SIZE_MAX / size)
		arena_out_of_memory();
	grown = realloc(items, count * size);
	if (grown == NULL)
		arena_out_of_memory();
	return grown;
}

static uint64_t hash_measure(const struct measure *measure)
{
	const char *const names[] = { measure->scope, measure->benchmark, measure->metric,
				      measure->unit };
	uint64_t hash = 0;
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i] != NULL)
			hash = random_mix(hash ^ random_hash(names[i], strlen(names[i])) ^ i);
	return hash;
}

static uint64_t hash_column(size_t side, size_t measure)
{
	return random_mix((uint64_t)side << 32 ^ measure);
}

static bool same_name(const char *one, const char *other)
{
	return strcmp(one == NULL ? "" : one, other == NULL ? "" : other) == 0;
}

static bool same_measure(const struct measure *one, const struct measure *other)
{
	return same_name(one->scope, other->scope) && same_name(one->benchmark, other->benchmark) &&
	       same_name(one->metric, other->metric) && same_name(one->unit, other->unit);
}

/* A slot for hash that holds nothing; the table must have room. */
static void put(struct index *index, uint64_t hash, uint32_t entry)
{
	size_t slot = hash & (index->slot_count - 1);

	while (index->slots[slot] != 0)
		slot = (slot + 1) & (index->slot_count - 1);
	index->slots[slot] = entry + 1;
	index->used++;
}

static uint64_t hash_of_entry(const struct results *results, const struct index *index,
			      uint32_t entry)
{
	if (index == &results->measure_index)
		return hash_measure(&results->measures[entry]);
	return hash_column(results->columns[entry].side, results->columns[entry].measure);
}

static void add_entry(struct results *results, struct index *index, uint64_t hash, size_t entry)
{
	struct index wider = { 0 };
	size_t i;

	if (2 * (index->used + 1) > index->slot_count) {
		wider.slot_count = index->slot_count == 0 ? 64 : 2 * index->slot_count;
		wider.slots = grow(NULL, wider.slot_count, sizeof *wider.slots);
		memset(wider.slots, 0, wider.slot_count * sizeof *wider.slots);
		for (i = 0; i < index->slot_count; i++)
			if (index->slots[i] != 0)
				put(&wider, hash_of_entry(results, index, index->slots[i] - 1),
				    index->slots[i] - 1);
		free(index->slots);
		*index = wider;
	}
	put(index, hash, (uint32_t)entry);
}

size_t results_side(struct results *results, const char *name, size_t line)
{
	struct results_side side = { .line = line };
	size_t i;

	for (i = 0; i < results->side_count; i++) {
		const char *known = results->sides[i].name;

		if ((known == NULL) == (name == NULL) && same_name(known, name))
			return i;
	}
	if (name != NULL)
		side.name = arena_strdup(results->arena, name);
	*array_push(results->arena, results->sides, results->side_count, results->side_capacity) =
	    side;
	return results->side_count - 1;
}

static const char *copy_name(struct results *results, const char *name)
{
	return name == NULL ? NULL : arena_strdup(results->arena, name);
}

static struct measure copy_measure(struct results *results, const struct measure *measure)
{
	struct measure copy = *measure;
	struct results_label *labels =
	    arena_alloc(results->arena, measure->label_count, sizeof *labels);
	size_t i;

	copy.scope = copy_name(results, measure->scope);
	copy.benchmark =
	    arena_strdup(results->arena, measure->benchmark == NULL ? "" : measure->benchmark);
	copy.metric = arena_strdup(results->arena, measure->metric);
	copy.unit = arena_strdup(results->arena, measure->unit == NULL ? "" : measure->unit);
	for (i = 0; i < measure->label_count; i++) {
		labels[i].key = arena_strdup(results->arena, measure->labels[i].key);
		labels[i].value = arena_strdup(results->arena, measure->labels[i].value);
	}
	copy.labels = labels;
	return copy;
}

size_t results_measure(struct results *results, const struct measure *measure)
{
	uint64_t hash = hash_measure(measure);
	const struct index *index = &results->measure_index;
	size_t slot;

	if (index->slot_count > 0)
		for (slot = hash & (index->slot_count - 1); index->slots[slot] != 0;
		     slot = (slot + 1) & (index->slot_count - 1))
			if (same_measure(&results->measures[index->slots[slot] - 1], measure))
				return index->slots[slot] - 1;
	*array_push(results->arena, results->measures, results->measure_count,
		    results->measure_capacity) = copy_measure(results, measure);
	add_entry(results, &results->measure_index, hash, results->measure_count - 1);
	return results->measure_count - 1;
}

struct results_column *results_column(const struct results *results, size_t side, size_t measure)
{
	const struct index *index = &results->column_index;
	size_t slot;

	if (index->slot_count == 0)
		return NULL;
	for (slot = hash_column(side, measure) & (index->slot_count - 1); index->slots[slot] != 0;
	     slot = (slot + 1) & (index->slot_count - 1)) {
		struct results_column *column = &results->columns[index->slots[slot] - 1];

		if (column->side == side && column->measure == measure)
			return column;
	}
	return NULL;
}

static struct results_column *column_for(struct results *results, size_t side, size_t measure)
{
	struct results_column *column = results_column(results, side, measure);

	if (column != NULL)
		return column;
	column = array_push(results->arena, results->columns, results->column_count,
			    results->column_capacity);
	*column = (struct results_column){
		.side = side, .measure = measure, .mean = NAN, .deviation = NAN
	};
	add_entry(results, &results->column_index, hash_column(side, measure),
		  results->column_count - 1);
	return column;
}

/* Room for one more value, in the side arrays too where they exist. */
static void make_room(struct results_column *column)
{
	if (column->count < column->capacity)
		return;
	column->capacity = column->capacity == 0 ? 8 : column->capacity + column->capacity / 2;
	column->values = grow(column->values, column->capacity, sizeof *column->values);
	if (column->lines != NULL)
		column->lines = grow(column->lines, column->capacity, sizeof *column->lines);
	if (column->boots != NULL)
		column->boots = grow(column->boots, column->capacity, sizeof *column->boots);
	if (column->processes != NULL)
		column->processes =
		    grow(column->processes, column->capacity, sizeof *column->processes);
}

/* An array beside the values is made when the first entry of it is not 0. */
static void set_beside(const struct results_column *column, uint32_t **array, uint32_t entry)
{
	if (*array == NULL && entry == 0)
		return;
	if (*array == NULL) {
		*array = grow(NULL, column->capacity, sizeof **array);
		memset(*array, 0, column->count * sizeof **array);
	}
	(*array)[column->count] = entry;
}

static void finer_quantum(struct results_column *column, double quantum)
{
	/* The step of "0e9999" is no number. */
	if (quantum > 0 && isfinite(quantum) && (column->quantum == 0 || quantum < column->quantum))
		column->quantum = quantum;
}

void results_add_value(struct results *results, size_t side, size_t measure, double value,
		       double quantum)
{
	struct reading reading = { .value = value, .quantum = quantum };

	results_add(results, side, measure, &reading);
}

void results_add(struct results *results, size_t side, size_t measure,
		 const struct reading *reading)
{
	struct results_column *column = column_for(results, side, measure);
	bool good = reading->state == READING_GOOD && isfinite(reading->value);

	make_room(column);
	column->values[column->count] = good ? reading->value : NAN;
	set_beside(column, &column->lines,
		   reading->line > UINT32_MAX ? 0 : (uint32_t)reading->line);
	set_beside(column, &column->boots, reading->boot);
	set_beside(column, &column->processes, reading->process);
	column->count++;
	if (good)
		finer_quantum(column, reading->quantum);
	else if (reading->state == READING_CENSORED)
		column->censored++;
	else if (reading->state == READING_FAILED)
		column->failed++;
	else
		column->missing++;
}

void results_pad(struct results *results, size_t side, size_t measure, size_t count)
{
	static const struct reading nothing = { .value = NAN, .state = READING_MISSING };

	while (column_for(results, side, measure)->count < count)
		results_add(results, side, measure, &nothing);
}

void results_summary(struct results *results, size_t side, size_t measure, double mean,
		     double deviation, size_t count, size_t line)
{
	struct results_column *column = column_for(results, side, measure);

	column->summarized = isfinite(mean);
	column->mean = mean;
	column->deviation = deviation;
	column->summary_count = count;
	column->summary_line = line;
}

void results_fail_run(struct results *results, size_t side, size_t run, int exit_status, int signal,
		      size_t line)
{
	*array_push(results->arena, results->failures, results->failure_count,
		    results->failure_capacity) =
	    (struct results_failure){ side, run, exit_status, signal, line };
}

void results_alternatives(struct results *results)
{
	results->alternatives = true;
}

bool results_are_alternatives(const struct results *results)
{
	size_t i;

	for (i = 1; results->alternatives && i < results->measure_count; i++)
		if (strcmp(results->measures[i].benchmark, results->measures[0].benchmark) != 0)
			return results->side_count == 1;
	return false;
}

void results_remark(struct results *results, const char *format, ...)
{
	char sentence[1024];
	va_list arguments;
	size_t i;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	for (i = 0; i < results->remark_count; i++)
		if (strcmp(results->remarks[i], sentence) == 0)
			return;
	*array_push(results->arena, results->remarks, results->remark_count,
		    results->remark_capacity) = arena_strdup(results->arena, sentence);
}

struct arena *results_arena(struct results *results)
{
	return results->arena;
}

void results_keep(struct results *results, const struct recording *recording)
{
	results->kept = recording;
}

const struct recording *results_kept(const struct results *results)
{
	return results->kept;
}

size_t results_side_count(const struct results *results)
{
	return results->side_count;
}

const struct results_side *results_side_at(const struct results *results, size_t side)
{
	return &results->sides[side];
}

size_t results_measure_count(const struct results *results)
{
	return results->measure_count;
}

const struct measure *results_measure_at(const struct results *results, size_t measure)
{
	return &results->measures[measure];
}

size_t results_column_count(const struct results *results)
{
	return results->column_count;
}

struct results_column *results_column_at(const struct results *results, size_t column)
{
	return &results->columns[column];
}

size_t results_remark_count(const struct results *results)
{
	return results->remark_count;
}

const char *results_remark_at(const struct results *results, size_t remark)
{
	return results->remarks[remark];
}

size_t results_failure_count(const struct results *results)
{
	return results->failure_count;
}

const struct results_failure *results_failure_at(const struct results *results, size_t failure)
{
	return &results->failures[failure];
}
