/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth's own table of runs (--csv): a run a line, its metrics behind the
 * columns that every run has. The table of a measurement does not tell units:
 * those of metrics that worth makes are known by name, those that a command
 * reported are not. worth judge --convert puts behind a name what is needed:
 *
 *	put_block [B/s; higher; step 1024]
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "formats/input/number.h"
#include "formats/input/separated.h"

static const char header[] = "round,position,variant,warmup,";
static const char last_common[] = "output_differs"; /* metrics stand behind it */

/* What a column of figures is. */
struct csv_metric {
	const char *name, *unit;
	enum better better;
	double step;
	bool exact, besides;
};

struct reader {
	struct csv_metric *metrics; /* of every column, from first_metric on */
	struct input *input;
	struct results *results;
	struct arena *arena; /* of the line under way */
	struct arena *names_arena;
	struct separated names, row;
	size_t first_metric, variant, round, warmup, failed, exit_status, signal;
	size_t line;
};

/* Text that a spreadsheet would run as a formula was written behind an apostrophe. */
static const char *without_apostrophe(const char *cell)
{
	return cell[0] == '\'' && cell[1] != '\0' && strchr("=+-@", cell[1]) != NULL ? cell + 1
										     : cell;
}

static void take_word(struct csv_metric *metric, const char *word)
{
	enum better better;
	struct number step;

	if (strcmp(word, "exact") == 0)
		metric->exact = true;
	else if (strcmp(word, "besides") == 0)
		metric->besides = true;
	else if (better_parse(word, &better))
		metric->better = better;
	else if (strncmp(word, "step ", 5) == 0 &&
		 number_parse(word + 5, strlen(word + 5), &step) && step.value >= 0)
		metric->step = step.value;
}

/* "NAME [UNIT; WORD; WORD]": true if the name is followed by a description. */
static bool parse_described(struct arena *arena, const char *text, struct csv_metric *metric)
{
	size_t length = strlen(text);
	char *copy, *open, *word, *next;

	if (length < 4 || text[length - 1] != ']')
		return false;
	copy = arena_strndup(arena, text, length - 1);
	for (open = copy + length - 2; open > copy && !(*open == '[' && open[-1] == ' '); open--)
		;
	word = strstr(open, "; ");
	if (open == copy || word == NULL)
		return false;
	open[-1] = '\0';
	*word = '\0';
	*metric = (struct csv_metric){ .name = copy, .unit = open + 1, .better = BETTER_NEITHER };
	for (word += 2; word != NULL; word = next) {
		next = strstr(word, "; ");
		if (next != NULL) {
			*next = '\0';
			next += 2;
		}
		take_word(metric, word);
	}
	return true;
}

static struct csv_metric metric_of(struct arena *arena, const char *cell, bool first)
{
	const char *name = without_apostrophe(cell);
	const struct metric *known = metric_known(name);
	struct csv_metric metric;

	if (parse_described(arena, name, &metric))
		return metric;
	return (struct csv_metric){ .name = name,
				    .unit = known == NULL ? "" : known->unit,
				    .better = known == NULL ? BETTER_NEITHER : known->better,
				    .besides = !first };
}

static void read_metrics(struct reader *reader)
{
	size_t i;

	reader->metrics =
	    arena_alloc(reader->names_arena, reader->names.count, sizeof *reader->metrics);
	for (i = reader->first_metric; i < reader->names.count; i++)
		reader->metrics[i] = metric_of(reader->names_arena, reader->names.fields[i],
					       i == reader->first_metric);
}

static bool read_names(struct reader *reader, const struct line *line, struct error *err)
{
	struct separated *names = &reader->names;

	separated_csv(reader->names_arena, line->text, line->length, names);
	reader->round = separated_find(names, "round");
	reader->variant = separated_find(names, "variant");
	reader->warmup = separated_find(names, "warmup");
	reader->failed = separated_find(names, "failed");
	reader->exit_status = separated_find(names, "exit_status");
	reader->signal = separated_find(names, "signal");
	reader->first_metric = separated_find(names, last_common) + 1;
	if (reader->first_metric >= names->count || reader->failed == names->count ||
	    reader->exit_status == names->count || reader->signal == names->count ||
	    reader->round == names->count || reader->variant == names->count ||
	    reader->warmup == names->count)
		return input_error(reader->input, line->number, err,
				   "expected the columns round, variant, warmup, exit_status, "
				   "signal, failed and output_differs, and metrics behind them");
	read_metrics(reader);
	return true;
}

