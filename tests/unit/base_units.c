/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quantities: what is read, what is refused with which words, and printing at the boundaries.
 * All of it runs in a locale with decimal commas where there is one. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "unit.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static void durations_are_read(void **state)
{
	static const struct {
		const char *word;
		int64_t ns;
	} cases[] = {
		{ "0", 0 },
		{ "0.0", 0 },
		{ "0s", 0 },
		{ "300ms", 300000000 },
		{ "5s", 5000000000 },
		{ "1.5 min", 90000000000 },
		{ "2h", 7200000000000 },
		{ "1ns", 1 },
		{ "7us", 7000 },
		{ "7\xC2\xB5s", 7000 },
		{ "7\xCE\xBCs", 7000 },
		{ "1m", 60000000000 },
		{ "1d", 86400000000000 },
		{ ".5s", 500000000 },
		{ "1.s", 1000000000 },
		{ "1e3ms", 1000000000 },
		{ "1E-3s", 1000000 },
		{ "0.1s", 100000000 },
		{ "0.6ns", 1 },
		{ "00005s", 5000000000 },
		{ "9223372036854775807ns", INT64_MAX },
		{ "9007199254740993ns", 9007199254740993 }, /* more than a double holds */
		{ "106751d", 9223286400000000000 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct error err = { 0 };
		int64_t ns = -1;

		if (!units_parse_duration(cases[i].word, &ns, &err))
			fail_msg("%s: %s", cases[i].word, err.sentence);
		assert_true(ns == cases[i].ns);
	}
}

static void bytes_are_read(void **state)
{
	static const struct {
		const char *word;
		uint64_t bytes;
	} cases[] = {
		{ "0", 0 },
		{ "4096", 4096 },
		{ "4096B", 4096 },
		{ "64k", 65536 },
		{ "64K", 65536 },
		{ "64KiB", 65536 },
		{ "64kiB", 65536 },
		{ "64kB", 64000 },
		{ "64KB", 64000 },
		{ "64 KiB", 65536 },
		{ "1M", 1048576 },
		{ "1MiB", 1048576 },
		{ "1MB", 1000000 },
		{ "2g", 2147483648 },
		{ "2GiB", 2147483648 },
		{ "2GB", 2000000000 },
		{ "1T", 1099511627776 },
		{ "1TB", 1000000000000 },
		{ "1.5k", 1536 },
		{ "1.3k", 1331 },
		{ "18446744073709551615", UINT64_MAX },
		{ "18446744073709551615B", UINT64_MAX },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct error err = { 0 };
		uint64_t bytes = 1;

		if (!units_parse_bytes(cases[i].word, &bytes, &err))
			fail_msg("%s: %s", cases[i].word, err.sentence);
		assert_true(bytes == cases[i].bytes);
	}
}

static void percentages_and_numbers_are_read(void **state)
{
	static const struct {
		const char *word;
		double number;
	} percents[] = { { "1%", 0.01 },     { "0.5 %", 0.005 }, { "0%", 0 },	 { "0", 0 },
			 { "100%", 1 },	     { "250%", 2.5 },	 { "1e1%", .1 }, { "0.1%", 0.001 },
			 { "33.3%", 0.333 }, { "7%", 0.07 } },
	  numbers[] = { { "0.95", 0.95 },
			{ "1e-3", 0.001 },
			{ "-5", -5 },
			{ "-.5", -0.5 },
			{ "0", 0 },
			{ "1e308", 1e308 },
			{ "4.9e-324", 4.9e-324 },
			{ "123456789.123456789", 123456789.123456789 },
			{ "0.1", 0.1 },
			{ "17976931348623157e292", DBL_MAX } };
	double number;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(percents); i++) {
		number = -1;
		assert_true(units_parse_percent(percents[i].word, &number, NULL));
		assert_true(number == percents[i].number);
	}
	for (i = 0; i < COUNT_OF(numbers); i++) {
		number = -1;
		assert_true(units_parse_number(numbers[i].word, &number, NULL));
		assert_true(number == numbers[i].number);
	}
	assert_true(units_parse_number("-0", &number, NULL));
	assert_true(number == 0 && !signbit(number));
}

