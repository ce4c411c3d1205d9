/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hackbench (rt-tests) and perf bench: one time a run, start-up included, and
 * for perf bench the time of one operation where it is printed. The lines above
 * say what was run and are the benchmark's name.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"

static int score(const struct head *head)
{
	size_t i;

	if (head_has(head, "Each sender will pass ") || head_has(head, "' benchmark:\n"))
		return SCORE_CERTAIN;
	for (i = 0; i < head->page->count; i++)
		if (strncmp(head->page->lines[i].text, "# Running '", 11) == 0)
			return SCORE_CERTAIN;
	return SCORE_NO;
}

/* What a run was of: perf bench's name, or hackbench's mode and groups. */
static const char *benchmark_of(struct parse *parse, const char *text)
{
	struct number groups;
	struct span mode;

	if (strncmp(text, "# Running '", 11) == 0)
		return arena_strndup(parse->arena, text + 11, strcspn(text + 11, "'"));
	if (scan(text, "Running in %s mode with %f groups", &mode, &groups) == NULL)
		return NULL;
	return arena_printf(parse->arena, "hackbench %.*s %.0f groups", (int)mode.length, mode.text,
			    groups.value);
}

static size_t side_of(struct parse *parse, const struct page_line *line)
{
	return parse->sides.pending != NULL ? sides_begin(&parse->sides, line)
					    : sides_current(&parse->sides, line);
}

/* "between two threads", "between two processes": perf bench says so in its second line. */
static const char *with_kind(struct parse *parse, const char *benchmark, const char *text)
{
	if (strncmp(text, "# Executed ", 11) != 0)
		return benchmark;
	if (strstr(text, "threads") != NULL)
		return arena_printf(parse->arena, "%s threads", benchmark);
	return benchmark;
}

static bool add_value(struct parse *parse, const struct page_line *line, const char *benchmark)
{
	struct measure measure = { .benchmark = benchmark, .better = BETTER_LOWER };
	struct number number;

	if (scan(line->text, " Time: %f", &number) != NULL ||
	    scan(line->text, " Total time: %f [sec]", &number) != NULL) {
		measure.metric = "time";
		parse_add(parse, side_of(parse, line), measure, number, "s", line->number);
		return true;
	}
	if (scan(line->text, " %f usecs/op", &number) != NULL) {
		measure.metric = "time per operation";
		measure.secondary = true;
		parse_add(parse, side_of(parse, line), measure, number, "us", line->number);
		return true;
	}
	return scan(line->text, " %f ops/sec", &number) != NULL;
}

static bool read_page(struct parse *parse)
{
	const char *benchmark = "";
	size_t i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];
		const char *named = benchmark_of(parse, line->text);

		if (named != NULL)
			benchmark = named;
		else if (line->text[0] == '#')
			benchmark = with_kind(parse, benchmark, line->text);
		else if (!add_value(parse, line, benchmark))
			sides_other_line(&parse->sides, line);
	}
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_hackbench = {
	.name = "hackbench",
	.summary = "hackbench and perf bench: one time a run",
	.expects = "\"Time: 6.219\" below hackbench's lines, or perf bench's \"Total time:\"",
	.score = score,
	.read = read,
};
