/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stress-ng --metrics and --metrics-brief print: a line for each stressor,
 * "[PID] NAME OPERATIONS REAL USER SYSTEM RATE RATE", and below them rows of
 * other figures with words for a unit. Names of metrics are those of --yaml.
 * Operations mean the same only within one version of stress-ng.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"

struct stressor_line {
	struct span name;
	struct number operations, real, user, system, rate, cpu_rate;
};

/* What stands behind "stress-ng: metrc: [4124] "; NULL if it is none of its lines. */
static const char *message(const char *text)
{
	struct span kind;
	struct number pid;
	const char *rest = scan(text, " stress-ng: %s [%f] ", &kind, &pid);

	if (rest == NULL)
		return NULL;
	return span_is(kind, "metrc:") || span_is(kind, "info:") ? rest : NULL;
}

static bool parse_stressor(const char *text, struct stressor_line *found)
{
	const char *rest = message(text);

	return rest != NULL &&
	       scan(rest, "%s %f %f %f %f %f %f", &found->name, &found->operations, &found->real,
		    &found->user, &found->system, &found->rate, &found->cpu_rate) != NULL;
}

/* "pipe   7.36 MB per sec pipe write rate (geometic mean of 1 instances)"; the word is spelt both
 * ways. */
static bool parse_other(const char *text, struct span *name, struct number *number,
			struct span *words)
{
	const char *rest = message(text), *end;

	if (rest == NULL || (rest = scan(rest, "%s %f ", name, number)) == NULL)
		return false;
	end = strstr(rest, " (geom");
	if (end == NULL || end == rest)
		end = strstr(rest, " (harmonic");
	if (end == NULL || end == rest)
		return false;
	*words = (struct span){ rest, (size_t)(end - rest) };
	return true;
}

static int score(const struct head *head)
{
	struct stressor_line found;
	size_t i;

	for (i = 0; i < head->page->count; i++)
		if (parse_stressor(head->page->lines[i].text, &found))
			return SCORE_CERTAIN;
	return SCORE_NO;
}

static void add(struct parse *parse, const struct page_line *line, size_t side, struct span name,
		const char *metric, enum better better, bool secondary, struct number number,
		const char *unit)
{
	struct measure measure = { .benchmark = arena_strndup(parse->arena, name.text, name.length),
				   .metric = metric,
				   .better = better,
				   .secondary = secondary };

	parse_add(parse, side, measure, number, unit, line->number);
}

static void add_stressor(struct parse *parse, const struct page_line *line,
			 const struct stressor_line *found)
{
	size_t side = parse->sides.pending != NULL ? sides_begin(&parse->sides, line)
						   : sides_current(&parse->sides, line);

	add(parse, line, side, found->name, "bogo-ops-per-second-real-time", BETTER_HIGHER, false,
	    found->rate, "/s");
	add(parse, line, side, found->name, "bogo-ops-per-second-usr-sys-time", BETTER_HIGHER, true,
	    found->cpu_rate, "/s");
	add(parse, line, side, found->name, "user-time", BETTER_NEITHER, true, found->user, "s");
	add(parse, line, side, found->name, "system-time", BETTER_NEITHER, true, found->system,
	    "s");
}

static bool contains(struct span span, const char *words)
{
	return memmem(span.text, span.length, words, strlen(words)) != NULL;
}

static void add_other(struct parse *parse, const struct page_line *line, struct span name,
		      struct number number, struct span words)
{
	const char *metric = arena_strndup(parse->arena, words.text, words.length);
	bool duration = contains(words, "nanosecs ");
	enum better better = duration			  ? BETTER_LOWER
			     : contains(words, "per sec") ? BETTER_HIGHER
							  : BETTER_NEITHER;

	add(parse, line, sides_current(&parse->sides, line), name, metric, better, true, number,
	    duration ? "ns" : "");
}

static bool read_page(struct parse *parse)
{
	struct stressor_line found;
	struct number number;
	struct span name, words;
	bool any = false;
	size_t i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];

		if (parse_stressor(line->text, &found)) {
			add_stressor(parse, line, &found);
			any = true;
		} else if (parse_other(line->text, &name, &number, &words)) {
			add_other(parse, line, name, number, words);
		} else if (message(line->text) == NULL) {
			sides_other_line(&parse->sides, line);
		}
	}
	if (any)
		results_remark(parse->results, "stress-ng's operations compare only within one "
					       "version of it, which its text does not tell");
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_stress_ng = {
	.name = "stress-ng",
	.summary = "stress-ng --metrics and --metrics-brief",
	.expects =
	    "lines like \"stress-ng: metrc: [12] pipe 45926 3.09 0.02 0.04 14884.06 754703\"",
	.score = score,
	.read = read,
};
