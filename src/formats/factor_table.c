/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables with a line of names, columns of words and columns of figures, parted
 * by tabs, commas or blanks, a run (or a total) a line:
 *
 *	kernel	preload	user	system	elapsed
 *	old	serial	5.35	7.12	12.47
 *	new	serial	5.30	5.62	10.92
 *
 * The first column of words is the sides, unless its name says that it has the
 * names of benchmarks; the others tell benchmarks apart and are labels for --by. Lines with the
 *same words are runs of the same thing. Times are known by name, other units by "(us)" or "_us"
 *behind a name. Where all figures of the first line are 1, they are ratios and no seconds.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "formats/format.h"
#include "formats/input/page.h"
#include "formats/input/separated.h"
#include "formats/input/unit.h"

enum { MOST_COLUMNS = 64, PROBED_LINES = 50 };

struct time_name {
	const char *name, *metric;
	bool secondary;
};

static const struct time_name time_names[] = {
	{ "elapsed", "wall", false }, { "real", "wall", false }, { "wall", "wall", false },
	{ "time", "time", false },    { "user", "user", true },	 { "sys", "sys", true },
	{ "system", "sys", true },    { "cpu", "cpu", true },
};

/* Numbers of runs, which are neither words nor figures. */
static const char *const run_names[] = { "run", "iteration", "iter", "round", "rep", "trial", "#" };

/* Columns that tell what was measured, and never of which side. */
static const char *const benchmark_names[] = { "name", "benchmark", "bench",	"test",
					       "case", "command",   "function", "workload" };

enum column_kind { COLUMN_FIGURE, COLUMN_WORD, COLUMN_RUN };

struct table_column {
	enum column_kind kind;
	const char *name;
	const struct time_name *time; /* NULL: no known time */
	const char *unit;	      /* the word; NULL: none */
};

struct table_form {
	char separator;
	struct table_column columns[MOST_COLUMNS];
	size_t count, words, figures;
	size_t side; /* the first column of words that may be; SIZE_MAX: none */
	bool ratios;
};

static char separator_of(const char *line)
{
	return strchr(line, '\t') != NULL  ? '\t'
	       : strchr(line, ',') != NULL ? ','
	       : strchr(line, ' ') != NULL ? ' '
					   : '\0';
}

static void cut_at_blanks(struct arena *arena, const struct page_line *line,
			  struct separated *fields)
{
	struct span words[MOST_COLUMNS + 1];
	size_t count = span_split(line->text, words, MOST_COLUMNS + 1), i;

	*fields = (struct separated){ .fields = arena_alloc(arena, count, sizeof(char *)),
				      .count = count,
				      .capacity = count };
	for (i = 0; i < count; i++)
		fields->fields[i] = arena_strndup(arena, words[i].text, words[i].length);
}

static void cut(struct arena *arena, const struct page_line *line, char separator,
		struct separated *fields)
{
	size_t i;

	if (separator == ',')
		separated_csv(arena, line->text, line->length, fields);
	else if (separator == ' ')
		cut_at_blanks(arena, line, fields);
	else
		separated_cut(arena, line->text, line->length, separator, fields);
	for (i = 0; i < fields->count; i++) {
		char *field = fields->fields[i];
		size_t length = strlen(field);

		while (length > 0 && isspace((unsigned char)field[length - 1]))
			field[--length] = '\0';
		while (isspace((unsigned char)*field))
			field++;
		fields->fields[i] = field;
	}
}

static bool is_figure(const char *field)
{
	struct number number;

	return number_parse(field, strlen(field), &number);
}

static bool is_one(const char *field)
{
	struct number number;

	return number_parse(field, strlen(field), &number) && number.value == 1.0;
}

static bool is_missing(const char *field)
{
	return *field == '\0' || strcmp(field, "-") == 0 || strcasecmp(field, "nan") == 0 ||
	       strcasecmp(field, "na") == 0;
}

static const struct time_name *time_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof time_names / sizeof *time_names; i++)
		if (strcasecmp(name, time_names[i].name) == 0)
			return &time_names[i];
	return NULL;
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcasecmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool is_run_name(const char *name)
{
	return is_one_of(name, run_names, sizeof run_names / sizeof *run_names);
}

static bool is_benchmark_name(const char *name)
{
	return is_one_of(name, benchmark_names, sizeof benchmark_names / sizeof *benchmark_names);
}

