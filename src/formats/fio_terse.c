/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fio's terse lines (--output-format=terse, --minimal), versions 3, 4 and 5:
 * a line is one job of one run. Counted from 0:
 *
 *	0 version  1 fio  2 job  3 group  4 error, then a part for each direction:
 *	+0 KiB  +1 KiB/s  +2 iops  +3 ms  +4 slat  +8 clat (min max mean dev)
 *	+12 percentiles "99.000000%=4014"  +32 lat  +36 bw (min max agg% mean dev)
 *
 * A part has 41 fields, in version 5 six more about samples. Latencies are in
 * microseconds, which fio 3 counts as nanoseconds.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/fio_histogram.h"
#include "formats/format.h"
#include "formats/input/number.h"
#include "formats/input/separated.h"

enum { FIRST_PART = 5, PERCENTILES = 20 };
enum { FIELD_BW = 1, FIELD_IOPS = 2, FIELD_CLAT_MEAN = 10, FIELD_PERCENTILES = 12 };

struct reader {
	struct input *input;
	struct results *results;
	struct arena *arena; /* of the line under way */
	struct separated fields;
	size_t line;
	bool failed;
};

static size_t part_size(int version)
{
	return version == 5 ? 47 : 41;
}

static size_t part_count(int version)
{
	return version >= 4 ? 3 : 2;
}

static bool add(struct reader *reader, size_t field, const char *direction, const char *metric,
		const char *unit, enum better better, double times, struct error *err)
{
	const char *word = reader->fields.fields[field];
	struct number number;
	char name[64];
	struct measure measure = { .benchmark = reader->fields.fields[2],
				   .metric = name,
				   .unit = unit,
				   .better = better };
	struct reading reading = { .line = reader->line,
				   .state = reader->failed ? READING_FAILED : READING_GOOD };

	snprintf(name, sizeof name, "%s %s", direction, metric);
	measure.secondary = strcmp(metric, "bw") != 0;
	if (!number_parse(word, strlen(word), &number))
		return input_error(reader->input, reader->line, err,
				   "field %zu is '%.40s'; expected a number (%s)", field + 1, word,
				   name);
	reading.value = number.value * times;
	reading.quantum = number.quantum * times;
	if (strcmp(metric, "clat p99") == 0)
		reading.quantum =
		    fmax(reading.quantum, fio_histogram_step(number.value * 1e3) * 1e-9);
	results_add(reader->results, 0, results_measure(reader->results, &measure), &reading);
	return true;
}

/* The field that begins with "99.000000%=", cut to its number. */
static size_t find_p99(struct reader *reader, size_t part)
{
	static const char begin[] = "99.000000%=";
	size_t i;

	for (i = part + FIELD_PERCENTILES; i < part + FIELD_PERCENTILES + PERCENTILES; i++)
		if (strncmp(reader->fields.fields[i], begin, sizeof begin - 1) == 0) {
			reader->fields.fields[i] += sizeof begin - 1;
			return i;
		}
	return 0;
}

static bool add_part(struct reader *reader, size_t part, const char *direction, struct error *err)
{
	size_t p99;

	/* No bytes: the job did not go in this direction. */
	if (strcmp(reader->fields.fields[part], "0") == 0)
		return true;
	if (!add(reader, part + FIELD_BW, direction, "bw", "B/s", BETTER_HIGHER, 1024, err) ||
	    !add(reader, part + FIELD_IOPS, direction, "iops", "/s", BETTER_HIGHER, 1, err) ||
	    !add(reader, part + FIELD_CLAT_MEAN, direction, "clat mean", "s", BETTER_LOWER, 1e-6,
		 err))
		return false;
	p99 = find_p99(reader, part);
	return p99 == 0 || add(reader, p99, direction, "clat p99", "s", BETTER_LOWER, 1e-6, err);
}

static bool read_job(struct reader *reader, int version, struct error *err)
{
	static const char *const directions[] = { "read", "write", "trim" };
	size_t needed = FIRST_PART + part_size(version) * part_count(version), i;

	if (reader->fields.count < needed)
		return input_error(reader->input, reader->line, err,
				   "%zu fields; expected at least %zu of terse version %d: the "
				   "line was cut off",
				   reader->fields.count, needed, version);
	reader->failed = strcmp(reader->fields.fields[4], "0") != 0;
	for (i = 0; i < part_count(version); i++)
		if (!add_part(reader, FIRST_PART + i * part_size(version), directions[i], err))
			return false;
	return true;
}

/* "5;fio-3.33;": the version, 0 for any other line. */
static int terse_version(const char *line, size_t length)
{
	if (length < 6 || line[0] < '3' || line[0] > '5' || memcmp(line + 1, ";fio", 4) != 0)
		return 0;
	return line[0] - '0';
}

static bool visit_line(void *context, const struct line *line, struct error *err)
{
	struct reader *reader = context;
	int version = terse_version(line->text, line->length);
	bool good;

	if (version == 0)
		return true;
	reader->line = line->number;
	reader->arena = arena_open();
	separated_cut(reader->arena, line->text, line->length, ';', &reader->fields);
	good = read_job(reader, version, err);
	arena_close(reader->arena);
	return good;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .input = input, .results = results };

	results_side(results, NULL, 0);
	return input_each_line(input, visit_line, &reader, err);
}

static int score(const struct head *head)
{
	const char *line = head->bytes, *end = head->bytes + head->length;

	while (line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		if (terse_version(line, (size_t)(end - line)) != 0)
			return SCORE_CERTAIN;
		line = stop == NULL ? end : stop + 1;
	}
	return SCORE_NO;
}

const struct format format_fio_terse = {
	.name = "fio-terse",
	.summary = "fio --output-format=terse, versions 3 to 5",
	.expects = "lines of 3;fio-VERSION;JOB;... in which bytes were moved",
	.score = score,
	.read = read,
};
