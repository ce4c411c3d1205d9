/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decimal to binary. Up to 15 digits and a power of ten up to 22 are both exact
 * doubles, so one multiplication or division gives the correctly rounded result
 * (Clinger 1990, "How to read floating point numbers accurately"); all else is
 * left to strtod in the C locale. A 10 million line file spends its time here.
 */
#include "base/decimal.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { EXACT_DIGITS = 15, EXACT_POWER = 22, EXPONENT_MAXIMUM = 100000 };

static const double powers[EXACT_POWER + 1] = {
	1e0,  1e1,  1e2,  1e3,	1e4,  1e5,  1e6,  1e7,	1e8,  1e9,  1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* What the characters say, before any rounding. */
struct parts {
	uint64_t digits; /* the significant digits, if there are at most EXACT_DIGITS */
	int digit_count; /* significant ones: leading zeros do not count */
	int exponent;	 /* number = digits * 10^exponent; also the place of the last digit */
	bool negative;
	size_t length;
};

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Digits from *at on, all taken into parts; returns how many. */
static size_t scan_digits(const char *bytes, size_t length, size_t at, struct parts *parts)
{
	size_t i;

	for (i = at; i < length && is_digit(bytes[i]); i++) {
		if (parts->digit_count < EXACT_DIGITS)
			parts->digits = parts->digits * 10 + (uint64_t)(bytes[i] - '0');
		if (parts->digit_count > 0 || bytes[i] != '0')
			parts->digit_count += parts->digit_count <= EXACT_DIGITS;
	}
	return i - at;
}

/* The exponent at bytes[at], which is 'e' or 'E'; 0 bytes if no digit follows. */
static size_t scan_exponent(const char *bytes, size_t length, size_t at, int *exponent)
{
	size_t i = at + 1;
	bool negative = i < length && bytes[i] == '-';
	int value = 0;

	i += i < length && (bytes[i] == '-' || bytes[i] == '+');
	if (i == length || !is_digit(bytes[i]))
		return 0;
	for (; i < length && is_digit(bytes[i]); i++)
		if (value < EXPONENT_MAXIMUM)
			value = value * 10 + (bytes[i] - '0');
	*exponent = negative ? -value : value;
	return i - at;
}

static bool scan_parts(const char *bytes, size_t length, struct parts *parts)
{
	size_t i = 0, whole, decimals = 0;
	int exponent = 0;

	*parts = (struct parts){ 0 };
	if (i < length && (bytes[i] == '-' || bytes[i] == '+'))
		parts->negative = bytes[i++] == '-';
	whole = scan_digits(bytes, length, i, parts);
	i += whole;
	if (i < length && bytes[i] == '.') {
		decimals = scan_digits(bytes, length, i + 1, parts);
		i += decimals > 0 || whole > 0 ? decimals + 1 : 0;
	}
	if (whole + decimals == 0)
		return false;
	if (i < length && (bytes[i] == 'e' || bytes[i] == 'E'))
		i += scan_exponent(bytes, length, i, &exponent);
	if (decimals > EXPONENT_MAXIMUM)
		decimals = EXPONENT_MAXIMUM;
	parts->exponent = exponent - (int)decimals;
	parts->length = i;
	return true;
}

/* strtod over a copy that ends where the number does. */
static double convert_slowly(const char *bytes, size_t length)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* a constant inside libc */
	char small[128], *copy = length < sizeof small ? small : malloc(length + 1);
	double number;

	if (copy == NULL)
		arena_out_of_memory();
	memcpy(copy, bytes, length);
	copy[length] = '\0';
	number = strtod_l(copy, NULL, plain);
	if (copy != small)
		free(copy);
	freelocale(plain);
	return number;
}

static double convert(const char *bytes, const struct parts *parts)
{
	double number = (double)parts->digits;

	if (parts->digit_count > EXACT_DIGITS || parts->exponent > EXACT_POWER ||
	    parts->exponent < -EXACT_POWER)
		return convert_slowly(bytes, parts->length);
	if (parts->exponent < 0)
		number /= powers[-parts->exponent];
	else
		number *= powers[parts->exponent];
	return parts->negative ? -number : number;
}

static double power_of_ten(int exponent)
{
	double power;

	if (exponent >= 0 && exponent <= EXACT_POWER)
		return powers[exponent];
	if (exponent < 0 && exponent >= -EXACT_POWER)
		return 1 / powers[-exponent];
	power = pow(10, exponent);
	return power < DBL_MIN ? DBL_MIN : fmin(power, DBL_MAX);
}

size_t decimal_scan(const char *bytes, size_t length, struct decimal *decimal)
{
	struct parts parts;

	if (!scan_parts(bytes, length, &parts))
		return 0;
	decimal->number = convert(bytes, &parts);
	decimal->quantum = power_of_ten(parts.exponent);
	return parts.length;
}

bool decimal_parse(const char *bytes, size_t length, struct decimal *decimal)
{
	struct decimal found;

	if (length == 0 || decimal_scan(bytes, length, &found) != length)
		return false;
	*decimal = found;
	return true;
}
