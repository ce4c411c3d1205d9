/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of formats, made from list.def, and which of them a file is in. */
#include "formats/format.h"

#include <string.h>

#include "base/text.h"

static const struct format *const format_table[] = {
#define ROW(name) &format_##name,
#include "formats/list.def"
#undef ROW
	NULL,
};

enum { FORMAT_COUNT = sizeof format_table / sizeof *format_table - 1 };

const struct format *const *formats(void)
{
	return format_table;
}

const struct format *format_by_name(const char *name, struct error *err)
{
	const char *names[FORMAT_COUNT], *nearest;
	size_t i;

	for (i = 0; i < FORMAT_COUNT; i++) {
		names[i] = format_table[i]->name;
		if (strcmp(names[i], name) == 0)
			return format_table[i];
	}
	nearest = text_nearest(name, names, FORMAT_COUNT);
	if (nearest != NULL)
		error_set(err, ERROR_USAGE, "there is no format '%s'; did you mean '%s'?", name,
			  nearest);
	else
		error_set(err, ERROR_USAGE,
			  "there is no format '%s'; worth judge --formats lists them", name);
	return NULL;
}

static bool is_binary(const struct head *head)
{
	return memchr(head->bytes, '\0', head->length) != NULL;
}

/* UTF-16 without a mark: every second byte of Latin text is 0, and no other. */
static bool is_utf16(const struct head *head)
{
	size_t zeros[2] = { 0, 0 }, half = head->length / 2, i;

	for (i = 0; i < head->length; i++)
		zeros[i % 2] += head->bytes[i] == '\0';
	return half > 8 &&
	       ((zeros[0] == 0 && zeros[1] > half / 2) || (zeros[1] == 0 && zeros[0] > half / 2));
}

/* What unpacks a compressed file; NULL for any other. */
static const char *unpacker_of(const struct head *head)
{
	static const struct {
		const char *begin, *unpacker;
	} kinds[] = {
		{ "\x1f\x8b", "zcat" },
		{ "\xfd"
		  "7zXZ",
		  "xzcat" },
		{ "\x28\xb5\x2f\xfd", "zstdcat" },
		{ "BZh", "bzcat" },
		{ "PK\x03\x04", "unzip -p" },
	};
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (head->length > strlen(kinds[i].begin) &&
		    memcmp(head->bytes, kinds[i].begin, strlen(kinds[i].begin)) == 0)
			return kinds[i].unpacker;
	return NULL;
}

/* Lines as they ended before Mac OS X. */
static bool ends_in_returns(const struct head *head)
{
	return memchr(head->bytes, '\r', head->length) != NULL &&
	       memchr(head->bytes, '\n', head->length) == NULL;
}

/* What a tool writes for people only, and how it writes the same as data. */
static const char *better_form(const struct head *head)
{
	static const struct {
		const char *signs[2], *advice;
	} forms[] = {
		{ { ": (groupid=", "clat (" },
		  "fio's report for people; fio --output-format=json writes what can be read" },
		{ { "| Command | Mean [", NULL },
		  "hyperfine's table for people; --export-json has the runs themselves" },
		{ { "CPU", "   Iterations\n" },
		  "Google Benchmark's report for people; --benchmark_format=json writes what can "
		  "be "
		  "read" },
		{ { "Benchmark", "Mode  Cnt" },
		  "JMH's report for people; -rf json writes what can be read" },
		{ { "Name (time in ", "StdDev" },
		  "pytest-benchmark's report for people; --benchmark-json=FILE writes what can be "
		  "read" },
	};
	size_t i;

	for (i = 0; i < sizeof forms / sizeof *forms; i++)
		if (head_has(head, forms[i].signs[0]) &&
		    (forms[i].signs[1] == NULL || head_has(head, forms[i].signs[1])))
			return forms[i].advice;
	return NULL;
}

/* Why no format claims the head. */
static void say_unknown(const char *name, const struct head *head, struct error *err)
{
	const char *const hint = "worth judge --formats lists what can be read";

	if (head->directory)
		error_set(err, ERROR_INPUT,
			  "%s is a directory, and not one of results; name a file, or criterion's "
			  "target/criterion",
			  name);
	else if (head->length == 0)
		error_set(err, ERROR_INPUT, "%s is empty; expected a tool's results", name);
	else if (head->length >= 2 && (memcmp(head->bytes, "\xff\xfe", 2) == 0 ||
				       memcmp(head->bytes, "\xfe\xff", 2) == 0 || is_utf16(head)))
		error_set(err, ERROR_INPUT,
			  "%s, line 1: the text is UTF-16; expected UTF-8 (iconv -f utf-16 -t "
			  "utf-8 makes it so)",
			  name);
	else if (unpacker_of(head) != NULL)
		error_set(err, ERROR_INPUT,
			  "%s is compressed; expected a tool's results as text or JSON (%s unpacks "
			  "it, and - or <(%s ...) reads what comes out)",
			  name, unpacker_of(head), unpacker_of(head));
	else if (is_binary(head))
		error_set(err, ERROR_INPUT,
			  "%s is a binary file; expected a tool's results as "
			  "text or JSON",
			  name);
	else if (ends_in_returns(head))
		error_set(err, ERROR_INPUT,
			  "%s, line 1: its lines end in CR alone; expected LF or CR LF (tr '\\r' "
			  "'\\n' makes it so)",
			  name);
	else if (better_form(head) != NULL)
		error_set(err, ERROR_INPUT, "%s looks like %s", name, better_form(head));
	else
		error_set(err, ERROR_INPUT,
			  "%s is in no format that worth knows; %s, and --format forces one", name,
			  hint);
}

