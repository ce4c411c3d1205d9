/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lmbench's raw results: lines "NAME: NUMBER UNIT", tables of bandwidth or
 * latency under a title in one open quote, and the rows of lat_fs and lat_ctx.
 * A megabyte is 10^6 bytes. What lat_ctx leaves out because its correction made
 * it negative is simply not there. Summaries are lmbench_summary.c's.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/input/page.h"
#include "formats/input/unit.h"

/* "Pipe latency: 14.2669 microseconds"; also "MB/sec" lines. */
static bool parse_latency(const char *text, struct span *name, struct number *number,
			  struct span *unit)
{
	const char *colon, *rest;

	/* Names hold colons themselves ("Select on 100 tcp fd's: ..."), so the last one counts. */
	for (colon = strrchr(text, ':'); colon != NULL && colon > text;
	     colon = memrchr(text, ':', (size_t)(colon - text))) {
		rest = scan(colon + 1, " %f %s ", number, unit);
		if (rest != NULL && *rest == '\0' &&
		    (span_is(*unit, "microseconds") || span_is(*unit, "nanoseconds") ||
		     span_is(*unit, "milliseconds") || span_is(*unit, "MB/sec") ||
		     span_is(*unit, "KB/sec"))) {
			*name = (struct span){ text, (size_t)(colon - text) };
			return *text != '[' && *text != '"';
		}
	}
	return false;
}

static bool is_title(const char *text)
{
	return text[0] == '"' && text[1] != '\0';
}

static int score(const struct head *head)
{
	struct span name, unit;
	struct number number;
	size_t found = 0, titles = 0, i;

	if (head_has(head, "[lmbench") || head_has(head, "lmbench3.0 results"))
		return SCORE_CERTAIN;
	for (i = 0; i < head->page->count; i++) {
		found += parse_latency(head->page->lines[i].text, &name, &number, &unit);
		titles += is_title(head->page->lines[i].text) &&
			  (strstr(head->page->lines[i].text, "bandwidth") != NULL ||
			   strncmp(head->page->lines[i].text, "\"size=", 6) == 0 ||
			   strcmp(head->page->lines[i].text, "\"mappings") == 0);
	}
	return found > 0 ? SCORE_LIKELY + 20 : titles > 0 ? SCORE_LIKELY : SCORE_NO;
}

/* What the rows under a title mean. */
enum table_kind { TABLE_NONE, TABLE_BANDWIDTH, TABLE_MICROSECONDS, TABLE_NANOSECONDS };

struct table_state {
	enum table_kind kind;
	const char *title;
};

static void begin_table(struct parse *parse, const struct page_line *line,
			struct table_state *table)
{
	const char *title = line->text + 1;
	size_t length = strlen(title);

	while (length > 0 && (title[length - 1] == '"' || title[length - 1] == ' '))
		length--;
	table->title = arena_strndup(parse->arena, title, length);
	if (strstr(title, "bandwidth") != NULL || strstr(title, "unrolled") != NULL ||
	    strstr(title, "bcopy") != NULL || strstr(title, "Memory") != NULL)
		table->kind = TABLE_BANDWIDTH;
	else if (strncmp(title, "stride=", 7) == 0)
		table->kind = TABLE_NANOSECONDS;
	else
		table->kind = TABLE_MICROSECONDS;
	/* The overhead in "size=0k ovr=1.23" is a measurement and no part of the name. */
	if (strncmp(title, "size=", 5) == 0)
		table->title = arena_strndup(parse->arena, title, strcspn(title, " "));
}

static void add_row(struct parse *parse, const struct table_state *table,
		    const struct page_line *line, struct span size, struct number number)
{
	static const char *const units[] = {
		[TABLE_BANDWIDTH] = "MB/s", [TABLE_MICROSECONDS] = "us", [TABLE_NANOSECONDS] = "ns"
	};
	bool bandwidth = table->kind == TABLE_BANDWIDTH;
	struct measure measure = {
		.benchmark = arena_printf(
		    parse->arena, "%s %.*s%s", table->title, (int)size.length, size.text,
		    bandwidth || table->kind == TABLE_NANOSECONDS ? " MB" : ""),
		.metric = bandwidth ? "bandwidth" : "latency",
		.better = bandwidth ? BETTER_HIGHER : BETTER_LOWER,
	};

	parse_add(parse, sides_current(&parse->sides, line), measure, number, units[table->kind],
		  line->number);
}

