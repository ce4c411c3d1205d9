/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/*
 * Rows of tests/oracle/NAME.csv, which R wrote: a word that says what was asked, then numbers and
 * arrays (their length in front), read in order with oracle_number and oracle_array.
 */
struct oracle {
	FILE *file;
	char *line;
	size_t capacity;
	char *rest; /* of the row */
	size_t row; /* from 1, for messages */
};

static inline struct oracle oracle_open(const char *name)
{
	const char *directory = getenv("WORTH_ORACLE");
	char path[4096];
	struct oracle oracle = { 0 };

	snprintf(path, sizeof path, "%s/%s.csv", directory == NULL ? "tests/oracle" : directory,
		 name);
	oracle.file = fopen(path, "r");
	if (oracle.file == NULL)
		fail_msg("cannot open %s: run from the top of the tree or set WORTH_ORACLE", path);
	return oracle;
}

static inline void oracle_close(struct oracle *oracle)
{
	fclose(oracle->file);
	free(oracle->line);
}

/* The first word of the next row, NULL behind the last. */
static inline const char *oracle_next(struct oracle *oracle)
{
	if (getline(&oracle->line, &oracle->capacity, oracle->file) < 0)
		return NULL;
	oracle->line[strcspn(oracle->line, "\n")] = '\0';
	oracle->row++;
	oracle->rest = oracle->line;
	return strsep(&oracle->rest, ",");
}

static inline double oracle_number(struct oracle *oracle)
{
	char *word = strsep(&oracle->rest, ","), *end;
	double number;

	if (word == NULL)
		fail_msg("row %zu ends too early", oracle->row);
	if (strcmp(word, "NA") == 0)
		return (double)NAN;
	number = strtod(word, &end);
	if (*end != '\0')
		fail_msg("row %zu: \"%s\" is no number", oracle->row, word);
	return number;
}

/* The caller frees it. */
static inline double *oracle_array(struct oracle *oracle, size_t *count)
{
	double *items;
	size_t i;

	*count = (size_t)oracle_number(oracle);
	items = calloc(*count + 1, sizeof *items);
	assert_non_null(items);
	for (i = 0; i < *count; i++)
		items[i] = oracle_number(oracle);
	return items;
}

/* got is the number that comes next in the row, to within relative * its size + absolute. */
static inline void oracle_check(struct oracle *oracle, const char *what, double got,
				double relative, double absolute)
{
	double wanted = oracle_number(oracle);
	bool same = isnan(wanted)
			? isnan(got)
			: got == wanted || fabs(got - wanted) <= relative * fabs(wanted) + absolute;

	if (!same)
		fail_msg("row %zu: %s is %.17g, R says %.17g", oracle->row, what, got, wanted);
}

#endif