/* The families of words that no quantity is, whatever the kind. */
static const char *const hostile[] = {
	"",
	" ",
	"nan",
	"NaN",
	"NAN(1)%",
	"inf",
	"-inf",
	"Infinity",
	"infs",
	"-1s",
	"-1",
	"+1s",
	"-0.5%",
	"+1",
	"--1",
	"0x10",
	"0x10s",
	"0x1p3",
	"1e400",
	"1e400s",
	"1e400%",
	"1e99999999999999999999s",
	"1,5s",
	"1,5",
	"1,5%",
	"1.2.3s",
	" 5s",
	"\t5s",
	" 5",
	" 5%",
	"5s ",
	"5 ",
	"5% ",
	"5ss",
	"5s5s",
	"5%%",
	"5s;rm",
	"five",
	"s",
	"%",
	".",
	".s",
	"e5",
	"e5s",
	".e1",
	"5 sec onds",
	"\xD9\xA5",
	"5\xC2\xA0s",
	"\xEF\xBC\x95",
	"5\n",
	"5s\n",
	"5%\n",
	"1'000",
	"1_000s",
	"\xFF",
	"5\xFFs",
	"1e-400",
	"1e-400s",
	"1e-400%",
	"1e",
	"1e+s",
	"$5",
};

static void nonsense_is_refused_and_leaves_the_value(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(hostile); i++) {
		struct error err = { 0 };
		int64_t ns = 77;
		uint64_t bytes = 77, count = 77;
		double number = 77;
		const char *word = hostile[i];

		if (units_parse_duration(word, &ns, &err) || ns != 77 || err.sentence[0] == '\0')
			fail_msg("'%s' is a duration", word);
		err.sentence[0] = '\0';
		if (units_parse_bytes(word, &bytes, &err) || bytes != 77 || err.sentence[0] == '\0')
			fail_msg("'%s' is bytes", word);
		err.sentence[0] = '\0';
		if (units_parse_percent(word, &number, &err) || number != 77 ||
		    err.sentence[0] == '\0')
			fail_msg("'%s' is a percentage", word);
		err.sentence[0] = '\0';
		if (units_parse_count(word, 0, 100, &count, &err) || count != 77 ||
		    err.sentence[0] == '\0')
			fail_msg("'%s' is a count", word);
		err.sentence[0] = '\0';
		/* "-1" is the one number among them. */
		if (strcmp(word, "-1") != 0 && (units_parse_number(word, &number, &err) ||
						number != 77 || err.sentence[0] == '\0'))
			fail_msg("'%s' is a number", word);
		assert_int_equal(err.kind, ERROR_USAGE);
	}
}

static void units_of_another_kind_are_refused(void **state)
{
	static const char *const no_duration[] = { "5",
						   "5%",
						   "5B",
						   "5k",
						   "5S",
						   "5Ms",
						   "5sec",
						   "5 hours",
						   "1y",
						   "1e3",
						   "9223372036854775808ns",
						   "106752d",
						   "1e300h",
						   "0.1ns",
						   "0.4ns" },
				 *const no_bytes[] = { "5s",	    "5%",
						       "5b",	    "5Kb",
						       "5mb",	    "5KIB",
						       "5X",	    "18446744073709551616",
						       "16777216T", "1e40",
						       "0.3",	    "0.4B",
						       "5i" },
				 *const no_percent[] = { "5",	     "0.05",  "5s",  "5pp",
							 "5percent", "5 % x", "1e-5" };
	int64_t ns;
	uint64_t bytes;
	double ratio;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(no_duration); i++)
		if (units_parse_duration(no_duration[i], &ns, NULL))
			fail_msg("'%s' is a duration", no_duration[i]);
	for (i = 0; i < COUNT_OF(no_bytes); i++)
		if (units_parse_bytes(no_bytes[i], &bytes, NULL))
			fail_msg("'%s' is bytes", no_bytes[i]);
	for (i = 0; i < COUNT_OF(no_percent); i++)
		if (units_parse_percent(no_percent[i], &ratio, NULL))
			fail_msg("'%s' is a percentage", no_percent[i]);
}