/* The unit behind a name: "latency (us)", "latency_us"; the name is cut before it. */
static const char *take_unit(struct arena *arena, const char **name)
{
	const char *open = strrchr(*name, '('), *close = strrchr(*name, ')');
	const char *line = strrchr(*name, '_'), *unit = NULL;
	size_t kept = 0;

	if (open != NULL && close > open + 1 && close[1] == '\0' && open > *name) {
		unit = arena_strndup(arena, open + 1, (size_t)(close - open - 1));
		kept = (size_t)(open - *name);
	} else if (line != NULL && line > *name && line[1] != '\0') {
		unit = arena_strdup(arena, line + 1);
		kept = (size_t)(line - *name);
	}
	if (unit == NULL || unit_find(unit, strlen(unit)) == NULL)
		return NULL;
	while (kept > 0 && (*name)[kept - 1] == ' ')
		kept--;
	/* "ops_per_s" */
	if (kept > 4 && strncmp(*name + kept - 4, "_per", 4) == 0) {
		if (strcmp(unit_find(unit, strlen(unit))->base, "s") != 0)
			return NULL;
		unit = "/s";
		kept -= 4;
	}
	*name = arena_strndup(arena, *name, kept);
	return unit;
}

static bool is_skipped(const struct page_line *line)
{
	return line->length == 0 || line->text[0] == '#' ||
	       line->text[strspn(line->text, " \t")] == '\0';
}

/* What the columns are: by their names, and by what the first line below them has. */
static bool find_form(struct arena *arena, const struct separated *names,
		      const struct separated *first, struct table_form *form)
{
	size_t i;

	form->count = names->count;
	form->ratios = true;
	form->side = SIZE_MAX;
	for (i = 0; i < names->count; i++) {
		struct table_column *column = &form->columns[i];

		*column = (struct table_column){ .name = names->fields[i] };
		if (*column->name == '\0' || is_figure(column->name))
			return false;
		if (!is_figure(first->fields[i]) && !is_missing(first->fields[i])) {
			column->kind = COLUMN_WORD;
			form->words++;
			if (form->side == SIZE_MAX && !is_benchmark_name(column->name))
				form->side = i;
			continue;
		}
		if (is_run_name(column->name)) {
			column->kind = COLUMN_RUN;
			continue;
		}
		column->time = time_of(column->name);
		column->unit = column->time == NULL ? take_unit(arena, &column->name) : NULL;
		form->figures++;
		form->ratios = form->ratios && is_one(first->fields[i]);
	}
	return form->words > 0 && form->figures > 0;
}

/* A line with as many fields, figures where figures belong. */
static bool fits(const struct table_form *form, const struct separated *fields)
{
	size_t i;

	if (fields->count != form->count)
		return false;
	for (i = 0; i < form->count; i++)
		if (form->columns[i].kind == COLUMN_FIGURE && !is_figure(fields->fields[i]) &&
		    !is_missing(fields->fields[i]))
			return false;
	return true;
}

/* Find the line of names: two lines of equal width, of which the second has words and figures.
 * Its index in *line; false if there is no such table. */
static bool find_table(struct arena *arena, const struct page *page, size_t most,
		       struct table_form *form, size_t *line)
{
	struct separated names = { 0 }, first = { 0 };
	size_t previous = SIZE_MAX, i;

	for (i = 0; i < page->count && i < most; i++) {
		char separator = separator_of(page->lines[i].text);

		if (is_skipped(&page->lines[i]))
			continue;
		if (previous != SIZE_MAX && separator != '\0' &&
		    separator == separator_of(page->lines[previous].text)) {
			*form = (struct table_form){ .separator = separator };
			cut(arena, &page->lines[previous], separator, &names);
			cut(arena, &page->lines[i], separator, &first);
			*line = previous;
			if (names.count == first.count && names.count <= MOST_COLUMNS &&
			    find_form(arena, &names, &first, form))
				return true;
		}
		previous = i;
	}
	return false;
}

static int score(const struct head *head)
{
	struct arena *arena = arena_open();
	struct separated fields = { 0 };
	struct table_form form;
	bool known = false, found, all_fit = true;
	size_t line, rows = 0, i;

	found = find_table(arena, head->page, PROBED_LINES, &form, &line);
	for (i = 0; found && i < form.count; i++)
		known = known || form.columns[i].time != NULL || form.columns[i].unit != NULL;
	for (i = found ? line + 1 : SIZE_MAX; i < head->page->count && rows < PROBED_LINES; i++) {
		if (is_skipped(&head->page->lines[i]) ||
		    (i + 1 == head->page->count && !head->whole))
			continue;
		cut(arena, &head->page->lines[i], form.separator, &fields);
		all_fit = all_fit && fits(&form, &fields);
		rows++;
	}
	arena_close(arena);
	if (!found || !all_fit || rows < 2)
		return SCORE_NO;
	/* Tables of anything look like this: without a name or a unit that says what the figures
	 * are, --format has to. */
	return known ? SCORE_LIKELY - 10 : SCORE_NO;
}

