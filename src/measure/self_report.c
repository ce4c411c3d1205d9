/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines on WORTH_FD: see self_report.h. Everything in them is a stranger's, and bounded. */
#include "measure/self_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

enum {
	NAME_BYTES_MAXIMUM = 64,
	UNIT_BYTES_MAXIMUM = 24,
	WORDS_MAXIMUM = 5,
	QUOTED_COLUMNS = 80,
	REMARKS_MAXIMUM = 5
};

/* A line's meaning. */
struct reported {
	const char *name;
	const char *unit;
	double value;
	enum better better;
};

/* The values of one run, in the order they came. */
struct reading {
	struct arena *arena;
	struct recording *recording;
	const char *label;
	struct batch *batches;
	size_t count;
	bool cut;
	bool told; /* that lines were left out, beyond those quoted */
};

void self_report_clear(struct self_report *report)
{
	text_clear(&report->bytes);
	report->cut = false;
}

void self_report_release(struct self_report *report)
{
	text_release(&report->bytes);
}

void self_report_take(void *context, const char *bytes, size_t length)
{
	struct self_report *report = context;
	size_t room = SELF_REPORT_BYTES - report->bytes.length;

	report->cut = report->cut || length > room;
	text_add_bytes(&report->bytes, bytes, length < room ? length : room);
}

/* Units that are kept as multiples of another. */
static double unit_factor(const char **unit)
{
	static const struct {
		const char *unit, *base;
		double factor;
	} multiples[] = {
		{ "ns", "s", 1e-9 },	    { "us", "s", 1e-6 },
		{ "\xc2\xb5s", "s", 1e-6 }, /* both signs for micro */
		{ "\xce\xbcs", "s", 1e-6 }, { "ms", "s", 1e-3 },
		{ "min", "s", 60 },	    { "kB", "B", 1e3 },
		{ "MB", "B", 1e6 },	    { "GB", "B", 1e9 },
		{ "KiB", "B", 0x1p10 },	    { "MiB", "B", 0x1p20 },
		{ "GiB", "B", 0x1p30 },	    { "-", "", 1 },
	};
	size_t i;

	for (i = 0; i < sizeof multiples / sizeof *multiples; i++)
		if (strcmp(*unit, multiples[i].unit) == 0) {
			*unit = multiples[i].base;
			return multiples[i].factor;
		}
	return 1;
}

static enum better default_better(const char *unit)
{
	size_t length = strlen(unit);

	return length > 2 && strcmp(unit + length - 2, "/s") == 0 ? BETTER_HIGHER : BETTER_LOWER;
}

/* Cuts line at blanks, in place; how many words there are, one more than the maximum at most. */
static size_t split(char *line, char **words)
{
	size_t count = 0;
	char *rest = NULL;
	char *word = strtok_r(line, " \t\r", &rest);

	while (word != NULL && count < WORDS_MAXIMUM) {
		words[count++] = word;
		word = strtok_r(NULL, " \t\r", &rest);
	}
	return count;
}

/* What is wrong with a line, or NULL. */
static const char *parse_line(struct arena *arena, char *line, struct reported *reported)
{
	char *words[WORDS_MAXIMUM];
	size_t count = split(line, words);
	double factor;

	if (count < 3)
		return "it is not of the form NAME VALUE UNIT";
	if (count > 4)
		return "it has more than NAME VALUE UNIT lower|higher";
	if (strlen(words[0]) > NAME_BYTES_MAXIMUM || strlen(words[2]) > UNIT_BYTES_MAXIMUM)
		return "its name or unit is too long";
	if (!units_parse_number(words[1], &reported->value, NULL))
		return "its second word is no finite decimal number";
	reported->name = text_clean(arena, words[0], strlen(words[0]));
	reported->unit = text_clean(arena, words[2], strlen(words[2]));
	reported->better = default_better(reported->unit);
	factor = unit_factor(&reported->unit);
	reported->value *= factor;
	if (!isfinite(reported->value))
		return "its value is too large";
	if (count == 4 &&
	    (!better_parse(words[3], &reported->better) || reported->better == BETTER_NEITHER))
		return "its fourth word is neither lower nor higher";
	return NULL;
}

static size_t reported_columns(const struct recording *recording)
{
	size_t count = 0, i;

	for (i = 0; i < recording->metric_count; i++)
		count += recording->metrics[i].source == SOURCE_REPORTED;
	return count;
}

/* The column for a reported name; METRIC_NONE with a reason if it cannot have one. */
static int column_of(struct reading *reading, const struct reported *reported, const char **reason)
{
	struct recording *recording = reading->recording;
	int known = recording_metric(recording, reported->name);
	const struct metric *metric;

	if (known == METRIC_NONE) {
		if (reported_columns(recording) >= SELF_REPORT_METRICS) {
			*reason = "there are 256 reported metrics already";
			return METRIC_NONE;
		}
		return (int)recording_add_metric(
		    reading->arena, recording,
		    &(struct metric){ .name = arena_strdup(reading->arena, reported->name),
				      .unit = arena_strdup(reading->arena, reported->unit),
				      .better = reported->better,
				      .source = SOURCE_REPORTED });
	}
	metric = &recording->metrics[known];
	if (metric->source != SOURCE_REPORTED && metric->source != SOURCE_EMULATED)
		*reason = "worth measures a metric of that name itself; choose another name";
	else if (strcmp(metric->unit, reported->unit) != 0)
		*reason = "its unit is not the one of the first such line";
	else if (metric->better != reported->better)
		*reason = "its direction is not the one of the first such line";
	else
		return known;
	return METRIC_NONE;
}

