/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * criterion.rs's raw.csv: a sample a line, its time over a number of iterations.
 * A sample is the mean of its iterations; all are of one process.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/input/number.h"
#include "formats/input/separated.h"
#include "formats/input/unit.h"

static const char header[] = "group,function,value,throughput_num,throughput_type,";

struct reader {
	struct input *input;
	struct results *results;
	struct arena *names_arena, *arena;
	struct separated names, row;
	size_t group, function, value, time, unit, iterations;
};

static bool read_names(struct reader *reader, const struct line *line, struct error *err)
{
	struct separated *names = &reader->names;

	separated_csv(reader->names_arena, line->text, line->length, names);
	reader->group = separated_find(names, "group");
	reader->function = separated_find(names, "function");
	reader->value = separated_find(names, "value");
	reader->time = separated_find(names, "sample_measured_value");
	if (reader->time == names->count) /* before criterion 0.3.3 */
		reader->time = separated_find(names, "sample_time_nanos");
	reader->unit = separated_find(names, "unit");
	reader->iterations = separated_find(names, "iteration_count");
	if (reader->group < names->count && reader->function < names->count &&
	    reader->value < names->count && reader->time < names->count &&
	    reader->iterations < names->count)
		return true;
	return input_error(reader->input, line->number, err,
			   "expected the columns group, function, value, sample_measured_value, "
			   "unit and iteration_count");
}

/* "group/function/value", as criterion calls it. */
static const char *full_id(const struct reader *reader)
{
	char *const *fields = reader->row.fields;
	const char *name = fields[reader->group];

	if (fields[reader->function][0] != '\0')
		name = arena_printf(reader->arena, "%s/%s", name, fields[reader->function]);
	if (fields[reader->value][0] != '\0')
		name = arena_printf(reader->arena, "%s/%s", name, fields[reader->value]);
	return name;
}

static bool read_row(struct reader *reader, const struct line *line, struct error *err)
{
	struct measure measure = { .metric = "time", .unit = "s", .better = BETTER_LOWER };
	struct reading reading = { .line = line->number };
	struct number time, iterations;
	const struct unit *unit = unit_find("ns", 2);
	const char *word, *count;

	separated_csv(reader->arena, line->text, line->length, &reader->row);
	if (reader->row.count != reader->names.count)
		return input_error(reader->input, line->number, err,
				   "%zu fields; expected %zu as in the first line",
				   reader->row.count, reader->names.count);
	word = reader->row.fields[reader->time];
	count = reader->row.fields[reader->iterations];
	if (!number_parse(word, strlen(word), &time) ||
	    !number_parse(count, strlen(count), &iterations) || !(iterations.value >= 1))
		return input_error(reader->input, line->number, err,
				   "'%.40s' over '%.40s' iterations; expected a time and 1 or more",
				   word, count);
	if (reader->unit < reader->names.count) {
		word = reader->row.fields[reader->unit];
		unit = unit_find(word, strlen(word));
		if (unit == NULL || strcmp(unit->base, "s") != 0)
			return input_error(reader->input, line->number, err,
					   "unit is '%.40s'; expected a unit of time", word);
	}
	time = unit_base(unit, time);
	reading.value = time.value / iterations.value;
	reading.quantum = time.quantum / iterations.value;
	measure.benchmark = full_id(reader);
	results_add(reader->results, 0, results_measure(reader->results, &measure), &reading);
	return true;
}

static bool visit_line(void *context, const struct line *line, struct error *err)
{
	struct reader *reader = context;
	bool good = true;

	reader->arena = arena_open();
	if (reader->names.count == 0)
		good = read_names(reader, line, err);
	else if (line->length > 0)
		good = read_row(reader, line, err);
	arena_close(reader->arena);
	return good;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .input = input, .results = results, .names_arena = arena_open() };
	bool good;

	results_side(results, NULL, 0);
	good = input_each_line(input, visit_line, &reader, err);
	arena_close(reader.names_arena);
	return good;
}

static int score(const struct head *head)
{
	return head_begins(head, header) ? SCORE_CERTAIN : SCORE_NO;
}

const struct format format_criterion_csv = {
	.name = "criterion-csv",
	.summary = "criterion.rs raw.csv",
	.expects = "a first line group,function,value,... and a line for each sample",
	.score = score,
	.read = read,
};
