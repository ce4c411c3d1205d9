/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the formats owe their readers, on small documents; and the figures of a row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/quantity.h"
#include "report/wrap.h"
#include "report/writer.h"
#include "unit.h"

static const char *written(struct document *document, const char *format)
{
	struct look_settings look = { .width = 80 };
	struct text text = { 0 };
	const char *copy;

	writer_by_name(format)->write(document, &look, &text);
	copy = arena_strdup(document->arena, text_string(&text));
	text_release(&text);
	return copy;
}

static struct table *small_table(struct document *document)
{
	static const struct column columns[] = {
		{ .key = "name", .title = "name" },
		{ .key = "value", .title = "value", .align = ALIGN_RIGHT },
		{ .key = "hidden", .audience = AUDIENCE_DATA },
	};

	document->csv_table = "small";
	return document_table(document, "small", columns, 3);
}

static void add(struct document *document, struct table *table, const char *name, double value)
{
	struct cell *cells = table_row(document, table)->cells;

	cells[0] = cell_text(name);
	cells[1] = cell_number("shown", value);
	cells[2] = cell_word(NULL, "h");
}

static void csv_quotes_fields_and_disarms_formulas(void **state)
{
	static const char *const given[][2] = {
		{ "plain", "plain" },
		{ "a,b", "\"a,b\"" },
		{ "say \"x\"", "\"say \"\"x\"\"\"" },
		{ "=1+1", "'=1+1" },
		{ "@x", "'@x" },
		{ "-rf", "'-rf" },
		{ "-12.5e3", "-12.5e3" },
		{ "+7", "+7" },
		{ "-", "'-" },
		{ "=a,b", "\"'=a,b\"" },
		{ " lead", "\" lead\"" },
		{ "", "" },
		{ "-1e", "'-1e" },
	};
	struct arena *arena = arena_open();
	struct document *document;
	const char *expected;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof given / sizeof *given; i++) {
		document = document_make(arena, "test", "test");
		add(document, small_table(document), given[i][0], 0.1);
		expected = arena_printf(arena, "name,value,hidden\n%s,0.1,h\n", given[i][1]);
		assert_string_equal(written(document, "csv"), expected);
	}
	arena_close(arena);
}

static void what_was_not_measured_is_empty_or_null(void **state)
{
	struct arena *arena = arena_open();
	struct document *document = document_make(arena, "test", "test");
	struct table *table = small_table(document);

	(void)state;
	add(document, table, "a", NAN);
	add(document, table, "b", INFINITY);
	assert_string_equal(written(document, "csv"), "name,value,hidden\na,,h\nb,,h\n");
	assert_non_null(strstr(written(document, "json"), "{\"name\":\"a\",\"value\":null,"));
	assert_non_null(strstr(written(document, "json"), "{\"name\":\"b\",\"value\":null,"));
	arena_close(arena);
}

static void numbers_read_back_exactly(void **state)
{
	static const double numbers[] = { 0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308,
					  123456789012 };
	struct arena *arena = arena_open();
	struct document *document;
	const char *csv;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		document = document_make(arena, "test", "test");
		add(document, small_table(document), "a", numbers[i]);
		csv = strstr(written(document, "csv"), "\na,");
		assert_non_null(csv);
		assert_true(strtod(csv + 3, NULL) == numbers[i]);
	}
	arena_close(arena);
}

static void markdown_shows_text_as_it_is(void **state)
{
	struct arena *arena = arena_open();
	struct document *document = document_make(arena, "test", "test");
	const char *markdown;

	(void)state;
	document_sentence(document, NULL, "- no list, <b>no tag</b> & no_emphasis_ *here*");
	document_sentence(document, "run", "a `b` ``c``")->verbatim = true;
	add(document, small_table(document), "a|b", 1);
	markdown = written(document, "markdown");
	assert_non_null(strstr(markdown, "\\- no list, &lt;b&gt;no tag&lt;/b&gt; &amp; "
					 "no_emphasis\\_ \\*here\\*\n"));
	assert_non_null(strstr(markdown, "- **run** ``` a `b` ``c`` ```\n"));
	assert_non_null(strstr(markdown, "| a\\|b | shown |\n"));
	assert_null(strstr(markdown, "hidden"));
	arena_close(arena);
}

static void a_format_is_known_by_its_ending(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_string_equal(writer_by_ending("a/b.md", &err)->name, "markdown");
	assert_string_equal(writer_by_ending("RESULT.JSON", &err)->name, "json");
	assert_string_equal(writer_by_ending("x.tar.csv", &err)->name, "csv");
	assert_string_equal(writer_by_ending("x.txt", &err)->name, "text");
	assert_null(writer_by_ending("results.pdf", &err));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.sentence, "results.pdf"));
	assert_non_null(strstr(err.sentence, ".json"));
	assert_null(writer_by_ending("dir/.md", &err));
	assert_null(writer_by_ending("", &err));
	assert_null(writer_by_name("postscript"));
}

static const char *wrapped(struct arena *arena, const char *string, size_t indent, size_t width)
{
	struct text text = { 0 };
	const char *copy;

	wrap_add(&text, string, 0, indent, width);
	copy = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return copy;
}

