/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Decimal numbers in other programs' output, quickly, whatever the locale, and
 * with the step of their last printed digit: "0.070" is 0.07 known to 0.001,
 * "12e3" is 12000 known to 1000. Nothing but digits, one point, a sign and an
 * exponent is a number: no blanks, thousands signs, hexadecimal or words.
 */
struct decimal {
	double number;	/* an infinity where it is too large for a double */
	double quantum; /* one unit of the last printed digit; always positive */
};

/* Reads the longest number at the beginning of bytes and returns how many bytes it takes; 0, and
 * decimal left alone, if there is none. An exponent without digits is not part of the number. */
size_t decimal_scan(const char *bytes, size_t length, struct decimal *decimal);

/* Whether all of bytes is one number. */
bool decimal_parse(const char *bytes, size_t length, struct decimal *decimal);

#endif
