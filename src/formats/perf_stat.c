/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat's text: one table a command, "(N runs)" under -r, times in the
 * first column under -I. A table of one run gives a value of each event. One of
 * several gives the mean of N and the deviation of that mean in percent, so it
 * is a summary: deviation = mean * percent / 100 * sqrt(N). The derived figure
 * behind "#" is not made from these means and is left alone. Thousands may be
 * parted by commas, points or blanks, decimals by a comma.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "formats/format.h"
#include "formats/input/page.h"
#include "formats/input/unit.h"

/* One row: value, unit, event, and the deviation of the mean under -r. */
struct row {
	struct number value;
	bool missing;
	const char *unit; /* "msec", ""; NULL: none printed */
	const char *event;
	double percent; /* NAN: not printed */
	double running; /* per cent of the time that it was counted; NAN: not printed */
};

static const char stats_header[] = "Performance counter stats for ";
static const char intervals_header[] = " counts unit events";

static bool begins_event(const char *text)
{
	return isalpha((unsigned char)*text) || *text == '/' || *text == '_';
}

/* "+- 10.64%" or "+-  0,11%": the percentage. */
static double deviation_percent(const char *text)
{
	const char *at = strstr(text, "+-");
	struct number number;
	size_t length = 0;

	if (at == NULL)
		return NAN;
	at += 2;
	while (*at == ' ')
		at++;
	while (isdigit((unsigned char)at[length]) || at[length] == '.' || at[length] == ',')
		length++;
	if (length == 0 || at[length] != '%' || !number_parse_local(at, length, true, &number))
		return NAN;
	return number.value;
}

/* "(50.25%)" or "[25,52%]" at the end of a line. */
static double running_percent(const char *text)
{
	const char *at = strrchr(text, '(');
	struct number number;
	size_t length;

	if (strrchr(text, '[') != NULL && strrchr(text, '[') > at)
		at = strrchr(text, '[');
	if (at == NULL)
		return NAN;
	at++;
	length = strspn(at, "0123456789.,");
	if (length == 0 || at[length] != '%' || !number_parse_local(at, length, true, &number))
		return NAN;
	return number.value;
}

/* The printed number at the start, with its separators; what follows it. A single comma is a
 * decimal sign unless three digits follow it. */
static const char *local_number(const char *text, struct number *number)
{
	size_t length = 0, last = 0;
	const char *comma;
	bool decimal;

	while (isdigit((unsigned char)text[length]) || text[length] == '.' || text[length] == ',' ||
	       (text[length] == ' ' && length > 0 && isdigit((unsigned char)text[length - 1]) &&
		isdigit((unsigned char)text[length + 1]))) {
		length++;
		last = length;
	}
	if (last == 0)
		return NULL;
	comma = memchr(text, ',', last);
	decimal = comma != NULL && (size_t)(text + last - comma) != 4;
	return number_parse_local(text, last, decimal, number) ? text + last : NULL;
}

/* The event's name without an old "(msec)"; "/" and ":" belong to names. */
static const char *take_event(struct parse *parse, const char *text, struct row *row)
{
	size_t length = strcspn(text, " \t");

	row->event = arena_strndup(parse->arena, text, length);
	text += length;
	if (scan(text, " (msec)") != NULL)
		row->unit = "msec";
	return text;
}

static bool is_missing(const char *text, size_t *length)
{
	static const char *const words[] = { "<not supported>", "<not counted>" };
	size_t i;

	for (i = 0; i < 2; i++)
		if (strncmp(text, words[i], strlen(words[i])) == 0) {
			*length = strlen(words[i]);
			return true;
		}
	return false;
}

