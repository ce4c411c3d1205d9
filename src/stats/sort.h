/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_SORT_H
#define STATS_SORT_H

#include <stddef.h>

/* A value and where it stood. */
struct sort_item {
	double value;
	size_t index;
};

/* Ascending, equal values in the order they had (0 and -0 are equal). No NAN. */
void sort_items(struct sort_item *items, size_t n);
void sort_values(double *values, size_t n);

#endif
