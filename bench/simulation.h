/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BENCH_SIMULATION_H
#define BENCH_SIMULATION_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"

/* What the Monte Carlo programs share: arguments, normal numbers, lines with their uncertainty. */
struct tally {
	struct random random;
	int experiments;
	bool exceeded; /* a claim was */
};

static inline double normal(struct random *random)
{
	double radius = sqrt(-2 * log(1 - random_unit(random)));

	return radius * cos(2 * M_PI * random_unit(random));
}

struct bounds {
	double low, high;
};

/* Wilson's interval for a share, z deviations to each side. */
static inline struct bounds share_bounds(int alarms, int experiments, double z)
{
	double n = experiments, p = alarms / n;
	double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
	double reach = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));

	return (struct bounds){ fmax(0, centre - reach), centre + reach };
}

/* Among so many lines one in twenty misses its 95 % interval: a claim counts as exceeded where even
 * that of 99.9 % lies above it. A claim of 1 is none. */
static inline void report(struct tally *tally, const char *what, int alarms, double claim)
{
	struct bounds bounds = share_bounds(alarms, tally->experiments, 1.959964);
	bool over = share_bounds(alarms, tally->experiments, 3.290527).low > claim;

	printf("  %-56s %5.2f %%  [%.2f, %.2f]", what, 100.0 * alarms / tally->experiments,
	       100 * bounds.low, 100 * bounds.high);
	if (claim < 1)
		printf("  at most %.2f %%%s", 100 * claim, over ? "  EXCEEDED" : "");
	putchar('\n');
	fflush(stdout);
	tally->exceeded = tally->exceeded || over;
}

/* Arguments [EXPERIMENTS [SEED]]; prints what it took. */
static inline struct tally tally_start(int argc, char **argv)
{
	struct tally tally = { .experiments = argc > 1 ? atoi(argv[1]) : 4000,
			       .random = { .state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1 } };

	if (tally.experiments < 1) {
		fprintf(stderr, "%s: give the number of experiments, as in 4000\n", argv[0]);
		exit(2);
	}
	printf("%d experiments a line, seed %llu\n", tally.experiments,
	       (unsigned long long)tally.random.state);
	return tally;
}

#endif
