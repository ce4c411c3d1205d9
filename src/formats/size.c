/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * size(1): Berkeley's table, GNU's (size -G), which counts constants as data
 * and so is not compared with Berkeley's, and SysV's (size -A) with a row for
 * each section.
 * Bytes of a file are exact. The same file name a second time is another build
 * of it, and so another side: sizes are no runs.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"

/* text data bss dec hex filename; the first four are decimal, the fifth repeats the fourth. */
struct berkeley_row {
	struct number values[4];
	struct span file;
	bool gnu;
};

static bool parse_row(const char *text, struct berkeley_row *row)
{
	struct span hex;
	const char *rest = scan(text, " %f %f %f %f ", &row->values[0], &row->values[1],
				&row->values[2], &row->values[3]);
	size_t i;

	if (rest != NULL && !row->gnu)
		rest = scan(rest, "%s ", &hex);
	if (rest == NULL || *rest == '\0')
		return false;
	for (i = 0; i < 4; i++)
		if (row->values[i].quantum != 1 || row->values[i].value < 0)
			return false;
	row->file = (struct span){ rest, strlen(rest) };
	return true;
}

static bool is_berkeley_header(const char *text)
{
	return scan(text, " text data bss dec hex filename") != NULL;
}

static bool is_gnu_header(const char *text)
{
	return scan(text, " text data bss total filename") != NULL;
}

static bool is_sysv_header(const char *text)
{
	return scan(text, " section size addr") != NULL;
}

static int score(const struct head *head)
{
	size_t i;

	for (i = 0; i < head->page->count; i++)
		if (is_berkeley_header(head->page->lines[i].text) ||
		    is_gnu_header(head->page->lines[i].text) ||
		    is_sysv_header(head->page->lines[i].text))
			return SCORE_CERTAIN;
	return SCORE_NO;
}

struct reader {
	struct input *input;
	struct results *results;
	struct arena *arena;
	struct sides sides;
};

static void add(struct reader *reader, size_t side, const char *file, const char *metric,
		bool secondary, double bytes, size_t line)
{
	struct measure measure = { .benchmark = file,
				   .metric = metric,
				   .unit = "B",
				   .better = BETTER_LOWER,
				   .exact = true,
				   .secondary = secondary };
	struct reading reading = { .value = bytes, .quantum = 1, .line = line };

	results_add(reader->results, side, results_measure(reader->results, &measure), &reading);
}

/* A side that does not have this file yet. */
static size_t fresh_side(struct reader *reader, size_t side, const char *file, size_t line)
{
	struct measure measure = { .benchmark = file,
				   .metric = "total",
				   .unit = "B",
				   .better = BETTER_LOWER,
				   .exact = true };

	if (results_column(reader->results, side, results_measure(reader->results, &measure)) ==
	    NULL)
		return side;
	return results_side(reader->results,
			    arena_printf(reader->arena, "%s in line %zu", file, line), line);
}

static bool add_row(struct reader *reader, const struct page_line *line,
		    const struct berkeley_row *row, struct error *err)
{
	static const char *const names[2][4] = { { "text", "data", "bss", "total" },
						 { "text (GNU)", "data (GNU)", "bss", "total" } };
	const char *const *metrics = names[row->gnu];
	char *file = arena_strndup(reader->arena, row->file.text, row->file.length);
	double sum = row->values[0].value + row->values[1].value + row->values[2].value;
	size_t side, i;

	if (sum != row->values[3].value)
		return input_error(reader->input, line->number, err,
				   "text, data and bss add up to %.0f, and %s says %.0f; expected "
				   "an unchanged row of size",
				   sum, row->gnu ? "total" : "dec", row->values[3].value);
	side = fresh_side(reader, sides_current(&reader->sides, line), file, line->number);
	reader->sides.current = side;
	add(reader, side, file, metrics[3], false, row->values[3].value, line->number);
	for (i = 0; i < 3; i++)
		add(reader, side, file, metrics[i], true, row->values[i].value, line->number);
	return true;
}

/* "FILE  :" above a table of sections. */
static const char *sysv_file(struct reader *reader, const struct page *page, size_t header)
{
	const char *text, *colon;

	if (header == 0)
		return "";
	text = page->lines[header - 1].text;
	colon = strrchr(text, ':');
	if (colon == NULL)
		return "";
	while (colon > text && colon[-1] == ' ')
		colon--;
	return arena_strndup(reader->arena, text, (size_t)(colon - text));
}

/* Rows up to the total; the index of the last line taken. */
static size_t read_sections(struct reader *reader, const struct page *page, size_t header)
{
	const char *file = sysv_file(reader, page, header);
	size_t side = fresh_side(reader, sides_begin(&reader->sides, &page->lines[header]), file,
				 page->lines[header].number);
	size_t i;

	reader->sides.current = side;
	for (i = header + 1; i < page->count; i++) {
		const struct page_line *line = &page->lines[i];
		struct span name;
		struct number bytes;

		if (scan(line->text, "%s %f", &name, &bytes) == NULL)
			break;
		if (span_is(name, "Total")) {
			add(reader, side, file, "total", false, bytes.value, line->number);
			return i;
		}
		add(reader, side, file, arena_strndup(reader->arena, name.text, name.length), true,
		    bytes.value, line->number);
	}
	return i - 1;
}

static bool read_page(struct reader *reader, const struct page *page, struct error *err)
{
	bool in_table = false;
	struct berkeley_row row = { .gnu = false };
	size_t i;

	for (i = 0; i < page->count; i++) {
		const struct page_line *line = &page->lines[i];

		if (is_berkeley_header(line->text) || is_gnu_header(line->text)) {
			in_table = true;
			row.gnu = is_gnu_header(line->text);
			sides_begin(&reader->sides, line);
		} else if (is_sysv_header(line->text)) {
			in_table = false;
			i = read_sections(reader, page, i);
		} else if (in_table && parse_row(line->text, &row)) {
			if (!add_row(reader, line, &row, err))
				return false;
		} else {
			in_table = in_table && line->length == 0;
			sides_other_line(&reader->sides, line);
		}
	}
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct arena *arena = arena_open();
	struct reader reader = { .input = input, .results = results, .arena = arena };
	struct page page = { 0 };
	bool good;

	sides_init(&reader.sides, arena, results);
	good = page_read(arena, input, &page, err) && read_page(&reader, &page, err);
	arena_close(arena);
	return good;
}

const struct format format_size = {
	.name = "size",
	.summary = "size(1) of binutils: Berkeley, GNU and SysV tables",
	.expects = "a header line \"text data bss dec hex filename\" and rows below it",
	.score = score,
	.read = read,
};
