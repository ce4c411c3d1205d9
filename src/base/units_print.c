/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Showing quantities. Every number goes through decimal() or exponential(),
 * which print in the C locale whatever the program's is. A scale is chosen by
 * the value after rounding to the digits shown, so that 999.97 ms is 1.000 s
 * and never 1000 ms.
 */
#include "base/units.h"

#include <assert.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

enum {
	HABITUAL_DIGITS = 4,
	LONGEST_DIGITS = 16, /* before the point; longer numbers are shown with an exponent */
	MOST_DECIMALS = 40,
	NUMBER_BYTES = 128, /* those digits, commas among them, decimals and a sign */
};

struct number {
	char digits[NUMBER_BYTES];
};

/* printf with one int and one double, in the C locale. */
static struct number print_plain(const char *format, int precision, double value)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
	struct number number;

	snprintf(number.digits, sizeof number.digits, format, precision, value);
	uselocale(before);
	freelocale(plain);
	return number;
}

/* Only for values below 1e18. */
static struct number decimal(double value, int decimals)
{
	assert(!(fabs(value) >= 1e18) || isinf(value));
	assert(decimals >= 0 && decimals <= MOST_DECIMALS);
	return print_plain("%.*f", decimals, value);
}

static struct number exponential(double value, int decimals)
{
	return print_plain("%.*e", decimals, value);
}

/* Commas between groups of three of the digits before the point; a sign may lead. */
static struct number grouped(struct number plain)
{
	struct number result;
	const char *from = plain.digits;
	char *to = result.digits;
	size_t whole;

	if (*from == '-' || *from == '+')
		*to++ = *from++;
	for (whole = strspn(from, "0123456789"); whole > 0; whole--) {
		*to++ = *from++;
		if (whole % 3 == 1 && whole > 1)
			*to++ = ',';
	}
	snprintf(to, (size_t)(result.digits + sizeof result.digits - to), "%s", from);
	return result;
}

/* 1.500 -> 1.5, 2.000 -> 2. */
static struct number stripped(struct number plain)
{
	size_t length = strlen(plain.digits);

	if (strchr(plain.digits, '.') == NULL)
		return plain;
	while (plain.digits[length - 1] == '0')
		length--;
	if (plain.digits[length - 1] == '.')
		length--;
	plain.digits[length] = '\0';
	return plain;
}

/* Digits before the point that value has once rounded to significant ones; 0 and less below 1:
 * 0.05 gives -1. value is positive and finite. */
static int digits_before_point(double value, int significant)
{
	struct number number = exponential(value, significant - 1);

	return (int)strtol(strchr(number.digits, 'e') + 1, NULL, 10) + 1;
}

/* Whole digits are never rounded away: 12,345 stays so with 4 significant digits. */
static struct number rounded(double value, int significant)
{
	int before, decimals;

	if (value == 0)
		return decimal(0, 0);
	before = digits_before_point(fabs(value), significant);
	if (before > LONGEST_DIGITS || before < -HABITUAL_DIGITS)
		return exponential(value, significant - 1);
	decimals = significant - before;
	return grouped(decimal(value, decimals > 0 ? decimals : 0));
}

/* A step of a ladder of units: the suffix, how many of it one of the unit is, and the digits
 * before the point from which on it serves (0: always). */
struct rung {
	const char *suffix;
	double factor;
	int digits;
};

/* Minutes begin at ten: "90.12 s" says more than "1.502 min". */
static const struct rung time_ladder[] = {
	{ "ns", 1e9, 0 }, { "us", 1e6, 1 }, { "ms", 1e3, 1 }, { "s", 1, 1 }, { "min", 1 / 60.0, 2 }
};
static const struct rung byte_ladder[] = { { "B", 1, 0 },
					   { "KiB", 0x1p-10, 1 },
					   { "MiB", 0x1p-20, 1 },
					   { "GiB", 0x1p-30, 1 },
					   { "TiB", 0x1p-40, 1 } };
static const struct rung plain_ladder[] = { { "k", 1e-3, 0 }, { "M", 1e-6, 1 }, { "G", 1e-9, 1 } };
static const double largest_plain = 99999;