static void counts_keep_their_bounds(void **state)
{
	struct error err = { 0 };
	uint64_t count = 0;

	(void)state;
	assert_true(units_parse_count("1", 1, 80, &count, &err) && count == 1);
	assert_true(units_parse_count("80", 1, 80, &count, &err) && count == 80);
	assert_true(units_parse_count("007", 1, 80, &count, &err) && count == 7);
	assert_true(units_parse_count("18446744073709551615", 0, UINT64_MAX, &count, &err) &&
		    count == UINT64_MAX);
	assert_false(units_parse_count("0", 1, 80, &count, &err));
	assert_string_equal(err.sentence, "'0' is no whole number from 1 to 80");
	assert_false(units_parse_count("81", 1, 80, &count, &err));
	assert_false(units_parse_count("1.0", 1, 80, &count, &err));
	assert_false(units_parse_count("1e1", 1, 80, &count, &err));
	assert_false(units_parse_count("8 ", 1, 80, &count, &err));
	assert_false(units_parse_count("1,000", 1, 8000, &count, &err));
	assert_false(units_parse_count("18446744073709551616", 1, UINT64_MAX, &count, &err));
	assert_string_equal(err.sentence, "'18446744073709551616' is no whole number of 1 or more");
	assert_false(units_parse_count("99999999999999999999999", 0, 80, &count, &err));
	assert_true(count == UINT64_MAX);
}

