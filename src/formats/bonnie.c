/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bonnie++: the CSV lines of 1.0x (27 fields, no version), 1.93 to 1.97 (48
 * fields; 47 where 1.96 ran with -s 0) and 1.98 to 2.00 (50 fields), and the
 * text tables. Field numbers are from the sources of each version. Where a file
 * has CSV lines, its text tables are copies and are left alone. K is 1024.
 *
 * The text table of 1.98 to 2.00 prints file rates with %d from a double, so
 * its cells hold anything (often the number of files): they are refused.
 * "+++++" is a phase that ended within half a second: a bound, no number.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "formats/format.h"
#include "formats/input/page.h"

enum { PHASES = 12, FIRST_FILE_PHASE = 6, MOST_FIELDS = 64 };

static const struct {
	const char *name;
	const char *unit; /* of the rate */
} phases[PHASES] = {
	{ "putc", "KiB/s" },	{ "put_block", "KiB/s" }, { "rewrite", "KiB/s" },
	{ "getc", "KiB/s" },	{ "get_block", "KiB/s" }, { "seeks", "/s" },
	{ "seq_create", "/s" }, { "seq_stat", "/s" },	  { "seq_del", "/s" },
	{ "ran_create", "/s" }, { "ran_stat", "/s" },	  { "ran_del", "/s" },
};

/* Where a layout has what: rate of the first phase of each half, each followed by its processor
 * share, and the first latency. */
struct layout {
	size_t fields;
	size_t name;
	size_t io, files;
	size_t latencies; /* 0: none */
};

static const struct layout layouts[] = {
	{ 27, 0, 2, 15, 0 },  /* 1.0x */
	{ 48, 2, 7, 24, 36 }, /* 1.93 to 1.97 */
	{ 47, 2, 7, 23, 35 }, /* 1.96 with -s 0 */
	{ 50, 2, 9, 26, 38 }, /* 1.98 to 2.00 */
};

static size_t split_commas(const char *text, struct span *fields)
{
	size_t count = 0;

	while (count < MOST_FIELDS) {
		size_t length = strcspn(text, ",");

		fields[count++] = (struct span){ text, length };
		if (text[length] == '\0')
			break;
		text += length + 1;
	}
	return count;
}

static bool is_rate(struct span field)
{
	struct number number;

	return field.length == 0 || span_is(field, "+++++") || span_is(field, "+++") ||
	       number_parse(field.text, field.length, &number);
}

static bool begins_with_version(struct span field)
{
	return field.length >= 4 && memcmp(field.text, "1.9", 3) == 0 &&
	       isdigit((unsigned char)field.text[3]);
}

/* The layout that a line has, NULL if it is no result. */
static const struct layout *layout_of(const struct span *fields, size_t count)
{
	size_t i, phase;

	for (i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		const struct layout *layout = &layouts[i];

		if (layout->fields != count || (i > 0) != begins_with_version(fields[0]))
			continue;
		for (phase = 0; phase < PHASES; phase++) {
			size_t at = phase < FIRST_FILE_PHASE
					? layout->io + 2 * phase
					: layout->files + 2 * (phase - FIRST_FILE_PHASE);

			if (!is_rate(fields[at]))
				return NULL;
		}
		return layout;
	}
	return NULL;
}

static bool is_csv_line(const char *text)
{
	struct span fields[MOST_FIELDS];

	return layout_of(fields, split_commas(text, fields)) != NULL;
}

static bool is_header(const char *text)
{
	return strncmp(text, "Version ", 8) == 0 && (strstr(text, "Sequential Output-") != NULL ||
						     strstr(text, "Sequential Create-") != NULL);
}

static int score(const struct head *head)
{
	size_t i;

	for (i = 0; i < head->page->count; i++)
		if (is_header(head->page->lines[i].text) || is_csv_line(head->page->lines[i].text))
			return SCORE_CERTAIN;
	return SCORE_NO;
}

static struct measure rate_measure(size_t phase, const char *machine)
{
	return (struct measure){ .benchmark = machine,
				 .metric = phases[phase].name,
				 .better = BETTER_HIGHER };
}

