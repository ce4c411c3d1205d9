/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_QUANTITY_H
#define REPORT_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * The figures of one row of a sheet: one scale and one number of decimals for
 * all of them, so that a reader compares digits and not units. Nothing here
 * ever prints "nan" or "inf": what is not finite is "-".
 */
struct quantity {
	const char *suffix; /* "ms", "k"; "" for plain counts */
	const char *unit;   /* printed behind a suffix that is a prefix ("M requests"), else NULL */
	double factor;	    /* shown = value * factor */
	int decimals;	    /* below 0: too large or too small for plain digits, 1.234e+30 */
	bool compact;	    /* a deviation that would round to 0 is left out */
};

/*
 * For values of the given largest magnitude. Four significant digits, and up to two more where the
 * smallest deviation that is not 0 (NAN: none) would otherwise show as 0; compact ones have three
 * below 100, and none beyond the second of the deviation, for tables that would be too wide.
 */
struct quantity quantity_choose(const char *unit, double magnitude, double smallest_deviation,
				bool compact);

char *quantity_value(struct arena *arena, const struct quantity *quantity, double value);
/* With a sign: "+1.5 ms". */
char *quantity_change(struct arena *arena, const struct quantity *quantity, double value);
/* The digits without the unit, and with a sign. */
char *quantity_digits(struct arena *arena, const struct quantity *quantity, double value);
char *quantity_signed_digits(struct arena *arena, const struct quantity *quantity, double value);
/* "150.7 ms (1.5)"; without the part in brackets if the deviation is NAN. */
char *quantity_with_deviation(struct arena *arena, const struct quantity *quantity, double mean,
			      double deviation);
/* A value without run-to-run variation: "1,807,824 B", scaled from 10,000,000,000 on. */
char *quantity_exact(struct arena *arena, double value, const char *unit);

/* From tenfold on, and where nearly nothing is left, a change is shown as a factor. */
bool change_is_factor(double ratio);
/* A change as a table shows it: "-2.05%", "x18.2". exact ones get as many decimals as it takes to
 * tell them from 0. */
char *change_cell(struct arena *arena, double ratio, bool exact);
/* "-2.61 .. -1.48%", "unbounded", "< +1.5%", "> -2.6%"; "-" if there is none. */
char *change_interval(struct arena *arena, double low, double high);
/* For prose, without a sign: "2.05%", "150%", "18.2 times". */
char *change_share(struct arena *arena, double ratio);
/* For prose: "1.48 and 2.61%", magnitudes in rising order with the same decimals; "7.20 and 34.8
 * times". Both changes have the same sign. */
char *change_shares(struct arena *arena, double low, double high);

#endif