static void sentences_say_what_to_write(void **state)
{
	struct error err;
	char longest[5000];
	int64_t ns;
	uint64_t bytes;
	double number;

	(void)state;
	units_parse_duration("5", &ns, &err);
	assert_string_equal(err.sentence,
			    "'5' has no unit: write a duration, for instance 300ms, 5s or 2min");
	units_parse_duration("5 parsecs", &ns, &err);
	assert_string_equal(err.sentence, "'5 parsecs' has the unknown unit 'parsecs': write a "
					  "duration, for instance 300ms, 5s or 2min");
	units_parse_duration("-5s", &ns, &err);
	assert_string_equal(err.sentence,
			    "'-5s' has a sign: write a duration, for instance 300ms, 5s or 2min");
	units_parse_percent("0,5%", &number, &err);
	assert_string_equal(err.sentence, "'0,5%' has a comma (decimals follow a point): write a "
					  "percentage, for instance 1% or 0.5%");
	units_parse_percent("1", &number, &err);
	assert_string_equal(err.sentence,
			    "'1' has no unit: write a percentage, for instance 1% or 0.5%");
	units_parse_percent("nan", &number, &err);
	assert_string_equal(
	    err.sentence,
	    "'nan' is no decimal number: write a percentage, for instance 1% or 0.5%");
	units_parse_bytes("99999999T", &bytes, &err);
	assert_string_equal(err.sentence, "'99999999T' is too large: write a number of bytes, for "
					  "instance 4096, 64k, 1MiB or 1MB");
	units_parse_bytes("8 ", &bytes, &err);
	assert_string_equal(err.sentence, "'8 ' ends in a blank: write a number of bytes, for "
					  "instance 4096, 64k, 1MiB or 1MB");
	units_parse_number("1e3x", &number, &err);
	assert_string_equal(err.sentence, "'1e3x' goes on with 'x' behind the number: write only "
					  "a number, for instance 0.95 or 1e-3");
	units_parse_number("1\x1B[2J", &number, &err);
	assert_non_null(strstr(err.sentence, "\\x1B[2J"));
	assert_null(strchr(err.sentence, '\x1B'));
	memset(longest, '9', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	assert_false(units_parse_duration(longest, &ns, &err));
	assert_true(strlen(err.sentence) < 200);
}

static void values_take_their_scale(void **state)
{
	static const struct {
		double value;
		const char *unit;
		int significant;
		const char *shown;
	} cases[] = {
		{ 0.1476, "s", 4, "147.6 ms" },
		{ 0, "s", 4, "0 s" },
		{ -0.0, "s", 4, "0 s" },
		{ NAN, "s", 4, "-" },
		{ NAN, "", 4, "-" },
		{ INFINITY, "s", 4, "inf s" },
		{ 0.99994, "s", 4, "999.9 ms" },
		{ 0.99995, "s", 4, "1.000 s" }, /* would be 1000 ms */
		{ 0.99996, "s", 4, "1.000 s" },
		{ 0.9996, "s", 3, "1.00 s" },
		{ 1, "s", 4, "1.000 s" },
		{ 0.00099996, "s", 4, "1.000 ms" },
		{ 1e-9, "s", 4, "1.000 ns" },
		{ 2.5e-10, "s", 4, "0.2500 ns" },
		{ 90.123, "s", 4, "90.12 s" },
		{ 599.94, "s", 4, "599.9 s" },
		{ 600, "s", 4, "10.00 min" },
		{ 599.99, "s", 4, "10.00 min" },
		{ 86400, "s", 4, "1,440 min" },
		{ -0.1476, "s", 4, "-147.6 ms" },
		{ 0.0015, "s", 2, "1.5 ms" },
		{ 1e300, "s", 4, "1.667e+298 min" },
		{ 1e-300, "s", 4, "1.000e-291 ns" },
		{ DBL_MAX, "s", 4, "2.996e+306 min" },
		{ 1023, "B", 4, "1,023 B" },
		{ 512, "B", 4, "512 B" },
		{ 1024, "B", 4, "1.000 KiB" },
		{ 1023.9 * 1024, "B", 4, "1,024 KiB" },
		{ 1023.96 * 1024, "B", 4, "1.000 MiB" },
		{ 43201331, "B", 4, "41.20 MiB" },
		{ 43201331, "B", 3, "41.2 MiB" },
		{ 1024.0 * 1024 * 1024, "B", 4, "1.000 GiB" },
		{ 5e12, "B", 4, "4.547 TiB" },
		{ 1e19, "B", 4, "9,094,947 TiB" },
		{ 0, "B", 4, "0 B" },
		{ 0.25, "B", 4, "0.2500 B" },
		{ 12345, "", 4, "12,345" },
		{ 99999, "", 4, "99,999" },
		{ 99999.4, "", 4, "99,999" },
		{ 99999.6, "", 4, "100.0 k" },
		{ 100000, "", 4, "100.0 k" },
		{ 999960, "", 4, "1.000 M" },
		{ 3.52e9, "Hz", 4, "3.520 GHz" },
		{ 3.52e9, "requests", 4, "3.520 G requests" },
		{ 3.52e9, "", 4, "3.520 G" },
		{ 123456, "B/s", 4, "123.5 kB/s" },
		{ 5, "", 4, "5" },
		{ 5.25, "", 4, "5.250" },
		{ 5, "requests", 4, "5 requests" },
		{ -7, "", 4, "-7" },
		{ 0.00001234, "", 4, "0.00001234" },
		{ 0.000001234, "", 4, "1.234e-06" },
		{ 0.00123, "", 4, "0.001230" },
		{ 1e300, "", 4, "1.000e+291 G" },
		{ 998.96, "", 4, "999.0" },
		{ 999.96, "", 4, "1,000" },
		{ 999.95, "", 4, "1,000" }, /* 999.95000000000004547 */
	};
	struct arena *arena = arena_open();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(
		    units_value(arena, cases[i].value, cases[i].unit, cases[i].significant),
		    cases[i].shown);
	arena_close(arena);
}

static void one_scale_serves_a_table(void **state)
{
	struct unit_scale scale = units_scale("s", 0.15);

	(void)state;
	assert_string_equal(scale.suffix, "ms");
	assert_true(scale.factor == 1e3 && !scale.prefix);
	assert_string_equal(units_scale("s", -0.15).suffix, "ms");
	assert_string_equal(units_scale("s", 2e-7).suffix, "ns");
	assert_true(units_scale("s", 2e-7).factor == 1e9);
	assert_string_equal(units_scale("s", 0).suffix, "s");
	assert_string_equal(units_scale("s", NAN).suffix, "s");
	assert_string_equal(units_scale("s", INFINITY).suffix, "s");
	assert_string_equal(units_scale("s", 1e308).suffix, "min");
	assert_string_equal(units_scale("s", DBL_TRUE_MIN).suffix, "ns");
	assert_string_equal(units_scale("B", 1 << 20).suffix, "MiB");
	assert_true(units_scale("B", 1 << 20).factor == 0x1p-20);
	assert_string_equal(units_scale("", 5e6).suffix, "M");
	assert_true(units_scale("", 5e6).prefix);
	assert_string_equal(units_scale("ops", 99999).suffix, "ops");
	assert_false(units_scale("ops", 99999).prefix);
}

static void exact_values_keep_all_digits(void **state)
{
	struct arena *arena = arena_open();

	(void)state;
	assert_string_equal(units_exact(arena, 1807824, "B"), "1,807,824 B");
	assert_string_equal(units_exact(arena, 0, "B"), "0 B");
	assert_string_equal(units_exact(arena, -0.0, "B"), "0 B");
	assert_string_equal(units_exact(arena, 999, ""), "999");
	assert_string_equal(units_exact(arena, 1000, ""), "1,000");
	assert_string_equal(units_exact(arena, -10716, "B"), "-10,716 B");
	assert_string_equal(units_exact(arena, 9007199254740992, ""), "9,007,199,254,740,992");
	assert_string_equal(units_exact(arena, 0.125, "s"), "0.125 s");
	assert_string_equal(units_exact(arena, 1e300, ""), "1.0000000000000001e+300");
	assert_string_equal(units_exact(arena, NAN, "B"), "-");
	assert_string_equal(units_count(arena, 1797108), "1,797,108");
	assert_string_equal(units_count(arena, 0), "0");
	assert_string_equal(units_count(arena, -999), "-999");
	assert_string_equal(units_count(arena, -1000), "-1,000");
	assert_string_equal(units_count(arena, INT64_MAX), "9,223,372,036,854,775,807");
	assert_string_equal(units_count(arena, INT64_MIN), "-9,223,372,036,854,775,808");
	assert_string_equal(units_decimal(arena, 1234.567, 1), "1,234.6");
	assert_string_equal(units_decimal(arena, -0.001, 2), "0.00");
	assert_string_equal(units_decimal(arena, -0.0, 0), "0");
	assert_string_equal(units_decimal(arena, -0.5, 1), "-0.5");
	assert_string_equal(units_decimal(arena, NAN, 1), "-");
	assert_string_equal(units_decimal(arena, -INFINITY, 1), "-inf");
	assert_string_equal(units_decimal(arena, 999999999999999, 1), "999,999,999,999,999.0");
	assert_string_equal(units_decimal(arena, DBL_MAX, 3), "1.798e+308");
	arena_close(arena);
}

static void changes_carry_their_sign(void **state)
{
	static const struct {
		double ratio;
		const char *shown;
	} cases[] = {
		{ 0.006, "+0.60%" },	    { -0.0205, "-2.05%" },
		{ 0.02, "+2.00%" },	    { 0, "0.00%" },
		{ -0.0, "0.00%" },	    { 1e-9, "+0.00%" },
		{ -1e-9, "-0.00%" },	    { 0.09994, "+9.99%" },
		{ 0.09996, "+10.0%" },	    { -0.09996, "-10.0%" },
		{ 0.1234, "+12.3%" },	    { 0.99949, "+99.9%" },
		{ 0.9996, "+100%" },	    { -1, "-100%" },
		{ 12.34, "+1,234%" },	    { NAN, "-" },
		{ INFINITY, "+inf%" },	    { -INFINITY, "-inf%" },
		{ 1e20, "+1.00e+22%" },	    { DBL_MAX, "+inf%" },
		{ DBL_TRUE_MIN, "+0.00%" }, { 0.0000499, "+0.00%" },
		{ 0.0000501, "+0.01%" },
	};
	struct arena *arena = arena_open();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(units_change(arena, cases[i].ratio), cases[i].shown);
	arena_close(arena);
}

static void shares_read_well(void **state)
{
	static const struct {
		double ratio;
		const char *shown;
	} cases[] = {
		{ 0.01, "1%" },		{ 0.005, "0.5%" },     { 0.123, "12.3%" },
		{ 0.95, "95%" },	{ 1, "100%" },	       { 0.9999, "99.99%" },
		{ 0.99999, "99.999%" }, { 0, "0%" },	       { 0.07, "7%" },
		{ 1.0 / 3, "33.33%" },	{ 0.00001, "0.001%" }, { NAN, "-" },
		{ 12.5, "1250%" },	{ -0.01, "-1%" },      { 1e-12, "0.0000000001%" },
		{ 1e-300, "1e-298%" },	{ INFINITY, "inf%" },
	};
	struct arena *arena = arena_open();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(units_percent(arena, cases[i].ratio), cases[i].shown);
	/* The largest double below 1 is not all. */
	assert_string_not_equal(units_percent(arena, 1 - DBL_EPSILON), "100%");
	arena_close(arena);
}

static void durations_read_well(void **state)
{
	static const struct {
		int64_t ns;
		const char *shown;
	} cases[] = {
		{ 0, "0 s" },
		{ 1, "1 ns" },
		{ 350000000, "350 ms" },
		{ 1234567, "1.23 ms" },
		{ 999499999, "999 ms" },
		{ 999500000, "1 s" },
		{ 1250000000, "1.25 s" },
		{ 1500000000, "1.5 s" },
		{ 9994000000, "9.99 s" },
		{ 9996000000, "10 s" },
		{ 58400000000, "58 s" },
		{ 59600000000, "1 min" },
		{ 60000000000, "1 min" },
		{ 90000000000, "1 min 30 s" },
		{ 120000000000, "2 min" },
		{ 300000000000, "5 min" },
		{ 599600000000, "10 min" },
		{ 640000000000, "11 min" },
		{ 3600000000000, "1 h" },
		{ 3580000000000, "1 h" },
		{ 3900000000000, "1 h 5 min" },
		{ 86400000000000, "1 d" },
		{ 97200000000000, "1 d 3 h" },
		{ -1500000000, "-1.5 s" },
	};
	struct arena *arena = arena_open();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(units_duration(arena, cases[i].ns), cases[i].shown);
	assert_string_equal(units_duration(arena, INT64_MAX), "106752 d");
	assert_string_equal(units_duration(arena, INT64_MIN), "-106752 d");
	arena_close(arena);
}

/* What prints reads back as the same duration, where nothing was rounded away. */
static void printed_durations_read_back(void **state)
{
	static const int64_t durations[] = { 0,		 1,	     999,
					     1000,	 350000000,  1250000,
					     2000000000, 9990000000, 300000000000 };
	struct arena *arena = arena_open();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(durations); i++) {
		int64_t ns = -1;

		assert_true(units_parse_duration(units_duration(arena, durations[i]), &ns, NULL));
		assert_true(ns == durations[i]);
	}
	arena_close(arena);
}

