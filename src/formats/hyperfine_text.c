/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What hyperfine prints: under "Benchmark 1: COMMAND" a mean, a deviation and
 * the number of runs. The runs themselves are only in its JSON.
 */
#include <math.h>
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"
#include "formats/input/unit.h"

#define SIGMA "\xcf\x83"
#define PLUS_MINUS "\xc2\xb1"

/* "Time (mean +- sd):  70.6 ms +-  73.2 ms": in seconds; the deviation is NAN for one run, where
 * hyperfine writes "Time (abs ...)". */
static bool parse_time(const char *text, double *mean, double *deviation)
{
	struct number numbers[2];
	struct span words[2];
	const struct unit *unit;
	const char *rest;

	*deviation = NAN;
	rest = scan(text, " Time (mean " PLUS_MINUS " " SIGMA "): %f %s " PLUS_MINUS " %f %s",
		    &numbers[0], &words[0], &numbers[1], &words[1]);
	if (rest == NULL)
		return false;
	unit = unit_find(words[0].text, words[0].length);
	if (unit == NULL || strcmp(unit->base, "s") != 0)
		return false;
	*mean = unit_base(unit, numbers[0]).value;
	unit = unit_find(words[1].text, words[1].length);
	if (unit != NULL && strcmp(unit->base, "s") == 0)
		*deviation = unit_base(unit, numbers[1]).value;
	return true;
}

/* "Range (min ... max):  2.8 ms ... 179.1 ms    12 runs" */
static bool parse_runs(const char *text, size_t *runs)
{
	struct span words[16];
	struct number number;
	size_t count = span_split(text, words, 16);

	if (scan(text, " Range (min ") == NULL || count < 2 ||
	    !(span_is(words[count - 1], "runs") || span_is(words[count - 1], "run")) ||
	    !number_parse(words[count - 2].text, words[count - 2].length, &number) ||
	    !(number.value >= 1 && number.value < 1e9))
		return false;
	*runs = (size_t)number.value;
	return true;
}

static bool parse_name(const char *text, const char **name)
{
	struct number number;

	*name = scan(text, " Benchmark %f: ", &number);
	if (*name == NULL)
		*name = scan(text, " Benchmark #%f: ", &number);
	return *name != NULL;
}

static int score(const struct head *head)
{
	double mean, deviation;
	size_t i;

	for (i = 0; i < head->page->count; i++)
		if (parse_time(head->page->lines[i].text, &mean, &deviation))
			return SCORE_CERTAIN;
	return SCORE_NO;
}

static void add(struct parse *parse, const char *name, double mean, double deviation, size_t runs,
		size_t line)
{
	struct measure measure = {
		.benchmark = name, .metric = "wall", .unit = "s", .better = BETTER_LOWER
	};

	results_summary(parse->results, results_side(parse->results, NULL, 0),
			results_measure(parse->results, &measure), mean, deviation, runs, line);
}

static bool read_page(struct parse *parse)
{
	const char *name = "", *found;
	double mean = NAN, deviation = NAN, next_mean, next_deviation;
	size_t runs = 0, line = 0, i;

	for (i = 0; i < parse->page.count; i++) {
		const char *text = parse->page.lines[i].text;

		if (parse_name(text, &found)) {
			if (line > 0)
				add(parse, name, mean, deviation, runs, line);
			name = found;
			line = runs = 0;
		} else if (parse_time(text, &next_mean, &next_deviation)) {
			if (line > 0)
				add(parse, name, mean, deviation, runs, line);
			mean = next_mean;
			deviation = next_deviation;
			line = parse->page.lines[i].number;
			runs = 0;
		} else {
			parse_runs(text, &runs);
		}
	}
	if (line > 0)
		add(parse, name, mean, deviation, runs, line);
	results_alternatives(parse->results);
	results_remark(parse->results, "hyperfine runs one command after the other: drift between "
				       "them would look like a difference");
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_hyperfine_text = {
	.name = "hyperfine-text",
	.summary = "what hyperfine prints (mean, deviation and number of runs)",
	.expects =
	    "\"Benchmark 1: COMMAND\" and a line \"Time (mean " PLUS_MINUS " " SIGMA "): ...\"",
	.score = score,
	.read = read,
};
