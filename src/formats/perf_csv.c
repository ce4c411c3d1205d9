/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat -x SEPARATOR, old and new:
 *
 *	[time,][place,[cpus,]]value,unit,event[,x.xx%][,runtime,running%[,metric,unit]]
 *	[time,][place,]value,event[,x.xx%]				before Linux 3.16
 *
 * The manual has the deviation of -r behind the runtime, but perf 6.1 prints it
 * in front. So nothing is taken from a fixed place: the event is found, the
 * value stands before it, and a field that ends in % behind it means -r. Event
 * names may hold commas between slashes. Derived metrics are not read: under -r
 * they are those of the last run alone.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "formats/format.h"
#include "formats/input/number.h"
#include "formats/perf_counters.h"
#include "formats/input/separated.h"

enum { MOST_FIELDS_BEFORE = 4 };

struct reader {
	struct input *input;
	struct perf_counters *counters;
	struct arena *arena; /* of the line under way */
};

static bool is_value(const char *word)
{
	struct number number;

	return strcmp(word, "<not supported>") == 0 || strcmp(word, "<not counted>") == 0 ||
	       number_parse_local(word, strlen(word), true, &number);
}

static bool is_event(const char *word)
{
	return isalpha((unsigned char)word[0]) && strlen(word) > 2;
}

static bool is_unit(const char *word)
{
	return word[0] == '\0' || strcmp(word, "%") == 0 || isalpha((unsigned char)word[0]);
}

/* Where a value, a unit and an event follow each other; fields->count if nowhere. */
static size_t find_value(const struct separated *fields, bool *has_unit)
{
	size_t i;

	for (i = 0; i <= MOST_FIELDS_BEFORE && i + 2 < fields->count; i++)
		if (is_value(fields->fields[i]) && is_unit(fields->fields[i + 1]) &&
		    is_event(fields->fields[i + 2])) {
			*has_unit = true;
			return i;
		}
	for (i = 0; i <= MOST_FIELDS_BEFORE && i + 1 < fields->count; i++)
		if (is_value(fields->fields[i]) && is_event(fields->fields[i + 1])) {
			*has_unit = false;
			return i;
		}
	return fields->count;
}

static size_t count_slashes(const char *word)
{
	size_t count = 0;

	for (; *word != '\0'; word++)
		count += *word == '/';
	return count;
}

/* "cpu/event=0x3c,umask=0x1/" was cut at its comma: puts it together, *last is its last field. */
static const char *join_event(struct reader *reader, const struct separated *fields, size_t *last,
			      char separator)
{
	struct text event = { 0 };
	const char *copy;

	text_add(&event, fields->fields[*last]);
	while (count_slashes(event.bytes) == 1 && *last + 1 < fields->count) {
		text_add_char(&event, separator);
		text_add(&event, fields->fields[++*last]);
	}
	copy = arena_strdup(reader->arena, event.bytes);
	text_release(&event);
	return copy;
}

/* "     0.200234949": seconds with nine decimals. */
static const char *interval_of(const char *word)
{
	const char *point;

	word += strspn(word, " ");
	point = strpbrk(word, ".,");
	return point != NULL && strlen(point + 1) == 9 && strspn(point + 1, "0123456789") == 9 &&
		       strspn(word, "0123456789") == (size_t)(point - word)
		   ? word
		   : NULL;
}

/* What stands before the value: a time, then a place, then a count of processors. */
static bool read_front(struct reader *reader, const struct separated *fields, size_t value,
		       struct perf_counter *counter, struct error *err)
{
	size_t at = 0;

	if (at < value) {
		counter->interval = interval_of(fields->fields[at]);
		at += counter->interval != NULL;
	}
	if (at < value && isalpha((unsigned char)fields->fields[at][0]))
		counter->place = fields->fields[at++];
	if (at < value && counter->place != NULL)
		at++;
	if (at == value)
		return true;
	return input_error(reader->input, counter->line, err,
			   "'%.40s' stands before the value; were numbers written with decimal "
			   "commas? expected perf stat under LC_ALL=C, or with -x ';'",
			   fields->fields[at]);
}

static void read_back(const struct separated *fields, size_t at, struct perf_counter *counter)
{
	struct number number;

	if (at < fields->count) {
		const char *word = fields->fields[at];

		counter->averaged = word[0] != '\0' && word[strlen(word) - 1] == '%';
		at += counter->averaged;
	}
	if (at + 1 < fields->count &&
	    number_parse_local(fields->fields[at + 1], strlen(fields->fields[at + 1]), true,
			       &number))
		counter->running = number.value;
}

