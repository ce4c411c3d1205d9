/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dbench and tbench 4: the last line of a run has its throughput (MB is 10^6)
 * and its worst latency. Progress lines are parts of a run and no runs. A mean
 * latency per operation is told besides. In its form for machines the last line
 * is ";MB/s;clients;processes;ms;", progress begins with "@", operations with ":".
 */
#include <ctype.h>
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"

static bool parse_throughput(const char *text, struct number *rate, struct number *clients,
			     struct number *latency)
{
	const char *rest = scan(text, " Throughput %f MB/sec", rate), *at;
	struct number processes;

	if (rest == NULL)
		return scan(text, ";%f;%f;%f;%f;", rate, clients, &processes, latency) != NULL;
	/* "(sync open)" and "(sync dirs)" may stand between. */
	at = strpbrk(rest, "0123456789");
	if (at == NULL || scan(at, "%f clients", clients) == NULL)
		return false;
	at = strstr(rest, "max_latency=");
	return at != NULL && scan(at, "max_latency=%f ms", latency) != NULL;
}

/* Progress and operations in the form for machines. */
static bool is_machine_line(const char *text)
{
	struct number number;

	return (text[0] == '@' && strchr("WRC", text[1]) != NULL && text[1] != '\0' &&
		scan(text + 2, "@%f@%f@%f@", &number, &number, &number) != NULL) ||
	       (text[0] == ':' && isupper((unsigned char)text[1]));
}

static bool is_for_machines(const struct page *page)
{
	bool progress = false;
	struct number number;
	size_t i;

	for (i = 0; i < page->count; i++) {
		const char *text = page->lines[i].text;

		if (text[0] == ';' && progress && parse_throughput(text, &number, &number, &number))
			return true;
		progress = progress || (text[0] == '@' && is_machine_line(text));
	}
	return false;
}

static int score(const struct head *head)
{
	return is_for_machines(head->page) || head_has(head, "dbench version ") ||
		       head_has(head, "tbench version ") ||
		       (head_has(head, "MB/sec") && head_has(head, "max_latency="))
		   ? SCORE_CERTAIN
		   : SCORE_NO;
}

static void add_run(struct parse *parse, const struct page_line *line, struct number rate,
		    struct number clients, struct number latency)
{
	size_t side = parse->sides.pending != NULL ? sides_begin(&parse->sides, line)
						   : sides_current(&parse->sides, line);
	const char *benchmark = arena_printf(parse->arena, "%.0f clients", clients.value);
	struct results_label label = { "clients",
				       arena_printf(parse->arena, "%.0f", clients.value) };
	struct measure measure = { .benchmark = benchmark,
				   .metric = "throughput",
				   .better = BETTER_HIGHER,
				   .labels = &label,
				   .label_count = 1 };

	parse_add(parse, side, measure, rate, "MB/s", line->number);
	measure.metric = "max latency";
	measure.better = BETTER_LOWER;
	measure.secondary = true;
	parse_add(parse, side, measure, latency, "ms", line->number);
}

static bool read_page(struct parse *parse)
{
	struct number rate, clients, latency;
	size_t i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];

		if (parse_throughput(line->text, &rate, &clients, &latency))
			add_run(parse, line, rate, clients, latency);
		else if (strstr(line->text, "MB/sec") == NULL && !is_machine_line(line->text))
			sides_other_line(&parse->sides, line);
	}
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_dbench = {
	.name = "dbench",
	.summary = "dbench and tbench 4: throughput and worst latency of each run",
	.expects = "a line \"Throughput 10.5 MB/sec  2 clients  2 procs  max_latency=9.5 ms\"",
	.score = score,
	.read = read,
};
