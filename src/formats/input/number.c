/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decimal numbers. Up to 15 significant digits with a power of ten within
 * 10^22 are exact in one multiplication or division of doubles (Clinger 1990,
 * the fast path); the rest goes through strtod, on a copy in the C locale's
 * form, which the program never leaves.
 */
#include "formats/input/number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double powers[] = { 1e0,  1e1,  1e2,  1e3,	 1e4,  1e5,  1e6,  1e7,
				 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
				 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
enum { FAST_POWER = 22, FAST_DIGITS = 15, LONGEST = 400 };

static double power_of_ten(int exponent)
{
	if (exponent >= 0 && exponent <= FAST_POWER)
		return powers[exponent];
	if (exponent < 0 && -exponent <= FAST_POWER)
		return 1 / powers[-exponent];
	return pow(10, exponent);
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Digits read as one integer with its power of ten. */
struct decimal {
	uint64_t digits;
	int significant; /* digits in it, leading zeros left out */
	int exponent;
	int decimals; /* printed after the point */
	bool any;
};

static size_t scan_digits(const char *bytes, size_t length, bool after_point,
			  struct decimal *decimal)
{
	size_t i;

	for (i = 0; i < length && is_digit(bytes[i]); i++) {
		decimal->any = true;
		if (decimal->significant < 19) {
			decimal->digits = decimal->digits * 10 + (uint64_t)(bytes[i] - '0');
			decimal->significant += decimal->digits > 0;
			decimal->exponent -= after_point;
		} else {
			decimal->significant++;
			decimal->exponent += !after_point;
		}
		decimal->decimals += after_point;
	}
	return i;
}

/* "e-05" after the digits; 0 if there is none. */
static size_t scan_exponent(const char *bytes, size_t length, int *exponent)
{
	size_t i = 1;
	bool minus;
	int value = 0;

	if (length < 2 || (bytes[0] != 'e' && bytes[0] != 'E'))
		return 0;
	minus = bytes[i] == '-';
	i += bytes[i] == '-' || bytes[i] == '+';
	if (i == length || !is_digit(bytes[i]))
		return 0;
	for (; i < length && is_digit(bytes[i]); i++)
		if (value < 10000)
			value = value * 10 + bytes[i] - '0';
	*exponent = minus ? -value : value;
	return i;
}

static double slow_value(const char *bytes, size_t length)
{
	char copy[LONGEST + 1];

	memcpy(copy, bytes, length);
	copy[length] = '\0';
	return strtod(copy, NULL);
}

static double value_of(const struct decimal *decimal, const char *bytes, size_t length)
{
	double value = (double)decimal->digits;

	if (decimal->significant <= FAST_DIGITS && decimal->exponent >= -FAST_POWER &&
	    decimal->exponent <= FAST_POWER)
		return decimal->exponent < 0 ? value / powers[-decimal->exponent]
					     : value * powers[decimal->exponent];
	return fabs(slow_value(bytes, length));
}

size_t number_scan(const char *bytes, size_t length, struct number *number)
{
	struct decimal decimal = { 0 };
	size_t i = 0, taken;
	int exponent = 0;

	if (length > LONGEST)
		length = LONGEST;
	i += length > 0 && (bytes[0] == '-' || bytes[0] == '+');
	i += scan_digits(bytes + i, length - i, false, &decimal);
	if (i < length && bytes[i] == '.') {
		taken = scan_digits(bytes + i + 1, length - i - 1, true, &decimal);
		i += decimal.any ? taken + 1 : 0;
	}
	if (!decimal.any)
		return 0;
	i += scan_exponent(bytes + i, length - i, &exponent);
	decimal.exponent += exponent;
	number->value = value_of(&decimal, bytes, i);
	if (bytes[0] == '-')
		number->value = -number->value;
	number->quantum = power_of_ten(exponent - decimal.decimals);
	return isfinite(number->value) ? i : 0;
}

bool number_parse(const char *bytes, size_t length, struct number *number)
{
	return length > 0 && number_scan(bytes, length, number) == length;
}

/* How often byte occurs. */
static size_t count_of(const char *bytes, size_t length, char byte)
{
	size_t count = 0, i;

	for (i = 0; i < length; i++)
		count += bytes[i] == byte;
	return count;
}

/* The character that stands before the decimals, 0: none. */
static char decimal_sign(const char *bytes, size_t length, bool comma_is_decimal)
{
	size_t points = count_of(bytes, length, '.'), commas = count_of(bytes, length, ',');

	if (points > 0 && commas > 0) {
		char last;

		while (bytes[length - 1] != '.' && bytes[length - 1] != ',')
			length--;
		last = bytes[length - 1];
		return (last == '.' ? points : commas) == 1 ? last : 0;
	}
	if (points == 1)
		return '.';
	return commas == 1 && comma_is_decimal ? ',' : 0;
}

/* Three digits follow each separator of thousands; "1,50" is none. */
static bool groups_well(const char *bytes, size_t length, size_t at)
{
	size_t i;

	if (at == 0 || at + 3 >= length || !is_digit(bytes[at - 1]))
		return false;
	for (i = at + 1; i <= at + 3; i++)
		if (!is_digit(bytes[i]))
			return false;
	return at + 4 == length || !is_digit(bytes[at + 4]);
}

bool number_parse_local(const char *bytes, size_t length, bool comma_is_decimal,
			struct number *number)
{
	char plain[64], sign;
	size_t count = 0, i;

	if (length == 0 || length >= sizeof plain)
		return false;
	sign = decimal_sign(bytes, length, comma_is_decimal);
	for (i = 0; i < length; i++) {
		char byte = bytes[i];

		if (byte == sign && sign != 0)
			plain[count++] = '.';
		else if (byte == ',' || byte == '.' || byte == ' ' || byte == '\'') {
			if (!groups_well(bytes, length, i))
				return false;
		} else
			plain[count++] = byte;
	}
	return number_parse(plain, count, number);
}
