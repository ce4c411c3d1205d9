/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysbench 1.0: the rate of a run is its result (events, operations, or
 * transactions a second); where none is printed it is the total time. Latency
 * percentiles are figures of one run and told besides. MiB is 2^20. A run of
 * one event has a rate that means nothing, so its time is taken.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"

static int score(const struct head *head)
{
	return head_has(head, "sysbench ") && head_has(head, "Running the test with following")
		   ? SCORE_CERTAIN
		   : SCORE_NO;
}

/* One run, from its first line to the next one's. */
struct run {
	struct number rate, seconds, latency[2];
	const char *rate_unit;
	const char *rate_name;
	size_t line, threads;
	bool has_rate, has_seconds, has_latency[2];
};

static bool take_rate(const char *text, struct run *run)
{
	static const struct {
		const char *words, *name, *unit;
	} rates[] = {
		{ " events per second: %f", "events", "/s" },
		{ " events/s (eps): %f", "events", "/s" },
	};
	struct number unused;
	size_t i;

	for (i = 0; i < sizeof rates / sizeof *rates; i++)
		if (scan(text, rates[i].words, &run->rate) != NULL) {
			run->rate_name = rates[i].name;
			run->rate_unit = rates[i].unit;
			return run->has_rate = true;
		}
	if (scan(text, " transactions: %f (%f per sec.)", &unused, &run->rate) != NULL)
		run->rate_name = "transactions";
	else if (scan(text, " Total operations: %f (%f per second)", &unused, &run->rate) != NULL)
		run->rate_name = "operations";
	else
		return false;
	run->rate_unit = "/s";
	return run->has_rate = true;
}

static bool take(const char *text, struct run *run)
{
	struct number number;

	if (take_rate(text, run))
		return true;
	if (scan(text, " total time: %fs", &run->seconds) != NULL)
		return run->has_seconds = true;
	if (scan(text, " avg: %f", &run->latency[0]) != NULL)
		return run->has_latency[0] = true;
	if (scan(text, " 95th percentile: %f", &run->latency[1]) != NULL)
		return run->has_latency[1] = true;
	if (scan(text, " Number of threads: %f", &number) == NULL)
		return false;
	run->threads = (size_t)number.value;
	return true;
}

static void add(struct parse *parse, const struct run *run, const char *metric, bool secondary,
		enum better better, struct number number, const char *unit)
{
	const struct page_line line = { .text = "", .number = run->line };
	struct results_label label = { "threads", arena_printf(parse->arena, "%zu", run->threads) };
	struct measure measure = {
		.benchmark = arena_printf(parse->arena, "%zu thread%s", run->threads,
					  run->threads == 1 ? "" : "s"),
		.metric = metric,
		.better = better,
		.secondary = secondary,
		.labels = &label,
		.label_count = 1,
	};
	size_t side = parse->sides.pending != NULL ? sides_begin(&parse->sides, &line)
						   : sides_current(&parse->sides, &line);

	parse_add(parse, side, measure, number, unit, run->line);
}

static void end_run(struct parse *parse, struct run *run)
{
	if (run->has_rate)
		add(parse, run, run->rate_name, false, BETTER_HIGHER, run->rate, run->rate_unit);
	if (run->has_seconds)
		add(parse, run, "total time", run->has_rate, BETTER_LOWER, run->seconds, "s");
	if (run->has_latency[0])
		add(parse, run, "mean latency", true, BETTER_LOWER, run->latency[0], "ms");
	if (run->has_latency[1])
		add(parse, run, "95th percentile", true, BETTER_LOWER, run->latency[1], "ms");
	*run = (struct run){ 0 };
}

static bool read_page(struct parse *parse)
{
	struct run run = { 0 };
	size_t i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];

		if (strncmp(line->text, "Running the test with following", 31) == 0) {
			end_run(parse, &run);
			run.line = line->number;
		} else if (!take(line->text, &run) && line->text[0] != ' ') {
			/* Sections of its own end in a colon as names of sides do. */
			if (run.line == 0 || run.has_latency[1])
				sides_other_line(&parse->sides, line);
			if (strncmp(line->text, "Threads fairness:", 17) == 0)
				parse->sides.pending = NULL;
		}
	}
	end_run(parse, &run);
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_sysbench = {
	.name = "sysbench",
	.summary = "sysbench 1.0: the rate of each run, its time and latencies",
	.expects = "a report that begins \"Running the test with following options:\"",
	.score = score,
	.read = read,
};