static bool parse_row(struct parse *parse, const char *text, struct row *row)
{
	struct span unit;
	size_t length;

	*row = (struct row){ .percent = NAN, .running = NAN };
	while (*text == ' ' || *text == '\t')
		text++;
	row->missing = is_missing(text, &length);
	text = row->missing ? text + length : local_number(text, &row->value);
	if (text == NULL || (*text != ' ' && *text != '\t'))
		return false;
	while (*text == ' ' || *text == '\t')
		text++;
	if (scan(text, "%s ", &unit) != NULL &&
	    (span_is(unit, "msec") || span_is(unit, "ns") || span_is(unit, "Joules"))) {
		row->unit = arena_strndup(parse->arena, unit.text, unit.length);
		text = scan(text, "%s ", &unit);
	}
	if (!begins_event(text))
		return false;
	text = take_event(parse, text, row);
	/* Before Linux 3.15 the unit of clocks was left out. */
	if (row->unit == NULL &&
	    (strcmp(row->event, "task-clock") == 0 || strcmp(row->event, "cpu-clock") == 0))
		row->unit = "msec";
	row->percent = deviation_percent(text);
	row->running = running_percent(text);
	text = scan(text, " ");
	return *text == '\0' || *text == '#' || *text == '(' || *text == '[';
}

/* "1.601607384 seconds time elapsed ( +- 0.07% )", "0.0933 +- 0.0491 seconds time elapsed". */
static bool parse_seconds(const char *text, struct row *row)
{
	static const struct {
		const char *words, *event;
	} kinds[] = { { " seconds time elapsed", "wall" },
		      { " seconds user", "user" },
		      { " seconds sys", "sys" } };
	struct number deviation;
	const char *rest, *after;
	size_t i;

	*row = (struct row){ .percent = NAN, .running = NAN, .unit = "s" };
	while (*text == ' ' || *text == '\t')
		text++;
	rest = local_number(text, &row->value);
	if (rest == NULL)
		return false;
	after = scan(rest, " +- %f", &deviation);
	for (i = 0; i < 3; i++) {
		const char *end = scan(after == NULL ? rest : after, kinds[i].words);

		if (end == NULL)
			continue;
		row->event = kinds[i].event;
		row->percent = deviation_percent(end);
		return true;
	}
	return false;
}

/* "     1.001  1,234  cycles": under -I a time stands first. */
static const char *without_time(const char *text)
{
	struct number number;
	const char *rest = scan(text, " %f", &number);

	return rest != NULL && number.quantum <= 1e-6 && rest[0] == ' ' && rest[1] == ' ' ? rest
											  : text;
}

static int score(const struct head *head)
{
	struct row row;
	struct parse parse = { .arena = arena_open() };
	size_t i, rows = 0;

	for (i = 0; i < head->page->count; i++) {
		const char *text = head->page->lines[i].text;

		rows += (parse_row(&parse, text, &row) ||
			 parse_row(&parse, without_time(text), &row)) &&
			(strstr(text, " # ") != NULL || strstr(text, "+-") != NULL);
	}
	arena_close(parse.arena);
	if (head_has(head, stats_header) || head_has(head, intervals_header))
		return SCORE_CERTAIN;
	return rows >= 3 ? SCORE_LIKELY : SCORE_NO;
}

/* An event of perf stat -I over the intervals so far. */
struct sum {
	struct row row;
	size_t line;
};

/* The table that rows belong to. */
struct table_state {
	const char *benchmark;
	size_t runs; /* of -r; 0: not said */
	size_t side;
	bool begun;
	struct sum *sums; /* of -I */
	size_t sum_count, sum_capacity, intervals;
	const char *interval; /* the time that begins the lines of the one under way */
	double least_running;
};

/* " Performance counter stats for 'ls /' (3 runs):" */
static void begin_table(struct parse *parse, const struct page_line *line,
			struct table_state *table)
{
	const char *name = strstr(line->text, stats_header) + sizeof stats_header - 1;
	const char *runs = strstr(name, " runs)"), *open = runs;
	size_t length = strlen(name);
	struct number number;

	table->runs = 1;
	while (open != NULL && open > name && *open != '(')
		open--;
	if (open != NULL && scan(open, "(%f", &number) != NULL && number.value >= 1 &&
	    number.value < 1e9) {
		table->runs = (size_t)number.value;
		length = (size_t)(open - name);
	}
	while (length > 0 && strchr(" :", name[length - 1]) != NULL)
		length--;
	if (length >= 2 && name[0] == '\'' && name[length - 1] == '\'') {
		name++;
		length -= 2;
	}
	table->benchmark = arena_strndup(parse->arena, name, length);
	table->side = sides_begin(&parse->sides, line);
	table->begun = true;
}

