/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reader makes of a file, for formats.py: the format's name, then a line
 * for each column with tabs between the fields, then remarks and failed runs.
 *
 *	dump [--format NAME] FILE
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/format.h"

static const char *shown(const char *name)
{
	return name == NULL ? "" : name;
}

static void print_values(const struct results_column *column)
{
	size_t i;

	for (i = 0; i < column->count; i++)
		if (isnan(column->values[i]))
			printf("%s-", i > 0 ? " " : "");
		else
			printf("%s%.17g", i > 0 ? " " : "", column->values[i]);
	if (column->summarized)
		printf("%smean=%.17g deviation=%.17g runs=%zu", column->count > 0 ? " " : "",
		       column->mean, column->deviation, column->summary_count);
}

static void print_units(const char *name, const uint32_t *units, size_t count)
{
	size_t i;

	if (units == NULL)
		return;
	printf("%s=", name);
	for (i = 0; i < count; i++)
		printf("%s%u", i > 0 ? "," : "", units[i]);
	printf(" ");
}

static void print_column(const struct results *results, const struct results_column *column)
{
	const struct measure *measure = results_measure_at(results, column->measure);
	const char *side = results_side_at(results, column->side)->name;
	size_t i;

	printf("column\t%s\t%s\t%s\t%s\t%s\t%s\t%.6g\t", shown(side), shown(measure->scope),
	       measure->benchmark, measure->metric, measure->unit, better_name(measure->better),
	       column->quantum);
	print_values(column);
	printf("\t");
	print_units("boots", column->boots, column->count);
	print_units("processes", column->processes, column->count);
	print_units("lines", column->lines, column->count);
	printf("%s%s", measure->exact ? "exact " : "", measure->secondary ? "secondary " : "");
	if (column->censored > 0)
		printf("censored=%zu ", column->censored);
	if (column->failed > 0)
		printf("failed=%zu ", column->failed);
	for (i = 0; i < measure->label_count; i++)
		printf("%s=%s ", measure->labels[i].key, measure->labels[i].value);
	printf("\n");
}

static void print_results(const struct results *results)
{
	size_t i;

	for (i = 0; i < results_column_count(results); i++)
		print_column(results, results_column_at(results, i));
	for (i = 0; i < results_failure_count(results); i++) {
		const struct results_failure *failure = results_failure_at(results, i);

		printf("failure\t%s\t%zu\t%d\t%d\n",
		       shown(results_side_at(results, failure->side)->name), failure->run,
		       failure->exit_status, failure->signal);
	}
	for (i = 0; i < results_remark_count(results); i++)
		printf("remark\t%s\n", results_remark_at(results, i));
}

static int dump(const char *path, const struct format *format)
{
	struct error err = { 0 };
	struct results *results = results_open();
	struct input *input = input_open(path, &err);
	bool good = input != NULL && format_read(input, format, results, &format, &err);

	if (good) {
		printf("format\t%s\n", format->name);
		print_results(results);
	} else {
		printf("error\t%s\n", err.sentence);
	}
	input_close(input);
	results_close(results);
	return good ? 0 : 2;
}

int main(int argc, char **argv)
{
	const struct format *format = NULL;
	struct error err = { 0 };

	if (argc == 4 && strcmp(argv[1], "--format") == 0) {
		format = format_by_name(argv[2], &err);
		if (format == NULL) {
			printf("error\t%s\n", err.sentence);
			return 2;
		}
	} else if (argc != 2) {
		fprintf(stderr, "usage: dump [--format NAME] FILE\n");
		return 2;
	}
	return dump(argv[argc - 1], format);
}
