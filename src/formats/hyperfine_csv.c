/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hyperfine --export-csv: a mean and a standard deviation for each command, without the runs and
 * without their number, so that nothing can be judged; seconds. */
#include <math.h>
#include <string.h>

#include "formats/format.h"
#include "formats/input/number.h"
#include "formats/input/separated.h"

static const char header[] = "command,mean,stddev,";

struct reader {
	struct input *input;
	struct results *results;
	struct arena *arena;
	struct separated names;
};

static bool number_of(struct reader *reader, const struct separated *row, const char *name,
		      size_t line, struct number *number, struct error *err)
{
	size_t column = separated_find(&reader->names, name);
	const char *word = column < row->count ? row->fields[column] : "";

	*number = (struct number){ NAN, 0 };
	if (word[0] == '\0' || number_parse(word, strlen(word), number))
		return true;
	return input_error(reader->input, line, err, "%s is '%.40s'; expected seconds", name, word);
}

static bool read_row(struct reader *reader, const struct line *line, struct error *err)
{
	enum { PARAMETERS = 16 };
	static const char prefix[] = "parameter_";
	struct results_label labels[PARAMETERS];
	struct measure measure = {
		.metric = "wall", .unit = "s", .better = BETTER_LOWER, .labels = labels
	};
	struct separated row;
	struct number mean, deviation;
	size_t i;

	separated_csv(reader->arena, line->text, line->length, &row);
	if (row.count != reader->names.count)
		return input_error(reader->input, line->number, err,
				   "%zu fields; expected %zu as in the first line", row.count,
				   reader->names.count);
	if (!number_of(reader, &row, "mean", line->number, &mean, err) ||
	    !number_of(reader, &row, "stddev", line->number, &deviation, err))
		return false;
	measure.benchmark = row.fields[0];
	for (i = 0; i < row.count && measure.label_count < PARAMETERS; i++)
		if (strncmp(reader->names.fields[i], prefix, sizeof prefix - 1) == 0)
			labels[measure.label_count++] =
			    (struct results_label){ reader->names.fields[i] + sizeof prefix - 1,
						    row.fields[i] };
	if (isfinite(mean.value))
		results_summary(reader->results, 0, results_measure(reader->results, &measure),
				mean.value, deviation.value, 0, line->number);
	return true;
}

static bool visit_line(void *context, const struct line *line, struct error *err)
{
	struct reader *reader = context;

	if (line->number > 1)
		return line->length == 0 || read_row(reader, line, err);
	separated_csv(reader->arena, line->text, line->length, &reader->names);
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .input = input, .results = results, .arena = arena_open() };
	bool good;

	results_side(results, NULL, 0);
	results_alternatives(results);
	good = input_each_line(input, visit_line, &reader, err);
	arena_close(reader.arena);
	results_remark(results, "hyperfine's CSV has neither the runs nor their number; "
				"--export-json has them");
	return good;
}

static int score(const struct head *head)
{
	return head_begins(head, header) ? SCORE_CERTAIN : SCORE_NO;
}

const struct format format_hyperfine_csv = {
	.name = "hyperfine-csv",
	.summary = "hyperfine --export-csv (means only)",
	.expects = "a first line command,mean,stddev,... and a line for each command",
	.score = score,
	.read = read,
};