static bool read_counter(struct reader *reader, const struct separated *fields, char separator,
			 size_t line, struct error *err)
{
	struct perf_counter counter = { .unit = "", .running = NAN, .line = line };
	bool has_unit = false;
	size_t value = find_value(fields, &has_unit), last;
	const char *expected;

	/* Comments, metrics without a value, and what a command printed. */
	if (value == fields->count)
		return true;
	last = value + 1 + has_unit;
	counter.value = fields->fields[value];
	if (has_unit)
		counter.unit = fields->fields[value + 1];
	counter.event = join_event(reader, fields, &last, separator);
	if (!read_front(reader, fields, value, &counter, err))
		return false;
	read_back(fields, last + 1, &counter);
	if (perf_counters_add(reader->counters, &counter, &expected))
		return true;
	return input_error(reader->input, line, err, "expected %s, found '%.40s'", expected,
			   counter.value);
}

/* The first character behind a value, or behind the time before it. */
static char separator_of(const char *line, size_t length)
{
	static const char separators[] = ",;\t|:";
	size_t best = 0, i, k;
	char found = '\0';

	for (i = 0; i < sizeof separators - 1; i++) {
		size_t count = 0;

		for (k = 0; k < length; k++)
			count += line[k] == separators[i];
		if (count > best) {
			best = count;
			found = separators[i];
		}
	}
	return found;
}

/* With ';' a comma is a decimal sign, however many there are. */
static char choose_separator(const char *line, size_t length)
{
	if (memchr(line, ';', length) != NULL)
		return ';';
	return separator_of(line, length);
}

static bool visit_line(void *context, const struct line *line, struct error *err)
{
	struct reader *reader = context;
	char separator = choose_separator(line->text, line->length);
	struct separated fields;
	bool good;

	if (separator == '\0' || line->text[0] == '#')
		return true;
	reader->arena = arena_open();
	separated_cut(reader->arena, line->text, line->length, separator, &fields);
	good = read_counter(reader, &fields, separator, line->number, err);
	arena_close(reader->arena);
	return good;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .input = input, .counters = perf_counters_open(results) };
	bool good;

	results_side(results, NULL, 0);
	good = input_each_line(input, visit_line, &reader, err);
	if (good)
		perf_counters_finish(reader.counters);
	perf_counters_close(reader.counters);
	return good;
}

/* Events that perf stat prints unasked. */
static bool is_usual_event(const char *word)
{
	static const char *const usual[] = { "task-clock",
					     "cpu-clock",
					     "context-switches",
					     "cpu-migrations",
					     "page-faults",
					     "cycles",
					     "instructions",
					     "branches",
					     "branch-misses",
					     "cache-references",
					     "cache-misses",
					     "duration_time",
					     "stalled-cycles-frontend" };
	size_t length = strcspn(word, ":"), i;

	for (i = 0; i < sizeof usual / sizeof *usual; i++)
		if (strlen(usual[i]) == length && strncmp(usual[i], word, length) == 0)
			return true;
	return false;
}

static int score_line(const char *line, size_t length)
{
	char separator = choose_separator(line, length);
	struct arena *arena;
	struct separated fields;
	bool has_unit = false, found = false;
	size_t value;

	if (separator == '\0' || length > 4096 || line[0] == '#' || line[0] == '{')
		return SCORE_NO;
	arena = arena_open();
	separated_cut(arena, line, length, separator, &fields);
	value = find_value(&fields, &has_unit);
	if (value < fields.count)
		found = is_usual_event(fields.fields[value + 1 + has_unit]) ||
			strstr(fields.fields[value], "<not ") != NULL;
	arena_close(arena);
	return found ? SCORE_CERTAIN : SCORE_NO;
}

static int score(const struct head *head)
{
	enum { PROBED_LINES = 40 };
	const char *line = head->bytes, *end = head->bytes + head->length;
	size_t i;

	for (i = 0; i < PROBED_LINES && line < end; i++) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		size_t length = stop == NULL ? (size_t)(end - line) : (size_t)(stop - line);

		if (score_line(line, length) != SCORE_NO)
			return SCORE_CERTAIN;
		line += length + 1;
	}
	return SCORE_NO;
}

const struct format format_perf_csv = {
	.name = "perf-csv",
	.summary = "perf stat -x, with -r, -I, -A and --per-core too",
	.expects = "lines of VALUE,UNIT,EVENT,...",
	.score = score,
	.read = read,
};
