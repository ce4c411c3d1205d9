/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lmbench's "make summary": tables with a row for each results file, a host and
 * an operating system in front, and figures of three or four digits behind.
 *
 *	Processor, Processes - times in microseconds - smaller is better
 *	--------------------------------------------------------------
 *	Host                 OS  Mhz null null      open
 *	                             call  I/O stat clos
 *	--------- ------------- ---- ---- ---- ---- ----
 *	tern      Linux 2.6.15  1595 0.99 1.09      4.54
 *
 * Blank cells are common, so a row is cut where the ruler above it says and not
 * at blanks. Each host and system is a side; equal ones are runs of one side.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"

enum { MOST_COLUMNS = 32, MOST_HEADER_LINES = 4 };

struct ruler {
	size_t ends[MOST_COLUMNS]; /* of each column, exclusive */
	size_t count;
};

/* A line of nothing but dashes in groups: host, system and two columns at least. */
static bool parse_ruler(const char *text, struct ruler *ruler)
{
	size_t i;

	*ruler = (struct ruler){ 0 };
	for (i = 0; text[i] != '\0'; i++) {
		if (text[i] != '-' && text[i] != ' ')
			return false;
		if (text[i] == '-' && (text[i + 1] == ' ' || text[i + 1] == '\0')) {
			if (ruler->count == MOST_COLUMNS)
				return false;
			ruler->ends[ruler->count++] = i + 1;
		}
	}
	return ruler->count >= 4;
}

/* What the title says of the figures below it. */
struct kind {
	const char *unit, *metric;
	enum better better;
	bool local, files;
};

static bool parse_title(const char *text, struct kind *kind)
{
	bool bandwidth = strstr(text, "MB/s") != NULL;

	if (strstr(text, "smaller is better") == NULL && strstr(text, "bigger is better") == NULL)
		return false;
	*kind = (struct kind){ .unit = bandwidth			     ? "MB/s"
				       : strstr(text, "nanoseconds") != NULL ? "ns"
									     : "us",
			       .metric = bandwidth ? "bandwidth" : "latency",
			       .better = bandwidth ? BETTER_HIGHER : BETTER_LOWER,
			       .local = strstr(text, "Local") != NULL,
			       .files = strstr(text, "File & VM") != NULL };
	return true;
}

static int score(const struct head *head)
{
	struct ruler ruler;
	struct kind kind;
	bool title = false, table = false;
	size_t i;

	for (i = 0; i < head->page->count; i++) {
		title = title || parse_title(head->page->lines[i].text, &kind);
		table = table || (i > 0 && parse_ruler(head->page->lines[i].text, &ruler));
	}
	if (!title || !table)
		return SCORE_NO;
	return head_has(head, "L M B E N C H") ? SCORE_CERTAIN : SCORE_LIKELY + 30;
}

static struct span cell(const char *text, size_t begin, size_t end)
{
	size_t length = strlen(text);

	if (end > length)
		end = length;
	if (begin > end)
		begin = end;
	return span_trimmed((struct span){ text + begin, end - begin });
}

/* "60.", ".9", "11.K": the dot may stand at either end, and a K for thousands behind it. */
static bool parse_figure(struct arena *arena, struct span span, struct number *number)
{
	double factor = 1;
	size_t length = span.length;

	if (length > 0 && span.text[length - 1] == 'K') {
		factor = 1e3;
		length--;
	} else if (length > 0 && span.text[length - 1] == 'M') {
		factor = 1e6;
		length--;
	}
	if (length > 0 && span.text[length - 1] == '.')
		length--;
	if (length > 0 && span.text[0] == '.') {
		span.text = arena_printf(arena, "0%.*s", (int)length, span.text);
		length++;
	}
	if (length == 0 || !number_parse(span.text, length, number))
		return false;
	number->value *= factor;
	number->quantum *= factor;
	return true;
}

/* One table: its kind, its ruler, and what its columns are called. */
struct summary_table {
	struct kind kind;
	struct ruler ruler;
	const char *names[MOST_COLUMNS];
};

/* The words above a column, one below the other; "RPC/" over "UDP" is "RPC/UDP". */
static const char *name_above(struct parse *parse, const struct ruler *ruler, size_t column,
			      size_t first, size_t end)
{
	const char *name = "";
	size_t i;

	for (i = first; i < end; i++) {
		struct span part =
		    cell(parse->page.lines[i].text, ruler->ends[column - 1], ruler->ends[column]);
		size_t length = strlen(name);

		if (part.length > 0)
			name = arena_printf(parse->arena, "%s%s%.*s", name,
					    length == 0 || name[length - 1] == '/' ? "" : " ",
					    (int)part.length, part.text);
	}
	return name;
}