/* "0k<TAB>87<TAB>171147<TAB>234949": files, creations and deletions a second. */
static bool parse_files(struct parse *parse, const struct page_line *line)
{
	struct number files, rates[2];
	struct span size;
	const char *rest = scan(line->text, "%s %f %f %f ", &size, &files, &rates[0], &rates[1]);
	static const char *const names[] = { "create", "delete" };
	size_t i;

	if (rest == NULL || *rest != '\0' || size.length < 2 || size.text[size.length - 1] != 'k')
		return false;
	for (i = 0; i < 2; i++) {
		struct measure measure = { .benchmark =
					       arena_printf(parse->arena, "file %s %.*s", names[i],
							    (int)size.length, size.text),
					   .metric = "rate",
					   .better = BETTER_HIGHER };

		parse_add(parse, sides_current(&parse->sides, line), measure, rates[i], "/s",
			  line->number);
	}
	return true;
}

static bool parse_row(struct parse *parse, const struct page_line *line, struct table_state *table)
{
	struct number size_number, number;
	struct span size;
	const char *rest = scan(line->text, " %s %f ", &size, &number);

	if (rest == NULL || *rest != '\0' || !number_parse(size.text, size.length, &size_number))
		return false;
	add_row(parse, table, line, size, number);
	return true;
}

/* Blank lines part groups of one benchmark's runs; each group is a side if all are alike: mails
 * show two builds so. */
struct groups {
	size_t count;	    /* groups so far */
	size_t size;	    /* values of each */
	size_t current;	    /* values of the one under way */
	bool uneven, other; /* not alike: one side */
	struct span name;
};

static void end_group(struct groups *groups)
{
	if (groups->current == 0)
		return;
	if (groups->count++ == 0)
		groups->size = groups->current;
	groups->uneven = groups->uneven || groups->current != groups->size;
	groups->current = 0;
}

static bool splits_by_blank_lines(const struct page *page)
{
	struct groups groups = { 0 };
	struct number number;
	struct span name, unit;
	size_t i;

	for (i = 0; i < page->count; i++) {
		const char *text = page->lines[i].text;

		if (parse_latency(text, &name, &number, &unit)) {
			if (groups.name.text == NULL)
				groups.name = name;
			groups.other = groups.other || name.length != groups.name.length ||
				       memcmp(name.text, groups.name.text, name.length) != 0;
			groups.current++;
		} else if (page->lines[i].length == 0) {
			end_group(&groups);
		} else {
			groups.other = true;
		}
	}
	end_group(&groups);
	return groups.count > 1 && groups.size > 1 && !groups.uneven && !groups.other;
}

static void add_latency(struct parse *parse, const struct page_line *line, size_t side,
			struct span name, struct number number, struct span unit)
{
	bool rate = memchr(unit.text, '/', unit.length) != NULL;
	struct measure measure = { .benchmark = arena_strndup(parse->arena, name.text, name.length),
				   .metric = rate ? "bandwidth" : "latency",
				   .better = rate ? BETTER_HIGHER : BETTER_LOWER };

	parse_add(parse, side, measure, number, arena_strndup(parse->arena, unit.text, unit.length),
		  line->number);
}

static bool read_page(struct parse *parse)
{
	bool split = splits_by_blank_lines(&parse->page), apart = true;
	struct table_state table = { 0 };
	struct span name, unit;
	struct number number;
	size_t side = 0, i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];

		if (line->text[0] == '[') {
			continue;
		} else if (parse_latency(line->text, &name, &number, &unit)) {
			table.kind = TABLE_NONE;
			if (split && apart)
				side = results_side(
				    parse->results,
				    arena_printf(parse->arena, "group at line %zu", line->number),
				    line->number);
			else if (!split)
				side = parse->sides.pending != NULL
					   ? sides_begin(&parse->sides, line)
					   : sides_current(&parse->sides, line);
			apart = false;
			add_latency(parse, line, side, name, number, unit);
		} else if (is_title(line->text)) {
			begin_table(parse, line, &table);
		} else if (line->length == 0) {
			apart = true;
		} else if (!(table.kind != TABLE_NONE && parse_row(parse, line, &table)) &&
			   !parse_files(parse, line)) {
			sides_other_line(&parse->sides, line);
		}
	}
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_lmbench = {
	.name = "lmbench",
	.summary = "lmbench raw results: NAME: NUMBER microseconds, and its tables",
	.expects = "lines like \"Pipe latency: 5.1234 microseconds\"",
	.score = score,
	.read = read,
};