static void add_row(struct parse *parse, const struct page_line *line, struct table_state *table,
		    const struct row *row)
{
	bool wall = strcmp(row->event, "wall") == 0;
	struct measure measure = { .benchmark = table->benchmark,
				   .metric = row->event,
				   .better = BETTER_LOWER,
				   .secondary = !wall };
	const char *unit = row->unit == NULL ? "" : row->unit;
	const struct unit *known = unit_find(unit, strlen(unit));
	struct number number = row->value;
	double deviation;

	if (!table->begun)
		table->side = sides_current(&parse->sides, line);
	table->begun = true;
	if (row->missing) {
		measure.unit = "";
		parse_add_missing(parse, table->side, measure, READING_MISSING, line->number);
		return;
	}
	if (table->runs == 1 && isnan(row->percent)) {
		parse_add(parse, table->side, measure, number, unit, line->number);
		return;
	}
	if (known != NULL)
		number = unit_base(known, number);
	measure.unit = known == NULL ? unit : known->base;
	deviation = number.value * row->percent / 100 * sqrt((double)table->runs);
	results_summary(parse->results, table->side, results_measure(parse->results, &measure),
			number.value, table->runs > 1 ? deviation : NAN,
			table->runs > 1 ? table->runs : 0, line->number);
}

static void note_running(struct table_state *table, const struct row *row)
{
	if (!row->missing && row->running < table->least_running)
		table->least_running = row->running;
}

/* The intervals of -I are parts of one run, and no runs. */
static void add_interval(struct parse *parse, struct table_state *table,
			 const struct page_line *line, const struct row *row)
{
	const char *time = scan(line->text, " ");
	size_t length = strcspn(time, " "), i;

	if (table->interval == NULL || strncmp(table->interval, time, length) != 0)
		table->intervals++;
	table->interval = time;
	table->runs = 1;
	for (i = 0; i < table->sum_count; i++)
		if (strcmp(table->sums[i].row.event, row->event) == 0)
			break;
	if (i == table->sum_count) {
		*array_push(parse->arena, table->sums, table->sum_count, table->sum_capacity) =
		    (struct sum){ *row, line->number };
		return;
	}
	table->sums[i].row.missing = table->sums[i].row.missing || row->missing;
	table->sums[i].row.value.value += row->value.value;
}

static void end_table(struct parse *parse, struct table_state *table)
{
	size_t i;

	for (i = 0; i < table->sum_count; i++) {
		const struct page_line line = { .text = "", .number = table->sums[i].line };

		add_row(parse, &line, table, &table->sums[i].row);
	}
	if (table->intervals > 1)
		results_remark(parse->results,
			       "the %zu intervals of perf stat -I are parts of one run: they were "
			       "added up",
			       table->intervals);
	if (table->least_running < 100)
		results_remark(parse->results,
			       "events shared the counters (down to %.4g%% of the time): their "
			       "values are estimates",
			       table->least_running);
	table->sum_count = table->intervals = 0;
	table->interval = NULL;
}

static bool read_page(struct parse *parse)
{
	struct table_state table = { .benchmark = "", .least_running = 100 };
	struct row row;
	size_t i;

	for (i = 0; i < parse->page.count; i++) {
		const struct page_line *line = &parse->page.lines[i];

		if (strstr(line->text, stats_header) != NULL) {
			end_table(parse, &table);
			begin_table(parse, line, &table);
		} else if (parse_seconds(line->text, &row) || parse_row(parse, line->text, &row)) {
			note_running(&table, &row);
			add_row(parse, line, &table, &row);
		} else if (parse_row(parse, without_time(line->text), &row)) {
			note_running(&table, &row);
			add_interval(parse, &table, line, &row);
		} else {
			sides_other_line(&parse->sides, line);
		}
	}
	end_table(parse, &table);
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_perf_stat = {
	.name = "perf-stat",
	.summary = "perf stat text, also of -r and -I, old and new",
	.expects = "rows below \"Performance counter stats for\"",
	.score = score,
	.read = read,
};
