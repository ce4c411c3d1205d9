/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_INPUT_NUMBER_H
#define FORMATS_INPUT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Numbers as tools print them. Decimal, correctly rounded, whatever the locale;
 * names like "nan" and "inf", hexadecimal and digit separators are no numbers
 * here. The quantum is the step of the last printed digit: 0.01 for "2.50".
 */
struct number {
	double value;
	double quantum;
};

/* The whole of bytes must be one number; false also for what overflows a double. */
bool number_parse(const char *bytes, size_t length, struct number *number);

/* The longest number at the start of bytes; its length, 0 if there is none. */
size_t number_scan(const char *bytes, size_t length, struct number *number);

/* Like number_parse for text written in some locale: the last of '.' and ',' is the decimal sign if
 * both occur; one kind that occurs several times, or a space or apostrophe, groups thousands. A
 * single ',' is what comma says: a decimal sign or a separator of thousands. */
bool number_parse_local(const char *bytes, size_t length, bool comma_is_decimal,
			struct number *number);

#endif
