/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any file in any format: the first line names the format ("" or an unknown
 * name: what detection says), the rest is the file. A reader gives results
 * whose numbers are finite or missing, or one sentence.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "formats/format.h"
#include "fuzz.h"

static void check_column(const struct results_column *column)
{
	size_t i, missing = 0;

	for (i = 0; i < column->count; i++) {
		FUZZ_CHECK(!isinf(column->values[i]));
		missing += isnan(column->values[i]);
	}
	FUZZ_CHECK(missing == column->missing + column->censored + column->failed);
	FUZZ_CHECK(column->quantum >= 0 && isfinite(column->quantum));
	FUZZ_CHECK(!column->summarized || !isinf(column->mean));
}

static void check_results(const struct results *results)
{
	size_t i;

	for (i = 0; i < results_column_count(results); i++)
		check_column(results_column_at(results, i));
	for (i = 0; i < results_measure_count(results); i++) {
		FUZZ_CHECK(results_measure_at(results, i)->metric != NULL);
		FUZZ_CHECK(results_measure_at(results, i)->unit != NULL);
	}
	for (i = 0; i < results_failure_count(results); i++)
		FUZZ_CHECK(results_failure_at(results, i)->side < results_side_count(results));
}

static void check_sentence(const struct error *err)
{
	struct arena *arena = arena_open();

	FUZZ_CHECK(err->kind == ERROR_INPUT);
	FUZZ_CHECK(strncmp(err->sentence, "fuzz", 4) == 0);
	FUZZ_CHECK(strlen(err->sentence) > 10 && strlen(err->sentence) < 1200);
	FUZZ_CHECK(strcmp(err->sentence, text_clean(arena, err->sentence, strlen(err->sentence))) ==
		   0);
	arena_close(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data, *end = size == 0 ? NULL : memchr(bytes, '\n', size);
	struct results *results = results_open();
	const struct format *format = NULL, *found = NULL;
	struct error err = { 0 };
	struct input *input;
	char name[32] = "";
	size_t skip = 0;

	if (end != NULL && (size_t)(end - bytes) < sizeof name) {
		skip = (size_t)(end - bytes) + 1;
		memcpy(name, bytes, skip - 1);
		format = format_by_name(name, NULL);
	}
	input =
	    input_from_bytes("fuzz", skip == 0 ? "" : bytes + skip, skip == 0 ? 0 : size - skip);
	if (format_read(input, format, results, &found, &err))
		check_results(results);
	else
		check_sentence(&err);
	input_close(input);
	results_close(results);
	return 0;
}
