/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_RANDOM_VALUES_H
#define TESTS_RANDOM_VALUES_H

#include <math.h>
#include <stddef.h>

#include "base/random.h"

/* Data for property tests, the same at every run. */
enum values_kind {
	VALUES_NORMAL,
	VALUES_SKEWED,
	VALUES_TIED, /* few distinct ones, 0 among them */
	VALUES_SAME,
	VALUES_STALLS, /* one in ten far away */
	VALUES_KINDS,
};

/* Box and Muller 1958. */
static inline double random_normal(struct random *random)
{
	double radius = sqrt(-2 * log(1 - random_unit(random)));

	return radius * cos(2 * M_PI * random_unit(random));
}

static inline void random_values(struct random *random, enum values_kind kind, double *x, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		double normal = random_normal(random);

		switch (kind) {
		case VALUES_SKEWED:
			x[i] = exp(normal) - 1.3;
			break;
		case VALUES_TIED:
			x[i] = round(2 * normal) / 4;
			break;
		case VALUES_SAME:
			x[i] = 0.25;
			break;
		case VALUES_STALLS:
			x[i] = normal + (random_unit(random) < 0.1 ? 100 : 0);
			break;
		default:
			x[i] = normal;
		}
	}
}

/* Fisher and Yates. */
static inline void shuffle_values(struct random *random, double *x, size_t n)
{
	size_t i;

	for (i = n; i > 1; i--) {
		size_t other = random_below(random, i);
		double value = x[i - 1];

		x[i - 1] = x[other];
		x[other] = value;
	}
}

#endif