static size_t metric_measure(struct reader *reader, size_t column)
{
	const struct csv_metric *metric = &reader->metrics[column];
	struct measure measure = { .metric = metric->name,
				   .unit = metric->unit,
				   .better = metric->better,
				   .exact = metric->exact,
				   .secondary = metric->besides };

	return results_measure(reader->results, &measure);
}

static bool read_cell(struct reader *reader, size_t column, size_t side, size_t round, bool failed,
		      struct error *err)
{
	const char *cell = reader->row.fields[column];
	struct number number = { NAN, 0 };
	struct reading reading = { .line = reader->line, .quantum = reader->metrics[column].step };
	size_t measure = metric_measure(reader, column);

	if (cell[0] != '\0' && !number_parse(cell, strlen(cell), &number))
		return input_error(reader->input, reader->line, err,
				   "column %zu is '%.40s'; expected a number or nothing",
				   column + 1, cell);
	reading.value = number.value;
	if (failed)
		reading.state = READING_FAILED;
	else if (isnan(number.value))
		reading.state = READING_MISSING;
	results_pad(reader->results, side, measure, round);
	results_add(reader->results, side, measure, &reading);
	return true;
}

static bool read_run(struct reader *reader, struct error *err)
{
	char *const *cells = reader->row.fields;
	struct number round;
	bool failed = strcmp(cells[reader->failed], "true") == 0;
	size_t side, i;

	if (!number_parse(cells[reader->round], strlen(cells[reader->round]), &round) ||
	    !(round.value >= 0 && round.value < (double)reader->line))
		return input_error(
		    reader->input, reader->line, err,
		    "the round is '%.40s'; expected at most the number of runs so far",
		    cells[reader->round]);
	side =
	    results_side(reader->results, without_apostrophe(cells[reader->variant]), reader->line);
	for (i = reader->first_metric; i < reader->names.count; i++)
		if (!read_cell(reader, i, side, (size_t)round.value, failed, err))
			return false;
	if (failed)
		results_fail_run(reader->results, side, (size_t)round.value,
				 atoi(cells[reader->exit_status]), atoi(cells[reader->signal]),
				 reader->line);
	return true;
}

static bool read_line(struct reader *reader, const struct line *line, struct error *err)
{
	reader->line = line->number;
	separated_csv(reader->arena, line->text, line->length, &reader->row);
	if (reader->row.count != reader->names.count)
		return input_error(reader->input, line->number, err,
				   "%zu fields; expected %zu as in the first line",
				   reader->row.count, reader->names.count);
	if (strcmp(reader->row.fields[reader->warmup], "true") == 0)
		return true;
	return read_run(reader, err);
}

static bool visit_line(void *context, const struct line *line, struct error *err)
{
	struct reader *reader = context;
	bool good = true;

	reader->arena = arena_open();
	if (reader->names.count == 0)
		good = read_names(reader, line, err);
	else if (line->length > 0)
		good = read_line(reader, line, err);
	arena_close(reader->arena);
	return good;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .input = input, .results = results, .names_arena = arena_open() };
	bool good;

	good = input_each_line(input, visit_line, &reader, err);
	arena_close(reader.names_arena);
	return good;
}

static int score(const struct head *head)
{
	return head_begins(head, header) ? SCORE_CERTAIN : SCORE_NO;
}

const struct format format_worth_csv = {
	.name = "worth-csv",
	.summary = "worth's own table of runs (--csv)",
	.expects = "a first line round,position,variant,... and a line for each run",
	.score = score,
	.read = read,
};
