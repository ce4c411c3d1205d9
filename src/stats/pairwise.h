/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_PAIRWISE_H
#define STATS_PAIRWISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The matrix of all scale * (rows[i] + columns[j]), which is never stored:
 * with ascending rows and columns its lines ascend both ways. With triangle
 * only the columns j >= i count, and rows and columns are the same array: its
 * elements are then the Walsh averages (scale 0.5).
 */
struct pairwise {
	const double *rows; /* ascending */
	size_t row_count;
	const double *columns; /* ascending */
	size_t column_count;   /* below 2^32 */
	double scale;	       /* > 0 */
	bool triangle;
};

uint64_t pairwise_count(const struct pairwise *pairs);

/*
 * The elements of the given ranks (0 is the smallest; ascending, each below
 * pairwise_count) into values[0..rank_count). A matrix of at most formed_most
 * elements is formed and partitioned; a larger one is narrowed row by row:
 * O(n log n) time expected, at most 40 MB beside the arrays. Both give the same values, ties or not.
 */
void pairwise_select(const struct pairwise *pairs, const uint64_t *ranks, size_t rank_count,
		     uint64_t formed_most, double *values);

#endif
