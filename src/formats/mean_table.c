/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of means and standard deviations, a row a metric. Two forms:
 *
 *	           NR = 29              NR = 13          delta
 *	real   150.723 (1.492)      147.628 (0.653)      3.096 = 2.1%
 *
 * as mails have them, where the sides stand above the columns, and columns with
 * tabs or commas under names like baseline_mean, baseline_sd, candidate_mean,
 * candidate_sd and n. Without n they are shown and cannot be judged.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"

enum { MOST_SIDES = 8, MOST_FIELDS = 32 };

struct mean {
	struct number mean, deviation;
};

/* "150.723 (1.492)", and "150.723 +- 1.492". */
static const char *scan_mean(const char *text, struct mean *mean)
{
	const char *rest = scan(text, " %f (%f)", &mean->mean, &mean->deviation);

	if (rest == NULL)
		rest = scan(text, " %f +- %f", &mean->mean, &mean->deviation);
	if (rest == NULL)
		rest = scan(text, " %f \xc2\xb1 %f", &mean->mean, &mean->deviation);
	return rest;
}

/* A word, then two means at least. */
static size_t parse_row(const char *text, struct span *name, struct mean *means)
{
	const char *rest = scan(text, " %s", name), *next;
	size_t count = 0;

	if (rest == NULL || isdigit((unsigned char)name->text[0]))
		return 0;
	while (count < MOST_SIDES && (next = scan_mean(rest, &means[count])) != NULL) {
		rest = next;
		count++;
	}
	return count >= 2 ? count : 0;
}

/* Names parted by two blanks or a tab, as many as are there. */
static size_t split_names(const char *text, struct span *names, size_t most)
{
	size_t count = 0;

	while (count < most) {
		size_t length = 0;

		while (*text == ' ' || *text == '\t')
			text++;
		if (*text == '\0')
			break;
		while (text[length] != '\0' && text[length] != '\t' &&
		       !(text[length] == ' ' && text[length + 1] == ' '))
			length++;
		names[count++] = (struct span){ text, length };
		text += length;
	}
	return count;
}

static size_t split_fields(const char *text, struct span *fields)
{
	size_t count = 0;

	while (count < MOST_FIELDS) {
		size_t length = strcspn(text, "\t,");

		fields[count++] = (struct span){ text, length };
		if (text[length] == '\0')
			break;
		text += length + 1;
	}
	return count;
}

static bool ends_with(struct span span, const char *ending)
{
	size_t length = strlen(ending);

	return span.length >= length &&
	       memcmp(span.text + span.length - length, ending, length) == 0;
}

/* A header with at least one "..._mean" and its "..._sd". */
static bool is_field_header(const char *text)
{
	struct span fields[MOST_FIELDS];
	size_t count = split_fields(text, fields), means = 0, deviations = 0, i;

	for (i = 0; i < count; i++) {
		means += ends_with(fields[i], "mean");
		deviations += ends_with(fields[i], "sd") || ends_with(fields[i], "stddev");
	}
	return means > 0 && deviations == means && count >= 3;
}

static int score(const struct head *head)
{
	struct mean means[MOST_SIDES];
	struct span name;
	size_t i;

	for (i = 0; i < head->page->count; i++)
		if (is_field_header(head->page->lines[i].text) ||
		    parse_row(head->page->lines[i].text, &name, means) > 0)
			return SCORE_LIKELY;
	return SCORE_NO;
}

static bool is_time(const char *metric)
{
	static const char *const names[] = { "real", "user", "sys", "wall", "elapsed", "time" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(metric, names[i]) == 0)
			return true;
	return false;
}

static void add(struct parse *parse, size_t side, struct span name, double mean, double deviation,
		size_t count, size_t line)
{
	const char *metric = arena_strndup(parse->arena, name.text, name.length);
	struct measure measure = { .metric = metric,
				   .unit = is_time(metric) ? "s" : "",
				   .better = is_time(metric) ? BETTER_LOWER : BETTER_NEITHER,
				   .secondary =
				       strcmp(metric, "user") == 0 || strcmp(metric, "sys") == 0 };

	results_summary(parse->results, side, results_measure(parse->results, &measure), mean,
			deviation, count, line);
}