/* How many such lines of this subject are quoted already. */
static size_t quoted_lines(const struct reading *reading, const char *beginning)
{
	size_t length = strlen(beginning), count = 0, i;

	for (i = 0; i < reading->recording->remark_count; i++)
		count += strncmp(reading->recording->remarks[i], beginning, length) == 0;
	return count;
}

/* The first few are quoted: a program that numbers its lines could say something new for ever. */
static void remark_line(struct reading *reading, struct arena *scratch, const char *line,
			size_t length, const char *reason)
{
	char *beginning = arena_printf(scratch, "%s reported a line that", reading->label);
	char *quoted;

	if (reading->told || quoted_lines(reading, beginning) >= REMARKS_MAXIMUM) {
		reading->told = true;
		recording_remark(reading->arena, reading->recording,
				 "%s reported further lines that were left out", reading->label);
		return;
	}
	quoted = text_clean(scratch, line, length < QUOTED_COLUMNS ? length : QUOTED_COLUMNS);
	recording_remark(reading->arena, reading->recording, "%s was left out, because %s: \"%s\"",
			 beginning, reason, text_fit(scratch, quoted, QUOTED_COLUMNS));
}

static void read_line(struct reading *reading, struct arena *scratch, const char *line,
		      size_t length)
{
	struct reported reported;
	const char *reason = memchr(line, '\0', length) != NULL ? "it has a NUL byte in it" : NULL;
	int column = METRIC_NONE;

	if (strspn(line, " \t\r") >= length)
		return;
	if (reason == NULL)
		reason = parse_line(scratch, arena_strndup(scratch, line, length), &reported);
	if (reason == NULL)
		column = column_of(reading, &reported, &reason);
	if (column == METRIC_NONE) {
		remark_line(reading, scratch, line, length, reason);
		return;
	}
	if (reading->count == SELF_REPORT_VALUES) {
		reading->cut = true;
		return;
	}
	reading->batches[reading->count++] = (struct batch){ (uint32_t)column, reported.value };
}

static int compare_batches(const void *first, const void *second)
{
	const struct batch *a = first, *b = second;

	if (a->metric != b->metric)
		return a->metric < b->metric ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

/* Batches of names that came more than once, in their order; times[] counts each metric's. */
static void keep_batches(struct reading *reading, const size_t *times, size_t repeated,
			 struct sample *sample)
{
	size_t i;

	if (repeated == 0)
		return;
	sample->batches = arena_alloc(reading->arena, repeated, sizeof *sample->batches);
	for (i = 0; i < reading->count; i++)
		if (times[reading->batches[i].metric] > 1)
			sample->batches[sample->batch_count++] = reading->batches[i];
}

/* Medians into the sample; what they are made of stays beside them. */
static void fill_sample(struct reading *reading, struct arena *scratch, struct sample *sample)
{
	struct batch *sorted =
	    arena_copy(scratch, reading->batches, reading->count * sizeof *reading->batches);
	size_t *times = arena_alloc(scratch, reading->recording->metric_count, sizeof *times);
	size_t start, end, repeated = 0;

	qsort(sorted, reading->count, sizeof *sorted, compare_batches);
	for (start = 0; start < reading->count; start = end) {
		for (end = start; end < reading->count; end++)
			if (sorted[end].metric != sorted[start].metric)
				break;
		sample->values[sorted[start].metric] =
		    (sorted[(start + end - 1) / 2].value + sorted[(start + end) / 2].value) / 2;
		times[sorted[start].metric] = end - start;
		repeated += end - start > 1 ? end - start : 0;
	}
	keep_batches(reading, times, repeated, sample);
}

void self_report_read(struct arena *arena, const struct self_report *report, const char *label,
		      struct recording *recording, struct sample *sample)
{
	const char *line, *end;
	struct reading reading = { .arena = arena, .recording = recording, .label = label };
	struct arena *scratch;

	if (report->bytes.length == 0)
		return;
	line = report->bytes.bytes;
	end = line + report->bytes.length;
	scratch = arena_open();
	reading.batches = arena_alloc(scratch, SELF_REPORT_VALUES, sizeof *reading.batches);
	while (line < end) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline == NULL ? end : newline;

		/* A last line that was cut off would be read wrongly. */
		if (newline != NULL || !report->cut)
			read_line(&reading, scratch, line, (size_t)(stop - line));
		line = stop + 1;
	}
	fill_sample(&reading, scratch, sample);
	arena_close(scratch);
	if (report->cut || reading.cut)
		recording_remark(arena, recording,
				 "%s reported more than 1 MiB or 10,000 values in one run; the "
				 "rest of each such run was left out",
				 label);
}
