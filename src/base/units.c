/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading quantities. Words are scanned by an own grammar,
 *
 *	number = digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ]
 *
 * (one of the two runs of digits may be missing) and only what fits it goes to
 * strtold, in the C locale: strtold alone would also take "inf", "0x1p3",
 * leading blanks and, by the locale, a decimal comma. long double keeps every
 * whole number below 2^64. Printing is in units_print.c.
 */
#include "base/units.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

struct unit {
	const char *name;
	double factor;
};

/* Both micro signs, U+00B5 and U+03BC, look the same and are typed by someone. */
static const struct unit duration_units[] = {
	{ "ns", 1 },  { "us", 1e3 },   { "\xC2\xB5s", 1e3 }, { "\xCE\xBCs", 1e3 }, { "ms", 1e6 },
	{ "s", 1e9 }, { "min", 60e9 }, { "m", 60e9 },	     { "h", 3600e9 },	   { "d", 86400e9 },
};

static const struct unit byte_units[] = {
	{ "", 1 },	   { "B", 1 },	    { "k", 0x1p10 }, { "K", 0x1p10 },	{ "kiB", 0x1p10 },
	{ "KiB", 0x1p10 }, { "kB", 1e3 },   { "KB", 1e3 },   { "M", 0x1p20 },	{ "m", 0x1p20 },
	{ "MiB", 0x1p20 }, { "MB", 1e6 },   { "G", 0x1p30 }, { "g", 0x1p30 },	{ "GiB", 0x1p30 },
	{ "GB", 1e9 },	   { "T", 0x1p40 }, { "t", 0x1p40 }, { "TiB", 0x1p40 }, { "TB", 1e12 },
};

static const struct unit percent_units[] = { { "%", 1 } };

/* What a quantity must look like, for the sentences. */
struct form {
	const char *noun;    /* "a duration" */
	const char *example; /* "300ms, 5s or 2min" */
	const struct unit *units;
	size_t unit_count;
};

static const struct form duration_form = { "a duration", "300ms, 5s or 2min", duration_units,
					   COUNT_OF(duration_units) };
static const struct form bytes_form = { "a number of bytes", "4096, 64k, 1MiB or 1MB", byte_units,
					COUNT_OF(byte_units) };
static const struct form percent_form = { "a percentage", "1% or 0.5%", percent_units,
					  COUNT_OF(percent_units) };
static const struct form number_form = { "a number", "0.95 or 1e-3", NULL, 0 };

/* The word as a sentence shows it: harmless, and not longer than a line. */
struct shown {
	char word[512];
};

static struct shown show(const char *word)
{
	enum { COLUMNS = 40 };
	struct arena *arena = arena_open();
	struct shown shown;
	char *clean = text_clean(arena, word, strnlen(word, 4 * COLUMNS));

	snprintf(shown.word, sizeof shown.word, "%s", text_fit(arena, clean, COLUMNS));
	arena_close(arena);
	return shown;
}

static bool refuse(const char *word, const struct form *form, const char *why, struct error *err)
{
	return error_set(err, ERROR_USAGE, "'%s' %s: write %s, for instance %s", show(word).word,
			 why, form->noun, form->example);
}

static const char *skip_digits(const char *at)
{
	while (*at >= '0' && *at <= '9')
		at++;
	return at;
}

/* The end of the number at word; word itself if there is none. */
static const char *scan_number(const char *word)
{
	const char *whole = skip_digits(word), *end = whole, *exponent;
	size_t digits = (size_t)(whole - word);

	if (*whole == '.') {
		end = skip_digits(whole + 1);
		digits += (size_t)(end - whole - 1);
	}
	if (digits == 0)
		return word;
	if (*end != 'e' && *end != 'E')
		return end;
	exponent = end + 1;
	if (*exponent == '+' || *exponent == '-')
		exponent++;
	return skip_digits(exponent) == exponent ? end : skip_digits(exponent);
}

/* Whether the number up to end is written with a digit other than 0 before its exponent. */
static bool is_nonzero(const char *word, const char *end)
{
	for (; word < end && *word != 'e' && *word != 'E'; word++)
		if (*word >= '1' && *word <= '9')
			return true;
	return false;
}

/* Why there is no number at word, in words that follow the quoted word. */
static const char *why_no_number(const char *word)
{
	if (*word == '\0')
		return "is empty";
	if (*word == ' ' || *word == '\t')
		return "begins with a blank";
	if (*word == '-' || *word == '+')
		return "has a sign";
	return "is no decimal number";
}

/* word begins with a number, by the grammar above. */
static long double convert(const char *word)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* a constant inside libc */
	long double number = strtold_l(word, NULL, plain);

	freelocale(plain);
	return number;
}

static double convert_double(const char *word)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	double number = strtod_l(word, NULL, plain);

	freelocale(plain);
	return number;
}