/* The header of this table has words over two columns. */
static const char *const file_names[] = {
	"0K create",	"0K delete",  "10K create", "10K delete",
	"mmap latency", "prot fault", "page fault", "100fd selct"
};

static void name_columns(struct parse *parse, size_t ruler_line, struct summary_table *table)
{
	size_t first = ruler_line, column;

	while (first > 0 && ruler_line - first < MOST_HEADER_LINES &&
	       parse->page.lines[first - 1].length > 0 &&
	       parse->page.lines[first - 1].text[0] != '-')
		first--;
	for (column = 2; column < table->ruler.count; column++) {
		size_t place = column - 2;

		if (table->kind.files && place < sizeof file_names / sizeof *file_names)
			table->names[column] = file_names[place];
		else
			table->names[column] =
			    name_above(parse, &table->ruler, column, first, ruler_line);
	}
}

/* Not results: the processor's clock, remarks, and what another table tells too. */
static bool is_skipped(const struct summary_table *table, const char *name)
{
	return strcmp(name, "Mhz") == 0 || strcmp(name, "Guesses") == 0 || name[0] == '\0' ||
	       (table->kind.local && strncmp(name, "2p/0K", 5) == 0);
}

static bool is_row(const struct summary_table *table, const char *text)
{
	size_t end = table->ruler.ends[0];

	return strlen(text) > table->ruler.ends[1] && !isspace((unsigned char)text[0]) &&
	       isspace((unsigned char)text[end]);
}

static const char *side_name(struct parse *parse, const struct summary_table *table,
			     const char *text)
{
	struct span host = cell(text, 0, table->ruler.ends[0]);
	struct span system = cell(text, table->ruler.ends[0], table->ruler.ends[1]);

	return arena_printf(parse->arena, "%.*s %.*s", (int)host.length, host.text,
			    (int)system.length, system.text);
}

static void add_row(struct parse *parse, const struct summary_table *table,
		    const struct page_line *line, const char *side)
{
	size_t column, index = results_side(parse->results, side, side == NULL ? 0 : line->number);

	for (column = 2; column < table->ruler.count; column++) {
		struct measure measure = { .benchmark = table->names[column],
					   .metric = table->kind.metric,
					   .unit = table->kind.unit[0] == 'M' ? "B/s" : "s",
					   .better = table->kind.better };
		struct number number;

		if (is_skipped(table, table->names[column]))
			continue;
		if (parse_figure(
			parse->arena,
			cell(line->text, table->ruler.ends[column - 1], table->ruler.ends[column]),
			&number))
			parse_add(parse, index, measure, number, table->kind.unit, line->number);
		else
			parse_add_missing(parse, index, measure, READING_MISSING, line->number);
	}
}

/* Go through all rows of all tables; where read is false only find out whether there is more than
 * one host and system. */
static bool walk(struct parse *parse, bool read, bool named)
{
	struct summary_table table = { 0 };
	struct kind kind = { 0 };
	bool titled = false, in_table = false, several = false;
	const char *only = NULL;
	size_t i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];
		struct ruler ruler;

		if (line->length == 0) {
			in_table = false;
		} else if (parse_title(line->text, &kind)) {
			titled = true;
			in_table = false;
		} else if (titled && parse_ruler(line->text, &ruler)) {
			table = (struct summary_table){ .kind = kind, .ruler = ruler };
			name_columns(parse, i, &table);
			in_table = true;
			titled = false;
		} else if (in_table && is_row(&table, line->text)) {
			const char *side = side_name(parse, &table, line->text);

			several = several || (only != NULL && strcmp(only, side) != 0);
			only = side;
			if (read)
				add_row(parse, &table, line, named ? side : NULL);
		}
	}
	return several;
}

static bool read_page(struct parse *parse)
{
	walk(parse, true, walk(parse, false, false));
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_lmbench_summary = {
	.name = "lmbench-summary",
	.summary = "lmbench summaries: a host and system a row, tables of latencies and bandwidths",
	.expects = "tables under \"... in microseconds - smaller is better\" and a line of dashes",
	.score = score,
	.read = read,
};
