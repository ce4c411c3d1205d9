/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Go's benchmark text (golang.org/design/14313-benchmark-format):
 *
 *	pkg: example.com/sort
 *	Unit widgets/op better=higher assume=exact
 *	BenchmarkSort/size=1k-8   1000   3075 ns/op   64 B/op
 *
 * A line is one run of one benchmark, equal names are repetitions. The package
 * is the scope, so that equal names in two packages stay apart. Any other line
 * "key: value" describes the runs below it: where its value changes within the
 * file, they are another side.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "formats/format.h"
#include "formats/input/number.h"

enum { LABELS = 16 };

struct word {
	const char *text;
	size_t length;
};

/* A line "key: value" that is neither the package nor the machine. */
struct setting {
	const char *key, *first, *current;
};

/* A line "Unit ...". */
struct unit_rule {
	const char *unit;
	enum better better;
	bool better_given, exact;
};

struct reader {
	struct input *input;
	struct results *results;
	struct arena *arena;
	const char *package;
	struct setting *settings;
	size_t setting_count, setting_capacity;
	struct unit_rule *rules;
	size_t rule_count, rule_capacity;
	const char *waiting; /* a name whose figures come on a later line; NULL: none */
	size_t side;
};

static bool next_word(const char **cursor, const char *end, struct word *word)
{
	const char *at = *cursor;

	while (at < end && isspace((unsigned char)*at))
		at++;
	word->text = at;
	while (at < end && !isspace((unsigned char)*at))
		at++;
	word->length = (size_t)(at - word->text);
	*cursor = at;
	return word->length > 0;
}

