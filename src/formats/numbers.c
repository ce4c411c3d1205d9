/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain numbers in columns, as ministat(1) takes them: one run a line, columns
 * parted by blanks or tabs, "#" before a comment, and perhaps one line of names
 * first. Under names with commas between them commas part the columns, and
 * nothing between two of them is a value that is missing. Nothing says which direction is better,
 * so none is assumed but where a name ends in a unit: "time_s", "latency_us", "rate_MB/s".
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "formats/input/number.h"
#include "formats/input/unit.h"

enum { COLUMNS = 64, PROBED_LINES = 200 };

static const char separators[] = " \t\v\f";

static bool is_blank(char c)
{
	return memchr(separators, c, sizeof separators - 1) != NULL;
}

/* The next field of a line with commas, without blanks and quotes around it; it may be empty.
 * *cursor is NULL behind the last one. */
static bool next_field(const char **cursor, const char *end, const char **word, size_t *length)
{
	const char *at = *cursor, *stop;

	if (at == NULL)
		return false;
	stop = memchr(at, ',', (size_t)(end - at));
	*cursor = stop == NULL ? NULL : stop + 1;
	if (stop == NULL)
		stop = end;
	while (at < stop && is_blank(*at))
		at++;
	while (stop > at && is_blank(stop[-1]))
		stop--;
	if (stop - at >= 2 && *at == '"' && stop[-1] == '"') {
		at++;
		stop--;
	}
	*word = at;
	*length = (size_t)(stop - at);
	return true;
}

/* The next word of a line; false at its end or at a comment. */
static bool next_word(const char **cursor, const char *end, const char **word, size_t *length)
{
	const char *at = *cursor;

	while (at < end && is_blank(*at))
		at++;
	if (at == end || *at == '#')
		return false;
	*word = at;
	while (at < end && !is_blank(*at))
		at++;
	*length = (size_t)(at - *word);
	*cursor = at;
	return true;
}

static bool is_missing_word(const char *word, size_t length)
{
	static const char *const words[] = { "-", "nan", "NaN", "NAN", "NA", "n/a", "N/A" };
	size_t i;

	for (i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == length && memcmp(word, words[i], length) == 0)
			return true;
	return false;
}

static bool has_decimal_comma(const char *word, size_t length)
{
	struct number number;

	return memchr(word, ',', length) != NULL && number_parse_local(word, length, true, &number);
}

/* "5%" counts as 5: GNU time -f prints such columns among others. */
static bool parse_number(const char *word, size_t length, struct number *number)
{
	return number_parse(word, length - (length > 1 && word[length - 1] == '%'), number);
}

/* "1e400", and thousands of digits: no name begins like that and goes on with nothing else. */
static bool is_too_large(const char *word, size_t length)
{
	size_t digits = length > 0 && (word[0] == '-' || word[0] == '+'), i;

	if (digits == length || word[digits] < '0' || word[digits] > '9')
		return false;
	for (i = digits; i < length; i++)
		if (memchr("0123456789.eE+-", word[i], 15) == NULL)
			return false;
	return (memchr(word, 'e', length) != NULL || memchr(word, 'E', length) != NULL ||
		length > 300) &&
	       word[length - 1] >= '0' && word[length - 1] <= '9';
}

/* A word that someone meant as a number. */
static bool looks_numeric(const char *word, size_t length)
{
	struct number number;

	return is_too_large(word, length) || parse_number(word, length, &number) ||
	       is_missing_word(word, length) || has_decimal_comma(word, length);
}

/* How many names a line has, parted by commas; 0 for any other line. */
static size_t count_names(const char *line, const char *end)
{
	size_t count = 0, length;
	const char *word;

	if (line == end || *line == '#' || memchr(line, ',', (size_t)(end - line)) == NULL)
		return 0;
	while (next_field(&line, end, &word, &length)) {
		if (length == 0 || looks_numeric(word, length))
			return 0;
		count++;
	}
	return count;
}

/* As many numbers, or nothing, between commas. */
static bool fits_names(const char *line, const char *end, size_t names)
{
	size_t count = 0, length;
	const char *word;

	while (next_field(&line, end, &word, &length)) {
		if (length > 0 && !looks_numeric(word, length))
			return false;
		count++;
	}
	return count == names;
}

/* Words and numbers in one line of the head. */
static void count_words(const char *line, const char *end, size_t *words, size_t *numeric)
{
	const char *word;
	size_t length;

	*words = *numeric = 0;
	while (next_word(&line, end, &word, &length)) {
		++*words;
		*numeric += looks_numeric(word, length);
	}
}

/* The next line of the head, from *cursor; false behind the last one that is whole. */
static bool next_line(const struct head *head, const char **cursor, const char **line,
		      const char **line_end)
{
	const char *end = head->bytes + head->length, *stop;

	if (*cursor >= end)
		return false;
	stop = memchr(*cursor, '\n', (size_t)(end - *cursor));
	if (stop == NULL && !head->whole && *cursor != head->bytes)
		return false;
	if (stop == NULL)
		stop = end;
	*line = *cursor;
	*line_end = stop > *line && stop[-1] == '\r' ? stop - 1 : stop;
	*cursor = stop + 1;
	return true;
}

/* Below a line of names and commas. */
static int score_commas(const struct head *head, const char *cursor, size_t names)
{
	const char *line, *end;
	size_t lines = 0, i;

	for (i = 0; i < PROBED_LINES && next_line(head, &cursor, &line, &end); i++) {
		if (line == end)
			continue;
		if (!fits_names(line, end, names))
			return SCORE_NO;
		lines++;
	}
	return lines > 0 ? SCORE_WEAK : SCORE_NO;
}