/* "preload=serial threads=8" of the columns of words but the side; names stand for themselves. */
static const char *benchmark_of(struct arena *arena, const struct table_form *form,
				const struct separated *fields)
{
	const char *name = "";
	size_t i;

	for (i = 0; i < form->count; i++) {
		const struct table_column *column = &form->columns[i];
		bool named = is_benchmark_name(column->name);

		if (column->kind == COLUMN_WORD && i != form->side)
			name = arena_printf(arena, "%s%s%s%s%s", name, *name == '\0' ? "" : " ",
					    named ? "" : column->name, named ? "" : "=",
					    fields->fields[i]);
	}
	return name;
}

/* The side is none: sides share their measures. */
static size_t labels_of(const struct table_form *form, const struct separated *fields,
			struct results_label *labels)
{
	size_t count = 0, i;

	for (i = 0; i < form->count; i++)
		if (form->columns[i].kind == COLUMN_WORD && i != form->side)
			labels[count++] =
			    (struct results_label){ form->columns[i].name, fields->fields[i] };
	return count;
}

static void add_figure(struct parse *parse, const struct table_form *form,
		       const struct table_column *column, const char *field, size_t side,
		       struct measure measure, size_t line)
{
	struct number number;
	const char *unit = column->unit == NULL ? "" : column->unit;

	measure.metric = column->time != NULL ? column->time->metric : column->name;
	measure.secondary = column->time != NULL && column->time->secondary;
	measure.better = BETTER_NEITHER;
	if (column->time != NULL) {
		measure.better = BETTER_LOWER;
		unit = form->ratios ? "" : "s";
	} else if (*unit != '\0') {
		measure.better = unit_find(unit, strlen(unit))->better;
	}
	measure.unit = *unit == '\0' ? "" : unit_find(unit, strlen(unit))->base;
	if (number_parse(field, strlen(field), &number))
		parse_add(parse, side, measure, number, unit, line);
	else
		parse_add_missing(parse, side, measure, READING_MISSING, line);
}

static void add_line(struct parse *parse, const struct table_form *form,
		     const struct separated *fields, size_t line)
{
	struct results_label labels[MOST_COLUMNS];
	struct measure measure = { .benchmark = benchmark_of(parse->arena, form, fields),
				   .labels = labels,
				   .label_count = labels_of(form, fields, labels) };
	bool named = form->side != SIZE_MAX;
	size_t side = results_side(parse->results, named ? fields->fields[form->side] : NULL,
				   named ? line : 0),
	       i;

	for (i = 0; i < form->count; i++)
		if (form->columns[i].kind == COLUMN_FIGURE)
			add_figure(parse, form, &form->columns[i], fields->fields[i], side, measure,
				   line);
}

static bool read_page(struct parse *parse)
{
	struct table_form form;
	struct separated fields = { 0 };
	size_t line, i;

	if (!find_table(parse->arena, &parse->page, parse->page.count, &form, &line))
		return true;
	if (form.ratios)
		results_remark(
		    parse->results,
		    "All figures of the first line are 1, so they are taken as ratios to "
		    "it and not as seconds.");
	for (i = line + 1; i < parse->page.count; i++) {
		const struct page_line *row = &parse->page.lines[i];

		if (is_skipped(row))
			continue;
		cut(parse->arena, row, form.separator, &fields);
		if (!fits(&form, &fields))
			return input_error(parse->input, row->number, parse->err,
					   "%zu fields; expected %zu, with figures below the names "
					   "of figures in line %zu",
					   fields.count, form.count,
					   parse->page.lines[line].number);
		add_line(parse, &form, &fields, row->number);
	}
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	return page_parse(input, results, err, read_page);
}

const struct format format_factor_table = {
	.name = "factor-table",
	.summary = "tables with named columns of words (sides, labels) and of figures",
	.expects = "a line of names, and lines of words and figures like \"old,serial,12.47\"",
	.score = score,
	.read = read,
};