static bool word_is(struct word word, const char *text)
{
	return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

/* "Benchmark", then no lower-case letter: Benchmarking is prose. */
static bool is_benchmark_name(struct word word)
{
	enum { PREFIX = sizeof "Benchmark" - 1 };

	return word.length >= PREFIX && memcmp(word.text, "Benchmark", PREFIX) == 0 &&
	       (word.length == PREFIX || !islower((unsigned char)word.text[PREFIX]));
}

/* The number of iterations, and at least one value with its unit behind it. */
static bool has_figures(const char *cursor, const char *end)
{
	struct word count, value, unit;
	struct number number;

	return next_word(&cursor, end, &count) && next_word(&cursor, end, &value) &&
	       next_word(&cursor, end, &unit) && number_parse(count.text, count.length, &number) &&
	       strspn(count.text, "0123456789") >= count.length &&
	       number_parse(value.text, value.length, &number);
}

static bool ends_in(const char *name, const char *ending)
{
	size_t length = strlen(name), count = strlen(ending);

	return length >= count && strcmp(name + length - count, ending) == 0;
}

/* What a unit means: its metric, base unit, factor and usual direction. */
struct meaning {
	const char *metric, *unit;
	double times, over; /* base value = printed * times / over */
	enum better better;
	bool exact;
};

static struct meaning usual_meaning(struct arena *arena, const char *unit)
{
	struct meaning meaning = { unit, "", 1, 1, BETTER_NEITHER, false };

	if (strncmp(unit, "ns/", 3) == 0) {
		meaning.metric = arena_printf(arena, "sec/%s", unit + 3);
		meaning.unit = "s";
		meaning.over = 1e9;
		meaning.better = BETTER_LOWER;
	} else if (strcmp(unit, "MB/s") == 0) {
		meaning = (struct meaning){ "B/s", "B/s", 1e6, 1, BETTER_HIGHER, false };
	} else if (strncmp(unit, "B/", 2) == 0) {
		meaning.unit = ends_in(unit, "/s") ? "B/s" : "B";
		meaning.better = ends_in(unit, "/s") ? BETTER_HIGHER : BETTER_LOWER;
	} else if (ends_in(unit, "/s") || ends_in(unit, "/sec")) {
		meaning.unit = "/s";
		meaning.better = BETTER_HIGHER;
	} else if (ends_in(unit, "/op")) {
		meaning.better = BETTER_LOWER;
	}
	return meaning;
}

static struct meaning meaning_of(struct reader *reader, const char *unit)
{
	struct meaning meaning = usual_meaning(reader->arena, unit);
	size_t i;

	for (i = 0; i < reader->rule_count; i++) {
		const struct unit_rule *rule = &reader->rules[i];

		if (strcmp(rule->unit, unit) != 0 && strcmp(rule->unit, meaning.metric) != 0)
			continue;
		if (rule->better_given)
			meaning.better = rule->better;
		meaning.exact = rule->exact;
	}
	return meaning;
}

/* The parts "/key=value" of a name, and the processors behind its last dash. */
static size_t labels_of(struct arena *arena, const char *name, struct results_label *labels)
{
	const char *dash = strrchr(name, '-'), *slash = strchr(name, '/');
	size_t count = 0;

	if (dash != NULL && dash[1] != '\0' && strspn(dash + 1, "0123456789") == strlen(dash + 1))
		labels[count++] = (struct results_label){ "gomaxprocs", dash + 1 };
	else
		dash = NULL;
	for (; slash != NULL && count < LABELS; slash = strchr(slash + 1, '/')) {
		const char *part = slash + 1, *equals = strchr(part, '=');
		size_t length = strcspn(part, "/");

		if (dash != NULL && dash > part && (size_t)(dash - part) < length)
			length = (size_t)(dash - part);
		if (equals == NULL || equals == part || equals >= part + length)
			continue;
		labels[count++] =
		    (struct results_label){ arena_strndup(arena, part, (size_t)(equals - part)),
					    arena_strndup(arena, equals + 1,
							  length - (size_t)(equals + 1 - part)) };
	}
	return count;
}

static void add_value(struct reader *reader, const char *name, const char *unit,
		      struct number number, bool secondary, size_t line)
{
	struct meaning meaning = meaning_of(reader, unit);
	struct results_label labels[LABELS + 1];
	struct measure measure = { .scope = reader->package,
				   .benchmark = name,
				   .metric = meaning.metric,
				   .unit = meaning.unit,
				   .better = meaning.better,
				   .exact = meaning.exact,
				   .secondary = secondary,
				   .labels = labels,
				   .label_count = labels_of(reader->arena, name, labels) };
	struct reading reading = { .value = number.value * meaning.times / meaning.over,
				   .quantum = number.quantum * meaning.times / meaning.over,
				   .line = line };

	if (isnan(number.value))
		reading.state = READING_MISSING;
	results_add(reader->results, reader->side, results_measure(reader->results, &measure),
		    &reading);
}

/* Behind the name: iterations, then pairs of value and unit. */
static bool read_figures(struct reader *reader, const char *name, const char *cursor,
			 const struct line *line, struct error *err)
{
	const char *end = line->text + line->length;
	struct word value, unit;
	bool secondary = false;

	next_word(&cursor, end, &value);
	while (next_word(&cursor, end, &value)) {
		struct number number = { NAN, 0 };

		if (!number_parse(value.text, value.length, &number) && !word_is(value, "NaN") &&
		    !word_is(value, "+Inf") && !word_is(value, "-Inf"))
			return input_error(reader->input, line->number, err,
					   "expected a number and its unit, as 12.5 ns/op");
		if (!next_word(&cursor, end, &unit))
			return input_error(reader->input, line->number, err,
					   "the last number has no unit: the line was cut off");
		add_value(reader, name, arena_strndup(reader->arena, unit.text, unit.length),
			  number, secondary, line->number);
		secondary = true;
	}
	return true;
}

/* "Unit NAME better=higher assume=exact" */
static void read_unit(struct reader *reader, const char *cursor, const char *end)
{
	struct unit_rule rule = { 0 };
	struct word word;

	if (!next_word(&cursor, end, &word))
		return;
	rule.unit = arena_strndup(reader->arena, word.text, word.length);
	while (next_word(&cursor, end, &word)) {
		if (word_is(word, "better=higher") || word_is(word, "better=lower")) {
			rule.better_given = true;
			rule.better = word_is(word, "better=higher") ? BETTER_HIGHER : BETTER_LOWER;
		}
		rule.exact = rule.exact || word_is(word, "assume=exact");
	}
	*array_push(reader->arena, reader->rules, reader->rule_count, reader->rule_capacity) = rule;
}

/* The side that the settings say: the nameless one until a value changes. */
static size_t current_side(struct reader *reader)
{
	struct text name = { 0 };
	size_t i, side;

	for (i = 0; i < reader->setting_count; i++) {
		const struct setting *setting = &reader->settings[i];

		if (strcmp(setting->first, setting->current) != 0)
			text_printf(&name, "%s%s: %s", name.length > 0 ? ", " : "", setting->key,
				    setting->current);
	}
	side = results_side(reader->results, name.length > 0 ? name.bytes : NULL, 0);
	text_release(&name);
	return side;
}

static void set(struct reader *reader, const char *key, const char *value)
{
	static const char *const machine[] = { "goos", "goarch", "cpu", "toolchain" };
	size_t i;

	if (strcmp(key, "pkg") == 0) {
		reader->package = value;
		return;
	}
	for (i = 0; i < sizeof machine / sizeof *machine; i++)
		if (strcmp(machine[i], key) == 0)
			return;
	for (i = 0; i < reader->setting_count; i++)
		if (strcmp(reader->settings[i].key, key) == 0) {
			reader->settings[i].current = value;
			break;
		}
	if (i == reader->setting_count)
		*array_push(reader->arena, reader->settings, reader->setting_count,
			    reader->setting_capacity) = (struct setting){ key, value, value };
	reader->side = current_side(reader);
}

/* A key begins with a lower-case letter, and has neither blanks nor capitals. */
static bool read_setting(struct reader *reader, const struct line *line)
{
	const char *colon = memchr(line->text, ':', line->length), *value;
	const char *end = line->text + line->length, *at;

	if (colon == NULL || !islower((unsigned char)line->text[0]) ||
	    (colon + 1 < end && colon[1] != ' ' && colon[1] != '\t'))
		return false;
	for (at = line->text; at < colon; at++)
		if (isspace((unsigned char)*at) || isupper((unsigned char)*at))
			return false;
	for (value = colon + 1; value < end && isspace((unsigned char)*value);)
		value++;
	set(reader, arena_strndup(reader->arena, line->text, (size_t)(colon - line->text)),
	    arena_strndup(reader->arena, value, (size_t)(end - value)));
	return true;
}

static bool read_line(struct reader *reader, const struct line *line, struct error *err)
{
	const char *cursor = line->text, *end = line->text + line->length, *behind;
	struct word word;

	if (!next_word(&cursor, end, &word))
		return true;
	behind = cursor;
	if (is_benchmark_name(word)) {
		const char *name = arena_strndup(reader->arena, word.text, word.length);

		reader->waiting = has_figures(cursor, end) ? NULL : name;
		if (reader->waiting == NULL)
			return read_figures(reader, name, cursor, line, err);
	} else if (reader->waiting != NULL && has_figures(line->text, end)) {
		const char *name = reader->waiting;

		reader->waiting = NULL;
		return read_figures(reader, name, line->text, line, err);
	} else if (word_is(word, "Unit")) {
		read_unit(reader, cursor, end);
	} else if (word_is(word, "---") && next_word(&behind, end, &word) &&
		   word_is(word, "FAIL:") && next_word(&behind, end, &word)) {
		results_remark(reader->results, "go test says that %.*s failed",
			       word.length > 200 ? 200 : (int)word.length, word.text);
	} else {
		read_setting(reader, line);
	}
	return true;
}

static bool visit_line(void *context, const struct line *line, struct error *err)
{
	return read_line(context, line, err);
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .input = input, .results = results, .arena = arena_open() };
	bool good;

	reader.side = results_side(results, NULL, 0);
	good = input_each_line(input, visit_line, &reader, err);
	arena_close(reader.arena);
	return good;
}

static int score(const struct head *head)
{
	const char *line = head->bytes, *end = head->bytes + head->length;

	while (line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line)), *cursor = line;
		struct word word;

		stop = stop == NULL ? end : stop;
		if (next_word(&cursor, stop, &word) && is_benchmark_name(word) &&
		    has_figures(cursor, stop))
			return SCORE_CERTAIN;
		line = stop + 1;
	}
	return SCORE_NO;
}

const struct format format_go = {
	.name = "go",
	.summary = "go test -bench, as benchstat reads it",
	.expects = "lines of BenchmarkNAME ITERATIONS NUMBER ns/op",
	.score = score,
	.read = read,
};
