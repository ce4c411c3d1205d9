/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_INPUT_UNIT_H
#define FORMATS_INPUT_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/input/number.h"
#include "model/metric.h"

/*
 * Units as tools write them, brought to base units so that two files that
 * print ns and ms can be compared: "s", "B", "B/s", "/s", "" for counts.
 */
struct unit {
	const char *word;   /* as tools write it: "us", "MB/s" */
	const char *base;   /* "s", "B/s" */
	double times, over; /* base value = value * times / over, one of them 1 */
	enum better better; /* what a user wants of a quantity in this unit, usually */
};

/* By the exact word; NULL if unknown. The word need not be NUL-terminated. */
const struct unit *unit_find(const char *word, size_t length);
/* Value and quantum in the base unit. */
struct number unit_base(const struct unit *unit, struct number number);

#endif
