/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table as people type it into a mail: a line of names, and below it a line for
 * each run, with "run 1" or the like in front or nothing, and a number for each
 * name. The names are the sides:
 *
 *	          mainline   patched
 *	run 1     10.1       9.8
 *	run 2     10.2       9.7
 *
 * Nothing says what was measured, nor which direction is better.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "formats/format.h"
#include "formats/input/page.h"

enum { MOST_SIDES = 16, MOST_WORDS = MOST_SIDES + 2, LEAST_RUNS = 3 };

static bool is_number(struct span word, struct number *number)
{
	return number_parse(word.text, word.length, number);
}

static bool all_of(struct span word, const char *characters)
{
	size_t i;

	for (i = 0; i < word.length; i++)
		if (strchr(characters, word.text[i]) == NULL)
			return false;
	return word.length > 0;
}

static bool has_any(struct span word, const char *characters)
{
	size_t i;

	for (i = 0; i < word.length; i++)
		if (strchr(characters, word.text[i]) != NULL)
			return true;
	return false;
}

/* "run 1", "Run #2:", "run3", "#4", "5:" */
static bool is_label(const struct span *words, size_t count)
{
	static const char *const names[] = { "run", "iteration", "iter", "round", "rep", "trial" };
	static const char index[] = "0123456789#:.)";
	size_t i;

	if (count == 1 && all_of(words[0], index))
		return has_any(words[0], "#:)");
	for (i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i]);
		struct span rest = { words[0].text + length, words[0].length - length };

		if (words[0].length < length || strncasecmp(words[0].text, names[i], length) != 0)
			continue;
		return count == 1 ? all_of(rest, index)
				  : rest.length == 0 && all_of(words[1], index);
	}
	return false;
}

/* How many names the line has: two or more words that are no numbers; 0 for other lines. */
static size_t read_names(const char *text, struct span *names)
{
	size_t count = span_split(text, names, MOST_SIDES + 1), i;
	struct number number;

	if (count < 2 || count > MOST_SIDES)
		return 0;
	for (i = 0; i < count; i++)
		if (is_number(names[i], &number) || !isalpha((unsigned char)names[i].text[0]))
			return 0;
	return count;
}

/* A number for each of count names, behind a label or nothing. */
static bool read_run(const char *text, size_t count, struct number *numbers)
{
	struct span words[MOST_WORDS + 1];
	size_t there = span_split(text, words, MOST_WORDS + 1), i;

	if (there < count || there > count + 2 ||
	    (there > count && !is_label(words, there - count)))
		return false;
	for (i = 0; i < count; i++)
		if (!is_number(words[there - count + i], &numbers[i]))
			return false;
	return true;
}

/* Runs in the lines behind the names at index, blank ones aside; *end is behind the last. */
static size_t count_runs(const struct page *page, size_t index, size_t names, size_t *end)
{
	struct number numbers[MOST_SIDES];
	size_t count = 0, i;

	for (i = *end = index + 1; i < page->count; i++) {
		if (span_trimmed((struct span){ page->lines[i].text, page->lines[i].length })
			.length == 0)
			continue;
		if (!read_run(page->lines[i].text, names, numbers))
			break;
		count++;
		*end = i + 1;
	}
	return count;
}

static int score(const struct head *head)
{
	struct span names[MOST_SIDES + 1];
	size_t count, end, i;

	for (i = 0; i < head->page->count; i++) {
		count = read_names(head->page->lines[i].text, names);
		if (count > 0 && count_runs(head->page, i, count, &end) >= LEAST_RUNS)
			return SCORE_WEAK - 1; /* columns under names are of format_numbers */
	}
	return SCORE_NO;
}

static void read_table(struct parse *parse, size_t index, const struct span *names, size_t count,
		       size_t end)
{
	struct number numbers[MOST_SIDES];
	size_t sides[MOST_SIDES], i, j;

	for (j = 0; j < count; j++)
		sides[j] = results_side(parse->results,
					arena_strndup(parse->arena, names[j].text, names[j].length),
					parse->page.lines[index].number);
	for (i = index + 1; i < end; i++) {
		if (!read_run(parse->page.lines[i].text, count, numbers))
			continue;
		for (j = 0; j < count; j++)
			parse_add(parse, sides[j],
				  (struct measure){ .metric = "value", .better = BETTER_NEITHER },
				  numbers[j], "", parse->page.lines[i].number);
	}
}

static bool read_page(struct parse *parse)
{
	struct span names[MOST_SIDES + 1];
	size_t count, end, i = 0;

	while (i < parse->page.count) {
		count = read_names(parse->page.lines[i].text, names);
		if (count > 0 && count_runs(&parse->page, i, count, &end) >= LEAST_RUNS) {
			read_table(parse, i, names, count, end);
			i = end;
		} else {
			i++;
		}
	}
	results_remark(parse->results,
		       "the names above the columns were taken for sides; --better lower or higher "
		       "says which way is better");
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_run_table = {
	.name = "run-table",
	.summary = "a line of names, and a line of numbers for each run, as in a mail",
	.expects = "a line of two or more names, and below it three or more lines with a number "
		   "for each",
	.score = score,
	.read = read,
};
