/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cyclictest: one line a thread with minimum, average and maximum of its
 * wake-up latencies. These are figures of one run: a thread's maximum is what
 * people look at, so it is the result; a file of several runs has several. In
 * histograms the average lacks the overflowed samples and is left out then.
 */
#include <math.h>
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"

struct thread_line {
	struct number thread, minimum, average, maximum;
};

static bool parse_thread(const char *text, struct thread_line *found)
{
	struct number unused;
	const char *rest = scan(text, " T:%f", &found->thread);

	if (rest == NULL)
		rest = scan(text, " T: %f", &found->thread);
	if (rest == NULL)
		return false;
	rest = strstr(rest, "Min:");
	if (rest == NULL || scan(rest, "Min: %f Act: %f Avg: %f Max: %f", &found->minimum, &unused,
				 &found->average, &found->maximum) == NULL)
		return false;
	return true;
}

static int score(const struct head *head)
{
	struct thread_line found;
	size_t i;

	if (head_has(head, "# Histogram Overflows:") || head_has(head, "# Max Latencies:"))
		return SCORE_CERTAIN;
	for (i = 0; i < head->page->count; i++)
		if (parse_thread(head->page->lines[i].text, &found))
			return SCORE_CERTAIN;
	return SCORE_NO;
}

static void add(struct parse *parse, const struct page_line *line, size_t thread,
		const char *metric, bool secondary, struct number number, const char *unit)
{
	struct measure measure = { .benchmark = arena_printf(parse->arena, "thread %zu", thread),
				   .metric = metric,
				   .better = BETTER_LOWER,
				   .secondary = secondary };
	size_t side = parse->sides.pending != NULL ? sides_begin(&parse->sides, line)
						   : sides_current(&parse->sides, line);

	parse_add(parse, side, measure, number, unit, line->number);
}

/* "# Max Latencies: 00198 00123": one for each thread. */
static bool add_histogram_line(struct parse *parse, const struct page_line *line, const char *words,
			       const char *metric, bool secondary, const char *unit)
{
	const char *rest = scan(line->text, words);
	struct number number;
	size_t thread = 0;

	if (rest == NULL)
		return false;
	while ((rest = scan(rest, " %f", &number)) != NULL)
		add(parse, line, thread++, metric, secondary, number, unit);
	return true;
}

/* Nanoseconds under -N, which only the header of a histogram or the user's memory tells. */
static const char *unit_of(const struct page *page)
{
	size_t i;

	for (i = 0; i < page->count; i++)
		if (strstr(page->lines[i].text, "cyclictest") != NULL &&
		    (strstr(page->lines[i].text, " -N") != NULL ||
		     strstr(page->lines[i].text, "--nsecs") != NULL))
			return "ns";
	return "us";
}

static void add_thread(struct parse *parse, const struct page_line *line,
		       const struct thread_line *found, const char *unit)
{
	size_t thread = (size_t)fmin(fmax(found->thread.value, 0), 1e6);

	add(parse, line, thread, "max latency", false, found->maximum, unit);
	add(parse, line, thread, "avg latency", true, found->average, unit);
	add(parse, line, thread, "min latency", true, found->minimum, unit);
}

static bool read_page(struct parse *parse)
{
	const char *unit = unit_of(&parse->page);
	struct thread_line found;
	size_t i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];

		if (parse_thread(line->text, &found))
			add_thread(parse, line, &found, unit);
		else if (!add_histogram_line(parse, line, "# Max Latencies:", "max latency", false,
					     unit) &&
			 !add_histogram_line(parse, line, "# Min Latencies:", "min latency", true,
					     unit) &&
			 line->text[0] != '#')
			sides_other_line(&parse->sides, line);
	}
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_cyclictest = {
	.name = "cyclictest",
	.summary = "cyclictest: worst, mean and best latency of each thread",
	.expects = "lines like \"T: 0 ( 123) P:80 I:1000 C: 2000 Min: 2 Act: 3 Avg: 4 Max: 9\"",
	.score = score,
	.read = read,
};