/* Nothing but numbers in the first lines, one line of names excepted. */
static int score(const struct head *head)
{
	const char *cursor = head->bytes, *line, *end;
	size_t lines = 0, names = 0, words, numeric, i;

	for (i = 0; i < PROBED_LINES && next_line(head, &cursor, &line, &end); i++) {
		count_words(line, end, &words, &numeric);
		if (words == 0)
			continue;
		if (lines + names == 0 && count_names(line, end) > 0)
			return score_commas(head, cursor, count_names(line, end));
		if (numeric == 0 && lines == 0 && names == 0)
			names++;
		else if (numeric < words)
			return SCORE_NO;
		else
			lines++;
	}
	return lines > 0 ? SCORE_WEAK : SCORE_NO;
}

/* A file under way: its columns are known from its first line. */
struct reader {
	struct input *input;
	struct results *results;
	size_t measures[COLUMNS];
	size_t column_count;
	bool started, commas;
};

static bool too_many(const struct reader *reader, const struct line *line, struct error *err)
{
	return input_error(reader->input, line->number, err,
			   "the line has more than %d columns; expected fewer", COLUMNS);
}

/* Values stay as they are printed, so only units that are base units are taken as such. */
static void take_unit(const char *name, struct measure *measure)
{
	const char *word = strrchr(name, '_');
	const struct unit *unit =
	    word == NULL || word == name ? NULL : unit_find(word + 1, strlen(word + 1));

	if (unit == NULL)
		return;
	measure->better = unit->better;
	measure->unit = unit->times == 1 && unit->over == 1 ? unit->base : unit->word;
}

static void add_column(struct reader *reader, const char *name)
{
	struct measure measure = { .metric = name,
				   .better = BETTER_NEITHER,
				   .secondary = reader->column_count > 0 };

	take_unit(name, &measure);
	reader->measures[reader->column_count++] = results_measure(reader->results, &measure);
}

static void add_named(struct reader *reader, const char *word, size_t length)
{
	char *name = strndup(word, length);

	if (name == NULL)
		arena_out_of_memory();
	add_column(reader, name);
	free(name);
}

static bool next(const struct reader *reader, const char **cursor, const char *end,
		 const char **word, size_t *length)
{
	return reader->commas ? next_field(cursor, end, word, length)
			      : next_word(cursor, end, word, length);
}

/* A first line of words names the columns; of numbers, they are counted. */
static bool start(struct reader *reader, const struct line *line, bool *is_names, struct error *err)
{
	const char *cursor = line->text, *end = line->text + line->length, *word;
	size_t length, words, numeric;
	char name[32];

	count_words(cursor, end, &words, &numeric);
	if (words == 0)
		return true;
	reader->started = true;
	reader->commas = count_names(cursor, end) > 0;
	*is_names = reader->commas || numeric == 0;
	while (next(reader, &cursor, end, &word, &length)) {
		if (reader->column_count == COLUMNS)
			return too_many(reader, line, err);
		if (*is_names) {
			add_named(reader, word, length);
			continue;
		}
		if (words == 1)
			snprintf(name, sizeof name, "value");
		else
			snprintf(name, sizeof name, "column %zu", reader->column_count + 1);
		add_column(reader, name);
	}
	return true;
}

static bool read_word(struct reader *reader, const struct line *line, size_t column,
		      const char *word, size_t length, struct error *err)
{
	struct number number = { .value = NAN };

	if (column == reader->column_count)
		return input_error(reader->input, line->number, err,
				   "the line has more columns than the first one has; expected "
				   "%zu",
				   reader->column_count);
	if (length > 0 && !parse_number(word, length, &number) && !is_missing_word(word, length)) {
		if (has_decimal_comma(word, length))
			return input_error(reader->input, line->number, err,
					   "'%.*s' has a comma; expected numbers with a decimal "
					   "point (LC_ALL=C makes most tools print them)",
					   (int)length, word);
		return input_error(reader->input, line->number, err,
				   "'%.*s' is not a number that fits; expected numbers in columns",
				   length > 40 ? 40 : (int)length, word);
	}
	results_add_value(reader->results, 0, reader->measures[column], number.value,
			  number.quantum);
	return true;
}

static bool read_line(struct reader *reader, const struct line *line, struct error *err)
{
	const char *cursor = line->text, *end = line->text + line->length, *word;
	size_t length, column = 0;

	if (line->length == 0 || (reader->commas && *cursor == '#'))
		return true;
	while (next(reader, &cursor, end, &word, &length))
		if (!read_word(reader, line, column++, word, length, err))
			return false;
	/* A short line lacks its last columns: their runs stay in step. */
	while (column > 0 && column < reader->column_count)
		results_add_value(reader->results, 0, reader->measures[column++], NAN, 0);
	return true;
}

/* A byte order mark is no part of the first word. */
static void drop_mark(struct line *line)
{
	if (line->number == 1 && line->length >= 3 && memcmp(line->text, "\xef\xbb\xbf", 3) == 0) {
		line->text += 3;
		line->length -= 3;
	}
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .input = input, .results = results };
	struct error own = { 0 };
	struct line line;

	results_side(results, NULL, 0);
	while (input_line(input, &line, &own)) {
		bool is_names = false;

		drop_mark(&line);
		if (!reader.started && !start(&reader, &line, &is_names, err))
			return false;
		if (!is_names && !read_line(&reader, &line, err))
			return false;
	}
	if (own.kind != ERROR_NONE) {
		*err = own;
		return false;
	}
	return true;
}

const struct format format_numbers = {
	.name = "numbers",
	.summary = "plain numbers in columns, one run a line, as ministat takes them",
	.expects = "one number a line, or the same number of columns in every line",
	.score = score,
	.read = read,
};
