/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saving of out-of-lining: see outlining.h. A fixed cost of a call, as
 * tools before took it, was 1.6 to 1.9 times too hopeful: what stays at a site
 * is the call, moved arguments and spilled registers, 14 to 43 bytes here, and
 * the number of arguments does not predict it. Of the rules that were tried on
 * the calibration (share of exclusive bytes, cost per site, both) the share
 * has the smallest error when each function is predicted from the others: the
 * median of it is 20% of the exclusive bytes, and the sum of all predictions
 * is 2% above the sum of what was saved.
 */
#include "binary/outlining.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct rebuild {
	const char *function;
	double copies, exclusive_bytes, added_bytes, saved_bytes;
};

static const struct rebuild rebuilds[] = {
#define ROW(function, copies, exclusive, added, saved)                                             \
	{ #function, copies, exclusive, added, saved },
#include "binary/outlining.def"
#undef ROW
};

/* The shortest call of x86-64. No rebuild of a tiny function can give more than the rest. */
static const double call_bytes = 5;

enum { REBUILDS = sizeof rebuilds / sizeof *rebuilds };

static int by_number(const void *left, const void *right)
{
	double first = *(const double *)left, second = *(const double *)right;

	return first < second ? -1 : first > second;
}

size_t outlining_count(void)
{
	return REBUILDS;
}

/* Quantile of type 7, as R's default. */
double outlining_share(double part)
{
	double shares[REBUILDS], position = (REBUILDS - 1) * part;
	size_t below = (size_t)position, i;

	for (i = 0; i < REBUILDS; i++)
		shares[i] = (rebuilds[i].saved_bytes + rebuilds[i].added_bytes) /
			    rebuilds[i].exclusive_bytes;
	qsort(shares, REBUILDS, sizeof *shares, by_number);
	if (below + 1 >= REBUILDS)
		return shares[REBUILDS - 1];
	return shares[below] + (position - (double)below) * (shares[below + 1] - shares[below]);
}

static int by_saving(const void *left, const void *right)
{
	const struct code_candidate *first = left, *second = right;

	if (first->central_bytes != second->central_bytes)
		return first->central_bytes > second->central_bytes ? -1 : 1;
	return strcmp(first->inlined->name, second->inlined->name);
}

void outlining_rank(struct arena *arena, const struct code_image *image, struct code_diff *diff)
{
	double low = outlining_share(1.0 / 6), central = outlining_share(0.5),
	       high = outlining_share(5.0 / 6);
	size_t capacity = 0, i;

	for (i = 0; i < image->inline_count; i++) {
		const struct code_inlined *one = &image->inlines[i];
		double bytes = (double)one->exclusive_bytes;
		double body = one->bodies > 0 ? 0 : (double)one->most_bytes;
		double most = bytes - call_bytes * (double)one->copies_with_code;
		struct code_candidate candidate = {
			.inlined = one,
			.low_bytes = fmin(low * bytes, most) - body,
			.central_bytes = fmin(central * bytes, most) - body,
			.high_bytes = fmin(high * bytes, most) - body,
			.rule = one->bodies > 0 ? "a body exists" : "a body is added",
		};

		if (one->copies_with_code > 1 && candidate.central_bytes > 0)
			*array_push(arena, diff->candidates, diff->candidate_count, capacity) =
			    candidate;
	}
	if (diff->candidate_count > 1)
		qsort(diff->candidates, diff->candidate_count, sizeof *diff->candidates, by_saving);
}