/* The number that begins word, which must be finite; *end is set behind it. */
static bool read_number(const char *word, const struct form *form, long double *number,
			const char **end, struct error *err)
{
	*end = scan_number(word);
	if (*end == word)
		return refuse(word, form, why_no_number(word), err);
	*number = convert(word);
	if (!isfinite((double)*number))
		return refuse(word, form, "is too large", err);
	if ((double)*number == 0 && is_nonzero(word, *end))
		return refuse(word, form, "is too small", err);
	return true;
}

static bool refuse_unit(const char *word, const char *rest, const struct form *form,
			struct error *err)
{
	if (*rest == '\0')
		return refuse(word, form, "has no unit", err);
	if (rest[strspn(rest, " ")] == '\0')
		return refuse(word, form, "ends in a blank", err);
	if (*rest == ',')
		return refuse(word, form, "has a comma (decimals follow a point)", err);
	return error_set(err, ERROR_USAGE,
			 "'%s' has the unknown unit '%s': write %s, for instance %s",
			 show(word).word, show(rest).word, form->noun, form->example);
}

/* A number and one of the form's units, blanks between them allowed. 0 needs no unit. */
static bool read_quantity(const char *word, const struct form *form, long double *number,
			  struct error *err)
{
	const char *rest, *unit;
	size_t i;

	if (!read_number(word, form, number, &rest, err))
		return false;
	if (*rest == '\0' && *number == 0)
		return true;
	unit = rest;
	while (*unit == ' ')
		unit++;
	for (i = 0; i < form->unit_count; i++)
		if (strcmp(unit, form->units[i].name) == 0 && (*unit != '\0' || unit == rest)) {
			*number *= form->units[i].factor;
			return true;
		}
	return refuse_unit(word, *unit == '\0' ? rest : unit, form, err);
}

/* The nearest whole number; what is not 0 must not become it. */
static bool read_whole(const char *word, const struct form *form, long double limit,
		       long double *whole, struct error *err)
{
	long double number;

	if (!read_quantity(word, form, &number, err))
		return false;
	*whole = roundl(number);
	if (*whole >= limit)
		return refuse(word, form, "is too large", err);
	if (*whole == 0 && number > 0)
		return refuse(word, form, "is too small", err);
	return true;
}

bool units_parse_duration(const char *word, int64_t *ns, struct error *err)
{
	long double whole;

	if (!read_whole(word, &duration_form, 0x1p63L, &whole, err))
		return false;
	*ns = (int64_t)whole;
	return true;
}

bool units_parse_bytes(const char *word, uint64_t *bytes, struct error *err)
{
	long double whole;

	if (!read_whole(word, &bytes_form, 0x1p64L, &whole, err))
		return false;
	*bytes = (uint64_t)whole;
	return true;
}

bool units_parse_percent(const char *word, double *ratio, struct error *err)
{
	long double percent;

	if (!read_quantity(word, &percent_form, &percent, err))
		return false;
	*ratio = (double)(percent / 100);
	return true;
}

bool units_parse_number(const char *word, double *number, struct error *err)
{
	bool negative = *word == '-';
	const char *rest;
	long double magnitude;

	if (negative && scan_number(word + 1) == word + 1)
		return refuse(word, &number_form, why_no_number(word + 1), err);
	if (!read_number(word + negative, &number_form, &magnitude, &rest, err))
		return false;
	if (*rest == ',')
		return refuse(word, &number_form, "has a comma (decimals follow a point)", err);
	if (*rest != '\0')
		return error_set(err, ERROR_USAGE,
				 "'%s' goes on with '%s' behind the number: write only a number, "
				 "for instance %s",
				 show(word).word, show(rest).word, number_form.example);
	/* Not by way of long double: that would round twice. + 0.0 makes "-0" plain 0. */
	*number = convert_double(word) + 0.0;
	return true;
}

static bool refuse_count(const char *word, uint64_t minimum, uint64_t maximum, struct error *err)
{
	if (maximum == UINT64_MAX)
		return error_set(err, ERROR_USAGE, "'%s' is no whole number of %llu or more",
				 show(word).word, (unsigned long long)minimum);
	return error_set(err, ERROR_USAGE, "'%s' is no whole number from %llu to %llu",
			 show(word).word, (unsigned long long)minimum, (unsigned long long)maximum);
}

bool units_parse_count(const char *word, uint64_t minimum, uint64_t maximum, uint64_t *count,
		       struct error *err)
{
	const char *at;
	uint64_t value = 0;

	for (at = word; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
			return refuse_count(word, minimum, maximum, err);
	if (at == word || *at != '\0' || value < minimum || value > maximum)
		return refuse_count(word, minimum, maximum, err);
	*count = value;
	return true;
}