static bool reaches(double magnitude, const struct rung *rung, int significant)
{
	double there = magnitude * rung->factor;

	if (rung->digits == 0 || isinf(there))
		return true;
	return there > 0 && digits_before_point(there, significant) >= rung->digits;
}

/* The highest rung that the magnitude reaches; the first serves all. */
static struct unit_scale climb(const struct rung *ladder, size_t count, double magnitude,
			       int significant)
{
	size_t i = 0;

	while (i + 1 < count && reaches(magnitude, &ladder[i + 1], significant))
		i++;
	return (struct unit_scale){ ladder[i].suffix, ladder[i].factor, false };
}

static struct unit_scale find_scale(const char *unit, double magnitude, int significant)
{
	struct unit_scale scale = { unit, 1, false };

	magnitude = isfinite(magnitude) ? fabs(magnitude) : 0;
	if (strcmp(unit, "s") == 0) {
		/* Nothing is "0 s", not "0 ns". */
		if (magnitude == 0)
			return scale;
		return climb(time_ladder, COUNT_OF(time_ladder), magnitude, significant);
	}
	if (strcmp(unit, "B") == 0)
		return climb(byte_ladder, COUNT_OF(byte_ladder), magnitude, significant);
	if (round(magnitude) <= largest_plain)
		return scale;
	scale = climb(plain_ladder, COUNT_OF(plain_ladder), magnitude, significant);
	scale.prefix = true;
	return scale;
}

struct unit_scale units_scale(const char *unit, double magnitude)
{
	return find_scale(unit, magnitude, HABITUAL_DIGITS);
}

/* "GHz" and "MB/s", but "M requests". */
static const char *prefix_gap(const char *unit)
{
	enum { SYMBOL_BYTES = 4 };

	return strlen(unit) > SYMBOL_BYTES ? " " : "";
}

static char *with_unit(struct arena *arena, const char *digits, struct unit_scale scale,
		       const char *unit)
{
	if (scale.prefix)
		return arena_printf(arena, "%s %s%s%s", digits, scale.suffix, prefix_gap(unit),
				    unit);
	return arena_printf(arena, "%s%s%s", digits, scale.suffix[0] == '\0' ? "" : " ",
			    scale.suffix);
}

char *units_value(struct arena *arena, double value, const char *unit, int significant)
{
	struct unit_scale scale;
	struct number number;

	if (isnan(value))
		return arena_strdup(arena, "-");
	scale = find_scale(unit, value, significant);
	if (isinf(value))
		number = decimal(value, 0);
	else if (scale.factor == 1 && strcmp(unit, "s") != 0 && value == trunc(value) &&
		 fabs(value) < 1e15)
		number = grouped(decimal(value + 0.0, 0)); /* a whole count has no decimals */
	else
		number = rounded(value * scale.factor, significant);
	return with_unit(arena, number.digits, scale, unit);
}

char *units_exact(struct arena *arena, double value, const char *unit)
{
	struct unit_scale scale = { unit, 1, false };
	struct number number;

	if (isnan(value))
		return arena_strdup(arena, "-");
	if (!isfinite(value) || fabs(value) >= 1e18)
		number = print_plain("%.*g", 17, value);
	else if (value == trunc(value))
		number = grouped(decimal(value + 0.0, 0)); /* + 0.0 makes -0 plain 0 */
	else
		number = print_plain("%.*g", 15, value);
	return with_unit(arena, number.digits, scale, unit);
}

char *units_decimal(struct arena *arena, double number, int decimals)
{
	struct number digits;

	if (isnan(number))
		return arena_strdup(arena, "-");
	if (isfinite(number) && fabs(number) >= 1e15)
		return arena_strdup(arena, exponential(number, HABITUAL_DIGITS - 1).digits);
	digits = grouped(decimal(number, decimals));
	/* What rounds to zero has no sign. */
	if (digits.digits[0] == '-' && strspn(digits.digits + 1, "0.") == strlen(digits.digits + 1))
		return arena_strdup(arena, digits.digits + 1);
	return arena_strdup(arena, digits.digits);
}

