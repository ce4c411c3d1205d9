/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saving of out-of-lining: see outlining.h. A fixed cost of a call, as
 * tools before took it, was 1.6 to 1.9 times too hopeful: what stays at a site
 * is the call, moved arguments and spilled registers, 14 to 43 bytes here, and
 * the number of arguments does not predict it. Of the rules that were tried on
 * the calibration (share of exclusive bytes, cost per site, both) the share
 * has the smallest error when each function is predicted from the others; what
 * that error is, is computed here and told with the estimates.
 */
#include "binary/ledger/outlining.h"

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
#include "binary/ledger/outlining.def"
#undef ROW
};

/* The shortest call of x86-64. No rebuild of a tiny function can give more than the rest. */
static const double call_bytes = 5;

/* Two thirds of the calibration are between these quantiles. */
static const double low_part = 1.0 / 6, high_part = 5.0 / 6;

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
static double quantile(const double *sorted, size_t count, double part)
{
	double position = (double)(count - 1) * part;
	size_t below = (size_t)position;

	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* Sorted shares of all rebuilds but one; REBUILDS: of all. */
static size_t sorted_shares(size_t without, double *shares)
{
	size_t count = 0, i;

	for (i = 0; i < REBUILDS; i++)
		if (i != without)
			shares[count++] = (rebuilds[i].saved_bytes + rebuilds[i].added_bytes) /
					  rebuilds[i].exclusive_bytes;
	qsort(shares, count, sizeof *shares, by_number);
	return count;
}

double outlining_share(double part)
{
	double shares[REBUILDS];
	size_t count = sorted_shares(REBUILDS, shares);

	return quantile(shares, count, part);
}

static double estimate(double share, double exclusive, double copies, double body)
{
	return fmin(share * exclusive, exclusive - call_bytes * copies) - body;
}

struct outlining_error outlining_error(void)
{
	struct outlining_error error = { 0 };
	double errors[REBUILDS], shares[REBUILDS];
	size_t i;

	for (i = 0; i < REBUILDS; i++) {
		const struct rebuild *one = &rebuilds[i];
		size_t count = sorted_shares(i, shares);
		double sides[3] = { low_part, 0.5, high_part };
		size_t side;

		for (side = 0; side < 3; side++)
			sides[side] = estimate(quantile(shares, count, sides[side]),
					       one->exclusive_bytes, one->copies, one->added_bytes);
		errors[i] = fabs(sides[1] - one->saved_bytes) / one->exclusive_bytes;
		error.in_range += one->saved_bytes >= sides[0] && one->saved_bytes <= sides[2];
		error.grew += one->saved_bytes < 0;
	}
	qsort(errors, REBUILDS, sizeof *errors, by_number);
	error.median_share = quantile(errors, REBUILDS, 0.5);
	return error;
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
	double low = outlining_share(low_part), central = outlining_share(0.5),
	       high = outlining_share(high_part);
	struct outlining_error error = outlining_error();
	size_t capacity = 0, i;

	for (i = 0; i < image->inline_count; i++) {
		const struct code_inlined *one = &image->inlines[i];
		double bytes = (double)one->exclusive_bytes;
		double copies = (double)one->copies_with_code;
		double body = one->bodies > 0 ? 0 : (double)one->most_bytes;
		struct code_candidate candidate = {
			.inlined = one,
			.low_bytes = estimate(low, bytes, copies, body),
			.central_bytes = estimate(central, bytes, copies, body),
			.high_bytes = estimate(high, bytes, copies, body),
			.rule = one->bodies > 0 ? "a body exists" : "a body is added",
		};

		if (one->copies_with_code > 1 && candidate.central_bytes > 0)
			*array_push(arena, diff->candidates, diff->candidate_count, capacity) =
			    candidate;
	}
	diff->calibration = arena_printf(
	    arena,
	    "From %d rebuilds with one function after another marked noinline. Each predicted from "
	    "the others, half of the estimates are off by at most %.0f%% of the copies' bytes, %zu "
	    "of %d savings are between \"from\" and \"to\", and %zu functions made the program "
	    "larger. Rebuild before you believe one.",
	    REBUILDS, error.median_share * 100, error.in_range, REBUILDS, error.grew);
	if (diff->candidate_count > 1)
		qsort(diff->candidates, diff->candidate_count, sizeof *diff->candidates, by_saving);
}
