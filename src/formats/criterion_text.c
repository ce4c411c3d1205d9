/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What criterion.rs and Rust's test harness print of a benchmark:
 *
 *	sort/1000               time:   [2.0246 us 2.2311 us 2.4461 us]
 *	test sort ... bench:         329 ns/iter (+/- 4)
 *
 * The middle one of three is an estimate and the others its interval, without
 * the runs; the harness's +/- is the largest less the smallest sample. Neither
 * is a deviation, so these are told and cannot be judged. A long name stands on
 * a line of its own. The change that criterion prints has no runs either.
 */
#include <math.h>
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"
#include "formats/input/unit.h"

/* "time: [low unit middle unit high unit]" behind a name, which may be empty. */
static bool parse_time(const char *text, struct span *name, struct number *middle,
		       struct span *unit)
{
	const char *time = strstr(text, "time:"), *rest;
	struct number low;
	struct span low_unit;

	if (time == NULL || (time > text && time[-1] != ' '))
		return false;
	rest = scan(time, "time: [%f %s %f %s ", &low, &low_unit, middle, unit);
	if (rest == NULL || unit_find(unit->text, unit->length) == NULL)
		return false;
	*name = (struct span){ text, (size_t)(time - text) };
	while (name->length > 0 && name->text[name->length - 1] == ' ')
		name->length--;
	return true;
}

static bool parse_bench(const char *text, struct span *name, struct number *middle)
{
	const char *rest = scan(text, " test %s ... bench: ", name), *end;
	char digits[64];
	size_t length = 0;

	if (rest == NULL)
		return false;
	end = strstr(rest, " ns/iter");
	/* Thousands are parted by commas. */
	for (; end != NULL && rest < end && length + 1 < sizeof digits; rest++)
		if (*rest != ',' && *rest != ' ')
			digits[length++] = *rest;
	return end != NULL && number_parse(digits, length, middle);
}

static int score(const struct head *head)
{
	struct span name, unit;
	struct number middle;
	size_t i;

	for (i = 0; i < head->page->count; i++)
		if (parse_time(head->page->lines[i].text, &name, &middle, &unit) ||
		    parse_bench(head->page->lines[i].text, &name, &middle))
			return SCORE_CERTAIN;
	return SCORE_NO;
}

static void add(struct parse *parse, struct span name, struct number middle, struct span unit,
		size_t line)
{
	struct measure measure = { .benchmark = arena_strndup(parse->arena, name.text, name.length),
				   .metric = "time",
				   .unit = "s",
				   .better = BETTER_LOWER };
	const struct unit *known = unit_find(unit.text, unit.length);

	if (known == NULL || strcmp(known->base, "s") != 0)
		return;
	results_summary(parse->results, results_side(parse->results, NULL, 0),
			results_measure(parse->results, &measure), unit_base(known, middle).value,
			NAN, 0, line);
}

static bool read_page(struct parse *parse)
{
	static const struct span nanoseconds = { "ns", 2 };
	struct span name, unit, above = { "", 0 };
	struct number middle;
	size_t i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];

		if (parse_time(line->text, &name, &middle, &unit))
			add(parse, name.length > 0 ? name : above, middle, unit, line->number);
		else if (parse_bench(line->text, &name, &middle))
			add(parse, name, middle, nanoseconds, line->number);
		else if (line->length > 0)
			above = (struct span){ line->text, line->length };
	}
	results_remark(parse->results,
		       "An estimate with its interval is not the runs: criterion keeps them in "
		       "target/criterion, which worth judge reads");
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_criterion_text = {
	.name = "criterion-text",
	.summary = "what criterion.rs and cargo bench print (estimates only)",
	.expects = "lines like \"NAME time: [1.0 ns 1.1 ns 1.2 ns]\" or \"test NAME ... bench: 9 "
		   "ns/iter\"",
	.score = score,
	.read = read,
};