/* Two decimals below 10, one below 100, none above, by the rounded number. */
static struct number three_digits(double percent)
{
	struct number number = decimal(percent, 2);

	if (strlen(number.digits) > strlen("9.99"))
		number = decimal(percent, 1);
	if (strlen(number.digits) > strlen("99.9"))
		number = decimal(percent, 0);
	return number;
}

char *units_change(struct arena *arena, double ratio)
{
	const char *sign = ratio < 0 ? "-" : ratio > 0 ? "+" : "";
	double percent = fabs(ratio) * 100;
	struct number number;

	if (isnan(ratio))
		return arena_strdup(arena, "-");
	if (percent < 1e15)
		number = grouped(three_digits(percent));
	else
		number = isinf(percent) ? decimal(percent, 0) : exponential(percent, 2);
	return arena_printf(arena, "%s%s%%", sign, number.digits);
}

/* 4 significant digits, and as many more as it takes not to call nearly all "100%". */
static struct number share(double percent)
{
	int significant = HABITUAL_DIGITS, decimals;
	struct number number;

	do {
		decimals = significant - digits_before_point(percent, significant);
		number = stripped(decimal(percent, decimals > 0 ? decimals : 0));
	} while (percent < 100 && strcmp(number.digits, "100") == 0 && significant++ < 17);
	return number;
}

char *units_percent(struct arena *arena, double ratio)
{
	double percent = fabs(ratio) * 100;
	const char *sign = ratio < 0 ? "-" : "";

	if (isnan(ratio))
		return arena_strdup(arena, "-");
	if (percent == 0)
		return arena_strdup(arena, "0%");
	if (isinf(percent) || percent < 1e-15 || percent >= 1e15)
		return arena_printf(arena, "%s%s%%", sign, print_plain("%.*g", 4, percent).digits);
	return arena_printf(arena, "%s%s%%", sign, share(percent).digits);
}

char *units_count(struct arena *arena, int64_t count)
{
	struct number number;

	snprintf(number.digits, sizeof number.digits, "%" PRId64, count);
	return arena_strdup(arena, grouped(number).digits);
}

/* "350 ms", "1.25 s": below ten seconds, three digits at most. */
static char *short_duration(struct arena *arena, double seconds)
{
	enum { DIGITS = 3 };
	struct unit_scale scale = find_scale("s", seconds, DIGITS);
	struct number number = stripped(rounded(seconds * scale.factor, DIGITS));

	return arena_printf(arena, "%s %s", number.digits, scale.suffix);
}

/* Two neighbouring units, the second left out where it is zero. */
static char *long_duration(struct arena *arena, uint64_t large, const char *large_unit,
			   uint64_t small, const char *small_unit)
{
	if (small == 0)
		return arena_printf(arena, "%" PRIu64 " %s", large, large_unit);
	return arena_printf(arena, "%" PRIu64 " %s %" PRIu64 " %s", large, large_unit, small,
			    small_unit);
}

static char *duration(struct arena *arena, uint64_t ns)
{
	uint64_t seconds = ns / 1000000000 + (ns % 1000000000 >= 500000000);
	uint64_t minutes = seconds / 60 + (seconds % 60 >= 30);
	uint64_t hours = minutes / 60 + (minutes % 60 >= 30);

	if (ns < 9995000000) /* what rounds to ten with three digits is not below it */
		return short_duration(arena, (double)ns * 1e-9);
	if (seconds < 60)
		return arena_printf(arena, "%" PRIu64 " s", seconds);
	if (seconds < 600)
		return long_duration(arena, seconds / 60, "min", seconds % 60, "s");
	if (minutes < 24 * 60)
		return minutes < 60 ? arena_printf(arena, "%" PRIu64 " min", minutes)
				    : long_duration(arena, minutes / 60, "h", minutes % 60, "min");
	return long_duration(arena, hours / 24, "d", hours % 24, "h");
}

char *units_duration(struct arena *arena, int64_t ns)
{
	if (ns < 0)
		return arena_printf(arena, "-%s", duration(arena, -(uint64_t)ns));
	return duration(arena, (uint64_t)ns);
}