static void lines_break_at_spaces_and_only_long_words_inside(void **state)
{
	struct arena *arena = arena_open();

	(void)state;
	assert_string_equal(wrapped(arena, "one two three", 2, 8), "one two\n  three");
	assert_string_equal(wrapped(arena, "one two", 0, 7), "one two");
	assert_string_equal(wrapped(arena, "abcdefghij", 1, 4), "abcd\n efg\n hij");
	assert_string_equal(wrapped(arena, "", 2, 8), "");
	/* Two columns each: two of them fit into five. */
	assert_string_equal(wrapped(arena, "\346\226\207\346\226\207\346\226\207", 0, 5),
			    "\346\226\207\346\226\207\n\346\226\207");
	/* A combining accent stays with its letter. */
	assert_string_equal(wrapped(arena, "aaae\314\201b", 0, 4), "aaae\314\201\nb");
	arena_close(arena);
}

static void a_cell_that_gave_way_stays_whole(void **state)
{
	static const struct column columns[] = {
		{ .key = "name", .title = "name", .shrinks = true },
		{ .key = "value", .title = "value" },
	};
	struct arena *arena = arena_open();
	struct document *document = document_make(arena, "test", "test");
	struct table *table = document_table(document, "t", columns, 2);
	char value[71], name[41];
	struct cell *cells;

	(void)state;
	memset(value, 'v', 70);
	value[70] = '\0';
	memset(name, 'n', 40);
	name[40] = '\0';
	cells = table_row(document, table)->cells;
	cells[0] = cell_text(name);
	cells[1] = cell_text(value);
	assert_string_equal(
	    written(document, "text"),
	    arena_printf(arena, "name      value\n%s\n          %s\n", name, value));
	arena_close(arena);
}

static void a_row_has_the_digits_it_deserves(void **state)
{
	struct arena *arena = arena_open();
	struct quantity quantity = quantity_choose("s", 0.1507, 0.0007, false);

	(void)state;
	assert_string_equal(quantity_with_deviation(arena, &quantity, 0.1507, 0.0015),
			    "150.7 ms (1.5)");
	assert_string_equal(quantity_with_deviation(arena, &quantity, 0.1507, 0), "150.7 ms (0)");
	assert_string_equal(quantity_with_deviation(arena, &quantity, 0.1507, NAN), "150.7 ms");
	assert_string_equal(quantity_with_deviation(arena, &quantity, NAN, 1), "-");
	assert_string_equal(quantity_with_deviation(arena, &quantity, 0.1507, 1e-9),
			    "150.7 ms (<0.1)");
	quantity = quantity_choose("s", 0.1507, 2e-6, false);
	assert_string_equal(quantity_with_deviation(arena, &quantity, 0.1507, 2e-6),
			    "150.700 ms (0.002)");
	quantity = quantity_choose("B", 43201331, 20000, true);
	assert_string_equal(quantity_with_deviation(arena, &quantity, 43201331, 20000), "41.2 MiB");
	quantity = quantity_choose("s", 0.99996, NAN, false);
	assert_string_equal(quantity_value(arena, &quantity, 0.99996), "1.000 s");
	assert_string_equal(quantity_exact(arena, 1807824, "B"), "1,807,824 B");
	assert_string_equal(quantity_exact(arena, INFINITY, "B"), "-");
	arena_close(arena);
}

static void changes_read_as_a_table_shows_them(void **state)
{
	struct arena *arena = arena_open();

	(void)state;
	assert_string_equal(change_cell(arena, -0.0205, false), "-2.05%");
	assert_string_equal(change_cell(arena, NAN, false), "-");
	assert_string_equal(change_cell(arena, INFINITY, false), "-");
	assert_string_equal(change_cell(arena, 100, false), "x101");
	assert_string_equal(change_cell(arena, 17.18, false), "x18.2");
	assert_string_equal(change_cell(arena, 8.99, false), "+899%");
	assert_string_equal(change_cell(arena, -0.999999, false), "x1.00e-06");
	assert_string_equal(change_cell(arena, 4.6e-7, true), "+0.00005%");
	assert_string_equal(change_cell(arena, 0, true), "0.00%");
	assert_string_equal(change_interval(arena, -0.0261, -0.0148), "-2.61 .. -1.48%");
	assert_string_equal(change_interval(arena, -0.0961, 0.115), "-9.6 .. +11.5%");
	assert_string_equal(change_interval(arena, -INFINITY, INFINITY), "unbounded");
	assert_string_equal(change_interval(arena, -INFINITY, 0.0148), "< +1.48%");
	assert_string_equal(change_interval(arena, -0.02, INFINITY), "> -2.00%");
	assert_string_equal(change_interval(arena, NAN, 0), "-");
	assert_string_equal(change_shares(arena, -0.0261, -0.0148), "1.48 and 2.61%");
	assert_string_equal(change_shares(arena, 6.2, 33.78), "7.20 and 34.8 times");
	assert_string_equal(change_share(arena, 17.18), "18.2 times");
	arena_close(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_quotes_fields_and_disarms_formulas),
		cmocka_unit_test(what_was_not_measured_is_empty_or_null),
		cmocka_unit_test(numbers_read_back_exactly),
		cmocka_unit_test(markdown_shows_text_as_it_is),
		cmocka_unit_test(a_format_is_known_by_its_ending),
		cmocka_unit_test(lines_break_at_spaces_and_only_long_words_inside),
		cmocka_unit_test(a_cell_that_gave_way_stays_whole),
		cmocka_unit_test(a_row_has_the_digits_it_deserves),
		cmocka_unit_test(changes_read_as_a_table_shows_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