static bool has_comma(const char *name)
{
	return setlocale(LC_ALL, name) != NULL && strcmp(localeconv()->decimal_point, ",") == 0;
}

/* A locale that writes 0,5: an installed one, or one made in directory. */
static const char *find_comma_locale(const char *directory)
{
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE",
					     "ru_RU.UTF-8" };
	char command[200];
	size_t i;

	for (i = 0; i < COUNT_OF(names); i++)
		if (has_comma(names[i]))
			return names[i];
	snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
		 directory);
	if (system(command) != 0)
		return NULL;
	setenv("LOCPATH", directory, 1);
	return has_comma(names[0]) ? names[0] : NULL;
}

/* main() has set a locale that writes 0,5. */
static void the_locale_changes_nothing(void **state)
{
	struct arena *arena = arena_open();
	double number = 0;

	(void)state;
	assert_string_equal(localeconv()->decimal_point, ",");
	assert_true(units_parse_number("0.5", &number, NULL) && number == 0.5);
	assert_false(units_parse_number("0,5", &number, NULL));
	assert_string_equal(units_value(arena, 0.1476, "s", 4), "147.6 ms");
	assert_string_equal(units_change(arena, 0.006), "+0.60%");
	assert_string_equal(units_value(arena, 0.99996, "s", 4), "1.000 s");
	assert_string_equal(units_decimal(arena, 1234.5, 1), "1,234.5");
	/* And the locale is still there. */
	assert_string_equal(localeconv()->decimal_point, ",");
	arena_close(arena);
}

