/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a file of every format that is text: results with finite values, or a sentence. */
#include <math.h>
#include <string.h>

#include "formats/format.h"
#include "fuzz.h"

static void check_results(const struct results *results)
{
	size_t i, run;

	for (i = 0; i < results_column_count(results); i++) {
		const struct results_column *column = results_column_at(results, i);

		FUZZ_CHECK(column->side < results_side_count(results));
		FUZZ_CHECK(column->quantum >= 0);
		for (run = 0; run < column->count; run++)
			FUZZ_CHECK(!isinf(column->values[run]));
	}
}

static void check_format(const struct format *format, const char *bytes, size_t size)
{
	struct input *input = input_from_bytes("fuzz", bytes, size);
	struct results *results = results_open();
	const struct format *found = NULL;
	struct error err = { 0 };

	if (format_read(input, format, results, &found, &err))
		check_results(results);
	else
		FUZZ_CHECK(err.kind != ERROR_NONE && err.sentence[0] != '\0');
	results_close(results);
	input_close(input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "numbers",		"bonnie",	"cyclictest",
					     "dbench",		"hackbench",	"lmbench",
					     "mean-table",	"perf-stat",	"size",
					     "sysbench",	"time",		"factor-table",
					     "lmbench-summary", "stress-ng",	"hyperfine-text",
					     "criterion-text",	"criterion-csv" };
	size_t i;

	check_format(NULL, (const char *)data, size);
	for (i = 0; i < sizeof names / sizeof *names; i++)
		check_format(format_by_name(names[i], NULL), (const char *)data, size);
	return 0;
}
