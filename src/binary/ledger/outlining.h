/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_LEDGER_OUTLINING_H
#define BINARY_LEDGER_OUTLINING_H

#include "base/arena.h"
#include "model/code.h"

/*
 * What out-of-lining each function of an image's ledger would save, best
 * first, into diff->candidates: functions with at least two copies that have
 * code and a central estimate above 0.
 *
 * The estimate is a share of the copies' exclusive bytes, as it was seen in
 * rebuilds (outlining.def), less a body of the size of the largest copy where
 * none exists. central is the median of the calibration, low and high have two
 * thirds of it between them; none is more than the copies less a call each. It
 * is a shortlist and no promise: callers are optimised anew. diff->calibration
 * says how wrong it was.
 */
void outlining_rank(struct arena *arena, const struct code_image *image, struct code_diff *diff);

/* The share of exclusive bytes that came back in that part (0 to 1) of the calibration, and how
 * many functions are in it. */
double outlining_share(double part);
size_t outlining_count(void);

/* How wrong the estimate is of each function of the calibration, made from the others. */
struct outlining_error {
	double median_share; /* of |estimate - saving|, as a share of the exclusive bytes */
	size_t in_range;     /* savings between low and high */
	size_t grew;	     /* functions whose rebuild made the program larger */
};
struct outlining_error outlining_error(void);

#endif
