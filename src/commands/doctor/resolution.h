/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_DOCTOR_RESOLUTION_H
#define COMMANDS_DOCTOR_RESOLUTION_H

#include <stddef.h>

#include "model/recording.h"

/* What a recording of a command against itself says of the machine, by the planning formula of
 * docs/method.md 3.9. */
struct doctor_resolution {
	double run_s;	/* median wall time of one run */
	double round_s; /* of a round with all that lies between its runs */
	double
	    spread_wall; /* robust standard deviation of a pair's log ratio; NAN: below 6 pairs */
	double spread_cpu;
	size_t pairs;
	size_t disturbed; /* runs that had company */
	size_t runs;
};

struct doctor_resolution doctor_resolution(const struct recording *recording);
/* The smallest ratio that rounds would almost surely decide; NAN below 6 rounds. */
double doctor_resolvable(double spread, double rounds);

#endif