int main(void)
{
	char directory[] = "/tmp/worth-locale-XXXXXX", command[100];
	const char *locale = mkdtemp(directory) == NULL ? NULL : find_comma_locale(directory);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_are_read),
		cmocka_unit_test(bytes_are_read),
		cmocka_unit_test(percentages_and_numbers_are_read),
		cmocka_unit_test(nonsense_is_refused_and_leaves_the_value),
		cmocka_unit_test(units_of_another_kind_are_refused),
		cmocka_unit_test(counts_keep_their_bounds),
		cmocka_unit_test(sentences_say_what_to_write),
		cmocka_unit_test(values_take_their_scale),
		cmocka_unit_test(one_scale_serves_a_table),
		cmocka_unit_test(exact_values_keep_all_digits),
		cmocka_unit_test(changes_carry_their_sign),
		cmocka_unit_test(shares_read_well),
		cmocka_unit_test(durations_read_well),
		cmocka_unit_test(printed_durations_read_back),
		unit_test_if(locale != NULL, the_locale_changes_nothing,
			     "no locale with decimal commas"),
	};

	snprintf(command, sizeof command, "rm -r %s", directory);
	if (system(command) != 0)
		return 1;
	return cmocka_run_group_tests_name("base_units", tests, NULL, NULL);
}