/* In which lines of the head a format finds results: *lines[n] for line n, up to *count. In arena;
 * false if it finds none, or does not say where. */
static bool result_lines(struct arena *arena, const struct format *format, const struct head *head,
			 bool **lines, size_t *count)
{
	struct input *input = input_from_bytes("", head->bytes, head->length);
	struct results *results = results_open();
	struct error err = { 0 };
	bool any = false;
	size_t i, k;

	*count = 1;
	for (i = 0; i < head->length; i++)
		*count += head->bytes[i] == '\n';
	*lines = arena_alloc(arena, *count + 1, sizeof **lines);
	if (format->read(input, results, &err)) {
		for (i = 0; i < results_column_count(results); i++) {
			const struct results_column *column = results_column_at(results, i);

			for (k = 0; column->lines != NULL && k < column->count; k++)
				if (column->lines[k] > 0 && column->lines[k] <= *count)
					any = (*lines)[column->lines[k]] = true;
			if (column->summary_line > 0 && column->summary_line <= *count)
				any = (*lines)[column->summary_line] = true;
		}
	}
	results_close(results);
	input_close(input);
	return any;
}

static size_t first_of(const bool *lines, size_t count)
{
	size_t i;

	for (i = 1; i <= count; i++)
		if (lines[i])
			return i;
	return 0;
}

/* " (line 9)" */
static const char *where(struct arena *arena, const struct format *format, const struct head *head)
{
	bool *lines;
	size_t count;

	if (!result_lines(arena, format, head, &lines, &count))
		return "";
	return arena_printf(arena, " (line %zu)", first_of(lines, count));
}

static void say_two(const char *name, const struct head *head, const struct format *one,
		    const struct format *other, struct error *err)
{
	struct arena *arena = arena_open();

	error_set(err, ERROR_INPUT,
		  "%s holds results in two formats, %s%s and %s%s; choose one with --format", name,
		  one->name, where(arena, one, head), other->name, where(arena, other, head));
	arena_close(arena);
}

/* What another format would have read in lines that the chosen one passed over is told: half of a
 * file must not be missing in silence. */
static void remark_others(const struct head *head, const struct format *chosen,
			  struct results *results)
{
	struct arena *arena = arena_open();
	bool *taken, *lines;
	size_t count, i, k;

	if (!result_lines(arena, chosen, head, &taken, &count)) {
		arena_close(arena);
		return;
	}
	for (i = 0; i < FORMAT_COUNT; i++) {
		const struct format *other = format_table[i];

		if (other == chosen || other->score(head) < SCORE_LIKELY ||
		    !result_lines(arena, other, head, &lines, &count))
			continue;
		for (k = 1; k <= count; k++)
			lines[k] = lines[k] && !taken[k];
		if (first_of(lines, count) > 0)
			results_remark(results,
				       "results in another format, %s, from line %zu on were not "
				       "read: --format %s reads those instead",
				       other->name, first_of(lines, count), other->name);
	}
	arena_close(arena);
}

const struct format *format_detect(const char *name, const struct head *head, struct error *err)
{
	const struct format *best = NULL, *rival = NULL;
	int best_score = SCORE_NO;
	size_t i;

	for (i = 0; i < FORMAT_COUNT; i++) {
		int score = format_table[i]->score(head);

		if (score == SCORE_NO || score < best_score)
			continue;
		rival = score == best_score ? best : NULL;
		best = format_table[i];
		best_score = score;
	}
	if (best == NULL) {
		say_unknown(name, head, err);
		return NULL;
	}
	if (rival != NULL) {
		say_two(name, head, rival, best, err);
		return NULL;
	}
	return best;
}

static bool has_results(const struct results *results)
{
	size_t i;

	for (i = 0; i < results_column_count(results); i++)
		if (results_column_at(results, i)->count > 0 ||
		    results_column_at(results, i)->summarized)
			return true;
	return false;
}

static const struct format *detect(struct input *input, struct head *head, struct results *results,
				   struct error *err)
{
	struct arena *arena = arena_open();
	struct page page = { 0 };
	const struct format *format;

	page_from_bytes(arena, head->bytes, head->length, &page);
	head->page = &page;
	format = format_detect(input_name(input), head, err);
	if (format != NULL && head->length > 0)
		remark_others(head, format, results);
	head->page = NULL;
	arena_close(arena);
	return format;
}

bool format_read(struct input *input, const struct format *format, struct results *results,
		 const struct format **found, struct error *err)
{
	struct head head = { .path = input_path(input), .directory = input_is_directory(input) };
	struct error own = { 0 };

	if (err == NULL)
		err = &own;
	if (!input_peek(input, &head.bytes, &head.length, &head.whole, err))
		return false;
	if (format == NULL)
		format = detect(input, &head, results, err);
	if (format == NULL)
		return false;
	*found = format;
	if (!format->read(input, results, err))
		return false;
	if (!has_results(results))
		return input_error(input, 0, err, "no result found; expected %s", format->expects);
	return true;
}

bool head_has(const struct head *head, const char *words)
{
	return head->length > 0 && memmem(head->bytes, head->length, words, strlen(words)) != NULL;
}

bool head_begins(const struct head *head, const char *words)
{
	const char *bytes = head->bytes;
	size_t length = head->length, count = strlen(words);

	if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
		bytes += 3;
		length -= 3;
	}
	while (length > 0 && strchr(" \t\r\n", *bytes) != NULL) {
		bytes++;
		length--;
	}
	return length >= count && memcmp(bytes, words, count) == 0;
}