static void add_rate(struct parse *parse, size_t side, const char *machine, size_t phase,
		     struct span cell, size_t line)
{
	struct measure measure = rate_measure(phase, machine);
	struct number number;

	measure.unit = phase < 5 ? "B/s" : "/s";
	if (number_parse(cell.text, cell.length, &number)) {
		measure.unit = NULL;
		parse_add(parse, side, measure, number, phases[phase].unit, line);
	} else if (cell.length > 0) {
		parse_add_missing(parse, side, measure, READING_CENSORED, line);
	}
}

static void add_share(struct parse *parse, size_t side, const char *machine, size_t phase,
		      struct span cell, size_t line)
{
	struct measure measure = { .benchmark = machine,
				   .metric =
				       arena_printf(parse->arena, "%s cpu", phases[phase].name),
				   .unit = "%",
				   .better = BETTER_LOWER,
				   .secondary = true };
	struct number number;

	if (number_parse(cell.text, cell.length, &number))
		parse_add(parse, side, measure, number, "%", line);
}

/* "182ms", "32054us", "3s" */
static void add_latency(struct parse *parse, size_t side, const char *machine, size_t phase,
			struct span cell, size_t line)
{
	struct measure measure = { .benchmark = machine,
				   .metric =
				       arena_printf(parse->arena, "%s latency", phases[phase].name),
				   .better = BETTER_LOWER,
				   .secondary = true };
	struct number number;
	size_t taken = number_scan(cell.text, cell.length, &number);

	if (taken > 0 && taken < cell.length)
		parse_add(parse, side, measure, number,
			  arena_strndup(parse->arena, cell.text + taken, cell.length - taken),
			  line);
}

static void add_csv(struct parse *parse, const struct page_line *line, const struct span *fields,
		    const struct layout *layout)
{
	size_t side = parse->sides.pending != NULL ? sides_begin(&parse->sides, line)
						   : sides_current(&parse->sides, line);
	const struct span *name = &fields[layout->name];
	char *machine = arena_strndup(parse->arena, name->text, name->length);
	size_t phase;

	for (phase = 0; phase < PHASES; phase++) {
		size_t at = phase < FIRST_FILE_PHASE
				? layout->io + 2 * phase
				: layout->files + 2 * (phase - FIRST_FILE_PHASE);

		add_rate(parse, side, machine, phase, fields[at], line->number);
		/* 1.96 with -s 0 lacks a field there: the next is the number of files. */
		if (layout->fields != 47 || phase != FIRST_FILE_PHASE - 1)
			add_share(parse, side, machine, phase, fields[at + 1], line->number);
		if (layout->latencies > 0)
			add_latency(parse, side, machine, phase, fields[layout->latencies + phase],
				    line->number);
	}
}

/* The text table that a line may be a row of. */
struct table_state {
	enum { TABLE_NONE, TABLE_IO, TABLE_FILES } kind;
	bool units; /* 1.98 and later: rates carry k, m or g, file rates are wrong */
	bool refused;
	const char *machine; /* where the second header line names it */
};

/* "353k", "1.1g", "2205k"; before 1.98 plain numbers are K. */
static bool parse_rate(struct span cell, bool units, size_t phase, struct number *number)
{
	size_t taken = number_scan(cell.text, cell.length, number);
	static const char suffixes[] = "kmgt";
	const char *suffix;
	double factor = 1;

	if (taken == 0 || taken + 1 < cell.length)
		return false;
	if (taken == cell.length)
		return !units || phase == 5;
	suffix = strchr(suffixes, cell.text[taken]);
	if (suffix == NULL)
		return false;
	for (; suffix > suffixes; suffix--)
		factor *= 1024;
	number->value *= factor;
	number->quantum *= factor;
	return true;
}

static void add_text_cell(struct parse *parse, const struct table_state *table, size_t side,
			  const char *machine, size_t phase, struct span cell, size_t line)
{
	struct measure measure = rate_measure(phase, machine);
	struct number number;

	if (parse_rate(cell, table->units, phase, &number)) {
		parse_add(parse, side, measure, number, phases[phase].unit, line);
		return;
	}
	measure.unit = phase < 5 ? "B/s" : "/s";
	if (cell.text[0] == '+')
		parse_add_missing(parse, side, measure, READING_CENSORED, line);
}