/* Where the columns of a table with a header of fields lie. */
struct columns {
	size_t metric, n, count;
	size_t mean[MOST_SIDES], deviation[MOST_SIDES], side[MOST_SIDES];
	bool known, has_n;
};

static void read_header(struct parse *parse, const struct page_line *line, struct columns *columns)
{
	struct span fields[MOST_FIELDS];
	size_t count = split_fields(line->text, fields), i;

	*columns = (struct columns){ .known = true };
	for (i = 0; i < count; i++) {
		struct span field = fields[i];

		if (span_is(field, "n") || span_is(field, "runs")) {
			columns->n = i;
			columns->has_n = true;
		} else if (ends_with(field, "mean") && columns->count < MOST_SIDES) {
			field.length -= 4;
			while (field.length > 0 && strchr("_- ", field.text[field.length - 1]))
				field.length--;
			columns->side[columns->count] =
			    results_side(parse->results,
					 field.length == 0 ? NULL
							   : arena_strndup(parse->arena, field.text,
									   field.length),
					 line->number);
			columns->mean[columns->count++] = i;
		} else if ((ends_with(field, "sd") || ends_with(field, "stddev")) &&
			   columns->count > 0) {
			columns->deviation[columns->count - 1] = i;
		}
	}
}

static bool field_number(const struct span *fields, size_t count, size_t at, double *value)
{
	struct number number;

	if (at >= count || !number_parse(fields[at].text, fields[at].length, &number))
		return false;
	*value = number.value;
	return true;
}

static bool read_fields(struct parse *parse, const struct page_line *line,
			const struct columns *columns)
{
	struct span fields[MOST_FIELDS];
	size_t count = split_fields(line->text, fields), i;
	double mean, deviation, n = 0;
	bool any = false;

	if (columns->has_n && (!field_number(fields, count, columns->n, &n) || n < 0 || n > 1e9))
		return false;
	for (i = 0; i < columns->count; i++)
		if (field_number(fields, count, columns->mean[i], &mean) &&
		    field_number(fields, count, columns->deviation[i], &deviation)) {
			add(parse, columns->side[i], fields[columns->metric], mean, deviation,
			    (size_t)n, line->number);
			any = true;
		}
	return any;
}

static void read_row(struct parse *parse, const struct page_line *line, const char *above,
		     struct span name, const struct mean *means, size_t count)
{
	struct span names[MOST_SIDES + 2];
	size_t named = above == NULL ? 0 : split_names(above, names, MOST_SIDES + 2), i;

	for (i = 0; i < count; i++) {
		char *side = i < named ? arena_strndup(parse->arena, names[i].text, names[i].length)
				       : arena_printf(parse->arena, "column %zu", i + 1);

		add(parse, results_side(parse->results, side, line->number), name,
		    means[i].mean.value, means[i].deviation.value, 0, line->number);
	}
}

static bool read_page(struct parse *parse)
{
	struct columns columns = { 0 };
	struct mean means[MOST_SIDES];
	const char *above = NULL;
	struct span name;
	size_t count, i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];

		if (line->length == 0 || line->text[0] == '#')
			continue;
		if (is_field_header(line->text)) {
			read_header(parse, line, &columns);
		} else if (!(columns.known && read_fields(parse, line, &columns))) {
			count = parse_row(line->text, &name, means);
			if (count > 0)
				read_row(parse, line, above, name, means, count);
			else
				above = line->text;
		}
	}
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_mean_table = {
	.name = "mean-table",
	.summary = "tables of means and standard deviations, sides in the columns",
	.expects = "rows like \"real 150.7 (1.5) 147.6 (0.7)\", or columns x_mean, x_sd and n",
	.score = score,
	.read = read,
};