/* name, size and six pairs; in file tables since 1.9x the name stands in the header. */
static bool add_row(struct parse *parse, const struct page_line *line, struct table_state *table)
{
	struct span words[32];
	size_t count = span_split(line->text, words, 32), first = count - 12, i, side;
	size_t base = table->kind == TABLE_FILES ? FIRST_FILE_PHASE : 0;
	const char *machine = table->machine;
	struct number number;

	if (count != 14 && !(count == 13 && table->machine != NULL))
		return false;
	for (i = first; i < count; i++)
		if (words[i].text[0] != '+' && !isdigit((unsigned char)words[i].text[0]))
			return false;
	if (table->kind == TABLE_FILES && table->units) {
		table->refused = true;
		return true;
	}
	if (count == 14)
		machine = arena_strndup(parse->arena, words[0].text, words[0].length);
	side = sides_current(&parse->sides, line);
	for (i = 0; i < 6; i++) {
		add_text_cell(parse, table, side, machine, base + i, words[first + 2 * i],
			      line->number);
		if (number_parse(words[first + 2 * i + 1].text, words[first + 2 * i + 1].length,
				 &number))
			add_share(parse, side, machine, base + i, words[first + 2 * i + 1],
				  line->number);
	}
	return true;
}

/* "hostA               -Create-- --Read--- ...": the machine of the file rows below. */
static bool is_second_header(struct parse *parse, const char *text, struct table_state *table)
{
	if (strstr(text, "-Create--") == NULL && strstr(text, "-Per Chr-") == NULL)
		return false;
	if (strstr(text, "------Sequential Create------") != NULL)
		table->kind = TABLE_FILES;
	else if (table->kind == TABLE_FILES && text[0] != ' ')
		table->machine = arena_strndup(parse->arena, text, strcspn(text, " "));
	return true;
}

static void read_text_line(struct parse *parse, const struct page_line *line,
			   struct table_state *table)
{
	const char *text = line->text;

	if (is_header(text)) {
		bool files = strstr(text, "Sequential Create-") != NULL;

		table->kind = files ? TABLE_FILES : TABLE_IO;
		if (!files) {
			table->units = false;
			sides_begin(&parse->sides, line);
		}
	} else if (strstr(text, "--Sequential Create--") != NULL) {
		table->kind = TABLE_FILES;
	} else if (is_second_header(parse, text, table) || strstr(text, "/sec %CP") != NULL) {
		if (strncmp(text, "Name:Size", 9) == 0)
			table->units = true;
	} else if (strncmp(text, "Latency", 7) == 0) {
		return;
	} else if (table->kind == TABLE_NONE || !add_row(parse, line, table)) {
		if (line->length > 0)
			table->kind = TABLE_NONE;
		sides_other_line(&parse->sides, line);
	}
}

static bool has_csv(const struct page *page)
{
	size_t i;

	for (i = 0; i < page->count; i++)
		if (is_csv_line(page->lines[i].text))
			return true;
	return false;
}

static bool read_csv(struct parse *parse)
{
	struct span fields[MOST_FIELDS];
	size_t i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];
		const struct layout *layout = layout_of(fields, split_commas(line->text, fields));

		if (layout != NULL)
			add_csv(parse, line, fields, layout);
		else
			sides_other_line(&parse->sides, line);
	}
	return true;
}

static bool read_page(struct parse *parse)
{
	struct table_state table = { 0 };
	size_t i;

	if (has_csv(&parse->page))
		return read_csv(parse);
	for (i = 0; i < parse->page.count; i++)
		read_text_line(parse, &parse->page.lines[i], &table);
	if (table.refused)
		results_remark(parse->results,
			       "File rates in the text table of bonnie++ 1.98 to 2.00 are wrong "
			       "and were not read; the CSV line that it prints besides has the "
			       "right ones.");
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_bonnie = {
	.name = "bonnie",
	.summary = "bonnie++ 1.0x to 2.00, CSV lines or text tables",
	.expects = "a CSV line with 27, 48 or 50 fields, or a table under \"Version ...\"",
	.score = score,
	.read = read,
};
